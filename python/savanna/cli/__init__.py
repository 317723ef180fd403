"""The command line: ``savanna``, and the same as ``python -m savanna``.

Results go to standard output, everything else to standard error. The exit code is 0 for success, 1 when the output
cannot be written, 2 with one line of explanation for bad input, and 130 after Ctrl-C.

`program` has all commands, each of which is in a module of its own that adds itself to `app`; `options`, `cluster`,
`output` and `completion` hold what they share. `convert`, `show` and `replay` read games by `records`. What people
see goes through `terminal` and `picture`; a replay also through `viewer`, and `savanna play` through `seats`
(who plays), `parse_move` (what is entered) and `session` (the conversation).
"""

import sys
from collections.abc import Sequence
from contextlib import suppress

from savanna.cli.exit_codes import INTERRUPTED

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments (default: those of the process) and return the exit code."""
    try:
        from savanna.cli import program  # here, since Ctrl-C may come while all of it is still being loaded

        return program.run(args)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            with suppress(OSError):  # what nobody can read is lost
                print("savanna: interrupted", file=sys.stderr)
        return INTERRUPTED
