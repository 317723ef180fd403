"""A move: which animal, which face up, on which space."""

from dataclasses import dataclass
from functools import total_ordering
from typing import Self

from savanna.arguments import integer, quoted, word
from savanna.errors import IllegalMoveError, NotationError
from savanna.reference.board import SPACES, Space
from savanna.reference.notation import Reader, Value
from savanna.reference.tile import ANIMALS, FACES, FRONT, Animal, Face

ACTIONS = len(ANIMALS) * len(FACES) * len(SPACES)


@total_ordering
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Move(Value):
    """A tile's `animal`, the `face` that it shows and the `space` where it goes; written `zebra c4`, `zebra lion c4`.

    An unknown word raises `NotationError`, another type than str `TypeError`. Moves are in the order of their action
    ids.
    """

    animal: Animal
    face: Face
    space: Space

    def __init__(self, animal: Animal, face: Face, space: Space) -> None:
        # A frozen dataclass can be filled by way of `vars` only.
        vars(self).update(animal=word("animal", animal, ANIMALS), face=word("face", face, FACES))
        vars(self).update(space=word("space", space, SPACES))

    @property
    def action(self) -> int:
        """The action id, 0..199."""
        tile = ANIMALS.index(self.animal) * len(FACES) + FACES.index(self.face)
        return tile * len(SPACES) + SPACES.index(self.space)

    @classmethod
    def from_action(cls, action: int) -> Self:
        """Return the move with an action id; `IllegalMoveError` outside 0 to 199, `TypeError` if it is not an int."""
        tile, space = divmod(integer("action id", action, 0, ACTIONS - 1, IllegalMoveError), len(SPACES))
        animal, face = divmod(tile, len(FACES))
        return cls(ANIMALS[animal], FACES[face], SPACES[space])

    def __lt__(self, other: object) -> bool:
        return self.action < other.action if isinstance(other, Move) else NotImplemented

    def __repr__(self) -> str:
        return f"Move('{self.animal}', '{self.face}', '{self.space}')"

    def __str__(self) -> str:
        return f"{self.animal} {self.space}" if self.face == FRONT else f"{self.animal} {self.face} {self.space}"

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        match reader.text.split(" "):
            case [animal, space]:
                return cls(animal, FRONT, space)
            case [animal, face, space]:
                return cls(animal, face, space)
        raise NotationError(f"a move is like 'zebra c4' or 'zebra lion c4', got {quoted(reader.text)}")


MOVES: dict[Animal, list[Move]] = {
    animal: [Move(animal, face, space) for face in FACES for space in SPACES] for animal in ANIMALS
}
"""All that can be done with a tile, in ascending action id; the board and the hand decide which of it is legal."""
