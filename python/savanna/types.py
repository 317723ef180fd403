"""The words that arguments and results are made of, as types: for annotations in programs of your own."""

from collections.abc import Iterable, Mapping
from typing import Literal, SupportsIndex, TypeAlias, TypedDict

__all__ = ["Animal", "Backend", "Face", "Objective", "Policy", "RulesOptions"]

Animal: TypeAlias = Literal["monkey", "zebra", "giraffe", "elephant", "mouse"]
"""An animal, one of `savanna.ANIMALS`."""

Face: TypeAlias = Literal["front", "lion"]
"""The side of a tile that lies up, one of `savanna.FACES`."""

Policy: TypeAlias = Literal["uniform", "soft-greedy", "keen-greedy"]
"""How playouts choose moves, one of `savanna.POLICIES`."""

Objective: TypeAlias = Literal["win", "margin"]
"""What `savanna.solve` plays for, one of `savanna.OBJECTIVES`."""

Backend: TypeAlias = Literal["avx512", "avx2", "sse2", "portable", "scalar"]
"""What plays games, one of those that `savanna.backends` may return."""


class RulesOptions(TypedDict, total=False):
    """The options of `savanna.Rules`, each of which may be left out."""

    players: SupportsIndex
    mice: bool
    team_game: bool
    deck: Mapping[str, SupportsIndex] | None
    influence: Mapping[str, SupportsIndex] | None
    target: SupportsIndex
    points: Iterable[SupportsIndex]
    last_seat_bonus: SupportsIndex | None
    absent_can_be_least: bool
