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

RULES = sv.Rules()
LATE = sv.Position.deal(RULES, seed=1)
while LATE.ply < 17:
    LATE = LATE.play(LATE.legal_moves()[-1])
BACKENDS = {"best": sv.backends()[0], "scalar": "scalar"}
ENDLESS = 2**53  # games that take a century
BATCH = 2**14  # games between two looks at signals, at the least

# Tells when it catches Ctrl-C, by the clock that all processes share, then works on and ends as Python does.
CHILD = """
import time
import savanna as sv

rules, threads, backend = sv.Rules(players={players}), {threads}, {backend!r}
before = sv.rollout(rules, games=50_000, seed=5, threads=threads)
try:
    print("begins", flush=True)
    {call}
    print("has come to an end")
except KeyboardInterrupt:
    print(time.monotonic())
    print(sv.rollout(rules, games=50_000, seed=5, threads=threads) == before, flush=True)
    raise
"""
CALLS = {
    "rollout": f"sv.rollout(rules, games={ENDLESS}, threads=threads, backend=backend)",
    "soft rollout": f"sv.rollout(rules, games={ENDLESS}, threads=threads, backend=backend, policy='soft-greedy')",
    "rollout of a view": f"sv.rollout(sv.Position.deal(rules, 1).view(0), games={ENDLESS}, threads=threads)",
    "rollout_many": f"sv.rollout_many([rules] * 3, games={ENDLESS}, threads=threads, backend=backend)",
    "rollout_many of many": "sv.rollout_many([rules] * 100_000, games=10_000, threads=threads, backend=backend)",
    "rank_moves": f"sv.rank_moves(sv.Position.deal(rules, 1), games={ENDLESS}, threads=threads, backend=backend)",
    "playouts": "sv.playouts(rules, games=30_000_000, threads=threads)",
    "soft playouts": "sv.playouts(rules, games=30_000_000, threads=threads, policy='soft-greedy')",
    "study": "sv.study(rules, games=10**9, threads=threads)",
    "study of players": "sv.study(rules, sv.players.FlatMonteCarlo(seconds=0.3), threads=threads)",
    "tournament": "sv.tournament([sv.players.FlatMonteCarlo(seconds=0.3)] * 2, rules, deals=1000, threads=threads)",
    "tournament of games": "sv.tournament([sv.players.Random()] * 2, rules, deals=10**6, threads=threads)",
    "choose": f"sv.players.FlatMonteCarlo({ENDLESS}, threads=threads).choose(sv.Position.deal(rules, 1).view(0))",
    "choose by time": "sv.players.FlatMonteCarlo(seconds=1e6).choose(sv.Position.deal(rules, 1).view(0))",
    "analyse": f"sv.players.SoftGreedy({ENDLESS}, threads=threads).analyse(sv.Position.deal(rules, 1).view(0))",
    "choose by trees": f"sv.players.Ismcts({ENDLESS}, threads=threads).choose(sv.Position.deal(rules, 1).view(0))",
    "analyse by trees": f"sv.analyse(sv.Position.deal(rules, 1).view(0), iterations={ENDLESS}, threads=threads)",
}
CALLS["solve"] = """plays = sv.playouts(rules, games=1)
    position = plays.start(0)
    for move in plays.moves(0)[: 6 if rules.teams == 2 else 12]:
        position = position.play(move)
    sv.solve(position, "margin")"""
# Playouts are always written by the scalar backend, and players choose by the best.
INTERRUPTED = [(name, "best") for name in CALLS]
INTERRUPTED += [(name, "scalar") for name in CALLS if "backend" in CALLS[name]]


def seconds_until_interrupted(call: str, backend: str, threads: int, players: int) -> float:
    """Return how long after SIGINT the child has caught KeyboardInterrupt."""
    script = CHILD.format(call=call, backend=backend, threads=threads, players=players)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        time.sleep(0.3)  # the call is well under way
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    caught, works_on = output.split()
    assert works_on == "True"
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert child.returncode == -signal.SIGINT
    return float(caught) - sent


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "backend"), INTERRUPTED)
def test_ctrl_c_stops_a_call_within_a_fifth_of_a_second(name: str, backend: str, threads: int) -> None:
    # Other work on the machine may disturb a measurement and another, so up to nine are made if need be.
    delays: list[float] = []
    while len(delays) < 9 and not (delays and min(delays) < 0.2):
        players = 2 + len(delays) % 3
        delays.append(seconds_until_interrupted(CALLS[name], BACKENDS[backend], threads, players))
    assert min(delays) < 0.2, delays


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
        RULES, 500_000, 1, progress=lambda _: inner.append(sv.rollout(RULES, games=40_000, seed=2, threads=2))
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
