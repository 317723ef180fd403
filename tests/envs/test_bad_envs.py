"""Illegal and absurd arguments of environments: one clear error, and no game changes."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import reference as ref
from savanna.envs import BatchEnv, Episode, Layout
from tests.support.refusals import NO_FLAGS, endless, kind, refused

RULES = sv.Rules()
ENV = BatchEnv(4, RULES, seed=2)
LAYOUT, RECALL = Layout(RULES), Layout(RULES, recall=True)
EPISODE = Episode.deal(RULES, seed=3)


@pytest.fixture(autouse=True)
def _no_game_changes() -> Iterator[None]:
    saved, rows = ENV.save(), [array.tobytes() for array in ENV.now()]
    yield
    assert ENV.save() == saved
    assert [array.tobytes() for array in ENV.now()] == rows


NAMES = {
    "reward": "win, margin, margin-change",
    "illegal": "raise, loss",
    "autoreset": "same-step, next-step, disabled",
    "dtype": "float32, uint8",
}


@pytest.mark.parametrize("option", NAMES)
def test_names_of_options(option: str) -> None:
    for name in ("", "x", "Win", "same_step", "SAME-STEP", "raise ", "float64", "uint8\0", "margin_change", "\n"):
        text = f"{option} must be one of {NAMES[option]}, got {name if name.isprintable() else ''}"
        refused(sv.SavannaError, text, BatchEnv, 2, **{option: name})
    for value in (None, 3, True, b"win", np.uint8, ("win",)):
        error = sv.SavannaError if option == "dtype" else TypeError
        refused(error, option, BatchEnv, 2, **{option: value})


@pytest.mark.parametrize("call", [lambda it: BatchEnv(2, recall=it), lambda it: Layout(RULES, recall=it)])
def test_recall_is_a_bool(call: Callable[[Any], object]) -> None:
    for value in NO_FLAGS:
        if value is not None:
            refused(TypeError, f"recall bool {kind(value)}", call, value)


def test_what_are_no_rules() -> None:
    refused(sv.NotationError, "rules text", BatchEnv, 2, "5p")
    for value in (3, "2p", RULES.deck, ref.Rules(), sv.Rules):
        if value != "2p":  # a batch takes the text of rules, too
            refused(TypeError, f"{kind(value)} Rules", BatchEnv, 2, value)
        refused(TypeError, f"{kind(value)} Rules", Layout, value)
        refused(TypeError, f"rules {kind(value)}", Episode.deal, value)
    refused(TypeError, "", Layout, None)
    refused(TypeError, "", Episode)
    refused(TypeError, "", BatchEnv)
    refused(TypeError, "", BatchEnv, 2, RULES, 3)


def test_superfluous_arguments() -> None:
    methods = [getattr(ENV, name) for name in dir(ENV) if not name.startswith("_")]
    called = [method for method in methods if callable(method)]
    assert len(called) >= 11
    for method in called:
        refused(TypeError, "", method, nonsense=1)
        refused(TypeError, "", method, *range(9))
    for name in ("num_envs", "rules", "layout", "seed"):
        with pytest.raises(AttributeError):
            setattr(ENV, name, 1)


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        ([1, 2, 3], "4 games need 4 actions, got 3"),
        ([1, 2, 3, 4, 5], "4 games need 4 actions, got 5"),
        (np.zeros(0, np.uint8), "4 games need 4 actions, got 0"),
        (7, "4 games need 4 actions, got 1"),
        ([0, 1, -1, 256], "action of game 2 must be 0 to 199, or 255 to wait, got -1"),
        ([0, 1, 2, 256], "action of game 3 must be 0 to 199, or 255 to wait, got 256"),
        (np.array([2**63, 0, 0, 0], np.uint64), f"action of game 0 must be 0 to 199, or 255 to wait, got {2**63}"),
        ([], "actions must be whole numbers, got float64"),
        ([0.0, 1, 2, 3], "actions must be whole numbers, got float64"),
        ([float("nan")] * 4, "actions must be whole numbers, got float64"),
        ([True] * 4, "actions must be whole numbers, got bool"),
        (["zebra c4"] * 4, "actions must be whole numbers, got <U8"),
        ([b"\1"] * 4, "actions must be whole numbers, got |S1"),
        ([1j] * 4, "actions must be whole numbers, got complex128"),
        ([None] * 4, "actions must be whole numbers, got object"),
        ([10**30] * 4, "actions must be whole numbers, got object"),
        (None, "actions must be whole numbers, got object"),
        ({0, 1, 2, 3}, "actions must be whole numbers, got object"),
        (np.zeros(4, "M8[s]"), "actions must be whole numbers, got datetime64[s]"),
        ([sv.Move("zebra", "lion", "c4")] * 4, "actions must be whole numbers, got object"),
    ],
    ids=lambda it: str(it)[:30],
)
@pytest.mark.parametrize("illegal", ["raise", "loss"])
def test_what_are_no_actions(illegal: Any, actions: Any, text: str) -> None:
    env = BatchEnv(4, seed=2, illegal=illegal, autoreset="disabled")
    saved = env.save()
    with pytest.raises(sv.SavannaError, match=f"^{re.escape(text)}$") as caught:
        env.step(actions)
    assert type(caught.value) is sv.SavannaError
    assert env.save() == saved


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint32, np.int64, np.uint64, ">i2"])
def test_whole_numbers_of_any_size_are_actions(dtype: Any) -> None:
    env, twin = BatchEnv(40, seed=5), BatchEnv(40, seed=5)
    small = np.array([mask[:128].argmax() for mask in env.now().action_mask])
    step = twin.step(small)
    spread = np.repeat(small, 3).astype(dtype)[::3]
    assert not spread.flags.c_contiguous
    for mine, its in zip(env.step(spread), step, strict=True):
        np.testing.assert_array_equal(mine, its)
    env, twin = BatchEnv(3, seed=5), BatchEnv(3, seed=5)
    assert env.step([255, 255, 255]).seats.tolist() == twin.now().seats.tolist()
    assert env.save() == twin.save()


def test_what_says_nothing_of_where() -> None:
    for where, got in [
        (3, "int64 of shape ()"),
        ([1, 0, 0, 1], "int64 of shape (4,)"),
        ([True] * 3, "bool of shape (3,)"),
        ([True] * 5, "bool of shape (5,)"),
        ([[True]] * 4, "bool of shape (4, 1)"),
        ([], "float64 of shape (0,)"),
        (True, "bool of shape ()"),
        ([None] * 4, "object of shape (4,)"),
        ("yes!", "<U4 of shape ()"),
    ]:
        refused(sv.SavannaError, f"where must be 4 bools, got {got}", ENV.reset, where=where)


def test_a_seed_deals_all_games() -> None:
    for where in ([True] * 4, [False] * 4, "yes!"):
        refused(sv.SavannaError, "seed deals all games, no where", ENV.reset, seed=2, where=where)


def test_final_observations_that_are_not_kept() -> None:
    for autoreset in ("next-step", "disabled"):
        env = BatchEnv(2, seed=1, autoreset=autoreset)
        refused(sv.SavannaError, 'autoreset="same-step"', env.final_observations, 0)


def test_what_cannot_be_laid_out() -> None:
    view, others = EPISODE.view(0), Episode.deal(sv.Rules(mice=True), 1)
    value: Any
    for value in (None, 3, str(view), EPISODE, EPISODE.position, ref.Position.deal(ref.Rules(), 1).view(0)):
        refused(TypeError, f"{kind(value)} View", LAYOUT.observe, value)
    refused(sv.SavannaError, "layout is for 2p, but the game is 2p,mice", LAYOUT.observe, others.view(0))
    refused(sv.SavannaError, "layout is for 2p, but the game is 2p,mice", others.observe, LAYOUT, 0)
    refused(sv.SavannaError, "layout is for 2p, but the game is 2p,mice", others.turns, LAYOUT)
    refused(sv.SavannaError, "recall Episode", RECALL.observe, view)
    for value in (None, 3, RULES, ENV):
        refused(TypeError, f"{kind(value)} Layout", EPISODE.observe, value, 0)
        refused(TypeError, f"{kind(value)} Layout", EPISODE.turns, value)
    for dtype in ("float64", "", "UINT8"):
        refused(sv.SavannaError, "dtype must be one of float32, uint8", LAYOUT.observe, view, dtype=dtype)
        refused(sv.SavannaError, "dtype must be one of float32, uint8", EPISODE.observe, LAYOUT, 0, dtype=dtype)
        refused(sv.SavannaError, "dtype must be one of float32, uint8", EPISODE.turns, LAYOUT, dtype=dtype)
    for value in (3, np.uint8, b"uint8"):
        refused(TypeError, f"dtype str {kind(value)}", LAYOUT.observe, view, dtype=value)


def test_what_cannot_be_replayed() -> None:
    start = sv.Position.deal(RULES, seed=3)
    legal = start.legal_moves()[0]
    for value in (None, 3, str(start), RULES, EPISODE, ref.Position.deal(ref.Rules(), 1)):
        refused(TypeError, f"{kind(value)} Position", Episode.replay, value)
    for moves in (3, True, 3.0, "zebra c4", legal, object()):
        refused(TypeError, f"moves sequence {kind(moves)}", Episode.replay, start, moves)
    move: Any
    for move in (None, 3, b"zebra", ("zebra", "front", "c4"), [legal]):
        refused(TypeError, kind(move), Episode.replay, start, [legal, move])
        refused(TypeError, kind(move), EPISODE.play, move)
    refused(sv.IllegalMoveError, f"{legal.space} taken", Episode.replay, start, [legal, legal])
    refused(sv.NotationError, "move", Episode.replay, start, ["zebra c9"])
    refused(sv.SavannaError, "start has 1 tiles", Episode.replay, start.play(legal))
    for moves in ([legal] * 21, endless(legal)):
        refused(sv.RulesError, "moves more than 20", Episode.replay, start, moves)
    for move in ("mouse a5", sv.Move("mouse", "lion", "c4")):
        refused(sv.IllegalMoveError, "seat 0 holds no mouse", EPISODE.play, move)
