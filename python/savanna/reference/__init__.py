"""The rules of Savanna Ten once more, in plain Python: slow, literal, to be read beside the rule book.

Nothing here comes from the compiled engine: the board is a picture, the lines are found by looking at it, and every
rule is one short function. Names and behaviour are those of `savanna` itself, so that the two can be compared.

The modules in the order of reading, each of which uses only those before it: `board`, `tile`, `notation`, `rules`,
`rng`, `score`, `moves`, `table`, `position`, `playout`.
"""

from savanna.records import LineScore, Placed
from savanna.reference.board import LINES, SPACES
from savanna.reference.moves import Move
from savanna.reference.playout import gain, greedy_playout, perft, random_playout
from savanna.reference.position import Position, View
from savanna.reference.rng import Xoshiro256PlusPlus
from savanna.reference.rules import RULES_VERSION, Rules
from savanna.reference.tile import ANIMALS, FACES

__all__ = ["ANIMALS", "FACES", "LINES", "RULES_VERSION", "SPACES", "LineScore", "Move", "Placed", "Position", "Rules"]
__all__ += ["View", "Xoshiro256PlusPlus", "gain", "greedy_playout", "perft", "random_playout"]
