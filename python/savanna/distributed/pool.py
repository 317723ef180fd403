"""Work on many things by Ray's workers, wherever they are."""

import pickle
import platform
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import ray

from savanna._core import RULES_VERSION, __version__
from savanna.arena import games
from savanna.arena.lineup import one_line
from savanna.errors import SavannaError

T = TypeVar("T")
R = TypeVar("R")

RETRIES = 20
"""So often a task is done again when its worker or machine was lost, before something must be wrong with the task."""

VERSIONS = (__version__, RULES_VERSION)
"""What all machines must have the same of: others might play other games."""

_LOOK = 0.1  # seconds; for so long Ctrl-C has to wait
_CENSUS = 1.0  # seconds; so often a cluster is asked how large it is
_PATIENCE = 5.0  # seconds that a cluster without CPUs may take to get some before anything is said
_AIM = 0.5  # seconds that a bundle of small tasks should take
_MOST = 4096  # tasks in a bundle


def spread(
    work: Callable[[T], R], tasks: Iterable[T], slots: int | None, threads: int
) -> Generator[tuple[T, R], None, None]:
    """Yield each task with `work(task)`, in the order in which they are done.

    A task takes `threads` of the cluster's CPUs. At most `slots` are at work at once, and not more than there are CPUs
    for; if these are the bound, as many tasks wait for them. A task whose worker dies is done again, but for one that
    has ended workers twice while the same player was to answer in the same place. What `work` raises
    is raised here; of several tasks that fail, it is what the first of them in order raises. When the generator is
    closed, tasks that are not done are given up. Raises `SavannaError` if no machine has that number of CPUs.
    """
    largest = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    waiting = _Waiting(threads) if largest == 0 else None  # a cluster that has none yet may be about to grow
    if 0 < largest < threads:
        raise SavannaError(f"threads must be 1 to {largest}, the CPUs of the largest machine, got {threads}")
    # Ray does nothing again by itself, since it could not tell a task that ends its worker from one without luck.
    remote, packed = ray.remote(num_cpus=threads, max_retries=0)(_do), _packed(work)
    queue = iter(tasks)
    running: dict[Any, T] = {}  # in the order of the tasks
    losses: dict[Any, _Losses] = {}  # of those that have been lost before
    failure: Exception | None = None
    room = _Room(slots, threads)
    try:
        while True:
            for task in islice(queue, max(0, room.now() - len(running))):
                running[remote.remote(packed, task)] = task
            if not running:
                if failure is not None:
                    raise failure
                return
            ray.wait(list(running), timeout=_LOOK)
            if waiting is not None:
                waiting.look()
            done, _ = ray.wait(list(running), num_returns=len(running), timeout=0)  # all that are there by now
            for ref in done:
                try:
                    result = _result(ref)
                except Exception as error:
                    again = losses.pop(ref, None) or _Losses()
                    reason = again.failure(error)
                    if reason is None:
                        anew = remote.remote(packed, running[ref], again.witness)
                        losses[anew] = again
                        running = {anew if it == ref else it: task for it, task in running.items()}
                        continue
                    failure, queue = reason, iter(())  # tasks before this one go on, since they may fail, too
                    while (last := running.popitem()[0]) != ref:
                        ray.cancel(last, force=True)
                    break
                yield running.pop(ref), result
    finally:
        for ref in running:
            ray.cancel(ref, force=True)


class _Waiting:
    """Says once what is waited for, if a cluster without CPUs has not grown after some seconds."""

    def __init__(self, threads: int) -> None:
        self._threads, self._since, self._is_told = threads, time.monotonic(), False

    def look(self) -> None:
        """Look at the time, and at the cluster if it is time."""
        if self._is_told or time.monotonic() - self._since < _PATIENCE:
            return
        self._is_told = True
        if int(ray.cluster_resources().get("CPU", 0)) < self._threads:
            machines = sum(node["Alive"] for node in ray.nodes())
            has = f"{machines} machine{'s' * (machines != 1)} and no CPU for tasks"
            needs = f"{self._threads} CPU{'s' * (self._threads != 1)}"
            text = f"the cluster has {has}: waiting until a machine with {needs} joins it"
            warnings.warn(text, RuntimeWarning, stacklevel=2)


@dataclass
class _Room:
    """How many tasks may be under way, at work or waiting for it."""

    slots: int | None
    threads: int
    _places: int = 0
    _asked: float = 0.0

    def now(self) -> int:
        """Return how many; a cluster may grow and shrink."""
        if not self._places or time.monotonic() - self._asked >= _CENSUS:
            self._places = max(1, int(ray.cluster_resources().get("CPU", 0)) // self.threads)
            self._asked = time.monotonic()
        if self.slots is not None and self.slots < self._places:
            return self.slots  # one that waited would find a place
        return 2 * self._places


def _packed(work: Callable[[T], R]) -> Any:
    """Return what is to be done, and for whom, as workers are sent it: once, and then named by every task."""
    try:
        return ray.put((VERSIONS, ray.cloudpickle.dumps(work)))
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise TypeError(f"what plays the games cannot be sent to other processes: {one_line(str(error))}") from None


_LOST = (
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.ObjectLostError,
)
"""What Ray says of a task whose worker or machine, or whose result, is not there any more."""


class _Witness:
    """Knows what a worker was about to do, and outlives it."""

    def __init__(self) -> None:
        self._place: str | None = None

    def see(self, place: str) -> None:
        self._place = place

    def place(self) -> str | None:
        return self._place


class _Losses:
    """How often a task was lost, and where it was the last time."""

    def __init__(self) -> None:
        self._times = 0
        self._place: str | None = None
        self.witness: Any = None

    def failure(self, error: Exception) -> Exception | None:
        """Return why the task is given up after an error; None if it is to be done again, as the task was but lost."""
        if not isinstance(error, _LOST):
            return error
        self._times += 1
        place = None
        if self.witness is None:
            self.witness = ray.remote(num_cpus=0)(_Witness).remote()
        else:
            try:
                place = ray.get(self.witness.place.remote())
            except ray.exceptions.RayActorError:  # it was on a machine that was lost
                self.witness = ray.remote(num_cpus=0)(_Witness).remote()
        if place is not None and place == self._place:
            return SavannaError(f"a worker has ended again at the same place, so the game is given up: {place}")
        if self._times > RETRIES:
            return SavannaError(f"a task was lost {self._times} times: {one_line(str(error))}")
        self._place = place
        return None


@dataclass(frozen=True)
class _Refused:
    """A `SavannaError`, given rather than raised: Ray would print those of tasks that nobody asks for any more."""

    error: SavannaError


def _do(packed: tuple[tuple[str, int], bytes], task: object, witness: Any = None) -> Any:
    """Do a task; this is what workers call. A witness is told what goes on, since the last worker did not live."""
    games.told = None if witness is None else lambda place: ray.get(witness.see.remote(place))
    try:
        return _loaded(*packed)(task)
    except SavannaError as error:
        return _Refused(error)


def _loaded(versions: tuple[str, int], pickled: bytes) -> Callable[[Any], Any]:
    """Return what is to be done with tasks."""
    if versions != VERSIONS:
        theirs, ours = (f"savanna {version} with rules {rules}" for version, rules in (versions, VERSIONS))
        raise SavannaError(f"a worker on {platform.node()} has {ours}, but this program has {theirs}")
    try:
        work: Callable[[Any], Any] = ray.cloudpickle.loads(pickled)
    except Exception as error:
        raise SavannaError(f"a worker cannot load what plays the games: {one_line(str(error))}") from None
    return work


def _result(ref: Any) -> Any:
    """Return what a task has given, or raise what it has raised."""
    try:
        result = ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ray.exceptions.RayError):
            raise SavannaError(f"Ray has given a task up: {one_line(str(error.cause))}") from None
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except _LOST:
        raise
    except ray.exceptions.RayError as error:
        raise SavannaError(f"Ray has given a task up: {one_line(str(error))}") from None
    if isinstance(result, _Refused):
        raise result.error
    return result


@dataclass
class _Bundles:
    """How many small tasks are sent together, so that sending them takes little of the time."""

    size: int = 1

    def see(self, tasks: int, seconds: float) -> None:
        """Take note of the time that a bundle of `size` parts took."""
        if seconds < _AIM / 2 and tasks >= self.size:
            self.size = min(2 * tasks, _MOST)
        elif seconds > 2 * _AIM:
            self.size = max(1, tasks // 2)

    def of(self, tasks: Iterable[T]) -> Iterator[tuple[int, list[T]]]:
        """Yield the tasks in numbered bundles."""
        queue, number = iter(tasks), 0
        while bundle := list(islice(queue, self.size)):
            yield number, bundle
            number += 1


def in_order(
    tasks: Iterable[T], work: Callable[[T, Callable[[], bool]], R], slots: int | None
) -> Generator[R, None, None]:
    """Yield `work(task, stopped)` for every task in the order of the tasks, as `savanna.workers.in_order` does.

    Nobody stops a task from outside but by ending its worker, so `stopped()` is always false.
    """
    bundles = _Bundles()
    early: dict[int, list[R]] = {}
    turn = 0

    def play(bundle: tuple[int, list[T]]) -> tuple[list[R], float]:
        start = time.perf_counter()
        return [work(task, lambda: False) for task in bundle[1]], time.perf_counter() - start

    with closing(spread(play, bundles.of(tasks), slots, threads=1)) as done:
        for (number, bundle), (results, seconds) in done:
            bundles.see(len(bundle), seconds)
            early[number] = results
            while turn in early:
                yield from early.pop(turn)
                turn += 1
