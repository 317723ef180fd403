"""What an agent of PettingZoo can see: nothing that its seat cannot know."""

import pickle
import random

import pytest

import savanna as sv
from tests.support.env_twins import Shy, every_rules, in_reference, random_action, twin_episode, twin_starts
from tests.support.pettingzoo_games import env

pytestmark = pytest.mark.thin(2)


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


@every_rules
def test_spectators_cannot_tell_twins_apart(rules: sv.Rules) -> None:
    """All that nobody's seat but everybody's eyes know is in the public view, and nothing else."""
    one, two = (env(rules) for _ in range(2))
    rng, distinct = random.Random(str(rules)), 0
    for seed in range(3):
        one.reset(seed=seed)
        two.reset(seed=seed)
        for _ in range(20):
            episode = one._now()
            two._episode = twin_episode(episode, None, rng)
            distinct += two._episode.position != episode.position
            mine, theirs = one.public_view(), two.public_view()
            assert pickle.dumps(mine) == pickle.dumps(theirs)
            assert mine.seat is None
            assert str(mine) == str(in_reference(episode.position).public())
            assert sv.render.svg(mine) == sv.render.svg(theirs)
            one.step(random_action(one.observe(one.agent_selection)["action_mask"], rng))
        assert one.public_view().is_over
    assert distinct > 50


def test_before_the_first_deal_nobody_sees_anything() -> None:
    with pytest.raises(sv.SavannaError, match="no game has been dealt"):
        env().public_view()
