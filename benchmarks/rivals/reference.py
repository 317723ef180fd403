"""The package's own engine in plain Python, which is written to be read and not to be fast."""

import random

import numpy as np

from rivals import Outcomes
from savanna import reference

BATCH = 1


def play(games: int, seed: int) -> Outcomes:
    """Play games, one after the other."""
    rng, rules = random.Random(seed), reference.Rules()
    outcomes = []
    for _ in range(games):
        end = reference.random_playout(reference.Position.deal(rules, rng.getrandbits(64)), rng)
        influence = {
            space: rules.influence["lion" if tile.face == "lion" else str(tile.animal)]
            for space, tile in end.board.items()
        }
        exact = sum(sum(influence[space] for space in line) == rules.target for line in reference.LINES)
        outcomes.append((*end.scores, *end.lions, exact))
    return np.array(outcomes, np.uint8).T
