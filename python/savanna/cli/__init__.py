"""The command line: ``savanna``, and the same as ``python -m savanna``.

Results go to standard output, everything else to standard error. The exit code is 0 for success, 1 when the output
cannot be written, 2 with one line of explanation for bad input, and 130 after Ctrl-C.

`app` is the program, and each command is in a module of its own that adds itself to it; `options`, `cluster`, `output`
and `completion` hold what they share. `convert`, `show` and `replay` read games by `records`. What people are shown
goes through `terminal`, `picture` and `telling`, a replay through `reel`, too, and a game that is played through
`sitters` (who plays), `entering` (what is entered) and `sitting` (the conversation).
"""

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
    show,
    study,
    tournament,
)
from savanna.cli.app import app
from savanna.cli.output import PROGRAM, abandon_stdout, complain

__all__ = ["app", "main"]


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments (default: those of the process) and return the exit code."""
    try:
        with completion.for_named_shell(sys.argv[1:] if args is None else args):
            code = app(args=args, prog_name=PROGRAM, standalone_mode=False) or 0
    except sv.SavannaError as error:
        complain(f"error: {error}")
        return 2
    except typer.TyperException as error:
        message = error.format_message().removesuffix(".")
        complain(f"error: {message[:1].lower()}{message[1:]}")
        return error.exit_code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        complain(f"error: cannot write the output: {error.strerror or error}")
        abandon_stdout()
        return 1
    if code == 130:
        complain("interrupted")
    return int(code)
