"""What a record holds, looked at field by field: errors name the field as in `result.scores[0]`."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from savanna.arguments import digits, quoted
from savanna.errors import RecordError, SavannaError

T = TypeVar("T")

_KINDS = {type(None): "null", list: "a list", tuple: "a list", dict: "an object"}


def describe(value: object) -> str:
    """Return a value from outside in a few words."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return digits(value)
    if isinstance(value, bool | float):
        return repr(value).lower()
    return _KINDS.get(type(value), type(value).__name__)


def error(where: str, text: str) -> RecordError:
    """Return the error about a field; the record itself has no name."""
    return RecordError(f"{where}: {text}" if where else text)


def mistyped(where: str, wanted: str, value: object) -> RecordError:
    """Return the error about a field of the wrong type."""
    return error(where, f"must be {wanted}, not {describe(value)}")


def text(where: str, value: object) -> str:
    """Return the text that a field holds."""
    if not isinstance(value, str):
        raise mistyped(where, "a text", value)
    return value


def whole_number(where: str, value: object) -> int:
    """Return the whole number that a field holds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise mistyped(where, "a whole number", value)
    return value


def items(where: str, value: object, most: int) -> list[object]:
    """Return the items of the list that a field holds."""
    if not isinstance(value, list | tuple):
        raise mistyped(where, "a list", value)
    if len(value) > most:
        raise error(where, f"must have at most {most} items, got {len(value)}")
    return list(value)


def members(where: str, value: object, names: Sequence[str]) -> dict[str, object]:
    """Return the fields of an object, which are exactly those."""
    if not isinstance(value, dict):
        raise mistyped(where, "an object", value)
    for name in names:
        if name not in value:
            raise error(_inside(where, name), "is missing")
    for name in value:
        if name not in names:
            raise error(where, f"there is no key {describe(name)}, only {', '.join(names)}")
    return value


def checked(where: str, call: Callable[[], T]) -> T:
    """Call something that checks a field by itself, and say of which field its error is."""
    try:
        return call()
    except RecordError:
        raise
    except (SavannaError, TypeError) as mistake:
        raise error(where, str(mistake).removeprefix(f"{where} ")) from None
    except UnicodeEncodeError:
        raise error(where, "holds half of a surrogate pair") from None


def check_format(content: object, name: str, version: int) -> None:
    """Check that an object says of itself which format it has."""
    if not isinstance(content, dict):
        raise mistyped("", "an object", content)
    for field, wanted in (("format", name), ("version", version)):
        if field not in content:
            raise error(field, "is missing")
        if type(content[field]) is not type(wanted) or content[field] != wanted:
            raise error(field, f"must be {describe(wanted)}, got {describe(content[field])}")


def check_same(where: str, value: object, right: object) -> None:
    """Check that a field holds what follows from the others, down to the types of its parts."""
    if isinstance(right, dict):
        given = members(where, value, list(right))
        for name, part in right.items():
            check_same(_inside(where, name), given[name], part)
    elif isinstance(right, list):
        parts = items(where, value, len(right))
        if len(parts) < len(right):
            raise error(where, f"must have {len(right)} items, got {len(parts)}")
        for index, part in enumerate(right):
            check_same(f"{where}[{index}]", parts[index], part)
    elif type(value) is not type(right) or value != right:
        raise error(where, f"must be {describe(right)} by start and moves, got {describe(value)}")


def _inside(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
