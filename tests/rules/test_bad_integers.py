"""Integers out of range, and what is no integer, for every argument that is one."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import savanna
from savanna import IllegalMoveError, RulesError, SavannaError, players
from savanna import envs as environments
from tests.support.refusals import Things, kind, refused

SEEDS = 2**64 - 1


class Index:
    """An integer in all but its class."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Integer(NamedTuple):
    """An argument that must be low..high, with a value that is right."""

    low: int
    high: int
    right: int
    error: type[Exception]
    call: Callable[[Things, Any], object]
    none: bool = False


RULES = savanna.Rules()
INTEGERS = {
    "action id": Integer(0, 199, 57, IllegalMoveError, lambda t, n: t.engine.Move.from_action(n)),
    "team_of": Integer(0, 1, 1, SavannaError, lambda t, n: t.rules.team_of(n)),
    "view": Integer(0, 1, 1, SavannaError, lambda t, n: t.position.view(n)),
    "deal": Integer(0, SEEDS, 0, SavannaError, lambda t, n: t.engine.Position.deal(t.rules, seed=n), none=True),
    "sample": Integer(0, SEEDS, 0, SavannaError, lambda t, n: t.view.sample(n), none=True),
    "players": Integer(2, 4, 3, RulesError, lambda t, n: t.engine.Rules(players=n)),
    "deck": Integer(0, 20, 5, RulesError, lambda t, n: t.engine.Rules(deck={"zebra": n, "monkey": 10})),
    "influence": Integer(0, 15, 0, RulesError, lambda t, n: t.engine.Rules(influence={"lion": n})),
    "target": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(target=n)),
    "points": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(points=[0, n, 3])),
    "bonus": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(last_seat_bonus=n), none=True),
}


def of_seven_plies() -> Any:
    """Return a fresh game."""
    game = savanna.Game(savanna.Position.deal(RULES, seed=1))
    for _ in range(7):
        game.play(game.position.legal_moves()[0])
    return game


BATCH = environments.BatchEnv(5, RULES, seed=1)
TWO = [players.Random(), players.Random()]
COMPILED_INTEGERS = {
    "games": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rollout(RULES, games=n)),
    "seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: savanna.rollout(RULES, 9, seed=n), none=True),
    "threads": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.rollout(RULES, 9, threads=n), none=True),
    "playouts": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.playouts(RULES, n).actions.tobytes()),
    "their seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.playouts(RULES, 9, seed=n)), none=True),
    "many": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rollout_many([RULES, t.view], games=n)),
    "their seeds": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.rollout_many([RULES], 9, seed=n)), none=True
    ),
    "and threads": Integer(
        1, 1024, 2, SavannaError, lambda t, n: savanna.rollout_many([RULES], 9, seed=0, threads=n), none=True
    ),
    "ranked": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rank_moves(t.position, games=n)),
    "ranked seed": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.rank_moves(t.position, 9, seed=n)), none=True
    ),
    "ranked on": Integer(
        1, 1024, 2, SavannaError, lambda t, n: savanna.rank_moves(t.view, 9, seed=0, threads=n), none=True
    ),
    "start": Integer(0, 2, 1, IndexError, lambda t, n: t.plays.start(n)),
    "moves": Integer(0, 2, 1, IndexError, lambda t, n: t.plays.moves(n)),
    "deals": Integer(1, 2**53, 1, SavannaError, lambda t, n: savanna.tournament(TWO, deals=n)),
    "of deals": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: savanna.tournament(TWO, deals=1, seed=n).players, none=True
    ),
    "crew": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.tournament(TWO, deals=1, threads=n), none=True),
    "replay": Integer(0, 1, 1, IndexError, lambda t, n: savanna.tournament(TWO, deals=1).replay(n)),
    "studied": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.study(games=n), none=True),
    "of studies": Integer(0, SEEDS, 0, SavannaError, lambda t, n: savanna.study(games=9, seed=n).rules, none=True),
    "studying": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.study(games=9, threads=n), none=True),
    "random": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Random(seed=n).name, none=True),
    "greedy": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Greedy(seed=n).name, none=True),
    "flat": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.FlatMonteCarlo(n), none=True),
    "soft": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.SoftGreedy(n), none=True),
    "tree": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.Ismcts(n), none=True),
    "tree seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Ismcts(seed=n).name, none=True),
    "tree threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.Ismcts(threads=n), none=True),
    "champion": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.Champion(n), none=True),
    "champion seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Champion(seed=n).name, none=True),
    "champion threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.Champion(threads=n), none=True),
    "flat seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.FlatMonteCarlo(seed=n).name, none=True),
    "soft seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.SoftGreedy(seed=n).name, none=True),
    "flat threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.FlatMonteCarlo(threads=n), none=True),
    "soft threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.SoftGreedy(threads=n), none=True),
    "other seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.SoftGreedy().with_seed(n).name, none=True),
    "games of a batch": Integer(1, 2**20, 3, SavannaError, lambda t, n: environments.BatchEnv(n, seed=1).save()),
    "seed of a batch": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: len(environments.BatchEnv(2, seed=n).save()), none=True
    ),
    "its new seed": Integer(0, SEEDS, 5, SavannaError, lambda t, n: BATCH.reset(seed=n).seats.tolist(), none=True),
    "place of a game": Integer(0, 4, 2, IndexError, lambda t, n: BATCH.episode(n).moves),
    "place of a view": Integer(0, 4, 2, IndexError, lambda t, n: BATCH.view(n)),
    "who looks": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.view(3, n), none=True),
    "who sees": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.observe(n).tolist()),
    "who saw": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.final_observations(n).tolist()),
    "seed of an episode": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: type(environments.Episode.deal(RULES, n)), none=True
    ),
    "view of an episode": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.view(n)),
    "mask of an episode": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.action_mask(n).tolist()),
    "observing seat": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.observe(t.layout, n).tolist()),
    "quarters": Integer(0, 3, 1, SavannaError, lambda t, n: t.layout.turned(n).tolist()),
    "quarters of actions": Integer(0, 3, 1, SavannaError, lambda t, n: t.layout.turned_actions(n).tolist()),
    "place in a game": Integer(0, 7, 3, SavannaError, lambda t, n: type(of_seven_plies().goto(n))),
    "plies to undo": Integer(1, 20, 3, SavannaError, lambda t, n: of_seven_plies().undo(n)),
    "place of a remark": Integer(0, 7, 3, SavannaError, lambda t, n: type(of_seven_plies().annotate(n, "x"))),
    "seed of a game": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: type(savanna.Game.deal(RULES, n).start), none=True
    ),
    "view of a game": Integer(0, 1, 1, SavannaError, lambda t, n: savanna.Game(t.position).view(n)),
    "new seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Greedy().with_seed(n).name, none=True),
}
NO_INTEGERS: tuple[Any, ...] = (
    True,
    False,
    3.0,
    float("nan"),
    float("inf"),
    3j,
    "x",
    "3",
    b"3",
    [],
    (3,),
    {},
    object(),
    int,
    Fraction(3),
)
NUMPY_NO_INTEGERS = (np.float64(3), np.bool_(True), np.array([1, 2]), np.str_("3"))


def check_integer(things: Things, argument: Integer) -> None:
    low, high, right, error, call, none = argument
    numbers = (low - 1, high + 1, -1, 200, 10**9, -(2**63), 2**63, 2**64, 2**127, 2**200, -(2**200))
    wrong = [number for number in numbers if not low <= number <= high]
    assert len(wrong) >= 5
    for number in wrong:
        refused(error, f"{low} to {high}, got {number}", call, things, number)
    refused(error, "", call, things, 10**5000)  # too long for Python to write it in decimal
    for value in NO_INTEGERS if none else (None, *NO_INTEGERS):
        refused(TypeError, kind(value), call, things, value)
    for value in NUMPY_NO_INTEGERS:
        refused(TypeError, "", call, things, value)
    expected = call(things, right)
    for integer in (np.int8, np.int32, np.int64, np.uint8, np.uint64, Index):
        assert call(things, integer(right)) == expected


@pytest.mark.parametrize("argument", INTEGERS)
def test_integers(things: Things, argument: str) -> None:
    check_integer(things, INTEGERS[argument])


@pytest.mark.parametrize("argument", COMPILED_INTEGERS)
def test_integers_of_the_compiled_engine(argument: str) -> None:
    check_integer(Things(savanna), COMPILED_INTEGERS[argument])


def test_seed_none_is_the_systems_entropy_and_zero_is_a_seed(things: Things) -> None:
    # Chance makes two of these equal less than once in 10**7 runs: a start alone has 12,600 ** 2 shuffles.
    draws: list[Callable[[Any], Any]] = [lambda n: things.engine.Position.deal(things.rules, n), things.view.sample]
    if things.engine is savanna:
        draws.append(lambda seed: savanna.rollout(things.rules, 2000, seed=seed))
        draws.append(lambda seed: savanna.playouts(things.rules, 100, seed=seed).actions.tobytes())
    for draw in draws:
        assert draw(0) == draw(np.uint64(0))
        assert len({draw(seed) for seed in (0, 1, SEEDS, None, None)}) == 5
