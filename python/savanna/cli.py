"""The command line: ``savanna``, and the same as ``python -m savanna``.

Results go to standard output, everything else to standard error. The exit code is 0 for success, 1 when the output
cannot be written, 2 with one line of explanation for bad input, and 130 after Ctrl-C.
"""

import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

import savanna as sv

PROGRAM = "savanna"
DEFAULT_GAMES = 1_000_000
DEFAULT_SECONDS = 20.0

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")
_TWO_NUMBERS = re.compile(r"([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?),([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)")


def whole_number(value: str | int) -> int:
    """Read a whole number in plain decimal digits, with underscores between them if wanted (``1_000_000``).

    Typer passes an option's default, a number already, through the same door.
    """
    text = str(value)
    if not _WHOLE_NUMBER.fullmatch(text):
        raise typer.BadParameter(f"{text!r} is not a whole number")
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"a number of {len(text)} digits is too long") from None


def positive_number(value: str | float) -> float:
    """Read a positive number in plain decimal digits."""
    text = str(value)
    number = float(text) if _NUMBER.fullmatch(text) else 0.0
    if not 0 < number < math.inf:
        raise typer.BadParameter(f"{text!r} is not a positive number")
    return number


# Typer's own help and errors stay plain: its Rich versions double the time of --help, and errors here are one line.
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"{PROGRAM} {sv.__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog="\b\nExamples:\n"
    "  savanna rollout\n"
    "  savanna rollout --players 4 --team-game --json\n"
    "  savanna analyse --position TEXT\n"
    "  savanna tournament random greedy\n"
    "  savanna bench\n"
    "  savanna rollout --help",
)
def savanna(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Savanna Ten: the exact, fast engine of the tile game."""
    if context.invoked_subcommand is None:
        raise sv.SavannaError(f"a command is missing, try '{PROGRAM} rollout' or '{PROGRAM} --help'")


@app.command(
    short_help="Play random games and show who wins.",
    epilog="\b\nExamples:\n"
    "  savanna rollout --players 3 --mice --games 10_000_000\n"
    "  savanna rollout --seed 7 --json\n"
    "  savanna rollout --position '2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0'",
)
def rollout(
    players: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Number of players, 2 to 4.  [default: 2]"),
    ] = None,
    mice: Annotated[bool, typer.Option("--mice", help="Play with the Mice variant.")] = False,
    team_game: Annotated[bool, typer.Option("--team-game", help="Play in two teams (4 players).")] = False,
    games: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Number of games to play.")
    ] = DEFAULT_GAMES,
    seed: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Seed: the same seed gives the same numbers.")
    ] = 0,
    threads: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Number of threads.  [default: one for each core]"),
    ] = None,
    backend: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Code path, one of savanna.backends().  [default: the first of them]"),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="How moves are chosen, uniform or soft-greedy.")
    ] = "uniform",
    position: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Start every game from this position instead of a fresh deal."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Play random games to the end and show who wins, by how much, and how fast that was.

    By the uniform policy every move is drawn uniformly from the legal ones; by the soft-greedy one, five times in eight
    only from those that gain the most at once.
    """
    source = _source(players=players, mice=mice, team_game=team_game, position=position)
    with _progress(games) as progress:
        stats = sv.rollout(source, games, seed, threads, backend, progress, policy=policy)
    if as_json:
        typer.echo(json.dumps(_report(stats, seed=seed, policy=policy, position=position), allow_nan=False))
    else:
        _print_table(stats, seed=seed, policy=policy, from_position=position is not None)


@app.command(
    short_help="Say what the strongest player thinks of every move.",
    epilog="\b\nExamples:\n"
    "  savanna analyse --position '2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0'\n"
    "  savanna analyse --seconds 2 --position 'seat=0 2p ..../..../..../..../.... mm/?? ????????/???????? 0/0'",
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
        typer.Option(parser=whole_number, metavar="N", help="How far to think instead.  [default: 40,000]"),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Number of threads.  [default: one for each core]"),
    ] = None,
    seed: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Seed: the same seed gives the same numbers.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Say what the strongest player thinks of the moves of the seat to move, best first."""
    view = _view(position)
    with _progress(iterations or 0, "iterations") as progress:
        analysis = sv.analyse(view, seconds, iterations, threads, seed, progress)
    typer.echo(json.dumps(analysis.to_dict(), allow_nan=False) if as_json else str(analysis))


@app.command(
    short_help="Measure how fast the engine is on this machine.",
    epilog="\b\nExamples:\n  savanna bench\n  savanna bench --seconds 5 --json",
)
def bench(
    seconds: Annotated[
        float,
        typer.Option(parser=positive_number, metavar="S", help="About how long to measure in all; longer is exacter."),
    ] = DEFAULT_SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Measure how fast the engine is here: each backend, each variant, on one thread and on all, and from Python.

    Everything takes turns, round after round; shown are the medians of the rounds and how far they spread. Close other
    programs first.
    """
    from savanna import bench as module

    start = time.perf_counter()
    with _progress(module.turns(), "turns") as progress:
        results = module.measure(seconds, progress)
    elapsed = time.perf_counter() - start
    if as_json:
        typer.echo(json.dumps(module.report(results, elapsed), allow_nan=False))
    else:
        module.print_table(results, elapsed)


@app.command(
    short_help="Let players play each other and rate them.",
    epilog="\b\nExamples:\n"
    "  savanna tournament random greedy flat:2000 --deals 50\n"
    "  savanna tournament greedy soft-greedy:1000 --sprt 0,50 --deals 2000\n"
    "  savanna tournament greedy champion:0.05s --players 4 --team-game --log games.jsonl --resume",
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
    players: Annotated[int, typer.Option(parser=whole_number, metavar="N", help="Number of seats, 2 to 4.")] = 2,
    mice: Annotated[bool, typer.Option("--mice", help="Play with the Mice variant.")] = False,
    team_game: Annotated[bool, typer.Option("--team-game", help="Play in two teams (4 players).")] = False,
    deals: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Number of deals, each played in every order.")
    ] = 100,
    seed: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="Seed: the same seed gives the same deals.")
    ] = 0,
    threads: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Number of threads.  [default: one for each core]"),
    ] = None,
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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Let players play each other, each deal once in every order, and show the table and their ratings.

    With more seats than players, each plays alone against copies of each other one. Ctrl-C loses nothing that is in the
    log.
    """
    from savanna import arena

    entrants = arena.players_from_texts(names)
    rules = sv.Rules(players=players, mice=mice, team_game=team_game)
    test = _hypotheses(sprt)
    with _progress() as show:
        result = sv.tournament(entrants, rules, deals, seed, threads, log, resume, test, progress=show)
    typer.echo(json.dumps(result.to_dict(), allow_nan=False) if as_json else str(result))


def _hypotheses(text: str | None) -> tuple[float, float] | None:
    """Read the two numbers of ``--sprt``."""
    match = text and _TWO_NUMBERS.fullmatch(text)
    if text is not None and not match:
        raise sv.SavannaError(f"--sprt must be two numbers such as 0,50, got {text[:40]!r}")
    return (float(match[1]), float(match[2])) if match else None


def _view(text: str) -> sv.View:
    """Read a view, or a position and take the view of its seat to move."""
    if text.startswith("seat="):
        return sv.View.parse(text)
    position = sv.Position.parse(text)
    return position.view(0 if position.seat is None else position.seat)


def _source(*, players: int | None, mice: bool, team_game: bool, position: str | None) -> sv.Rules | sv.Position:
    """Return what the games start from: rules to deal by, or a position, which brings its own rules."""
    if position is None:
        return sv.Rules(players=2 if players is None else players, mice=mice, team_game=team_game)
    given = {"--players": players is not None, "--mice": mice, "--team-game": team_game}
    clash = [option for option, is_given in given.items() if is_given]
    if clash:
        raise sv.SavannaError(f"--position brings its own rules, leave out {' and '.join(clash)}")
    return sv.Position.parse(position)


@contextmanager
def _progress(total: int = 0, unit: str = "games") -> Iterator[Callable[..., None] | None]:
    """Show a progress bar on standard error if that is a terminal; yield what has to be called to move it.

    It is called with how many are done, and with how many there are if that is not known before.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    # No refreshing thread: the calls from rollout come often enough, and Ctrl-C has one thread less to wait for.
    bar = Progress(
        unit,
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )
    with bar:
        task = bar.add_task(unit, total=max(total, 0))
        bar.refresh()

        def show(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total, refresh=True)

        yield show


def _games_per_second(stats: sv.Stats) -> float:
    """Return the rate, 0 if the clock saw no time pass."""
    return stats.games / stats.seconds if stats.seconds > 0 else 0.0


def _report(stats: sv.Stats, *, seed: int, policy: str, position: str | None) -> dict[str, Any]:
    """Return what ``--json`` prints: the statistics, and how they came about. What is not a number becomes null."""
    return {
        **{name: _finite(value) for name, value in stats.to_dict().items()},
        "rules": str(stats.rules),
        "position": position,
        "seed": seed,
        "policy": policy,
        "backend": stats.backend,
        "threads": stats.threads,
        "seconds": stats.seconds,
        "games_per_second": _games_per_second(stats),
    }


def _finite(value: Any) -> Any:
    """Replace the numbers that JSON cannot hold by None, inside lists too."""
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_table(stats: sv.Stats, *, seed: int, policy: str, from_position: bool) -> None:
    """Print the statistics for people, in ASCII where the terminal knows nothing else."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    rules = stats.rules
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("team", "seats", "win share", "std. error", "mean score", "std. deviation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for team in range(rules.teams):
        seats = [str(seat) for seat in range(rules.players) if rules.team_of(seat) == team]
        table.add_row(
            str(team),
            ", ".join(seats),
            f"{100 * stats.win_share[team]:.3f} %",
            f"{100 * stats.win_stderr[team]:.3f} %",
            f"{stats.mean_score[team]:.3f}",
            f"{stats.score_sd[team]:.3f}",
        )
    start = "one position" if from_position else "fresh deals"
    counts = (stats.lines_below, stats.lines_exact, stats.lines_above)
    below, exact, above = (100 * count / max(sum(counts), 1) for count in counts)
    threads = "1 thread" if stats.threads == 1 else f"{stats.threads} threads"

    console = Console(highlight=False, markup=False)
    games = "random games" if policy == "uniform" else f"{policy} games"
    console.print(f"Savanna Ten, rules {rules}, {stats.games:,} {games} from {start}, seed {seed}", soft_wrap=True)
    console.print(table)
    console.print(
        f"Lines: {below:.2f} % below {rules.target}, {exact:.2f} % at {rules.target} ({stats.exact_tens:.3f} a game), "
        f"{above:.2f} % above",
        soft_wrap=True,
    )
    console.print(
        f"{stats.games:,} games in {stats.seconds:.3f} s: {_games_per_second(stats):,.0f} games/s "
        f"({stats.backend}, {threads})",
        soft_wrap=True,
    )


def _complain(message: str) -> None:
    """Write one line to standard error, whatever the message holds."""
    if sys.stderr is not None:
        line = "".join(sign if sign.isprintable() else " " if sign.isspace() else ascii(sign)[1:-1] for sign in message)
        print(f"{PROGRAM}: {' '.join(line.split())}", file=sys.stderr)


def _abandon_stdout() -> None:
    """Send what is still buffered for standard output nowhere, so that the interpreter does not trip over it."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments (default: those of the process) and return the exit code."""
    try:
        code = app(args=args, prog_name=PROGRAM, standalone_mode=False) or 0
    except sv.SavannaError as error:
        _complain(f"error: {error}")
        return 2
    except typer.TyperException as error:
        message = error.format_message().removesuffix(".")
        _complain(f"error: {message[:1].lower()}{message[1:]}")
        return error.exit_code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        _complain(f"error: cannot write the output: {error.strerror or error}")
        _abandon_stdout()
        return 1
    if code == 130:
        _complain("interrupted")
    return int(code)
