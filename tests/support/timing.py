"""How long things take, told so that other programs on the machine do not show."""

import time

import psutil

PATIENCE = 300.0
"""Seconds after which whatever is waited for will never come, on the slowest of machines."""


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process, of all its threads: unlike the clock, it stands while others run."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def let_work(pid: int, seconds: float) -> float:
    """Wait until a process has worked for so long, and return the processor time that it has used by then."""
    end = processor_seconds(pid) + seconds
    while (used := processor_seconds(pid)) < end:
        assert psutil.Process(pid).status() != psutil.STATUS_ZOMBIE, "it has ended"
        time.sleep(0.02)
    return used
