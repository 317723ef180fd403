"""Intervals over deals: against SciPy, hand calculations, and every outcome of few deals, weighed by its chance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import intervals as program
from savanna.intervals import Sums, mean_of, share_of, student_t
from tests.support.expected_intervals import expected_mean, expected_share
from tests.support.full import count, is_full

LEAST = 0.93
"""95 % within two points."""


# Against other ways of computing


def test_quantiles_are_those_of_student() -> None:
    for df in [*np.linspace(1, 40, 118), 29.999, 30, 100, 1e4, 1e9]:
        assert student_t(df) == pytest.approx(stats.t.ppf(0.975, df), rel=2e-8)
    assert student_t(1) == pytest.approx(math.tan(0.475 * math.pi), rel=1e-10)  # Cauchy's distribution


@given(
    st.lists(st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), min_size=1, max_size=60),
    st.sampled_from([1, 12]),
)
def test_figures_are_those_of_deals_written_down(deals: list[tuple[int, int]], unit: int) -> None:
    """A unit that is no whole number of parts is counted in parts."""
    sums = Sums.over((n, unit * y) for n, y in deals)
    assert share_of(sums, unit) == pytest.approx(expected_share(deals), rel=1e-7, abs=1e-9, nan_ok=True)
    assert mean_of(sums, unit) == pytest.approx(expected_mean(deals), rel=1e-7, abs=1e-9, nan_ok=True)
    share = share_of(sums, unit)
    assert 0 <= share.low <= share.high <= 1
    assert not share.low > share.value
    assert not share.high < share.value


def test_two_deals_by_hand() -> None:
    """Both are won: with one more won and one lost that is 3/4, and the error sqrt(3/4 * 1/4 / 3)."""
    won = share_of(Sums.over([(2, 2), (2, 2)]))
    assert won == pytest.approx((1, 1 / 4, 0, 1))  # Student's t of one degree of freedom is 12.7
    # Scores of 3 and 5: mean 4, deviation sqrt(2), error 1.
    assert mean_of(Sums.over([(1, 3), (1, 5)])) == pytest.approx((4, 1, 4 - 12.7062, 4 + 12.7062), rel=1e-5)


def test_twenty_deals_without_exception_leave_a_doubt() -> None:
    won = share_of(Sums.over([(2, 2)] * 20))
    assert (won.value, won.high) == (1, 1)
    assert 0.85 < won.low < 0.9
    even = share_of(Sums.over([(2, 1)] * 20))
    assert even.low < 0.44
    assert even.high == pytest.approx(1 - even.low)


def test_what_deals_cannot_tell_is_not_a_number() -> None:
    for nothing in (share_of(Sums.over([])), share_of(Sums.over([(0, 0), (0, 0)]))):
        assert [math.isnan(it) for it in nothing] == [True, True, False, False]
        assert nothing[2:] == (0, 1)
    for one in ([(7, 3)], [(7, 3), (0, 0)], [(7, 3), (1, 1)]):  # deals of hardly any case tell hardly anything
        assert math.isnan(share_of(Sums.over(one)).stderr)
        assert share_of(Sums.over(one))[2:] == (0, 1)
        assert all(map(math.isnan, mean_of(Sums.over(one))[1:]))
    alike = mean_of(Sums.over([(1, 8)] * 1000))
    assert alike.value == 8
    assert all(map(math.isnan, alike[1:]))


# Coverage


@pytest.mark.parametrize("law", program.LAWS)
def test_shares_of_few_deals_hold_the_truth(law: str) -> None:
    for deals in range(2, 51) if is_full() else program.DEALS:
        for share in program.SHARES:
            its_law = program.LAWS[law](share)
            assert program.share(its_law) == pytest.approx(share)
            assert program.coverage(deals, its_law) >= LEAST, (deals, share)


def test_the_former_interval_would_be_found_out() -> None:
    assert program.coverage(2, program.opposite(0.55), program.former) < 0.25
    assert program.coverage(50, program.equal(0.9), program.former) < LEAST
    certain = program.coverage(5, program.independent(0.7), lambda _: (0, 1))
    assert certain == pytest.approx(1)  # no outcome is left out


def test_resampled_deals_of_a_tournament_hold_its_share() -> None:
    law = program.played(deals=100)
    assert 0.6 < program.share(law) < 0.95
    for deals in (2, 3, 4, 5, 7, 10, 15, 20):
        assert program.coverage(deals, law) >= LEAST, deals


@pytest.mark.parametrize("depend", [False, True])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_shares_of_deals_of_different_sizes_hold_the_truth(share: float, depend: bool) -> None:
    """Lions among the tiles of a kind, of which a game has none to four; those of a game lie alike, or not."""
    rng, runs = np.random.default_rng(5), count(300, 3000)
    for deals, often in ((5, 0.2), (20, 0.05), (20, 0.5), (50, 0.2)):
        held = 0
        for _ in range(runs):
            n = rng.binomial(4, often, deals)
            y = n * rng.binomial(1, share, deals) if depend else rng.binomial(n, share)
            low, high = share_of(Sums.over((int(a), int(b)) for a, b in zip(n, y, strict=True)))[2:]
            held += low <= share <= high
        assert held / runs >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize("deals", [2, 5, 20])
def test_means_of_few_deals_hold_the_truth(deals: int) -> None:
    """Margins of two dice games each: bell-shaped as real ones are."""
    rng, runs, held = np.random.default_rng(deals), count(1000, 10_000), 0
    for _ in range(runs):
        margins = rng.integers(1, 7, (deals, 6)).sum(axis=1) - rng.integers(1, 7, (deals, 6)).sum(axis=1)
        low, high = mean_of(Sums.over((2, 2 * int(margin)) for margin in margins))[2:]
        held += math.isnan(low) or low <= 0 <= high
    assert held / runs >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / runs)
