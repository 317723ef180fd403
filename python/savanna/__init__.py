"""Savanna Ten: the exact, fast engine of the tile game.

Begin with `Rules`, `Position.deal` and `rollout`. Players are given a `View`, which holds what one seat knows;
there are some in `players`, `tournament` lets them play each other, and `study` says what many games came to. A `Game`
keeps the moves that people play, and `render` draws positions and views.
`savanna.reference` is the same game in plain Python.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from savanna import players
from savanna._core import (
    ACTIONS,
    ANIMALS,
    BATCH,
    FACES,
    LINES,
    OBJECTIVES,
    POLICIES,
    RULES_VERSION,
    SPACES,
    Analysis,
    Move,
    Playouts,
    Position,
    Rules,
    Solution,
    Stats,
    View,
    __version__,
    analyse,
    backends,
    playouts,
    rank_moves,
    rank_stats,
    rollout,
    rollout_many,
    solve,
)
from savanna.errors import GameOverError, IllegalMoveError, NotationError, RecordError, RulesError, SavannaError
from savanna.records import LineScore, LineState, MoveAnalysis, Placed, Playout, RankedMove

if TYPE_CHECKING:
    from savanna import arena as arena
    from savanna import envs as envs
    from savanna import game as game
    from savanna import reference as reference
    from savanna import render
    from savanna import rpc as rpc
    from savanna import studies as studies
    from savanna.arena import Sprt, Tournament, tournament
    from savanna.game import Game, PublicGame
    from savanna.studies import Study, study

__all__ = [
    "ACTIONS",
    "ANIMALS",
    "BATCH",
    "FACES",
    "LINES",
    "OBJECTIVES",
    "POLICIES",
    "RULES_VERSION",
    "SPACES",
    "Analysis",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "LineScore",
    "LineState",
    "Move",
    "MoveAnalysis",
    "NotationError",
    "Placed",
    "Playout",
    "Playouts",
    "Position",
    "PublicGame",
    "RankedMove",
    "RecordError",
    "Rules",
    "RulesError",
    "SavannaError",
    "Solution",
    "Sprt",
    "Stats",
    "Study",
    "Tournament",
    "View",
    "__version__",
    "analyse",
    "backends",
    "players",
    "playouts",
    "rank_moves",
    "rank_stats",
    "render",
    "rollout",
    "rollout_many",
    "solve",
    "study",
    "tournament",
]

# Loaded when they are first asked for, so that programs that need only the engine do not wait for them.
_LATER = {
    **dict.fromkeys(("Game", "PublicGame"), "savanna.game"),
    **dict.fromkeys(("Sprt", "Tournament", "tournament"), "savanna.arena"),
    **dict.fromkeys(("Study", "study"), "savanna.studies"),
}
# Those that need nothing which is optional, or else looking through all names would fail where that is not installed.
_LATER_MODULES = ("arena", "envs", "game", "reference", "render", "rpc", "studies")

if not TYPE_CHECKING:  # else a type checker would take every name, misspelt ones too, for one that comes later

    def __getattr__(name: str) -> object:
        """Load one of the names that come later."""
        if name in _LATER_MODULES:
            return import_module(f"savanna.{name}")
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_LATER[name]), name)
        return value


def __dir__() -> list[str]:
    """Return the public names and modules, those that come later included, and Python's own."""
    return sorted({*__all__, *_LATER_MODULES, *(name for name in globals() if name.startswith("__"))})
