"""JSON from outside: read strictly, within bounds, and written in one way."""

import json
from typing import NoReturn

from savanna.errors import RecordError
from savanna.reference.arguments import quoted

LONGEST_RECORD = 1 << 20
"""How many bytes the record of one game may have; the longest that can be written has about a quarter of it."""

TOO_LONG = f"a game has at most {LONGEST_RECORD:,} bytes, this is longer"

_LONGEST_NUMBER = 18


def written(content: dict[str, object], *, indent: bool) -> str:
    """Return the JSON of a record: on one line without its end, or indented, to be read by eye."""
    if indent:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2)
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def read(text: str | bytes) -> object:
    """Return what a JSON text says; bytes are UTF-8.

    Raises `RecordError` for what is no JSON, for more than `LONGEST_RECORD` bytes, and for what JSON leaves open: a key
    that comes twice, NaN and Infinity, a byte order mark, a number of more than 18 digits.
    """
    if len(text) > LONGEST_RECORD:
        raise RecordError(TOO_LONG)
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        if text.startswith("\ufeff"):
            raise RecordError("it begins with a byte order mark, which JSON has not")
        return json.loads(
            text, parse_int=_whole_number, parse_constant=_no_number, object_pairs_hook=_without_double_keys
        )
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"at line {error.lineno}, column {error.colno}"
        if error.msg == "Extra data":
            raise RecordError(f"it goes on after the first game {where}; load_all reads games line by line") from None
        raise RecordError(f"it is no JSON: {error.msg.lower().removesuffix(' at')} {where}") from None
    except RecursionError:
        raise RecordError("it is nested too deeply") from None


def _whole_number(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise RecordError(f"a number of {len(digits)} digits is too long")
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise RecordError(f"{name} is no number of JSON")


def _without_double_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, value in pairs:
        if key in content:
            raise RecordError(f"key {quoted(key)} comes twice")
        content[key] = value
    return content
