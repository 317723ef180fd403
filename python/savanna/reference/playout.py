"""Whole games: one at random, or all that there are."""

import random

from savanna.reference.position import Position


def random_playout(position: Position, rng: random.Random) -> Position:
    """Return the end of a game in which every move is drawn uniformly out of the legal ones."""
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from here (1 for depth 0)."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())
