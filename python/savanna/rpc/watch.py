"""Whether another process is still there: an engine ends with the one that it serves."""

import os
import select
import threading
import time
from collections.abc import Callable

from savanna.errors import RecordError

_LOOK = 0.25  # seconds between two looks


def watch_process(number: int, when_gone: Callable[[], None]) -> None:
    """Call `when_gone` on another thread soon after the process of that number has ended.

    On Linux it has ended even if its parent has not asked how; where the system tells no more, it is then there until
    somebody does. Raises `RecordError` if there is no such process, or the system cannot be asked.
    """
    is_there = _look_at(number)
    if not is_there():
        raise RecordError(f"processId: there is no process {number}")

    def look() -> None:
        while is_there():
            time.sleep(_LOOK)
        when_gone()

    threading.Thread(target=look, name="savanna engine watch", daemon=True).start()


def _look_at(number: int) -> Callable[[], bool]:
    """Return the function that tells whether a process is there."""
    if os.name != "posix":
        return _look_at_windows(number)
    try:
        if hasattr(os, "pidfd_open"):  # names this very process, also if its number is used again
            descriptor = os.pidfd_open(number)
            return lambda: not select.select([descriptor], [], [], 0)[0]
    except (ProcessLookupError, OverflowError, ValueError):
        return lambda: False
    except OSError:  # a kernel without it
        pass
    return lambda: _answers(number)


def _answers(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def _look_at_windows(number: int) -> Callable[[], bool]:
    import ctypes

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (it is there on Windows alone)
    handle = kernel.OpenProcess(0x00100000, False, number)  # SYNCHRONIZE
    return lambda: bool(handle) and kernel.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT
