"""`savanna convert`: records of games from one form into another."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.options import whole_number
from savanna.cli.output import progress_bar

if TYPE_CHECKING:
    from savanna.arena import GameRecord
    from savanna.game.files import Record

FORMS = ("lines", "game")
_BETWEEN_SHOWS = 200


@app.command(
    short_help="Write games from one form of record into another.",
    epilog=examples(
        "savanna convert game.json --public",
        "savanna convert tournament.log --output games.jsonl",
        "savanna convert games.jsonl --game 3 --output game.json",
    ),
)
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A game, games line by line, or the log of a tournament; '-' is standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where to write.  [default: standard output]")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="lines: a game a line; game: just one, to be read by eye.  [default: game for FILE.json, else lines]",
        ),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Write only this game, of which the first is number 0."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Write only what spectators saw, with nothing hidden and no annotations.")
    ] = False,
) -> None:
    """Write games from one form of record into another, as they are read, however many there are.

    Which form the input has shows in its first line. Every game is played again, and has to be as its record says. In
    the log of a tournament, a game that was lost otherwise than by the score is annotated.
    """
    if form is None:
        form = "game" if output is not None and output.endswith(".json") else "lines"
    if form not in FORMS:
        raise sv.SavannaError(f"--form must be {' or '.join(FORMS)}, got {form[:40]!r}")
    if game is not None and not 0 <= game <= 10**15:
        raise sv.SavannaError(f"--game must be 0..{10**15}, got {game}")
    with _input(source) as (place, file), _moving_bar(file) as moved:
        games = moved(_games(place, file))
        if game is not None:
            games = _only(place, games, game)
        elif form == "game":
            games = _just_one(place, games)
        with _output(output) as write:
            for each in games:
                shown = each.public() if public and isinstance(each, sv.Game) else each
                write(f"{shown.to_json(indent=form == 'game')}\n".encode())


# ------------------------------------------------------------------------------------------------------------- reading


@contextmanager
def _input(source: str) -> Iterator[tuple[str, BinaryIO]]:
    """Open a file or standard input; yield what errors call it, too."""
    from savanna.game import files

    if source == "-":
        if sys.stdin is None:
            raise sv.SavannaError("standard input is closed")
        yield "standard input", sys.stdin.buffer
        return
    path = files.checked_path(source)
    with files.opened(path) as file:
        yield files.where(path), file


def _games(place: str, file: BinaryIO) -> "Iterator[Record]":
    """Yield the games of a file of any form."""
    from savanna.game import files, jsontext

    numbered = files.lines(place, file)
    first = next(((here, line) for here, line in numbered if not line.isspace()), None)
    if first is None:
        return
    here, line = first
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
    from savanna.game import jsontext, public

    content: Any = jsontext.read(text)
    kind = sv.PublicGame if isinstance(content, dict) and content.get("format") == public.FORMAT else sv.Game
    return kind.from_dict(content)


def _spread(place: str, first: bytes, file: BinaryIO, mistake: str) -> "Record":
    """Read a record that is spread over the lines of a file; if it is none, the first line was mistaken."""
    from savanna.game import files, jsontext

    with files.named(place):
        text = first + file.read(jsontext.LONGEST_RECORD + 1)
        if first.strip() != b"{":
            try:
                jsontext.read(text)
            except sv.RecordError:
                raise sv.RecordError(mistake) from None
        return _game(text)


def _games_of_log(place: str, head: bytes, numbered: Iterator[tuple[str, bytes]]) -> Iterator[sv.Game]:
    """Yield the games of a tournament's log; a last line without its end is left out, as when it is resumed."""
    from savanna.arena import log

    path = Path(place)
    plan = log.read_plan(path, head)
    whole = (line for _, line in numbered if line.endswith(b"\n"))
    for record in log.read_games(path, plan, whole):
        yield _game_of_log(plan.rules, record)


def _game_of_log(rules: sv.Rules, record: "GameRecord") -> sv.Game:
    """Return a game of a tournament."""
    game = sv.Game(sv.Position.from_decks(rules, record.decks), record.seats)
    for move in record.moves:
        game.play(move)
    if record.failed is not None:
        reason = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in record.reason)
        game.annotate(game.plies, f"Seat {record.failed} has lost: {reason}")
    return game


# ------------------------------------------------------------------------------------------------------------- choosing


def _only(place: str, games: "Iterator[Record]", number: int) -> "Iterator[Record]":
    """Yield one game by its number."""
    before = sum(1 for _ in islice(games, number))
    chosen = next(games, None)
    if chosen is None:
        raise sv.SavannaError(f"{place}: there is no game {number}, it holds {before}")
    yield chosen


def _just_one(place: str, games: "Iterator[Record]") -> "Iterator[Record]":
    """Yield the game, of which there is just one."""
    first = next(games, None)
    if first is None:
        raise sv.SavannaError(f"{place}: it holds no game")
    if next(games, None) is not None:
        raise sv.SavannaError(f"{place}: it holds more than one game, choose one by --game")
    yield first


# ------------------------------------------------------------------------------------------------------------- writing


@contextmanager
def _output(path: str | None) -> Iterator[Callable[[bytes], object]]:
    """Yield what writes to a file, which is not there before all is written, or to standard output."""
    from savanna.game import files

    if path is not None:
        with files.replacing(files.checked_path(path)) as write:
            yield write
        return
    if sys.stdout is None:
        raise sv.SavannaError("standard output is closed")
    yield sys.stdout.buffer.write
    sys.stdout.flush()


@contextmanager
def _moving_bar(file: BinaryIO) -> Iterator[Callable[["Iterator[Record]"], "Iterator[Record]"]]:
    """Show how much of a file has been read; yield what makes the bar move as games are taken."""
    size = None
    with contextlib.suppress(OSError):
        size = os.fstat(file.fileno()).st_size if file.seekable() else None
    with progress_bar(size, "bytes") as show:

        def moved(games: "Iterator[Record]") -> "Iterator[Record]":
            for number, game in enumerate(games):
                if show is not None and size is not None and number % _BETWEEN_SHOWS == 0:
                    show(file.tell())
                yield game
            if show is not None and size is not None:
                show(size)

        yield moved
