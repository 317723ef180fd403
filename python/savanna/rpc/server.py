"""The process: what takes no time is answered in the order of arrival, long work is done meanwhile.

Four threads: one reads and one writes (`streams`), one works (`worker`), and the main thread, which Ctrl-C interrupts,
answers all the rest.
"""

import threading
import traceback
from collections.abc import Callable

from savanna import fields
from savanna.rpc import methods, protocol
from savanna.rpc.methods import CONTROL, Job, Session
from savanna.rpc.protocol import ErrorCode, Json, Lines, Request, RequestError
from savanna.rpc.streams import GoneError, Streams
from savanna.rpc.watch import watch_process
from savanna.rpc.worker import Task, Worker


def serve(source: int, sink: int, log: Callable[[str], None]) -> None:
    """Answer the messages that come from one file descriptor into another, until they end.

    `log` is called with what is done, and what goes wrong in the engine itself. Raises `GoneError` if nobody reads the
    answers any more. However it ends, no work goes on afterwards.
    """
    streams = Streams(source, sink)
    server = Server(streams, log)
    streams.start()
    try:
        server.run()
    finally:
        streams.close()
        server.worker.stop()


class Batch:
    """Gathers the answers to the messages of a batch, and sends them when it has all."""

    def __init__(self, size: int, send: Callable[[object], None]) -> None:
        self._size, self._send = size, send
        self._lock = threading.Lock()
        self._answers: list[Json] = []

    def reply(self, message: Json) -> None:
        """Take an answer."""
        with self._lock:
            self._answers.append(message)
            is_complete = len(self._answers) == self._size
        if is_complete:
            self._send(self._answers)


class Server:
    """One client's session, from its first message to the last."""

    def __init__(self, streams: Streams, log: Callable[[str], None]) -> None:
        self._streams, self._log = streams, log
        self._session = Session(lambda number: watch_process(number, streams.close))
        self._is_ending = False
        self.worker = Worker(streams, log)

    def run(self) -> None:
        """Answer until the input ends; then finish what was begun if `shutdown` asked for that, else cancel it."""
        self.worker.start()
        lines = Lines()
        while chunk := self._streams.read():
            for line in lines.cut(chunk):
                self._take(line)
        for line in lines.last():
            self._take(line)
        if not self._is_ending:
            self.worker.cancel(lambda _: True)
        self.worker.finish(self._streams.look)
        self._streams.drain()

    def _take(self, line: bytes | None) -> None:
        """Answer any line; blank lines are ignored."""
        if line is not None and (not line or line.isspace()):
            return
        try:
            message = protocol.message(line)
            if not isinstance(message, list):
                self._handle(_read(message), self._send)
                return
            members = [_read(member) for member in protocol.batch(message)]
        except RequestError as error:
            self._send(protocol.error_message(None, error))
            return
        wanted = sum(not (isinstance(member, Request) and member.is_notification) for member in members)
        batch = Batch(wanted, self._send)
        for member in members:
            self._handle(member, batch.reply)

    def _handle(self, request: Request | Json, reply: Callable[[Json], None]) -> None:
        """Answer a request, or let it wait until it is; what is not a request has its answer already."""
        if not isinstance(request, Request):
            reply(request)
            return
        self._log(fields.describe(request.method))
        try:
            result = self._result(request)
            if isinstance(result, Job):
                if not request.is_notification:  # else nobody would hear what comes of it
                    self.worker.add(Task(request, result, reply), None if self._is_ending else methods.LONGEST_QUEUE)
                return
            message = protocol.result_message(request.id, result)
        except RequestError as error:
            message = protocol.error_message(request.id, error)
        if not request.is_notification:
            reply(message)

    def _result(self, request: Request) -> object:
        """Return the result of a request, or the job that will give it. Raises `RequestError`."""
        try:
            if request.method in CONTROL:
                return self._control(request)
            if self._is_ending:
                raise RequestError(ErrorCode.INVALID_REQUEST, "shutdown has come before")
            return methods.answer(self._session, request)
        except (RequestError, GoneError):
            raise
        except Exception:
            self._log(traceback.format_exc())
            raise RequestError(ErrorCode.INTERNAL_ERROR, "internal error") from None

    def _control(self, request: Request) -> object:
        """Do what is asked about other requests."""
        given = methods.checked(self._session, request, CONTROL[request.method])
        if request.method == "cancel":
            return {"cancelled": self.worker.cancel(lambda it: it.id == given["id"] and it.method != "shutdown")}
        if self._is_ending:
            raise RequestError(ErrorCode.INVALID_REQUEST, "shutdown has come before")
        self._is_ending = True
        return Job(lambda _: None, None, tells=False)  # its turn comes when all before has been answered

    def _send(self, message: object) -> None:
        self._streams.write(protocol.line_of(message))


def _read(message: object) -> Request | Json:
    """Return the request that a message is, or the answer to what is none."""
    try:
        return protocol.request(message)
    except RequestError as error:
        return protocol.error_message(protocol.id_of(message), error)
