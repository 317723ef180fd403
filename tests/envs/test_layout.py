"""What agents see and are paid, compared with observations written by hand from the reference engine."""

import pickle
import random
from collections import Counter
from itertools import product
from typing import Any, Literal

import numpy as np
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Episode, Layout
from tests.support.env_layout import RULES, Record, greatest
from tests.support.env_twins import expected_rewards, random_action
from tests.support.full import count
from tests.support.strategies import ANIMALS

pytestmark = pytest.mark.thin(3)

LAYOUTS = [(rules, recall) for rules in RULES for recall in (False, True)]
# Every dtype, recall and reward; each once with another.
ENVS: list[dict[str, Any]] = [
    {"dtype": "float32", "recall": False, "reward": "win"},
    {"dtype": "uint8", "recall": True, "reward": "margin"},
    {"dtype": "float32", "recall": True, "reward": "margin-change"},
    {"dtype": "uint8", "recall": False, "reward": "margin-change"},
]
DTYPES: dict[Literal["float32", "uint8"], Any] = {"float32": np.float32, "uint8": np.uint8}
MARGINS: tuple[Literal["margin", "margin-change"], ...] = ("margin", "margin-change")


def exactly(array: Any, expected: list[Any], dtype: Any) -> None:
    """Check numbers, shape and type of an array."""
    assert array.dtype == dtype
    wanted = np.array(expected)
    assert array.shape == wanted.shape
    np.testing.assert_array_equal(array, wanted)


def check_game_by_game(env: BatchEnv, records: list[Record], options: dict[str, Any]) -> None:
    """Check what each seat sees in each game, by every way to ask."""
    recall, dtype = options["recall"], options["dtype"]
    now, masks = env.now(), [record.mask() for record in records]
    exactly(now.action_mask, masks, np.int8)
    exactly(now.seats, [record.turn for record in records], np.uint8)
    expected = [[record.numbers(seat, recall) for record in records] for seat in range(env.rules.players)]
    to_move = [expected[record.turn][game] for game, record in enumerate(records)]
    exactly(now.observations, to_move, DTYPES[dtype])
    for seat, by_game in enumerate(expected):
        exactly(env.observe(seat), by_game, DTYPES[dtype])
        assert (env.observe(seat) <= env.layout.high).all()
        for game, (record, numbers) in enumerate(zip(records, by_game, strict=True)):
            episode = env.episode(game)
            exactly(episode.observe(env.layout, seat, dtype=dtype), numbers, DTYPES[dtype])
            exactly(episode.action_mask(seat), masks[game] if record.now.seat == seat else [0] * 200, np.int8)
            assert str(episode.view(seat)) == str(env.view(game, seat)) == str(record.now.view(seat))
            if not recall:
                exactly(env.layout.observe(env.view(game, seat), dtype=dtype), numbers, DTYPES[dtype])
        assert str(env.view(0)) == str(records[0].now.view(records[0].turn))


@pytest.mark.parametrize("rules", RULES[:: count(3, 1)], ids=str)
def test_games_are_those_of_the_reference_engine(rules: sv.Rules) -> None:
    """Observations, masks, seats, rewards and ends, at every ply, for every seat."""
    games, rng, seen = 3, random.Random(f"{rules} layout"), Counter[str]()
    envs = [BatchEnv(games, rules, seed=11, autoreset="disabled", **options) for options in ENVS]
    records = [Record(envs[0].episode(game).start) for game in range(games)]
    for ply in range(21):
        for env, options in zip(envs, ENVS, strict=True):
            check_game_by_game(env, records, options)
        if ply == 20:
            break
        actions = [random_action(np.array(record.mask()), rng) for record in records]
        for record, action in zip(records, actions, strict=True):
            record.play(action)
        for env, options in zip(envs, ENVS, strict=True):
            step = env.step(actions)
            paid = [expected_rewards(record.positions[-2], record.now, options["reward"]) for record in records]
            assert step.rewards.dtype == np.float32
            np.testing.assert_allclose(step.rewards, paid, rtol=1e-6, atol=1e-5)
            exactly(step.terminated, [ply == 19] * games, np.bool_)
            for name, array in step._asdict().items():
                if name not in ("rewards", "terminated"):
                    exactly(array, getattr(env.now(), name).tolist(), array.dtype)
            seen[options["reward"]] += int((step.rewards != 0).any())
            assert env.now().rewards.tolist() == [[0] * rules.players] * games
            assert not env.now().terminated.any()
    assert seen["win"] == 1
    assert seen["margin"] <= 1
    assert [str(env.episode(0).position) for env in envs] == [str(records[0].now)] * len(envs)


@pytest.mark.parametrize(("rules", "recall"), LAYOUTS, ids=str)
def test_turns_are_what_the_seat_to_move_saw(rules: sv.Rules, recall: bool) -> None:
    layout, rng = Layout(rules, recall=recall), random.Random(5)
    for dtype in DTYPES:
        episode = Episode.deal(rules, seed=6)
        seen: list[Any] = []
        masks: list[Any] = []
        while (seat := episode.position.seat) is not None:
            rows, options = episode.turns(layout, dtype=dtype)
            assert (rows.shape, options.shape) == ((len(seen), layout.size), (len(seen), 200))
            seen.append(episode.observe(layout, seat, dtype=dtype))
            masks.append(episode.action_mask(seat))
            episode = episode.play(rng.choice(episode.position.legal_moves()))
        rows, options = episode.turns(layout, dtype=dtype)
        exactly(rows, np.array(seen).tolist(), DTYPES[dtype])
        exactly(options, np.array(masks).tolist(), np.int8)


def test_every_kind_of_number_is_seen() -> None:
    """Games as those compared above hold all flags and counts, and many scores and sums."""
    values: dict[str, set[int]] = {}
    for rules, recall in LAYOUTS:
        episode, rng = Episode.deal(rules, seed=3), random.Random(4)
        layout = Layout(rules, recall=recall)
        while True:
            for seat in range(rules.players):
                numbers = episode.observe(layout, seat, dtype="uint8")
                for part in layout.sections:
                    size = part.shape[0] * part.shape[1]
                    values.setdefault(part.name, set()).update(numbers[part.start : part.start + size].tolist())
            if episode.position.is_over:
                break
            episode = episode.play(rng.choice(episode.position.legal_moves()))
    assert values["missing"] == set(range(5))
    assert values["order"] == set(range(21))
    assert values["hand"] == values["first_hand"] == values["hand_size"] == {0, 1, 2}
    assert all(values[name] == {0, 1} for name in ("owner", "animal", "lion", "to_move", "draws"))
    assert all(len(values[name]) > 10 for name in ("deck_size", "unseen", "score", "influence"))
    assert len(values["lions"]) > 5


def test_rewards_of_shared_wins_and_of_three_teams() -> None:
    """By hand: who shares a win gets its part, and a margin is taken from the mean of the others."""
    rules = sv.Rules(players=3, points=(0, 0, 0), last_seat_bonus=0, influence={"lion": 0})
    won = BatchEnv(40, rules, seed=5, autoreset="disabled")
    margins = BatchEnv(40, rules, seed=5, reward="margin", autoreset="disabled")
    for _ in range(20):
        actions = won.sample_actions()
        last, behind = won.step(actions).rewards, margins.step(actions).rewards
    assert (behind == 0).all()
    ends = [won.episode(game).position for game in range(40)]
    assert {len(end.winners) for end in ends} == {1, 2, 3}
    third = np.float32(1) / np.float32(3)
    for end, paid in zip(ends, last.tolist(), strict=True):
        fewest = min(end.lions)
        part = {1: 1.0, 2: 0.5, 3: float(third)}[end.lions.count(fewest)]
        assert paid == [part if lions == fewest else 0.0 for lions in end.lions]

    late = sv.Rules(players=3, points=(0, 0, 0), last_seat_bonus=7)
    for reward in MARGINS:
        env = BatchEnv(2, late, seed=5, reward=reward, autoreset="disabled")
        steps = [env.step(env.sample_actions()).rewards.tolist() for _ in range(20)]
        assert steps[19] == [[-3.5, -3.5, 7.0]] * 2
        assert steps[:19] == [[[0.0] * 3] * 2] * 19
    won = BatchEnv(2, late, seed=5, autoreset="disabled")
    assert [won.step(won.sample_actions()).rewards.tolist() for _ in range(20)][19] == [[0.0, 0.0, 1.0]] * 2


@pytest.mark.parametrize(("rules", "recall"), LAYOUTS, ids=str)
def test_sections_follow_each_other_as_they_say(rules: sv.Rules, recall: bool) -> None:
    layout, record = Layout(rules, recall=recall), Record(sv.Position.deal(rules, seed=1))
    tables, most, start = record.tables(0, recall), greatest(rules), 0
    assert [part.name for part in layout.sections] == list(tables)
    for part in layout.sections:
        table = tables[part.name]
        assert part[:4] == (part.name, start, (len(table), len(table[0])), most[part.name])
        assert part.meaning
        assert (layout.high[start : start + len(table) * len(table[0])] == part.high).all()
        start += len(table) * len(table[0])
    assert layout.size == start == layout.high.size
    assert layout.high.dtype == np.uint8
    assert (layout.rules, layout.recall) == (rules, recall)
    assert eval(repr(layout), {"Layout": Layout, "Rules": sv.Rules}).sections == layout.sections
    layout.high[:] = 0  # it belongs to the caller
    assert layout.high.any()


def test_scores_of_more_than_255_cannot_be_laid_out() -> None:
    cases: list[tuple[dict[str, Any], int]] = [
        ({"points": (0, 13, 0)}, 260),
        ({"points": (12, 12, 12), "last_seat_bonus": 16}, 256),
        ({"points": (12, 0, 0), "mice": True, "deck": {"mouse": 4, "zebra": 6}}, 256),
        ({"points": (100, 100, 100), "mice": True, "deck": {"mouse": 20}, "last_seat_bonus": 100}, 2180),
    ]
    for options, score in cases:
        rules = sv.Rules(**options)
        text = f"^observations hold numbers up to 255, but by these rules a score can reach {score}$"
        for call in (Layout, lambda rules: Layout(rules, recall=True), lambda rules: BatchEnv(1, rules)):
            with pytest.raises(sv.RulesError, match=text):
                call(rules)
    assert max(Layout(sv.Rules(points=(12, 12, 12), last_seat_bonus=15)).high) == 255
    assert max(Layout(sv.Rules(points=(12, 0, 0), mice=True, deck={"mouse": 3, "zebra": 7})).high) == 252


# --------------------------------------------------------------------------------------------------------------- turns


def clockwise(space: str) -> str:
    """Return where a space comes to lie by a quarter turn: the top left corner becomes the top right one."""
    right, down = "abcde".index(space[0]), 5 - int(space[1])
    return f"{'abcde'[4 - down]}{5 - right}"


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_game_on_the_turned_board_is_the_game_turned(rules: sv.Rules, quarters: int) -> None:
    games = 20
    for recall in (False, True):
        one, other = (BatchEnv(games, rules, seed=6, recall=recall, reward="margin-change") for _ in range(2))
        turned, actions = one.layout.turned(quarters), Layout.turned_actions(quarters)
        assert turned.dtype == actions.dtype == np.int64
        assert turned.shape == (one.layout.size,)
        back = np.argsort(actions)  # a legal action of the first board, on the turned one
        last, now = one.now(), other.now()
        for _ in range(21):  # into the next game
            np.testing.assert_array_equal(last.observations[:, turned], now.observations)
            np.testing.assert_array_equal(last.action_mask[:, actions], now.action_mask)
            np.testing.assert_array_equal(last.rewards, now.rewards)
            for seat in range(rules.players):
                np.testing.assert_array_equal(one.observe(seat)[:, turned], other.observe(seat))
            chosen = one.sample_actions()
            for action in chosen[:3]:
                move, there = sv.Move.from_action(action), sv.Move.from_action(back[action])
                space = move.space
                for _ in range(quarters):
                    space = clockwise(space)
                assert (there.animal, there.face, there.space) == (move.animal, move.face, space)
            last, now = one.step(chosen), other.step(back[chosen])
        for seat in range(rules.players):
            np.testing.assert_array_equal(one.final_observations(seat)[:, turned], other.final_observations(seat))


@pytest.mark.parametrize(("rules", "recall"), LAYOUTS, ids=str)
def test_four_turns_are_none(rules: sv.Rules, recall: bool) -> None:
    layout = Layout(rules, recall=recall)
    for turns in ([layout.turned(quarters) for quarters in range(4)], list(map(Layout.turned_actions, range(4)))):
        once, places = turns[1], np.arange(len(turns[0]))
        assert sorted(once) == places.tolist()
        for quarters in range(4):
            np.testing.assert_array_equal(turns[quarters], places)
            places = places[once]
        np.testing.assert_array_equal(places, np.arange(len(once)))
        assert (once != places).sum() >= 200 * 4 // 5
    actions = Layout.turned_actions(1).reshape(len(ANIMALS), 2, 20)
    np.testing.assert_array_equal(actions[3, 1] - actions[3, 1].min(), actions[0, 0])


# ------------------------------------------------------------------------------------------------------------ episodes


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_an_episode_is_a_value(rules: sv.Rules) -> None:
    rng = random.Random(8)
    start = sv.Position.deal(rules, seed=7)
    episode = Episode.deal(rules, seed=7)
    assert (episode.start, episode.position, episode.moves) == (start, start, ())
    positions: list[sv.Position] = [start]
    moves: list[sv.Move] = []
    while not episode.position.is_over:
        moves.append(rng.choice(episode.position.legal_moves()))
        positions.append(positions[-1].play(moves[-1]))
        before, kept = episode, (str(episode.position), hash(episode), repr(episode))
        episode = before.play(moves[-1] if rng.random() < 0.5 else str(moves[-1]))
        assert (str(before.position), hash(before), repr(before)) == kept
        assert before != episode
        assert (episode.start, episode.position, episode.moves) == (start, positions[-1], tuple(moves))
        assert repr(episode) == f"Episode({rules}, {len(moves)} of 20 plies)"
        for twin in (Episode.replay(start, moves), Episode.replay(start, map(str, moves))):
            assert (twin, hash(twin)) == (episode, hash(episode))
        assert pickle.loads(pickle.dumps(episode)) == episode
    assert len(moves) == 20
    with pytest.raises(sv.GameOverError):
        episode.play("nonsense")
    for position in positions[1:]:
        with pytest.raises(sv.SavannaError, match=f"^start has {position.ply} tiles on the board, not 0$"):
            Episode.replay(position)


def test_another_order_of_moves_is_another_episode() -> None:
    """Two games that come to one position are two episodes, and only recall tells them apart."""
    rules = sv.Rules(deck={"monkey": 10, "zebra": 0, "giraffe": 0, "elephant": 0})
    start = sv.Position.deal(rules, seed=1)
    one, other = (
        Episode.replay(start, [f"monkey {space}" for space in spaces.split()])
        for spaces in ("a5 c5 d5 e5", "d5 c5 a5 e5")
    )
    assert one.position == other.position
    assert one != other
    for seat, (recall, dtype) in product(range(2), product((False, True), DTYPES)):
        layout = Layout(rules, recall=recall)
        seen = [episode.observe(layout, seat, dtype=dtype).tobytes() for episode in (one, other)]
        assert (seen[0] == seen[1]) is not recall
