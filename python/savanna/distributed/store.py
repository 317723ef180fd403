"""A directory that holds what is finished of a long call: what the call is, and a file for each part of it."""

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

FORMAT = 1
"""Goes up when the form of the files changes."""

MANIFEST = "_manifest.json"  # what reads all Parquet files of a directory passes by names with a line in front
_LONGEST = 10**7  # bytes of a manifest


@dataclass(frozen=True)
class Store:
    """A directory of numbered files with one ending, all of which belong to the call that the manifest tells of.

    A file is there whole or not at all: it is written under another name first, then renamed. Files of such other names
    may be left of workers that were killed; nobody reads them.
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
        """Write the file of a part. If it was written before, its content is the same."""
        write_whole(self.path(number), data)

    def read(self, number: int, understood: Callable[[Any], Any]) -> Any:
        """Return what `understood` makes of a result on disk. Raises `RecordError` if it cannot be this part's."""
        path = self.path(number)
        mark = self.mark(number)
        try:
            content = json.loads(path.read_bytes())
            is_ours = {name: content[name] for name in mark} == mark
            result = understood(content["result"]) if is_ours else None
        except OSError as error:
            raise RecordError(f"{where(path)}: {error.strerror or error}") from None
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            raise self.damaged(number) from None
        if not is_ours:
            raise self.strange(number)
        return result

    def damaged(self, number: int) -> RecordError:
        """Return the error for the file of a part that cannot be what was written."""
        return RecordError(f"{where(self.path(number))}: it is damaged, remove it and its games are played again")

    def strange(self, number: int) -> RecordError:
        """Return the error for the file of a part that says that it is another's."""
        return RecordError(f"{where(self.path(number))}: it is not part {number} of this call")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, all of it or nothing."""
    with replacing(path) as write:
        write(data)


def opened(directory: str | os.PathLike[str], ending: str, call: Mapping[str, Any]) -> Store:
    """Begin a directory, or go on with one that was begun by the same call.

    `call` is what decides all results, as plain values. Raises `RecordError` if the directory holds anything else.
    """
    path = checked_path(directory)
    head = {"format": FORMAT, "savanna": __version__, "rules_version": RULES_VERSION, **call}
    text = json.dumps(head, indent=1).encode("ascii") + b"\n"
    manifest = path / MANIFEST
    try:
        path.mkdir(parents=True, exist_ok=True)
        with locks.held(manifest, locks.PATIENCE):  # of two calls that begin at the same time, one is first
            if manifest.is_file():
                with manifest.open("rb") as file:
                    _compare(path, file.read(_LONGEST), head)
            elif any(not it.name.endswith((".tmp", ".lock")) for it in path.iterdir()):
                raise RecordError(f"directory {where(path)}: it is not empty, and has no {MANIFEST}")
            else:
                write_whole(manifest, text)
    except (OSError, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"directory {where(path)}: {getattr(error, 'strerror', None) or error}") from None
    return Store(path.absolute(), ending, hashlib.sha256(text).hexdigest()[:32])


def _compare(path: Path, text: bytes, head: Mapping[str, Any]) -> None:
    """Check that a manifest tells of this call."""
    try:
        theirs = json.loads(text)
        names = [name for name in head if theirs.get(name) != json.loads(json.dumps(head[name]))]
    except (AttributeError, ValueError, RecursionError):
        raise RecordError(f"directory {where(path)}: its {MANIFEST} is not one of ours") from None
    if names:
        name = names[0]
        there, here = (quoted(json.dumps(it.get(name))) for it in (theirs, head))
        raise RecordError(f"directory {where(path)}: it was begun by another call: {name} is {there}, not {here}")
