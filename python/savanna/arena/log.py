"""The log of a tournament: a line of JSON that says what is played, then one for each game, in the order of the games.

It follows from the tournament's arguments and the players' moves: no time, no thread and no machine is in it.
"""

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from functools import partial
from pathlib import Path
from typing import Any

from savanna import fields, jsontext, locks
from savanna._core import RULES_VERSION, SPACES, Move, Rules, __version__
from savanna.arena.course import Course
from savanna.arena.games import PLAYED, GameRecord, record
from savanna.arena.lineup import MOST_PLAYERS
from savanna.arena.schedule import Plan, Task, make_plan
from savanna.arena.sprt import Sprt
from savanna.arguments import wrong_type
from savanna.errors import RecordError
from savanna.files import named
from savanna.names import checked_name

FORMAT = 1
"""Goes up when the form of the lines changes."""


def header(plan: Plan) -> dict[str, Any]:
    """Return what the first line says."""
    return {
        "format": FORMAT,
        "savanna": __version__,
        "rules_version": RULES_VERSION,
        "rules": str(plan.rules),
        "seed": plan.seed,
        "deals": plan.deals,
        "players": [{"name": name, "repr": text} for name, text in zip(plan.names, plan.texts, strict=True)],
        "time_limit": plan.time_limit,
        "sprt": None if plan.sprt is None else asdict(plan.sprt),
    }


def line(content: dict[str, Any]) -> bytes:
    """Return a line of the log, in ASCII."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def game_line(number: int, game: GameRecord) -> bytes:
    """Return the line of a game, of which the first has number 0."""
    start = game.start
    return line(
        {
            "game": number,
            "deal": game.deal,
            "seats": game.seats,
            "decks": [(*hand, *deck) for hand, deck in zip(start.hands, start.decks, strict=True)],
            "moves": list(map(str, game.moves)),
            "scores": game.scores,
            "winners": game.winners,
            "reason": game.reason,
            "failed": game.failed,
        }
    )


# ------------------------------------------------------------------------------------------------------------- reading


_HEADER = ("format", "savanna", "rules_version", "rules", "seed", "deals", "players", "time_limit", "sprt")
_GAME = ("game", "deal", "seats", "decks", "moves", "scores", "winners", "reason", "failed")
_LONGEST_NUMBER = 20  # digits of a seed


@dataclass(frozen=True)
class Content:
    """What is in a log: the tournament so far, the length in bytes of all whole lines, and how they end."""

    course: Course
    length: int = 0
    end: bytes = b"\n"


def log_path(path: object) -> Path:
    """Return the path of a log."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("log", "a path", path)
    return Path(path)


def read(path: Path) -> Content:
    """Read a log and check it; see `_checked`."""
    data = _bytes(path)
    if not data:
        raise _error(path, "it is empty" if path.exists() else os.strerror(errno.ENOENT))
    return _checked(path, data)


def _checked(path: Path, data: bytes) -> Content:
    """Return what is in a log: every game is played again, and has to give the same line.

    A last line without its end, torn when the program was stopped, is left out. Raises `RecordError` for anything else
    that is not the log of a tournament.
    """
    text = _text(path, data)
    head, *lines = _whole_lines(text) or [text]
    plan = read_plan(path, head)
    course = Course(plan)
    for number, game in enumerate(read_games(path, plan, lines)):
        if course.is_over:
            raise _goes_on(path, number)
        course.add(game)
    length = len(data) - len(text) + len(head) + sum(map(len, lines))
    return Content(course, length, b"\r\n" if head.endswith(b"\r\n") else b"\n")


def read_games(path: Path, plan: Plan, lines: Iterable[bytes]) -> Iterator[GameRecord]:
    """Yield the games of the lines after the first: every game is played again, and has to give the same line.

    A sequential test may have ended the tournament before the last of them; that is left to the caller.
    """
    tasks = plan.tasks()
    for number, written in enumerate(lines):
        task = next(tasks, None)
        if task is None:
            raise _goes_on(path, number)
        with _named(path), named(f"line {number + 2}"):
            game = _replayed(plan, task, number, _plain(written))
        yield game


def _text(path: Path, data: bytes) -> bytes:
    """Return the text of a log without a byte order mark."""
    with _named(path):
        return jsontext.without_mark(data)


def _whole_lines(text: bytes) -> list[bytes]:
    """Return the lines that have come to their end."""
    return [line + b"\n" for line in text.split(b"\n")[:-1]]


def _plain(line: bytes) -> bytes:
    """Return a line with the end that this module writes, for one that has gone through Windows or Git."""
    return line.removesuffix(b"\r\n") + b"\n" if line.endswith(b"\r\n") else line


def _check_regular(path: Path) -> bool:
    """Tell whether there is a file. Raises `RecordError` for anything else in its place."""
    try:
        there = path.exists()
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        raise _error(path, getattr(error, "strerror", None) or str(error)) from None
    if there and not path.is_file():
        raise _error(path, "not a regular file")
    return there


def _bytes(path: Path) -> bytes:
    """Return what is in a file, nothing if there is none."""
    with _named(path):
        return path.read_bytes() if _check_regular(path) else b""


def read_plan(path: Path, head: bytes) -> Plan:
    """Return the plan that the first line tells of."""
    with _named(path), named("line 1"):
        return _plan(_plain(head))


def _plan(head: bytes) -> Plan:
    """Return the plan that the first line tells of. Raises `RecordError`, which names the field."""
    content = jsontext.parsed(head, "line", longest_number=_LONGEST_NUMBER)
    if not isinstance(content, dict):
        raise fields.mistyped("", "an object", content)
    for name, ours in (("format", FORMAT), ("rules_version", RULES_VERSION)):
        if name not in content:
            raise fields.error(name, "is missing")
        if type(content[name]) is not int or content[name] != ours:
            what, theirs = name.replace("_", " "), fields.describe(content[name])
            raise RecordError(f"it has {what} {theirs}, this version reads {what} {ours}")
    given: dict[str, Any] = fields.members("", content, _HEADER)
    players: list[Any] = fields.items("players", given["players"], MOST_PLAYERS)
    for number, player in enumerate(players):
        fields.members(f"players[{number}]", player, ("name", "repr"))
        fields.text(f"players[{number}].repr", player["repr"])
    if given["sprt"] is not None:
        fields.members("sprt", given["sprt"], [field.name for field in dataclass_fields(Sprt)])
    try:
        plan = make_plan(
            rules=fields.checked("rules", lambda: Rules.parse(fields.text("rules", given["rules"]))),
            names=[
                fields.checked(f"players[{number}].name", partial(checked_name, player["name"]))
                for number, player in enumerate(players)
            ],
            texts=[player["repr"] for player in players],
            deals=given["deals"],
            seed=given["seed"],
            time_limit=given["time_limit"],
            sprt=None if given["sprt"] is None else Sprt(**given["sprt"]),
        )
        same = line({**header(plan), "savanna": given["savanna"]}) == head
    except RecordError:
        raise
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None
    if not same:
        raise RecordError("it is not written as the first line of a tournament's log")
    return plan


def _replayed(plan: Plan, task: Task, number: int, written: bytes) -> GameRecord:
    """Play the game of a line again and return its record. Raises `RecordError` if the line does not say the same."""
    content: Any = jsontext.parsed(written, "line", longest_number=_LONGEST_NUMBER)
    given: dict[str, Any] = fields.members("", content, _GAME)
    if given["game"] != number:
        raise fields.error("game", f"must be {number} here, got {fields.describe(given['game'])}")
    start = position = plan.start(task.deal)
    texts = fields.items("moves", given["moves"], len(SPACES))
    moves: list[Move] = []
    for index, text in enumerate(texts):
        where = f"moves[{index}]"
        move = fields.checked(where, partial(Move.parse, fields.text(where, text)))
        position = fields.checked(where, partial(position.play, move))
        moves.append(move)
    reason = fields.text("reason", given["reason"])
    if (reason == PLAYED) != position.is_over:
        raise fields.error("reason", f"is {fields.describe(reason)} after {len(moves)} moves")
    game = record(plan, task, start, moves, position, reason, position.seat)
    right = game_line(number, game)
    if right != written:
        wrong = next((name for name, value in json.loads(right).items() if given[name] != value), None)
        why = "it is not written as a log's lines are" if wrong is None else f"{wrong} is not what it must be"
        raise RecordError(f"it is not game {number} of this tournament: {why}")
    return game


def _goes_on(path: Path, number: int) -> RecordError:
    """Return the error for a log with a game after its last one."""
    return _error(path, f"it goes on after game {number - 1}, with which the tournament ended")


def _error(path: Path, text: str) -> RecordError:
    """Return the error for a log."""
    return RecordError(f"{_place(path)}: {text}")


def _named(path: Path) -> AbstractContextManager[None]:
    """Name the log in errors."""
    return named(_place(path))


def _place(path: Path) -> str:
    """Return a log as errors name it."""
    return f"log {str(path)!r}"


# ------------------------------------------------------------------------------------------------------------- writing


@contextmanager
def opened(path: Path | None, plan: Plan, *, resume: bool) -> Iterator[tuple[Course, Callable[[GameRecord], None]]]:
    """Open the log of a tournament: a new one, or with `resume` one that is to be continued, if it is there.

    Yields the course of the tournament so far, and the function that adds a game to it and to the file. Without a path,
    there is no file. Raises `RecordError` if the file holds anything that would be lost, or another tournament's log.
    """
    if path is None:
        course = Course(plan)
        yield course, course.add
        return
    first = line(header(plan))
    with ExitStack() as stack:
        with _named(path):
            _check_regular(path)
            stack.enter_context(locks.held(path))
        data = _bytes(path)
        if data and not resume:
            raise _error(path, "it is there already, to be resumed or removed")
        content = _continued(path, data, plan, first)
        with _named(path):
            file = stack.enter_context(path.open("r+b" if path.exists() else "xb"))
        file.truncate(content.length)
        file.seek(content.length)
        if content.length == 0:
            file.write(first)
            file.flush()

        def add(game: GameRecord) -> None:
            file.write(game_line(len(content.course.games), game).removesuffix(b"\n") + content.end)
            file.flush()  # from now on it survives the end of this process
            content.course.add(game)

        yield content.course, add


def _continued(path: Path, data: bytes, plan: Plan, first: bytes) -> Content:
    """Return what is in a log that is to be continued, which begins with this line or was torn within it."""
    text = _text(path, data)
    lines = _whole_lines(text)
    if not lines and first.startswith(text.rstrip(b"\r")):
        return Content(Course(plan))
    head = lines[0] if lines else text
    if _plain(head) != first:
        raise _another(path, head, first)
    return _checked(path, data)


def _another(path: Path, head: bytes, first: bytes) -> RecordError:
    """Return the error for a log with another first line, which names the first thing that differs."""
    read_plan(path, head)
    theirs, ours = json.loads(head), json.loads(first)
    name = next(name for name in ours if theirs[name] != ours[name])
    return _error(path, f"it is of another tournament: {name} is {_short(theirs[name])}, not {_short(ours[name])}")


def _short(value: object) -> str:
    """Return a value in a few words."""
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
