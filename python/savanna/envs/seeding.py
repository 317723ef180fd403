"""How environments of other libraries come by the seeds of deals: from a generator of their own, never a global one."""

import operator
from typing import SupportsIndex

from numpy import uint64
from numpy.random import Generator

from savanna.arguments import digits
from savanna.errors import SavannaError


def checked_seed(seed: SupportsIndex | None) -> int | None:
    """Return a seed as an int, None as None. Raises `SavannaError` if it is negative, `TypeError` for another type."""
    if seed is None:
        return None
    try:
        number = None if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"seed must be an int or None, got {type(seed).__name__}")
    if number < 0:
        raise SavannaError(f"seed must be 0 or more, got {digits(number)}")
    return number


def draw_seed(generator: Generator) -> int:
    """Draw a seed, 0 to 2**64 - 1, for a deal or for a batch of them."""
    return int(generator.integers(2**64, dtype=uint64))
