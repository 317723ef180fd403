"""Backends: all play the very same games as the scalar one, and those games follow the law of chance."""

import os
import platform
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

import savanna as sv
from savanna import reference as ref
from savanna.types import Backend
from tests.support.full import count
from tests.support.strategies import seeds, sources

pytestmark = pytest.mark.thin(4)

ALL = ("avx512", "avx2", "sse2", "portable", "scalar")
BEST = sv.backends()[0]
# With --full, about two seconds' worth on one core.
FULL = {"avx512": 100_000_000, "avx2": 100_000_000, "sse2": 50_000_000, "portable": 20_000_000}.get(BEST, 5_000_000)
GAMES = count(FULL // 5, FULL)
P_VALUE = 1e-4


def every(*names: str) -> list[Any]:
    """Return a parameter for each backend; those that this processor lacks are reported by name."""
    missing = [name for name in names if name not in sv.backends()]
    skip = {name: [pytest.mark.skip(reason=f"this processor has no {name}")] for name in missing}
    return [pytest.param(name, marks=skip.get(name, [])) for name in names]


# ---------------------------------------------------------------------------------------------------- which there are


def test_backends_are_listed_best_first_and_two_run_everywhere() -> None:
    assert sv.backends() == tuple(name for name in ALL if name in sv.backends())
    assert {"portable", "scalar"} <= set(sv.backends())
    if platform.machine() in ("x86_64", "AMD64"):
        assert "sse2" in sv.backends()
    else:
        assert set(sv.backends()) == {"portable", "scalar"}


def test_backends_are_those_that_the_processor_can_run() -> None:
    """Linux tells in a file what the processor can do; where there is no such file, nothing is compared."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() and platform.machine() == "x86_64" else []
    for flags in {line.partition(":")[2] for line in lines if line.startswith("flags")}:
        has = set(flags.split())
        needs = {"avx512": {"avx512f", "avx512bw"}, "avx2": {"avx2"}}
        for name, needed in needs.items():
            assert (name in sv.backends()) == (needed | {"popcnt", "bmi1", "abm"} <= has)


# -------------------------------------------------------------------------------------------------------- equal games


GAME_COUNTS = st.integers(1, 400) | st.sampled_from((63, 64, 65, 16_383, 16_385, 20_000))


@pytest.mark.parametrize("backend", every(*ALL[:-1]))
@given(source=sources(), games=GAME_COUNTS, seed=seeds, threads=st.integers(1, 4))
@example(source=sv.Rules(), games=1, seed=0, threads=1)
@example(source=sv.Rules(points=(100, 100, 100), target=0, last_seat_bonus=100), games=400, seed=1, threads=2)
def test_every_backend_plays_the_games_of_the_scalar_one(
    backend: Backend, source: sv.Rules | sv.Position | sv.View, games: int, seed: int, threads: int
) -> None:
    expected = sv.rollout(source, games, seed=seed, threads=1, backend="scalar")
    stats = sv.rollout(source, games, seed=seed, threads=threads, backend=backend)
    assert (expected.backend, stats.backend) == ("scalar", backend)
    assert stats == expected
    assert stats.to_dict() == expected.to_dict()
    assert stats.games == games == stats.score_histogram[0].sum()


# ----------------------------------------------------------------------------------------------------------- extremes

FIFTEENS = dict.fromkeys(("monkey", "zebra", "giraffe", "elephant", "mouse", "lion"), 15)
NOUGHTS = dict.fromkeys(FIFTEENS, 0)
EXTREMES: dict[str, dict[str, Any]] = {
    "points 100": {"points": (100, 100, 100), "last_seat_bonus": 100},
    "scores around 255": {"points": (14, 14, 14), "last_seat_bonus": 100},
    "points 100 in teams": {"players": 4, "team_game": True, "target": 8, "points": (100, 100, 100)},
    "points 0": {"points": (0, 0, 0), "mice": True, "players": 3},
    "influence 15": {"players": 3, "influence": FIFTEENS, "target": 60},
    "influence 15, absent": {"players": 4, "influence": FIFTEENS, "absent_can_be_least": True},
    "influence 0": {"players": 2, "influence": NOUGHTS, "target": 0, "absent_can_be_least": True},
    "20 mice": {"mice": True, "deck": {"mouse": 20}},
    "20 strong mice": {"mice": True, "deck": {"mouse": 20}, "influence": FIFTEENS, "target": 60, "points": (0, 0, 100)},
    "20 elephants": {"players": 3, "deck": {"elephant": 20}, "target": 20},
    "target 0": {"mice": True, "target": 0},
    "target 100": {"players": 4, "target": 100},
}


@cache
def counted_by_the_reference(name: str, games: int) -> dict[str, Any]:
    """Replay written games in plain Python; return what they come to."""
    rules = sv.Rules(**EXTREMES[name])
    plays, lines, scores = sv.playouts(rules, games, seed=5), Counter[str](), []
    shares = np.zeros(rules.teams)
    for game in range(games):
        decks = [[ref.ANIMALS[animal] for animal in deck] for deck in plays.decks[game]]
        position = ref.Position.from_decks(ref.Rules(**EXTREMES[name]), decks)
        for action in plays.actions[game]:
            move = ref.Move.from_action(action)
            for line in position.lines_filled(move):
                total = line.total - rules.target
                lines["below" if total < 0 else "above" if total > 0 else "exact"] += 1
            position = position.play(move)
        scores.append(position.scores)
        shares[list(position.winners)] += 1 / len(position.winners)
    return {"scores": np.array(scores), "shares": shares / games, "lines": lines}


@pytest.mark.parametrize("backend", every(*ALL))
@pytest.mark.parametrize("name", EXTREMES)
def test_extreme_rules_are_scored_as_the_reference_scores_them(name: str, backend: Backend) -> None:
    games = 70  # more than a round of 64
    stats, expected = (
        sv.rollout(sv.Rules(**EXTREMES[name]), games, seed=5, threads=1, backend=backend),
        counted_by_the_reference(name, games),
    )
    for team, histogram in enumerate(stats.score_histogram):
        assert np.array_equal(histogram, np.bincount(expected["scores"][:, team], minlength=len(histogram)))
    np.testing.assert_allclose(stats.win_share, expected["shares"], rtol=1e-12)
    lines = expected["lines"]
    assert (stats.lines_below, stats.lines_exact, stats.lines_above) == (lines["below"], lines["exact"], lines["above"])
    assert lines.total() == 20 * games


# ------------------------------------------------------------------------------------------------------- how to choose

CHOOSE = """
import savanna as sv
rules = sv.Rules()
position = sv.Position.deal(rules, 1)
print(sv.rollout(rules, 100).backend, sv.rollout_many([rules], 100)[0].backend)
print(sv.rank_moves(position, 1)[0].stats.backend, sv.rollout(rules, 100, backend="portable").backend)
print(sv.rollout(rules, 20_000, seed=7).to_dict())
"""
REFUSED = """
import savanna as sv
rules = sv.Rules()
position = sv.Position.deal(rules, 1)
calls = {sv.rollout: rules, sv.rollout_many: [rules], sv.rank_moves: position, sv.playouts: rules}
for function, source in calls.items():
    try:
        function(source, 10)
    except sv.SavannaError as error:
        print(error)
    function(source, 10, backend="scalar")
"""

REFUSED_BESIDE = """
import savanna as sv
from savanna.envs import BatchEnv
view = sv.Position.deal(sv.Rules(), 1).view(0)
champion = sv.players.Champion(10)
for call in (lambda: BatchEnv(2), lambda: champion.choose(view), lambda: sv.analyse(view, iterations=10)):
    try:
        call()
    except sv.SavannaError as error:
        print(error)
"""


def with_variable(value: str | bytes | None, program: str) -> list[str]:
    """Run a program where SAVANNA_BACKEND has this value, or none; return the lines that it prints."""
    environment: dict[Any, Any] = {name: it for name, it in os.environ.items() if name != "SAVANNA_BACKEND"}
    environment |= {} if value is None else {"SAVANNA_BACKEND": value}
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return result.stdout.splitlines()


@pytest.mark.parametrize("backend", [*every(*ALL), "", None])
def test_the_environment_variable_chooses_the_backend(backend: Backend | None) -> None:
    chosen = backend or BEST
    stats = sv.rollout(sv.Rules(), 20_000, seed=7, backend="scalar")
    expected = [f"{chosen} {chosen}", f"{chosen} portable", str(stats.to_dict())]
    assert with_variable(backend, CHOOSE) == expected


NAMES = ", ".join(sv.backends())
UNKNOWN = ["abacus", "Scalar", "scalar ", " ", *(name for name in ALL if name not in sv.backends())]


@pytest.mark.parametrize("backend", UNKNOWN)
def test_an_unknown_backend_is_an_error_that_names_the_choices(backend: Backend) -> None:
    text = f"backend must be one of {NAMES}, got {backend!r}"
    assert with_variable(backend, REFUSED) == [text.replace("backend", "SAVANNA_BACKEND", 1)] * 4
    with pytest.raises(sv.SavannaError) as caught:
        sv.rollout(sv.Rules(), 10, backend=backend)
    assert str(caught.value) == text


def test_players_and_batches_of_games_ask_the_variable_too() -> None:
    text = f"SAVANNA_BACKEND must be one of {NAMES}, got 'abacus'"
    assert with_variable("abacus", REFUSED_BESIDE) == [text] * 3


def test_a_variable_that_is_no_text_is_an_error_too() -> None:
    lines = with_variable(b"\xff", REFUSED)
    assert len(lines) == 4
    assert all(line.startswith(f"SAVANNA_BACKEND must be one of {NAMES}, got ") for line in lines)


# ----------------------------------------------------------------------------------------------------- law of chance


def test_games_of_two_agree_with_an_independent_program() -> None:
    """The other program's 16.8 million games; the figures are rounded to the last digit that is given."""
    stats = sv.rollout(sv.Rules(), GAMES, seed=1, backend=BEST)
    mean, sd, share = np.array([11.501, 11.685]), np.array([3.031, 3.095]), np.array([0.4881, 0.5119])
    both = (1 / GAMES + 1 / 16.8e6) ** 0.5
    assert np.all(abs(stats.mean_score - mean) < 4 * sd * both + 0.0005)
    assert np.all(abs(stats.win_share - share) < 4 * 0.5 * both + 0.00005)
    # The standard error of a standard deviation is sd / sqrt(2 n) for scores that are nearly normal.
    assert np.all(abs(stats.score_sd - sd) < 4 * sd * both / 2**0.5 * 1.1 + 0.0005)
    # Lines of a game at exactly ten have a standard deviation of 0.87.
    assert abs(stats.exact_tens - 0.7208) < 4 * 0.87 * both + 0.00005
    assert stats.lines_below + stats.lines_exact + stats.lines_above == 20 * stats.games


@pytest.mark.rare
def test_the_first_space_and_the_first_face_are_uniform() -> None:
    counts = np.zeros(40, dtype=np.int64)
    plays = sv.playouts(sv.Rules(), games=500_000, seed=0)
    for seed in range(1, 5):
        plays = sv.playouts(sv.Rules(), games=500_000, seed=seed, out=plays)
        first = plays.actions[:, 0].astype(np.int64)
        counts += np.bincount(first % 20 * 2 + first // 20 % 2, minlength=40)
    assert counts.sum() == 2_000_000
    assert chisquare(counts).pvalue > P_VALUE


LAWFUL: dict[str, dict[str, Any]] = {
    "3": {"players": 3},
    "4": {"players": 4},
    "teams": {"players": 4, "team_game": True},
    "2 mice": {"mice": True},
    "3 mice": {"players": 3, "mice": True},
    "4 mice": {"players": 4, "mice": True},
    "teams mice": {"players": 4, "team_game": True, "mice": True},
    "absent": {"players": 3, "absent_can_be_least": True},
    "odd influence": {"influence": {"monkey": 0, "zebra": 1, "giraffe": 2, "lion": 4}},
    "odd deck": {"players": 4, "mice": True, "deck": {"zebra": 9, "giraffe": 4, "mouse": 3}, "points": (0, 4, 7)},
}


def in_bins(law: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the number of each score's bin: neighbouring scores go together until ten games of each are expected."""
    bins, number, filled = np.zeros(len(law), dtype=np.int64), 0, 0.0
    for score, games in enumerate(law):
        bins[score], filled = number, filled + games
        if filled >= 10:
            number, filled = number + 1, 0.0
    bins[bins == number] = number - 1  # what is left over
    return bins


@pytest.mark.parametrize("name", LAWFUL)
def test_scores_are_distributed_as_in_random_games_of_the_reference(name: str) -> None:
    games, rng, rules = count(800, 2000), random.Random(name), ref.Rules(**LAWFUL[name])
    ends = [ref.random_playout(ref.Position.deal(rules, rng.getrandbits(64)), rng) for _ in range(games)]
    stats = sv.rollout(sv.Rules(**LAWFUL[name]), games=GAMES // 20, seed=2, backend=BEST)
    for team, histogram in enumerate(stats.score_histogram):
        law = histogram / stats.games * games
        counts, bins = np.bincount([end.scores[team] for end in ends], minlength=len(law)), in_bins(law)
        expected = np.bincount(bins, weights=law)
        assert len(expected) >= 8
        assert min(expected) >= 10
        assert chisquare(np.bincount(bins, weights=counts), expected).pvalue > P_VALUE
