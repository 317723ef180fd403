"""Games in files of any form: a record, records line by line, the log of a tournament."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import savanna as sv
from savanna.characters import escaped
from savanna.cli.options import is_notation

if TYPE_CHECKING:
    from savanna.arena import GameRecord
    from savanna.game.record import Record


# ------------------------------------------------------------------------------------------------------------- reading


@contextmanager
def opened(source: str) -> Iterator[tuple[str, BinaryIO]]:
    """Open a file or standard input; yield what errors call it, too."""
    from savanna import files

    if source == "-":
        if sys.stdin is None:
            raise sv.SavannaError("standard input is closed")
        yield "standard input", sys.stdin.buffer
        return
    path = files.checked_path(source)
    with files.opened(path) as file:
        yield files.where(path), file


def games(place: str, file: BinaryIO) -> "Iterator[Record]":
    """Yield the games of a file of any form."""
    from savanna import files, jsontext

    numbered = files.lines(place, file)
    first = next(((here, line) for here, line in numbered if not line.isspace()), None)
    if first is None:
        return
    here, line = first
    if is_notation(line.decode(errors="replace").lstrip()):
        raise sv.RecordError(f"{here}: it is the text of a position or a view, and not a game")
    try:
        content = jsontext.read(line)
    except sv.RecordError as error:
        yield _spread(place, line, file, f"{here}: {error}")
        return
    if isinstance(content, dict) and "sprt" in content:
        yield from _games_of_log(place, line, numbered)
        return
    for here, line in chain([first], numbered):
        if not line.isspace():
            with files.named(here):
                yield _game(line)


def _game(text: bytes) -> "Record":
    """Read a record of either kind."""
    from savanna import jsontext
    from savanna.game import public

    content: Any = jsontext.read(text)
    kind = sv.PublicGame if isinstance(content, dict) and content.get("format") == public.FORMAT else sv.Game
    return kind.from_dict(content)


def _spread(place: str, first: bytes, file: BinaryIO, mistake: str) -> "Record":
    """Read a record that is spread over the lines of a file; if it is none, the first line was mistaken."""
    from savanna import files, jsontext

    with files.named(place):
        text = first + file.read(jsontext.LONGEST_RECORD + 1)
    if first.strip() != b"{":
        try:
            jsontext.read(text)
        except sv.RecordError:
            raise sv.RecordError(mistake) from None
    with files.named(place):
        return _game(text)


def _games_of_log(place: str, head: bytes, numbered: Iterator[tuple[str, bytes]]) -> "Iterator[sv.Game]":
    """Yield the games of a tournament's log; a last line without its end is left out, as when it is resumed."""
    from savanna.arena import log

    path = Path(place)
    plan = log.read_plan(path, head)
    whole = (line for _, line in numbered if line.endswith(b"\n"))
    for record in log.read_games(path, plan, whole):
        yield _game_of_log(record)


def _game_of_log(record: "GameRecord") -> "sv.Game":
    """Return a game of a tournament."""
    game = sv.Game(record.start, record.seats)
    for move in record.moves:
        game.play(move)
    if record.failed is not None:
        game.annotate(len(game), f"Seat {record.failed} has lost: {escaped(record.reason)}")
    return game


# ------------------------------------------------------------------------------------------------------------- choosing


def numbered(place: str, games: "Iterator[Record]", number: int) -> "Iterator[Record]":
    """Yield one game by its number."""
    before = sum(1 for _ in islice(games, number))
    chosen = next(games, None)
    if chosen is None:
        raise sv.SavannaError(f"{place}: there is no game {number}, it holds {before}")
    yield chosen


def just_one(place: str, games: "Iterator[Record]") -> "Iterator[Record]":
    """Yield the game, of which there is just one."""
    first = next(games, None)
    if first is None:
        raise sv.SavannaError(f"{place}: it holds no game")
    if next(games, None) is not None:
        raise sv.SavannaError(f"{place}: it holds more than one game, choose one by --game")
    yield first


def checked_number(game: int | None) -> int | None:
    """Return the number that `--game` gives, if it can be that of a game."""
    if game is not None and not 0 <= game <= 10**15:
        raise sv.SavannaError(f"--game must be 0 to {10**15}, got {game}")
    return game


def game_of(source: str, number: int | None) -> "sv.Game":
    """Return the one game of a file, or that of a number, with all that is hidden in it.

    Raises `SavannaError` for a public record that does not reveal it.
    """
    number = checked_number(number)
    with opened(source) as (place, file):
        found = games(place, file)
        chosen = next(just_one(place, found) if number is None else numbered(place, found, number))
    if isinstance(chosen, sv.Game):
        return chosen
    assert isinstance(chosen, sv.PublicGame)
    if chosen.revealed is None:
        raise sv.SavannaError(f"{place}: it is a public record, in which hands and Lions are not revealed")
    game = sv.Game(sv.Position.parse(chosen.revealed.start), chosen.names, started=chosen.started)
    for move in chosen.revealed.moves:
        game.play(move)
    for ply, text in chosen.annotations.items():
        game.annotate(ply, text)
    return game
