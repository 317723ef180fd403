"""The machines: Ray on this one alone, or the cluster that the environment variable RAY_ADDRESS names."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

from savanna.errors import SavannaError

try:
    import ray
except ImportError as _error:
    raise ImportError("savanna.distributed needs Ray: pip install 'savanna-core[ray]'") from _error

# What a Ray that is started here, for one call, is told. Nothing is sent to Ray's makers unless somebody has asked for
# it; no accelerator is used, so Ray's advice about them is of no use.
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}

_SILENT: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}

_CLIENT = "Ray Client (ray://), which is not supported: run it on a machine of the cluster, or submit it as a Ray job"

_PATIENCE = 10.0  # seconds that a cluster has to answer


@contextmanager
def connected(cpus: int) -> Iterator[None]:
    """Be connected to Ray: as the caller is already, or to the cluster of RAY_ADDRESS, or to one of this call's own.

    The last has `cpus` CPUs for tasks, and is stopped in the end; any other goes on. Calls of several threads at the
    same time share what the first of them has begun, and the last one ends it.
    Raises `SavannaError` if there is no cluster at the address, and for Ray Client.
    """
    if ray.util.client.ray.is_connected():
        raise SavannaError(f"this program is connected by {_CLIENT}")
    with _same_sigterm():
        ours = _CONNECTION.join(cpus)
        try:
            yield
        finally:
            if ours:
                _CONNECTION.leave()


class _Connection:
    """The connection of a program that had none, and how many calls are at work on it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls = 0
        self._end = ExitStack()

    def join(self, cpus: int) -> bool:
        """Begin to use it; false if the program has one of its own."""
        with self._lock:
            if self._calls == 0:
                if ray.is_initialized():
                    return False
                self._end = _begun(cpus)
            self._calls += 1
            return True

    def leave(self) -> None:
        """Use it no longer."""
        with self._lock:
            self._calls -= 1
            if self._calls == 0:
                self._end.close()


_CONNECTION = _Connection()


def _begun(cpus: int) -> ExitStack:
    """Connect to the cluster of RAY_ADDRESS, or start a Ray with `cpus` CPUs; return what ends that."""
    address = os.environ.get("RAY_ADDRESS") or "local"
    if address.startswith("ray://"):
        raise SavannaError(f"RAY_ADDRESS={address!r} is {_CLIENT}")
    with ExitStack() as stack:
        stack.enter_context(_environment())
        stack.callback(ray.shutdown)
        try:
            if address == "local":
                with _started_whole():
                    ray.init(address, num_cpus=cpus, include_dashboard=False, **_SILENT)
            else:
                _look_for(address)
                ray.init(address, **_SILENT)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            where = "this machine" if address == "local" else f"the cluster at RAY_ADDRESS={address!r}"
            raise SavannaError(f"Ray on {where}: {' '.join(str(error).split())[:300]}") from None
        return stack.pop_all()


@contextmanager
def _started_whole() -> Iterator[None]:
    """Let Ctrl-C wait until Ray has started, since nobody could stop what is half started. A second one does not wait.

    Only the main thread is told of it.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    early = []

    def wait(number: int, frame: FrameType | None) -> None:
        early.append(number)
        if len(early) > 1:
            before(number, frame)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if early:
        before(signal.SIGINT, None)


def _look_for(address: str) -> None:
    """Raise `OSError` if nobody answers at the address: Ray itself goes on trying for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


@contextmanager
def _environment() -> Iterator[None]:
    """Set the environment for Ray's processes, but for what the user has set; then take back that and Ray's own."""
    before = _variables()
    try:
        os.environ.update({**_QUIET, **before})
        yield
    finally:
        for name in _variables().keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


def _variables() -> dict[str, str]:
    """Return what concerns Ray in the environment; it also lets `breakpoint` lead to a debugger of its own."""
    return {name: it for name, it in os.environ.items() if name.startswith("RAY_") or name == "PYTHONBREAKPOINT"}


@contextmanager
def _same_sigterm() -> Iterator[None]:
    """Restore the former handler of SIGTERM: Ray takes it when it connects. Only the main thread can do that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
