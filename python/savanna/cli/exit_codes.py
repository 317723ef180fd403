"""Exit codes of the command line that do not come from Typer."""

INTERRUPTED = 130
"""The exit code after Ctrl-C."""
