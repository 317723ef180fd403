"""The plain records that `Position` and `View` hand out."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from savanna._core import Move, Position, Stats


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


class LineState(NamedTuple):
    """A line as it stands: its spaces in reading order, and its `tiles` and `influence` by team.

    `total` is the sum of the influence, `empty` the number of empty spaces.

    `points` by team are None until it is full. `scorer` is the team that gets them, where board and scores tell it:
    below and above the target, the only team with points; exactly at the target, the team that filled the line, if all
    ways in which the scores can have come about agree on it. Where they do not, `points` are zeros, and `unclaimed` is
    what the line gave, without points for Mice; everywhere else it is 0.
    """

    spaces: tuple[str, ...]
    tiles: tuple[int, ...]
    influence: tuple[int, ...]
    total: int
    empty: int
    points: tuple[int, ...] | None
    scorer: int | None
    unclaimed: int


class Playout(NamedTuple):
    """A game that was played out: its `start`, its `moves`, the final `scores` by team, and the teams in `winners`."""

    start: "Position"
    moves: "tuple[Move, ...]"
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class RankedMove(NamedTuple):
    """A move and how playouts after it end: the `win_share` of the team that moves, its `stderr`, and all `stats`.

    The standard error is that of `Stats.win_stderr`.
    """

    move: "Move"
    win_share: float
    stderr: float
    stats: "Stats"


class MoveAnalysis(NamedTuple):
    """What a search thinks of a move, by the games that it played out after it.

    `visits` is how many these are, `win_share` the share of them that the mover's team won and `stderr` its standard
    error, as that of `Stats.win_stderr`; it is 0 only if all deals that the view leaves open were solved. `scores` are
    the teams' mean final scores; `margin` is by how much that of the mover's team exceeds the mean of the others.
    `line` is how the game is likely to go on, as far as the search has looked; an animal under another seat's Lion is a
    guess there.
    """

    move: "Move"
    visits: int
    win_share: float
    stderr: float
    margin: float
    scores: tuple[float, ...]
    line: "tuple[Move, ...]"
