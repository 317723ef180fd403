"""JSON-RPC 2.0, one message a line: lines within a limit, requests, answers, errors."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from savanna import jsontext
from savanna.errors import RecordError, SavannaError
from savanna.fields import describe

PROTOCOL_VERSION = 1
"""Goes up when a client that was written for the version before would no longer be understood."""

LONGEST_LINE = jsontext.LONGEST_RECORD
"""How many bytes a message may have, its end not counted."""

LONGEST_BATCH = 100
"""How many requests may come in one batch."""

_LONGEST_NUMBER = 20  # as many digits as the largest seed has

Id: TypeAlias = str | int | float | None
Json: TypeAlias = dict[str, Any]


class ErrorCode(IntEnum):
    """The codes of errors: those of JSON-RPC 2.0, two that the Language Server Protocol has made known, and our own."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    NOT_INITIALIZED = -32002
    CANCELLED = -32800
    GAME_ERROR = -32000
    BUSY = -32003
    OUT_OF_ORDER = -32004


class RequestError(Exception):
    """A request that cannot be answered but by an error; `data` tells programs more about it."""

    def __init__(self, code: ErrorCode, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @classmethod
    def of_game(cls, error: SavannaError) -> "RequestError":
        """Return the error about a value that the game refuses; its data name the kind of error."""
        return cls(ErrorCode.GAME_ERROR, str(error), {"kind": type(error).__name__})


class Request(NamedTuple):
    """A call of a method. A notification is one that wants no answer; only then `id` means nothing."""

    method: str
    params: dict[str, object] | list[object]
    id: Id
    is_notification: bool


# --------------------------------------------------------------------------------------------------------------- lines


class Lines:
    """Cuts what arrives into lines, and holds no more of one than the limit."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._is_too_long = False

    def cut(self, chunk: bytes) -> Iterator[bytes | None]:
        """Yield the lines that end in a chunk; None for one that was longer than `LONGEST_LINE`, and is lost."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._add(end)
            yield self._taken()
        self._add(rest)

    def last(self) -> Iterator[bytes | None]:
        """Yield what stands after the last end of a line, if there is anything."""
        if self._begun or self._is_too_long:
            yield self._taken()

    def _add(self, part: bytes) -> None:
        if self._is_too_long or len(self._begun) + len(part) > LONGEST_LINE:
            self._is_too_long = True
            self._begun = bytearray()
        else:
            self._begun += part

    def _taken(self) -> bytes | None:
        line = None if self._is_too_long else bytes(self._begun)
        self._begun, self._is_too_long = bytearray(), False
        return line


# ------------------------------------------------------------------------------------------------------------- reading


def message(line: bytes | None) -> object:
    """Return the message of a line of `Lines`. Raises `RequestError` if there is none to be read."""
    if line is None:
        raise RequestError(ErrorCode.PARSE_ERROR, f"a message has at most {LONGEST_LINE:,} bytes, this line is longer")
    try:
        return jsontext.parsed(line, "message", longest_number=_LONGEST_NUMBER)
    except RecordError as error:
        raise RequestError(ErrorCode.PARSE_ERROR, str(error)) from None


def batch(content: list[object]) -> list[object]:
    """Return the messages of a batch. Raises `RequestError` if there are none or too many of them."""
    if not content:
        raise RequestError(ErrorCode.INVALID_REQUEST, "a batch must not be empty")
    if len(content) > LONGEST_BATCH:
        raise RequestError(
            ErrorCode.INVALID_REQUEST, f"a batch has at most {LONGEST_BATCH} messages, got {len(content)}"
        )
    return content


def request(content: object) -> Request:
    """Return the request that a message is. Raises `RequestError` if it is none."""
    if not isinstance(content, dict):
        raise RequestError(ErrorCode.INVALID_REQUEST, f"a request is an object, not {describe(content)}")
    if content.get("jsonrpc") != "2.0":
        raise _wrong(content, "jsonrpc", '"2.0"')
    method, params = content.get("method"), content.get("params", {})
    if not isinstance(method, str):
        raise _wrong(content, "method", "a text")
    if not isinstance(params, dict | list):
        raise _wrong(content, "params", "an object or a list")
    if not is_id(content.get("id")):
        raise _wrong(content, "id", "a text, a number or null")
    return Request(method, params, content.get("id"), "id" not in content)


def id_of(content: object) -> Id:
    """Return the id of a message that may be no request at all, None if there is none to be seen."""
    value: Any = content.get("id") if isinstance(content, dict) else None
    return value if is_id(value) else None


def is_id(value: object) -> TypeGuard[Id]:
    """Tell whether a value can be the id of a request."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _wrong(content: Json, name: str, wanted: str) -> RequestError:
    found = f"not {describe(content[name])}" if name in content else "and is missing"
    return RequestError(ErrorCode.INVALID_REQUEST, f"{name} must be {wanted}, {found}")


# ------------------------------------------------------------------------------------------------------------- writing


def result_message(identity: Id, result: object) -> Json:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": identity, "result": result}


def error_message(identity: Id, error: RequestError) -> Json:
    """Return the answer to what cannot be answered otherwise."""
    content: Json = {"code": int(error.code), "message": error.message}
    if error.data is not None:
        content["data"] = error.data
    return {"jsonrpc": "2.0", "id": identity, "error": content}


def progress_message(identity: Id, done: int, total: int | None) -> Json:
    """Return the notification of how far a request has come; `total` is None where only the clock says when it ends."""
    return {"jsonrpc": "2.0", "method": "progress", "params": {"id": identity, "done": done, "total": total}}


def line_of(content: object) -> bytes:
    """Return the line of a message, in ASCII, so that all quoted text can be sent, half a surrogate pair included."""
    return jsontext.written(content, only_ascii=True).encode("ascii") + b"\n"
