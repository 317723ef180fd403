"""Completion of commands and options in shells, as Typer offers it, and for a shell that is named, too.

`--show-completion` alone is Typer's own: it looks for the shell that it was called from. The script for another one is
asked for as shells do it, by a variable of the environment.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from savanna.errors import SavannaError

SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
SHOW, INSTALL = "--show-completion", "--install-completion"
VARIABLE = "_SAVANNA_COMPLETE"


@contextmanager
def for_named_shell(arguments: Sequence[str]) -> Iterator[None]:
    """See to it that the script for a shell is printed if arguments name one after `--show-completion`."""
    if len(arguments) != 2 or arguments[0] not in (SHOW, INSTALL):
        yield
        return
    option, shell = arguments
    if option == INSTALL:
        raise SavannaError(f"{INSTALL} is for the shell that it is called from, so it takes no {shell[:40]!r}")
    if shell not in SHELLS:
        raise SavannaError(f"{SHOW} knows {', '.join(SHELLS)}, got {shell[:40]!r}")
    os.environ[VARIABLE] = f"source_{shell}"
    try:
        yield
    finally:
        del os.environ[VARIABLE]
