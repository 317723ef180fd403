"""`savanna bench`: how fast the engine is on this machine."""

import time
from typing import Annotated

import typer

from savanna.cli.app import app, examples
from savanna.cli.options import JSON, positive_number
from savanna.cli.output import print_json, progress_bar

DEFAULT_SECONDS = 20.0


@app.command(
    help="Measure how fast the engine is here: each backend, each variant, on one thread and on all, and from "
    "Python.\n\n"
    "Everything takes turns, round after round; shown are the medians of the rounds and how far they "
    "spread. Close other programs first.",
    short_help="Measure how fast the engine is on this machine.",
    epilog=examples(
        "savanna bench",
        "savanna bench --seconds 5 --json",
    ),
)
def bench(
    seconds: Annotated[
        float,
        typer.Option(parser=positive_number, metavar="S", help="About how long to measure in all; longer is exacter."),
    ] = DEFAULT_SECONDS,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Do what `savanna bench` does."""
    from savanna import bench as module

    start = time.perf_counter()
    with progress_bar(module.turns(), "turns") as progress:
        results = module.measure(seconds, progress)
    elapsed = time.perf_counter() - start
    if as_json:
        print_json(module.report(results, elapsed))
    else:
        module.print_table(results, elapsed)
