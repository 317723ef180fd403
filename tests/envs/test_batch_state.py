"""Batches saved, restored and copied in the midst of their games, and the arrays that they write."""

import copy
import itertools
import pickle
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import savanna as sv
from savanna.envs import WAIT, BatchEnv, Layout, Step
from tests.support.env_layout import RULES

OPTIONS: list[dict[str, Any]] = [
    {"dtype": dtype, "recall": recall, "reward": reward, "illegal": illegal, "autoreset": autoreset}
    for (dtype, recall, reward), (illegal, autoreset) in zip(
        itertools.product(("float32", "uint8"), (False, True), ("win", "margin", "margin-change")),
        itertools.cycle(itertools.product(("raise", "loss"), ("same-step", "next-step", "disabled"))),
        strict=False,
    )
]


def played(env: BatchEnv, steps: int, rng: random.Random) -> BatchEnv:
    """Play on, out of step: some games wait, and some are lost if that can be."""
    for _ in range(steps):
        actions = env.sample_actions()
        actions[[rng.random() < 0.1 for _ in actions]] = WAIT
        if "illegal='loss'" in repr(env):
            actions[[rng.random() < 0.02 and bool(mask.any()) for mask in env.now().action_mask]] = 200
        env.step(actions)
    return env


def future(env: BatchEnv, steps: int = 25) -> list[Any]:
    """Return all that comes of a batch, now and later."""
    said: list[Any] = [repr(env), [array.tobytes() for array in env.now()], env.save()]
    for _ in range(steps):
        actions = env.sample_actions()
        said += [actions.tobytes(), [array.tobytes() for array in env.step(actions)]]
        for seat in range(env.rules.players):
            said.append(env.observe(seat).tobytes())
            if "same-step" in repr(env):
                said.append(env.final_observations(seat).tobytes())
    return [*said, *(env.episode(game) for game in range(env.num_envs)), env.save()]


def copies(env: BatchEnv) -> Iterator[BatchEnv]:
    """Give the batch by every route."""
    yield BatchEnv.restore(env.save())
    yield copy.copy(env)
    yield copy.deepcopy(env)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(env, protocol))


# -------------------------------------------------------------------------------------------------------------- saving


@pytest.mark.parametrize("options", OPTIONS, ids=lambda it: "-".join(map(str, it.values())))
def test_a_copy_goes_on_alike(options: dict[str, Any]) -> None:
    rng = random.Random(1)
    for rules, steps in ((RULES[0], 0), (RULES[5], 9), (RULES[9], 22), (RULES[6], 47)):
        env = played(BatchEnv(6, rules, seed=steps, threads=2, **options), steps, rng)
        saved, twins = env.save(), list(copies(env))
        assert saved == env.save()
        expected = future(env)
        for twin in twins:
            assert type(twin) is BatchEnv
            assert twin.save() == saved
        for twin in twins[:: len(twins) - 1]:
            assert twin.layout.sections == env.layout.sections
            assert future(twin) == expected
        # What one of them plays, the others do not.
        assert twins[1].save() == saved


def test_a_batch_of_a_subclass_is_restored_as_one() -> None:
    class Mine(BatchEnv):
        pass

    assert type(Mine.restore(BatchEnv(2, seed=1).save())) is Mine
    assert type(copy.copy(Mine(2, seed=1))) is Mine


def test_threads_survive() -> None:
    for threads in (1, 2, 7, 1024, None):
        env = BatchEnv(2, seed=1, threads=threads)
        assert BatchEnv.restore(env.save()).save() == env.save()
    assert len({BatchEnv(2, seed=1, threads=threads).save() for threads in (1, 2, 3)}) == 3


def refused(data: bytes, word: str = "") -> None:
    """Check that bytes are no saved batch, and that the error says so in one line."""
    with pytest.raises(sv.SavannaError) as caught:
        BatchEnv.restore(data)
    assert type(caught.value) is sv.SavannaError
    text = str(caught.value)
    assert text.startswith(("saved batch: ", "dtype must be one of float32, uint8, got "))
    assert word in text
    assert len(text.splitlines()) == 1
    assert len(text) < 300


def saved(autoreset: Any = "same-step", illegal: Any = "raise") -> bytes:
    """Return a batch of four games after 11 steps, as it is saved."""
    env = BatchEnv(4, RULES[2], seed=3, dtype="uint8", reward="margin", autoreset=autoreset, illegal=illegal)
    return played(env, 11, random.Random(2)).save()


HEAD = b"uint8 1\nsavanna-envs 1 3p 4 3 false margin raise same-step\n"
GAME = 4 * 8 + 8 + 2 + 20


def test_the_form_of_what_is_saved() -> None:
    """The tests below cut and change what is written here."""
    data, layout = saved(), Layout(RULES[2])
    assert data.startswith(HEAD)
    assert len(data) == len(HEAD) + 4 * GAME + 4 * 3 * layout.size
    assert len(saved("disabled")) == len(HEAD) - 1 + 4 * GAME


def test_cut_or_longer_bytes_are_refused() -> None:
    for autoreset in ("same-step", "disabled"):
        data = saved(autoreset)
        for length in range(len(data)):
            refused(data[:length])
        for more in (b"\0", b"\n", b"x" * GAME, data):
            refused(data + more)
        refused(b"\0" + data)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (b"uint8 1", b"uint8", "dtype"),
        (b"uint8 1", b"uint8 -1", "threads"),
        (b"uint8 1", b"uint8 999999", "threads"),
        (b"uint8 1", b"uint8 \xb2", "threads"),
        (b"uint8 1", b"", "threads"),
        (b"savanna-envs", b"savanna-env", "version"),
        (b"savanna-envs 1", b"savanna-envs 0", "version 1"),
        (b"savanna-envs 1", b"savanna-envs 2", "version 1"),
        (b" 3p ", b" 5p ", ""),
        (b" 3p ", b"  ", ""),
        (b" 3p ", b" 3p 3p ", "nine fields"),
        (b" 3p ", b" 2p ", ""),
        (b" 3p ", b" 3p,points=100.100.100 ", "255"),
        (b" 3p ", b" 3p,target=" + b"9" * 500 + b" ", ""),
        (b" 3p ", b" 3p," + b"x" * 2000 + b" ", "first line"),
        (b" 3p ", b" \xff ", "not text"),
        (b" 4 3 ", b" -4 3 ", ""),
        (b" 4 3 ", b" 5 3 ", "follow the games"),
        (b" 4 3 ", b" 3 3 ", ""),
        (b" 4 3 ", b" 1048576 3 ", "1048576 games"),
        (b" 4 3 ", b" 1048577 3 ", "1048577 games"),
        (b" 4 3 ", b" 18446744073709551615 3 ", "games"),
        (b" 4 3 ", b" 18446744073709551616 3 ", ""),
        (b" 4 3 ", b" 4 18446744073709551616 ", ""),
        (b" 4 3 ", b" 4 -1 ", ""),
        (b" 4 3 ", b" four 3 ", ""),
        (b"false", b"true", "follow the games"),
        (b"false", b"maybe", ""),
        (b"margin", b"margins", "reward"),
        (b"raise", b"rise", "illegal"),
        (b"same-step", b"next-step", "follow the games"),
        (b"same-step", b"never", "autoreset"),
        (b"same-step\n", b"same-step", ""),
    ],
)
def test_another_first_line_is_refused(old: bytes, new: bytes, word: str) -> None:
    head = HEAD.replace(old, new, 1)
    assert head != HEAD
    refused(head + saved()[len(HEAD) :], word)


@pytest.mark.parametrize(
    ("place", "new", "word"),
    [
        (0, bytes(32), "random numbers are all 0"),
        (32, bytes(8), "never begun"),
        (32, b"\2" + bytes(7), ""),  # another deal, by which the moves are not legal
        (40, b"\x15", "21 moves"),
        (40, b"\xff", "255 moves"),
        (40, b"\0", "contradicts itself"),
        (41, b"\2", "2"),
        (42, b"\xc8", "200 is not an action id"),
        (42, b"\xff", "255 is not an action id"),
        (42, b"\xc7", "no mouse"),
        (61, b"\1", "contradicts itself"),
    ],
)
def test_a_game_that_cannot_be_is_refused(place: int, new: bytes, word: str) -> None:
    data = saved()
    for game in range(4):
        start = len(HEAD) + game * GAME + place
        refused(data[:start] + new + data[start + len(new) :], f"game {game}: ")
        refused(data[:start] + new + data[start + len(new) :], word)


def test_what_is_no_bytes() -> None:
    for nothing in (None, 3.5, "uint8 1\n", object(), [1000]):
        with pytest.raises((TypeError, ValueError)):
            BatchEnv.restore(nothing)  # type: ignore[arg-type]
    for empty in (b"", b"\n", b"\n\n", b"uint8 1\n", bytes(1000), 5):
        refused(empty)  # type: ignore[arg-type]


mangled = st.lists(
    st.tuples(
        st.sampled_from(("flip", "cut", "put", "swap", "move")),
        st.integers(0, 10**4),
        st.sampled_from((b"\0", b"\1", b"\x14", b"\x7f", b"\xff", b"\xff" * 8, b"9" * 30, b" ", b"\n"))
        | st.binary(max_size=40),
    ),
    min_size=1,
    max_size=4,
)


@example([("flip", 60, b"")], "same-step", "raise")  # a random number: nobody can see that
@given(mangled, st.sampled_from(("same-step", "next-step", "disabled")), st.sampled_from(("raise", "loss")))
def test_mangled_bytes_are_refused_or_are_a_batch(changes: list[Any], autoreset: str, illegal: str) -> None:
    """Not every change can be seen: random numbers, for one, may be any. But what is restored can be played."""
    data = bytearray(saved(autoreset, illegal))
    for how, where, new in changes:
        # Half of the changes hit the first lines.
        at = where % (min(80, len(data)) if where % 2 else len(data)) if data else 0
        if how == "flip" and data:
            data[at] ^= 1 << where % 8
        elif how == "cut":
            del data[at : at + len(new)]
        elif how == "put":
            data[at:at] = new
        elif how == "swap":
            data[at : at + len(new)] = new
        else:
            data[:] = data[at:] + data[:at]
    try:
        env = BatchEnv.restore(bytes(data))
    except sv.SavannaError:
        refused(bytes(data))
        return
    for _ in range(25):
        actions = env.sample_actions()
        mask = env.now().action_mask
        for game, action in enumerate(actions.tolist()):
            assert mask[game, action] == 1 if action != WAIT else not mask[game].any()
        step = env.step(actions)
        assert (step.observations <= env.layout.high).all()


# -------------------------------------------------------------------------------------------------------------- arrays


def test_arrays_never_change_and_belong_to_the_caller() -> None:
    env = BatchEnv(600, RULES[1], seed=4, threads=2)
    twin, kept = BatchEnv(600, RULES[1], seed=4), list[tuple[np.ndarray[Any, Any], bytes]]()
    for step in range(43):
        actions = env.sample_actions()
        seen = [env.observe(0), env.observe(1), env.final_observations(1)]
        told: list[Any] = [*env.now(), *env.step(actions), *env.now()]
        told += env.reset() if step == 30 else ()
        layout: list[Any] = [env.layout.high, env.layout.turned(1), Layout.turned_actions(1)]
        episode = env.episode(3)
        one: list[Any] = [episode.observe(env.layout, 0), episode.action_mask(0), env.layout.observe(env.view(5))]
        arrays: list[Any] = [actions, *seen, *told, *layout, *one]
        for array in arrays:
            assert array.flags.c_contiguous
            assert array.flags.writeable
            kept.append((array, array.tobytes()))
    for array, was in kept:
        assert array.tobytes() == was
    rng = random.Random(5)
    for _ in range(3000):
        (one_array, _), (other, _) = rng.sample(kept, 2)
        assert not np.shares_memory(one_array, other)
    for array, _ in kept:
        array[...] = 7
    # Whatever is written into them, the games go on.
    for step in range(43):
        actions = twin.sample_actions()
        twin.step(actions)
        if step == 30:
            twin.reset()
    assert env.save().partition(b"\n")[2] == twin.save().partition(b"\n")[2]
    assert env.now().observations.tobytes() == twin.now().observations.tobytes()


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_arrays_given_are_written(dtype: Any) -> None:
    fresh, env = (BatchEnv(700, RULES[3], seed=6, dtype=dtype, threads=2) for _ in range(2))
    out = env.buffers()
    places = [array.ctypes.data for array in out]
    assert [(array.shape, array.dtype) for array in out] == [(it.shape, it.dtype) for it in fresh.now()]
    for step in range(25):
        for array in out:
            array[...] = 1
        actions = fresh.sample_actions()
        calls: list[Callable[[BatchEnv, Any], Step]] = [lambda env, out, it=actions: env.step(it, out=out)]  # type: ignore[misc]
        calls.append(lambda env, out: env.now(out=out))
        if step % 9 == 8:
            calls.append(lambda env, out: env.reset(where=np.arange(700) < 350, out=out))
        for call in calls:
            assert call(env, out) is out
            for mine, its in zip(out, call(fresh, None), strict=True):
                np.testing.assert_array_equal(mine, its)
    assert [array.ctypes.data for array in out] == places


def frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


BAD: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {
    "one game more": lambda array: np.zeros((array.shape[0] + 1, *array.shape[1:]), array.dtype),
    "one game less": lambda array: array[1:],
    "no game": lambda array: array[:0],
    "another axis": lambda array: array[..., None],
    "flat": lambda array: array.ravel() if array.ndim > 1 else array[None],
    "no axis": lambda array: np.zeros((), array.dtype),
    "gaps": lambda array: np.repeat(array, 2, axis=0)[::2],
    "reversed": lambda array: array[::-1],
    "read-only": frozen,
    "float64": lambda array: array.astype(np.float64),
    "int64": lambda array: array.astype(np.int64),
    "int16": lambda array: array.astype(np.int16),
    "complex": lambda array: array.astype(np.complex64),
    "other bytes": lambda array: array.astype(array.dtype.newbyteorder(">")).astype(">i4"),
    "objects": lambda array: array.astype(object),
    "a list": lambda array: array.tolist(),
    "nothing": lambda _: None,
    "text": lambda _: "x",
    "a buffer": lambda array: memoryview(array),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", Step._fields)
@pytest.mark.parametrize("bad", BAD)
def test_arrays_that_do_not_fit_are_refused(bad: str, name: str) -> None:
    dtypes: tuple[Any, ...] = ("float32", "uint8")
    for dtype in dtypes:
        env = BatchEnv(3, seed=7, dtype=dtype)
        actions, saved, before = env.sample_actions(), env.save(), [array.tobytes() for array in env.now()]
        good = env.now()
        out: Any = good._replace(**{name: BAD[bad](getattr(good, name))})
        for call in (partial(env.step, actions, out=out), partial(env.now, out=out)):
            with pytest.raises((sv.SavannaError, TypeError), match=rf"^{name} (must be|cannot be written)") as caught:
                call()
            assert len(str(caught.value).splitlines()) == 1
            assert env.save() == saved
            assert [array.tobytes() for array in env.now()] == [array.tobytes() for array in good] == before


def test_arrays_that_share_memory_are_refused() -> None:
    env = BatchEnv(3, seed=7, dtype="uint8")
    actions, saved, good = env.sample_actions(), env.save(), env.now()
    before = [array.tobytes() for array in good]
    inside: Any = good.observations.reshape(-1)[:3]
    cases: list[tuple[Any, Any]] = [(good._replace(seats=inside), actions)]
    masks = good.action_mask.reshape(-1)
    cases.append((good._replace(seats=masks[:3].view(np.uint8)), actions))
    cases.append((good._replace(terminated=masks[5:8].view(np.bool_)), actions))
    actions_inside = good.seats
    cases.append((good, actions_inside))
    cases.append((good, inside))
    for out, chosen in cases:
        with pytest.raises(sv.SavannaError, match=r"^\w+ cannot be written: it is in use or read-only$"):
            env.step(chosen, out=out)
        assert env.save() == saved
        assert [array.tobytes() for array in good] == before
    env.step(actions, out=good)
    assert env.save() != saved
