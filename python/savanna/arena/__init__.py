"""Tournaments between players, and how strong each of them comes out.

The modules in the order of reading, each of which uses only those before it: `sprt`, `lineup`, `schedule`, `games`,
`course`, `log`, `pairs`, `counted`, `likelihood`, `ratings`, `results`, `run`.

Players and referee share one process, and Python has no walls in it. A player is handed a `View` from which nothing
hidden can be reached; one that goes looking through stack frames for the referee's variables can cheat.
"""

from savanna.arena.games import GameRecord
from savanna.arena.lineup import players_from_texts
from savanna.arena.pairs import PairResult
from savanna.arena.ratings import Rating
from savanna.arena.results import Tournament
from savanna.arena.run import tournament
from savanna.arena.sprt import Sprt, SprtResult

__all__ = [
    "GameRecord",
    "PairResult",
    "Rating",
    "Sprt",
    "SprtResult",
    "Tournament",
    "players_from_texts",
    "tournament",
]
