"""The plain records that `Position` and `View` hand out."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from savanna._core import Move, Stats


class Placed(NamedTuple):
    """A tile on the board: its owner's seat, its animal (`None` if hidden from the viewer) and the face that shows."""

    seat: int
    animal: str | None
    face: str


class LineScore(NamedTuple):
    """A line that a move fills: its spaces in reading order, its total influence and the points it gives, by team."""

    spaces: tuple[str, ...]
    total: int
    points: tuple[int, ...]


class RankedMove(NamedTuple):
    """A move and how playouts after it end: the `win_share` of the team that moves, its `stderr`, and all `stats`."""

    move: "Move"
    win_share: float
    stderr: float
    stats: "Stats"
