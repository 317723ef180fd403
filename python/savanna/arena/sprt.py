"""The sequential probability ratio test: whether one player is stronger than another, in as few games as possible."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Literal

from savanna.arguments import wrong_type
from savanna.errors import SavannaError

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a player can get out of a deal that is played once from each side: a half for a tie, as share of both games."""

_NONE_YET = 1e-3  # counted for an outcome that has not been seen, so that every mean can be explained


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the first player is `elo0` points stronger than the second, against H1, it is `elo1` stronger.

    `alpha` is the chance that H1 is accepted although H0 is true, `beta` that of the opposite. Raises `SavannaError`
    unless elo0 < elo1 and both chances are between 0 and a half.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            object.__setattr__(self, name, real(name, getattr(self, name)))
        # Beyond 5000 points a share is 0 or 1 for all that floating point can tell.
        if not -5000 <= self.elo0 < self.elo1 <= 5000:
            raise SavannaError(f"elo0 must be less than elo1, both -5000 to 5000, got {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise SavannaError(f"{name} must be between 0 and 0.5, got {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald, "Sequential Tests of Hypotheses", 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, counts: Mapping[float, int]) -> "SprtResult":
        """Return where the test stands, given the number of deals with each of the `OUTCOMES`."""
        lower, upper = self.bounds
        llr = log_likelihood_ratio(counts, expected_share(self.elo0), expected_share(self.elo1))
        verdict: Literal["H0", "H1", "undecided"] = "H1" if llr >= upper else "H0" if llr <= lower else "undecided"
        return SprtResult(self, llr, verdict, sum(counts.values()))


@dataclass(frozen=True)
class SprtResult:
    """Where a sequential `test` ended: its log-likelihood ratio `llr`, the `verdict`, and after how many `deals`.

    The verdict is "H0" or "H1", whichever was accepted, or "undecided" when the deals ran out before that.
    """

    test: Sprt
    llr: float
    verdict: Literal["H0", "H1", "undecided"]
    deals: int


def real(name: str, value: object) -> float:
    """Return a number as a float; a bool is a mistake. One that is too large for a float becomes infinite."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(name, "a number", value)
    try:
        return float(value)
    except OverflowError:
        return math.inf


def expected_share(elo: float) -> float:
    """Return the expected share of wins of a player who is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def log_likelihood_ratio(counts: Mapping[float, int], share0: float, share1: float) -> float:
    """Return how much likelier the outcomes of deals are if the mean is `share1` than if it is `share0`.

    How the outcomes are spread about the mean is unknown, so for each mean the likeliest distribution that has it is
    taken: the generalized test of Li, Liu and Ying, "Generalized sequential probability ratio test for separate
    families of hypotheses", 2014. One deal, not one game, is an outcome, since its games depend on each other.
    """
    weights = {outcome: counts.get(outcome, 0) or _NONE_YET for outcome in OUTCOMES}
    under0, under1 = (_slopes(weights, share) for share in (share0, share1))
    return sum(count * math.log(under0[outcome] / under1[outcome]) for outcome, count in weights.items())


def _slopes(weights: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return by what the frequency of each outcome has to be divided to get the likeliest distribution with a mean.

    It is 1 + slope * (outcome - mean), with the one slope for which the mean comes out (Owen, "Empirical Likelihood",
    2001).
    """
    low, high = 1 / (mean - max(weights)), 1 / (mean - min(weights))  # in between, all are positive
    for _ in range(60):
        slope = (low + high) / 2
        excess = sum(count * (it - mean) / (1 + slope * (it - mean)) for it, count in weights.items())
        low, high = (slope, high) if excess > 0 else (low, slope)
    return {outcome: 1 + slope * (outcome - mean) for outcome in weights}
