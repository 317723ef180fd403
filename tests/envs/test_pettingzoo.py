"""The environment for PettingZoo: its own checkers, its spaces, what it shows, and what it refuses."""

import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna.envs import Layout
from tests.support.env_twins import error_without, every_rules, random_action
from tests.support.pettingzoo_games import env, every_option, play

pytestmark = pytest.mark.thin(4)

with warnings.catch_warnings():
    # The checkers import connect four in a way that PettingZoo itself is giving up.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

ALLOWED = [
    # The checker wants arrays, except of PettingZoo's own games, whose observations are dicts with a mask like ours.
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
]


def allowing(test: Callable[..., None]) -> Callable[..., None]:
    for entry in ALLOWED:
        test = pytest.mark.filterwarnings(entry)(test)
    return test


@allowing
@every_rules
@every_option
def test_pettingzoos_checker(rules: sv.Rules, options: dict[str, Any]) -> None:
    api_test(env(rules, **options), num_cycles=100)


@every_rules
@every_option
def test_pettingzoos_seed_checker(rules: sv.Rules, options: dict[str, Any]) -> None:
    seed_test(lambda: env(rules, **options), num_cycles=100)


@every_rules
def test_pettingzoos_wrappers_and_turns_of_all_at_once(rules: sv.Rules) -> None:
    """Libraries that want all agents to act at once get a game in which those that are not to move are not asked."""
    game = turn_based_aec_to_parallel(AssertOutOfBoundsWrapper(OrderEnforcingWrapper(env(rules, reward="margin"))))
    plain, rng = env(rules, reward="margin"), random.Random(1)
    observations, _ = game.reset(seed=1)
    plain.reset(seed=1)
    for ply in range(20):
        mask = observations[f"player_{ply % rules.players}"]["action_mask"]
        action = random_action(mask, rng)
        plain.step(action)
        observations, rewards, terminations, _, _ = game.step(dict.fromkeys(game.agents, action))
        assert rewards == plain.rewards
        assert set(terminations.values()) == {ply == 19}
    assert any(rewards.values())
    assert game.agents == []


@every_rules
def test_pettingzoos_render_checker(rules: sv.Rules, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []

    def keep(text: str) -> bool:
        texts.append(text)
        return sv.View.parse(text).rules == rules

    render_test(lambda **options: env(rules, **options), custom_tests={"ansi": keep})
    assert len(texts) == 5
    plies = re.findall(r"(\d+) of 20 tiles placed", capsys.readouterr().out)
    assert max(map(int, plies)) > 3


def test_render_shows_who_is_to_move_and_warns_without_a_mode() -> None:
    game = env(render_mode="ansi")
    game.reset(seed=1)
    for ply in range(20):
        text = game.render()
        assert isinstance(text, str)
        view = sv.View.parse(text)
        assert (view.ply, view.to_move, view.seat) == (ply, ply % 2, ply % 2)
        play(game, random.Random(ply), 1)
    silent = env()
    silent.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@every_rules
def test_spaces(rules: sv.Rules) -> None:
    game, layout = env(rules, dtype="uint8"), Layout(rules)
    for agent in game.possible_agents:
        space: Any = game.observation_space(agent)
        assert space is game.observation_space(agent)
        box = space["observation"]
        assert (box.dtype, box.shape) == (np.uint8, (layout.size,))
        assert np.array_equal(box.high, layout.high)
        assert not box.low.any()
        assert (space["action_mask"].dtype, space["action_mask"].shape) == (np.int8, (200,))
        actions: Any = game.action_space(agent)
        assert (actions.n, actions.start) == (200, 0)
        assert actions is game.action_space(agent)
        others = [other for other in game.possible_agents if other != agent]
        # A sampler of one agent is not that of another.
        assert all(space["action_mask"] is not game.observation_spaces[other]["action_mask"] for other in others)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("rules", ["2p", "3p,mice", "4p,team"])
def test_the_state_is_the_truth_of_the_host(rules: str, dtype: Any) -> None:
    """What every seat sees, and every deck in draw order; positions that differ in what is hidden differ in it."""
    game, rng = env(rules, dtype=dtype), random.Random(3)
    game.reset(seed=1)
    players, size = game.max_num_agents, game.observation_space("player_0")["observation"].shape[0]
    longest = {"2p": 8, "3p,mice": 6, "4p,team": 4}[rules]  # tiles that are not in a hand at the start, by the rules
    while True:
        state, truth = game.state(), game._now().position
        assert state.dtype == dtype
        assert game.state_space.contains(state)
        seen, decks = state[: players * size].reshape(players, size), state[players * size :].reshape(players, longest)
        for agent, row in zip(game.possible_agents, seen, strict=True):
            assert (game.observe(agent)["observation"] == row).all()
        assert [[sv.ANIMALS[int(it) - 1] for it in deck if it] for deck in decks] == [list(it) for it in truth.decks]
        if truth.is_over:
            break
        play(game, rng, 1)
    assert not decks.any()


def test_infos_are_empty() -> None:
    game = env()
    game.reset(seed=1)
    for _ in range(20):
        assert game.infos == {"player_0": {}, "player_1": {}}
        play(game, random.Random(1), 1)
    assert game.metadata["name"] == str(game) == "savanna_ten_v0"
    assert game.metadata["is_parallelizable"] is False


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: env(render_mode="rgb"), sv.SavannaError, "render_mode must be None, 'human', 'ansi' or 'rgb_array'"),
        (lambda: env(dtype="int8"), sv.SavannaError, "dtype must be one of float32, uint8, got 'int8'"),
        (lambda: env(reward="chips"), sv.SavannaError, "reward"),
        (lambda: env(illegal="ignore"), sv.SavannaError, "illegal"),
        (lambda: env(recall="yes"), TypeError, "recall"),
        (lambda: env(2), TypeError, "rules|Rules"),
        (lambda: env().reset(seed=-1), sv.SavannaError, "seed must be 0 or more, got -1"),
        (lambda: env().reset(seed=True), TypeError, "seed must be an int or None, got bool"),
        (lambda: env().reset(seed=1.5), TypeError, "seed must be an int or None, got float"),
        (lambda: env().last(), sv.SavannaError, "reset the environment first"),
        (lambda: env().agent_iter(), sv.SavannaError, "reset the environment first"),
        (lambda: env().step(0), sv.SavannaError, "reset the environment first"),
        (lambda: env(render_mode="ansi").render(), sv.SavannaError, "reset the environment first"),
        (lambda: env().observation_space("player_2"), sv.SavannaError, "player_0, player_1, got 'player_2'"),
        (lambda: env().action_space("ann"), sv.SavannaError, "player_0, player_1, got 'ann'"),
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_a_missing_library_is_named_with_the_remedy(library: str) -> None:
    error = error_without(library, "savanna.envs.pettingzoo")
    assert error.startswith("ImportError: savanna.envs.pettingzoo needs PettingZoo: pip install 'savanna-core[rl]'")
