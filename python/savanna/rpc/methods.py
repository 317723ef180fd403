"""What the engine can be asked: each method, its parameters, and what it answers."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import savanna as sv
from savanna import _core, fields, jsontext
from savanna.errors import RecordError, SavannaError
from savanna.rpc.protocol import (
    LONGEST_BATCH,
    LONGEST_LINE,
    PROTOCOL_VERSION,
    ErrorCode,
    Id,
    Json,
    Request,
    RequestError,
    is_id,
)

T = TypeVar("T")

LONGEST_QUEUE = 16
"""How many long requests may wait while one is at work."""


class Job(NamedTuple):
    """Long work: it is given what it has to call with how much is done, which may stop it by raising.

    `total` is how much there is to do; None if that is not known. Without `tells`, nobody is told of progress.
    """

    work: Callable[[Callable[[int], object]], object]
    total: int | None
    tells: bool


class Session:
    """What a client has said so far that later requests rest on: each method of the protocol is one here."""

    def __init__(self, watch: Callable[[int], None]) -> None:
        self._watch = watch
        self.is_initialized = False
        self.rules: sv.Rules | None = None
        self.view: sv.View | None = None

    def initialize(self, client: str | None = None, processId: int | None = None) -> Json:  # noqa: N803 (as in LSP)
        """Begin, and say what this engine is. It ends with the process of that number, if there is one."""
        if self.is_initialized:
            raise RequestError(ErrorCode.INVALID_REQUEST, "initialize has come before")
        if processId is not None:
            self._watch(processId)
        self.is_initialized = True
        return {
            "name": "savanna-core",
            "client": client,
            "versions": {"engine": sv.__version__, "rules": sv.RULES_VERSION, "protocol": PROTOCOL_VERSION},
            "capabilities": {"methods": [*METHODS, *CONTROL], "notifications": ["progress"], "batch": True},
            "limits": {"line": LONGEST_LINE, "batch": LONGEST_BATCH, "queue": LONGEST_QUEUE},
        }

    def new_game(self, rules: str | Json) -> Json:
        """Begin a game by these rules."""
        chosen = sv.Rules.parse(rules) if isinstance(rules, str) else _rules_of(rules)
        self.rules, self.view = chosen, None
        return {
            "rules": str(chosen),
            "players": chosen.players,
            "teams": [chosen.team_of(seat) for seat in range(chosen.players)],
            "deck": chosen.deck,
            "influence": chosen.influence,
        }

    def set_view(self, view: str) -> Json:
        """Look at the game as a seat does, or as spectators do: all later questions are about this view."""
        if self.rules is None:
            raise RequestError(ErrorCode.OUT_OF_ORDER, "newGame has to come first")
        seen = sv.View.parse(view)
        if seen.rules != self.rules:
            raise sv.RulesError(f"the game is by the rules {self.rules}, the view by {seen.rules}")
        self.view = seen
        return {
            "seat": seen.seat,
            "toMove": seen.to_move,
            "ply": seen.ply,
            "isOver": seen.is_over,
            "scores": list(seen.scores),
            "winners": list(seen.winners),
        }

    def legal_moves(self) -> Json:
        """Say what the seat may play; nothing unless it is to move."""
        return {"moves": [_named(move) for move in self._seen().legal_moves()]}

    def lines(self) -> Json:
        """Say how each line stands."""
        return {"lines": [line._asdict() for line in self._seen().lines]}

    def preview(self, move: str) -> Json:
        """Say what each line that a move of the seat would fill gives."""
        return {"lines": [line._asdict() for line in self._seen().preview(move)]}

    def analyse(self, top: int | None = None, **budget: Any) -> Job:
        """Say what the champion thinks of the moves, best first."""
        if top is not None and top < 1:
            raise sv.SavannaError(f"top must be at least 1, got {top}")
        view = self._seen()

        def work(progress: Callable[[int], object]) -> Json:
            said = sv.analyse(view, **budget, progress=progress).to_dict()
            return {**said, "moves": said["moves"][:top]}

        return Job(work, _core.check_search(**budget), tells=True)

    def best_move(self, **budget: Any) -> Job:
        """Say what the champion would play."""
        view = self._seen()

        def work(progress: Callable[[int], object]) -> Json:
            return _named(sv.analyse(view, **budget, progress=progress).best)

        return Job(work, _core.check_search(**budget), tells=False)

    def rollout(self, games: int = 1_000_000, **options: Any) -> Job:
        """Play random games on from the view and count how they come out."""
        view = self._seen()

        def work(progress: Callable[[int], object]) -> Json:
            stats = sv.rollout(view, games, progress=progress, **options)
            return {name: jsontext.finite(value) for name, value in stats.to_dict().items()}

        return Job(work, games, tells=True)

    def _seen(self) -> sv.View:
        if self.view is None:
            raise RequestError(ErrorCode.OUT_OF_ORDER, "setView has to come first")
        return self.view


def _named(move: sv.Move) -> Json:
    return {"move": str(move), "action": move.action}


def _rules_of(options: Json) -> sv.Rules:
    """Return the rules of an object of options."""
    for name in options:
        if name not in _OPTIONS:
            raise RecordError(f"rules: there is no option {fields.describe(name)}, only {', '.join(_OPTIONS)}")
    known: Json = {name: _OPTIONS[name](f"rules.{name}", value) for name, value in options.items()}
    return sv.Rules(**known)


# ---------------------------------------------------------------------------------------------------------- parameters


def _number(where: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fields.mistyped(where, "a number", value)
    return value


def _text_or_object(where: str, value: object) -> str | Json:
    if not isinstance(value, str | dict):
        raise fields.mistyped(where, "a text or an object", value)
    return value


def _id(where: str, value: object) -> Id:
    if not is_id(value):
        raise fields.mistyped(where, "a text, a number or null", value)
    return value


def _truth(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise fields.mistyped(where, "true or false", value)
    return value


def _whole_numbers(where: str, value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise fields.mistyped(where, "an object", value)
    return {name: fields.whole_number(f"{where}[{fields.describe(name)}]", number) for name, number in value.items()}


def _points(where: str, value: object) -> list[int]:
    given = fields.items(where, value, 3)
    return [fields.whole_number(f"{where}[{index}]", number) for index, number in enumerate(given)]


def _process(where: str, value: object) -> int:
    number = fields.whole_number(where, value)
    if not 0 < number < 2**31:
        raise fields.error(where, f"must be the number of a process, got {number}")
    return number


def _or_null(check: "Check") -> "Check":
    return lambda where, value: None if value is None else check(where, value)


Check: TypeAlias = Callable[[str, object], object]


class Parameters(NamedTuple):
    """The parameters of a method in the order of a list, each with its check, and which of them are needed."""

    checks: dict[str, Check]
    needed: tuple[str, ...] = ()


class Method(NamedTuple):
    """A method: what answers it, and its parameters."""

    call: Callable[..., object]
    parameters: Parameters


_WHOLE = fields.whole_number
_OPTIONS: dict[str, Check] = {
    "players": _WHOLE,
    "mice": _truth,
    "team_game": _truth,
    "deck": _or_null(_whole_numbers),
    "influence": _or_null(_whole_numbers),
    "target": _WHOLE,
    "points": _points,
    "last_seat_bonus": _or_null(_WHOLE),
    "absent_can_be_least": _truth,
}
_SOURCE: dict[str, Check] = {"seed": _or_null(_WHOLE), "threads": _or_null(_WHOLE)}
_BUDGET: dict[str, Check] = {"seconds": _or_null(_number), "iterations": _or_null(_WHOLE), **_SOURCE}

METHODS = {
    "initialize": Method(
        Session.initialize, Parameters({"client": _or_null(fields.text), "processId": _or_null(_process)})
    ),
    "newGame": Method(Session.new_game, Parameters({"rules": _text_or_object}, ("rules",))),
    "setView": Method(Session.set_view, Parameters({"view": fields.text}, ("view",))),
    "legalMoves": Method(Session.legal_moves, Parameters({})),
    "lines": Method(Session.lines, Parameters({})),
    "preview": Method(Session.preview, Parameters({"move": fields.text}, ("move",))),
    "analyse": Method(Session.analyse, Parameters({**_BUDGET, "top": _or_null(_WHOLE)})),
    "bestMove": Method(Session.best_move, Parameters(_BUDGET)),
    "rollout": Method(Session.rollout, Parameters({"games": _WHOLE, **_SOURCE})),
}
"""The methods that a session answers by itself."""

CONTROL = {"cancel": Parameters({"id": _id}, ("id",)), "shutdown": Parameters({})}
"""The methods that are about other requests, which the server answers."""


def answer(session: Session, request: Request) -> object:
    """Return the result of a request, or the `Job` that will give it. Raises `RequestError`."""
    method = METHODS.get(request.method)
    if method is None:
        names = ", ".join([*METHODS, *CONTROL])
        text = f"there is no method {fields.describe(request.method)}, only {names}"
        raise RequestError(ErrorCode.METHOD_NOT_FOUND, text)
    given = checked(session, request, method.parameters)
    return translated(lambda: method.call(session, **given))


def checked(session: Session, request: Request, parameters: Parameters) -> dict[str, Any]:
    """Return the parameters of a request by name, if it may come now. Raises `RequestError`."""
    if not session.is_initialized and request.method != "initialize":
        raise RequestError(ErrorCode.NOT_INITIALIZED, "initialize has to come first")
    return translated(lambda: _bound(request, parameters))


def translated(call: Callable[[], T]) -> T:
    """Return what a call returns, and turn the errors of the game into `RequestError`."""
    try:
        return call()
    except RecordError as error:  # something in the message is not of the form that it has to have
        raise RequestError(ErrorCode.INVALID_PARAMS, str(error)) from None
    except SavannaError as error:
        raise RequestError.of_game(error) from None


def _bound(request: Request, parameters: Parameters) -> dict[str, object]:
    given, names = request.params, parameters.checks
    if isinstance(given, list):
        if len(given) > len(names):
            raise RecordError(f"{request.method} has at most {len(names)} parameters, got {len(given)}")
        given = dict(zip(names, given, strict=False))
    for name in given:
        if name not in names:
            known = ", ".join(names) or "none at all"
            raise RecordError(f"{request.method} has no parameter {fields.describe(name)}, only {known}")
    for name in parameters.needed:
        if name not in given:
            raise RecordError(f"{name}: is missing")
    return {name: names[name](name, value) for name, value in given.items()}
