"""How sure a figure is that is counted over deals: standard errors and 95 % intervals that hold for few deals, too.

A figure is a ratio y / n of two sums over independent trials, which are deals: wins by games, points by tiles. The
games of one deal depend on each other, and so do the tiles of one game; deals do not. So the spread between deals tells
the error, to first order as for every ratio, and Student's t ("The probable error of a mean", 1908) allows for few.

A share gets two imaginary deals, one won and one lost, as Agresti and Coull add successes and failures ("Approximate is
better than 'exact' for interval estimation of binomial proportions", 1998). So no share is sure, even if all deals were
won or came out alike, and for many deals the interval is the usual one. `benchmarks/intervals.py` shows how often it
holds the truth.

Deals may differ in n, and a deal without a case tells nothing. So what counts as the number of deals is their effective
number, (sum of n)^2 / (sum of n^2), after Kish, "Survey Sampling", 1965: the number of deals if all have the same n.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple, Self


class Sums(NamedTuple):
    """The sums over deals of n, y, n * n, n * y and y * y, in whole numbers."""

    n: int
    y: int
    nn: int
    ny: int
    yy: int

    @classmethod
    def over(cls, deals: Iterable[tuple[int, int]]) -> Self:
        """Return the sums of deals, each given as (n, y)."""
        n = y = nn = ny = yy = 0
        for its_n, its_y in deals:
            n, y = n + its_n, y + its_y
            nn, ny, yy = nn + its_n * its_n, ny + its_n * its_y, yy + its_y * its_y
        return cls(n, y, nn, ny, yy)


class Figure(NamedTuple):
    """A figure with its standard error and the interval that holds the true one with 95 % confidence."""

    value: float
    stderr: float
    low: float
    high: float


def share_of(sums: Sums, unit: int = 1) -> Figure:
    """Return the share y / n, where y is counted in `unit` parts of one.

    The error and the interval are those of n and y with the two imaginary deals, the value is not. With less than two
    deals the error is NaN and the interval 0 to 1; the share of nothing is NaN.
    """
    n, y, nn, _, _ = sums
    if n == 0:
        return Figure(math.nan, math.nan, 0.0, 1.0)
    value = y / (n * unit)
    if n * n < 2 * nn:
        return Figure(value, math.nan, 0.0, 1.0)
    deal = Fraction(nn, n)  # n of an imaginary deal: the mean of n, each deal weighted by its own n
    middle = (Fraction(y, unit) + deal) / (n + 2 * deal)
    squares = _squares(sums, middle, unit) + (deal * middle) ** 2 + (deal * (1 - middle)) ** 2
    deals = Fraction(n * n, nn) + 2
    stderr = math.sqrt(squares * deals / (deals - 1)) / float(n + 2 * deal)
    reach = student_t(float(deals) - 3) * stderr
    return Figure(value, stderr, max(0.0, float(middle) - reach), min(1.0, float(middle) + reach))


def mean_of(sums: Sums, unit: int = 1) -> Figure:
    """Return the mean y / n of what may be any number, where y is counted in `unit` parts of one.

    The error and the interval are NaN with less than two deals, and if all deals came out alike: these do not tell how
    far another deal may lie from them. The mean of nothing is NaN.
    """
    n, y, nn, _, _ = sums
    if n == 0:
        return Figure(math.nan, math.nan, math.nan, math.nan)
    value = Fraction(y, n * unit)
    squares = _squares(sums, value, unit)
    if n * n < 2 * nn or squares == 0:
        return Figure(float(value), math.nan, math.nan, math.nan)
    deals = n * n / nn
    stderr = math.sqrt(squares * deals / (deals - 1)) / n
    reach = student_t(deals - 1) * stderr
    return Figure(float(value), stderr, float(value) - reach, float(value) + reach)


def _squares(sums: Sums, value: Fraction, unit: int) -> Fraction:
    """Return the sum over deals of the squares of y - value * n, exactly."""
    return Fraction(sums.yy, unit * unit) - 2 * value * Fraction(sums.ny, unit) + value * value * sums.nn


_SERIES = (
    ((1, 1, 0, 0, 0), 4),
    ((3, 16, 5, 0, 0), 96),
    ((-15, 17, 19, 3, 0), 384),
    ((-945, -1920, 1482, 776, 79), 92160),
)
"""How much a quantile of Student's t exceeds z, that of the normal distribution, by Fisher and Cornish, "The percentile
points of distributions having known cumulants", 1960: for each power of 1 / df the factors of z, z^3, z^5 and so on,
and a divisor."""

_MANY = 30
"""The least number of degrees of freedom for which `_SERIES` is right to eight digits."""


@lru_cache(maxsize=4096)
def student_t(df: float) -> float:
    """Return how many standard errors hold 95 % of Student's t distribution with `df` degrees of freedom, 1 or more."""
    z = NormalDist().inv_cdf(0.975)
    if df >= _MANY:
        terms = [sum(it * z ** (2 * k + 1) for k, it in enumerate(factors)) / divisor for factors, divisor in _SERIES]
        return z + sum(term / df**power for power, term in enumerate(terms, start=1))
    # Newton's method on what lies outside, which falls ever more slowly: from below, no step goes too far.
    beta = math.exp(math.lgamma(df / 2) + math.lgamma(0.5) - math.lgamma((df + 1) / 2))
    t = z
    for _ in range(50):
        step = (_outside(t, df, beta) - 0.05) / 2 * beta * math.sqrt(df) * math.pow(1 + t * t / df, (df + 1) / 2)
        t += step
        if step < 1e-12 * t:
            break
    return t


def _outside(t: float, df: float, beta: float) -> float:
    """Return the chance of more than `t` errors to either side.

    It is the regularised incomplete beta function of df / (df + t^2) at df / 2 and 1/2, here by its power series;
    `beta` is the complete function.
    """
    x, a = df / (df + t * t), df / 2
    total, term, k = 0.0, 1.0, 0
    while term > 1e-17:
        total += term / (a + k)
        k += 1
        term *= x * (k - 0.5) / k
    return total * math.pow(x, a) / beta
