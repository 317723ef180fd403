"""Intervals by NumPy and SciPy, in floating point, from the deals themselves: what `savanna.intervals` must come to."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import stats


class Expected(NamedTuple):
    """A figure, its error and its interval."""

    value: float
    stderr: float
    low: float
    high: float


def expected_share(deals: Iterable[tuple[float, float]]) -> Expected:
    """Return a share of deals (n, y): two more deals of the usual size are played, one is won and one is lost."""
    n, y = np.array(list(deals), float).T
    if not n.sum():
        return Expected(math.nan, math.nan, 0, 1)
    value, size = y.sum() / n.sum(), (n * n).sum() / n.sum()
    effective = n.sum() / size
    if effective < 2 - 1e-9:
        return Expected(value, math.nan, 0, 1)
    n, y = np.append(n, [size, size]), np.append(y, [size, 0])
    middle = y.sum() / n.sum()
    squares = ((y - middle * n) ** 2).sum()
    stderr = math.sqrt(squares * (effective + 2) / (effective + 1)) / n.sum()
    reach = stats.t.ppf(0.975, effective - 1) * stderr
    return Expected(value, stderr, max(0, middle - reach), min(1, middle + reach))


def expected_mean(deals: Iterable[tuple[float, float]]) -> Expected:
    """Return a mean of deals (n, y)."""
    n, y = np.array(list(deals), float).T
    if not n.sum():
        return Expected(*[math.nan] * 4)
    value, effective = y.sum() / n.sum(), n.sum() ** 2 / (n * n).sum()
    squares = ((y - value * n) ** 2).sum()
    if effective < 2 - 1e-9 or squares < 1e-9:
        return Expected(value, *[math.nan] * 3)
    stderr = math.sqrt(squares * effective / (effective - 1)) / n.sum()
    reach = stats.t.ppf(0.975, effective - 1) * stderr
    return Expected(value, stderr, value - reach, value + reach)
