"""What tests of conversations share: a program on a terminal of its own, with somebody at its keyboard."""

import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect

from tests.support.command import ENVIRONMENT, SAVANNA, run
from tests.support.timing import PATIENCE

HOW = "('help' tells how)> "
"""How the question to a person ends."""

CLEAR = b"\x1b[H\x1b[2J\x1b[3J"
OTHER_SCREEN, FIRST_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"


class Keyboard:
    """The program `savanna` on a terminal; everything that it has written is in `seen`."""

    def __init__(self, child: "pexpect.spawn[bytes]") -> None:
        self._child = child
        self.seen = b""
        self.settings = self.termios()

    def termios(self) -> list[Any]:
        """Return the settings of the terminal."""
        return termios.tcgetattr(self._child.child_fd)

    def wait(self, text: str) -> str:
        """Wait for a text and return all that came before it since the last wait, in lines that end as usual."""
        self._child.expect_exact(text.encode())
        before, found = self._child.before, self._child.after
        assert isinstance(before, bytes)
        assert isinstance(found, bytes)
        self.seen += before + found
        return before.decode().replace("\r\n", "\n")

    def press(self, keys: str) -> None:
        """Press keys; the program must be waiting for them."""
        self._child.send(keys.encode())

    def enter(self, line: str, prompt: str) -> str:
        """Wait for a prompt, enter a line there, and return what came before."""
        before = self.wait(prompt)
        self.press(f"{line}\n")
        return before

    def end(self) -> tuple[str, int | None]:
        """Wait until the program has ended; return the rest of what it wrote, and its exit code."""
        self._child.expect(pexpect.EOF)
        rest = self._child.before
        assert isinstance(rest, bytes)
        self.seen += rest
        self._child.wait()
        return rest.decode().replace("\r\n", "\n"), self._child.exitstatus


@contextmanager
def keyboard(
    *arguments: str, rows: int = 50, columns: int = 80, plain: bool = True, into: Path | None = None
) -> Iterator[Keyboard]:
    """Start `savanna` with some arguments on a terminal, without colours unless they are wanted.

    Its output can be sent into a file instead.
    """
    command = [*SAVANNA, *arguments]
    if into is not None:
        command = ["sh", "-c", 'exec "$@" >"$OUT"', "sh", *command]
    size = {"LINES": str(rows), "COLUMNS": str(columns)}
    child: pexpect.spawn[bytes] = pexpect.spawn(
        command[0],
        command[1:],
        env={**ENVIRONMENT, **({"NO_COLOR": "1"} if plain else {}), "OUT": str(into), **size},
        dimensions=(rows, columns),
        timeout=PATIENCE,
    )
    child.delaybeforesend = None
    try:
        yield Keyboard(child)
    finally:
        child.close(force=True)


def piped(lines: list[str], *arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """Play with lines that come from a pipe."""
    return subprocess.run(
        [*SAVANNA, "play", *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env={**ENVIRONMENT, "PYTHONIOENCODING": encoding},
        timeout=120,
        check=False,
    )


def printed(*arguments: str) -> str:
    """Return what a command prints that goes well."""
    result = run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout
