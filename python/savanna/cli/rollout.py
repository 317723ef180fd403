"""`savanna rollout`: random games, and who wins them."""

from functools import partial
from typing import Annotated, Any

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.cluster import DIRECTORY, WORKERS, check_alone, cluster
from savanna.cli.options import (
    JSON,
    MICE,
    RULES,
    SEED,
    TEAM_GAME,
    THREADS,
    position_or_view,
    rules_given,
    rules_of_options,
    whole_number,
)
from savanna.cli.output import print_json, progress_bar

DEFAULT_GAMES = 1_000_000


@app.command(
    help="Play random games to the end and show who wins, by how much, and how fast that was.\n\n"
    "By the uniform policy every move is drawn uniformly from the legal ones; by the soft-greedy one, "
    "five times in eight only from those that gain the most at once, and by the keen-greedy one seven "
    "times.",
    short_help="Play random games and show who wins.",
    epilog=examples(
        "savanna rollout --players 3 --mice --games 10_000_000",
        "savanna rollout --seed 7 --json",
        "savanna rollout --position '2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0'",
    ),
)
def rollout(
    players: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Number of players, 2 to 4.  [default: 2]"),
    ] = None,
    mice: Annotated[bool, MICE] = False,
    team_game: Annotated[bool, TEAM_GAME] = False,
    rules: Annotated[str | None, RULES] = None,
    games: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Number of games to play.")
    ] = DEFAULT_GAMES,
    seed: Annotated[int, SEED] = 0,
    threads: Annotated[int | None, THREADS] = None,
    workers: Annotated[int | None, WORKERS] = None,
    directory: Annotated[str | None, DIRECTORY] = None,
    backend: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Code path, one of savanna.backends().  [default: the first of them]"),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="How moves are chosen: uniform, soft-greedy or keen-greedy.")
    ] = "uniform",
    position: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Start every game from this position, or from what this view leaves open, instead of a fresh deal.",
        ),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna rollout` does."""
    source = _source(players=players, mice=mice, team_game=team_game, rules=rules, position=position)
    check_alone(workers, threads, directory)
    if workers is None:
        by: partial[sv.Stats] = partial(sv.rollout, threads=threads)
    else:
        by = partial(cluster().rollout, workers=workers, directory=directory)
    with progress_bar(games) as progress:
        stats = by(source, games, seed=seed, backend=backend, progress=progress, policy=policy)
    if as_json:
        print_json(_report(stats, seed=seed, policy=policy, position=position, workers=workers))
    else:
        start = {sv.Rules: "fresh deals", sv.Position: "one position"}.get(type(source), "one view")
        _print_table(stats, seed=seed, policy=policy, start=start, workers=workers)


def _source(
    *, players: int | None, mice: bool, team_game: bool, rules: str | None, position: str | None
) -> sv.Rules | sv.Position | sv.View:
    """Return what the games start from: rules to deal by, or a position or a view, which bring their own rules."""
    if position is None:
        return rules_of_options(rules, players, mice, team_game)
    if clash := rules_given(players, mice, team_game, rules):
        raise sv.SavannaError(f"--position brings its own rules, leave out {' and '.join(clash)}")
    return position_or_view(position)


def _games_per_second(stats: sv.Stats) -> float:
    """Return the rate, 0 if the clock saw no time pass."""
    return stats.games / stats.seconds if stats.seconds > 0 else 0.0


def _report(stats: sv.Stats, *, seed: int, policy: str, position: str | None, workers: int | None) -> dict[str, Any]:
    """Return what ``--json`` prints: the statistics, and how they came about. What is not a number becomes null."""
    from savanna import jsontext

    return {
        **{name: jsontext.finite(value) for name, value in stats.to_dict().items()},
        "rules": str(stats.rules),
        "position": position,
        "seed": seed,
        "policy": policy,
        "backend": stats.backend,
        "threads": stats.threads,
        "workers": workers,
        "seconds": stats.seconds,
        "games_per_second": _games_per_second(stats),
    }


def _print_table(stats: sv.Stats, *, seed: int, policy: str, start: str, workers: int | None) -> None:
    """Print the statistics for people, in ASCII where the terminal knows nothing else."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    rules = stats.rules
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("team", "seats", "win share", "std. error", "mean score", "std. deviation"):
        table.add_column(heading, justify="right", no_wrap=True)
    figures = stats.to_dict()  # plain numbers, for which NumPy need not be loaded
    for team in range(rules.teams):
        seats = [str(seat) for seat in range(rules.players) if rules.team_of(seat) == team]
        table.add_row(
            str(team),
            ", ".join(seats),
            f"{100 * figures['win_share'][team]:.3f} %",
            f"{100 * figures['win_stderr'][team]:.3f} %",
            f"{figures['mean_score'][team]:.3f}",
            f"{figures['score_sd'][team]:.3f}",
        )
    counts = (stats.lines_below, stats.lines_exact, stats.lines_above)
    below, exact, above = (100 * count / max(sum(counts), 1) for count in counts)
    seconds, rate = f"{stats.seconds:.3f} s", f"{_games_per_second(stats):,.0f} games/s"
    if workers is None:
        pace = f"{seconds}: {rate} ({stats.backend}, {_number(stats.threads, 'thread')})"
    else:  # their work is added up, some of it perhaps of an earlier day
        pace = f"{seconds} of work: {rate} each ({stats.backend}, {_number(workers, 'worker')})"

    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 80)  # a narrower terminal wraps the lines, and no figure is cut
    games = "random games" if policy == "uniform" else f"{policy} games"
    console.print(f"Savanna Ten, rules {rules}, {stats.games:,} {games} from {start}, seed {seed}", soft_wrap=True)
    console.print(table)
    console.print(
        f"Lines: {below:.2f} % below {rules.target}, {exact:.2f} % at {rules.target} ({stats.exact_tens:.3f} a game), "
        f"{above:.2f} % above",
        soft_wrap=True,
    )
    console.print(f"{stats.games:,} games in {pace}", soft_wrap=True)


def _number(number: int, what: str) -> str:
    """Return a number with its noun."""
    return f"1 {what}" if number == 1 else f"{number} {what}s"
