"""Players: whoever chooses a move when shown a `View`.

Those here keep nothing from one move to the next: view, budget and seed decide what they choose.
"""

from typing import Protocol, runtime_checkable

from savanna._core import Champion, FlatMonteCarlo, Greedy, Ismcts, Move, Random, SoftGreedy, View

__all__ = ["Champion", "FlatMonteCarlo", "Greedy", "Ismcts", "Player", "Random", "SoftGreedy"]


@runtime_checkable
class Player(Protocol):
    """What a player of your own needs in order to take part wherever those of this module do."""

    def choose(self, view: View, /) -> Move | str:
        """Return a legal move of `view`, which is that of the seat to move, as `Move` or as its text."""
        ...
