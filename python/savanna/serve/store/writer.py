"""The one thread that writes to the database. What waits is committed together, and is answered only then."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")

Job: TypeAlias = tuple[Callable[[Connection], Any], Future[Any]]
"""A change, and who waits for what comes of it."""

_TOGETHER = 128
"""How many changes are committed together at most."""


class Writer:
    """Makes changes to a database, each of them whole or not at all, in the order in which they are asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="savanna-writer")
        self._thread.start()

    def do(self, change: Callable[[Connection], T]) -> "Future[T]":
        """Ask for a change; the future has its result when it is on the disk, or the error that undid it."""
        future: Future[T] = Future()
        self._waiting.put((change, future))
        return future

    def close(self) -> None:
        """Make what has been asked for, and end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engine.connect() as connection:
            ended = False
            while not ended and (first := self._waiting.get()) is not None:
                together = [first]
                while len(together) < _TOGETHER and not self._waiting.empty():
                    another = self._waiting.get()
                    if another is None:
                        ended = True
                        break
                    together.append(another)
                commit(connection, [it for it in together if it[1].set_running_or_notify_cancel()])


def commit(connection: Connection, changes: list[Job]) -> None:
    """Make changes in one transaction, or if that fails, as when the disk gets full, each in one of its own."""
    try:
        outcomes = made(connection, changes)
    except Exception as error:  # who asked for it is told
        if len(changes) == 1:
            changes[0][1].set_exception(error)
        else:
            for change in changes:
                commit(connection, [change])
        return
    for (_, future), (result, failure) in zip(changes, outcomes, strict=True):
        if failure is None:
            future.set_result(result)
        else:
            future.set_exception(failure)


def made(connection: Connection, changes: list[Job]) -> list[tuple[Any, Exception | None]]:
    """Return what came of each change, or the error that undid it alone; raise if the whole transaction is undone."""
    outcomes: list[tuple[Any, Exception | None]] = []
    with connection.begin():
        if len(changes) == 1:
            return [(changes[0][0](connection), None)]
        for change, _ in changes:
            point = connection.begin_nested()
            try:
                outcomes.append((change(connection), None))
            except Exception as error:  # who asked for it is told
                point.rollback()
                outcomes.append((None, error))
            else:
                point.commit()
    return outcomes
