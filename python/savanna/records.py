"""The plain records that `Position` and `View` hand out."""

from typing import NamedTuple


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
