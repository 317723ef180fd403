"""From whole numbers to figures with errors."""

import math
from typing import NamedTuple

from savanna.arena.pairs import Z95, interval
from savanna.studies.tally import Ints


class Estimate(NamedTuple):
    """A figure: its `value`, and `low` and `high`, between which the true one lies with 95 % confidence.

    `cases` is of how many it is the mean: games, lines or tiles. What so few games cannot tell is NaN.
    """

    value: float
    low: float
    high: float
    cases: int

    @property
    def error(self) -> float:
        """How far the interval reaches from the value, to the farther side."""
        return max(self.high - self.value, self.value - self.low)


def estimate(sums: Ints, deals: int, unit: int, is_share: bool) -> Estimate:
    """Return the figure of five sums over independent deals, counted in `unit` parts of one.

    The error is that of a ratio of two sums, to first order, with a deal as one trial; so it is true for tiles, too,
    of which several belong to one game. A share without any exception has the interval of the binomial law.
    """
    n, y, nn, ny, yy = (int(it) for it in sums)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    value = y / n
    stderr = math.nan
    if deals > 1:
        # In whole numbers until the end: n * n times the sum of the squares of y - value * n.
        squares = n * n * yy - 2 * n * y * ny + y * y * nn
        stderr = math.sqrt(squares * deals / (deals - 1)) / n / n
    value, stderr = value / unit, stderr / unit
    low, high = interval(value, stderr, deals) if is_share else (value - Z95 * stderr, value + Z95 * stderr)
    return Estimate(value, low, high, n)
