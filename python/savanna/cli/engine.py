"""`savanna engine`: the engine as a process, for programs in any language."""

import sys
from typing import Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.output import complain


@app.command(
    help="Answer the requests of a program in any language: JSON-RPC 2.0, one message a line, on standard "
    "input and output.\n\n"
    "The manual describes the protocol in its page on the engine process.",
    short_help="Answer the requests of a program, by JSON-RPC.",
    epilog=examples("savanna engine", "savanna engine --verbose < requests.jsonl > answers.jsonl"),
)
def engine(
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Tell on standard error what is asked, and how long it took.")
    ] = False,
) -> None:
    """Do what `savanna engine` does."""
    from savanna.rpc import GoneError, serve

    if sys.stdin is None:
        raise sv.SavannaError("standard input is closed")
    try:
        serve(sys.stdin.fileno(), sys.stdout.fileno(), complain if verbose else lambda _: None)
    except GoneError as gone:
        if gone.reason is not None:
            raise gone.reason from None
        raise typer.Exit(1) from None
