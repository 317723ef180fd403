"""Whether a rival plays the same game: the distribution of its outcomes is compared with that of `savanna.rollout`."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import savanna
from rivals import Outcomes

LEAST_P = 1e-4
FEWEST = 10  # games in a class of scores; the rarest scores are counted together


@dataclass(frozen=True)
class Check:
    """The p-values of a rival's sample."""

    games: int
    score0: float
    score1: float
    win_share: float
    tens: float

    @property
    def passed(self) -> bool:
        """Whether chance explains all differences."""
        return min(self.score0, self.score1, self.win_share, self.tens) > LEAST_P


def same_scores(scores: NDArray[np.uint8], expected: NDArray[np.int64]) -> float:
    """Return the p-value of the chi-square test that both samples of scores come from one distribution."""
    table = np.array([np.bincount(scores, minlength=len(expected)), expected])
    if len(table[0]) > len(expected):
        return 0.0
    share = table.sum(axis=0) * (len(scores) / table.sum())
    common = share >= FEWEST
    classes = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    return float(stats.chi2_contingency(classes[:, classes.sum(axis=0) > 0]).pvalue)


def same_mean(values: NDArray[np.float64], mean: float, games: int) -> float:
    """Return the p-value of the test that the values have the mean of other games."""
    error = values.std() * np.sqrt(1 / len(values) + 1 / games)
    return float(2 * stats.norm.sf(abs(values.mean() - mean) / error))


def check(outcomes: Outcomes, expected: savanna.Stats) -> Check:
    """Compare a rival's games with the statistics of many others."""
    score0, score1, lions0, lions1, tens = outcomes.astype(np.int64)
    margin = np.where(score0 != score1, score0 - score1, lions1 - lions0)
    wins = (np.sign(margin) + 1) / 2
    return Check(
        games=outcomes.shape[1],
        score0=same_scores(outcomes[0], expected.score_histogram[0]),
        score1=same_scores(outcomes[1], expected.score_histogram[1]),
        win_share=same_mean(wins, float(expected.win_share[0]), expected.games),
        tens=same_mean(tens.astype(np.float64), expected.exact_tens, expected.games),
    )
