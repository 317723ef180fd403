"""The tiles: an animal on the front, a Lion on the back."""

from collections.abc import Iterable
from typing import TypeAlias

Animal: TypeAlias = str
Face: TypeAlias = str

ANIMALS: tuple[Animal, ...] = ("monkey", "zebra", "giraffe", "elephant", "mouse")
"""What is on the front of a tile."""

FRONT, LION = "front", "lion"
FACES: tuple[Face, ...] = (FRONT, LION)
"""The two sides of a tile."""

HIDDEN = "?"  # in a View, stands for an animal that the viewer does not know


def in_order(tiles: Iterable[Animal]) -> tuple[Animal, ...]:
    """Return the tiles in the order of `ANIMALS`; hidden ones come last."""
    return tuple(sorted(tiles, key=[*ANIMALS, HIDDEN].index))


def counted(number: int, animal: Animal) -> str:
    """Return a number of tiles in words: "1 mouse", "2 mice"."""
    plural = "mice" if animal == "mouse" else f"{animal}s"
    return f"{number} {animal if number == 1 else plural}"
