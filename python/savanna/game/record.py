"""What all records of games have in common: they are written as JSON, and read again."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from savanna import jsontext
from savanna.arguments import wrong_type
from savanna.files import append_line, checked_path, content, lines, named, opened, replacing, where


def as_file(record: "Record") -> bytes:
    """Return what a file of one record holds."""
    return f"{record.to_json(indent=True)}\n".encode()


class Record(ABC):
    """What `Game` and `PublicGame` have in common: they can be written down, and read again."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain dicts, lists, texts and numbers for JSON."""

    @classmethod
    @abstractmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Return the game of a record that `to_dict` gave. Raises `RecordError`, which names the field."""

    def to_json(self, *, indent: bool = False) -> str:
        """Return the record as JSON: on one line without its end, or with `indent` to be read by eye."""
        return jsontext.written(self.to_dict(), indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the game of a record that `to_json` gave, as text or in UTF-8. Raises `RecordError` for any other."""
        if not isinstance(text, str | bytes):
            raise wrong_type("text", "a str or bytes", text)
        record: Any = jsontext.read(text)
        return cls.from_dict(record)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file of its own, indented; an old file is replaced only when all is written.

        Raises `RecordError` if that cannot be done, and then the old file is as it was.
        """
        data = as_file(self)
        with replacing(checked_path(path)) as write:
            write(data)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the game of a file that holds just one. Raises `RecordError`, which names the file and the field."""
        checked = checked_path(path)
        text = content(checked)
        with named(where(checked)):
            return cls.from_json(text)

    def append(self, path: str | os.PathLike[str]) -> None:
        """Add the record to a file of JSON lines, one game a line; a new file is made if there is none.

        Several programs may do so at the same time. Raises `RecordError` if it cannot be done, and then the file is as
        it was.
        """
        append_line(checked_path(path), self.to_json().encode())

    @classmethod
    def load_all(cls, path: str | os.PathLike[str]) -> Iterator[Self]:
        """Yield the games of a file of JSON lines, reading on as they are taken; blank lines are left out.

        Raises `RecordError`, which names the file, the line and the field.
        """
        return cls._stream(checked_path(path))

    @classmethod
    def _stream(cls, path: Path) -> Iterator[Self]:
        with opened(path) as file:
            for place, line in lines(where(path), file):
                if not line.isspace():
                    with named(place):
                        game = cls.from_json(line)
                    yield game
