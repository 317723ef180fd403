"""Numba, one game after the other, as fast as we can write it: the whole board in six 64-bit words.

A word holds ten fields of six bits. Of the 20 lines the first word of a pair holds rows and columns, the second the
diagonals, so that placing a tile adds its influence to all its lines by two multiplications. There is one such pair
for each seat, and one with the seat that placed the last tile of every line. All lines are scored at the end, ten at
once. Four random words make a game: the bias that is left is below one in 300,000.
"""

import numpy as np
from numba import njit

from rivals import Outcomes
from rivals.board import LINES_OF, LION, orders

BATCH = 1

U = np.uint64
BITS = 6  # of a field
ONES = U(sum(1 << (BITS * field) for field in range(10)))
TOP = ONES << U(BITS - 1)

# The fields of the lines through a space, in either word of a pair.
STRAIGHT, DIAGONAL = (
    np.array([sum(1 << (BITS * (line - w)) for line in lines if w <= line < w + 10) for lines in LINES_OF], U)
    for w in (0, 10)
)
# Every order of a deck: the tile drawn first in the lowest field.
ORDERS = np.array([sum(tile << (BITS * place) for place, tile in enumerate(order)) for order in orders()], U)

DECK_BITS = U(50)  # of a random fraction that chooses two orders
PLY_BITS = U(58)  # of a random fraction that chooses ten spaces
GOLDEN = U(0x9E3779B97F4A7C15)


@njit(forceinline=True)
def word(state: np.uint64) -> np.uint64:
    """Return a random word (the finaliser of SplitMix64)."""
    state = (state ^ (state >> U(30))) * U(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> U(27))) * U(0x94D049BB133111EB)
    return state ^ (state >> U(31))


@njit(forceinline=True)
def total(fields: np.uint64) -> np.uint64:
    """Return the sum of all fields."""
    return (fields * ONES) >> U(9 * BITS) & U(63)


@njit(forceinline=True)
def at_least(fields: np.uint64, others: np.uint64) -> np.uint64:
    """Return the top bit of each field that is not less than that of the others; fields are below 32."""
    return ((fields | TOP) - others) & TOP


@njit(forceinline=True)
def score(first: np.uint64, second: np.uint64, last: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Score ten lines: the points of both seats and the lines of exactly ten, field by field."""
    both = first + second
    ten_or_more, above = at_least(both, ONES * U(10)), at_least(both, ONES * U(11))
    below, exact = ten_or_more ^ TOP, ten_or_more ^ above
    has_first, has_second = at_least(first, ONES), at_least(second, ONES)
    first_most, second_most = at_least(first, second), at_least(second, first)
    first_least = above & has_first & (second_most | ~has_second)
    second_least = above & has_second & (first_most | ~has_first)
    by_second = exact & (last << U(BITS - 1))
    by_first = exact ^ by_second
    one, two = U(BITS - 1), U(BITS - 2)
    return (
        (((below & first_most) | by_first) >> two) + ((first_least | by_first) >> one),
        (((below & second_most) | by_second) >> two) + ((second_least | by_second) >> one),
        exact >> one,
    )


@njit(nogil=True, boundscheck=False, error_model="numpy")
def fill(out: Outcomes, seed: np.uint64) -> None:
    """Play as many games as there are columns."""
    empty = np.empty(20, np.uint8)
    deck_mask, ply_mask = (U(1) << DECK_BITS) - U(1), (U(1) << PLY_BITS) - U(1)
    start = word(seed)
    for game in range(out.shape[1]):
        state = start + U(game) * (GOLDEN * U(4))
        bits = word(state)
        fraction = (word(state + GOLDEN) >> (U(64) - DECK_BITS)) * U(12600)
        deck0 = ORDERS[fraction >> DECK_BITS]
        fraction = (fraction & deck_mask) * U(12600)
        deck1 = ORDERS[fraction >> DECK_BITS]

        for space in range(20):
            empty[space] = space
        straight0 = straight1 = straight_last = U(0)
        diagonal0 = diagonal1 = diagonal_last = U(0)
        held0, held1 = deck0 & U(7), deck1 & U(7)
        fraction = word(state + GOLDEN * U(2)) >> (U(64) - PLY_BITS)
        for turn in range(10):
            if turn == 5:
                fraction = word(state + GOLDEN * U(3)) >> (U(64) - PLY_BITS)
            shift, left = U(BITS * turn), U(20 - 2 * turn)

            # The tile is the one held before or, by chance, the one that came last; on the last turn there is but one.
            drawn = (deck0 >> (shift + U(BITS))) & U(7)
            other = (held0 ^ drawn) & (U(0) - ((bits >> (shift + U(2))) & U(turn < 9)))
            tile, held0 = held0 ^ other, drawn ^ other
            tile = U(LION) if (bits >> shift) & U(1) else tile
            fraction *= left
            chosen = fraction >> PLY_BITS
            fraction &= ply_mask
            space = empty[chosen]
            empty[chosen] = empty[left - U(1)]
            straight, diagonal = STRAIGHT[space], DIAGONAL[space]
            straight0 += straight * tile
            diagonal0 += diagonal * tile
            straight_last &= ~straight
            diagonal_last &= ~diagonal

            drawn = (deck1 >> (shift + U(BITS))) & U(7)
            other = (held1 ^ drawn) & (U(0) - ((bits >> (shift + U(3))) & U(turn < 9)))
            tile, held1 = held1 ^ other, drawn ^ other
            tile = U(LION) if (bits >> (shift + U(1))) & U(1) else tile
            fraction *= left - U(1)
            chosen = fraction >> PLY_BITS
            fraction &= ply_mask
            space = empty[chosen]
            empty[chosen] = empty[left - U(2)]
            straight, diagonal = STRAIGHT[space], DIAGONAL[space]
            straight1 += straight * tile
            diagonal1 += diagonal * tile
            straight_last |= straight
            diagonal_last |= diagonal

        a0, a1, exact_a = score(straight0, straight1, straight_last)
        b0, b1, exact_b = score(diagonal0, diagonal1, diagonal_last)
        out[0, game] = total(a0 + b0)
        out[1, game] = total(a1 + b1)
        out[2, game] = total(bits & ONES)
        out[3, game] = total((bits >> U(1)) & ONES)
        out[4, game] = total(exact_a + exact_b)


def play(games: int, seed: int) -> Outcomes:
    """Play games, one after the other."""
    out = np.empty((5, games), np.uint8)
    fill(out, U(seed))
    return out
