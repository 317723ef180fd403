"""From whole numbers to figures with intervals."""

import math
from typing import NamedTuple

from savanna.intervals import Sums, mean_of, share_of
from savanna.studies.tally import Ints


class Estimate(NamedTuple):
    """A figure: its `value`, and `low` and `high`, between which the true one lies with 95 % confidence.

    `cases` is of how many it is the mean: games, lines or tiles. What these cannot tell is NaN: the interval of a mean
    of less than two games, or of games that all came to the same. The interval of a share is 0 to 1 then, or as wide as
    two imaginary games make it, one with the share 1 and one with 0.
    """

    value: float
    low: float
    high: float
    cases: int

    @property
    def error(self) -> float:
        """How far the interval reaches from the value, to the farther side."""
        return max(self.high - self.value, self.value - self.low)


def estimate(sums: Ints, unit: int, is_share: bool) -> Estimate:
    """Return the figure of five sums over independent deals, counted in `unit` parts of one.

    A deal is one trial, so the interval is true for tiles, too, of which several belong to one game.
    """
    five = Sums(*(int(it) for it in sums))
    if five.n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    figure = share_of(five, unit) if is_share else mean_of(five, unit)
    return Estimate(figure.value, figure.low, figure.high, five.n)
