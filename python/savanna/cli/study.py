"""`savanna study`: what a designer wants to know of a game, or of several side by side."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.cluster import DIRECTORY, WORKERS, check_alone, cluster
from savanna.cli.options import (
    JSON,
    MICE,
    PLAYER,
    POLICY,
    SEATS,
    SEED,
    STUDIED_GAMES,
    TEAM_GAME,
    THREADS,
    rules_asked_for,
)
from savanna.cli.output import print_json, print_text, progress_bar


@app.command(
    help="Play many games and show who wins from which seat, how lines end, what spaces and animals earn, and "
    "use of Lions.\n\n"
    "Behind each figure is how far the interval reaches that holds the true one with 95 % confidence.",
    short_help="Say who wins, how lines end, what pays, and compare rules.",
    epilog=examples(
        "savanna study --players 3 --policy soft-greedy",
        "savanna study --player champion:500 --games 200 --plot study.svg",
        "savanna study --rules 3p --rules 3p,bonus=1 --rules 3p,bonus=0",
    ),
)
def study(
    players: Annotated[int | None, SEATS] = None,
    mice: Annotated[bool, MICE] = False,
    team_game: Annotated[bool, TEAM_GAME] = False,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="Rules as the tables name them, instead of the three above: '3p,mice', then, where they are not the "
            "printed ones, deck, influence (monkey to mouse, Lion), target, points (below, above, exact), bonus of the "
            "last seat, absent (can be least), as in '2p,influence=2.3.4.5.1.7,target=11,points=2.1.4,absent'. Give it "
            "again to compare.",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[str | None, POLICY] = None,
    player: Annotated[list[str] | None, PLAYER] = None,
    games: Annotated[int | None, STUDIED_GAMES] = None,
    seed: Annotated[int, SEED] = 0,
    threads: Annotated[int | None, THREADS] = None,
    workers: Annotated[int | None, WORKERS] = None,
    directory: Annotated[str | None, DIRECTORY] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw all plots into this file too, such as study.svg or study.png."),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna study` does."""
    from savanna import arena, studies

    studied = rules_asked_for(rules or [], players, mice, team_game)
    entrants = arena.players_from_texts(player) if player else None
    path = None if plot is None else _picture(plot, len(studied))
    check_alone(workers, threads, directory)
    if directory is not None and len(studied) > 1:
        raise sv.SavannaError(f"--directory is for one study, but --rules is there {len(studied)} times")
    if workers is None:
        by: partial[sv.Study] = partial(sv.study, threads=threads)
    else:
        by = partial(cluster().study, workers=workers, directory=directory)
    with progress_bar() as show:
        made = [by(it, games, players=entrants, seed=seed, policy=policy, progress=show) for it in studied]
    result = made[0] if len(made) == 1 else studies.compare(made)
    if as_json:
        print_json(result.to_dict())
    else:
        print_text(str(result))
    if path is not None:
        made[0].plot().savefig(path)


def _picture(plot: str, studies: int) -> Path:
    """Return the path of the picture, if one can be written there; better to know before all games are played."""
    from savanna.studies import plots

    if studies > 1:
        raise sv.SavannaError(f"--plot draws one study, but --rules is there {studies} times")
    try:
        formats = plots.require()().canvas.get_supported_filetypes()
    except ImportError as error:
        raise sv.SavannaError(f"--plot: {error}") from None
    path = Path(plot)
    if path.suffix[1:].lower() not in formats:
        raise sv.SavannaError(f"--plot must name a file that ends in .svg, .png or the like, got {plot[:100]!r}")
    if not path.parent.is_dir():
        raise sv.SavannaError(f"--plot: there is no folder {str(path.parent)[:100]!r}")
    return path
