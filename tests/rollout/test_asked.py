"""What can be asked instead of tried: names, bounds, and whether arguments are good."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import _core, reference
from savanna.envs import BatchEnv
from tests.support.both_engines import random_game

RULES = [
    sv.Rules(),
    sv.Rules(mice=True),
    sv.Rules(players=3, mice=True),
    sv.Rules(players=4, team_game=True, mice=True, deck={"mouse": 12, "monkey": 2}),
    sv.Rules(players=2, mice=True, deck={"mouse": 20}),
    sv.Rules(points=(0, 0, 0), last_seat_bonus=100),
    sv.Rules(points=(7, 100, 99)),
]


def test_names_are_those_of_the_plain_engine() -> None:
    assert set(sv.ANIMALS) == set(reference.Rules().deck)
    assert [sv.Move(animal, face, "a5").action // 20 for animal in sv.ANIMALS for face in sv.FACES] == list(range(10))
    assert sv.FACES == ("front", "lion")
    assert sv.ACTIONS == len(sv.ANIMALS) * len(sv.FACES) * len(sv.SPACES) == 200
    assert sv.POLICIES == ("uniform", "soft-greedy", "keen-greedy")
    assert sv.OBJECTIVES == ("win", "margin")
    assert (_core.MAX_GAMES, _core.MAX_THREADS) == (2**53, 1024)


# By hand: 20 lines at the best rate, each Mouse of a team (20 spaces at most) in four lines, and the bonus.
@pytest.mark.parametrize(("rules", "most"), list(zip(RULES, [60, 64, 66, 140, 140, 100, 2000], strict=True)))
def test_no_score_is_above_the_bound(rules: sv.Rules, most: int) -> None:
    assert rules.max_score == most == reference.Rules.parse(str(rules)).max_score
    stats = sv.rollout(rules, 2000)
    assert stats.score_histogram.shape == (rules.teams, most + 1)
    assert sv.playouts(rules, 2000).scores.max() <= most


WRONG: list[dict[str, Any]] = [
    {"games": 0},
    {"games": 2**53 + 1},
    {"games": 1.5},
    {"games": 2**53, "first": sv.BATCH},
    {"seed": -1},
    {"seed": "x"},
    {"threads": 0},
    {"threads": 1025},
    {"backend": "fast"},
    {"backend": 3},
    {"policy": "greedy"},
    {"policy": None},
    {"first": 1},
    {"source": "2p"},
    {"source": None},
]


def said(call: Callable[..., object], *args: Any, **options: Any) -> tuple[type[BaseException], str]:
    with pytest.raises((sv.SavannaError, TypeError)) as caught:
        call(*args, **options)
    return caught.type, str(caught.value)


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_checks_refuse_what_a_rollout_refuses(wrong: dict[str, Any]) -> None:
    options = {"source": sv.Rules(), "games": 10} | wrong
    assert said(_core.check_rollout, **options) == said(sv.rollout, **options)


def test_a_check_plays_nothing() -> None:
    start = time.perf_counter()
    for policy in sv.POLICIES:
        for source in (sv.Rules(), sv.Position.deal(sv.Rules(), 1), sv.Position.deal(sv.Rules(), 1).view(0)):
            _core.check_rollout(source, 2**53, seed=None, threads=1024, backend="scalar", policy=policy)
    assert time.perf_counter() - start < 1


def test_moves_to_rank_are_those_that_are_ranked() -> None:
    game = random_game(sv.Position.deal(sv.Rules(players=3), 2), 2)
    for source in (game[12], game[12].view(0)):
        assert _core.moves_to_rank(source) == sorted(row.move for row in sv.rank_moves(source, 1))
    for wrong in (game[20], game[20].view(0), game[12].view(1), sv.Rules(), None):
        assert said(_core.moves_to_rank, wrong) == said(sv.rank_moves, wrong, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"iterations": 0},
        {"iterations": 2**53 + 1},
        {"iterations": "1"},
        {"iterations": 1, "seconds": 1.0},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"seconds": 1e7},
        {"seed": -1},
        {"threads": 0},
        {"threads": 1025},
    ],
    ids=str,
)
def test_checks_refuse_what_a_champion_refuses(wrong: dict[str, Any]) -> None:
    assert said(_core.check_search, **wrong) == said(sv.players.Champion, **wrong)


def test_a_checked_search_says_its_iterations() -> None:
    for right in ({}, {"iterations": 7}, {"seconds": 2}, {"iterations": np.int64(9), "seed": None, "threads": None}):
        assert _core.check_search(**right) == sv.players.Champion(**right).iterations


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": 2},
        {"rules": sv.Rules(points=(0, 0, 50))},
        {"recall": 1},
        {"reward": "points"},
        {"illegal": None},
        {"autoreset": "never"},
    ],
    ids=str,
)
def test_checks_refuse_what_a_batch_refuses(wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {
        "rules": sv.Rules(),
        "recall": False,
        "reward": "win",
        "illegal": "raise",
        "autoreset": "same-step",
    }
    assert said(_core.check_batch, **(right | wrong)) == said(BatchEnv, 1, **(right | wrong))
    assert _core.check_batch(**(right | {"recall": True})) == BatchEnv(1, seed=0, recall=True).layout
