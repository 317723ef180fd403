"""`savanna tournament`: players against each other."""

import re
from functools import partial
from typing import Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.cluster import WORKERS, check_alone, cluster
from savanna.cli.options import JSON, MICE, RULES, SEATS, TEAM_GAME, THREADS, rules_of_options, whole_number
from savanna.cli.output import print_json, progress_bar

_TWO_NUMBERS = re.compile(r"([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?),([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)")


@app.command(
    help="Let players play each other, each deal once in every order, and show the table and their ratings.\n\n"
    "With more seats than players, each plays alone against copies of each other one. Ctrl-C loses "
    "nothing that is in the log.",
    short_help="Let players play each other and rate them.",
    epilog=examples(
        "savanna tournament random greedy flat:2000 --deals 50",
        "savanna tournament greedy soft-greedy:1000 --sprt 0,50 --deals 2000",
        "savanna tournament greedy champion:0.05s --players 4 --team-game --log games.jsonl --resume",
    ),
)
def tournament(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYERS",
            help="Two or more of random, greedy, flat, soft-greedy, ismcts and champion. After the last four may be "
            "said how much they think about a move: a number of iterations (flat:2000) or a time (champion:0.05s).",
            show_default=False,
        ),
    ],
    players: Annotated[int | None, SEATS] = None,
    mice: Annotated[bool, MICE] = False,
    team_game: Annotated[bool, TEAM_GAME] = False,
    rules: Annotated[str | None, RULES] = None,
    deals: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Number of deals, each played in every order.")
    ] = 100,
    seed: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Seed: the same seed gives the same deals.")
    ] = 0,
    threads: Annotated[int | None, THREADS] = None,
    workers: Annotated[int | None, WORKERS] = None,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write every game to this file, a line of JSON each.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the log if it is there already.")] = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear whether the first of two players is ELO0 or ELO1 points stronger.",
        ),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna tournament` does."""
    from savanna import arena

    entrants = arena.players_from_texts(names)
    played = rules_of_options(rules, players, mice, team_game)
    test = _hypotheses(sprt)
    check_alone(workers, threads)
    if workers is None:
        by: partial[sv.Tournament] = partial(sv.tournament, threads=threads)
    else:
        by = partial(cluster().tournament, workers=workers)
    with progress_bar() as show:
        result = by(entrants, deals, rules=played, seed=seed, sprt=test, log=log, resume=resume, progress=show)
    if as_json:
        print_json(result.to_dict())
    else:
        typer.echo(str(result))


def _hypotheses(text: str | None) -> tuple[float, float] | None:
    """Read the two numbers of ``--sprt``."""
    match = text and _TWO_NUMBERS.fullmatch(text)
    if text is not None and not match:
        raise sv.SavannaError(f"--sprt must be two numbers such as 0,50, got {text[:40]!r}")
    return (float(match[1]), float(match[2])) if match else None
