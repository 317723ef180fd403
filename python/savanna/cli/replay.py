"""`savanna replay`: a recorded game, ply by ply."""

from pathlib import Path
from typing import Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.options import whole_number


@app.command(
    help="Step through a recorded game: each move, the lines that it filled, the board after it, and the "
    "remarks on it.\n\n"
    "On a terminal, Enter, space, n or an arrow go on, p goes back, a number and Enter go to that ply, "
    "and q ends it.",
    short_help="Step through a game that was recorded.",
    epilog=examples(
        "savanna replay game.json",
        "savanna replay games.jsonl --game 3 --from 10 --seat 0",
        "savanna replay game.json --all | less -R",
        "savanna replay game.json --svg pictures",
    ),
)
def replay(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A game, games line by line, or the log of a tournament.", show_default=False
        ),
    ],
    game: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Take this game of the file; the first is number 0."),
    ] = None,
    first: Annotated[
        int, typer.Option("--from", parser=whole_number, metavar="PLY", help="Begin after PLY moves.")
    ] = 0,
    seat: Annotated[
        int | None, typer.Option(parser=whole_number, metavar="N", help="Show only what this seat saw.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show every ply at once, as is done where nobody can answer.")
    ] = False,
    svg: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write a picture of every ply to this folder instead: ply-00.svg and so on."),
    ] = None,
) -> None:
    """Do what `savanna replay` does."""
    from savanna.cli import records
    from savanna.cli.terminal import Terminal
    from savanna.cli.viewer import Viewer

    record = records.game_of(source, game)
    if not 0 <= first <= len(record):
        raise sv.SavannaError(f"--from must be 0 to {len(record)}, as many plies as the game has, got {first}")
    terminal = Terminal()
    viewer = Viewer(record, seat, terminal)
    viewer.source()
    if svg is not None:
        viewer.write(Path(svg), first)
    elif terminal.reads and terminal.clears and not every:
        with terminal.other_screen(), terminal.keys() as keys:
            viewer.step(first, keys)
    else:
        for ply in range(first, len(record) + 1):
            terminal.say("\n".join(viewer.lines(ply)) + "\n")
