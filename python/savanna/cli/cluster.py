"""The options of commands that can play by Ray's workers, and the module that does it."""

from types import ModuleType

import typer

import savanna as sv
from savanna.cli.options import whole_number

WORKERS = typer.Option(
    parser=whole_number,
    metavar="N",
    help="Play by N Ray workers instead, on this machine or on the cluster that RAY_ADDRESS names.",
)
DIRECTORY = typer.Option(
    metavar="DIR", help="With --workers: keep what is finished in this directory, and go on with it."
)


def cluster() -> ModuleType:
    """Return `savanna.distributed`. Raises `SavannaError` without Ray."""
    try:
        from savanna import distributed
    except ImportError as error:
        raise sv.SavannaError(str(error)) from None
    return distributed


def check_alone(workers: int | None, threads: int | None = None, directory: str | None = None) -> None:
    """Refuse options that say nothing together."""
    if workers is None and directory is not None:
        raise sv.SavannaError("--directory is for --workers")
    if workers is not None and threads is not None:
        raise sv.SavannaError("each of the --workers is one thread, leave out --threads")
