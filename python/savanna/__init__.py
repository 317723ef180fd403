"""Savanna Ten: the exact, fast engine of the tile game.

Begin with `Rules`, `Position.deal` and `rollout`. Players are given a `View`, which holds what one seat knows;
there are some in `players`.
`savanna.reference` is the same game in plain Python.
"""

from savanna import players
from savanna._core import (
    LINES,
    RULES_VERSION,
    SPACES,
    Analysis,
    Move,
    Playouts,
    Position,
    Rules,
    Stats,
    View,
    __version__,
    analyse,
    backends,
    playouts,
    rank_moves,
    rollout,
    rollout_many,
)
from savanna.errors import GameOverError, IllegalMoveError, NotationError, RulesError, SavannaError
from savanna.records import LineScore, MoveAnalysis, Placed, RankedMove

__all__ = [
    "LINES",
    "RULES_VERSION",
    "SPACES",
    "Analysis",
    "GameOverError",
    "IllegalMoveError",
    "LineScore",
    "Move",
    "MoveAnalysis",
    "NotationError",
    "Placed",
    "Playouts",
    "Position",
    "RankedMove",
    "Rules",
    "RulesError",
    "SavannaError",
    "Stats",
    "View",
    "__version__",
    "analyse",
    "backends",
    "players",
    "playouts",
    "rank_moves",
    "rollout",
    "rollout_many",
]
