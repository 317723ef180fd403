"""How much the tests do: with `pytest --full`, what only finds rare faults is tried as often as that takes."""

import os

VARIABLE = "SAVANNA_TESTS_FULL"
"""Where it is kept, as programs that tests start inherit it."""


def ask_for_all() -> None:
    """Let all tests, and the programs that they start, do everything."""
    os.environ[VARIABLE] = "1"


def is_full() -> bool:
    """Return whether everything is asked for."""
    return VARIABLE in os.environ


def count(usual: int, full: int) -> int:
    """Return how often something is tried: as usual, or as often as finds rare faults."""
    return full if is_full() else usual
