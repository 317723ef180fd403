"""Files of records: read in bounded pieces, written so that nothing is lost."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from savanna import jsontext
from savanna.arguments import wrong_type
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
    text = str(path)
    text = text if text.isprintable() else ascii(text)[1:-1]
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


def _descriptor(path: Path, flags: int) -> int:
    """Open a regular file and return its descriptor."""
    try:
        descriptor = os.open(path, flags | _FLAGS, 0o666)
    except ValueError as error:  # a null character in the path
        raise RecordError(str(error)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RecordError("it is no regular file")
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
        if not line:
            return
        yield here, line


# ------------------------------------------------------------------------------------------------------------- writing


@contextmanager
def replacing(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Begin a file that takes the place of `path` when all has been written, and else leaves no trace.

    Yields the function that writes. A link keeps leading where it leads, and a file that is replaced hands down its
    permissions. Raises `RecordError` for what the system refuses; errors of the block itself pass as they are.
    """
    place = where(path)
    with named(place):
        target, mode = _target(path)
        beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.tmp")
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
        raise RecordError("it is no regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target, stat.S_IMODE(status.st_mode)


def append_line(path: Path, line: bytes) -> None:
    """Add a line to the end of a file, all of it or nothing."""
    with named(where(path)):
        descriptor = _descriptor(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _AT_ONCE)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            data = line + b"\n"
            if size:
                _check_lines(file)
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            try:
                done = file.write(data)
                while done < len(data):
                    done += file.write(data[done:])
            except BaseException:
                file.truncate(size)
                raise


def _check_lines(file: BinaryIO) -> None:
    """Check that the first line of a file is a record by itself, so that another line can follow."""
    file.seek(0)
    first = file.read(jsontext.LONGEST_RECORD + 1).lstrip().partition(b"\n")[0]
    try:
        content = jsontext.read(first)
    except RecordError:
        content = None
    if not isinstance(content, dict) or "format" not in content:
        raise RecordError("it is no file of games line by line, so none is added")
