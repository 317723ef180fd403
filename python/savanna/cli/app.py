"""The program itself: what `savanna` does without a command, and where commands are added."""

from typing import Annotated

import typer

import savanna as sv
from savanna.cli.output import PROGRAM

# Typer's own help and errors stay plain: its Rich versions double the time of --help, and errors here are one line.
app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def examples(*lines: str) -> str:
    """Return what stands below the help of a command."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"{PROGRAM} {sv.__version__}")
        raise typer.Exit


@app.callback(
    help="Savanna Ten: the exact, fast engine of the tile game.",
    invoke_without_command=True,
    epilog=examples(
        "savanna rollout",
        "savanna rollout --players 4 --team-game --json",
        "savanna play",
        "savanna analyse --position TEXT",
        "savanna tournament random greedy",
        "savanna study --players 3",
        "savanna generate games --games 1000",
        "savanna bench",
        "savanna engine",
        "savanna serve",
        "savanna rollout --help",
    ),
)
def savanna(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Do what `savanna` does without a command."""
    if context.invoked_subcommand is None:
        raise sv.SavannaError(f"a command is missing, try '{PROGRAM} rollout' or '{PROGRAM} --help'")
