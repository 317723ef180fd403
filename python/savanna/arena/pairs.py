"""How each player did against each other, with errors that take a deal as one trial."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from savanna.arena.games import PLAYED, GameRecord
from savanna.arena.schedule import Plan, opponents
from savanna.intervals import Sums, mean_of, share_of

TWELVE = 12
"""Parts of one in which shares and scores are counted: shared wins and mean scores are whole numbers of them."""


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
    the `deals`. `interval` holds the true share with 95 % confidence. It is that of Student's t after two imaginary
    deals, one won and one lost, as is `stderr`; so neither has width 0, also if the first won everything or nothing.
    What one deal cannot tell is NaN, and the interval then is 0 to 1; `margin_stderr` is NaN also if all deals came out
    alike.
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
    """What is summed up over the games of one pair; by deal, denominators and numerators of the means."""

    games: int = 0
    results: Counter[int] = field(default_factory=Counter)  # 1 for a win, 0 for a tie, -1 for a loss
    even: float = 0.0
    shares: dict[int, tuple[int, int]] = field(default_factory=lambda: defaultdict(lambda: (0, 0)))
    margins: dict[int, tuple[int, int]] = field(default_factory=lambda: defaultdict(lambda: (0, 0)))

    def add(self, game: GameRecord, first: Sequence[int], second: Sequence[int]) -> None:
        """Count a game in which the two play these teams."""
        won, other = (
            TWELVE // len(game.winners) * sum(team in game.winners for team in teams) for teams in (first, second)
        )
        self.games += 1
        self.results[(won > 0) - (other > 0)] += 1
        self.even = len(first) / (len(first) + len(second))
        all_won, first_won = self.shares[game.deal]
        self.shares[game.deal] = (all_won + won + other, first_won + won)
        games, margin = self.margins[game.deal]
        if game.reason == PLAYED:
            mine, theirs = (TWELVE // len(it) * sum(game.scores[team] for team in it) for it in (first, second))
            games, margin = games + 1, margin + mine - theirs
        self.margins[game.deal] = (games, margin)

    def result(self, first: str, second: str) -> PairResult:
        """Return what it comes to."""
        share = share_of(Sums.over(self.shares.values()))
        margin = mean_of(Sums.over(self.margins.values()), TWELVE)
        return PairResult(
            first=first,
            second=second,
            deals=len(self.shares),
            games=self.games,
            wins=self.results[1],
            ties=self.results[0],
            losses=self.results[-1],
            share=share.value,
            stderr=share.stderr,
            interval=(share.low, share.high),
            even=self.even,
            margin=margin.value,
            margin_stderr=margin.stderr,
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
