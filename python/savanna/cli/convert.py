"""`savanna convert`: records of games from one form into another."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

import savanna as sv
from savanna.cli import records
from savanna.cli.app import app, examples
from savanna.cli.options import whole_number
from savanna.cli.output import progress_bar

if TYPE_CHECKING:
    from savanna.game.record import Record

FORMS = ("lines", "game")
_BETWEEN_SHOWS = 200


@app.command(
    help="Write games from one form of record into another, as they are read, however many there are.\n\n"
    "Which form the input has shows in its first line. Every game is played again, and has to be as its "
    "record says. In the log of a tournament, a game that was lost otherwise than by the score is "
    "annotated.",
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
    """Do what `savanna convert` does."""
    if form is None:
        form = "game" if output is not None and output.endswith(".json") else "lines"
    if form not in FORMS:
        raise sv.SavannaError(f"--form must be {' or '.join(FORMS)}, got {form[:40]!r}")
    number = records.checked_number(game)
    with records.opened(source) as (place, file), _moving_bar(file) as moved:
        games = moved(records.games(place, file))
        if number is not None:
            games = records.numbered(place, games, number)
        elif form == "game":
            games = records.just_one(place, games)
        with _output(output) as write:
            for each in games:
                shown = each.public() if public and isinstance(each, sv.Game) else each
                write(f"{shown.to_json(indent=form == 'game')}\n".encode())


# ------------------------------------------------------------------------------------------------------------- writing


@contextmanager
def _output(path: str | None) -> Iterator[Callable[[bytes], object]]:
    """Yield what writes to a file, which is not there before all is written, or to standard output."""
    from savanna import files

    if path is not None:
        target = files.checked_path(path)
        with files.locked(target, patience=0), files.replacing(target) as write:
            yield write
        return
    yield sys.stdout.buffer.write


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
