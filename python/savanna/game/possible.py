"""From what spectators saw back to a game of which they could have seen it.

A seat that always plays the tile that it has held for longest plays its tiles in the order in which they lay in its
deck. So every order that was seen is possible, as long as the deck has that many of each animal; and what was not seen
can be dealt out in any way. Hence there is such a game exactly if this one can be played.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from savanna import fields
from savanna._core import ANIMALS, FACES, SPACES, Move, Position, Rules, View
from savanna.game.replay import MOST_PLIES
from savanna.records import Placed

_LETTERS = dict(zip(ANIMALS, "mzgeu", strict=True))  # of the animals, as in the text of a position


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
    if face == "front":
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


def read_start(value: object) -> View:
    """Read the start of a public record: the text of a public view."""
    start = fields.checked("start", partial(View.parse, fields.text("start", value)))
    if start.seat is not None:
        raise fields.error("start", f"must be a public view, got the view of seat {start.seat}")
    return start


def game(start: View, plies: Sequence[Placing]) -> tuple[Position, list[Move]]:
    """Return a start and moves of which spectators would have seen this start and these plies."""
    pools = Pools(start.rules)
    for tile in start.board.values():
        if tile.animal is not None:
            pools.take("start", tile.seat, tile.animal)
    for index, ply in enumerate(plies):
        if ply.animal is not None:
            pools.take(f"plies[{index}]", ply.seat, ply.animal)

    board = {
        space: tile if tile.animal else tile._replace(animal=pools.take("start", tile.seat))
        for space, tile in start.board.items()
    }
    moves, tiles = [], [list[str]() for _ in range(start.rules.players)]
    for index, ply in enumerate(plies):
        animal = ply.animal or pools.take(f"plies[{index}]", ply.seat)
        moves.append(Move(animal, ply.face, ply.space))
        tiles[ply.seat].append(animal)
    for seat, drawn in enumerate(tiles):
        drawn += pools.rest(seat)
    return fields.checked("start", partial(Position.parse, _text(start, board, tiles))), moves


def _text(view: View, board: Mapping[str, Placed], tiles: Sequence[Sequence[str]]) -> str:
    """Write a position that looks like a view: with this board, and these tiles of each seat in draw order."""
    cells = [_cell(board.get(space)) for space in SPACES]
    ranks = ["".join(cells[first : first + 4]) for first in range(0, len(cells), 4)]
    hands = [_pile(sorted(drawn[:size], key=ANIMALS.index)) for drawn, size in zip(tiles, view.hand_sizes, strict=True)]
    decks = [_pile(drawn[size:]) for drawn, size in zip(tiles, view.hand_sizes, strict=True)]
    parts = (ranks, hands, decks, map(str, view.scores))
    return " ".join([str(view.rules), *map("/".join, parts)])


def _cell(tile: Placed | None) -> str:
    if tile is None:
        return "."
    letter = _LETTERS[str(tile.animal)]
    return f"{tile.seat}{letter.upper() if tile.face == 'lion' else letter}"


def _pile(animals: Iterable[str]) -> str:
    return "".join(_LETTERS[animal] for animal in animals) or "-"
