"""Every value survives every way to copy it, into other processes too, and play goes on equally afterwards."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Episode, Layout
from tests.support.both_engines import PRINTED_VARIANTS, assert_one_value, assert_same, play_on, random_game

ODD_OPTIONS: list[dict[str, Any]] = [
    {"players": 3, "absent_can_be_least": True, "target": 8, "points": (0, 100, 9)},
    {"players": 4, "mice": True, "team_game": True, "deck": {"mouse": 3, "zebra": 17}, "last_seat_bonus": 100},
    {"players": 2, "influence": {"monkey": 0, "lion": 15}, "deck": {"elephant": 10}},
]
RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS + ODD_OPTIONS]
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
START_METHODS = [method for method in ("spawn", "fork") if method in multiprocessing.get_all_start_methods()]


def copies(value: Any) -> Iterator[Any]:
    """Give the value by every route within the process that goes by the value alone."""
    for protocol in PROTOCOLS:
        yield pickle.loads(pickle.dumps(value, protocol))
    yield copy.copy(value)
    yield copy.deepcopy(value)


def rollout(rules: sv.Rules) -> sv.Stats:
    return sv.rollout(rules, games=200, seed=5, threads=2)


def failure(call: Callable[[], object]) -> sv.SavannaError:
    """Return the error that a call raises."""
    with pytest.raises(sv.SavannaError) as caught:
        call()
    return caught.value


OVER = random_game(sv.Position.deal(RULES[0], seed=1), seed=1)[-1]
ERRORS = [
    failure(lambda: OVER.view(7)),
    failure(lambda: sv.Rules(players=5)),
    failure(lambda: sv.Position.parse(str(OVER)[:-1])),
    failure(lambda: sv.Position.deal(RULES[0], seed=1).play("mouse a5")),
    failure(lambda: OVER.play("zebra c4")),
    failure(lambda: sv.Game.from_json("{}")),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_position_and_view_of_a_game(rules: sv.Rules) -> None:
    positions = random_game(sv.Position.deal(rules, seed=11), seed=12)
    assert [position.ply for position in positions] == list(range(21))
    for position in positions:
        for value, parse in [(position, sv.Position.parse)] + [
            (position.view(seat), sv.View.parse) for seat in range(rules.players)
        ]:
            for twin in [*copies(value), parse(str(value))]:
                assert_one_value(value, twin)
                assert repr(twin) == repr(value)
            assert_same(value, pickle.loads(pickle.dumps(value)), parse(str(value)))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_play_goes_on_equally(rules: sv.Rules) -> None:
    positions = random_game(sv.Position.deal(rules, seed=21), seed=22)
    for position in positions[::3]:
        for twin in [*copies(position), sv.Position.parse(str(position))]:
            assert random_game(twin, seed=23) == random_game(position, seed=23)
            assert sv.rollout(twin, games=20, seed=3) == sv.rollout(position, games=20, seed=3)
        for seat in range(rules.players):
            view = position.view(seat)
            for twin in [*copies(view), sv.View.parse(str(view))]:
                assert twin.sample(seed=24) == view.sample(seed=24)
                assert sv.rollout(twin, games=20, seed=3) == sv.rollout(view, games=20, seed=3)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_rules_and_what_they_deal(rules: sv.Rules) -> None:
    for twin in [*copies(rules), sv.Rules.parse(str(rules)), eval(repr(rules), {"Rules": sv.Rules})]:
        assert_one_value(rules, twin)
        assert_same(rules, twin)
        assert sv.Position.deal(twin, seed=9) == sv.Position.deal(rules, seed=9)


def test_every_move() -> None:
    for move in map(sv.Move.from_action, range(200)):
        for twin in [*copies(move), sv.Move.parse(str(move)), eval(repr(move), {"Move": sv.Move})]:
            assert_one_value(move, twin)
            assert_same(move, twin)


def test_records() -> None:
    for position in random_game(sv.Position.deal(RULES[1], seed=31), seed=32)[:-1]:
        lines = position.lines_filled(position.legal_moves()[-1])
        for record in (*position.board.values(), *lines):
            for twin in copies(record):
                assert type(twin) is type(record)
                assert twin == record


def ranked_moves() -> list[sv.RankedMove]:
    """Return ranked moves of a position and of a view."""
    position = random_game(sv.Position.deal(RULES[3], seed=33), seed=34)[16]
    return [*sv.rank_moves(position, games=50, seed=35), *sv.rank_moves(position.view(1), games=50, seed=35)]


def test_ranked_moves() -> None:
    records = ranked_moves()
    assert len(records) >= 16
    for record in records:
        for twin in copies(record):
            assert type(twin) is sv.RankedMove
            assert (twin, hash(twin)) == (record, hash(record))
            assert (type(twin.move), type(twin.stats)) == (sv.Move, sv.Stats)
            assert (twin.stats.seconds, twin.stats.backend) == (record.stats.seconds, record.stats.backend)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_stats(rules: sv.Rules) -> None:
    stats = rollout(rules)
    for twin in copies(stats):
        assert type(twin) is sv.Stats
        assert twin == stats
        assert hash(twin) == hash(stats)
        assert twin.to_dict() == stats.to_dict()
        # What equality ignores survives, too.
        assert (twin.seconds, twin.threads, twin.backend) == (stats.seconds, stats.threads, stats.backend)
        assert twin.rules == rules
        assert twin.score_histogram.dtype == np.int64
        np.testing.assert_array_equal(twin.score_histogram, stats.score_histogram)
    assert stats != sv.rollout(rules, games=200, seed=6)


@pytest.mark.parametrize("kind", ["rules", "position", "view"])
def test_playouts(kind: str) -> None:
    position = random_game(sv.Position.deal(RULES[3], seed=41), seed=42)[7]
    source = {"rules": position.rules, "position": position, "view": position.view(1)}[kind]
    plays = sv.playouts(source, games=20, seed=43)
    for twin in copies(plays):
        assert type(twin) is sv.Playouts
        assert len(twin) == 20
        for name in ("actions", "scores", "winners", "decks"):
            mine, its = getattr(plays, name), getattr(twin, name)
            assert its.dtype == mine.dtype
            np.testing.assert_array_equal(its, mine)
        for game in range(20):
            assert twin.start(game) == plays.start(game)
            assert twin.moves(game) == plays.moves(game)
    assert not np.shares_memory(copy.deepcopy(plays).actions, plays.actions)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors(error: sv.SavannaError) -> None:
    assert str(error)
    for twin in copies(error):
        assert type(twin) is type(error)
        assert twin.args == error.args
        assert str(twin) == str(error)


def test_errors_are_of_every_class() -> None:
    family = [sv.SavannaError, sv.RulesError, sv.NotationError, sv.IllegalMoveError, sv.GameOverError]
    family += [sv.RecordError]
    assert [type(error) for error in ERRORS] == family


@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("rules", RULES[:8] + RULES[10:], ids=str)
def test_layouts_and_episodes(rules: sv.Rules, recall: bool) -> None:
    layout, episode = Layout(rules, recall=recall), Episode.deal(rules, seed=61)
    for _ in range(21):
        for twin in copies(episode):
            assert (type(twin), twin, hash(twin), repr(twin)) == (Episode, episode, hash(episode), repr(episode))
            assert (twin.start, twin.position, twin.moves) == (episode.start, episode.position, episode.moves)
        for other in copies(layout):
            assert (type(other), other, hash(other), repr(other)) == (Layout, layout, hash(layout), repr(layout))
            assert other.sections == layout.sections
            for seat in range(rules.players):
                assert episode.observe(other, seat).tobytes() == episode.observe(layout, seat).tobytes()
        if not episode.position.is_over:
            episode = episode.play(episode.position.legal_moves()[-3 % len(episode.position.legal_moves())])
    assert episode.position.is_over
    assert layout not in (Layout(rules, recall=not recall), Layout(sv.Rules(target=9), recall=recall))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_games(rules: sv.Rules) -> None:
    game = sv.Game.deal(rules, seed=63, names=["A", "B", "C", "D"][: rules.players])
    for move in sv.playouts(game.start, games=1, seed=64).moves(0)[:15]:
        game.play(move)
    game.annotate(3, "here")
    game.goto(7)
    for twin in copies(game):
        assert (type(twin), twin, twin.ply, repr(twin)) == (sv.Game, game, 7, repr(game))
        assert (twin.positions, twin.moves, twin.annotations) == (game.positions, game.moves, game.annotations)
        twin.play(twin.position.legal_moves()[0])
        twin.annotate(0, "there")
        assert (len(game), game.ply, game.annotations) == (15, 7, {3: "here"})
    public = game.public(annotations=True)
    for other in copies(public):
        assert (type(other), other, hash(other), repr(other)) == (sv.PublicGame, public, hash(public), repr(public))
        assert other.to_json() == public.to_json()


@pytest.mark.parametrize(("deals", "sprt"), [(1, None), (2, (0.0, 50.0))])
def test_tournaments(deals: int, sprt: tuple[float, float] | None) -> None:
    """What a single deal does not tell is NaN, which is equal to nothing; the tournament is equal to its copies."""
    players: list[sv.players.Player] = [sv.players.Greedy(), sv.players.Random()]
    tournament = sv.tournament(players, deals=deals, seed=2, threads=1, sprt=sprt)
    other = sv.tournament(players, deals=deals, seed=3, threads=1, sprt=sprt)
    for twin in copies(tournament):
        assert (twin, hash(twin)) == (tournament, hash(tournament))
        assert twin != other
        assert str(twin) == str(tournament)


def test_sections() -> None:
    for section in Layout(RULES[3], recall=True).sections:
        for twin in copies(section):
            assert (type(twin), twin) == (type(section), section)


def batch_goes_on(env: BatchEnv) -> bytes:
    """Play on with a batch; for workers in other processes."""
    for _ in range(25):
        env.step(env.sample_actions())
    return env.save()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", START_METHODS)
def test_batches_in_other_processes(method: str) -> None:
    """Batches in this process are tested in tests/envs/test_batch_state.py."""
    envs = [BatchEnv(3, rules, seed=62, recall=True) for rules in RULES[:8]]
    for env in envs:
        env.step(env.sample_actions())
    saved = [env.save() for env in envs]
    with multiprocessing.get_context(method).Pool(1) as pool:
        results = pool.map(batch_goes_on, envs)
    pool.join()
    assert [env.save() for env in envs] == saved
    assert results == [batch_goes_on(env) for env in envs]


# NumPy's own threads are enough for this warning of newer Pythons.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", START_METHODS)
def test_other_processes(method: str) -> None:
    """A worker gets each value, plays on with it, and gives value and result back."""
    positions = [random_game(sv.Position.deal(rules, seed=51), seed=52)[ply] for ply, rules in enumerate(RULES)]
    views = [position.view(position.seat) for position in positions]
    values: list[Any] = [*RULES, *positions, *views, sv.Move("mouse", "lion", "e1"), rollout(RULES[2])]
    values += [sv.players.Random(seed=3), sv.players.SoftGreedy(50), sv.players.SoftGreedy(50).analyse(views[0])]
    values += [sv.players.Ismcts(50), sv.players.Champion(seconds=0.1), sv.analyse(views[0], iterations=90)]
    with multiprocessing.get_context(method).Pool(1) as pool:
        for value, (back, result) in zip(values, pool.map(play_on, values), strict=True):
            assert type(back) is type(value)
            assert back == value
            assert hash(back) == hash(value)
            assert result == play_on(value)[1]
        game = sv.Game(positions[3], started="2026-11-30T18:05:00Z")
        for back in pool.map(copy.copy, [game, game.public()]):
            assert back == (game if isinstance(back, sv.Game) else game.public())
        (plays,) = pool.map(play_on, [sv.playouts(RULES[4], games=9, seed=53)])
        np.testing.assert_array_equal(plays[0].actions, sv.playouts(RULES[4], games=9, seed=53).actions)
        assert pool.map(copy.copy, ranked_moves()) == ranked_moves()
        for error in ERRORS:
            (back,) = pool.map(copy.copy, [error])
            assert (type(back), back.args) == (type(error), error.args)
        with pytest.raises(sv.IllegalMoveError, match=r"^seat 0 holds no mouse$"):
            pool.apply(positions[0].play, ["mouse a5"])
    pool.join()
