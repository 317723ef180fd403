"""From what spectators saw back to a game of which they could have seen it.

A seat that always plays the tile that it has held for longest plays its tiles in the order in which they lay in its
deck. So whatever order was seen is possible, as long as the deck has that many of each animal; and what was not seen
can be dealt out in any way. Hence there is such a game exactly if this one can be played.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from savanna import fields
from savanna._core import SPACES, Move, Position, Rules
from savanna.game.replay import MOST_PLIES
from savanna.reference.notation import LETTERS, WORDS, pile
from savanna.reference.tile import ANIMALS, FACES, FRONT

_START = re.compile(r"([0-9a-z,.=]{1,400}) ((?:\.|[0-3][mzgeu?]|/){1,60}) ([-?/]{1,20}) ([-?/]{1,100}) ([0-9/]{1,40})")
_TILE = re.compile("([0-3])([mzgeu?])")


class Placing(NamedTuple):
    """What a spectator saw of a tile that was placed; the animal is None under a Lion."""

    seat: int
    space: str
    face: str
    animal: str | None


def placings(value: object) -> list[Placing]:
    """Read the plies of a public record, but for what follows from them."""
    return [_placing(f"plies[{index}]", ply) for index, ply in enumerate(fields.items("plies", value, MOST_PLIES))]


def _placing(where: str, value: object) -> Placing:
    given = fields.members(where, value, (*Placing._fields, "lines", "scores"))
    seat = fields.whole_number(f"{where}.seat", given["seat"])
    if not 0 <= seat < 4:
        raise fields.error(f"{where}.seat", f"must be 0 to 3, got {fields.describe(seat)}")
    space, face = (_word(f"{where}.{name}", given[name], words) for name, words in (("space", SPACES), ("face", FACES)))
    if face == FRONT:
        return Placing(seat, space, face, _word(f"{where}.animal", given["animal"], ANIMALS))
    if given["animal"] is not None:
        raise fields.error(f"{where}.animal", f"must be null under a Lion, got {fields.describe(given['animal'])}")
    return Placing(seat, space, face, None)


def _word(where: str, value: object, words: Sequence[str]) -> str:
    if fields.text(where, value) not in words:
        raise fields.error(where, f"must be one of {', '.join(words)}, got {fields.describe(value)}")
    return str(value)


class Pools:
    """The tiles that are still to be found, by seat."""

    def __init__(self, rules: Rules) -> None:
        self._tiles = [Counter(rules.deck) for _ in range(rules.players)]

    def take(self, where: str, seat: int, animal: str | None = None) -> str:
        """Take a tile of a seat away: of this animal, or any."""
        if seat >= len(self._tiles):
            raise fields.error(where, f"there is no seat {seat}")
        tiles = self._tiles[seat]
        found = next(tiles.elements(), None) if animal is None else animal
        if found is None or not tiles[found]:
            raise fields.error(where, f"seat {seat} has no {animal or 'tile'} left")
        tiles[found] -= 1
        return found

    def rest(self, seat: int) -> list[str]:
        """Return the tiles of a seat that are left."""
        return list(self._tiles[seat].elements())


def game(start: str, plies: Sequence[Placing]) -> tuple[Position, list[Move]]:
    """Return a start and moves of which spectators would have seen this start and these plies."""
    match = _START.fullmatch(start)
    if match is None:
        raise fields.error("start", f"is no position as spectators see it: {fields.describe(start)}")
    rules_text, board, sizes, _, scores = match.groups()
    rules = fields.checked("start", partial(Rules.parse, rules_text))
    if sizes.count("/") + 1 != rules.players:
        raise fields.error("start", f"must have {rules.players} hands, got {sizes.count('/') + 1}")

    pools = Pools(rules)
    for seat, letter in _TILE.findall(board):
        if letter != "?":
            pools.take("start", int(seat), WORDS[letter])
    for index, ply in enumerate(plies):
        if ply.face == FRONT:
            pools.take(f"plies[{index}]", ply.seat, ply.animal)

    def uncovered(tile: re.Match[str]) -> str:
        lion = tile[2] == "?"
        return f"{tile[1]}{LETTERS[pools.take('start', int(tile[1]))].upper()}" if lion else tile[0]

    whole_board = _TILE.sub(uncovered, board)
    moves, drawn = [], [list[str]() for _ in range(rules.players)]
    for index, ply in enumerate(plies):
        animal = ply.animal or pools.take(f"plies[{index}]", ply.seat)
        moves.append(Move(animal, ply.face, ply.space))
        drawn[ply.seat].append(animal)
    hands, decks = [], []
    for seat, size in enumerate(sizes.split("/")):
        tiles = drawn[seat] + pools.rest(seat)
        held = size.count("?")
        hands.append(pile(sorted(tiles[:held], key=ANIMALS.index)))
        decks.append(pile(tiles[held:]))
    text = " ".join([rules_text, whole_board, "/".join(hands), "/".join(decks), scores])
    position = fields.checked("start", partial(Position.parse, text))
    return position, moves
