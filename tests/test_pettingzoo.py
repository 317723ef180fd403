"""The environment for PettingZoo: its own checkers, the reference engine, and nothing that a seat cannot know."""

import copy
import pickle
import random
import re
import warnings
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import savanna as sv
from env_twins import (
    REWARDS,
    Shy,
    error_without,
    expected_rewards,
    global_randomness_untouched,
    in_reference,
    random_action,
    twin_episode,
    twin_starts,
)
from helpers import PRINTED_VARIANTS
from savanna import reference as ref
from savanna.envs import BatchEnv, Episode, Layout, pettingzoo
from savanna.envs.rewards import Rewards

with warnings.catch_warnings():
    # The checkers import connect four in a way that PettingZoo itself is giving up.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

# Untyped: much of what is tried here has the wrong type, and PettingZoo's types are loose.
env: Any = pettingzoo.env
RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS]
OPTIONS: list[dict[str, Any]] = [
    {"reward": reward, "illegal": illegal, "recall": recall, "dtype": dtype}
    for reward, illegal, recall, dtype in (
        ("win", "loss", False, "float32"),
        ("margin", "raise", True, "uint8"),
        ("margin-change", "loss", True, "float32"),
    )
]
ALLOWED = [
    # The checker wants arrays, except of PettingZoo's own games, whose observations are dicts with a mask like ours.
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
]


def allowing(test: Callable[..., None]) -> Callable[..., None]:
    for entry in ALLOWED:
        test = pytest.mark.filterwarnings(entry)(test)
    return test


def names(rules: sv.Rules) -> str:
    return str(rules)


every_rules = pytest.mark.parametrize("rules", RULES, ids=names)


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


@allowing
@every_rules
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["reward"])
def test_pettingzoos_checker(rules: sv.Rules, options: dict[str, Any]) -> None:
    api_test(env(rules, **options), num_cycles=100)


@every_rules
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["reward"])
def test_pettingzoos_seed_checker(rules: sv.Rules, options: dict[str, Any]) -> None:
    seed_test(lambda: env(rules, **options), num_cycles=100)


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
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["reward"])
def test_a_game_is_that_of_the_reference(rules: sv.Rules, options: dict[str, Any]) -> None:
    game, rng = env(rules, **options), random.Random(str(rules))
    deals = np.random.default_rng(77)
    layout = Layout(rules, options["recall"])
    for seed in (77, None):  # the second game goes on with the generator of the first
        game.reset(seed=seed)
        start = sv.Position.deal(rules, int(deals.integers(2**64, dtype=np.uint64)))
        position, episode = in_reference(start), Episode.replay(start)
        assert game.agents == [f"player_{seat}" for seat in range(rules.players)]
        for ply in range(20):
            mover = ply % rules.players
            assert game.agent_selection == f"player_{mover}"
            for seat, agent in enumerate(game.agents):
                got = game.observe(agent)
                assert game.observation_space(agent).contains(got)
                assert got["observation"].tobytes() == episode.observe(layout, seat, options["dtype"]).tobytes()
                mask = position.legal_mask() if seat == mover else bytes(200)
                assert got["action_mask"].tobytes() == mask
                if not options["recall"]:
                    shown = Layout(rules).observe(start.view(seat) if ply == 0 else episode.view(seat))
                    assert np.array_equal(got["observation"], shown)
            action = random_action(game.last()[0]["action_mask"], rng)
            before, position = position, position.play(ref.Move.from_action(action))
            episode = episode.play(sv.Move.from_action(action))
            game.step(action)
            paid = expected_rewards(before, position, options["reward"])
            assert list(game.rewards.values()) == pytest.approx(paid)
        assert all(value is True for value in game.terminations.values())
        assert all(value is False for value in game.truncations.values())
        ends = {}
        for agent in game.agent_iter():
            observation, reward, terminated, _, _ = game.last()
            assert terminated
            assert not observation["action_mask"].any()
            ends[agent] = reward
            game.step(None)
        if options["reward"] != "margin-change":
            assert [ends[agent] for agent in game.possible_agents] == pytest.approx(paid)


@every_rules
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_are_those_of_a_batch(rules: sv.Rules, reward: Any) -> None:
    """Legal moves and now and then another action, in many games at once."""
    batch = BatchEnv(40, rules, seed=3, reward=reward, illegal="loss", autoreset="disabled")
    rewards, rng, forfeits = Rewards(batch.layout, reward), random.Random(4), 0
    step, over = batch.now(), [False] * 40
    for ply in range(20):
        actions = []
        for game in range(40):
            legal = [action for action in range(200) if step.action_mask[game, action]]
            actions.append(255 if over[game] else rng.choice(legal) if rng.random() < 0.97 else rng.randrange(200))
        before = [batch.episode(game).position for game in range(40)]
        step = batch.step(np.array(actions))
        for game, action in enumerate(actions):
            if over[game]:
                continue
            after = batch.episode(game).position
            lost = after == before[game]
            forfeits += lost
            over[game] = lost or ply == 19
            seat = ply % rules.players
            paid = rewards.after_forfeit(before[game], seat) if lost else rewards.after_move(before[game], after)
            wanted = [0.0] * rules.players if paid is None else paid
            assert step.rewards[game].tolist() == pytest.approx(wanted, abs=1e-5), action
    assert 2 < forfeits < 35


@every_rules
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("plies", [0, 7, 19])
def test_an_illegal_action_loses(rules: sv.Rules, reward: Any, plies: int) -> None:
    game = env(rules, reward=reward)
    game.reset(seed=plies)
    play(game, random.Random(plies), plies)
    mover, before = plies % rules.players, game.observe(game.agent_selection)
    game.step(int(before["action_mask"].argmin()))
    loser, others = rules.team_of(mover), rules.teams - 1
    seats = [rules.team_of(seat) == loser for seat in range(rules.players)]
    if reward == "win":
        assert list(game.rewards.values()) == [0 if lost else 1 / others for lost in seats]
    elif reward == "margin":
        most = next(part.high for part in Layout(rules).sections if part.name == "score")
        assert list(game.rewards.values()) == [-most if lost else most / others for lost in seats]
    else:
        assert all((paid < 0) is lost for paid, lost in zip(game.rewards.values(), seats, strict=True))
    assert list(game.terminations.values()) == [True] * rules.players
    assert game.agent_selection == f"player_{(plies + 1) % rules.players}"
    for agent in game.agents:
        observed = game.observe(agent)
        assert game.observation_space(agent).contains(observed)
        assert not observed["action_mask"].any()
    # What the loser sees has not changed: nothing was played.
    assert np.array_equal(game.observe(f"player_{mover}")["observation"], before["observation"])
    while game.agents:
        game.step(None)
    with pytest.raises(sv.GameOverError, match="reset it"):
        game.step(None)
    game.reset()
    assert game.agent_selection == "player_0"
    assert set(game.rewards.values()) == {0.0}
    assert not any(game.terminations.values())
    play(game, random.Random(1))
    assert all(game.terminations.values())


@pytest.mark.parametrize("plies", [0, 7, 19])
def test_an_illegal_action_raises_if_that_is_asked_for(plies: int) -> None:
    game = env(illegal="raise", reward="margin-change")
    game.reset(seed=5)
    play(game, random.Random(plies), plies)
    before = seen(game)
    mask = game.last()[0]["action_mask"]
    refused = 0
    for action in range(200):
        if not mask[action]:
            with pytest.raises(sv.IllegalMoveError):
                game.step(action)
            refused += 1
    assert seen(game) == before
    assert refused == 200 - mask.sum() > 100
    play(game, random.Random(1), 20 - plies)
    assert all(game.terminations.values())


@pytest.mark.parametrize("illegal", ["loss", "raise"])
@pytest.mark.parametrize(
    ("action", "error", "text"),
    [
        (200, sv.IllegalMoveError, "200"),
        (-1, sv.IllegalMoveError, "-1"),
        (255, sv.IllegalMoveError, "255"),
        (None, TypeError, "player_0 must be an int from 0 to 199, got None"),
        ("57", TypeError, "action id"),
        (1.0, TypeError, "action id"),
    ],
)
def test_what_is_no_action_raises_and_changes_nothing(illegal: Any, action: Any, error: Any, text: str) -> None:
    game = env(illegal=illegal)
    game.reset(seed=5)
    before = seen(game)
    with pytest.raises(error, match=text):
        game.step(action)
    assert seen(game) == before


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: env(render_mode="rgb_array"), sv.SavannaError, "render_mode must be None, 'human' or 'ansi'"),
        (lambda: env(dtype="int8"), sv.SavannaError, "dtype must be one of float32, uint8, got 'int8'"),
        (lambda: env(reward="chips"), sv.SavannaError, "reward"),
        (lambda: env(illegal="ignore"), sv.SavannaError, "illegal"),
        (lambda: env(recall="yes"), TypeError, "recall"),
        (lambda: env("2p"), TypeError, "rules|Rules"),
        (lambda: env().reset(seed=-1), sv.SavannaError, "seed must be 0 or more, got -1"),
        (lambda: env().reset(seed=1.5), TypeError, "seed must be an int or None, got float"),
        (lambda: env().last(), sv.SavannaError, "reset the environment first"),
        (lambda: env().step(0), sv.SavannaError, "reset the environment first"),
        (lambda: env(render_mode="ansi").render(), sv.SavannaError, "reset the environment first"),
        (lambda: env().observation_space("player_2"), sv.SavannaError, "player_0, player_1, got 'player_2'"),
        (lambda: env().action_space("ann"), sv.SavannaError, "player_0, player_1, got 'ann'"),
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_the_state_is_not_offered_and_infos_are_empty() -> None:
    game = env()
    game.reset(seed=1)
    with pytest.raises(NotImplementedError):
        game.state()
    for _ in range(20):
        assert game.infos == {"player_0": {}, "player_1": {}}
        play(game, random.Random(1), 1)
    assert game.metadata["name"] == str(game) == "savanna_ten_v0"
    assert game.metadata["is_parallelizable"] is False


@every_rules
@pytest.mark.parametrize("recall", [False, True])
def test_twins_look_the_same_along_a_game(rules: sv.Rules, recall: bool) -> None:
    """Seeds that deal one seat the same tiles and others not; the others' moves look the same, whatever they hold."""
    games = [env(rules, recall=recall, render_mode="ansi") for _ in range(2)]
    starts = []
    for seed in range(3000 if rules.players == 2 else 400):
        games[0].reset(seed=seed)
        assert games[0]._episode is not None
        starts.append(games[0]._episode.start)
    for seat in range(rules.players):
        agent, differed = f"player_{seat}", 0
        for pair in twin_starts(starts, seat, 5):
            for game, seed in zip(games, pair, strict=True):
                game.reset(seed=seed)
            rng = random.Random(str(pair))
            for ply in range(20):
                one, two = (game.observe(agent) for game in games)
                assert [array.tobytes() for array in one.values()] == [array.tobytes() for array in two.values()]
                if ply % rules.players == seat:
                    assert games[0].render() == games[1].render()
                    assert pickle.dumps(games[0].last()) == pickle.dumps(games[1].last())
                    action = random_action(one["action_mask"], rng)
                    actions = [action, action]
                else:
                    actions = [Shy().choose(game._now().view(ply % rules.players)).action for game in games]
                    differed += actions[0] != actions[1]
                for game, action in zip(games, actions, strict=True):
                    game.step(action)
                assert games[0].infos == games[1].infos
                assert games[0].rewards == games[1].rewards
            assert games[0].observe(agent)["observation"].tobytes() == games[1].observe(agent)["observation"].tobytes()
        assert differed > 10


@every_rules
@pytest.mark.parametrize("recall", [False, True])
def test_twins_of_any_game_look_the_same(rules: sv.Rules, recall: bool) -> None:
    """Random games with fronts and Lions, in which all that one seat cannot know is drawn again."""
    one, two = (env(rules, recall=recall, render_mode="ansi") for _ in range(2))
    rng, distinct, cases = random.Random(str(rules)), 0, 0
    for seed in range(3):
        one.reset(seed=seed)
        two.reset(seed=seed)
        for ply in range(20):
            episode, mover = one._now(), ply % rules.players
            for seat, agent in enumerate(one.agents):
                two._episode = twin_episode(episode, seat, rng)
                assert two._episode.view(seat) == episode.view(seat)
                distinct += two._episode.position != episode.position
                cases += 1
                for mine, theirs in zip(one.observe(agent).values(), two.observe(agent).values(), strict=True):
                    assert mine.tobytes() == theirs.tobytes()
                if seat == mover:
                    assert one.render() == two.render()
                    assert pickle.dumps(one.last()) == pickle.dumps(two.last())
            action = random_action(one.observe(one.agent_selection)["action_mask"], rng)
            one.step(action)
            two._episode = one._episode
            two.agent_selection = one.agent_selection
    assert distinct > 0.9 * cases


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
@pytest.mark.parametrize("plies", [0, 1, 7, 19, 20])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["reward"])
def test_a_copy_goes_on_as_the_game_does(copied: Any, plies: int, options: dict[str, Any]) -> None:
    rules = sv.Rules(players=3, mice=True)
    game = env(rules, **options)
    game.reset(seed=9)
    play(game, random.Random(1), plies)
    before = seen(game)
    twin = copied(game)
    assert seen(twin) == before
    for which in (twin, game):  # what one does is nothing to the other
        play(which, random.Random(2), 20 - plies)
        which.reset()
        play(which, random.Random(3), 5)
    assert seen(twin) == seen(game) != before
    fresh = copied(env(rules, **options))
    fresh.reset(seed=9)
    play(fresh, random.Random(1), plies)
    assert seen(fresh) == before


def test_a_seed_decides_over_all_games_and_they_are_different() -> None:
    def games(game: Any, first: int | None) -> list[bytes]:
        starts = []
        for number in range(6):
            game.reset(seed=first if number == 0 else None, options={"unknown": 1})
            starts.append(b"".join(game.observe(agent)["observation"].tobytes() for agent in game.agents))
            play(game, random.Random(number), 3)
        return starts

    used = env()
    first = games(used, 5)
    assert games(used, 5) == games(env(), 5) == first
    assert len(set(first)) > 2
    others = {tuple(games(env(), seed)) for seed in (0, 6, 2**64, 2**200)} | {tuple(games(env(), None))}
    assert len({*others, tuple(first)}) == 6


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_reset_while_agents_leave_starts_clean(left: int) -> None:
    used, fresh = env(sv.Rules(players=3)), env(sv.Rules(players=3))
    used.reset(seed=1)
    play(used, random.Random(1))
    for _ in range(left):
        used.step(None)
    for game in (used, fresh):
        game.reset(seed=2)
        assert game.agents == ["player_0", "player_1", "player_2"]
        play(game, random.Random(2), 4)
        game.step(int(game.last()[0]["action_mask"].argmin()))
    while fresh.agents:
        assert seen(used) == seen(fresh)
        used.step(None)
        fresh.step(None)
    assert seen(used) == seen(fresh)


def test_nothing_is_drawn_from_global_generators() -> None:
    with global_randomness_untouched():
        for rules in RULES:
            game = env(rules)
            game.reset()
            play(game, random.Random(1))
            game.reset(seed=4)


def test_arrays_belong_to_whom_they_are_given() -> None:
    game, rng = env(recall=True), random.Random(6)
    game.reset(seed=1)
    kept = []
    for _ in range(20):
        for agent in game.agents:
            for array in game.observe(agent).values():
                kept.append((array, array.tobytes()))
        before = seen(game)
        for array in game.observe("player_0").values():
            array.fill(1)  # this is nobody else's
        assert seen(game) == before
        play(game, rng, 1)
    game.reset()
    assert all(array.tobytes() == held for array, held in kept)
    assert len(kept) == 80
    assert not any(np.shares_memory(one, two) for (one, _), (two, _) in pairwise(kept))


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


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_a_missing_library_is_named_with_the_remedy(library: str) -> None:
    error = error_without(library, "savanna.envs.pettingzoo")
    assert error.startswith("ImportError: savanna.envs.pettingzoo needs PettingZoo: pip install 'savanna-core[rl]'")
