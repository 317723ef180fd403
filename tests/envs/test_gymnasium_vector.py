"""Many games for Gymnasium: they agree with one, with the reference engine, and with the form of Gymnasium's own."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import savanna as sv
import savanna.envs.gymnasium as adapter
from savanna import reference as ref
from savanna.envs import BatchEnv, Layout
from tests.support.env_twins import (
    OPTIONS,
    REWARDS,
    RULES,
    Recorder,
    Scripted,
    Shy,
    every_rules,
    expected_rewards,
    global_randomness_untouched,
    go_on,
    in_reference,
    masked,
    plain,
    twin_starts,
)

pytestmark = pytest.mark.thin(4)

# Untyped: much of what is tried here has the wrong type.
SavannaEnv: Any = adapter.SavannaEnv
SavannaVectorEnv: Any = adapter.SavannaVectorEnv

every_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


def make_vec(num_envs: int, **options: Any) -> Any:
    return gymnasium.make_vec("Savanna-v0", num_envs=num_envs, **options)


@every_rules
@pytest.mark.parametrize("opponent", [None, sv.players.Greedy()], ids=["Random", "Greedy"])
@pytest.mark.parametrize("reward", REWARDS)
def test_many_games_and_one_agree(rules: sv.Rules, opponent: Any, reward: str) -> None:
    """The first of many games is the one game of the same seed, to the end; also if the agent loses it by a slip."""
    for seat in range(rules.players):
        options = {"opponent": opponent, "rules": rules, "seat": seat, "reward": reward}
        one, many, rng = SavannaEnv(**options), SavannaVectorEnv(3, **options), random.Random(seat)
        for seed in range(3):
            seen, info = one.reset(seed=seed)
            all_seen, infos = many.reset(seed=seed)
            ended = False
            for turn in range(10):
                assert np.array_equal(seen, all_seen[0])
                assert np.array_equal(info["action_mask"], infos["action_mask"][0])
                actions = masked(infos, rng)
                if (seed, turn) == (2, 3):
                    actions[0] = infos["action_mask"][0].argmin()
                seen, paid, ended, _, info = one.step(int(actions[0]))
                all_seen, all_paid, all_ended, truncated, infos = many.step(actions)
                assert (paid, ended) == (all_paid[0], all_ended[0])
                assert not truncated.any()
                if ended:
                    assert np.array_equal(seen, infos["final_obs"][0])
                    break
            assert ended
            assert turn == 3 or seed < 2


class Expected:
    """One game in the reference engine: an agent at a seat, and the greedy player at all others."""

    def __init__(self, start: sv.Position, seat: int, reward: str) -> None:
        self.position, self.seat, self.reward = in_reference(start), int(seat), reward
        self.owed, self.lost = 0.0, False
        self._answer()

    @property
    def over(self) -> bool:
        return self.lost or self.position.is_over

    def act(self, action: int) -> None:
        if self.position.legal_mask()[action]:
            self._follow(action)
            self._answer()
        else:
            assert self.reward == "margin"
            most = next(part.high for part in Layout(self._rules()).sections if part.name == "score")
            self.owed, self.lost = -most, True

    def collect(self) -> float:
        owed, self.owed = self.owed, 0.0
        return owed

    def seen(self) -> Any:
        return Layout(self._rules()).observe(sv.Position.parse(str(self.position)).view(self.seat))

    def mask(self) -> bytes:
        return bytes(200) if self.over else self.position.legal_mask()

    def _rules(self) -> sv.Rules:
        return sv.Rules.parse(str(self.position.rules))

    def _answer(self) -> None:
        while not self.position.is_over and (mover := self.position.seat) != self.seat:
            view = sv.Position.parse(str(self.position)).view(mover)  # type: ignore[arg-type]
            self._follow(sv.players.Greedy().choose(view).action)

    def _follow(self, action: int) -> None:
        before = self.position
        self.position = before.play(ref.Move.from_action(action))
        self.owed += expected_rewards(before, self.position, self.reward)[self.seat]


@every_rules
@every_mode
@pytest.mark.parametrize("reward", ["margin", "margin-change"])
def test_each_of_many_games_is_that_of_the_reference(rules: sv.Rules, mode: AutoresetMode, reward: str) -> None:
    """Deals, seats, views, masks and rewards in each place, over the start of the next games too."""
    greedy = sv.players.Greedy()
    games = make_vec(5, opponent=greedy, rules=rules, seat=None, reward=reward, autoreset_mode=mode).unwrapped
    seen, infos = games.reset(seed=8)
    deals = BatchEnv(5, rules, seed=int(np.random.default_rng(8).integers(2**64, dtype=np.uint64)))
    running = [Expected(deals.episode(game).start, games.seats[game], reward) for game in range(5)]
    rng, drawn, begun = random.Random(str(rules)), set(games.seats.tolist()), 0
    for _ in range(24):
        for game, expected in enumerate(running):
            assert np.array_equal(seen[game], expected.seen())
            assert infos["action_mask"][game].tobytes() == expected.mask()
        actions = masked(infos, rng)
        if reward == "margin" and rng.random() < 0.3:  # a slip, by which games no longer end together
            actions[2] = infos["action_mask"][2].argmin()
        over = np.array([expected.over for expected in running])
        for game in np.flatnonzero(~over).tolist():
            running[game].act(int(actions[game]))
        seen, rewards, ended, truncated, infos = games.step(actions)
        assert rewards.tolist() == pytest.approx([expected.collect() for expected in running], abs=1e-5)
        assert ended.tolist() == [expected.over and not was for expected, was in zip(running, over, strict=True)]
        assert not truncated.any()
        assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP and ended.any())
        for game in np.flatnonzero(ended).tolist() if "final_obs" in infos else []:
            assert np.array_equal(infos["final_obs"][game], running[game].seen())
            assert not infos["final_info"]["action_mask"][game].any()
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(sv.GameOverError, match=rf"game {ended.argmax()} is over"):
                games.step(actions)
            seen, infos = games.reset(options={"reset_mask": ended})
        begins = over if mode is AutoresetMode.NEXT_STEP else ended
        deals.reset(where=begins)
        for game in np.flatnonzero(begins).tolist():
            running[game] = Expected(deals.episode(game).start, games.seats[game], reward)
            begun += 1
        drawn.update(games.seats.tolist())
    assert begun >= 10
    assert len(drawn) > 1


@every_mode
def test_infos_have_the_form_of_gymnasiums_own(mode: AutoresetMode) -> None:
    """Gymnasium's vector of single games says what keys, shapes and types there are at every step."""
    ours = make_vec(3, autoreset_mode=mode)
    theirs = make_vec(3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode})
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(ours, space) == getattr(theirs, space)

    def form(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: form(value[key]) for key in sorted(value)}
        if value is None or value.dtype != object:
            return None if value is None else (value.dtype, value.shape, value.tolist() if value.dtype == bool else "")
        return [form(item) for item in value]

    def legal(infos: dict[str, Any]) -> Any:
        return masked(infos, random.Random(1))

    pairs = [(ours, ours.reset(seed=3)), (theirs, theirs.reset(seed=3))]
    forms = [[form(infos), form(seen)] for _, (seen, infos) in pairs]
    infos_of = [infos for _, (_, infos) in pairs]
    for turn in range(13):
        for which, (games, _) in enumerate(pairs):
            actions = legal(infos_of[which])
            if turn == 4:
                actions[1] = infos_of[which]["action_mask"][1].argmin()
            seen, rewards, ended, truncated, infos = games.step(actions)
            forms[which] += [form(infos), *map(form, (seen, rewards, ended, truncated))]
            if mode is AutoresetMode.DISABLED and ended.any():
                seen, again = games.reset(options={"reset_mask": ended})
                forms[which].append(form(seen))
                # Theirs tells only of the games that were reset; ours of all.
                infos["action_mask"][ended] = again["action_mask"][ended]
                infos |= {"action_mask": infos["action_mask"]}
            infos_of[which] = infos
    assert forms[0] == forms[1]


def test_make_and_make_vec() -> None:
    assert adapter.ENV_ID == "Savanna-v0"
    assert type(gymnasium.make("Savanna-v0").unwrapped) is adapter.SavannaEnv
    games = make_vec(4, opponent=sv.players.Greedy(), rules=sv.Rules(players=3), dtype="uint8", threads=2)
    assert type(games.unwrapped) is adapter.SavannaVectorEnv
    assert games.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert (games.num_envs, games.action_space.nvec.tolist()) == (4, [200] * 4)
    seen, infos = games.reset(seed=1)
    assert seen in games.observation_space
    assert np.array_equal(games.action_masks(), infos["action_mask"])
    assert games.unwrapped.layout.rules == sv.Rules(players=3)
    assert make_vec(2, autoreset_mode="Disabled").metadata["autoreset_mode"] is AutoresetMode.DISABLED
    assert "Random" not in gymnasium.spec("Savanna-v0").to_json()
    games.close()
    games.close()


def test_opponents_of_many_games() -> None:
    asked: list[Any] = []
    players = [Recorder("1", asked), sv.players.Random(), Recorder("3", asked)]
    games = SavannaVectorEnv(50, players, sv.Rules(players=4, team_game=True), None)
    _, infos = games.reset(seed=1)
    for _ in range(7):
        _, _, _, _, infos = games.step(masked(infos, random.Random(2)))
    assert {name for name, _, _ in asked} == {"1", "3"}
    assert len(asked) > 50 * 2 * 5
    names = {(name, view.ply) for name, view, _ in asked}
    assert len(names) > 30
    bad = SavannaVectorEnv(2, [Shy(), Scripted(sv.Move("mouse", "front", "a5"))], sv.Rules(players=3))
    _, infos = bad.reset(seed=1)
    with pytest.raises(sv.IllegalMoveError, match=r"^opponent in seat 2 of game 0, Scripted: "):
        bad.step(masked(infos, random.Random(2)))
    with pytest.raises(sv.SavannaError, match="an opponent has failed"):
        bad.step([0, 0])
    bad.reset()
    assert bad.action_masks().any(axis=1).all()


@pytest.mark.parametrize(
    ("actions", "error", "text"),
    [
        ([0, 200, 0], sv.SavannaError, r"action of game 1 must be 0 to 199, got 200"),
        ([0, 0, -1], sv.SavannaError, "action of game 2"),
        ([0, 0, 255], sv.SavannaError, "action of game 2"),
        ([0, 0], sv.SavannaError, r"3 whole numbers, got int64 of shape \(2,\)"),
        ([0.0, 1.0, 2.0], sv.SavannaError, "3 whole numbers, got float64"),
        (None, sv.SavannaError, "3 whole numbers"),
        ([0, [1], 2], sv.SavannaError, "^actions must be an array: "),
    ],
)
@pytest.mark.parametrize("illegal", ["loss", "raise"])
def test_what_are_no_actions_raises_and_changes_nothing(illegal: str, actions: Any, error: Any, text: str) -> None:
    games = SavannaVectorEnv(3, illegal=illegal)
    games.reset(seed=5)
    before = pickle.dumps(games)
    with pytest.raises(error, match=text):
        games.step(actions)
    assert pickle.dumps(games) == before


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: SavannaVectorEnv(0), sv.SavannaError, "num_envs"),
        (
            lambda: SavannaVectorEnv(2, autoreset_mode="Never"),
            sv.SavannaError,
            "autoreset_mode must be one of NextStep",
        ),
        (lambda: SavannaVectorEnv(2).step([0, 0]), sv.SavannaError, "reset the environment first"),
        (
            lambda: SavannaVectorEnv(2).reset(options={"reset_mask": np.array([True, False])}),
            sv.SavannaError,
            "reset the environment first",
        ),
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_one_illegal_action_of_many_can_raise_and_changes_nothing() -> None:
    games = SavannaVectorEnv(3, illegal="raise")
    _, infos = games.reset(seed=5)
    actions, before = masked(infos, random.Random(1)), pickle.dumps(games)
    actions[1] = infos["action_mask"][1].argmin()
    with pytest.raises(sv.IllegalMoveError, match="of game 1"):
        games.step(actions)
    assert pickle.dumps(games) == before


@pytest.mark.parametrize(
    ("mask", "seed", "text"),
    [
        (np.ones(2, np.bool_), None, r"an array of 3 bools, got bool of shape \(2,\)"),
        (np.ones(3), None, "an array of 3 bools, got float64"),
        ([True, True, False], None, "an array of 3 bools, got list"),
        (np.ones(3, np.bool_), 4, "there can be no reset_mask with it$"),
        pytest.param(np.ones(3, np.bool_), 10**5000, "there can be no reset_mask with it$", id="huge"),
    ],
)
def test_bad_masks_raise_and_change_nothing(mask: Any, seed: Any, text: str) -> None:
    games = SavannaVectorEnv(3)
    games.reset(seed=5)
    before = pickle.dumps(games)
    with pytest.raises(sv.SavannaError, match=text):
        games.reset(seed=seed, options={"reset_mask": mask})
    assert pickle.dumps(games) == before


def test_render_of_many_games(capsys: pytest.CaptureFixture[str]) -> None:
    games = SavannaVectorEnv(3, render_mode="ansi")
    games.reset(seed=2)
    texts = games.render()
    assert [sv.View.parse(text).seat for text in texts] == [0, 0, 0]
    assert len(set(texts)) > 1
    SavannaVectorEnv(3, render_mode="human").reset(seed=2)
    assert capsys.readouterr().out == "".join(f"{sv.render.text(sv.View.parse(text))}\n" for text in texts)
    silent = SavannaVectorEnv(3)
    silent.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@every_rules
@pytest.mark.parametrize("recall", [False, True])
def test_twins_look_the_same(rules: sv.Rules, recall: bool) -> None:
    """Games that deal the agent the same tiles and others not; the others' moves look the same, whatever they hold."""
    count = 1000 if rules.players == 2 else 200
    for seat in (0, rules.players - 1):
        options = {"opponent": Shy(), "rules": rules, "seat": seat, "recall": recall, "render_mode": "ansi"}
        games = SavannaVectorEnv(count, reward="margin-change", **options)
        seen, infos = games.reset(seed=seat)
        starts = [games._games._batch.episode(game).start for game in range(count)]
        pairs = twin_starts(starts, seat, 4)
        ones, twos = [one for one, _ in pairs], [two for _, two in pairs]
        rng, ended = random.Random(seat), False
        while not ended:
            assert seen[ones].tobytes() == seen[twos].tobytes()
            assert infos["action_mask"][ones].tobytes() == infos["action_mask"][twos].tobytes()
            for one, two in pairs[:3]:
                assert games._games.view(one) == games._games.view(two)
            actions = masked(infos, rng)
            actions[twos] = actions[ones]
            seen, rewards, over, _, infos = games.step(actions)
            assert rewards[ones].tobytes() == rewards[twos].tobytes()
            ended = bool(over.all())
        for one, two in pairs:
            assert infos["final_obs"][one].tobytes() == infos["final_obs"][two].tobytes()
            assert (
                infos["final_info"]["action_mask"][one].tobytes() == infos["final_info"]["action_mask"][two].tobytes()
            )


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
@pytest.mark.parametrize("turns", [0, 1, 6, 7])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["seat"]))
@pytest.mark.parametrize("many", [False, True])
def test_a_copy_goes_on_as_the_game_does(copied: Any, turns: int, options: dict[str, Any], many: bool) -> None:
    rules = sv.Rules(players=3, mice=True)
    games = SavannaVectorEnv(4, rules=rules, **options) if many else SavannaEnv(rules=rules, **options)
    _, infos = games.reset(seed=3)
    go_on(games, infos, turns)
    infos = {"action_mask": games.action_masks()}
    if not infos["action_mask"].any():
        _, infos = games.reset()
    twin = copied(games)
    mine = go_on(games, infos, 16)
    assert go_on(twin, infos, 16) == mine
    assert len(set(mine)) >= 16


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["seat"]))
@pytest.mark.parametrize("many", [False, True])
def test_a_seed_decides_over_all_games_and_they_are_different(options: dict[str, Any], many: bool) -> None:
    def games(seed: int | None) -> list[str]:
        new = SavannaVectorEnv(3, **options) if many else SavannaEnv(**options)
        said = []
        for number in range(5):
            seen, infos = new.reset(seed=seed if number == 0 else None, options={"unknown": 1})
            said.append("".join([repr(plain(seen)), *go_on(new, infos, 3)]))
        return said

    first = games(5)
    assert games(5) == first
    assert len(set(first)) == 5
    others = [games(seed) for seed in (0, 6, 2**64, 2**200)] + [games(None)]
    assert len({*map(tuple, others), tuple(first)}) == 6


def test_threads_change_nothing() -> None:
    results = []
    for threads in (1, 2, 3):
        games = SavannaVectorEnv(1300, seat=None, threads=threads)
        _, infos = games.reset(seed=1)
        results.append(go_on(games, infos, 12))
    assert results[0] == results[1] == results[2]


def test_nothing_is_drawn_from_global_generators() -> None:
    with global_randomness_untouched():
        for rules in RULES:
            for games in (SavannaEnv(rules=rules, seat=None), SavannaVectorEnv(3, rules=rules, seat=None)):
                _, infos = games.reset()
                go_on(games, infos, 12)
                games.reset(seed=4)


@every_mode
def test_arrays_belong_to_whom_they_are_given(mode: AutoresetMode) -> None:
    used, untouched = (SavannaVectorEnv(3, seat=None, autoreset_mode=mode) for _ in range(2))
    kept: list[tuple[Any, bytes]] = []

    def arrays(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [array for item in value.values() for array in arrays(item)]
        if value is None or value.dtype == object:
            return [] if value is None else [array for item in value for array in arrays(item)]
        return [value]

    _, infos = used.reset(seed=1)
    untouched.reset(seed=1)
    for _ in range(25):
        if not infos["action_mask"].any() and mode is AutoresetMode.DISABLED:
            used.reset(options={"reset_mask": np.ones(3, np.bool_)})
            untouched.reset(options={"reset_mask": np.ones(3, np.bool_)})
        actions = masked({"action_mask": used.action_masks()}, random.Random(1))
        result, same = used.step(actions), untouched.step(actions)
        assert plain(result) == plain(same)
        infos = same[-1]
        got = [*result[:4], *arrays(result[-1]), used.action_masks(), used.seats]
        assert not any(np.shares_memory(one, two) for one, _ in kept[-20:] for two in got)
        for array in got:
            array[...] = 1  # this is nobody else's
        kept += [(array, array.tobytes()) for array in [*same[:4], *arrays(same[-1])]]
    assert all(array.tobytes() == held for array, held in kept)
    assert len(kept) >= 25 * 6
