"""`savanna analyse`: what the strongest player thinks of every move."""

from collections.abc import Iterable
from typing import Annotated

import typer

import savanna as sv
from savanna import _core
from savanna.cli.app import app, examples
from savanna.cli.options import JSON, SEED, THREADS, position_or_view, positive_number, view_to_move, whole_number
from savanna.cli.output import print_json, progress_bar

DEFAULT_ITERATIONS = _core.check_search()
DEFAULT_TOP = 10


@app.command(
    help="Say what the strongest player thinks of the moves of the seat to move, best first, and how the game "
    "may go on.\n\n"
    "Shares are of wins, a shared win counting in part; margins are in points. Animals under other seats' "
    "Lions in a continuation are guesses.",
    short_help="Say what the strongest player thinks of every move.",
    epilog=examples(
        "savanna analyse --position '2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0'",
        "savanna analyse --seconds 2 --position 'seat=0 2p ..../..../..../..../.... mm/?? ????????/???????? 0/0'",
    ),
)
def analyse(
    position: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="The position, of which only what the seat to move sees is used, or the view of that seat.",
            show_default=False,
        ),
    ],
    seconds: Annotated[
        float | None, typer.Option(parser=positive_number, metavar="S", help="How long to think.")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            parser=whole_number, metavar="N", help=f"How far to think instead.  [default: {DEFAULT_ITERATIONS:,}]"
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="How many of the moves the table shows.")
    ] = DEFAULT_TOP,
    threads: Annotated[int | None, THREADS] = None,
    seed: Annotated[int, SEED] = 0,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna analyse` does."""
    if top < 1:
        raise sv.SavannaError(f"--top must be at least 1, got {top}")
    analysis = analysis_of(position_or_view(position), seconds, iterations, threads, seed)
    if as_json:
        print_json(analysis.to_dict())
    else:
        typer.echo("\n".join(_table(analysis, top)))


def analysis_of(
    source: sv.Position | sv.View,
    seconds: float | None,
    iterations: int | None,
    threads: int | None,
    seed: int = 0,
) -> sv.Analysis:
    """Return what the strongest player thinks, by what the seat to move sees, and show how far it is."""
    if seconds is None and iterations is None:
        iterations = DEFAULT_ITERATIONS
    with progress_bar(iterations, "iterations") as progress:
        return sv.analyse(
            view_to_move(source), iterations, seconds=seconds, seed=seed, threads=threads, progress=progress
        )


def _table(analysis: sv.Analysis, top: int) -> Iterable[str]:
    """Return the lines of the table: those of `str(analysis)`, but more of them, with continuations."""
    yield f"{analysis.iterations:,} iterations, best of {len(analysis.moves)} moves"
    yield f"  {'move':<16} {'visits':>10} {'win share':>10} {'error':>10} {'margin':>10}   likely continuation"
    for it in analysis.moves[:top]:
        numbers = f"{it.visits:>10} {it.win_share:>10.4f} {it.stderr:>10.4f} {it.margin:>+10.2f}"
        yield f"  {it.move!s:<16} {numbers}   {', '.join(map(str, it.line))}".rstrip()
