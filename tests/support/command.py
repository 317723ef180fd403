"""The command `savanna` as a process of its own, on a terminal if need be."""

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import IO

from savanna.cli import main

SAVANNA = [sys.executable, "-m", "savanna"]
START = "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0"
PLAIN = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")}
ENVIRONMENT = {**PLAIN, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": ""}


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SAVANNA, *arguments],
        capture_output=True,
        encoding="utf-8",
        env=env or ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )


def refused(arguments: list[str], words: str) -> None:
    """Check that arguments are refused, in this process to save time, for a reason that has these words."""
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as errors:
        code = main(arguments)
    told = errors.getvalue()
    assert (code, output.getvalue()) == (2, ""), told
    assert re.fullmatch(r"savanna: error: [^\n]+\n", told)
    assert told[:-1].isprintable()
    assert words in told


class Terminal:
    """A pseudo-terminal for a process to write to; what has come out of it is in `seen`."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        self.seen = b""

    def read(self) -> bytes:
        """Wait for more output and return it; b"" after the process has ended."""
        try:
            more = os.read(self._ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            more = b""
        self.seen += more
        return more

    def start(self, arguments: list[str], stdout: int | IO[bytes]) -> subprocess.Popen[bytes]:
        """Start savanna with its standard error on this terminal."""
        process = subprocess.Popen([*SAVANNA, *arguments], stdout=stdout, stderr=self.theirs, env=ENVIRONMENT)
        os.close(self.theirs)
        return process

    def close(self) -> None:
        os.close(self._ours)


def assert_ctrl_c_is_130(arguments: list[str], at_work: bytes) -> None:
    """Send Ctrl-C when the terminal shows that a command is at work: all that comes of it is a code and a line."""
    terminal = Terminal()
    process = terminal.start(arguments, stdout=subprocess.PIPE)
    while at_work not in terminal.seen:
        assert terminal.read()
    process.send_signal(signal.SIGINT)
    while terminal.read():
        pass
    output, _ = process.communicate(timeout=60)
    terminal.close()
    assert (process.returncode, output) == (130, b"")
    assert terminal.seen.endswith(b"savanna: interrupted\r\n")
