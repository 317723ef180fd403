"""Games as people play them: moves, the cursor, taking back, remarks, names and time."""

import copy
import pickle
import random
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import savanna as sv
from savanna.game import schema
from tests.support.both_engines import random_game
from tests.support.game_records import ODD, VARIANTS, whole_game

RULES = sv.Rules(players=3, mice=True)


class Played(RuleBasedStateMachine):
    """A game at whose cursor anything is done equals one that was played from the start without detours.

    The model is a list of moves, a place in it, and a dict of remarks.
    """

    @initialize(rules=st.sampled_from([*VARIANTS, ODD]), seed=st.integers(0, 999), before=st.integers(0, 19))
    def begin(self, rules: sv.Rules, seed: int, before: int) -> None:
        start = random_game(sv.Position.deal(rules, seed), seed)[before if seed % 2 else 0]
        self.game = sv.Game(start)
        self.moves: list[sv.Move] = []
        self.at, self.remarks = 0, dict[int, str]()

    def drop(self) -> None:
        del self.moves[self.at :]
        self.remarks = {ply: text for ply, text in self.remarks.items() if ply <= self.at}

    @rule(number=st.integers(0, 199), as_text=st.booleans())
    def play(self, number: int, as_text: bool) -> None:
        moves = self.game.position.legal_moves()
        if not moves:
            with pytest.raises(sv.GameOverError):
                self.game.play("monkey a5")
            return
        move = moves[number % len(moves)]
        assert self.game.play(str(move) if as_text else move) == self.game.position
        self.drop()
        self.moves.append(move)
        self.at += 1

    @precondition(lambda self: self.at > 0)
    @rule(plies=st.integers(1, 20))
    def undo(self, plies: int) -> None:
        plies = min(plies, self.at)
        assert (self.game.undo(plies) if plies > 1 else self.game.undo()) == self.game.position
        self.at -= plies
        self.drop()

    @rule(plies=st.integers(1, 20))
    def undo_too_much(self, plies: int) -> None:
        if plies > self.at:
            with pytest.raises(sv.SavannaError, match=f"only {self.at} plies can be taken back, not {plies}"):
                self.game.undo(plies)

    @rule(ply=st.integers(0, 20))
    def goto(self, ply: int) -> None:
        self.at = min(ply, len(self.moves))
        self.game.goto(self.at)

    @rule(ply=st.integers(0, 20), text=st.sampled_from(["", "good", "bad"]))
    def annotate(self, ply: int, text: str) -> None:
        ply = min(ply, len(self.moves))
        self.game.annotate(ply, text)
        self.remarks.pop(ply, None)
        if text:
            self.remarks[ply] = text

    @rule()
    def illegal(self) -> None:
        taken = next(iter(self.game.position.board), None)
        with pytest.raises(sv.SavannaError):
            self.game.play(f"zebra {taken}" if taken else "lion")

    @rule(how=st.sampled_from(["copy", "deepcopy", "pickle"]))
    def duplicate(self, how: str) -> None:
        old = self.game
        self.game = pickle.loads(pickle.dumps(old)) if how == "pickle" else getattr(copy, how)(old)
        assert (self.game, self.game.ply) == (old, old.ply)
        if not old.is_over:
            old.play(old.position.legal_moves()[0])  # which must not show

    @invariant()
    def same_as_played_from_the_start(self) -> None:
        fresh = sv.Game(self.game.start)
        lines = []
        for move in self.moves:
            lines.append(fresh.position.lines_filled(move))
            fresh.play(move)
        for ply, text in self.remarks.items():
            fresh.annotate(ply, text)
        fresh.goto(self.at)
        game = self.game
        assert game == fresh
        assert (game.ply, len(game), game.moves) == (self.at, len(self.moves), tuple(self.moves))
        assert (list(game), game[-1:], game.to_move) == (self.moves, tuple(self.moves[-1:]), game.seat)
        assert game.annotations == dict(sorted(self.remarks.items()))
        assert list(game.annotations) == sorted(self.remarks)
        assert game.lines == tuple(lines)
        assert game.positions == fresh.positions
        position = game.positions[self.at]
        assert game.position == position
        assert (game.seat, game.is_over, game.scores, game.winners) == (
            position.seat,
            position.is_over,
            position.scores,
            position.winners,
        )
        assert game.view(1) == position.view(1)
        assert sv.Game.from_json(game.to_json()) == game


TestPlayed = Played.TestCase


def test_a_deal_is_that_of_the_position() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    game = sv.Game.deal(RULES, seed=7, names=["Ann", "Bo", "Cy"])
    assert (game.start, game.names, game.rules) == (sv.Position.deal(RULES, 7), ("Ann", "Bo", "Cy"), RULES)
    assert game.started is not None
    assert before <= datetime.fromisoformat(game.started) <= before + timedelta(minutes=5)
    assert (game.ply, len(game), game.moves, game.lines, game.annotations) == (0, 0, (), (), {})
    assert game.positions == (game.start,)
    assert sv.Game.deal(RULES, 7, started="2000-02-29T23:59:59Z").started == "2000-02-29T23:59:59Z"
    assert sv.Game(game.start).started is None
    assert sv.Game(game.start).names == ("Seat 0", "Seat 1", "Seat 2")
    assert sv.Game.deal(RULES).start != sv.Game.deal(RULES).start


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2026-11-30T18:05:00.5Z", "2026-11-30T18:05:00Z"),
        ("2026-11-30T18:05:59.999999999+00:00", "2026-11-30T18:05:59Z"),
        ("2026-12-01T00:35:00+05:30", "2026-11-30T19:05:00Z"),
        ("2026-12-31t23:00:00-02:00", "2027-01-01T01:00:00Z"),
        ("2026-11-30 18:05:00z", "2026-11-30T18:05:00Z"),
        ("0999-11-30T18:05:00-00:00", "0999-11-30T18:05:00Z"),
    ],
)
def test_times_of_rfc_3339_are_brought_to_one_form(given: str, written: str) -> None:
    game = sv.Game.deal(RULES, 7, started=given)
    assert game.started == written
    assert sv.Game.from_dict({**game.to_dict(), "started": given}) == game
    assert sv.PublicGame.from_dict({**game.public().to_dict(), "started": given}) == game.public()
    for public, record in ((False, game.to_dict()), (True, game.public().to_dict())):
        jsonschema.validate({**record, "started": given}, schema(public))


def test_the_seed_is_nowhere() -> None:
    game = sv.Game.deal(RULES, seed=8_765_432_109_876_543_210, started="2000-02-29T23:59:59Z")
    for text in (game.to_json(), repr(game), repr(vars(game)), game.public().to_json()):
        assert "8765432109876543210" not in text


def test_names_may_come_from_anywhere() -> None:
    names = (name for name in ("Ann", "Bo", "Ann"))
    assert sv.Game.deal(RULES, 1, names=names).names == ("Ann", "Bo", "Ann")


def test_repr_hides_the_deal() -> None:
    game = whole_game(RULES, 3)
    game.goto(4)
    assert repr(game) == (
        f"<Game rules='3p,mice' names=('Ann', 'ゼブラ', 'B\"o\\\\') ply=4 plies=20 scores={game.scores}>"
    )
    assert repr(sv.Game.deal(RULES, 1)) == repr(sv.Game.deal(RULES, 2))


def test_equality_is_of_the_record_and_not_of_the_cursor() -> None:
    game, other = whole_game(RULES, 3), whole_game(RULES, 3)
    assert game == other
    other.goto(3)
    assert game == other
    other.annotate(3, "!")
    assert game != other
    other.annotate(3, "")
    assert game == other
    other.goto(20)
    other.undo()
    assert game != other
    assert game != game.position
    facts: dict[str, Any] = {"start": game.start, "names": game.names, "started": game.started}
    for change in ({"start": game.positions[1]}, {"names": ["A", "B", "C"]}, {"started": None}):
        assert sv.Game(**facts) != sv.Game(**{**facts, **change})
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_what_is_handed_out_changes_nothing() -> None:
    game = whole_game(RULES, 3)
    record = game.to_json()
    game.annotations.clear()
    content = game.to_dict()
    content["moves"].clear()
    content["annotations"].clear()
    content["result"]["scores"][0] = 99
    assert game.to_json() == record
    assert game.annotations == {0: "so it begins\n\tnow", 20: "🦁"}


def test_numpy_integers_are_welcome() -> None:
    game = whole_game(RULES, 3)
    game.goto(np.int64(3))
    game.annotate(np.uint8(2), "x")
    game.undo(np.int32(2))
    assert (game.ply, len(game), type(game.ply), game.annotations[0][:2]) == (1, 1, int, "so")


GAME: Any = sv.Game
BAD_CALLS: list[tuple[Callable[[Any], object], type[Exception], str]] = [
    (lambda g: g.goto(21), sv.SavannaError, "ply must be 0 to 20, got 21"),
    (lambda g: g.goto(-1), sv.SavannaError, "ply must be 0 to 20, got -1"),
    (lambda g: g.goto(True), TypeError, "ply must be an int, not bool"),
    (lambda g: g.goto(1.0), TypeError, "ply must be an int, not float"),
    (lambda g: g.undo(0), sv.SavannaError, "plies must be 1 to 20, got 0"),
    (lambda g: g.undo(21), sv.SavannaError, "plies must be 1 to 20, got 21"),
    (lambda g: g.undo(None), TypeError, "plies must be an int, not NoneType"),
    (lambda g: g.play("zebra a5"), sv.GameOverError, "the game is over"),
    (lambda g: GAME(g.start).play(7), TypeError, "int"),
    (lambda g: GAME(g.start).play("nonsense"), sv.NotationError, "nonsense"),
    (lambda g: g.view(3), sv.SavannaError, "seat must be 0 to 2, got 3"),
    (lambda g: g.annotate(21, "x"), sv.SavannaError, "ply must be 0 to 20, got 21"),
    (lambda g: g.annotate(1, 5), TypeError, "the annotation of ply 1 must be a str, not int"),
    (lambda g: g.annotate(1, "x" * 2001), sv.SavannaError, "at most 2000 characters, that of ply 1 is longer"),
    (lambda g: g.annotate(1, "a\x00"), sv.SavannaError, "ply 1 must not have U+0000 at place 1, a control character"),
    (lambda g: g.annotate(1, "a\ud800"), sv.SavannaError, "must not have U+D800 at place 1"),
    (lambda g: GAME("2p"), TypeError, "start must be Position, not str"),
    (lambda g: GAME(g.view(0)), TypeError, "start must be Position, not View"),
    (lambda g: GAME.deal("2p"), TypeError, "rules must be Rules, not str"),
    (lambda g: GAME.deal(RULES, -1), sv.SavannaError, "seed"),
    (lambda g: GAME(g.start, "Ann"), TypeError, "names must be a sequence of str, not str"),
    (lambda g: GAME(g.start, 5), TypeError, "names must be a sequence of str, not int"),
    (lambda g: GAME(g.start, ["Ann", "Bo"]), sv.SavannaError, "3 names are needed, one for each seat, got 2"),
    (lambda g: GAME(g.start, iter(lambda: "x", 5)), sv.SavannaError, "for each seat, got more than 3"),
    (lambda g: GAME(g.start, ["Ann", "Bo", 5]), TypeError, "a player's name must be a str, not int"),
    (lambda g: GAME(g.start, ["Ann", "Bo", " "]), sv.SavannaError, "must have a character that can be seen, got ' '"),
    (lambda g: GAME(g.start, ["Ann", "Bo", "\x1b"]), sv.SavannaError, "U+001B"),
    (lambda g: GAME(g.start, ["Ann", "Bo", "x" * 101]), sv.SavannaError, "1 to 100"),
    (lambda g: GAME(g.start, started="today"), sv.SavannaError, "must be a time in UTC such as 2026-11-30T18:05:00Z"),
    (lambda g: GAME(g.start, started="2026-02-29T18:05:00Z"), sv.SavannaError, "got '2026-02-29T18:05:00Z'"),
    (lambda g: GAME(g.start, started="2026-11-30T18:05:00"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started="2026-11-30T18:05:00+24:00"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started="0001-01-01T00:05:00+01:00"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started="2026-11-30T18:05:00.Z"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started="2026-11-30T18:05:00Z\n"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started="٢٠٢٦-11-30T18:05:00Z"), sv.SavannaError, "started"),
    (lambda g: GAME(g.start, started=2026), TypeError, "started must be a str, not int"),
    (lambda g: GAME(g.start, started=datetime.now(UTC)), TypeError, "started must be a str, not datetime"),
    (lambda g: g.save(5), TypeError, "path must be a path, not int"),
    (lambda g: g.append(b"x"), TypeError, "path must be a path, not bytes"),
    (lambda g: GAME.load(None), TypeError, "path must be a path, not NoneType"),
    (lambda g: GAME.load_all(5), TypeError, "path must be a path, not int"),
    (lambda g: GAME.from_json(5), TypeError, "text must be a str or bytes, not int"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "words"), BAD_CALLS)
def test_bad_arguments_change_nothing(call: Any, error: type[Exception], words: str) -> None:
    game = whole_game(RULES, 3)
    before = (game.to_json(), game.ply)
    with pytest.raises(error, match=re.escape(words)) as caught:
        call(game)
    assert len(str(caught.value)) < 200
    assert (game.to_json(), game.ply) == before


def test_reveal_waits_for_the_end() -> None:
    game = whole_game(RULES, 3)
    game.undo()
    with pytest.raises(sv.SavannaError, match="a game is revealed when it is over, this one is after 19 plies"):
        game.public(reveal=True)


def test_threads_that_look_see_whole_changes() -> None:
    game, over, seen = whole_game(RULES, 3), threading.Event(), set[int]()
    moves, errors = game.moves, list[Exception]()

    def look() -> None:
        try:
            while not over.is_set():
                read = sv.Game.from_json(game.to_json())
                assert read.moves == moves[: len(read)]
                assert len(game.public().plies) in range(21)
                assert repr(game)
                seen.add(len(read))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(300):
        game.undo(turn % 20 + 1)
        for move in moves[len(game) :]:
            game.play(move)
    over.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert seen
    assert game.moves == moves


def test_a_game_may_begin_anywhere() -> None:
    for rules in VARIANTS:
        positions = random_game(sv.Position.deal(rules, 5), 5)
        for start in positions:
            game = sv.Game(start)
            rng = random.Random(5)
            while not game.is_over:
                game.play(rng.choice(game.position.legal_moves()))
            assert (len(game), game.position.ply) == (20 - start.ply, 20)
            assert sv.Game.from_json(game.to_json()) == game
