"""The machines: Ray on this one alone, or the cluster that the environment variable RAY_ADDRESS names."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from savanna.errors import SavannaError

try:
    import ray
except ImportError as _error:
    raise ImportError("savanna.distributed needs Ray: pip install 'savanna-core[ray]'") from _error

# What a Ray that is started here, for one call, is told. Nothing is sent to Ray's makers unless somebody has asked for
# it; no accelerator is used, so Ray's advice about them is of no use.
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}

_PATIENCE = 10.0  # seconds that a cluster has to answer


@contextmanager
def connected(cpus: int) -> Iterator[None]:
    """Be connected to Ray: as the caller is already, or to the cluster of RAY_ADDRESS, or to one of this call's own.

    The last has so many `cpus` for tasks, and is stopped in the end; any other goes on.
    Raises `SavannaError` if there is no cluster at the address.
    """
    if ray.is_initialized():
        yield
        return
    address = os.environ.get("RAY_ADDRESS")
    with ExitStack() as stack:
        stack.enter_context(_same_sigterm())
        stack.enter_context(_environment())
        options = {} if address else {"num_cpus": cpus, "include_dashboard": False}
        try:
            if address:
                _look_for(address)
            ray.init(address or "local", logging_level=logging.ERROR, log_to_driver=False, **options)
        except (OSError, RuntimeError, ValueError) as error:
            where = f"the cluster at RAY_ADDRESS={address!r}" if address else "this machine"
            raise SavannaError(f"Ray on {where}: {' '.join(str(error).split())[:300]}") from None
        stack.callback(ray.shutdown)
        yield


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
    """Give SIGTERM back to whoever had it: Ray takes it when it connects. Only the main thread can do that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
