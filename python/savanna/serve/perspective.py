"""Who looks at a room, which decides what they are told."""

from dataclasses import dataclass

from savanna.serve.table import OVER, Table


@dataclass(frozen=True, slots=True)
class Perspective:
    """A seat, spectators (`PUBLIC`), or with `sees_all` somebody who may see all tiles; `over` alone gives that."""

    seat: int | None
    sees_all: bool = False


PUBLIC = Perspective(None)


def of(table: Table, visitor: int | None) -> Perspective:
    """Return the perspective of a visitor: that of their seat, or else the public one."""
    seat = None if visitor is None else table.visitors.get(visitor)
    return PUBLIC if seat is None else Perspective(seat)


def over(table: Table) -> Perspective:
    """Return the perspective that sees all tiles. Raises `ValueError` unless the game is over."""
    if table.status != OVER:
        raise ValueError("all tiles are shown when the game is over, and not before")
    return Perspective(None, sees_all=True)
