"""From the start and the moves in a record to all positions of its game."""

from collections.abc import Sequence
from functools import partial

from savanna import fields
from savanna._core import Move, Position
from savanna.errors import SavannaError

MOST_PLIES = 20


def start_and_moves(inside: str, start: object, moves: object) -> tuple[Position, list[Move]]:
    """Return the start and the moves that two fields hold as texts; `inside` is where they are, as in "revealed."."""
    text = fields.text(f"{inside}start", start)
    position = fields.checked(f"{inside}start", lambda: Position.parse(text))
    texts = [
        fields.text(f"{inside}moves[{index}]", move)
        for index, move in enumerate(fields.items(f"{inside}moves", moves, MOST_PLIES))
    ]
    parsed = [fields.checked(f"{inside}moves[{index}]", partial(Move.parse, move)) for index, move in enumerate(texts)]
    return position, parsed


def replayed(start: Position, moves: Sequence[Move], where: str) -> list[Position]:
    """Return all positions from the start on; `where` is the field of the moves, for the error."""
    positions = [start]
    for index, move in enumerate(moves):
        try:
            positions.append(positions[-1].play(move))
        except SavannaError as error:
            raise fields.error(f"{where}[{index}]", str(error)) from None
    return positions
