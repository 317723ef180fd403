"""Numba once more, written so that the compiler plays as many games side by side as a vector register holds.

A game is one straight line of 64-bit arithmetic without memory, so that LLVM vectorises the loop over games: eight at
a time with AVX-512, four with AVX2. The words are those of `numba_game`; besides, the empty spaces are kept in two
words of ten fields, each a row and a column, from which the lines of a space are computed rather than looked up. Four
random words make a game: the bias that is left is below one in 300,000.
"""

import numpy as np
from numba import njit

from rivals import Outcomes
from rivals.board import LION, SPACES, orders

BATCH = 1

U = np.uint64
BITS = 6  # of a field
ONES = U(sum(1 << (BITS * field) for field in range(10)))
TOP = ONES << U(BITS - 1)
ALL_LION = ONES * U(LION)

# Every order of a deck: the tile drawn first in the lowest field.
ORDERS = np.array([sum(tile << (BITS * place) for place, tile in enumerate(order)) for order in orders()], U)
# The empty spaces at the start.
LOW, HIGH = (
    U(sum((8 * row + column) << (BITS * i) for i, (row, column) in enumerate(SPACES[w : w + 10]))) for w in (0, 10)
)

DECK_BITS = U(50)  # of a random fraction that chooses two orders
PLY_BITS = U(58)  # of a random fraction that chooses ten spaces
PLY_MASK = (U(1) << PLY_BITS) - U(1)
GOLDEN = U(0x9E3779B97F4A7C15)

# Influence on straight lines and diagonals of seat 0, then of seat 1, then the lines whose last tile is seat 1's.
Board = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
# The board, the empty spaces, and the random fraction that chooses among them.
State = tuple[Board, np.uint64, np.uint64, np.uint64]


@njit(inline="always")
def word(state: np.uint64) -> np.uint64:
    """Return a random word (the finaliser of SplitMix64)."""
    state = (state ^ (state >> U(30))) * U(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> U(27))) * U(0x94D049BB133111EB)
    return state ^ (state >> U(31))


@njit(inline="always")
def total(fields: np.uint64) -> np.uint64:
    """Return the sum of all fields."""
    return (fields * ONES) >> U(9 * BITS) & U(63)


@njit(inline="always")
def at_least(fields: np.uint64, others: np.uint64) -> np.uint64:
    """Return the top bit of each field that is not less than that of the others; fields are below 32."""
    return ((fields | TOP) - others) & TOP


@njit(inline="always")
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


@njit(inline="always")
def placed(deck: np.uint64, choices: np.uint64, lions: np.uint64) -> np.uint64:
    """Return what a seat places turn by turn: the tile held before or, if chosen, the one that was drawn last."""
    for turn in range(9):
        swapped = (deck ^ (deck >> U(BITS))) & (choices * U(7)) & (U(7) << U(BITS * turn))
        deck = deck ^ (swapped | (swapped << U(BITS)))
    faces = lions * U(7)
    return (deck & ~faces) | (ALL_LION & faces)


@njit(inline="always")
def lines(space: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the fields of the lines through a space; diagonals that do not count lie above the ten fields."""
    row, column = space >> U(3), space & U(7)
    falling, rising = column - row + U(2), column + row - U(2)
    falling = falling * U(BITS) if falling < U(5) else U(10 * BITS)
    rising = rising * U(BITS) + U(5 * BITS) if rising < U(5) else U(10 * BITS)
    straight = (U(1) << (row * U(BITS))) | (U(1) << (column * U(BITS) + U(5 * BITS)))
    return straight, (U(1) << falling) | (U(1) << rising)


@njit(inline="always")
def take_of_two(
    chosen: np.uint64, left: np.uint64, low: np.uint64, high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Take an empty space out of more than ten, and put the last one in its place."""
    in_low = chosen < U(10)
    shift = (chosen if in_low else chosen - U(10)) * U(BITS)
    space = ((low if in_low else high) >> shift) & U(63)
    last = (high >> ((left - U(11)) * U(BITS))) & U(63)
    change = (space ^ last) << shift
    return space, low ^ (change if in_low else U(0)), high ^ (U(0) if in_low else change)


@njit(inline="always")
def take_of_one(chosen: np.uint64, left: np.uint64, low: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Take an empty space out of at most ten, and put the last one in its place."""
    shift = chosen * U(BITS)
    space = (low >> shift) & U(63)
    last = (low >> ((left - U(1)) * U(BITS))) & U(63)
    return space, low ^ ((space ^ last) << shift)


@njit(inline="always")
def put(board: Board, space0: np.uint64, tile0: np.uint64, space1: np.uint64, tile1: np.uint64) -> Board:
    """Place a tile of each seat."""
    straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last = board
    straight, diagonal = lines(space0)
    straight0, diagonal0 = straight0 + straight * tile0, diagonal0 + diagonal * tile0
    straight_last, diagonal_last = straight_last & ~straight, diagonal_last & ~diagonal
    straight, diagonal = lines(space1)
    straight1, diagonal1 = straight1 + straight * tile1, diagonal1 + diagonal * tile1
    straight_last, diagonal_last = straight_last | straight, diagonal_last | diagonal
    return straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last


@njit(inline="always")
def early(state: State, tiles0: np.uint64, tiles1: np.uint64, turn: int) -> State:
    """Play a turn of both seats while more than ten spaces are empty."""
    board, low, high, fraction = state
    shift, left = U(BITS * turn), U(20 - 2 * turn)
    fraction = fraction * left
    space0, low, high = take_of_two(fraction >> PLY_BITS, left, low, high)
    fraction = (fraction & PLY_MASK) * (left - U(1))
    space1, low, high = take_of_two(fraction >> PLY_BITS, left - U(1), low, high)
    board = put(board, space0, (tiles0 >> shift) & U(7), space1, (tiles1 >> shift) & U(7))
    return board, low, high, fraction & PLY_MASK


@njit(inline="always")
def late(state: State, tiles0: np.uint64, tiles1: np.uint64, turn: int) -> State:
    """Play a turn of both seats when at most ten spaces are empty."""
    board, low, high, fraction = state
    shift, left = U(BITS * turn), U(20 - 2 * turn)
    fraction = fraction * left
    space0, low = take_of_one(fraction >> PLY_BITS, left, low)
    fraction = (fraction & PLY_MASK) * (left - U(1))
    space1, low = take_of_one(fraction >> PLY_BITS, left - U(1), low)
    board = put(board, space0, (tiles0 >> shift) & U(7), space1, (tiles1 >> shift) & U(7))
    return board, low, high, fraction & PLY_MASK


@njit(nogil=True, boundscheck=False, error_model="numpy")
def fill(out: Outcomes, seed: np.uint64) -> None:
    """Play as many games as there are columns."""
    for game in range(out.shape[1]):
        number = word(seed) + U(game) * (GOLDEN * U(4))
        bits = word(number)
        lions0, lions1 = bits & ONES, (bits >> U(1)) & ONES
        fraction = (word(number + GOLDEN) >> (U(64) - DECK_BITS)) * U(12600)
        tiles0 = placed(ORDERS[fraction >> DECK_BITS], (bits >> U(2)) & ONES, lions0)
        fraction = (fraction & ((U(1) << DECK_BITS) - U(1))) * U(12600)
        tiles1 = placed(ORDERS[fraction >> DECK_BITS], (bits >> U(3)) & ONES, lions1)

        # Every turn is written out, so that nothing is left of it but arithmetic.
        board = (U(0), U(0), U(0), U(0), U(0), U(0))
        state = (board, LOW, HIGH, word(number + GOLDEN * U(2)) >> (U(64) - PLY_BITS))
        state = early(state, tiles0, tiles1, 0)
        state = early(state, tiles0, tiles1, 1)
        state = early(state, tiles0, tiles1, 2)
        state = early(state, tiles0, tiles1, 3)
        state = early(state, tiles0, tiles1, 4)
        board, low, high, _ = state
        state = (board, low, high, word(number + GOLDEN * U(3)) >> (U(64) - PLY_BITS))
        state = late(state, tiles0, tiles1, 5)
        state = late(state, tiles0, tiles1, 6)
        state = late(state, tiles0, tiles1, 7)
        state = late(state, tiles0, tiles1, 8)
        state = late(state, tiles0, tiles1, 9)

        straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last = state[0]
        ten_fields = (U(1) << U(10 * BITS)) - U(1)
        a0, a1, exact_a = score(straight0, straight1, straight_last)
        b0, b1, exact_b = score(diagonal0 & ten_fields, diagonal1 & ten_fields, diagonal_last & ten_fields)
        out[0, game] = total(a0 + b0)
        out[1, game] = total(a1 + b1)
        out[2, game] = total(lions0)
        out[3, game] = total(lions1)
        out[4, game] = total(exact_a + exact_b)


def play(games: int, seed: int) -> Outcomes:
    """Play games, several in a register."""
    out = np.empty((5, games), np.uint8)
    fill(out, U(seed))
    return out
