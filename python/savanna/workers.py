"""Work on many things by several threads, and take the results in order."""

import math
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError

Progress: TypeAlias = Callable[[int, int], object]

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 8
"""Results per thread that may wait for an earlier one."""

PAUSE = 0.05
"""Seconds between progress calls, at least."""

FAREWELL = 0.1
"""Seconds to wait for threads that are no longer needed; their present move may take longer."""


def cores() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew_of(threads: object) -> int:
    """Return how many threads are to work: those asked for, 1 to 1024, or one for each core if it is None."""
    return cores() if threads is None else integer("threads", threads, 1, 1024, SavannaError)


class Pace:
    """Calls `progress`, if there is one, with how many are done and of how many, but not too often."""

    def __init__(self, progress: Progress | None) -> None:
        if progress is not None and not callable(progress):
            raise wrong_type("progress", "a function", progress)
        self._progress = progress
        self._told = -math.inf

    def tell(self, done: int, total: int, *, is_last: bool = False) -> None:
        """Tell of it if it is time again, and the last time in any case."""
        if self._progress is not None and (is_last or time.monotonic() - self._told >= PAUSE):
            self._progress(done, total)
            self._told = time.monotonic()


def in_order(
    tasks: Iterable[T], work: Callable[[T, Callable[[], bool]], R], threads: int, farewell: float = FAREWELL
) -> Generator[R, None, None]:
    """Yield `work(task, stopped)` for every task, in the order of the tasks, whichever is done first.

    What is raised by `work` is raised here when it is that task's turn. When that happens, or the generator is closed,
    `stopped()` becomes true for those that still work, and the threads end; they are waited for `farewell` seconds. One
    thread is the calling one, so that Ctrl-C reaches at once what it does; more are threads of their own, made for this
    call alone.
    """
    if threads == 1:
        yield from (work(task, lambda: False) for task in tasks)
        return
    crew = _Crew(tasks, work, threads)
    try:
        yield from crew.results()
    finally:
        crew.dismiss(farewell)


@dataclass
class _Done(Generic[R]):
    """What became of a task: a result or an error."""

    result: R | None
    error: BaseException | None

    def get(self) -> R:
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # a result may itself be None


class _Crew(Generic[T, R]):
    """Threads that take numbered tasks from one iterator and put what becomes of them into one queue."""

    def __init__(self, tasks: Iterable[T], work: Callable[[T, Callable[[], bool]], R], threads: int) -> None:
        self._tasks = enumerate(tasks)
        self._taking = threading.Lock()
        self._work = work
        self._room = threading.Semaphore(AHEAD * threads)
        self._stop = threading.Event()
        self._done: queue.SimpleQueue[tuple[int, _Done[R]] | None] = queue.SimpleQueue()  # None: no task is left
        # Daemons, so that a player that never answers does not keep the program from ending.
        self._threads = [threading.Thread(target=self._run, name="savanna game", daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def _run(self) -> None:
        while self._room.acquire() and not self._stop.is_set():
            with self._taking:
                task = next(self._tasks, None)
            if task is None:
                break
            try:
                done = _Done(self._work(task[1], self._stop.is_set), None)
            except BaseException as error:
                done = _Done(None, error)
            self._done.put((task[0], done))
        self._done.put(None)

    def results(self) -> Iterator[R]:
        """Yield the results in order."""
        early: dict[int, _Done[R]] = {}
        turn, at_work = 0, len(self._threads)
        while at_work or early:
            while turn in early:
                yield early.pop(turn).get()
                self._room.release()
                turn += 1
            if at_work:
                try:
                    item = self._done.get(timeout=0.1)  # on Windows, Ctrl-C is not looked at while this waits
                except queue.Empty:
                    continue
                if item is None:
                    at_work -= 1
                else:
                    early[item[0]] = item[1]

    def dismiss(self, farewell: float) -> None:
        """Let the threads end after what they are at, and wait for them at most `seconds` seconds."""
        self._stop.set()
        for _ in self._threads:
            self._room.release()
        until = time.monotonic() + farewell
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
