"""Batches of games, compared with a plain model of them; the same for a seed however they are stepped."""

import hashlib
import itertools
import random
import re
from collections import Counter, defaultdict
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

import savanna as sv
from savanna.envs import ENV_VERSION, WAIT, BatchEnv, Step
from tests.support.env_layout import RULES
from tests.support.env_model import Place, check_rows, check_seen
from tests.support.env_twins import global_randomness_untouched
from tests.support.full import count

pytestmark = pytest.mark.thin(6)

MODES: tuple[Literal["same-step", "next-step", "disabled"], ...] = ("same-step", "next-step", "disabled")
REWARDS: tuple[Literal["win", "margin", "margin-change"], ...] = ("win", "margin", "margin-change")
ILLEGAL: tuple[Literal["raise", "loss"], ...] = ("raise", "loss")


def rows(step: Step, games: slice = slice(None)) -> list[bytes]:
    """Return what a step says of some games, to be compared."""
    return [array[games].tobytes() for array in step]


def play_on(env: BatchEnv, steps: int, games: slice = slice(None)) -> list[Any]:
    """Play random actions and return all that comes of it in some games."""
    said: list[Any] = [rows(env.now(), games)]
    for _ in range(steps):
        actions = env.sample_actions()
        said += [actions[games].tobytes(), rows(env.step(actions), games)]
        said += [env.observe(seat)[games].tobytes() for seat in range(env.rules.players)]
    return said


# --------------------------------------------------------------------------------------------------------- plain model


@pytest.mark.parametrize(("autoreset", "illegal"), [*itertools.product(MODES, ILLEGAL)])
def test_a_batch_is_the_plain_model_of_it(autoreset: Any, illegal: Any) -> None:
    """Games out of step with each other, some waiting, some lost by illegal actions, one after the other."""
    lost = 0
    for number, rules in enumerate((*RULES[:3], *RULES[5:11])[:: count(2, 1)]):
        rng = random.Random(number)
        options: dict[str, Any] = {"reward": REWARDS[number % 3], "autoreset": autoreset}
        recall = number % 2 == 1
        env = BatchEnv(3, rules, seed=number, recall=recall, illegal=illegal, **options)
        places = [Place(rules, number, place, **options) for place in range(3)]
        ended = 0
        for step in range(60):
            sampled = env.sample_actions()
            assert sampled.tolist() == [place.sample() for place in places]
            # One in eight games waits, and one in thirty tries something that is rarely legal.
            actions = [
                WAIT
                if rng.random() < 0.125
                else rng.randrange(255)
                if illegal == "loss" and rng.random() < 0.03
                else it
                for it in sampled.tolist()
            ]
            if autoreset == "disabled":
                actions = [WAIT if place.over else it for place, it in zip(places, actions, strict=True)]
            lost += sum(
                it != WAIT and not p.over and it not in p.legal() for p, it in zip(places, actions, strict=True)
            )
            told = env.step(actions)
            expected = [place.step(action) for place, action in zip(places, actions, strict=True)]
            np.testing.assert_allclose(told.rewards, [paid for paid, _ in expected], rtol=1e-6, atol=1e-5)
            assert told.terminated.tolist() == [over for _, over in expected]
            ended += sum(over for _, over in expected)
            check_rows(env, told, places)
            if step % 9 == 0 or any(over for _, over in expected):
                check_seen(env, places)
            if step in (5, 33):
                where = [rng.random() < 0.5 or place.over for place in places]
                for place in itertools.compress(places, where):
                    place.begin()
                check_rows(env, env.reset(where=where), places)
        assert [str(env.episode(i).position) for i in range(3)] == [str(place.record.now) for place in places]
        assert ended >= 3
    assert (lost > 9) is (illegal == "loss")


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("rules", [RULES[0], RULES[2], RULES[4], RULES[6], RULES[9]], ids=str)
def test_an_illegal_action_loses_as_documented(rules: sv.Rules, reward: Any) -> None:
    env = BatchEnv(3, rules, seed=2, reward=reward, illegal="loss", autoreset="disabled")
    places = [Place(rules, 2, place, reward=reward, autoreset="disabled") for place in range(3)]
    for _ in range(15):
        actions = env.sample_actions()
        env.step(actions)
        for place, action in zip(places, actions.tolist(), strict=True):
            place.step(action)
    before = [env.episode(game) for game in range(3)]
    taken = before[1].moves[0].action
    told = env.step([254, taken, WAIT])
    assert told.terminated.tolist() == [True, True, False]
    lost = [place.lost() for place in places[:2]]
    np.testing.assert_allclose(told.rewards, [*lost, [0.0] * rules.players], atol=1e-5)
    assert (told.rewards[0] < 0).sum() == (0 if reward == "win" else rules.players // rules.teams)
    if reward != "margin-change":
        assert abs(told.rewards[0].sum() - (rules.players // rules.teams if reward == "win" else 0)) < 1e-4
    assert [env.episode(game) for game in range(3)] == before
    assert env.sample_actions().tolist()[:2] == [WAIT, WAIT]
    assert told.action_mask.any(axis=1).tolist() == [False, False, True]
    with pytest.raises(sv.GameOverError, match=f"^action {taken} of game 0: the game is over"):
        env.step([taken, WAIT, WAIT])


def test_an_illegal_action_that_is_refused_changes_nothing() -> None:
    for autoreset, rules in itertools.product(MODES, RULES[:8]):
        env = BatchEnv(6, rules, seed=3, autoreset=autoreset)
        for step in range(24):
            actions, saved = env.sample_actions(), env.save()
            before, views = rows(env.now()), [env.observe(seat).tobytes() for seat in range(rules.players)]
            for game in (5, 2):  # the later game first, so that the earlier is the one that is named
                if actions[game] != WAIT:
                    legal = np.flatnonzero(env.now().action_mask[game])
                    actions[game] = next(it for it in range(199, -1, -1) if it not in legal)
            if (actions == WAIT).all():  # the next games begin
                env.reset() if autoreset == "disabled" else env.step(actions)
                continue
            out = env.buffers()
            kept = [array.copy() for array in out]
            position = env.episode(2).position
            with pytest.raises(sv.IllegalMoveError) as caught:
                position.play(sv.Move.from_action(int(actions[2])))
            text = re.escape(f"action {actions[2]} of game 2: {caught.value}")
            with pytest.raises(sv.IllegalMoveError, match=f"^{text}$"):
                env.step(actions, out=out)
            assert (env.save(), rows(env.now())) == (saved, before)
            assert [env.observe(seat).tobytes() for seat in range(rules.players)] == views
            assert [bytes(array) for array in out] == [bytes(was) for was in kept]
            actions[[2, 5]] = WAIT, 200 + step
            text = f"^action of game 5 must be 0 to 199, or 255 to wait, got {200 + step}$"
            with pytest.raises(sv.IllegalMoveError, match=text):
                env.step(actions)
            assert env.save() == saved
            env.step(env.sample_actions())


def test_numbers_of_numpy_are_seats_and_places() -> None:
    """What a batch says of itself can be put to it again, by the types, too."""
    env, same = BatchEnv(np.int64(3), seed=np.uint64(5), threads=np.int8(1)), BatchEnv(3, seed=5)
    assert rows(env.now()) == rows(same.now())
    assert rows(env.reset(seed=np.int32(6))) == rows(same.reset(seed=6))
    env.step(env.sample_actions())
    seat, place = env.now().seats[1], np.flatnonzero(env.now().seats)[1]
    assert (type(seat), type(place)) == (np.uint8, np.int64)
    assert env.view(place, seat) == env.view(1, 1)
    assert env.episode(place) == env.episode(1)
    np.testing.assert_array_equal(env.observe(seat), env.observe(1))
    np.testing.assert_array_equal(env.final_observations(seat), env.final_observations(1))


def test_nothing_is_played_where_a_game_is_over() -> None:
    env = BatchEnv(3, seed=4, autoreset="disabled")
    for _ in range(20):
        step = env.step(env.sample_actions())
    assert step.terminated.all()
    saved = env.save()
    for action in (0, 199):
        with pytest.raises(sv.GameOverError, match=f"^action {action} of game 1: the game is over"):
            env.step([WAIT, action, 3])
    waited = env.step([WAIT] * 3)
    assert env.save() == saved
    assert not waited.terminated.any()
    assert not waited.rewards.any()
    assert not waited.action_mask.any()
    again = env.reset(where=[False, True, False])
    assert again.action_mask.any(axis=1).tolist() == [False, True, False]
    assert [env.episode(game).position.ply for game in range(3)] == [20, 0, 20]


# -------------------------------------------------------------------------------------------------------- reproduction


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_threads_and_other_games_change_nothing(rules: sv.Rules) -> None:
    """A thread takes 512 games at the least."""
    options: dict[str, Any] = {"recall": True, "reward": "margin-change", "dtype": "uint8"}
    expected = play_on(BatchEnv(1600, rules, seed=9, threads=1, **options), 23)
    for threads in (2, 3, None):
        assert play_on(BatchEnv(1600, rules, seed=9, threads=threads, **options), 23) == expected
    few, many = (BatchEnv(games, rules, seed=9, threads=2, **options) for games in (5, 50))
    assert play_on(few, 45) == play_on(many, 45, slice(5))


def test_every_game_of_every_seed_is_another() -> None:
    starts = Counter[sv.Position]()
    actions = set()
    for seed in (0, 1, 2, 2**64 - 1):
        env = BatchEnv(300, seed=seed)
        assert env.seed == seed
        for _ in range(3):
            starts.update(env.episode(game).start for game in range(300))
            env.reset()
        actions.add(env.sample_actions().tobytes())
    # Of 12,600**2 shuffles, two of 3600 are the same once in 25 runs.
    assert len(starts) == 3600
    assert len(actions) == 4
    assert len({BatchEnv(300).sample_actions().tobytes() for _ in range(3)}) == 3


@pytest.mark.parametrize("rules", RULES[:8], ids=str)
def test_a_seed_begins_anew(rules: sv.Rules) -> None:
    expected = play_on(BatchEnv(7, rules, seed=12), 30)
    env = BatchEnv(7, rules, seed=5)
    play_on(env, 33)
    for _ in range(2):
        first = env.reset(seed=12)
        assert rows(first) == expected[0]
        assert env.seed == 12
        assert play_on(env, 30) == expected
    env.reset()
    assert play_on(env, 30) != expected


def test_where_says_which_games_begin() -> None:
    env, twin = (BatchEnv(40, seed=13) for _ in range(2))
    for _ in range(11):
        actions = env.sample_actions()
        env.step(actions)
        twin.step(actions)
    where = np.arange(40) % 3 == 0
    step, fresh, before = env.reset(where=where), twin.reset(), env.episode(1)
    assert rows(step, slice(0, 40, 3)) == rows(fresh, slice(0, 40, 3))
    assert [env.episode(game).position.ply for game in range(40)] == [0 if it else 11 for it in where]
    assert not step.rewards.any()
    assert not step.terminated.any()
    saved = env.save()
    env.reset(where=np.zeros(40, np.bool_))
    assert env.save() == saved
    assert env.episode(1) == before
    every_other: Any = np.zeros(80, np.bool_)[::2]  # not contiguous
    env.reset(where=every_other)
    assert env.save() == saved


def test_modes_play_the_same_games() -> None:
    """One after the other in each place: what differs is when the next one begins."""
    ends: dict[str, list[Any]] = defaultdict(list)
    begins: dict[str, list[Any]] = defaultdict(list)
    for mode in MODES:
        env = BatchEnv(5, sv.Rules(players=3), seed=14, autoreset=mode)
        for _ in range(3):
            begins[mode].append(rows(env.now())[:2])
            for _ in range(20):
                step = env.step(env.sample_actions())
            assert step.terminated.all()
            saw = [(env.final_observations if mode == "same-step" else env.observe)(seat) for seat in range(3)]
            ends[mode].append([step.rewards.tobytes(), *(array.tobytes() for array in saw)])
            if mode == "next-step":
                assert (env.sample_actions() == WAIT).all()
                step = env.step(np.array([0, 199, 200, 254, 255], np.uint8))  # whatever is asked for
                assert not step.terminated.any()
                assert not step.rewards.any()
            elif mode == "disabled":
                env.reset()
    assert ends["same-step"] == ends["next-step"] == ends["disabled"]
    assert begins["same-step"] == begins["next-step"] == begins["disabled"]
    assert len({tuple(it) for it in ends["disabled"]}) == 3


# ------------------------------------------------------------------------------------------------------ random actions


def p_value(counts: Any) -> float:
    return float(stats.chisquare(counts).pvalue)


@pytest.mark.parametrize("rules", RULES[:8], ids=str)
def test_random_actions_are_uniform_and_independent(rules: sv.Rules) -> None:
    env, p_values = BatchEnv(1000, rules, seed=15), []
    for ply in range(20):
        if ply in (0, 7, 13, 18):
            mask = env.now().action_mask.astype(bool)
            draws = np.array([env.sample_actions() for _ in range(40)])
            assert mask[np.arange(1000), draws].all()
            # Which of its legal actions each game chose, by how many it had.
            ranks, legal = (mask.cumsum(axis=1) - 1)[np.arange(1000), draws], mask.sum(axis=1)
            for count in set(legal.tolist()):
                if 40 * (legal == count).sum() >= 5 * count and count > 1:
                    p_values.append(p_value(np.bincount(ranks[:, legal == count].ravel(), minlength=count)))
            halves = (2 * ranks // legal) * 1
            for one, other in ((halves[1:], halves[:-1]), (halves[:, 1:], halves[:, :-1])):
                p_values.append(p_value(np.bincount((2 * one + other).ravel(), minlength=4)))
        env.step(env.sample_actions())
    assert len(p_values) >= 12
    assert min(p_values) > 1e-4 / len(p_values), p_values
    assert np.mean(p_values) < 0.9  # nor are they evener than chance


def test_random_actions_belong_to_the_batch() -> None:
    one, other = (BatchEnv(30, seed=16) for _ in range(2))
    first = [one.sample_actions().tolist() for _ in range(3)]
    assert [other.sample_actions().tolist() for _ in range(3)] == first
    assert len({str(it) for it in first}) == 3
    one.step(first[2])
    other.step(first[2])
    one.now(), one.observe(0), one.buffers(), one.view(3), one.episode(2), one.save(), repr(one)
    assert one.sample_actions().tolist() == other.sample_actions().tolist()
    assert one.sample_actions().dtype == np.uint8


def test_global_randomness_is_not_touched() -> None:
    with global_randomness_untouched():
        for seed in (1, None):
            env = BatchEnv(600, seed=seed, threads=2)
            play_on(env, 21)
            play_on(BatchEnv.restore(env.save()), 2)
            env.reset(where=env.now().seats == 0)
            env.reset(seed=seed)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 -- it is the old global state that is looked after
    first = play_on(BatchEnv(9, seed=2), 21)
    random.seed(2)
    np.random.seed(2)  # noqa: NPY002
    assert play_on(BatchEnv(9, seed=2), 21) == first


# --------------------------------------------------------------------------------------------------------------- golden


def test_numbers_are_those_of_this_version() -> None:
    """Whoever changes the layout, the action ids, rewards or how games follow from a seed comes by here.

    Raise ENV_VERSION then, write it down as a 'Results change' in CHANGELOG.md, and put the new version and hash below:
    trained networks and saved batches are of no use any more.
    """
    digest = hashlib.sha256()
    for number, rules in enumerate(RULES):
        for recall, reward, illegal in itertools.product((False, True), REWARDS, ILLEGAL):
            env = BatchEnv(
                5, rules, seed=number, dtype="uint8", recall=recall, reward=reward, illegal=illegal,
                autoreset=MODES[number % 3],
            )  # fmt: skip
            for step in range(43):
                actions = env.sample_actions()
                if illegal == "loss" and step in (7, 23) and actions[step % 5] != WAIT:
                    actions[step % 5] = 200 + step
                told = env.step(actions)
                digest.update(actions.tobytes())
                for array in told:
                    digest.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
                digest.update(env.observe(rules.players - 1).tobytes())
            if MODES[number % 3] == "same-step":
                digest.update(env.final_observations(0).tobytes())
            digest.update(env.reset(where=np.arange(5) < 3).observations.tobytes())
    assert (ENV_VERSION, digest.hexdigest()) == (1, "89fb75791c353d6c0cdac12b00c49c4e97db2dc51e780fe83baa564f614a8fd9")


def test_repr_says_what_is_asked_for() -> None:
    rules = "Rules(players=2, mice=False, team_game=False)"
    options = "reward='win', illegal='raise', autoreset='same-step'"
    assert repr(BatchEnv(5, seed=3)) == f"BatchEnv(5, {rules}, seed=3, dtype='float32', {options})"
    env = BatchEnv(
        2, seed=3, dtype="uint8", recall=True, reward="margin", illegal="loss", autoreset="disabled", threads=2
    )
    twin = eval(repr(env), {"BatchEnv": BatchEnv, "Rules": sv.Rules})
    assert repr(twin) == repr(env)
    assert play_on(twin, 5) == play_on(env, 5)
    assert (env.num_envs, env.rules, env.seed, env.layout.recall) == (2, sv.Rules(), 3, True)
