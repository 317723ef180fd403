"""What a picture shows, gathered once from a position or a view; both ways of drawing read this and nothing else.

A view has no more to give than its seat knows, so a picture of one cannot show more either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from savanna._core import SPACES, Analysis, Move, Position, Rules, View
from savanna.arguments import wrong_type
from savanna.characters import columns, is_visible, without_dangers
from savanna.errors import SavannaError
from savanna.records import LineState, MoveAnalysis, Placed

NAMES = ("Red", "Blue", "Yellow", "Green")
"""What seats are called unless they have names: their colours in the box."""

LONGEST_NAME = 16
"""How many columns of a terminal the part of a name that is shown may take."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the board: the animal is None under a Lion that hides it from who looks."""

    seat: int
    animal: str | None
    is_lion: bool
    influence: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands: the `sums` of influence by team, how many spaces are `empty`, the team that `leads` alone.

    `points` by team are None until it is full. A line exactly at the target goes to who filled it, which a position
    does not always tell: then `unclaimed` holds its points, and `points` are zeros.
    """

    spaces: tuple[str, ...]
    name: str
    sums: tuple[int, ...]
    empty: int
    leads: int | None
    points: tuple[int, ...] | None
    unclaimed: int

    @property
    def total(self) -> int:
        """The influence of all tiles in it."""
        return sum(self.sums)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: hidden tiles of its hand and deck are None, `unseen` is None where nothing is hidden."""

    seat: int
    team: int
    name: str
    hand: tuple[str | None, ...]
    deck: tuple[str | None, ...]
    unseen: dict[str, int] | None
    score: int
    lions: int
    to_move: bool
    wins: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """What an analysis says: the best move on each empty space, all moves best first, and from how many iterations."""

    by_space: dict[str, MoveAnalysis]
    moves: tuple[MoveAnalysis, ...]
    iterations: int

    def warmth(self, space: str) -> float:
        """Return where a space's best move stands between the worst of them, 0, and the best, 1."""
        shares = [it.win_share for it in self.by_space.values()]
        return (self.by_space[space].win_share - min(shares)) / (max(shares) - min(shares) or 1)


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a picture shows.

    With `sees_all` nothing is hidden. Else `viewer` is the seat that looks, or None for spectators.
    """

    rules: Rules
    sees_all: bool
    viewer: int | None
    ply: int
    tiles: dict[str, Tile]
    lines: tuple[Line, ...]
    seats: tuple[Seat, ...]
    last: str | None
    advice: Advice | None

    def team_name(self, team: int) -> str:
        """Return the names of all who play for a team."""
        return " & ".join(seat.name for seat in self.seats if seat.team == team)

    @property
    def status(self) -> tuple[str, str]:
        """Whose turn it is, or who has won: the names, and what they do."""
        winners = dict.fromkeys(seat.team for seat in self.seats if seat.wins)
        if not winners:
            return next(seat.name for seat in self.seats if seat.to_move), "to move"
        single = len(winners) == 1 and not self.rules.team_game
        verb = "wins" if single else "win" if len(winners) == 1 else "share the win"
        return ", ".join(map(self.team_name, winners)), verb

    @property
    def perspective(self) -> str:
        """Who sees what is shown."""
        if self.sees_all:
            return "all tiles shown"
        return "as everybody sees it" if self.viewer is None else f"as {self.seats[self.viewer].name} sees it"


def gather(
    source: Position | View,
    last: Move | str | None = None,
    analysis: Analysis | None = None,
    names: Sequence[str] | None = None,
) -> Facts:
    """Return all that there is to show.

    Raises `SavannaError` for what does not belong to the position (a last move that cannot have been one, an analysis
    of other moves, a wrong number of names), `NotationError` for a text that is not a move, `TypeError` for wrong
    types.
    """
    if not isinstance(source, Position | View):
        raise wrong_type("source", "a Position or a View", source)
    rules, board = source.rules, source.board
    marked = None if last is None else last_space(source, board, last)
    influence = rules.influence
    tiles = {
        space: Tile(it.seat, it.animal, it.face == "lion", influence["lion" if it.face == "lion" else str(it.animal)])
        for space, it in board.items()
    }
    called = names_of(names, rules.players)
    return Facts(
        rules=rules,
        sees_all=isinstance(source, Position),
        viewer=source.seat if isinstance(source, View) else None,
        ply=source.ply,
        tiles=tiles,
        lines=lines_of(source, board, marked),
        seats=tuple(seat_of(source, seat, name) for seat, name in enumerate(called)),
        last=marked,
        advice=None if analysis is None else advice_of(source, analysis),
    )


# ------------------------------------------------------------------------------------------------------------- checking


def last_space(source: Position | View, board: dict[str, Placed], last: Move | str) -> str:
    """Return the space of the last move, if this can have been it as far as the source tells."""
    if not isinstance(last, Move | str):
        raise wrong_type("last", "a Move or a str", last)
    move = last if isinstance(last, Move) else None if last in SPACES else Move.parse(last)
    space = str(last) if move is None else move.space
    if space not in board:
        raise SavannaError(f"last: there is no tile on {space}")
    tile, mover = board[space], (source.ply - 1) % source.rules.players
    if tile.seat != mover:
        raise SavannaError(f"last: the tile on {space} is of seat {tile.seat}, but seat {mover} has moved last")
    if move is not None and (move.face != tile.face or tile.animal not in (None, move.animal)):
        raise SavannaError(f"last: {str(move)!r} was not played, on {space} lies another tile")
    return space


def names_of(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """Return a name for every seat, without what cannot be shown."""
    if names is None:
        return NAMES[:players]
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise wrong_type("names", "a sequence of str", names)
    if len(names) != players:
        raise SavannaError(f"names must be {players}, one for each seat, got {len(names)}")
    for seat, name in enumerate(names):
        if not isinstance(name, str):
            raise wrong_type(f"names[{seat}]", "a str", name)
    return tuple(
        shortened(without_dangers(name[:200])) if is_visible(name[:200]) else NAMES[seat]
        for seat, name in enumerate(names)
    )


def shortened(text: str, room: int = LONGEST_NAME) -> str:
    """Return the text, cut where it takes more columns, or more signs, than there is room for."""
    if columns(text) <= room and len(text) <= 2 * room:
        return text
    kept = text[: 2 * room]
    while columns(kept) > room - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def advice_of(source: Position | View, analysis: Analysis) -> Advice:
    """Return what the analysis says, if it is of the moves that can be played here."""
    if not isinstance(analysis, Analysis):
        raise wrong_type("analysis", "an Analysis", analysis)
    legal, moves = source.legal_moves(), analysis.moves
    if {it.move for it in moves} != set(legal):
        raise SavannaError(f"analysis is of another position: not of the {len(legal)} moves that can be played here")
    if len(moves[0].scores) != source.rules.teams:
        raise SavannaError(f"analysis is of another game: of {len(moves[0].scores)} teams")
    by_space: dict[str, MoveAnalysis] = {}
    for it in moves:
        by_space.setdefault(it.move.space, it)
    return Advice(by_space, moves, analysis.iterations)


# ------------------------------------------------------------------------------------------------------------ gathering


def seat_of(source: Position | View, seat: int, name: str) -> Seat:
    """Return what there is to know of a seat."""
    team = source.rules.team_of(seat)
    hand: tuple[str | None, ...]
    deck: tuple[str | None, ...]
    if isinstance(source, View):
        mover, unseen = source.to_move, source.unseen[seat]
        hand = source.hand if seat == source.seat else (None,) * source.hand_sizes[seat]
        deck = (None,) * source.deck_sizes[seat]
    else:
        mover, unseen, hand, deck = source.seat, None, source.hands[seat], source.decks[seat]
    return Seat(
        seat=seat,
        team=team,
        name=name,
        hand=hand,
        deck=deck,
        unseen=unseen,
        score=source.scores[team],
        lions=source.lions[team],
        to_move=seat == mover,
        wins=team in source.winners,
    )


def lines_of(source: Position | View, board: dict[str, Placed], last: str | None) -> tuple[Line, ...]:
    """Return all lines as they stand, with the points of those that are full."""
    claims = claims_of(source, board, last)
    lines = []
    for it in source.lines:
        most = [team for team, influence in enumerate(it.influence) if influence == max(it.influence)]
        claimed = claims.get(it.spaces)
        lines.append(
            Line(
                spaces=it.spaces,
                name=line_name(it.spaces),
                sums=it.influence,
                empty=it.empty,
                leads=most[0] if len(most) == 1 else None,
                points=claimed or it.points,
                unclaimed=0 if claimed else it.unclaimed,
            )
        )
    return tuple(lines)


def claims_of(
    source: Position | View, board: dict[str, Placed], last: str | None
) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the points of lines of which the last move tells who scored them, though the board does not.

    The last move filled the lines through that space. What the scores then leave for the other lines tells of
    these, too, if all of it goes to one team.
    """
    rules, lines = source.rules, source.lines
    if last is None:
        return {}
    is_open = [it.points is not None and it.total == rules.target and it.scorer is None for it in lines]
    mover = rules.team_of(board[last].seat)
    claims = {it.spaces: claim(rules, it, board, mover) for it in compress(lines, is_open) if last in it.spaces}
    others = [it for it in compress(lines, is_open) if it.spaces not in claims]
    known = [it.points for it, unknown in zip(lines, is_open, strict=True) if it.points and not unknown]
    left = [
        score - sum(points[team] for points in (*known, *claims.values())) for team, score in enumerate(source.scores)
    ]
    if source.is_over:
        left[rules.team_of(rules.players - 1)] -= rules.last_seat_bonus
    for team in range(rules.teams):
        theirs = {it.spaces: claim(rules, it, board, team) for it in others if it.tiles[team]}
        if len(theirs) == len(others) and [sum(gains) for gains in zip(*theirs.values(), strict=True)] == left:
            claims |= theirs
    return claims


def claim(rules: Rules, line: LineState, board: dict[str, Placed], filler: int) -> tuple[int, ...]:
    """Return the points by team of a line at the target that this team filled."""
    tiles = (board[space] for space in line.spaces)
    mice = sum((rules.team_of(it.seat), it.animal, it.face) == (filler, "mouse", "front") for it in tiles)
    return tuple(line.unclaimed + mice if team == filler else 0 for team in range(rules.teams))


def line_name(spaces: tuple[str, ...]) -> str:
    """Return what a line is called: its row or column, or the two ends of a diagonal."""
    first, last = spaces[0], spaces[-1]
    if first[1] == last[1]:
        return f"row {first[1]}"
    return f"col {first[0]}" if first[0] == last[0] else f"{first}-{last}"
