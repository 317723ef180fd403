"""What is counted of games: whole numbers only, by NumPy over many games at once, so that tallies add up in any order.

Every figure of a study is a ratio of two sums over deals: wins by games, points by tiles, Lions by tiles. For a figure
is kept what its value and its error need: the sums of both, of their squares, and of their product. Shares and parts
are counted in twelfths, which every number of teams at a table and every number of tiles in a line divides.

Arrays have the games last, [plies, games] or [spaces, games], and are small integers: most of the time goes to memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from savanna._core import LINES, SPACES, Rules

Ints: TypeAlias = NDArray[Any]  # of some integer type
Key: TypeAlias = tuple[str, str]

TWELVE = 12
KINDS = ("row", "column", "main diagonal", "short diagonal")
MOUSE = 4

_LINES = tuple(tuple(SPACES.index(space) for space in line) for line in LINES)
_PLIES = len(SPACES)
_MOST_TOTAL = 4 * 15


def _kind(line: tuple[str, ...]) -> int:
    """Return the index of a line's kind."""
    if len({space[1] for space in line}) == 1:
        return 0
    if len({space[0] for space in line}) == 1:
        return 1
    return 2 if len(line) == 4 else 3


KIND_OF = np.array([_kind(line) for line in LINES])


@dataclass(frozen=True)
class Games:
    """Games that have been played, one row of each array for each.

    `actions` are the moves as action ids, uint8[games, 20]; `scores` int16[games, teams]; `winners` uint8[games], a bit
    for each team; `sides` int8[games, teams], which player each team is. The games of a deal follow each other, `each`
    of them.
    """

    actions: Ints
    scores: Ints
    winners: Ints
    sides: Ints
    each: int


@dataclass
class Tally:
    """Counts of `games` games of `deals` deals.

    `sums` has, by table and column, int64[5, rows]: the sums over deals of n, y, n * n, n * y and y * y, where y / n is
    the figure. `histograms` has int64[rows, values].
    """

    games: int
    deals: int
    sums: dict[Key, Ints]
    histograms: dict[str, Ints]

    def add(self, other: "Tally") -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.deals += other.deals
        for key, sums in other.sums.items():
            self.sums[key] = self.sums[key] + sums
        for name, counts in other.histograms.items():
            self.histograms[name] = self.histograms[name] + counts


def most_points(rules: Rules) -> int:
    """Return a score that no team can exceed: every line at its dearest, with Mice wherever they can lie."""
    return len(LINES) * (max(rules.points) + 4 * rules.mice) + rules.last_seat_bonus


def count(rules: Rules, players: int, games: Games) -> Tally:
    """Return the tally of some games between this number of players."""
    each, total = games.each, len(games.actions)
    board = _Board(rules, games.actions)
    sums: dict[Key, Ints] = {}
    for table, column, n, y in (*_results(rules, players, games), *board.figures()):
        sums[table, column] = _sums(n, y, each)
    top = most_points(rules)
    leads = _leads(games.scores)
    return Tally(
        games=total,
        deals=total // each,
        sums=sums,
        histograms={
            "scores": _histogram(games.scores.T, 0, top),
            "leads": _histogram(leads, -top, top),
            "totals": board.totals(),
        },
    )


def _sums(n: Ints, y: Ints, each: int) -> Ints:
    """Return the five sums of a figure, given [rows, games]; `n` may be one number for all."""
    y = np.asarray(y, np.int64)
    n = np.broadcast_to(np.asarray(n, np.int64), y.shape)
    if each > 1:
        n, y = (part.reshape(len(part), -1, each).sum(axis=2) for part in (n, y))
    return np.array([n.sum(1), y.sum(1), (n * n).sum(1), (n * y).sum(1), (y * y).sum(1)])


def _histogram(values: Ints, low: int, high: int) -> Ints:
    """Return how often each of low to high comes up in each row."""
    size = high - low + 1
    return np.array([np.bincount(row.astype(np.int64) - low, minlength=size) for row in values])


def _leads(scores: Ints) -> Ints:
    """Return by how much each team's score is above the best of the others: [teams, games]."""
    teams = scores.shape[1]
    others = [np.delete(scores, team, axis=1).max(axis=1) for team in range(teams)]
    return np.array([scores[:, team].astype(np.int64) - others[team] for team in range(teams)])


def _results(rules: Rules, players: int, games: Games) -> Iterator[tuple[str, str, Ints, Ints]]:
    """Yield the figures that follow from scores and winners: table, column, n and y."""
    teams = np.arange(rules.teams)[:, None]
    won = games.winners >> teams & 1
    winners = won.sum(axis=0)
    shares = won * (TWELVE // winners)
    leads = _leads(games.scores)
    one = np.array(1)
    yield "teams", "win share", one, shares
    yield "teams", "score", one, games.scores.T
    yield "teams", "lead", one, leads
    first = leads.max(axis=0)
    yield "endings", "share", one, np.array([first == 0, (first == 0) & (winners == 1), winners > 1])
    yield "lead", "points", one, first[None]
    sides = np.arange(players)[:, None, None] == games.sides.T  # [players, teams, games]
    yield "players", "win share", sides.sum(axis=1), (sides * shares).sum(axis=1)


class _Board:
    """Final boards, and who was paid for what on them: arrays [spaces, games] but for those by line."""

    def __init__(self, rules: Rules, actions: Ints) -> None:
        self.rules = rules
        actions = np.ascontiguousarray(actions.T)  # [plies, games]
        games = actions.shape[1]
        influence = rules.influence
        lion = influence.pop("lion")
        weights = np.array([value for front in influence.values() for value in (front, lion)], np.int8)
        teams = np.array([rules.team_of(seat) for seat in range(rules.players)], np.int8)
        plies = np.empty((_PLIES, games), np.int8)
        np.put_along_axis(plies, actions % 20, np.arange(_PLIES, dtype=np.int8)[:, None], axis=0)
        self.ply = plies
        self.tile = np.take_along_axis(actions // 20, plies, axis=0)  # animal * 2 + face
        self.seat = plies % rules.players
        self.team = teams[self.seat]
        self._influence = weights[self.tile]
        self._mouse = (self.tile == MOUSE * 2) & rules.mice
        # What the line-filling placement on a space brought at once to its team and to others, and what part each tile
        # had in the end, in twelfths, of the points that its team got for its lines.
        self.own = np.zeros((_PLIES, games), np.int16)
        self.others = np.zeros((_PLIES, games), np.int16)
        self.part = np.zeros((_PLIES, games), np.int16)
        self.total = np.empty((len(LINES), games), np.int8)
        self.paid = np.empty((len(LINES), games), np.int16)
        for number, spaces in enumerate(_LINES):
            self._score(number, list(spaces))

    def _score(self, number: int, spaces: list[int]) -> None:
        """Score one line in all games."""
        team, ply, influence = self.team[spaces], self.ply[spaces], self._influence[spaces]
        is_last = ply == ply.max(axis=0)
        mine = [team == it for it in range(self.rules.teams)]
        tiles = np.array([it.sum(axis=0, dtype=np.int8) for it in mine])  # [teams, games]
        weight = np.array([(influence * it).sum(axis=0, dtype=np.int8) for it in mine])
        placer = np.array([(it & is_last).any(axis=0) for it in mine])
        total = influence.sum(axis=0, dtype=np.int8)
        mice = np.array([(self._mouse[spaces] & it).sum(axis=0, dtype=np.int8) for it in mine])
        scoring, value = self._scoring(total, tiles, weight, placer)
        points = scoring * (value + mice)
        paid = points.sum(axis=0, dtype=np.int16)
        own = (points * placer).sum(axis=0, dtype=np.int16)
        parts = points * TWELVE // np.maximum(tiles, 1)
        for at, space in enumerate(spaces):
            self.own[space] += own * is_last[at]
            self.others[space] += (paid - own) * is_last[at]
            self.part[space] += sum(part * it[at] for part, it in zip(parts, mine, strict=True))
        self.total[number], self.paid[number] = total, paid

    def _scoring(self, total: Ints, tiles: Ints, weight: Ints, placer: Ints) -> tuple[Ints, Ints]:
        """Return which teams score a line, bool[teams, games], and what it is worth without Mice, int16[games]."""
        below, above, exact = self.rules.points
        here = tiles > 0
        eligible = here | self.rules.absent_can_be_least
        most = here & (weight == np.where(here, weight, -1).max(axis=0))
        least = eligible & (weight == np.where(eligible, weight, 100).min(axis=0))
        is_below, is_above = total < self.rules.target, total > self.rules.target
        scoring = np.where(is_below, most, np.where(is_above, least, placer))
        return scoring, np.where(is_below, below, np.where(is_above, above, exact)).astype(np.int16)

    def totals(self) -> Ints:
        """Return how often lines of each kind came to each total: int64[kinds, 61]."""
        return np.array(
            [_histogram(self.total[np.equal(KIND_OF, kind)].reshape(1, -1), 0, _MOST_TOTAL)[0] for kind in range(4)]
        )

    def figures(self) -> Iterator[tuple[str, str, Ints, Ints]]:
        """Yield the figures that follow from the boards: table, column, n and y."""
        yield from self._lines()
        yield from self._payment()
        yield from self._lions()

    def _lines(self) -> Iterator[tuple[str, str, Ints, Ints]]:
        target = self.rules.target
        ends = {"below": self.total < target, "exact": self.total == target, "above": self.total > target}
        kinds: list[Ints] = [*(np.equal(KIND_OF, kind) for kind in range(4)), np.ones(len(LINES), np.bool_)]
        n = np.array([kind.sum() for kind in kinds])[:, None]
        for name, values in {**ends, "points": self.paid}.items():
            yield "lines", name, n, np.array([values[kind].sum(axis=0) for kind in kinds])

    def _payment(self) -> Iterator[tuple[str, str, Ints, Ints]]:
        kinds = [self.tile == tile for tile in range(10)]
        tiles = np.array([kind.sum(axis=0) for kind in kinds])
        for name, values in {"at once": self.own, "to others": self.others, "in the end": self.part}.items():
            yield "spaces", name, np.array(1), values
            yield "animals", name, tiles, np.array([(values * kind).sum(axis=0) for kind in kinds])

    def _lions(self) -> Iterator[tuple[str, str, Ints, Ints]]:
        lion = self.tile % 2 == 1
        groups = [np.ones(lion.shape, np.bool_), *(self.seat == seat for seat in range(self.rules.players))]
        groups += [self.tile // 2 == animal for animal in range(5)]
        turn = self.ply // self.rules.players
        groups += [turn == it for it in range(-(-_PLIES // self.rules.players))]
        n = np.array([group.sum(axis=0) for group in groups])
        yield "lions", "share", n, np.array([(group & lion).sum(axis=0) for group in groups])
