"""The program with all its commands, and what their errors become."""

import sys
from collections.abc import Sequence

import typer

import savanna as sv
from savanna.cli import (  # noqa: F401 -- each adds its command
    analyse,
    bench,
    completion,
    convert,
    engine,
    generate,
    play,
    replay,
    rollout,
    rules,
    serve,
    show,
    study,
    tournament,
)
from savanna.cli.app import app
from savanna.cli.exit_codes import INTERRUPTED
from savanna.cli.output import PROGRAM, abandon_stdout, complain, whole_output


def run(args: Sequence[str] | None) -> int:
    """Run the command line and return the exit code. Raises `KeyboardInterrupt` for Ctrl-C."""
    try:
        with whole_output(), completion.for_named_shell(sys.argv[1:] if args is None else args):
            code = app(args=args, prog_name=PROGRAM, standalone_mode=False) or 0
    except sv.SavannaError as error:
        complain(f"error: {error}")
        return 2
    except typer.TyperException as error:
        message = error.format_message().removesuffix(".")
        complain(f"error: {message[:1].lower()}{message[1:]}")
        return error.exit_code
    except BrokenPipeError:  # the reader has left, as `head` does
        abandon_stdout()
        return 1
    except OSError as error:
        complain(f"error: cannot write the output: {error.strerror or error}")
        abandon_stdout()
        return 1
    if code == INTERRUPTED:  # which Typer makes of some
        raise KeyboardInterrupt
    return int(code)
