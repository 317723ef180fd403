"""Games for PettingZoo: the options that they are tried with, random play, and all that agents get of one."""

import pickle
import random
from typing import Any

import pytest

from savanna.envs import pettingzoo
from tests.support.env_twins import random_action

# Untyped: much of what is tried here has the wrong type, and PettingZoo's types are loose.
env: Any = pettingzoo.env
OPTIONS: list[dict[str, Any]] = [
    {"reward": reward, "illegal": illegal, "recall": recall, "dtype": dtype}
    for reward, illegal, recall, dtype in (
        ("win", "loss", False, "float32"),
        ("margin", "raise", True, "uint8"),
        ("margin-change", "loss", True, "float32"),
    )
]

every_option = pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["reward"])


def play(game: Any, rng: random.Random, plies: int = 20) -> None:
    """Play random legal actions."""
    for _ in range(plies):
        game.step(random_action(game.last()[0]["action_mask"], rng))


def seen(game: Any) -> bytes:
    """Return all that agents can get of a game."""
    agents = game.possible_agents
    arrays = [array.tobytes() for agent in agents for array in game.observe(agent).values()]
    said = (game.rewards, game._cumulative_rewards, game.terminations, game.truncations, game.infos)
    return pickle.dumps((arrays, said, game.agents, game.agent_selection))
