"""What is told about a game beside its moves: who plays, since when, and remarks on single plies."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from itertools import islice

from savanna import fields
from savanna.arguments import quoted, wrong_type
from savanna.characters import dangerous
from savanna.errors import SavannaError
from savanna.names import checked_name

LONGEST_ANNOTATION = 2_000

_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,20})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def checked_names(names: object, players: int) -> tuple[str, ...]:
    """Return a name for each seat; None gives them all the names "Seat 0", "Seat 1" and so on."""
    if names is None:
        return tuple(f"Seat {seat}" for seat in range(players))
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise wrong_type("names", "a sequence of str", names)
    given = list(islice(names, players + 1))
    if len(given) != players:
        got = f"more than {players}" if len(given) > players else len(given)
        raise SavannaError(f"{players} names are needed, one for each seat, got {got}")
    return tuple(map(checked_name, given))


def checked_time(started: object) -> str | None:
    """Return a time of RFC 3339 in the one form that records have: in UTC, without fractions of a second."""
    if started is None:
        return None
    if not isinstance(started, str):
        raise wrong_type("started", "a str", started)
    try:
        if match := _TIME.fullmatch(started):
            day, time, offset = match.groups()
            return _written(datetime.fromisoformat(f"{day}T{time}{offset.upper()}").astimezone(UTC))
    except (ValueError, OverflowError):  # there is no such day, no such hour, or it is before the year 1
        pass
    raise SavannaError(f"started must be a time in UTC such as 2026-11-30T18:05:00Z, got {quoted(started)}")


def now() -> str:
    """Return the time by the clock."""
    return _written(datetime.now(UTC))


def _written(time: datetime) -> str:
    """Return a time in UTC as records have it."""
    return f"{time.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def checked_annotation(remark: object, ply: int) -> str:
    """Return a remark on a ply: a text of some length without control characters, line ends and tabs aside."""
    if not isinstance(remark, str):
        raise wrong_type(f"the annotation of ply {ply}", "a str", remark)
    if len(remark) > LONGEST_ANNOTATION:
        raise SavannaError(f"an annotation has at most {LONGEST_ANNOTATION} characters, that of ply {ply} is longer")
    if wrong := dangerous(remark, allowed="\t\n"):
        raise SavannaError(f"the annotation of ply {ply} must not have {wrong}")
    return remark


# ---------------------------------------------------------------------------------------------------------- in records


def read_names(value: object, players: int) -> tuple[str, ...]:
    """Return the names of a record."""
    names = fields.items("names", value, players)
    for seat, name in enumerate(names):
        fields.checked(f"names[{seat}]", partial(checked_name, name))
    return fields.checked("names", lambda: checked_names(names, players))


def read_time(value: object) -> str | None:
    """Return the time of a record, or null."""
    return fields.checked("started", lambda: checked_time(value))


def read_annotations(value: object, plies: int) -> dict[int, str]:
    """Return the annotations of a record: an object from the number of a ply, as text, to a text that is not empty."""
    if not isinstance(value, dict):
        raise fields.mistyped("annotations", "an object", value)
    numbers = {str(ply): ply for ply in range(plies + 1)}
    for key, remark in value.items():
        if key not in numbers:
            raise fields.error("annotations", f"{fields.describe(key)} is not a ply of 0 to {plies}")
        where = f"annotations.{key}"
        if not fields.text(where, remark):
            raise fields.error(where, "must not be empty")
        fields.checked(where, partial(checked_annotation, remark, numbers[key]))
    return {ply: value[key] for key, ply in numbers.items() if key in value}


def written_annotations(annotations: dict[int, str]) -> dict[str, str]:
    """Return annotations as they stand in a record: by the numbers of their plies, as texts, in ascending order."""
    return {str(ply): annotations[ply] for ply in sorted(annotations)}
