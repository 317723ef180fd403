"""Ratings: how strong each player is, by all games together.

The model is that of Bradley and Terry, "Rank analysis of incomplete block designs", 1952, as extended to more than two
sides by Luce, "Individual Choice Behavior", 1959: each player has a strength, and each side at a table wins with a
probability in proportion to the strength of its player. Ratings are 400 times the decimal logarithm of the strength,
which is the scale of Elo's ratings in chess: 400 points are odds of ten to one.

The package choix fits this model, too, but needs SciPy, and knows neither shared wins, nor copies of a player at one
table, nor standard errors.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from savanna.arena.counted import Table

ELO = 400 / math.log(10)  # points for each unit of the natural logarithm of the strength


@dataclass(frozen=True)
class Rating:
    """How strong the player `name` is: `elo` points above the mean of all, give or take the standard error `stderr`.

    `games` is how many it played, `win_share` the mean of its wins, a win shared among k teams counting 1/k.
    """

    name: str
    elo: float
    stderr: float
    games: int
    win_share: float


def rate(names: Sequence[str], played: Sequence[Table]) -> tuple[Rating, ...]:
    """Return the ratings, best first.

    Each two players are taken to have tied one game more than they played, so that nobody is infinitely strong and all
    are connected. The errors are those of the maximum of the likelihood with all games independent: they come from its
    curvature, and are those of a rating against the mean of all. Games of one deal are not quite independent, and since
    a deal's luck is shared out by changing seats, true errors tend to be smaller. For few games, or for a player who
    won all or nothing, they are rough; what holds for few deals, too, is `PairResult.interval`.
    """
    from savanna.arena.likelihood import likeliest  # here, since NumPy comes with it

    ties = [Table({one: 1, other: 1}, 1, {one: 0.5, other: 0.5}) for other in range(len(names)) for one in range(other)]
    logs, errors = likeliest(len(names), [*played, *ties])
    games, wins = [0.0] * len(names), [0.0] * len(names)
    for table in played:
        for player, won in table.wins.items():
            games[player] += table.games
            wins[player] += won
    ratings = [
        Rating(name, ELO * logs[i], ELO * errors[i], int(games[i]), wins[i] / games[i] if games[i] else math.nan)
        for i, name in enumerate(names)
    ]
    return tuple(sorted(ratings, key=lambda rating: -rating.elo))
