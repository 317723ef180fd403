"""Long work, done one task after the other in a thread of its own."""

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable

from savanna.rpc import methods, protocol
from savanna.rpc.methods import LONGEST_QUEUE, Job
from savanna.rpc.protocol import ErrorCode, Json, Request, RequestError
from savanna.rpc.streams import GoneError, Streams

_STOP_WITHIN = 5.0  # seconds that the work at hand is given to notice that it is to stop; it needs a twentieth
_LOOK_EVERY = 0.1  # how often it is looked whether a client that waits for the last answers is still there


class _StoppedError(Exception):
    """The work at hand is to stop."""


class Task:
    """A request that is being worked on or waits for it, and where its answer goes."""

    def __init__(self, request: Request, job: Job, reply: Callable[[Json], None]) -> None:
        self.request = request
        self.job = job
        self.reply = reply
        self.is_cancelled = False  # what has been cancelled is answered by an error,
        self.is_done = False  # what has been done by its result

    def cancelled(self) -> Json:
        """Return the message that it has been cancelled."""
        return protocol.error_message(self.request.id, RequestError(ErrorCode.CANCELLED, "cancelled"))


class Worker:
    """A thread that works, and the tasks that wait for it."""

    def __init__(self, streams: Streams, log: Callable[[str], None]) -> None:
        self._streams, self._log = streams, log
        self._changed = threading.Condition()
        self._waiting: deque[Task] = deque()
        self._at_work: Task | None = None
        self._is_over = False

    def start(self) -> None:
        """Begin to work."""
        threading.Thread(target=self._work_on, name="savanna engine worker", daemon=True).start()

    def add(self, task: Task, most: int | None = LONGEST_QUEUE) -> None:
        """Let a task wait for its turn. Raises `RequestError` if more than `most` would."""
        with self._changed:
            if most is not None and len(self._waiting) >= most:
                raise RequestError(ErrorCode.BUSY, f"{most} requests are waiting already", {"waiting": most})
            self._waiting.append(task)
            self._changed.notify_all()

    def cancel(self, which: Callable[[Request], bool]) -> bool:
        """Have these requests answered by errors; tell whether there were any. Those that wait are answered here."""
        with self._changed:
            waiting = [task for task in self._waiting if which(task.request)]
            self._waiting = deque(task for task in self._waiting if task not in waiting)
            current = self._at_work
            stops = current is not None and not current.is_done and which(current.request)
            if current is not None and stops:
                current.is_cancelled = True
        for task in waiting:
            task.reply(task.cancelled())
        return stops or bool(waiting)

    def finish(self, look: Callable[[], None]) -> None:
        """Wait until nothing is left to do; `look` is called now and then, and may raise."""
        with self._changed:
            while self._waiting or self._at_work is not None:
                self._changed.wait(_LOOK_EVERY)
                look()

    def stop(self) -> None:
        """Drop all that waits, end what is at work, and work no more."""
        with self._changed:
            self._is_over = True
            self._waiting.clear()
            self._changed.notify_all()
            if self._at_work is not None:
                self._at_work.is_cancelled = True
            self._changed.wait_for(lambda: self._at_work is None, _STOP_WITHIN)

    def _work_on(self) -> None:
        """Do one task after the other, as long as anybody is there to be answered."""
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._is_over)
                    if self._is_over:
                        return
                    self._at_work = task = self._waiting.popleft()
                task.reply(self._answer(task))
                self._is_idle()
        except GoneError:
            self._is_idle()

    def _is_idle(self) -> None:
        with self._changed:
            self._at_work = None
            self._changed.notify_all()

    def _answer(self, task: Task) -> Json:
        """Do the work of a task; return the message that answers it. Raises `GoneError`."""
        identity, start = task.request.id, time.monotonic()

        def progress(done: int) -> None:
            if task.is_cancelled:
                raise _StoppedError
            if task.job.tells:
                self._streams.offer(protocol.line_of(protocol.progress_message(identity, done, task.job.total)))

        try:
            message = protocol.result_message(identity, methods.translated(lambda: task.job.work(progress)))
        except _StoppedError:
            message = task.cancelled()
        except RequestError as error:
            message = protocol.error_message(identity, error)
        except GoneError:
            raise
        except Exception:
            self._log(traceback.format_exc())
            message = protocol.error_message(identity, RequestError(ErrorCode.INTERNAL_ERROR, "internal error"))
        with self._changed:
            task.is_done = True
        self._log(f"{task.request.method} took {time.monotonic() - start:.3f} s")
        return task.cancelled() if task.is_cancelled else message
