"""Text forms that read back. Reading is strict: a text is accepted only if writing what was read gives it again."""

import re
from collections.abc import Callable, Sequence
from typing import Self, TypeVar

from savanna.arguments import wrong_type
from savanna.errors import NotationError
from savanna.records import Placed
from savanna.reference.tile import FRONT, HIDDEN, LION, Animal

T = TypeVar("T")

LETTERS = {"monkey": "m", "zebra": "z", "giraffe": "g", "elephant": "e", "mouse": "u", HIDDEN: "?"}
WORDS = {letter: animal for animal, letter in LETTERS.items()}


class Reader:
    """Reads a text from left to right; where it does not go on as expected, that place is in the error."""

    def __init__(self, what: str, text: str) -> None:
        self.what, self.text, self.at = what, text, 0

    def error(self, message: str) -> NotationError:
        """Return an error about the place that the reader has come to."""
        return NotationError(f"{self.what}, character {self.at}: {message}")

    def take(self, pattern: str, expected: str) -> str:
        """Read what matches the regular expression."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
            raise self.error(f"expected {expected}, found {found}")
        self.at = match.end()
        return match[0]

    def take_text(self, text: str) -> None:
        """Read exactly this text."""
        self.take(re.escape(text), repr(text))

    def end(self) -> None:
        """Check that the whole text has been read."""
        self.take(r"\Z", "the end")

    def number(self) -> int:
        """Read a decimal number from 0 to 9999 without leading zeros."""
        return int(self.take("0|[1-9][0-9]{0,3}", "a number"))

    def several(self, count: int, separator: str, read: Callable[[int], T]) -> list[T]:
        """Call `read` for 0, 1, .. count - 1, with a separator between any two."""
        items: list[T] = []
        for index in range(count):
            if index:
                self.take_text(separator)
            items.append(read(index))
        return items


class Value:
    """A value that its text gives completely: equality, pickles and copies all go by `str` and `parse`."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the value that has exactly this `str`.

        Raises `NotationError`, which names the first wrong character (counted from 0) or the impossible field, and
        `TypeError` for another type than str.
        """
        what = f"{cls.__name__.lower()} text"
        if not isinstance(text, str):
            raise wrong_type(what, "a str", text)
        reader = Reader(what, text)
        value = cls._read(reader)
        if str(value) != text:
            # Every value is written in one way only: read again, up to where the text leaves that way.
            reader.at = 0
            for letter in str(value):
                reader.take_text(letter)
            reader.end()
        return value

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Callable[[str], Self], tuple[str]]:
        return type(self).parse, (str(self),)


def pile(tiles: Sequence[Animal]) -> str:
    """Write a hand or a deck: letters, or a dash when there are none."""
    return "".join(LETTERS[animal] for animal in tiles) or "-"


def read_pile(reader: Reader, hidden: bool) -> list[Animal]:
    """Read a hand or a deck."""
    letters = reader.take(r"\?+|-", "'?' or '-'") if hidden else reader.take("[mzgeu]+|-", "letters of tiles or '-'")
    return [WORDS[letter] for letter in letters.strip("-")]


def cell(tile: Placed | None) -> str:
    """Write a space: a dot, or the seat and the animal's letter, a capital under a Lion."""
    if tile is None:
        return "."
    letter = LETTERS[str(tile.animal)]
    return f"{tile.seat}{letter.upper() if tile.face == LION else letter}"


def read_cell(reader: Reader, hidden: Sequence[bool]) -> Placed | None:
    """Read a space; the animals under the Lions of some seats are hidden."""
    digit = reader.take(f"[0-{len(hidden) - 1}.]", "a seat digit or '.'")
    if digit == ".":
        return None
    letter = reader.take("[mzgeu?]" if hidden[int(digit)] else "[mzgeuMZGEU]", "the letter of a tile")
    return Placed(int(digit), WORDS[letter.lower()], FRONT if letter.islower() else LION)
