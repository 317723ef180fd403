"""Ctrl-C, failing callbacks and progress: a long call can be stopped at once and leaves everything usable."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import numpy  # noqa: F401 -- its first import starts threads, which are not those that tests count
import psutil
import pytest

import savanna as sv
from tests.support.timing import PATIENCE, let_work

pytestmark = pytest.mark.thin(3)

RULES = sv.Rules()
LATE = sv.Position.deal(RULES, seed=1)
while LATE.ply < 17:
    LATE = LATE.play(LATE.legal_moves()[-1])
ENDLESS = 2**53  # games that take a century
BATCH = 2**14  # games between two looks at signals, at the least

# Tells by its own processor time when it catches Ctrl-C, then works on and ends as Python does.
CHILD = """
import time
import savanna as sv

rules = sv.Rules()
before = sv.rollout(rules, games=50_000, seed=5)
try:
    print("begins", flush=True)
    {call}
    print("has come to an end")
except KeyboardInterrupt:
    print(time.process_time())
    print(sv.rollout(rules, games=50_000, seed=5) == before, flush=True)
    raise
"""
# One call for each kind of loop, and how many threads it works on.
VIEW = "sv.Position.deal(rules, 1).view(0)"
CALLS = {
    "wide rollout": (2, f"sv.rollout(rules, games={ENDLESS}, threads=2)"),
    "scalar rollout": (1, f"sv.rollout(rules, games={ENDLESS}, threads=1, backend='scalar')"),
    "wide rollout by policy": (1, f"sv.rollout(rules, games={ENDLESS}, threads=1, policy='soft-greedy')"),
    "scalar rollout by policy": (
        2,
        f"sv.rollout(rules, games={ENDLESS}, threads=2, policy='soft-greedy', backend='scalar')",
    ),
    "rollout_many": (2, "sv.rollout_many([rules] * 100_000, games=10_000, threads=2)"),
    "rollout_many, scalar": (1, "sv.rollout_many([rules] * 100_000, games=10_000, threads=1, backend='scalar')"),
    "rank_moves": (1, f"sv.rank_moves({VIEW}, games={ENDLESS}, threads=1)"),
    "playouts": (2, "sv.playouts(rules, games=30_000_000, threads=2)"),
    "playouts by policy": (1, "sv.playouts(rules, games=30_000_000, threads=1, policy='soft-greedy')"),
    "study": (1, "sv.study(rules, games=10**9, threads=1)"),
    "study of players": (2, "sv.study(rules, players=sv.players.FlatMonteCarlo(seconds=0.3), threads=2)"),
    "tournament": (
        2,
        "sv.tournament([sv.players.FlatMonteCarlo(seconds=0.3)] * 2, rules=rules, deals=1000, threads=2)",
    ),
    "tournament of games": (1, "sv.tournament([sv.players.Random()] * 2, rules=rules, deals=10**6, threads=1)"),
    "player": (2, f"sv.players.SoftGreedy({ENDLESS}, threads=2).analyse({VIEW})"),
    "player by the clock": (1, f"sv.players.FlatMonteCarlo(seconds=1e6, threads=1).choose({VIEW})"),
    "trees": (2, f"sv.players.Ismcts({ENDLESS}, threads=2).choose({VIEW})"),
    "champion": (1, f"sv.analyse({VIEW}, iterations={ENDLESS}, threads=1)"),
}
CALLS["solve"] = (
    1,
    """plays = sv.playouts(rules, games=1)
    position = plays.start(0)
    for move in plays.moves(0)[:6]:
        position = position.play(move)
    sv.solve(position, objective="margin")""",
)


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_stops_a_call_within_a_fifth_of_a_second(name: str) -> None:
    """The fifth of a second is the call's own, on each of its threads."""
    threads, call = CALLS[name]
    command = [sys.executable, "-c", CHILD.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        used = let_work(child.pid, 0.3)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=PATIENCE)
    caught, works_on = output.split()
    assert works_on == "True"
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert child.returncode == -signal.SIGINT
    assert float(caught) - used < 0.2 * threads


# Each plays some times as many games as it is asked for: from every source, after every move.
CALLABLES: dict[str, tuple[int, Callable[..., Any]]] = {
    "rollout": (1, partial(sv.rollout, RULES)),
    "rollout_many": (5, partial(sv.rollout_many, [RULES] * 5)),
    "rank_moves": (len(LATE.legal_moves()), partial(sv.rank_moves, LATE)),
    "playouts": (1, partial(sv.playouts, RULES)),
}


class StopError(Exception):
    """What a callback or a signal handler raises."""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLABLES)
def test_an_error_in_the_callback_stops_all_work(name: str, threads: int) -> None:
    calls = []

    def progress(games: int) -> None:
        calls.append(games)
        if len(calls) == 2:
            raise StopError(f"after {games} games")

    threads_before = psutil.Process().num_threads()
    games = 30_000_000 if name == "playouts" else ENDLESS
    with pytest.raises(StopError, match=r"^after \d+ games$") as caught:
        CALLABLES[name][1](games=games, threads=threads, progress=progress)
    assert str(caught.value) == f"after {calls[-1]} games"
    assert len(calls) == 2
    deadline = time.monotonic() + 30
    while psutil.Process().num_threads() > threads_before:  # the system may count one that has just ended
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_error_is_raised_also_when_the_callback_takes_long() -> None:
    """It takes so long that it would be due again before the threads have stopped."""
    calls = []

    def progress(done: int) -> None:
        calls.append(done)
        time.sleep(0.2)
        if len(calls) == 1:
            raise StopError("the first time")

    with pytest.raises(StopError, match=r"^the first time$"):
        sv.analyse(sv.Position.deal(RULES, 1).view(0), iterations=ENDLESS, threads=2, progress=progress)
    assert len(calls) == 1


def test_an_error_in_a_signal_handler_stops_all_work() -> None:
    def handler(_signal: int, _frame: FrameType | None) -> None:
        raise StopError

    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(StopError):
            sv.rollout(RULES, games=ENDLESS)
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_a_signal_handler_that_returns_stops_nothing() -> None:
    signals: list[int] = []
    expected = sv.rollout(RULES, games=700_000, seed=3)
    previous = signal.signal(signal.SIGALRM, lambda number, _: signals.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)
        while not signals:
            assert sv.rollout(RULES, games=700_000, seed=3, backend="scalar") == expected
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("games", [1, BATCH, BATCH + 1, 1_000_000])
@pytest.mark.parametrize("name", CALLABLES)
def test_progress_ascends_to_the_number_of_games(name: str, games: int, threads: int) -> None:
    progress: list[int] = []
    times, call = CALLABLES[name]
    call(games=games, threads=threads, progress=progress.append)
    assert all(earlier < later for earlier, later in zip([0, *progress], progress, strict=False))
    assert progress[-1:] == [times * games]


def test_progress_of_no_sources_is_nothing() -> None:
    progress: list[int] = []
    assert sv.rollout_many([], games=9, progress=progress.append) == []
    assert progress == [0]


def test_progress_comes_a_few_times_a_second() -> None:
    times: list[float] = []
    start, used = time.monotonic(), time.process_time()
    sv.rollout(RULES, games=2_000_000, threads=1, progress=lambda _: times.append(time.monotonic()))
    # Twenty times a second. When the machine does something else, they are fewer, but not in the time of this process.
    assert 2 * (time.process_time() - used) <= len(times) <= 40 * (times[-1] - start) + 1


def test_the_callback_may_itself_play_and_changes_nothing() -> None:
    inner: list[sv.Stats] = []
    plain = sv.rollout(RULES, games=500_000, seed=1)
    told = sv.rollout(
        RULES, 500_000, seed=1, progress=lambda _: inner.append(sv.rollout(RULES, games=40_000, seed=2, threads=2))
    )
    assert told == plain
    assert inner
    assert set(inner) == {sv.rollout(RULES, games=40_000, seed=2)}


@pytest.mark.parametrize(
    "module", ["typer", "savanna.cli.program", "savanna.cli.rollout", "savanna.cli.cluster", "rich"]
)
def test_ctrl_c_while_modules_are_loaded_is_no_traceback(module: str) -> None:
    program = f"""if True:
        import sys

        class Interruption:
            def find_spec(self, name, path, target=None):
                if name == {module!r}:
                    raise KeyboardInterrupt

        sys.meta_path.insert(0, Interruption())
        from savanna.cli import main
        sys.exit(main(["rollout", "--games", "10"]))
        """
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "savanna: interrupted\n")
    reader, writer = os.pipe()
    os.close(reader)
    unread = subprocess.run([sys.executable, "-c", program], stderr=writer, check=False)
    os.close(writer)
    assert unread.returncode == 130
