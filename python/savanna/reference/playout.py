"""Whole games: one by chance, or all that there are."""

import random
from fractions import Fraction

from savanna.reference.moves import Move
from savanna.reference.position import Position


def random_playout(position: Position, rng: random.Random) -> Position:
    """Return the end of a game in which every move is drawn uniformly out of the legal ones."""
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def gain(position: Position, move: Move) -> int:
    """Return by how much the lines that a legal move fills improve the margins of its team over all others."""
    assert position.seat is not None
    mover, margin = position.rules.team_of(position.seat), 0
    for line in position.lines_filled(move):
        margin += sum(line.points[mover] - points for points in line.points)
    return margin


def greedy_playout(position: Position, rng: random.Random, free: float | Fraction) -> Position:
    """Return the end of a game in which every move is with probability `free` like those of `random_playout`.

    That is 3/8 for the policy "soft-greedy" and 1/8 for "keen-greedy". The other moves are drawn uniformly out of the
    legal ones with the greatest gain.
    """
    while not position.is_over:
        moves = position.legal_moves()
        if rng.random() >= free:
            gains = [gain(position, move) for move in moves]
            moves = [move for move, its_gain in zip(moves, gains, strict=True) if its_gain == max(gains)]
        position = position.play(rng.choice(moves))
    return position


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from here (1 for depth 0)."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())
