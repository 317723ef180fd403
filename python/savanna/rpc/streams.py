"""The two pipes to the client: read a piece ahead by one thread, written by another, bounded both ways."""

import os
import select
import threading
import time
from collections import deque

_PIECE = 1 << 16  # how much is read at once
_SLICE = 1 << 12  # how much is written at once: only when that is taken, it shows that the client reads
_ROOM = 1 << 20  # how many bytes may wait before writing has to
_TICK = 0.1  # how often those who wait look whether the client is still there
_GRACE = 3.0  # how long a client that has closed its side may take nothing of what waits for it

# Ctrl-C wakes those who wait for ever on POSIX alone.
_FOR_EVER = None if os.name == "posix" else _TICK


class GoneError(Exception):
    """Nobody reads what is written any more; `reason` is what the system said, None if it is just so."""

    def __init__(self, reason: OSError | None = None) -> None:
        super().__init__(reason)
        self.reason = reason


def _is_left(descriptor: int) -> bool:
    """Tell whether the other side of a pipe is closed, even if there is something left to read in it."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


class Streams:
    """Bytes from one file descriptor, lines to another.

    A client that does not read is not read from either: writers wait when `_ROOM` bytes do. Only if such a
    client has closed its side as well, it is given up after `_GRACE` seconds. One thread calls `read`, any may write.
    """

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._changed = threading.Condition()
        self._chunk: bytes | None = None  # what has been read and not been taken; b"" at the end
        self._has_left = False  # the client will send no more than what is in the pipe
        self._waiting: deque[bytes] = deque()
        self._size = 0  # of those, and of what is being written
        self._moved = time.monotonic()  # when something was last taken, or began to wait
        self._gone: GoneError | None = None

    def start(self) -> None:
        """Begin to read and to write."""
        if os.name == "posix":
            for descriptor in (self._source, self._sink):
                os.set_blocking(descriptor, True)
        for work in (self._read_on, self._write_on):
            threading.Thread(target=work, name=f"savanna engine{work.__name__}", daemon=True).start()

    def read(self) -> bytes:
        """Return the next bytes, b"" at the end. Raises `GoneError` as soon as nobody reads what is written."""
        with self._changed:
            while self._chunk is None and self._gone is None:
                self._changed.wait(_FOR_EVER)
            self._check()
            chunk = self._chunk
            if chunk:
                self._chunk = None
                self._changed.notify_all()
            return chunk or b""

    def write(self, line: bytes) -> None:
        """Have a line written, when there is room for it. Raises `GoneError`."""
        with self._changed:
            while self._size >= _ROOM:
                self._changed.wait(_TICK)
                self._check()
            self._check()
            self._put(line)

    def offer(self, line: bytes) -> None:
        """Have a line written if nothing waits before it; it is dropped otherwise. Raises `GoneError`."""
        with self._changed:
            self._check()
            if not self._size:
                self._put(line)

    def drain(self) -> None:
        """Wait until all has been written. Raises `GoneError`."""
        with self._changed:
            while self._size:
                self._changed.wait(_TICK)
                self._check()
            self._check()

    def look(self) -> None:
        """Raise `GoneError` if nobody would read what might still be written."""
        with self._changed:
            if _is_left(self._sink):
                self._gone = GoneError()
            self._check()

    def close(self) -> None:
        """Forget what is not written yet, and let nobody wait or write any more."""
        with self._changed:
            self._gone = self._gone or GoneError()
            self._changed.notify_all()

    def _put(self, line: bytes) -> None:
        if not self._size:
            self._moved = time.monotonic()
        self._waiting.append(line)
        self._size += len(line)
        self._changed.notify_all()

    def _check(self) -> None:
        if self._has_left and self._size and time.monotonic() - self._moved > _GRACE:
            self._gone = GoneError()
        if self._gone is not None:
            raise self._gone

    def _read_on(self) -> None:
        """Read to the end, no more than a piece ahead."""
        while True:
            try:
                chunk = os.read(self._source, _PIECE)
            except OSError:  # the terminal that was read from is closed, or the like
                chunk = b""
            with self._changed:
                self._chunk = chunk
                self._changed.notify_all()
                if self._gone is not None:
                    return
                if not chunk:
                    self._leave()
                    return
                while self._chunk is not None and self._gone is None:
                    self._changed.wait(None if self._has_left else _TICK)
                    if not self._has_left and _is_left(self._source):
                        self._leave()

    def _leave(self) -> None:
        if not self._has_left:
            self._has_left = True
            self._moved = time.monotonic()
            self._changed.notify_all()

    def _write_on(self) -> None:
        """Write what waits, as long as anybody takes it."""
        while True:
            with self._changed:
                while not self._waiting and self._gone is None:
                    self._changed.wait()
                if self._gone is not None:
                    return
                data = b"".join(self._waiting)
                self._waiting.clear()
            try:
                self._write_all(memoryview(data))
            except OSError as error:
                with self._changed:
                    self._gone = GoneError(None if isinstance(error, BrokenPipeError) else error)
                    self._changed.notify_all()
                return

    def _write_all(self, data: memoryview) -> None:
        while data:
            done = os.write(self._sink, data[:_SLICE])
            data = data[done:]
            with self._changed:
                self._size -= done
                self._moved = time.monotonic()
                if not self._size or (self._size < _ROOM <= self._size + done):
                    self._changed.notify_all()
