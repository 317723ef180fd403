"""JAX on the processor: one game as arithmetic on 64-bit words, mapped over a batch and compiled.

The words are those of `numba_lanes`: ten fields of six bits, the influence of each seat on straight lines in one and on
diagonals in the other. XLA makes one loop over the batch out of a game. Four random words make a game: the bias that is
left is below one in 300,000.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from rivals import Outcomes
from rivals.board import LION, SPACES, orders

jax.config.update("jax_enable_x64", True)

BATCH = 1 << 16

Word = Any  # an array, or one element of it while JAX maps a function over it
U = np.uint64
BITS = 6  # of a field
ONES = U(sum(1 << (BITS * field) for field in range(10)))
TOP = ONES << U(BITS - 1)

# Every order of a deck: the tile drawn first in the lowest field.
ORDERS = np.array([sum(tile << (BITS * place) for place, tile in enumerate(order)) for order in orders()], U)
# The empty spaces at the start, each a row and a column.
LOW, HIGH = (
    U(sum((8 * row + column) << (BITS * i) for i, (row, column) in enumerate(SPACES[w : w + 10]))) for w in (0, 10)
)

DECK_BITS = U(50)  # of a random fraction that chooses two orders
PLY_BITS = U(58)  # of a random fraction that chooses ten spaces
GOLDEN = 0x9E3779B97F4A7C15


def word(state: Word) -> Word:
    """Return a random word (the finaliser of SplitMix64)."""
    state = (state ^ (state >> U(30))) * U(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> U(27))) * U(0x94D049BB133111EB)
    return state ^ (state >> U(31))


def below(fraction: Word, bound: Word | np.uint64, bits: np.uint64) -> tuple[Word, Word]:
    """Split a random number below a bound off a fraction of the given bits."""
    product = fraction * bound
    return product >> bits, product & ((U(1) << bits) - U(1))


def total(fields: Word) -> Word:
    """Return the sum of all fields."""
    return (((fields * ONES) >> U(9 * BITS)) & U(63)).astype(jnp.uint8)


def at_least(fields: Word, others: Word | np.uint64) -> Word:
    """Return the top bit of each field that is not less than that of the others; fields are below 32."""
    return ((fields | TOP) - others) & TOP


def score(first: Word, second: Word, last: Word) -> tuple[Word, Word, Word]:
    """Score ten lines: the points of both seats and the lines of exactly ten, field by field."""
    both = first + second
    ten_or_more, above = at_least(both, ONES * U(10)), at_least(both, ONES * U(11))
    below_ten, exact = ten_or_more ^ TOP, ten_or_more ^ above
    first_most, second_most = at_least(first, second), at_least(second, first)
    has_first, has_second = at_least(first, ONES), at_least(second, ONES)
    first_least = above & has_first & (second_most | ~has_second)
    second_least = above & has_second & (first_most | ~has_first)
    by_second = exact & (last << U(BITS - 1))
    by_first = exact ^ by_second
    one, two = U(BITS - 1), U(BITS - 2)
    return (
        (((below_ten & first_most) | by_first) >> two) + ((first_least | by_first) >> one),
        (((below_ten & second_most) | by_second) >> two) + ((second_least | by_second) >> one),
        exact >> one,
    )


def placed(deck: Word, choices: Word, lions: Word) -> Word:
    """Return what a seat places turn by turn: the tile held before or, if chosen, the one that was drawn last."""
    for turn in range(9):
        swapped = (deck ^ (deck >> U(BITS))) & (choices * U(7)) & (U(7) << U(BITS * turn))
        deck = deck ^ (swapped | (swapped << U(BITS)))
    faces = lions * U(7)
    return (deck & ~faces) | (ONES * U(LION) & faces)


def take(chosen: Word, left: Word, low: Word, high: Word) -> tuple[Word, Word, Word]:
    """Take an empty space, and put the last one in its place."""
    in_low, last_in_low = chosen < 10, left <= 10
    shift = jnp.where(in_low, chosen, chosen - U(10)) * U(BITS)
    space = (jnp.where(in_low, low, high) >> shift) & U(63)
    last = jnp.where(last_in_low, low, high) >> (jnp.where(last_in_low, left - U(1), left - U(11)) * U(BITS))
    change = (space ^ (last & U(63))) << shift
    return space, jnp.where(in_low, low ^ change, low), jnp.where(in_low, high, high ^ change)


def lines(space: Word) -> tuple[Word, Word]:
    """Return the fields of the lines through a space; diagonals that do not count lie above the ten fields."""
    row, column = space >> U(3), space & U(7)
    falling, rising = column - row + U(2), column + row - U(2)
    falling = jnp.where(falling < 5, falling * U(BITS), U(10 * BITS))
    rising = jnp.where(rising < 5, rising * U(BITS) + U(5 * BITS), U(10 * BITS))
    one = jnp.uint64(1)
    return (one << (row * U(BITS))) | (one << (column * U(BITS) + U(5 * BITS))), (one << falling) | (one << rising)


# The empty spaces in two words, the random fraction that chooses among them and the one that comes after it,
# influence on straight lines and diagonals of seat 0, then of seat 1, and the lines whose last tile is seat 1's.
State = tuple[Word, Word, Word, Word, Word, Word, Word, Word, Word, Word]


def turn(number: Word, state: State, tiles0: Word, tiles1: Word) -> State:
    """Play a turn of both seats."""
    low, high, fraction, later, straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last = state
    left, shift = U(20) - number * U(2), number * U(BITS)
    fraction = jnp.where(number == 5, later, fraction)

    chosen, fraction = below(fraction, left, PLY_BITS)
    space, low, high = take(chosen, left, low, high)
    straight, diagonal = lines(space)
    tile = (tiles0 >> shift) & U(7)
    straight0, diagonal0 = straight0 + straight * tile, diagonal0 + diagonal * tile
    straight_last, diagonal_last = straight_last & ~straight, diagonal_last & ~diagonal

    chosen, fraction = below(fraction, left - U(1), PLY_BITS)
    space, low, high = take(chosen, left - U(1), low, high)
    straight, diagonal = lines(space)
    tile = (tiles1 >> shift) & U(7)
    straight1, diagonal1 = straight1 + straight * tile, diagonal1 + diagonal * tile
    straight_last, diagonal_last = straight_last | straight, diagonal_last | diagonal
    return low, high, fraction, later, straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last


def game(number: Word) -> Word:
    """Play the game of a random number, and return its outcomes."""
    bits = word(number)
    lions0, lions1 = bits & ONES, (bits >> U(1)) & ONES
    order0, fraction = below(word(number + U(GOLDEN)) >> (U(64) - DECK_BITS), U(len(ORDERS)), DECK_BITS)
    order1, _ = below(fraction, U(len(ORDERS)), DECK_BITS)
    deck0, deck1 = (jnp.asarray(ORDERS).at[order].get(mode="promise_in_bounds") for order in (order0, order1))
    tiles0 = placed(deck0, (bits >> U(2)) & ONES, lions0)
    tiles1 = placed(deck1, (bits >> U(3)) & ONES, lions1)

    fractions = [word(number + U(GOLDEN * i % 2**64)) >> (U(64) - PLY_BITS) for i in (2, 3)]
    state = (jnp.uint64(LOW), jnp.uint64(HIGH), *fractions, *[jnp.uint64(0)] * 6)
    state = jax.lax.fori_loop(U(0), U(10), lambda number, state: turn(number, state, tiles0, tiles1), state)

    ten_fields = U((1 << (10 * BITS)) - 1)
    straight0, diagonal0, straight1, diagonal1, straight_last, diagonal_last = state[4:]
    a0, a1, exact_a = score(straight0, straight1, straight_last)
    b0, b1, exact_b = score(diagonal0 & ten_fields, diagonal1 & ten_fields, diagonal_last & ten_fields)
    return jnp.stack([total(a0 + b0), total(a1 + b1), total(lions0), total(lions1), total(exact_a + exact_b)])


@jax.jit
def batch(seed: Word, number: Word) -> Word:
    """Play a batch of games, side by side."""
    games = number * U(BATCH) + jnp.arange(BATCH, dtype=jnp.uint64)
    return jax.vmap(game, out_axes=1)(word(seed) + games * U(GOLDEN * 4 % 2**64))


def play(games: int, seed: int) -> Outcomes:
    """Play games in batches."""
    batches = [batch(U(seed), U(number)) for number in range(-(-games // BATCH))]
    return np.concatenate(batches, axis=1)[:, :games]
