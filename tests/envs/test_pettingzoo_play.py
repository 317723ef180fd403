"""Games for PettingZoo: deals, moves, masks and rewards are those of the reference engine and of a batch."""

import random
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import reference as ref
from savanna.envs import BatchEnv, Episode, Layout
from savanna.envs.rewards import Rewards
from tests.support.env_twins import REWARDS, every_rules, expected_rewards, in_reference, random_action
from tests.support.pettingzoo_games import env, every_option, play, seen

pytestmark = pytest.mark.thin(2)


@every_rules
@every_option
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
                assert got["observation"].tobytes() == episode.observe(layout, seat, dtype=options["dtype"]).tobytes()
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
        (None, TypeError, "^action of player_0 must be an int from 0 to 199, got None: it is still in the game$"),
        ("57", TypeError, "^action of player_0 must be an int from 0 to 199, got str$"),
        (1.0, TypeError, "got float$"),
        (True, TypeError, "got bool$"),
        (np.array([57]), TypeError, "got ndarray$"),
        (sv.Move("zebra", "lion", "c4"), TypeError, "got Move$"),
    ],
)
def test_what_is_no_action_raises_and_changes_nothing(illegal: Any, action: Any, error: Any, text: str) -> None:
    game = env(illegal=illegal)
    game.reset(seed=5)
    before = seen(game)
    with pytest.raises(error, match=text):
        game.step(action)
    assert seen(game) == before
