"""What batches refuse, and what they clear."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Layout

RULES = sv.Rules(players=3)
GAME = 4 * 8 + 8 + 2 + 20


def played(steps: int = 11, **options: Any) -> BatchEnv:
    env = BatchEnv(4, RULES, seed=3, dtype="uint8", **options)
    for _ in range(steps):
        env.step(env.sample_actions())
    return env


def with_byte(data: bytes, game: int, place: int, new: bytes) -> bytes:
    start = data.index(b"\n", data.index(b"\n") + 1) + 1 + game * GAME + place
    return data[:start] + new + data[start + len(new) :]


def test_memory_that_is_shared_by_other_ways_than_one_array_is_refused() -> None:
    env, size = played(), Layout(RULES).size
    actions, saved, good, memory = env.sample_actions(), env.save(), env.buffers(), bytearray(4 * size)
    one, other = (np.frombuffer(memory, np.uint8) for _ in range(2))
    out = good._replace(observations=one.reshape(4, size), seats=other[:4])
    for chosen, arrays in ((actions, out), (other[:4], good._replace(observations=out.observations))):
        saved = env.save()
        with pytest.raises(sv.SavannaError, match=r"memory|in use"):
            env.step(chosen, out=arrays)
        assert env.save() == saved


def test_out_must_be_five_arrays_of_the_batchs_own_dtype() -> None:
    env = played()
    actions, out = env.sample_actions(), env.buffers()
    saved = env.save()
    wrong: list[Any] = [3, [*out], (), out[:3], (*out, 1), out._replace(observations=out.observations.astype("f4"))]
    for it in wrong:
        calls: list[Callable[[], object]] = [partial(env.step, actions, out=it), partial(env.now, out=it)]
        for call in calls:
            with pytest.raises((TypeError, sv.SavannaError), match=r"^(out|observations) ") as caught:
                call()
            assert len(str(caught.value).splitlines()) == 1
    assert env.save() == saved


def test_reset_into_arrays_that_do_not_fit_changes_nothing() -> None:
    env = played()
    saved, out = env.save(), env.buffers()
    with pytest.raises(sv.SavannaError):
        env.reset(out=out._replace(seats=out.seats[1:]))
    assert env.save() == saved


def test_reset_by_a_seed_forgets_how_games_ended() -> None:
    env = played(25, autoreset="same-step")
    assert env.final_observations(0).any()
    env.reset(seed=3)
    assert not env.final_observations(0).any()
    assert env.save() == played(0).save()


def test_threads_are_looked_at_first() -> None:
    for threads in (0, -1, 1025, 10**9):
        with pytest.raises(sv.SavannaError, match=rf"^threads must be 1 to 1024, got {threads}\b"):
            BatchEnv(2, threads=threads)
    for nothing in ("x", 1.5, True):
        with pytest.raises(TypeError, match=r"^threads must be an int"):
            BatchEnv(2, threads=nothing)  # type: ignore[arg-type]
    with pytest.raises(sv.SavannaError):
        BatchEnv.restore(played().save().replace(b"uint8 1", b"uint8 99999"))


def test_actions_on_two_axes() -> None:
    env = played()
    for actions in (np.zeros((4, 1), np.uint8), np.zeros((2, 2), np.int64)):
        with pytest.raises((TypeError, sv.SavannaError), match=r"^actions must ") as caught:
            env.step(actions)
        assert len(str(caught.value).splitlines()) == 1


def test_lists_with_gaps() -> None:
    env = played()
    ragged: Any = [1, [2], 3, 4]
    with pytest.raises(sv.SavannaError, match=r"^actions must be an array: "):
        env.step(ragged)
    with pytest.raises(sv.SavannaError, match=r"^where must be an array: "):
        env.reset(where=ragged)


def test_dtypes_are_quoted_and_cut() -> None:
    layout, view = Layout(RULES), sv.Position.deal(RULES, 1).view(0)
    calls: list[Any] = [lambda it: layout.observe(view, dtype=it), lambda it: BatchEnv(2, dtype=it)]
    calls.append(lambda it: BatchEnv.restore(it.encode() + b" 1\n" + played().save().partition(b"\n")[2]))
    for dtype, call in ((dtype, call) for dtype in ("\n", "x" * 10**5) for call in calls):
        with pytest.raises(sv.SavannaError) as caught:
            call(dtype)
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 300
    with pytest.raises((TypeError, sv.SavannaError), match=r"^dtype "):
        BatchEnv(2, dtype=[])  # type: ignore[arg-type]


def test_saved_batches_that_cannot_be() -> None:
    data = played(autoreset="same-step").save()
    head = data[: data.index(b"\n", data.index(b"\n") + 1) + 1]
    cases = {
        "no games": head.replace(b" 4 3 ", b" 0 3 "),
        "over in the midst, though the next begins in the same step": with_byte(data, 1, 41, b"\1"),
        "so many games have never begun": with_byte(data, 1, 32, b"\xff" * 8),
        "more than can stand there": data[:-1] + b"\xff",
    }
    raising = played(autoreset="disabled").save()
    cases["over in the midst, though nobody lost"] = with_byte(raising, 1, 41, b"\1")
    for bytes_ in cases.values():
        with pytest.raises(sv.SavannaError, match=r"^saved batch: "):
            BatchEnv.restore(bytes_)
