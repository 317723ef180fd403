"""Players choose a move when shown a `View`.

Those here keep nothing from one move to the next: view, budget and seed decide what they choose.
"""

import re
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from savanna._core import Champion, FlatMonteCarlo, Greedy, Ismcts, Move, Random, SoftGreedy, View
from savanna.arguments import quoted, wrong_type
from savanna.errors import SavannaError

__all__ = ["Champion", "FlatMonteCarlo", "Greedy", "Ismcts", "Player", "Random", "SoftGreedy", "parse", "written"]


@runtime_checkable
class Player(Protocol):
    """What a player of your own needs in order to take part wherever those of this module do."""

    def choose(self, view: View, /) -> Move | str:
        """Return a legal move of `view`, which is that of the seat to move, as `Move` or as its text."""
        ...


_KINDS: dict[str, tuple[Callable[..., Player], str | None]] = {
    "random": (Random, None),
    "greedy": (Greedy, None),
    "flat": (FlatMonteCarlo, "playouts"),
    "soft-greedy": (SoftGreedy, "playouts"),
    "ismcts": (Ismcts, "iterations"),
    "champion": (Champion, "iterations"),
}
"""The built-in players by their names, and what those that search count by."""


def parse(text: str) -> Player:
    """Return the built-in player of a text: "random", "greedy", "flat", "soft-greedy", "ismcts" or "champion".

    The last four may be followed by how much they think about a move: by a number of iterations, as in "flat:20000", or
    by a time, as in "champion:0.05s". Raises `SavannaError` for any other text.
    """
    if not isinstance(text, str):
        raise wrong_type("a player's text", "a str", text)
    name, colon, budget = text.partition(":")
    if name not in _KINDS:
        raise SavannaError(f"unknown player {quoted(name)}, known are {', '.join(_KINDS)}")
    kind, count = _KINDS[name]
    if colon and count is None:
        raise SavannaError(f"player {quoted(text)} takes nothing after its name")
    return kind(**(_budget(text, count, budget) if colon and count else {}))


def written(player: object) -> str | None:
    """Return the text from which `parse` makes a player; None if there is none, as for a seed or a class of its own."""
    for name, (kind, count) in _KINDS.items():
        if type(player) is kind:
            number, seconds = getattr(player, count or "", None), getattr(player, "seconds", None)
            budget = f":{seconds:.9f}".rstrip("0").rstrip(".") + "s" if seconds else f":{number}" if number else ""
            text = name + budget
            return text if parse(text) == player else None
    return None


def _budget(text: str, count: str, budget: str) -> dict[str, int | float]:
    """Return the keyword argument of a budget."""
    if re.fullmatch(r"[0-9]{1,18}(_[0-9]{1,18})*", budget):
        return {count: int(budget)}
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?s", budget):
        return {"seconds": float(budget[:-1])}
    raise SavannaError(f"player {quoted(text)} needs a number or a time after its name, such as 20000 or 0.05s")
