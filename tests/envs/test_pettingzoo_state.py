"""Games for PettingZoo as objects: copied, seeded and begun anew, with arrays and random numbers of their own."""

import copy
import pickle
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import savanna as sv
from tests.support.env_twins import RULES, global_randomness_untouched
from tests.support.pettingzoo_games import env, every_option, play, seen


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
@pytest.mark.parametrize("plies", [0, 1, 7, 19, 20])
@every_option
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
