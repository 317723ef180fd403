"""What becomes of long calls when workers, machines and the program itself die, and whose Ray it is."""

import importlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import ray

import savanna as sv
from savanna import distributed
from savanna.distributed import cluster as machines
from savanna.distributed import parts, pool, tournaments
from savanna.distributed.pool import spread
from tests.support import ray_cluster
from tests.support.paths import ROOT
from tests.support.ray_jobs import EndsItsProcess

pytestmark = pytest.mark.rare

RULES = sv.Rules(players=3)
PLAYERS: dict[str, Any] = {"one": sv.players.Random(seed=1), "two": sv.players.Greedy(seed=2)}
# Slow enough for something to happen in between, on any machine.
SLOW: dict[str, Any] = {"backend": "scalar", "chunk": 4 * sv.BATCH}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Any]:
    with ray_cluster.running() as cluster:
        yield cluster


def loses_node(cluster: Any) -> Callable[..., None]:
    """Add a machine, and return the function that takes it away when it is first called, without any farewell."""
    nodes = [cluster.add_node(**ray_cluster.NODE)]

    def lose(*_: int) -> None:
        if nodes:
            cluster.remove_node(nodes.pop(), allow_graceful=False)

    return lose


# ------------------------------------------------------------------------------------------------- workers, machines


def test_a_task_is_done_again_when_its_machine_is_lost(cluster: Any, tmp_path: Path) -> None:
    """Every task writes down where it begins; some begin twice, and all give their result once."""
    node = cluster.add_node(**ray_cluster.NODE)
    doomed, log = node.node_id, tmp_path / "log"

    def work(task: int) -> int:
        import time

        where = ray.get_runtime_context().get_node_id()
        with log.open("a", encoding="ascii") as file:
            file.write(f"{where} {task}\n")
        time.sleep(600 if where == doomed else 0.05)
        return task * task

    def begun() -> list[tuple[str, int]]:
        lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        return [(where, int(task)) for where, task in lines]

    def lose() -> None:
        while doomed not in {where for where, _ in begun()}:
            threading.Event().wait(0.05)
        cluster.remove_node(node, allow_graceful=False)

    loser = threading.Thread(target=lose)
    loser.start()
    with closing(spread(work, range(12), slots=4, threads=1)) as results:
        done = sorted(results)
    loser.join()
    assert done == [(task, task * task) for task in range(12)]
    assert {where for where, _ in begun()} > {doomed}
    for task in {task for where, task in begun() if where == doomed}:
        assert len({where for where, it in begun() if it == task}) == 2


def test_nothing_is_lost_or_counted_twice_when_a_machine_is(cluster: Any) -> None:
    expected = sv.rollout(RULES, 100 * sv.BATCH, seed=7)
    assert distributed.rollout(RULES, 100 * sv.BATCH, seed=7, progress=loses_node(cluster), **SLOW) == expected
    table = distributed.tournament(PLAYERS, deals=400, seed=7, progress=loses_node(cluster))
    local = sv.tournament(PLAYERS, deals=400, seed=7)
    assert table.games == local.games
    assert str(table) == str(local)
    assert len(cluster.list_all_nodes()) == 3


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    def work(task: int) -> int:
        mark = tmp_path / str(task)
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    with closing(spread(work, range(4), slots=2, threads=1)) as results:
        assert sorted(results) == [(task, task) for task in range(4)]


def test_of_tasks_that_fail_the_first_in_order_is_told(tmp_path: Path) -> None:
    """Task 1 fails after task 2 has, whose error must not hide it, and nothing new is begun meanwhile."""

    def work(task: int) -> int:
        import time

        mark = tmp_path / "2"
        while task == 1 and not mark.exists():
            time.sleep(0.01)
        (tmp_path / str(task)).touch()
        if task == 1:
            time.sleep(0.5)  # so that the failure of 2 is known before
        if task in (1, 2):
            raise sv.SavannaError(f"task {task}")
        return task

    done: list[tuple[int, int]] = []
    with (
        closing(spread(work, range(100), slots=2, threads=1)) as results,
        pytest.raises(sv.SavannaError, match=r"^task 1$"),
    ):
        done.extend(results)
    assert done == [(0, 0)]
    assert len(list(tmp_path.iterdir())) < 10


# ------------------------------------------------------------------------------------------------------- the program


DRIVER = """
import os, signal, sys
import savanna as sv
from savanna import distributed
from tests.cluster.test_faults import RULES, PLAYERS, SLOW

told = []
def die(*done):
    told.append(done)
    if len(told) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

{}
"""
CALLS: dict[str, str] = {
    "rollout": "distributed.rollout(RULES, games=80 * sv.BATCH, seed=7, {}, **SLOW)",
    "generate": "distributed.generate(players=PLAYERS, games=300, chunk=10, {})",
}
NAMES = {"distributed": distributed, "sv": sv, "RULES": RULES, "PLAYERS": PLAYERS, "SLOW": SLOW}


def killed(cluster: Any, statement: str) -> None:
    """Run a program that kills itself when it is told of progress for the third time."""
    environment = {**os.environ, "RAY_ADDRESS": cluster.address, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", DRIVER.format(statement)], env=environment, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


@pytest.mark.parametrize("name", CALLS)
def test_a_call_goes_on_when_its_program_was_killed(name: str, cluster: Any, tmp_path: Path) -> None:
    first, whole = tmp_path / "first", tmp_path / "whole"
    killed(cluster, CALLS[name].format(f"directory={str(first)!r}, progress=die"))
    before = {path: path.stat().st_mtime_ns for path in first.glob("part-*")}
    continued = eval(CALLS[name].format("directory=first"), {**NAMES, "first": first})
    expected = eval(CALLS[name].format("directory=whole"), {**NAMES, "whole": whole})
    assert 0 < len(before) < len(list(first.glob("part-*"))) == len(list(whole.glob("part-*")))
    assert {path: path.stat().st_mtime_ns for path in before} == before  # no part was played again
    if name == "generate":
        assert [path.read_bytes() for path in continued] == [path.read_bytes() for path in expected]
    else:
        assert continued == expected


def test_a_tournament_goes_on_when_its_program_was_killed(cluster: Any, tmp_path: Path) -> None:
    log, whole = tmp_path / "log", tmp_path / "whole"
    call = "distributed.tournament(PLAYERS, deals=900, log={}, {})"
    killed(cluster, call.format(repr(str(log)), "progress=die"))
    games = log.read_bytes().count(b"\n") - 1
    assert 0 < games < 1800
    distributed.tournament(PLAYERS, deals=900, log=log, resume=True)
    sv.tournament(PLAYERS, deals=900, log=whole)
    assert log.read_bytes() == whole.read_bytes()


# ------------------------------------------------------------------------------------------------ whose Ray it is


ALONE = """
import os, signal, threading
import ray
import savanna as sv
from savanna import distributed

handler = lambda *_: None
signal.signal(signal.SIGTERM, handler)
before = dict(os.environ)
expected = sv.rollout(sv.Rules(), 5 * sv.BATCH)
other = {"begun": threading.Event(), "may end": threading.Event(), "is right": None}

def begun(_):
    other["begun"].set()
    assert other["may end"].wait(300)

def beside():
    other["is right"] = distributed.rollout(sv.Rules(), 5 * sv.BATCH, chunk=1, workers=2, progress=begun) == expected

thread = threading.Thread(target=beside)

def once(_):
    if not thread.ident:
        thread.start()
        assert other["begun"].wait(300)

# A second call begins while the first is at work, and goes on when that is over.
assert distributed.rollout(sv.Rules(), 5 * sv.BATCH, chunk=1, workers=2, progress=once) == expected
other["may end"].set()
thread.join()
assert other["is right"]
assert not ray.is_initialized() and dict(os.environ) == before
assert signal.getsignal(signal.SIGTERM) is handler
print("fine")
"""


@pytest.mark.parametrize("where", ["here", "there"])
def test_a_connection_lasts_as_long_as_the_call(where: str, cluster: Any) -> None:
    """Without RAY_ADDRESS a Ray is started and stopped, with it the cluster goes on; nothing else has changed."""
    # All else that Ray has set stays: how a cluster knows its programs is among it.
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    environment |= {"RAY_ADDRESS": cluster.address} if where == "there" else {}
    done = subprocess.run([sys.executable, "-c", ALONE], env=environment, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
    assert ray.is_initialized()
    assert distributed.rollout(RULES, 10) == sv.rollout(RULES, 10)


def test_a_cluster_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    program = "import savanna as sv; from savanna import distributed; distributed.rollout(sv.Rules(), 10)"
    for address, text in (("127.0.0.1:1", "refused"), ("nonsense", "Invalid address")):
        environment = {**os.environ, "RAY_ADDRESS": address}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8")
        *_, last = done.stderr.splitlines()
        assert last.startswith(f"savanna.errors.SavannaError: Ray on the cluster at RAY_ADDRESS='{address}': ")
        assert text in last


def test_ray_client_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the program is connected by it, or would be."""
    text = (
        r"Ray Client \(ray://\), which is not supported: run it on a machine of the cluster, or submit it as a Ray job$"
    )
    with monkeypatch.context() as patch:
        patch.setattr(ray.util.client.ray, "is_connected", lambda: True)
        with pytest.raises(sv.SavannaError, match=f"^this program is connected by {text}"):
            distributed.rollout(RULES, 10)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setenv("RAY_ADDRESS", "ray://127.0.0.1:10001")
    with pytest.raises(sv.SavannaError, match=f"^RAY_ADDRESS='ray://127.0.0.1:10001' is {text}"):
        distributed.rollout(RULES, 10)


@pytest.mark.parametrize("address", [None, "", "local"])
@pytest.mark.parametrize("times", [0, 1, 2])
def test_ctrl_c_leaves_no_half_started_ray(times: int, address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first waits until Ray has started and can be stopped; who cannot wait may press it again."""
    seen: list[object] = []

    def init(address: str, **options: object) -> None:
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        seen.append((address, options["num_cpus"], options["include_dashboard"]))

    client = SimpleNamespace(ray=SimpleNamespace(is_connected=lambda: False))
    fake = SimpleNamespace(
        init=init, shutdown=lambda: seen.append("stopped"), is_initialized=lambda: False, exceptions=ray.exceptions
    )
    monkeypatch.setattr(machines, "ray", SimpleNamespace(**vars(fake), util=SimpleNamespace(client=client)))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if address is not None:
        monkeypatch.setenv("RAY_ADDRESS", address)
    before = signal.getsignal(signal.SIGINT)
    try:
        with machines.connected(3):
            seen.append("used")
    except KeyboardInterrupt:
        seen.append("interrupted")
    started = ("local", 3, False)
    assert (
        seen
        == {
            0: [started, "used", "stopped"],
            1: [started, "stopped", "interrupted"],
            2: ["stopped", "interrupted"],
        }[times]
    )
    assert signal.getsignal(signal.SIGINT) is before


def test_no_more_processes_are_started_than_have_something_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    @contextmanager
    def noted(cpus: int) -> Iterator[None]:
        asked.append(cpus)
        yield

    for module in (parts, tournaments):
        monkeypatch.setattr(module, "connected", noted)
    distributed.rollout(RULES, 1000, workers=50)
    distributed.rollout(RULES, 5 * sv.BATCH, workers=50, chunk=1)
    distributed.rollout(RULES, 5 * sv.BATCH, workers=2, chunk=1, directory=tmp_path / "x")
    assert asked == [1, 5, 2]
    (tmp_path / "x" / "part-000003.json").unlink()
    distributed.rollout(RULES, 5 * sv.BATCH, workers=2, chunk=1, directory=tmp_path / "x")
    assert asked == [1, 5, 2, 1]
    for deals in (4, 4):  # the second time, the log has all games
        distributed.tournament(PLAYERS, deals=deals, workers=50, log=tmp_path / "log", resume=True)
        distributed.rollout(RULES, 5 * sv.BATCH, workers=2, chunk=1, directory=tmp_path / "x")
    assert asked == [1, 5, 2, 1, 8]


def test_errors_are_given_rather_than_raised_by_tasks() -> None:
    """Ray writes pages about errors of tasks that nobody asks for any more, since another has failed before."""

    def refuses(task: object) -> None:
        raise sv.SavannaError(f"not {task}")

    assert pool._do((pool.VERSIONS, ray.cloudpickle.dumps(refuses)), 7).error.args == ("not 7",)
    assert "has savanna" in str(pool._do((("0.0.1", 7), b""), 7).error)
    with closing(spread(refuses, range(3), 1, 1)) as results, pytest.raises(sv.SavannaError, match=r"^not 0$"):
        next(results)


def test_a_task_that_is_cancelled_is_one_error() -> None:
    def stops(_: int) -> None:
        raise KeyboardInterrupt

    text = r"^Ray has given a task up: .* was cancelled"
    with closing(spread(stops, range(1), 1, 1)) as results, pytest.raises(sv.SavannaError, match=text) as caught:
        next(results)
    assert "\n" not in str(caught.value)


def test_a_worker_with_another_version_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "VERSIONS", ("0.0.1", 7))
    text = rf"^a worker on \S+ has savanna {sv.__version__} with rules {sv.RULES_VERSION}, but this program has "
    with pytest.raises(sv.SavannaError, match=text + "savanna 0.0.1 with rules 7$"):
        distributed.rollout(RULES, 10)


def test_what_workers_cannot_load_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("class Mine:\n    def choose(self, view):\n        return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    player = importlib.import_module("only_here").Mine()
    with pytest.raises(sv.SavannaError, match=r"^a worker cannot load what plays the games: .*'only_here'$"):
        distributed.study(players=player, games=1)


def test_a_player_that_ends_its_process_is_named() -> None:
    with pytest.raises(sv.SavannaError, match=r"given up: deal \d among .*: seat \d, Quitter, at ply [45]$"):
        distributed.tournament([sv.players.Greedy(), EndsItsProcess()], deals=2, workers=2)
    with pytest.raises(sv.SavannaError, match=r"given up: deal \d among .*: seat 0, Quitter, at ply 4$"):
        distributed.study(players=EndsItsProcess(), games=4)


def test_it_says_what_a_cluster_without_cpus_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_PATIENCE", 0.0)
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"memory": 1.0})
    waiting = pool._Waiting(threads=2)
    with pytest.warns(RuntimeWarning, match=r"^the cluster has \d machines? and no CPU for tasks: waiting until"):
        waiting.look()
    waiting.look()  # once is enough


def test_a_task_that_is_lost_does_not_hide_the_error_of_another(tmp_path: Path) -> None:
    """Task 1 fails, and then task 0 loses its worker once and goes on."""

    def work(task: int) -> int:
        import time

        if task == 1:
            (tmp_path / "failed").touch()
            raise sv.SavannaError("task 1")
        while not (tmp_path / "failed").exists():
            time.sleep(0.01)
        time.sleep(0.5)
        if not (tmp_path / "lost").exists():
            (tmp_path / "lost").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    done: list[tuple[int, int]] = []
    with (
        closing(spread(work, range(2), slots=2, threads=1)) as results,
        pytest.raises(sv.SavannaError, match=r"^task 1$"),
    ):
        done.extend(results)
    assert done == [(0, 0)]
