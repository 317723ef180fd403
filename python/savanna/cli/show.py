"""`savanna show`: a position, what a seat sees of it, or a moment of a game."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

import savanna as sv
from savanna.cli.analyse import DEFAULT_ITERATIONS, analysis_of
from savanna.cli.app import app, examples
from savanna.cli.options import THREADS, is_notation, position_or_view, positive_number, whole_number


class Moment(NamedTuple):
    """What there is to show: a position or a view, where the last tile lies if that is known, and who plays."""

    source: sv.Position | sv.View
    last: str | None = None
    names: tuple[str, ...] | None = None


@app.command(
    help="Show a position, what a seat sees of it, or a moment of a game that was recorded.\n\n"
    "A position and a game are shown with all that is hidden in them, unless a seat is named. What a seat "
    "is advised by --analyse depends on nothing that it does not see.",
    short_help="Show a position, a view, or a moment of a game.",
    epilog=examples(
        "savanna show '2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0'",
        "savanna show game.json --ply 7 --seat 1",
        "savanna show game.json --analyse --seconds 2 --svg picture.svg",
    ),
)
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|FILE",
            help="The text of a position or a view, or a file with games of any form; '-' is standard input.",
            show_default=False,
        ),
    ],
    ply: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Show the game after N moves.  [default: all]"),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Take this game of the file; the first is number 0."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(parser=whole_number, metavar="N", help="Show only what this seat sees.")
    ] = None,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="Write a picture to this file instead.")] = None,
    analyse: Annotated[
        bool, typer.Option("--analyse", help="Show what the strongest player thinks of the moves of the seat to move.")
    ] = False,
    iterations: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="N",
            help=f"How far to think, for --analyse.  [default: {DEFAULT_ITERATIONS:,}]",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(parser=positive_number, metavar="S", help="How long to think instead.")
    ] = None,
    threads: Annotated[int | None, THREADS] = None,
) -> None:
    """Do what `savanna show` does."""
    from savanna.cli.picture import fitting, write_svg
    from savanna.cli.terminal import Terminal

    if not analyse and not iterations is seconds is threads is None:
        raise sv.SavannaError("--iterations, --seconds and --threads are for --analyse")
    moment = _seen_by(seat, _moment(what, ply, game))
    analysis = analysis_of(moment.source, seconds, iterations, threads) if analyse else None
    if svg is not None:
        write_svg(Path(svg), *moment, analysis)
    else:
        terminal = Terminal()
        terminal.say(fitting(moment.source, terminal, moment.last, moment.names, analysis, whole=True))


def _moment(what: str, ply: int | None, game: int | None) -> Moment:
    """Return what a text or a file holds."""
    from savanna.cli import records
    from savanna.cli.picture import last_space

    if is_notation(what):
        if ply is not None or game is not None:
            raise sv.SavannaError(f"{'--game' if ply is None else '--ply'} is for files of games")
        return Moment(position_or_view(what))
    if what != "-" and not _is_there(what):
        short = what[:60] + "..." * (len(what) > 60)
        raise sv.SavannaError(f"{short!r} is neither the text of a position or a view, nor a file")
    record = records.game_of(what, game)
    if ply is not None:
        record.goto(ply)
    return Moment(record.position, last_space(record), record.names)


def _is_there(what: str) -> bool:
    """Tell whether there is such a file, or anything in its place."""
    try:
        return bool(what) and Path(what).exists()
    except (OSError, ValueError):
        return False


def _seen_by(seat: int | None, moment: Moment) -> Moment:
    """Return what a seat sees of a moment."""
    if seat is None:
        return moment
    if isinstance(moment.source, sv.View):
        whose = "a public view" if moment.source.seat is None else f"the view of seat {moment.source.seat}"
        raise sv.SavannaError(f"--seat is for positions and games; this is {whose}")
    return moment._replace(source=moment.source.view(seat))
