"""What the tests of `savanna.distributed` let workers do, in a module that workers can import."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import savanna as sv


@dataclass(frozen=True)
class Logged:
    """Plays as `Random` does, and writes down each game that it begins, slowly if asked to."""

    path: str
    seconds: float = 0.0
    seed: int = 0

    @property
    def name(self) -> str:
        return "Logged"

    def with_seed(self, seed: int) -> "Logged":
        return Logged(self.path, self.seconds, seed)

    def choose(self, view: sv.View) -> sv.Move:
        if view.ply < 2:
            with Path(self.path).open("a", encoding="ascii") as file:
                file.write(f"{self.seed}\n")
            time.sleep(self.seconds)
        return sv.players.Random(seed=self.seed).choose(view)


@dataclass(frozen=True)
class Fails:
    """A player that fails at once."""

    def choose(self, view: sv.View) -> sv.Move:
        raise ZeroDivisionError(f"at ply {view.ply}")


@dataclass(frozen=True)
class EndsItsProcess:
    """A player that ends its process at its third move, without a word."""

    name = "Quitter"

    def choose(self, view: sv.View) -> sv.Move:
        if view.ply >= 4:
            os._exit(3)
        return view.legal_moves()[0]
