"""What a picture shows, gathered once from a position or a view; both ways of drawing read this and nothing else.

A view has no more to give than its seat knows, so a picture of one cannot show more either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from savanna._core import SPACES, Analysis, Move, Position, Rules, View
from savanna.arguments import wrong_type
from savanna.characters import columns, is_visible, without_dangers
from savanna.errors import SavannaError
from savanna.language import ENGLISH, Language, marked
from savanna.records import LineState, MoveAnalysis, Placed

NAMES = (marked("Red"), marked("Blue"), marked("Yellow"), marked("Green"))
"""What seats are called unless they have names: their colours in the box."""

LONGEST_NAME = 16
"""How many columns of a terminal the part of a name that is shown may take."""


class Tile(NamedTuple):
    """A tile on the board: the animal is None under a Lion that hides it from who looks."""

    seat: int
    animal: str | None
    is_lion: bool
    influence: int


class Line(NamedTuple):
    """A line as it stands: the `sums` of influence by team, how many spaces are `empty`, the team that `leads` alone.

    `points` by team are None until it is full. A line exactly at the target goes to who filled it, which a position
    does not always tell: then `unclaimed` holds its points, and `points` are zeros.
    """

    spaces: tuple[str, ...]
    sums: tuple[int, ...]
    empty: int
    leads: int | None
    points: tuple[int, ...] | None
    unclaimed: int

    @property
    def total(self) -> int:
        """The influence of all tiles in it."""
        return sum(self.sums)


class Seat(NamedTuple):
    """A seat: hidden tiles of its hand and deck are None.

    `unseen` is how many of each animal are not seen, None where nothing is hidden.
    """

    seat: int
    team: int
    name: str
    hand: tuple[str | None, ...]
    deck: tuple[str | None, ...]
    unseen: tuple[tuple[str, int], ...] | None
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
    language: Language

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.seats)

    def team_name(self, team: int, names: Sequence[str] | None = None) -> str:
        """Return the names of all who play for a team."""
        called = self.names if names is None else names
        return " & ".join(called[seat.seat] for seat in self.seats if seat.team == team)

    def status(self, names: Sequence[str] | None = None) -> str:
        """Return whose turn it is, or who has won; with other names for the seats, where these have to be short."""
        called = self.names if names is None else names
        say, winners = self.language.say, dict.fromkeys(seat.team for seat in self.seats if seat.wins)
        if not winners:
            return say("{name} to move", name=next(called[seat.seat] for seat in self.seats if seat.to_move))
        names = self.language.listed(self.team_name(team, called) for team in winners)
        if len(winners) > 1:
            return say("{names} share the win", names=names)
        return say("{names} win", names=names) if self.rules.team_game else say("{name} wins", name=names)

    def perspective(self, names: Sequence[str] | None = None) -> str:
        """Return who sees what is shown; with other names for the seats, where these have to be short."""
        say, called = self.language.say, self.names if names is None else names
        if self.sees_all:
            return say("all tiles shown")
        if self.viewer is None:
            return say("as everybody sees it")
        return say("as {name} sees it", name=called[self.viewer])

    @property
    def progress(self) -> str:
        """How far the game is."""
        return self.language.say("{ply} of 20 tiles placed", ply=self.ply)


def gather(
    source: Position | View,
    last: Move | str | None = None,
    analysis: Analysis | None = None,
    names: Sequence[str] | None = None,
    language: Language = ENGLISH,
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
    called = names_of(names, rules.players, language)
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
        language=language,
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


def names_of(names: Sequence[str] | None, players: int, language: Language = ENGLISH) -> tuple[str, ...]:
    """Return a name for every seat, without what cannot be shown."""
    usual = tuple(map(language.say, NAMES[:players]))
    if names is None:
        return usual
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise wrong_type("names", "a sequence of str", names)
    if len(names) != players:
        raise SavannaError(f"names must be {players}, one for each seat, got {len(names)}")
    for seat, name in enumerate(names):
        if not isinstance(name, str):
            raise wrong_type(f"names[{seat}]", "a str", name)
    return tuple(
        shortened(without_dangers(name[:200])) if is_visible(name[:200]) else usual[seat]
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
        mover, unseen = source.to_move, tuple(source.unseen[seat].items())
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
    states = source.lines
    claims = claims_of(source, states, board, last)
    return tuple(line_of(it, claims.get(it.spaces)) for it in states)


@lru_cache(maxsize=4096)
def line_of(it: LineState, claimed: tuple[int, ...] | None) -> Line:
    """Return a line as it is shown, with the points that the last move tells of."""
    highest = max(it.influence)
    most = [team for team, influence in enumerate(it.influence) if influence == highest]
    return Line(
        spaces=it.spaces,
        sums=it.influence,
        empty=it.empty,
        leads=most[0] if len(most) == 1 else None,
        points=claimed or it.points,
        unclaimed=0 if claimed else it.unclaimed,
    )


def claims_of(
    source: Position | View, lines: Sequence[LineState], board: dict[str, Placed], last: str | None
) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return the points of lines of which the last move tells who scored them, though the board does not.

    The last move filled the lines through that space. What the scores then leave for the other lines tells of
    these, too, if all of it goes to one team.
    """
    rules = source.rules
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


def line_name(spaces: tuple[str, ...], language: Language = ENGLISH) -> str:
    """Return what a line is called: its row or column, or the two ends of a diagonal."""
    first, last = spaces[0], spaces[-1]
    if first[1] == last[1]:
        return language.say("row {rank}", rank=first[1])
    return language.say("col {letter}", letter=first[0]) if first[0] == last[0] else f"{first}-{last}"
