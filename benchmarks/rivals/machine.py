"""What the race runs on, and how it is kept to one core."""

import os
import platform
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

FLAGS = ("sse2", "ssse3", "avx2", "bmi2", "avx512f", "avx512dq", "avx512bw", "avx512vbmi")
PACKAGES = ("savanna-core", "numpy", "numba", "jax", "pgx", "open_spiel", "pettingzoo", "pygame")
ONE_THREAD = {
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def keep_to_one_core() -> None:
    """Tell the libraries, before they are imported, to use one thread; on Linux also bind this process to one core.

    Threads that are started later stay on that core, which is what holds XLA to it.
    """
    os.environ.update(ONE_THREAD)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


@contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Let this thread, and those that it starts, use some cores for a while."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cores() -> set[int]:
    """Return the cores that this process may use now."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))


def load() -> str:
    """Return how many processes wanted to run in the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def processor() -> tuple[str, str]:
    """Return the processor's name and its vector extensions, which Linux tells in a file."""
    cpuinfo = Path("/proc/cpuinfo")
    facts: dict[str, str] = {}
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else []:
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    has = facts.get("flags", "").split()
    name = facts.get("model name") or platform.processor() or platform.machine()
    return name, " ".join(flag for flag in FLAGS if flag in has) or "unknown"


def package(name: str) -> str:
    """Return a package's version."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def build_profile() -> str:
    """Return how an installation compiles the engine."""
    manifest = Path(__file__).parents[2] / "Cargo.toml"
    if not manifest.exists():
        return "release"
    settings = tomllib.loads(manifest.read_text()).get("profile", {}).get("release", {})
    return ", ".join(["release", *(f"{key} {value}" for key, value in settings.items())])


def description(available: set[int]) -> dict[str, str]:
    """Return what there is to say about the machine and its software, by label."""
    name, flags = processor()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {
        "processor": f"{name}, {len(available)} cores",
        "extensions": flags,
        "system": f"{platform.system()} {platform.machine()}",
        "versions": ", ".join([python, *map(package, PACKAGES)]),
        "engine built as": build_profile(),
    }
