"""What asks for more threads than the system grants makes do with those it gets, and says the same."""

import os
import sys
from collections.abc import Callable
from ctypes import CDLL, byref, c_int, c_void_p, sizeof
from pathlib import Path

import savanna as sv
from savanna.envs import BatchEnv
from tests.support.capi_library import Library, Tally, Watch, build, run
from tests.support.paths import DATA, ROOT
from tests.support.tools import require_tool

SOURCE = DATA / "few_threads.c"
VIEW = sv.Position.deal(sv.Rules(), seed=1).view(0)
GAMES = 12 * sv.BATCH
ITERATIONS = 70_000  # more than one tree has


def batch_steps() -> list[bytes]:
    """Return a batch of games after each of some steps, with what they paid."""
    env, states = BatchEnv(2000, seed=3, threads=4), []
    for _ in range(25):
        step = env.step(env.sample_actions())
        states.append(step.observations.tobytes() + step.rewards.tobytes())
    return states


SAME: dict[str, Callable[[], object]] = {
    "rollout": lambda: sv.rollout(VIEW, GAMES, seed=1, threads=8).to_dict(),
    "playouts": lambda: sv.playouts(VIEW, GAMES, seed=1, threads=8).scores.tobytes(),
    "rank_moves": lambda: [(it.move, it.stats.to_dict()) for it in sv.rank_moves(VIEW, 2000, seed=1, threads=8)],
    "analyse": lambda: sv.analyse(VIEW, iterations=ITERATIONS, seed=1, threads=8),
    "BatchEnv": batch_steps,
}


def in_c(folder: Path) -> list[tuple[str, str]]:
    """Return how endless work on many threads fails that its watcher stops."""
    library = Library(folder / "libsavanna_core.so")
    rules = library.parse("rules", "2p")
    view = library.make("position_view", library.make("position_deal", rules, 1), 0)
    stop = Watch(lambda _context, _done: 1)
    options, tally = library.options(games=2**53, threads=8, watch=stop), Tally()
    effort, made = library.effort(iterations=2**53, threads=8, watch=stop), c_void_p()
    played = library.refusal("rules_rollout", rules, byref(options), sizeof(options), byref(tally), sizeof(tally))
    return [played, library.refusal("view_analyse", view, byref(effort), sizeof(effort), byref(made))]


def main(folder: Path) -> None:
    """Do all of it with every number of threads that is left, and say what went otherwise."""
    left = c_int.in_dll(CDLL(None), "threads_left")
    usual = {name: work() for name, work in SAME.items()}
    for few in (0, 1):
        for name, work in SAME.items():
            left.value = few
            assert work() == usual[name], (name, few)
            assert left.value == 0, (name, few, left.value)
        left.value = few
        assert [words for words, _ in in_c(folder)] == ["stopped"] * 2, few
        left.value = few
        assert sv.analyse(VIEW, seconds=0.01, threads=8).iterations > 0
    print("the same")


def test_what_gets_fewer_threads_says_the_same(tmp_path: Path) -> None:
    system = tmp_path / "few_threads.so"
    compiler = require_tool("gcc", "clang", "cc")
    run([compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", str(SOURCE), "-o", str(system), "-ldl"])
    path = os.pathsep.join([str(ROOT), *sys.path])
    program = "import sys, pathlib, tests.rollout.test_few_threads as it; it.main(pathlib.Path(sys.argv[1]))"
    environment = os.environ | {"LD_PRELOAD": str(system), "PYTHONPATH": path}
    said = run([sys.executable, "-c", program, str(build())], env=environment)
    assert (said.stdout, said.stderr) == ("the same\n", "")
