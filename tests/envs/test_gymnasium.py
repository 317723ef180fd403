"""The environments for Gymnasium: its own checkers, the reference engine, and nothing that a seat cannot know."""

import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import savanna as sv
import savanna.envs.gymnasium as adapter
from savanna import reference as ref
from savanna.envs import BatchEnv, Layout
from tests.support.env_twins import (
    OPTIONS,
    REWARDS,
    Recorder,
    Scripted,
    Shy,
    error_without,
    every_rules,
    expected_rewards,
    in_reference,
    random_action,
    twin_starts,
)

pytestmark = pytest.mark.thin(4)

# Untyped: much of what is tried here has the wrong type.
SavannaEnv: Any = adapter.SavannaEnv


def make(**options: Any) -> Any:
    return gymnasium.make("Savanna-v0", **options)


@every_rules
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["seat"]))
def test_gymnasiums_checker(rules: sv.Rules, options: dict[str, Any]) -> None:
    # Not one of its warnings is allowed.
    check_env(make(rules=rules, **options).unwrapped)


@every_rules
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["seat"]))
def test_normal_play_gives_the_passive_checker_nothing_to_say(rules: sv.Rules, options: dict[str, Any]) -> None:
    game = make(rules=rules, **options)
    assert "PassiveEnvChecker" in str(game)
    game.action_space.seed(1)
    for seed in (5, None, None):
        _, info = game.reset(seed=seed)
        ended = False
        while not ended:
            assert np.array_equal(info["action_mask"], game.unwrapped.action_masks())
            assert info["action_mask"].dtype == np.int8
            _, _, ended, truncated, info = game.step(game.action_space.sample(info["action_mask"]))
            assert (type(ended), truncated) == (bool, False)
        assert list(info) == ["action_mask"]
        assert not info["action_mask"].any()


@every_rules
@pytest.mark.parametrize("reward", REWARDS)
def test_a_game_is_that_of_the_reference(rules: sv.Rules, reward: str) -> None:
    """Opponents in their order, what they are shown, and what the agent sees and is paid, at every seat."""
    rng, layout = random.Random(str(rules)), Layout(rules)
    for seat in range(rules.players):
        asked: list[Any] = []
        players = [Recorder(f"{place}", asked) for place in range(1, rules.players)]
        game = SavannaEnv(players, rules, seat, reward=reward)
        numbers = np.random.default_rng(seat + 1)
        for seed in (seat + 1, None):  # the second game goes on with the generator of the first
            asked.clear()
            seen, info = game.reset(seed=seed)
            start = BatchEnv(1, rules, seed=int(numbers.integers(2**64, dtype=np.uint64))).episode(0).start
            position, total, paid, turns = in_reference(start), 0.0, 0.0, 0
            for ply in range(20):
                mover, before = ply % rules.players, position
                if mover == seat:
                    assert total == pytest.approx(paid if turns else 0.0)
                    view = sv.Position.parse(str(position)).view(seat)
                    assert np.array_equal(seen, layout.observe(view))
                    assert info["action_mask"].tobytes() == position.legal_mask()
                    action = random_action(info["action_mask"], rng)
                    seen, received, ended, _, info = game.step(action)
                    total, turns = total + received, turns + 1
                else:
                    name, view, move = asked.pop(0)
                    assert int(name) == (mover - seat) % rules.players
                    assert view == sv.Position.parse(str(position)).view(mover)
                    action = move.action
                position = position.play(ref.Move.from_action(action))
                paid += expected_rewards(before, position, reward)[seat]
            assert ended
            assert not asked
            assert total == pytest.approx(paid, abs=1e-5)
            assert np.array_equal(seen, layout.observe(sv.Position.parse(str(position)).view(seat)))
            with pytest.raises(sv.GameOverError, match="game 0 is over: reset it"):
                game.step(0)


def test_one_player_takes_all_other_seats_and_seats_can_be_drawn() -> None:
    asked: list[Any] = []
    game = SavannaEnv(Recorder("all", asked), sv.Rules(players=4, team_game=True), None)
    seats = []
    for seed in range(40):
        game.reset(seed=seed)
        seats.append(game.seat)
        assert len(asked) == game.seat
        asked.clear()
    assert set(seats) == {0, 1, 2, 3}
    again = SavannaEnv(Recorder("all", asked), sv.Rules(players=4, team_game=True), None)
    for seed in range(40):
        again.reset(seed=seed)
        assert again.seat == seats[seed]


@every_rules
@pytest.mark.parametrize("reward", REWARDS)
def test_an_illegal_action_loses(rules: sv.Rules, reward: str) -> None:
    game, rng = SavannaEnv(rules=rules, seat=1, reward=reward), random.Random(3)
    most = next(part.high for part in Layout(rules).sections if part.name == "score")
    for turns in range(20 // rules.players):
        seen, info = game.reset(seed=turns)
        total = 0.0
        for _ in range(turns):
            seen, paid, _, _, info = game.step(random_action(info["action_mask"], rng))
            total += paid
        after, paid, ended, truncated, info = game.step(int(info["action_mask"].argmin()))
        assert (ended, truncated) == (True, False)
        assert total + paid == pytest.approx(0.0 if reward == "win" else -most)
        assert not info["action_mask"].any()
        assert np.array_equal(after, seen)  # nothing was played
        assert game.observation_space.contains(after)
    _, info = game.reset()
    assert info["action_mask"].any()


class OnOneLine:
    """A player that fills a line of three with Lions, then anything."""

    def choose(self, view: sv.View) -> sv.Move:
        board, line = view.board, next(line for line in sv.LINES if len(line) == 3)
        free = next(space for space in (*line, *sv.SPACES) if space not in board)
        return sv.Move(view.hand[0], "lion", free)


def test_what_is_paid_before_the_first_move_comes_with_it_and_only_once() -> None:
    """Three Lions of three teams are 18, above the target: each gets a point, so the fourth seat begins a point behind.

    It then gives the game up, by which it ends as far behind as it can be, whatever has been before.
    """
    rules = sv.Rules(players=4)
    game = SavannaEnv(OnOneLine(), rules, 3, reward="margin-change", render_mode="ansi")
    most = next(part.high for part in game.layout.sections if part.name == "score")
    for seed in (1, 2):
        for _ in range(3):  # what the games before have paid is forgotten
            game.reset(seed=seed)
        assert sv.View.parse(game.render()).scores == (1, 1, 1, 0)
        _, paid, ended, _, _ = game.step(int(game.action_masks().argmin()))
        assert (paid, ended) == (-most, True)


def test_an_illegal_action_raises_if_that_is_asked_for() -> None:
    game = SavannaEnv(illegal="raise")
    _, info = game.reset(seed=4)
    _, _, _, _, info = game.step(random_action(info["action_mask"], random.Random(1)))
    before, refused = pickle.dumps(game), 0
    for action in np.flatnonzero(info["action_mask"] == 0):
        with pytest.raises(sv.IllegalMoveError):
            game.step(action)
        refused += 1
    assert refused > 100
    assert pickle.dumps(game) == before


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (sv.Move("mouse", "front", "a5"), sv.IllegalMoveError),
        ("zebra on the moon", sv.NotationError),
        (57, TypeError),
        (None, TypeError),
    ],
)
@pytest.mark.parametrize("illegal", ["loss", "raise"])
def test_what_an_opponent_may_not_answer_raises(answer: Any, error: Any, illegal: str) -> None:
    game = SavannaEnv(Scripted(answer), illegal=illegal)
    game.reset(seed=1)
    with pytest.raises(error, match=r"^opponent in seat 1 of game 0, Scripted: ") as caught:
        game.step(int(game.action_masks().argmax()))
    assert len(str(caught.value).splitlines()) == 1
    check_broken_off(game)


def test_an_error_of_an_opponent_comes_through() -> None:
    game = SavannaEnv(Scripted(RuntimeError("out of ideas")))
    game.reset(seed=1)
    with pytest.raises(RuntimeError, match="out of ideas"):
        game.step(int(game.action_masks().argmax()))
    check_broken_off(game)


def check_broken_off(game: Any) -> None:
    """Check that a game in which an opponent has failed must be dealt anew."""
    for call in (lambda: game.step(0), game.action_masks):
        with pytest.raises(sv.SavannaError, match="an opponent has failed: reset the environment first"):
            call()
    game.reset()
    assert game.action_masks().any()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: SavannaEnv(b"random"), TypeError, "opponent must have a method .* got "),
        (lambda: SavannaEnv([1]), TypeError, "opponent must have a method .* got int$"),
        (lambda: SavannaEnv(dict.fromkeys(range(99))), TypeError, "opponent must have a method .* got dict$"),
        (lambda: SavannaEnv(sv.players.Greedy), TypeError, "opponent must have a method .* got the class Greedy$"),
        (lambda: SavannaEnv([sv.players.Random]), TypeError, "opponent must have a method .* got the class Random$"),
        (lambda: SavannaEnv([]), sv.SavannaError, "one player, or 1, .* got 0"),
        (lambda: SavannaEnv([Shy(), Shy()]), sv.SavannaError, "one player, or 1, .* got 2"),
        (lambda: SavannaEnv([Shy()], sv.Rules(players=3)), sv.SavannaError, "one player, or 2, .* got 1"),
        (lambda: SavannaEnv(seat=2), sv.SavannaError, r"seat must be 0 to 1, or None to draw it, got 2"),
        (lambda: SavannaEnv(seat=-1), sv.SavannaError, r"seat must be 0 to 1"),
        (lambda: SavannaEnv(seat=True), TypeError, "seat must be an int or None, got bool"),
        (lambda: SavannaEnv(render_mode="rgb"), sv.SavannaError, "render_mode must be None"),
        (lambda: SavannaEnv(dtype="int8"), sv.SavannaError, "dtype must be one of"),
        (lambda: SavannaEnv(reward="chips"), sv.SavannaError, "reward"),
        (lambda: SavannaEnv(illegal="ignore"), sv.SavannaError, "illegal"),
        (lambda: SavannaEnv().reset(seed=-1), sv.SavannaError, "seed must be 0 or more, got -1"),
        (lambda: SavannaEnv().reset(seed=-(10**5000)), sv.SavannaError, "seed must be 0 or more, got a number of"),
        (lambda: SavannaEnv().reset(seed="x"), TypeError, "seed must be an int or None, got str"),
        (lambda: SavannaEnv().reset(seed=True), TypeError, "seed must be an int or None, got bool"),
        (lambda: SavannaEnv().reset(seed=np.array([1])), TypeError, "seed must be an int or None, got ndarray"),
        (lambda: SavannaEnv().step(0), sv.SavannaError, "reset the environment first"),
        (lambda: SavannaEnv().action_masks(), sv.SavannaError, "reset the environment first"),
        (lambda: SavannaEnv(render_mode="ansi").render(), sv.SavannaError, "reset the environment first"),
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("action", [200, -1, 255, 1.0, None, "5", [1, 2], [1, [2]], 10**30, True])
@pytest.mark.parametrize("illegal", ["loss", "raise"])
def test_what_is_no_action_raises_and_changes_nothing(illegal: str, action: Any) -> None:
    game = SavannaEnv(illegal=illegal)
    game.reset(seed=5)
    before = pickle.dumps(game)
    with pytest.raises(sv.SavannaError, match="action"):
        game.step(action)
    assert pickle.dumps(game) == before


@pytest.mark.parametrize("make_action", [int, np.int64, np.uint8, np.int32, lambda action: np.array([action])])
def test_actions_of_any_type_that_is_whole(make_action: Callable[[int], Any]) -> None:
    game = SavannaEnv()
    game.reset(seed=5)
    legal = int(game.action_masks().argmax())
    _, _, ended, _, info = game.step(make_action(legal))
    assert not ended
    assert info["action_mask"].any()


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    game = SavannaEnv(render_mode="ansi", seat=1)
    game.reset(seed=1)
    view = sv.View.parse(game.render())
    assert (view.seat, view.ply, view.to_move) == (1, 1, 1)
    loud = SavannaEnv(render_mode="human", seat=1)
    loud.reset(seed=1)
    assert loud.render() is None
    assert capsys.readouterr().out == 2 * f"{sv.render.text(view)}\n"
    loud.step(int(loud.action_masks().argmax()))
    assert "3 of 20 tiles placed" in capsys.readouterr().out
    silent = SavannaEnv()
    silent.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@every_rules
def test_twins_of_one_game_look_the_same(rules: sv.Rules) -> None:
    one, two = (SavannaEnv(Shy(), rules, 1, recall=True, render_mode="ansi") for _ in range(2))
    starts = []
    for seed in range(1000 if rules.players == 2 else 200):
        one.reset(seed=seed)
        starts.append(one._games._batch.episode(0).start)
    for first, second in twin_starts(starts, 1, 3):
        results: Any = [one.reset(seed=first), two.reset(seed=second)]
        ended, rng = False, random.Random(first)
        while not ended:
            assert pickle.dumps(results[0]) == pickle.dumps(results[1])
            assert one.render() == two.render()
            assert one.action_masks().tobytes() == two.action_masks().tobytes()
            action = random_action(one.action_masks(), rng)
            results = [one.step(action), two.step(action)]
            ended = results[0][2]
        assert pickle.dumps(results[0]) == pickle.dumps(results[1])


def test_arrays_of_one_game_belong_to_whom_they_are_given() -> None:
    used, untouched = SavannaEnv(), SavannaEnv()
    for seed in range(3):
        kept = []
        results = [used.reset(seed=seed), untouched.reset(seed=seed)]
        while True:
            assert pickle.dumps(results[0]) == pickle.dumps(results[1])
            (seen, *_, info), (other, *_, same) = results
            kept += [(other, other.tobytes()), (same["action_mask"], same["action_mask"].tobytes())]
            for array in (seen, info["action_mask"], used.action_masks()):
                array[...] = 1
            if not same["action_mask"].any():
                break
            action = random_action(same["action_mask"], random.Random(seed))
            results = [used.step(action), untouched.step(action)]
        assert all(array.tobytes() == held for array, held in kept)
        assert len(kept) == 22


def test_a_missing_library_is_named_with_the_remedy() -> None:
    error = error_without("gymnasium", "savanna.envs.gymnasium")
    assert error.startswith("ImportError: savanna.envs.gymnasium needs Gymnasium: pip install 'savanna-core[rl]'")


@pytest.mark.parametrize("module", ["gymnasium", "pettingzoo"])
def test_spaces_need_not_take_types(module: str) -> None:
    """In Gymnasium 1.1 only `Space` itself can be written with the type of its elements in brackets."""
    program = f"""
import gymnasium, pettingzoo
from gymnasium import spaces

def refuse(kind, _):
    raise TypeError(f"{{kind}} is not a generic class")

kinds = [kind for kind in vars(spaces).values() if isinstance(kind, type) and kind is not spaces.Space]
for kind in kinds:
    kind.__class_getitem__ = classmethod(refuse)
import savanna.envs.{module}
print(spaces.Box in kinds)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_nothing_is_loaded_before_an_adapter_is_asked_for() -> None:
    program = "import sys, savanna.envs; print([name for name in ('gymnasium', 'pettingzoo') if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"
