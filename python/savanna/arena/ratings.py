"""Ratings: how strong each player is, by all games together.

The model is that of Bradley and Terry, "Rank analysis of incomplete block designs", 1952, as extended to more than two
sides by Luce, "Individual Choice Behavior", 1959: each player has a strength, and each side at a table wins with a
probability in proportion to the strength of its player. Ratings are 400 times the decimal logarithm of the strength,
which is the scale of Elo's ratings in chess: 400 points are odds of ten to one.

The package choix fits this model, too, but needs SciPy, and knows neither shared wins, nor copies of a player at one
table, nor standard errors.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]

ELO = 400 / math.log(10)  # points for each unit of the natural logarithm of the strength

_LEAST_STEP = 1e-6  # the last step but one leaves an error of about the square of its length
_ROUNDING = 1e-12  # a relative difference of likelihoods that may be nothing but rounding


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


@dataclass
class Table:
    """All games in which the same players sat: how often each plays a side, how many games, and each one's wins."""

    sides: dict[int, int]
    games: float
    wins: dict[int, float]


def tables(games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Table]:
    """Count games, each given by the players and the winners by team (several if they share the win)."""
    found: dict[tuple[int, ...], Table] = {}
    for players, winners in games:
        key = tuple(sorted(players))
        if key not in found:
            found[key] = Table({player: key.count(player) for player in key}, 0, dict.fromkeys(key, 0.0))
        found[key].games += 1
        for team in winners:
            found[key].wins[players[team]] += 1 / len(winners)
    return list(found.values())


def rate(names: Sequence[str], played: Sequence[Table]) -> tuple[Rating, ...]:
    """Return the ratings, best first.

    Each two players are taken to have tied one game more than they played, so that nobody is infinitely strong. The
    errors are those of the maximum of the likelihood with all games independent; games of one deal are not quite so,
    and since a deal's luck is shared out by changing seats, true errors tend to be smaller.
    """
    ties = [Table({one: 1, other: 1}, 1, {one: 0.5, other: 0.5}) for other in range(len(names)) for one in range(other)]
    logs, errors = _likeliest(len(names), [*played, *ties])
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


def _likeliest(players: int, counted: Sequence[Table]) -> tuple[list[float], list[float]]:
    """Return the logarithms of the likeliest strengths, with mean 0, and their standard errors.

    The likelihood is concave, so Newton's method finds its maximum: in some ten steps, where the step-by-step formulas
    that are often used (Hunter, "MM algorithms for generalized Bradley-Terry models", 2004) take thousands if each
    player beats the next one every time. A step that makes things worse is halved.
    """
    logs = np.zeros(players)
    # A shift of all ratings changes no probability, so the information has no inverse; what is added fixes their mean.
    shift = np.full((players, players), 1 / players)
    while True:
        here, slope, information = _likelihood(logs, counted)
        step = np.linalg.solve(information + shift, slope)
        if np.abs(step).max() < _LEAST_STEP:
            logs = logs + step
            errors = np.sqrt(np.diag(np.linalg.inv(information + shift) - shift))
            return logs.tolist(), errors.tolist()
        while _likelihood(logs + step, counted)[0] < here - abs(here) * _ROUNDING:
            step /= 2
        logs = logs + step
        logs -= logs.mean()


def _likelihood(logs: Vector, counted: Sequence[Table]) -> tuple[float, Vector, NDArray[np.float64]]:
    """Return the logarithm of the likelihood, its derivatives, and its second derivatives with the sign changed."""
    value, slope = 0.0, np.zeros(len(logs))
    information = np.zeros((len(logs), len(logs)))
    for table in counted:
        here = np.array(list(table.sides))
        wins = np.array(list(table.wins.values()))
        weights = np.log(list(table.sides.values())) + logs[here]
        total = np.logaddexp.reduce(weights)
        shares = np.exp(weights - total)
        value += float(wins @ (logs[here] - total))
        slope[here] += wins - table.games * shares
        information[np.ix_(here, here)] += table.games * (np.diag(shares) - np.outer(shares, shares))
    return value, slope, information
