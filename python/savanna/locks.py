"""Files that one program writes at a time: the second program is told which one."""

import contextlib
import errno
import hashlib
import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from savanna.arguments import quoted
from savanna.errors import RecordError

PATIENCE = 5.0
"""For how many seconds to wait for somebody who writes a line or a small file."""

_LONGEST_SIGN = 1000


def beside(path: Path, ending: str) -> Path:
    """Return the path of a hidden file beside another; of a long name only the beginning and a fingerprint are kept."""
    name = path.name
    if len(os.fsencode(name)) > 200:  # most systems allow 255 bytes
        name = f"{name[:30]}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"
    return path.with_name(f".{name}{ending}")


@contextmanager
def held(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock of a file, so that no other program or thread writes it.

    The lock is the file `.NAME.lock` beside it, which is removed in the end; what a killed program leaves of it holds
    nobody up, since the system ends a program's locks. Raises `RecordError`, which says who writes, if the lock is not
    free for that many seconds, and `OSError` if the system refuses it, as on a network drive without locks.
    """
    from filelock import FileLock, Timeout  # here, since `import savanna` need not pay for it

    try:
        target = Path(os.path.realpath(path))
        if not stat.S_ISDIR(target.parent.stat().st_mode):  # a folder that is not there filelock would make
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if target.exists() and not target.is_file():
            raise RecordError("not a regular file")
        lock_path = beside(target, ".lock")
    except ValueError as error:  # a null character in the path
        raise RecordError(str(error)) from None
    lock = FileLock(
        lock_path, timeout=patience, poll_interval=0.01, thread_local=False, fallback_to_soft=False, on_acquired=_sign
    )
    try:
        lock.acquire()
    except Timeout:
        raise RecordError(f"it is being written by {_holder(lock_path)}") from None
    try:
        yield
    finally:
        if os.name == "posix":  # elsewhere filelock does it; one who waits for the removed file takes a new one
            lock_path.unlink(missing_ok=True)
        lock.release()


def _sign(descriptor: int) -> None:
    """Write into a lock file who holds it; after a blank, as Windows lets nobody read the byte that is locked."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    sign = {"process": os.getpid(), "host": socket.gethostname(), "since": now}
    with contextlib.suppress(OSError):  # on a full disk, the lock holds without it
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, b" " + json.dumps(sign).encode("ascii"))


def _holder(lock_path: Path) -> str:
    """Return who holds a lock, as far as that can be read."""
    try:
        with lock_path.open("rb", buffering=0) as file:
            file.seek(1)
            sign = json.loads(file.read(_LONGEST_SIGN))
        host, process, since = quoted(str(sign["host"])), int(sign["process"]), quoted(str(sign["since"]))
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        return "another program"
    return f"process {process} on {host.strip(chr(39))} since {since.strip(chr(39))}"
