"""Both ends of a conversation: what is written for people, lines that they enter, keys that they press.

Lines are read as the terminal gives them, without Readline: its history would show one person what another entered.
"""

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from savanna import jsontext
from savanna.characters import without_dangers
from savanna.cli.output import print_text
from savanna.files import named

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_LINE = 1000
NARROWEST = 60  # of what `savanna.render.text` can write
ROWS_AROUND = 8

_HOME_AND_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # with what could be scrolled back to, as the command `clear` does it
_OTHER_SCREEN, _FIRST_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
_ERASE_LINE = "\r\x1b[K"
_KEYS = {b"\x1b[C": "n", b"\x1b[B": "n", b"\x1b[D": "p", b"\x1b[A": "p", b"\x1bOC": "n", b"\x1bOD": "p"}


class Terminal:
    """Standard input and output: two ends of a terminal, or the files they were redirected to.

    `writes` tells whether output is a terminal, `reads` whether input is one.
    """

    def __init__(self) -> None:
        self.writes = sys.stdout.isatty()
        self.reads = sys.stdin is not None and sys.stdin.isatty()
        self._has_read = False

    @cached_property
    def _console(self) -> "Console":
        """What Rich knows of the terminal; to load it takes a moment."""
        from rich.console import Console

        return Console(highlight=False, markup=False)

    @property
    def clears(self) -> bool:
        """Whether output can be cleared."""
        return self.writes and not self._console.is_dumb_terminal

    @property
    def coloured(self) -> bool:
        """Whether colours are wanted."""
        return self._console.color_system is not None and not self._console.no_color

    @property
    def talks(self) -> bool:
        """Whether somebody sits there who reads and answers."""
        return self.reads and self.writes

    @property
    def width(self) -> int:
        """How many columns there are for text, as far as they can be used."""
        return max(NARROWEST, min(self._console.width, 120)) if self.writes else 80

    def has_room(self, text: str) -> bool:
        """Tell whether a text can be seen at once, with some rows around it; where nothing scrolls away, it can."""
        return not self.writes or text.count("\n") + ROWS_AROUND <= self._console.height

    # --------------------------------------------------------------------------------------------------------- writing

    def say(self, text: str = "") -> None:
        """Write text and end the line."""
        print_text(text)

    def prompt(self, text: str) -> None:
        """Write text in the line that is not ended yet, in place of what stands there."""
        print_text(f"{_ERASE_LINE}{text}", end="")

    def clear(self) -> None:
        """Take away what is on the screen and above it."""
        print_text(_HOME_AND_CLEAR, end="")

    @contextmanager
    def other_screen(self, wanted: bool = True) -> Iterator[None]:
        """Show all that follows on the terminal's other screen, which leaves nothing behind."""
        if not wanted:
            yield
            return
        print_text(_OTHER_SCREEN, end="")
        try:
            yield
        finally:
            print_text(f"{_HOME_AND_CLEAR}{_FIRST_SCREEN}", end="")

    @contextmanager
    def meanwhile(self, text: str) -> Iterator[None]:
        """Show a line on a terminal as long as something takes."""
        if not self.writes:
            yield
            return
        print_text(text, end="")
        try:
            yield
        finally:
            print_text(_ERASE_LINE, end="")

    # --------------------------------------------------------------------------------------------------------- reading

    def ask(self, prompt: str) -> str | None:
        """Write a prompt and return the line that is entered, without blanks around it; None when there are no more.

        What was not entered on a terminal is written after the prompt, so that the output can be read by itself.
        """
        print_text(prompt, end="")
        assert sys.stdin is not None
        line = piece = sys.stdin.buffer.readline(LONGEST_LINE)
        while piece and not piece.endswith(b"\n"):
            piece = sys.stdin.buffer.readline(LONGEST_LINE)
        if not self.reads and not self._has_read:
            with named("standard input"):
                line = jsontext.without_mark(line)
        self._has_read = True
        text = line.decode(errors="replace").strip()
        if not self.reads or not line:
            self.say(without_dangers(text))
        return text if line else None

    def forget_input(self) -> None:
        """Drop what was entered before it was asked for."""
        if self.reads:
            with contextlib.suppress(ImportError):  # no POSIX system
                import termios

                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    @contextmanager
    def keys(self) -> Iterator[Iterator[str]]:
        """Yield the keys as they are pressed, arrows as "n" (on) and "p" (back); elsewhere the lines entered.

        Afterwards the terminal is as it was.
        """
        try:
            import termios
            import tty
        except ImportError:
            yield self._lines()
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)
            yield _pressed(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _lines(self) -> Iterator[str]:
        """Yield lines as if their signs had been pressed, Enter after numbers and for empty lines."""
        while (line := self.ask("")) is not None:
            yield from line if line and not line.isdigit() else f"{line}\n"


def _pressed(descriptor: int) -> Iterator[str]:
    """Yield the keys that are pressed on a terminal."""
    import os

    while pressed := os.read(descriptor, 16):
        if pressed.startswith(b"\x1b"):
            if pressed in _KEYS:
                yield _KEYS[pressed]
        else:
            yield from pressed.decode("ascii", errors="ignore")
