"""Plain Python, tuned by hand: one flat function, lines as packed integers, one table of points."""

import random
from collections.abc import Callable

import numpy as np

from rivals import Outcomes
from rivals.board import LINES, LINES_OF, LION, orders

BATCH = 1

# A line is an integer: the influence of seat 0, that of seat 1 five bits higher, and its tiles, counted so that it is
# full at 4, ten bits higher.
EMPTY_LINES = [(4 - len(line)) << 10 for line in LINES]
FULL = 4 << 10


def points(first: int, second: int, placer: int) -> tuple[int, int, int]:
    """Score a line by the influences of both seats: the points of each, and whether it came out exactly ten."""
    total = first + second
    if total == 10:
        return (0, 3, 1) if placer else (3, 0, 1)
    if total < 10:
        return (2 * (first >= second), 2 * (second >= first), 0)
    return (int(first > 0 and not 0 < second < first), int(second > 0 and not 0 < first < second), 0)


# By the seat that filled the line and its ten bits of influence.
POINTS = [[points(key & 31, key >> 5, placer) for key in range(1024)] for placer in (0, 1)]


# Every order of a deck, drawn from the front.
ORDERS = orders()


def play_one(draw: Callable[[], float], bits: int) -> tuple[int, int, int, int, int]:
    """Play one game; of 40 random bits, each ply takes one for the tile and one for its face."""
    empty = list(range(20))
    lines = EMPTY_LINES[:]
    decks = ORDERS[int(draw() * 12600)], ORDERS[int(draw() * 12600)]
    held = [decks[0][0], decks[1][0]]
    lions = [0, 0]
    score0 = score1 = exact = 0
    for ply in range(20):
        seat = ply & 1
        influence = held[seat]
        if ply < 18:
            drawn = decks[seat][(ply >> 1) + 1]
            if bits & 1:
                influence = drawn
            else:
                held[seat] = drawn
        if bits & 2:
            influence = LION
            lions[seat] += 1
        bits >>= 2
        chosen = int(draw() * (20 - ply))
        space = empty[chosen]
        empty[chosen] = empty[-1]
        empty.pop()
        added = 1024 + (influence << 5 if seat else influence)
        for number in LINES_OF[space]:
            line = lines[number] = lines[number] + added
            if line >= FULL:
                first, second, ten = POINTS[seat][line - FULL]
                score0 += first
                score1 += second
                exact += ten
    return score0, score1, lions[0], lions[1], exact


def play(games: int, seed: int) -> Outcomes:
    """Play games, one after the other."""
    rnd = random.Random(seed)
    return np.array([play_one(rnd.random, rnd.getrandbits(40)) for _ in range(games)], np.uint8).T
