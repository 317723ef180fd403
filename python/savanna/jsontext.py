"""JSON from outside: read strictly, within bounds, and written in one way."""

import codecs
import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from savanna.arguments import quoted
from savanna.errors import RecordError

LONGEST_RECORD = 1 << 20
"""How many bytes the record of one game may have; the longest that can be written has about a quarter of it."""

TOO_LONG = f"a game has at most {LONGEST_RECORD:,} bytes, this is longer"

_LONGEST_NUMBER = 18


def written(content: object, *, indent: bool = False, only_ascii: bool = False) -> str:
    """Return a content as JSON: on one line without its end, or indented, to be read by eye."""
    separators = None if indent else (",", ":")
    return json.dumps(
        content, ensure_ascii=only_ascii, allow_nan=False, indent=2 if indent else None, separators=separators
    )


def finite(value: Any) -> Any:
    """Replace the numbers that JSON cannot hold by None, inside lists too."""
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read(text: str | bytes) -> object:
    """Return what the JSON of a record says; bytes are UTF-8.

    Raises `RecordError` for what `parsed` refuses and for more than `LONGEST_RECORD` bytes.
    """
    if len(text) > LONGEST_RECORD:
        raise RecordError(TOO_LONG)
    return parsed(text, "game", "; load_all reads games line by line")


_WIDE = (("UTF-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)), ("UTF-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)))


def without_mark(text: bytes) -> bytes:
    """Return the start of a text without the byte order mark that programs on Windows put before UTF-8.

    Raises `RecordError` for UTF-16 and UTF-32.
    """
    for name, marks in _WIDE:
        if text.startswith(marks):
            raise RecordError(f"it is {name}; save it as UTF-8")
    if len(text) > 1 and 0 in text[:2]:  # neither JSON nor notation has a null character
        raise RecordError("it is UTF-16 or no text at all; save it as UTF-8")
    return text.removeprefix(codecs.BOM_UTF8)


def parsed(text: str | bytes, what: str, more: str = "", longest_number: int = _LONGEST_NUMBER) -> object:
    """Return what a JSON text says; bytes are UTF-8.

    Errors call the content `what`; if it goes on after its end, they say `more`. Raises `RecordError` for what is not
    JSON, and for what JSON leaves open: a key that comes twice, NaN and Infinity, a whole number of more digits than
    `longest_number`, any other that is as good as infinite. A byte order mark at the start is left out.
    """
    try:
        if isinstance(text, bytes):
            text = without_mark(text).decode("utf-8")
        return json.loads(
            text.removeprefix("\ufeff"),
            parse_int=_whole_numbers(longest_number),
            parse_float=_number,
            parse_constant=_no_number,
            object_pairs_hook=_without_double_keys,
        )
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"at line {error.lineno}, column {error.colno}"
        if error.msg == "Extra data":
            raise RecordError(f"it goes on after the first {what} {where}{more}") from None
        raise RecordError(f"not valid JSON: {error.msg.lower().removesuffix(' at')} {where}") from None
    except RecursionError:
        raise RecordError("it is nested too deeply") from None


def _whole_numbers(longest: int) -> Callable[[str], int]:
    def whole_number(digits: str) -> int:
        count = len(digits.removeprefix("-"))
        if count > longest:
            raise RecordError(f"a number of {count} digits is too long")
        return int(digits)

    return whole_number


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise RecordError(f"a number is too large: {quoted(digits)}")
    return number


def _no_number(name: str) -> NoReturn:
    raise RecordError(f"{name} is not allowed in JSON")


def _without_double_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, value in pairs:
        if key in content:
            raise RecordError(f"key {quoted(key)} comes twice")
        content[key] = value
    return content
