"""How each player did against each other, with errors that take a deal as one trial."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from savanna.arena.games import PLAYED, GameRecord
from savanna.arena.schedule import Plan, opponents

Z95 = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations of its mean."""


@dataclass(frozen=True)
class PairResult:
    """How one player did against another in the games in which both took part.

    At a table of copies `first` sits alone against copies of `second`; at any other, each has one side. A game is one
    of the `wins` if the first won and the second did not, of the `losses` the other way round, else of the `ties`.
    `share` is the first one's part of what the two won together, a win shared among k teams counting 1/k; `even` is
    what it is for equals. `margin` is by how much the first one's score was above that of the second (the mean of its
    copies), in games that were played to the end.

    Every deal is played once in every order, so neither the seat nor the luck of the deal favours anybody; what varies
    by chance is the outcome of a deal as a whole. So the standard errors, `stderr` and `margin_stderr`, are taken over
    the `deals`. `interval` holds the true share with 95 % confidence: it reaches 1.96 errors to either side, or if the
    first won everything or nothing, as far as the binomial law of so many deals. What one deal cannot tell is NaN, and
    the interval then is 0 to 1.
    """

    first: str
    second: str
    deals: int
    games: int
    wins: int
    ties: int
    losses: int
    share: float
    stderr: float
    interval: tuple[float, float]
    even: float
    margin: float
    margin_stderr: float


@dataclass
class _Sums:
    """What is summed up over the games of one pair; by deal, numerators and denominators of the means."""

    games: int = 0
    results: Counter[int] = field(default_factory=Counter)  # 1 for a win, 0 for a tie, -1 for a loss
    even: float = 0.0
    shares: dict[int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    margins: dict[int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))

    def add(self, game: GameRecord, first: Sequence[int], second: Sequence[int]) -> None:
        """Count a game in which the two play these teams."""
        wins = [sum(team in game.winners for team in teams) / len(game.winners) for teams in (first, second)]
        self.games += 1
        self.results[(wins[0] > 0) - (wins[1] > 0)] += 1
        self.even = len(first) / (len(first) + len(second))
        _add(self.shares[game.deal], wins[0], sum(wins))
        scores = [sum(game.scores[team] for team in teams) / len(teams) for teams in (first, second)]
        played = game.reason == PLAYED
        _add(self.margins[game.deal], (scores[0] - scores[1]) * played, played)

    def result(self, first: str, second: str) -> PairResult:
        """Return what it comes to."""
        share, stderr = ratio(self.shares.values())
        margin, margin_stderr = ratio(self.margins.values())
        return PairResult(
            first=first,
            second=second,
            deals=len(self.shares),
            games=self.games,
            wins=self.results[1],
            ties=self.results[0],
            losses=self.results[-1],
            share=share,
            stderr=stderr,
            interval=interval(share, stderr, len(self.shares)),
            even=self.even,
            margin=margin,
            margin_stderr=margin_stderr,
        )


def pair_results(plan: Plan, games: Iterable[GameRecord]) -> tuple[PairResult, ...]:
    """Return the results of all pairs, given the games in their order."""
    sums: dict[tuple[int, int], _Sums] = defaultdict(_Sums)
    for number, game in enumerate(games):
        players = plan.by_team(number)
        for pair in opponents(players):
            teams = [[team for team, player in enumerate(players) if player == it] for it in pair]
            sums[pair].add(game, *teams)
    return tuple(sums[first, second].result(plan.names[first], plan.names[second]) for first, second in sorted(sums))


def _add(sums: list[float], numerator: float, denominator: float) -> None:
    """Add to the two parts of a ratio."""
    sums[0] += numerator
    sums[1] += denominator


def ratio(parts: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return the ratio of two sums over independent trials, and its standard error to first order.

    If all denominators are equal, that is the mean and its usual standard error. What is unknown is NaN.
    """
    trials = list(parts)
    numerator, denominator = (sum(column) for column in zip(*trials, strict=True))
    if denominator == 0:
        return math.nan, math.nan
    value = numerator / denominator
    if len(trials) < 2:
        return value, math.nan
    squares = sum((top - value * bottom) ** 2 for top, bottom in trials)
    return value, math.sqrt(squares * len(trials) / (len(trials) - 1)) / denominator


def interval(share: float, stderr: float, deals: int) -> tuple[float, float]:
    """Return the interval that holds the true share with 95 % confidence."""
    if math.isnan(stderr):
        return 0.0, 1.0
    if share in (0.0, 1.0):  # so many deals without exception: Clopper and Pearson, 1934
        least = 0.025 ** (1 / deals)
        return (least, 1.0) if share else (0.0, 1 - least)
    return max(0.0, share - Z95 * stderr), min(1.0, share + Z95 * stderr)
