"""The plain records of environments."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Section(NamedTuple):
    """A part of an observation: `shape` (rows, columns) numbers from the place `start` on, none above `high`.

    `name` is what it is called and `meaning` what its numbers say. Rows are seats or teams, the observing one first, or
    animals, or turns; columns are the spaces, the lines or the animals, each in its order.
    """

    name: str
    start: int
    shape: tuple[int, int]
    high: int
    meaning: str


class Step(NamedTuple):
    """What a step of a `BatchEnv` gives, one row for each game.

    `observations` (float32 or uint8, [num_envs, layout.size]) is what the seat to move sees, and `action_mask` (int8,
    [num_envs, 200]) has a 1 for each of its legal actions. `rewards` (float32, [num_envs, players]) is what each seat
    was paid, `terminated` (bool, [num_envs]) whether the game ended, and `seats` (uint8, [num_envs]) who is to move.
    When a game is over and the next has not begun, nothing is legal, and the observation is that of the seat whose turn
    would be next. These are five things in another order than what `step` of Gymnasium gives: ask for them by name.
    """

    observations: NDArray[Any]
    action_mask: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    seats: NDArray[np.uint8]
