"""The likeliest strengths of players by the model of `ratings`, and how sure they are.

No other module of the arena needs NumPy, so that games can be played without waiting for it.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from savanna.arena.counted import Table

Vector: TypeAlias = NDArray[np.float64]

_LEAST_STEP = 1e-5  # in standard errors; the last step leaves an error of about the square of its length
# What may be nothing but rounding, for each game: of a likelihood's last digits, and of a difference of likelihoods.
_DIGITS, _ROUNDING = 1e-15, 1e-12
_MOST_STEPS = 100
_MOST_HALVINGS = 60


def likeliest(players: int, counted: Sequence[Table]) -> tuple[list[float], list[float]]:
    """Return the logarithms of the likeliest strengths, with mean 0, and their standard errors.

    The likelihood is concave, so Newton's method finds its maximum: in some ten steps, where the step-by-step formulas
    that are often used (Hunter, "MM algorithms for generalized Bradley-Terry models", 2004) take thousands if each
    player beats the next one every time. A step that makes things worse is halved. Steps and halvings are bounded, so
    the search ends for every input.
    """
    logs = np.zeros(players)
    # A shift of all ratings changes no probability, so the information has no inverse; what is added fixes their mean.
    shift = np.full((players, players), 1 / players)
    games = sum(table.games for table in counted)
    for _ in range(_MOST_STEPS):
        here, slope, information = _likelihood(logs, counted)
        step = np.linalg.solve(information + shift, slope)
        # The square of the step in standard errors, and twice of what it adds to the likelihood.
        is_last = slope @ step < max(_LEAST_STEP**2, games * _DIGITS)
        if not is_last:
            step = _damped(step, logs, here - games * _ROUNDING, counted)
        logs = logs + step
        logs -= logs.mean()
        if is_last:
            break
    variances = np.diag(np.linalg.inv(information + shift) - shift)
    return logs.tolist(), np.sqrt(np.maximum(variances, 0)).tolist()  # rounding may leave less than nothing


def _damped(step: Vector, logs: Vector, least: float, counted: Sequence[Table]) -> Vector:
    """Return a step, halved as often as it takes for a likelihood of at least `least`."""
    for _ in range(_MOST_HALVINGS):
        if _likelihood(logs + step, counted)[0] >= least:
            break
        step = step / 2
    return step


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
