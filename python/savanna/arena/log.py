"""The log of a tournament: a line of JSON that says what is played, then one for each game, in the order of the games.

It follows from the tournament's arguments and the players' moves: no time, no thread and no machine is in it.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from savanna._core import RULES_VERSION, Move, Rules, __version__
from savanna.arena.course import Course
from savanna.arena.games import PLAYED, GameRecord, record
from savanna.arena.schedule import Plan, Task, make_plan
from savanna.arena.sprt import Sprt
from savanna.arguments import wrong_type
from savanna.errors import RecordError
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


@dataclass(frozen=True)
class Content:
    """What is in a log: the tournament so far, and the length in bytes of all whole lines."""

    course: Course
    length: int


def log_path(path: object) -> Path:
    """Return the path of a log."""
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("log", "a path", path)
    return Path(path)


def read(path: Path) -> Content:
    """Read a log and check it; see `_checked`."""
    return _checked(path, _bytes(path))


def _checked(path: Path, data: bytes) -> Content:
    """Return what is in a log: every game is played again, and has to give the same line.

    A last line without its end, torn when the program was stopped, is left out. Raises `RecordError` for anything else
    that is not the log of a tournament.
    """
    head, *lines = _whole_lines(data) or [b""]
    plan = read_plan(path, head)
    course = Course(plan)
    for number, game in enumerate(read_games(path, plan, lines)):
        if course.is_over:
            raise _goes_on(path, number)
        course.add(game)
    return Content(course, len(head) + sum(map(len, lines)))


def read_games(path: Path, plan: Plan, lines: Iterable[bytes]) -> Iterator[GameRecord]:
    """Yield the games of the lines after the first: every game is played again, and has to give the same line.

    A sequential test may have ended the tournament before the last of them; that is left to the caller.
    """
    tasks = plan.tasks()
    for number, written in enumerate(lines):
        task = next(tasks, None)
        if task is None:
            raise _goes_on(path, number)
        game = _replayed(plan, task, written)
        if game is None or game_line(number, game) != written:
            raise _error(path, f"line {number + 2} is not game {number} of this tournament")
        yield game


def _whole_lines(data: bytes) -> list[bytes]:
    """Return the lines that have come to their end."""
    return [text + b"\n" for text in data.split(b"\n")[:-1]]


def _bytes(path: Path) -> bytes:
    """Return what is in a file, nothing if there is none."""
    try:
        if not path.exists():
            return b""
        if path.is_file():
            return path.read_bytes()
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        raise _error(path, getattr(error, "strerror", None) or str(error)) from None
    raise _error(path, "it is no regular file")


def read_plan(path: Path, head: bytes) -> Plan:
    """Return the plan that the first line tells of."""
    try:
        content = json.loads(head)
        known = {name: content[name] for name in ("format", "rules_version")}
        plan = make_plan(
            rules=Rules.parse(content["rules"]),
            names=[checked_name(player["name"]) for player in content["players"]],
            texts=[player["repr"] for player in content["players"]],
            deals=content["deals"],
            seed=content["seed"],
            time_limit=content["time_limit"],
            sprt=None if content["sprt"] is None else Sprt(**content["sprt"]),
        )
        same = line({**header(plan), **known, "savanna": content["savanna"]}) == head
    except (KeyError, TypeError, ValueError, RecursionError):
        same = False
    if not same:
        raise _error(path, "its first line is not that of a tournament")
    if known != {name: header(plan)[name] for name in known}:
        raise _error(path, f"it has {known}, this version reads format {FORMAT} and rules version {RULES_VERSION}")
    return plan


def _replayed(plan: Plan, task: Task, written: bytes) -> GameRecord | None:
    """Play the game of a line again and return its record; None if that cannot be."""
    try:
        content = json.loads(written)
        start = position = plan.start(task.deal)
        moves = [Move.parse(text) for text in content["moves"]]
        for move in moves:
            position = position.play(move)
        reason = content["reason"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    if not isinstance(reason, str) or (reason == PLAYED) != position.is_over:
        return None
    return record(plan, task, start, moves, position, reason, position.seat)


def _goes_on(path: Path, number: int) -> RecordError:
    """Return the error for a log with a game after its last one."""
    return _error(path, f"it goes on after game {number - 1}, with which the tournament ended")


def _error(path: Path, text: str) -> RecordError:
    """Return the error for a log."""
    return RecordError(f"log {str(path)!r}: {text}")


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
    data = _bytes(path)
    if data and not resume:
        raise _error(path, "it is there already, to be resumed or removed")
    if first.startswith(data):  # it is new, or was torn before the first game
        content = Content(Course(plan), 0)
    elif data.startswith(first):
        content = _checked(path, data)
    else:
        raise _another(path, (_whole_lines(data) or [data])[0], first)
    try:
        file = path.open("r+b" if path.exists() else "xb")
    except OSError as error:
        raise _error(path, error.strerror or str(error)) from None
    with file:
        file.truncate(content.length)
        file.seek(content.length)
        if content.length == 0:
            file.write(first)
            file.flush()

        def add(game: GameRecord) -> None:
            file.write(game_line(len(content.course.games), game))
            file.flush()  # it is not lost from now on, whatever becomes of this process
            content.course.add(game)

        yield content.course, add


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
