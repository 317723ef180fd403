"""A directory that holds what is finished of a long call, a file for each part of it and nothing else.

So programs that read a directory of Parquet files can read it. What the call is, and the digests by which a damaged
file is known, are in a directory beside it, whose name ends in `.savanna`.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from savanna import locks
from savanna._core import RULES_VERSION, __version__
from savanna.arguments import quoted
from savanna.errors import RecordError
from savanna.files import checked_path, replacing, where

FORMAT = 2
"""Goes up when the form of the files changes."""

BESIDE = ".savanna"
MANIFEST = "call.json"
_LONGEST = 10**7  # bytes of a manifest


@dataclass(frozen=True)
class Store:
    """A directory of numbered files with one ending, all of which belong to the call that the manifest beside tells of.

    A file is there whole or not at all: it is written in the directory beside it first, then moved. What workers that
    were killed leave there, nobody reads.
    """

    directory: Path
    ending: str
    call: str

    def mark(self, number: int) -> dict[str, int | str]:
        """Return what the file of a part says of itself: which part it is, and of which call, as a fingerprint."""
        return {"part": number, "call": self.call}

    def path(self, number: int) -> Path:
        """Return the path of a part's file."""
        return self.directory / f"part-{number:06}.{self.ending}"

    def finished(self) -> set[int]:
        """Return the numbers of all parts that are there."""
        pattern = re.compile(rf"part-(\d{{6,16}})\.{re.escape(self.ending)}")
        matches = (pattern.fullmatch(path.name) for path in self.directory.iterdir())
        return {int(match[1]) for match in matches if match}

    def write(self, number: int, data: bytes) -> None:
        """Write the file of a part and its digest. If it was written before, its content is the same."""
        for path, content in ((self._digest(number), _sha256(data)), (self.path(number), data)):
            with replacing(path, _beside(self.directory)) as write:
                write(content)

    def content(self, number: int) -> bytes:
        """Return what is in the file of a part. Raises `RecordError` for what the system refuses."""
        try:
            return self.path(number).read_bytes()
        except OSError as error:
            raise RecordError(f"{where(self.path(number))}: {error.strerror or error}") from None

    def is_whole(self, number: int, data: bytes) -> bool:
        """Tell whether this is what was written as a part."""
        try:
            return self._digest(number).read_bytes() == _sha256(data)
        except OSError:
            return False

    def _digest(self, number: int) -> Path:
        return _beside(self.directory) / f"{self.path(number).stem}.sha256"

    def read(self, number: int, understood: Callable[[Any], Any]) -> Any:
        """Return what `understood` makes of a result on disk. Raises `RecordError` if it cannot be this part's."""
        mark = self.mark(number)
        data = self.content(number)
        try:
            content = json.loads(data)
            is_ours = {name: content[name] for name in mark} == mark
            result = understood(content["result"]) if is_ours else None
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            raise self.damaged(number) from None
        if not is_ours:
            raise self.strange(number)
        if not self.is_whole(number, data):
            raise self.damaged(number)
        return result

    def damaged(self, number: int) -> RecordError:
        """Return the error for the file of a part that cannot be what was written."""
        return RecordError(f"{where(self.path(number))}: it is damaged, remove it and its games are played again")

    def strange(self, number: int) -> RecordError:
        """Return the error for the file of a part that says that it is another's."""
        return RecordError(f"{where(self.path(number))}: it is not part {number} of this call")


def opened(directory: str | os.PathLike[str], ending: str, call: Mapping[str, Any]) -> Store:
    """Begin a directory, or go on with one that was begun by the same call.

    `call` is what decides all results, as plain values. Raises `RecordError` if the directory holds anything else.
    """
    path = Path(os.path.abspath(checked_path(directory)))  # noqa: PTH100 -- a name is needed, links may stay
    head = {"format": FORMAT, "savanna": __version__, "rules_version": RULES_VERSION, **call}
    text = json.dumps(head, indent=1).encode("ascii") + b"\n"
    manifest = _beside(path) / MANIFEST
    try:
        path.mkdir(parents=True, exist_ok=True)
        manifest.parent.mkdir(exist_ok=True)
        with locks.held(manifest, locks.PATIENCE):  # of two calls that begin at the same time, one is first
            if manifest.is_file():
                with manifest.open("rb") as file:
                    _compare(path, file.read(_LONGEST), head)
            elif any(path.iterdir()):
                raise RecordError(f"directory {where(path)}: it is not empty, and {where(manifest)} is not there")
            else:
                with replacing(manifest) as write:
                    write(text)
    except (OSError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"directory {where(path)}: {getattr(error, 'strerror', None) or error}") from None
    return Store(path, ending, hashlib.sha256(text).hexdigest()[:32])


def _beside(directory: Path) -> Path:
    """Return the directory beside that of the parts."""
    return directory.with_name(f"{directory.name}{BESIDE}")


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _compare(path: Path, text: bytes, head: Mapping[str, Any]) -> None:
    """Check that a manifest tells of this call."""
    try:
        theirs = json.loads(text)
        names = [name for name in head if theirs.get(name) != json.loads(json.dumps(head[name]))]
    except (AttributeError, ValueError, RecursionError):
        raise RecordError(f"directory {where(path)}: {where(_beside(path) / MANIFEST)} is not one of ours") from None
    if names:
        name = names[0]
        there, here = (quoted(json.dumps(it.get(name))) for it in (theirs, head))
        raise RecordError(f"directory {where(path)}: it was begun by another call: {name} is {there}, not {here}")
