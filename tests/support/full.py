"""How much the tests do: with `pytest --full`, what only finds rare faults is tried as often as that takes."""

import os
from typing import TypeVar

T = TypeVar("T")

VARIABLE = "SAVANNA_TESTS_FULL"
"""Where it is kept, as programs that tests start inherit it."""


def ask_for_all() -> None:
    """Let all tests, and the programs that they start, do everything."""
    os.environ[VARIABLE] = "1"


def is_full() -> bool:
    """Return whether everything is asked for."""
    return VARIABLE in os.environ


def count(usual: T, full: T) -> T:
    """Return how often, or what, is tried: as usual, or as much as finds rare faults."""
    return full if is_full() else usual
