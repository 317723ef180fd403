"""What commands write: JSON, progress bars, complaints."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer

from savanna.characters import escaped
from savanna.errors import SavannaError

PROGRAM = "savanna"


@contextmanager
def whole_output() -> Iterator[None]:
    """Check that standard output is open, and after the block that all of it has been written.

    Raises `SavannaError` if it is closed, even for a command that only writes a file: the system would give that file
    the number of standard output. Raises `OSError` for what cannot be written.
    """
    if sys.stdout is None:
        raise SavannaError("standard output is closed")
    yield
    sys.stdout.flush()


def print_json(content: dict[str, Any]) -> None:
    """Print one line of JSON."""
    typer.echo(json.dumps(content, allow_nan=False))


_PLAIN_SIGNS = str.maketrans("┌┬┐├┼┤└┴┘─│░…±●■▲◆○□△◇", "+++++++++-|/~~o#^*o#^*")


def print_text(text: str, end: str = "\n") -> None:
    """Print a text; the nearest ASCII replaces signs that the encoding of standard output lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN_SIGNS).encode(encoding, "replace").decode(encoding)
    print(text, end=end, flush=True)


@contextmanager
def progress_bar(total: int | None = None, unit: str = "games") -> Iterator[Callable[..., None] | None]:
    """Show a progress bar on standard error if that is a terminal; yield what has to be called to move it.

    It is called with how many are done, and with how many there are if that is not known before. Without a total, the
    bar only shows that something goes on.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    # No refreshing thread: the calls come often enough, and Ctrl-C has one thread less to wait for.
    bar = Progress(
        unit,
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )
    with bar:
        task = bar.add_task(unit, total=None if total is None else max(total, 0))
        bar.refresh()

        def show(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total, refresh=True)

        yield show


def complain(message: str) -> None:
    """Write any message as one line to standard error; it is lost if that cannot be written."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"{PROGRAM}: {escaped(' '.join(message.split()))}", file=sys.stderr)


def abandon_stdout() -> None:
    """Send what is still buffered for standard output nowhere, so that the interpreter does not trip over it."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
