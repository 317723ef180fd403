"""States of the game for OpenSpiel, for the tests that need some, and all that a player can be shown of them."""

import random
from itertools import product
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

import savanna.envs.openspiel  # noqa: F401 (registers the game)

GAMES = ["", "mice=True", "players=3", "players=3,mice=True", "players=4", "players=4,mice=True"]
GAMES += ["players=4,team_game=True", "players=4,mice=True,team_game=True"]
ANIMALS = ["monkey", "zebra", "giraffe", "elephant", "mouse"]
ONE, NONE = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
KINDS = [
    pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    for public, recall, private in product((True, False), (True, False), (ONE, NONE))
]


def load(parameters: str) -> Any:
    return pyspiel.load_game(f"savanna_ten({parameters})")


def advance(state: Any, rng: random.Random, lion_chance: float = 0.5) -> None:
    """Let chance or the seat to move do something at random."""
    if state.is_chance_node():
        animals, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(animals, weights)[0])
    else:
        lion = rng.random() < lion_chance
        state.apply_action(rng.choice([action for action in state.legal_actions() if action // 20 % 2 == lion]))


def dealt(game: Any, rng: random.Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        advance(state, rng)
    return state


def played(game: Any, seed: Any, plies: int, lion_chance: float = 0.5) -> Any:
    rng = random.Random(seed)
    state = dealt(game, rng)
    for _ in range(plies):
        advance(state, rng, lion_chance)
    return state


def told(state: Any) -> tuple[list[list[int]], list[int]]:
    """Return every seat's deck in draw order, and the actions, as the history tells them."""
    players, chance = state.num_players(), state.get_game().max_chance_nodes_in_history()
    history, size = state.history(), chance // players
    return [history[seat * size : (seat + 1) * size] for seat in range(players)], history[chance:]


def replayed(game: Any, decks: list[list[int]], actions: list[int]) -> Any:
    state = game.new_initial_state()
    for action in [*(tile for deck in decks for tile in deck), *actions]:
        state.apply_action_with_legality_check(action)
    return state


def seen(state: Any, player: int) -> list[Any]:
    """Return what a player can be shown of a state, as text and bytes."""
    out = [state.information_state_string(player), state.observation_string(player), state.legal_actions(player)]
    out += [np.array(state.information_state_tensor(player)).tobytes()]
    out += [np.array(state.observation_tensor(player)).tobytes()]
    for kind in KINDS:
        observation = make_observation(state.get_game(), kind)
        observation.set_from(state, player)
        out += [observation.tensor.tobytes(), observation.string_from(state, player)]
    return out
