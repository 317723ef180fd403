"""Alternatives that a user might write or install: each module here plays the same games in its own way.

Every rival has its own copy of the rules and shares only the tables in `board`. It is a module with

- `play(games, seed)`: plays that number of two-player games, each from a fresh deal, with uniformly random legal moves,
  and returns uint8[5, games]: both final scores, both numbers of Lions, and the number of exact lines;
- `BATCH`: the number of games is best a multiple of this.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from numpy import uint8
from numpy.typing import NDArray

Outcomes = NDArray[uint8]


@dataclass(frozen=True)
class Rival:
    """A rival: its module, the number of games that check it, and the library that it needs."""

    name: str
    module: str
    check_games: int
    library: str | None = None  # as it is imported
    package: str | None = None  # as it is installed

    def load(self) -> tuple[Callable[[int, int], Outcomes], int] | None:
        """Return the rival's `play` and `BATCH`, or None if its library is not installed."""
        try:
            module = import_module(f"rivals.{self.module}")
        except ModuleNotFoundError as error:
            if self.library is None or error.name is None or error.name.partition(".")[0] != self.library:
                raise
            return None
        return module.play, module.BATCH


RIVALS = [
    Rival("Numba, vectorised", "numba_lanes", 2_000_000, "numba", "numba"),
    Rival("Numba, game by game", "numba_game", 2_000_000, "numba", "numba"),
    Rival("JAX, jit + vmap", "jax_batch", 2_000_000, "jax", "jax"),
    Rival("NumPy, vectorised", "numpy_batch", 1_000_000),
    Rival("plain Python", "plain_python", 100_000),
    Rival("OpenSpiel game in Python", "openspiel_game", 5000, "pyspiel", "open_spiel"),
    Rival("savanna.reference", "reference", 5000),
]
