"""Files of records: read in bounded pieces, written so that nothing is lost."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from savanna import jsontext, locks
from savanna.arguments import wrong_type
from savanna.characters import escaped
from savanna.errors import RecordError

_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # so that opening a FIFO does not wait for its other end


# --------------------------------------------------------------------------------------------------------- where it is


def checked_path(path: object) -> Path:
    """Return the path of a file."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("path", "a path", path)
    return Path(path)


def where(path: Path) -> str:
    """Return a path as errors name it: in one line, and not too long."""
    text = escaped(str(path))
    return text if len(text) <= 120 else f"...{text[-117:]}"


@contextmanager
def named(place: str) -> Iterator[None]:
    """Put a place before the text of every error: the name of a file, the number of a line."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from None
    except OSError as error:
        raise RecordError(f"{place}: {error.strerror or error}") from None


# ------------------------------------------------------------------------------------------------------------- reading


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading; anything else (a directory, a FIFO, a device) is refused at once."""
    with named(where(path)):
        descriptor = _descriptor(path, os.O_RDONLY | _AT_ONCE)
    with os.fdopen(descriptor, "rb") as file:
        yield file


def content(path: Path) -> bytes:
    """Return what a file holds, up to one byte more than a record may have."""
    with opened(path) as file, named(where(path)):
        return file.read(jsontext.LONGEST_RECORD + 1)


def _descriptor(path: Path, flags: int) -> int:
    """Open a regular file and return its descriptor."""
    try:
        descriptor = os.open(path, flags | _FLAGS, 0o666)
    except ValueError as error:  # a null character in the path
        raise RecordError(str(error)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RecordError("not a regular file")
    return descriptor


def lines(place: str, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of a file, each with where it is: the name of the file and the number of the line, from 1 on.

    A line is never longer than `LONGEST_RECORD`: as much as that is read of it, and then `RecordError` is raised.
    """
    for number in count(1):
        here = f"{place}, line {number}"
        with named(here):
            line = file.readline(jsontext.LONGEST_RECORD + 1)
            if len(line) > jsontext.LONGEST_RECORD:
                raise RecordError(jsontext.TOO_LONG)
            if number == 1:
                line = jsontext.without_mark(line)
        if not line:
            return
        yield here, line


# ------------------------------------------------------------------------------------------------------------- writing


@contextmanager
def replacing(path: Path, scratch: Path | None = None) -> Iterator[Callable[[bytes], object]]:
    """Begin a file that takes the place of `path` when all has been written, and else leaves no trace.

    Until then it lies beside it, or in the directory `scratch` of the same drive. Yields the function that writes. A
    link keeps leading where it leads, and a file that is replaced hands down its permissions. Raises `RecordError` for
    what the system refuses; errors of the block itself pass as they are.
    """
    place = where(path)
    with named(place):
        target, mode = _target(path)
        name = locks.beside(target, f".{secrets.token_hex(8)}.tmp")
        beside = name if scratch is None else scratch / name.name
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
    file = os.fdopen(descriptor, "wb")

    def write(data: bytes) -> None:
        with named(place):
            file.write(data)

    try:
        if mode is not None:
            beside.chmod(mode)
        yield write
        with named(place):
            file.flush()
            os.fsync(file.fileno())
            file.close()
            beside.replace(target)
    except BaseException:  # Ctrl-C, too
        with contextlib.suppress(OSError):
            file.close()
        beside.unlink(missing_ok=True)
        raise


def _target(path: Path) -> tuple[Path, int | None]:
    """Return where a path leads, and the permissions of the file that is there, if there is one."""
    try:
        target = Path(os.path.realpath(path))
        status = target.stat()
    except FileNotFoundError:
        return target, None
    except ValueError as error:  # a null character in the path
        raise RecordError(str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        raise RecordError("not a regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target, stat.S_IMODE(status.st_mode)


@contextmanager
def locked(path: Path, patience: float = locks.PATIENCE) -> Iterator[None]:
    """Hold the lock of a file, as `locks.held` does, and name the file in what that raises."""
    with ExitStack() as stack:
        with named(where(path)):
            stack.enter_context(locks.held(path, patience))
        yield


class ChangedError(RecordError):
    """A file holds something else than this program has read or written there."""


def replace_known(path: Path, data: bytes, known: bytes | None) -> None:
    """Write a file, unless another program has written it: it holds `known`, or is not there (which None asks for).

    Raises `ChangedError`, or another `RecordError` for what the system refuses, and then the file is as it was.
    """
    with locked(path):
        if os.path.lexists(path) and content(path) not in (known, data):
            raise ChangedError(f"{where(path)}: another program has written it, so it is not written over")
        with replacing(path) as write:
            write(data)


def append_line(path: Path, line: bytes) -> None:
    """Add a line to the end of a file, all of it or nothing, with the line end that the first line has."""
    with locked(path), named(where(path)):
        descriptor = _descriptor(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _AT_ONCE)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            data = line + b"\n"
            if size:
                end = _line_end(file)
                file.seek(-1, os.SEEK_END)
                data = line + end if file.read(1) == b"\n" else end + line + end
            try:
                done = file.write(data)
                while done < len(data):
                    done += file.write(data[done:])
            except BaseException:
                file.truncate(size)
                raise


def _line_end(file: BinaryIO) -> bytes:
    """Return how the first line of a file ends, and check that it is a record by itself, so that another can follow."""
    file.seek(0)
    start = jsontext.without_mark(file.read(jsontext.LONGEST_RECORD + 1))
    first = start.lstrip().partition(b"\n")[0]
    try:
        record = jsontext.read(first)
    except RecordError:
        record = None
    if not isinstance(record, dict) or "format" not in record:
        raise RecordError("not a file of games line by line, so nothing was added")
    return b"\r\n" if first.endswith(b"\r") else b"\n"
