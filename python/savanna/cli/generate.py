"""`savanna generate`: games written down for learning."""

from typing import Annotated

import typer

from savanna.cli.app import app, examples
from savanna.cli.cluster import cluster
from savanna.cli.options import (
    JSON,
    MICE,
    PLAYER,
    POLICY,
    RULES,
    SEATS,
    SEED,
    STUDIED_GAMES,
    TEAM_GAME,
    rules_of_options,
    whole_number,
)
from savanna.cli.output import print_json, progress_bar


@app.command(
    help="Write down games for learning: what the seat to move saw and played, turn by turn, and how that came "
    "out.\n\n"
    "The games are those of 'savanna study' with the same options.",
    short_help="Write down games for learning, as Parquet files.",
    epilog=examples(
        "savanna generate games --policy soft-greedy --games 1_000_000",
        "savanna generate games --player champion:500 --games 10_000 --workers 8",
    ),
)
def generate(
    directory: Annotated[
        str,
        typer.Argument(metavar="DIR", help="Where the files are written. The same command goes on with them."),
    ],
    players: Annotated[int | None, SEATS] = None,
    mice: Annotated[bool, MICE] = False,
    team_game: Annotated[bool, TEAM_GAME] = False,
    rules: Annotated[str | None, RULES] = None,
    policy: Annotated[str | None, POLICY] = None,
    player: Annotated[list[str] | None, PLAYER] = None,
    games: Annotated[int | None, STUDIED_GAMES] = None,
    seed: Annotated[int, SEED] = 0,
    recall: Annotated[
        bool, typer.Option("--recall", help="Add to each observation what the seat has seen before.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="N",
            help="Number of Ray workers, on this machine or on the cluster that RAY_ADDRESS names.  [default: one for "
            "each core]",
        ),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna generate` does."""
    from savanna import arena

    played = rules_of_options(rules, players, mice, team_game)
    entrants = arena.players_from_texts(player) if player else None
    with progress_bar() as show:
        paths = cluster().generate(
            directory,
            played,
            games,
            players=entrants,
            seed=seed,
            policy=policy,
            recall=recall,
            workers=workers,
            progress=show,
        )
    if as_json:
        print_json({"files": [str(path) for path in paths]})
    else:
        typer.echo(f"{paths[0].parent}: {len(paths)} {'file' if len(paths) == 1 else 'files'} of games")
