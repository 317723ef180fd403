"""NumPy, vectorised over thousands of games: bytes, one row for each space or line and one column for each game.

A tile is one byte: its ply, and in the three bits below its influence. Tiles never move, so instead of placing them
one after the other we shuffle all 20 over the spaces; who fills a line is the seat of its highest byte.
"""

import numpy as np
from numpy.typing import NDArray

from rivals import Outcomes
from rivals.board import LINES, LION, orders

BATCH = 1 << 13

Bytes = NDArray[np.uint8]

# The orders of a deck: a row for each draw, a column for each order.
ORDERS = np.array(orders(), np.uint8).T.copy()
COLUMNS = np.arange(BATCH)
PLY_BITS = np.uint64(58)  # of a random fraction that chooses ten spaces: the bias that is left is below one in 300,000
PLY_MASK = np.uint64((1 << 58) - 1)


def deal(rng: np.random.Generator) -> tuple[Bytes, Bytes]:
    """Return the byte of the tile of every ply, and the number of Lions of each seat."""
    tiles = np.empty((20, BATCH), np.uint8)
    lions = rng.integers(0, 2, (20, BATCH), np.uint8)
    chosen = -rng.integers(0, 2, (18, BATCH), np.uint8)
    for seat in 0, 1:
        order = rng.integers(0, ORDERS.shape[1], BATCH)
        held = ORDERS[0].take(order)
        for turn in range(9):
            drawn = ORDERS[turn + 1].take(order)
            other = (held ^ drawn) & chosen[2 * turn + seat]  # the tile held before or, if chosen, the one just drawn
            tiles[2 * turn + seat] = held ^ other
            held = drawn ^ other
        tiles[18 + seat] = held
    np.putmask(tiles, lions, LION)
    tiles |= (np.arange(20, dtype=np.uint8) << np.uint8(3))[:, np.newaxis]
    return tiles, lions.reshape(10, 2, BATCH).sum(axis=0, dtype=np.uint8)


def shuffle(tiles: Bytes, rng: np.random.Generator) -> None:
    """Shuffle the rows of every column: exchange each from the last on with a random one up to it."""
    flat = tiles.reshape(-1)
    fractions = rng.integers(0, PLY_MASK, (2, BATCH), np.uint64, endpoint=True)
    where = np.empty(BATCH, np.int64)
    for row in range(19, 0, -1):
        fraction = fractions[row // 10]
        fraction *= np.uint64(row + 1)
        np.right_shift(fraction, PLY_BITS, out=where.view(np.uint64))
        fraction &= PLY_MASK
        where *= BATCH
        where += COLUMNS
        chosen = flat.take(where)
        flat[where] = tiles[row]
        tiles[row] = chosen


def outcomes(rng: np.random.Generator) -> Outcomes:
    """Play a batch of games, side by side."""
    tiles, lions = deal(rng)
    shuffle(tiles, rng)
    influence = tiles & 7
    first = influence * ((tiles & 8) == 0)

    both, seat0, highest = (np.empty((20, BATCH), np.uint8) for _ in range(3))
    for number, line in enumerate(LINES):
        for values, result, combine in (influence, both, np.add), (first, seat0, np.add), (tiles, highest, np.maximum):
            combine(values[line[0]], values[line[1]], out=result[number])
            for space in line[2:]:
                combine(result[number], values[space], out=result[number])
    seat1 = both - seat0

    below, exact, above = both < 10, both == 10, both > 10
    by_second = exact & ((highest & 8) != 0)
    by_first = exact ^ by_second
    first_most, second_most = seat0 >= seat1, seat1 >= seat0
    points0 = ((below & first_most) | by_first).view(np.uint8) * np.uint8(2)
    points1 = ((below & second_most) | by_second).view(np.uint8) * np.uint8(2)
    points0 += (above & (seat0 > 0) & (second_most | (seat1 == 0))) | by_first
    points1 += (above & (seat1 > 0) & (first_most | (seat0 == 0))) | by_second
    sums = [values.sum(axis=0, dtype=np.uint8) for values in (points0, points1, exact.view(np.uint8))]
    return np.stack([sums[0], sums[1], lions[0], lions[1], sums[2]])


def play(games: int, seed: int) -> Outcomes:
    """Play games in batches."""
    rng = np.random.Generator(np.random.SFC64(seed))
    return np.concatenate([outcomes(rng) for _ in range(-(-games // BATCH))], axis=1)[:, :games]
