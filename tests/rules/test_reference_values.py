"""Values of the reference engine: how they are made, said and copied, and what is refused."""

import copy
import pickle
import random
from typing import Any

import pytest

from savanna import reference as ref
from savanna.errors import GameOverError, IllegalMoveError, NotationError, RulesError, SavannaError
from tests.support.reference_games import ABSENT, MICE, START, TEAMS, THREE, TWO, full_game, start

# ---------------------------------------------------------------------------------------------------------------- rules


def test_printed_rules() -> None:
    assert ref.RULES_VERSION == 1
    assert ref.Rules().deck == {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1, "mouse": 0}
    assert list(ref.Rules(players=3, mice=True).deck.values()) == [3, 2, 1, 1, 1]
    assert list(ref.Rules(players=4).deck.values()) == [2, 2, 1, 1, 0]
    assert list(ref.Rules().influence.items()) == [
        ("monkey", 2), ("zebra", 3), ("giraffe", 4), ("elephant", 5), ("mouse", 1), ("lion", 6),
    ]  # fmt: skip
    assert [ref.Rules(players=n).last_seat_bonus for n in (2, 3, 4)] == [0, 2, 0]
    assert [TEAMS.team_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert TEAMS.teams == 2


def test_rules_texts() -> None:
    rules = ref.Rules(players=4, mice=True, team_game=True, target=11)
    assert str(rules) == "4p,mice,team,target=11"
    assert repr(rules) == "Rules(players=4, mice=True, team_game=True, target=11)"
    assert repr(TWO) == "Rules(players=2, mice=False, team_game=False)"
    assert ref.Rules(players=3, last_seat_bonus=2) == THREE
    assert hash(ref.Rules(players=3)) == hash(THREE)
    every = ref.Rules(
        players=3,
        mice=True,
        deck={"monkey": 9, "mouse": 2},
        influence={"lion": 15},
        target=0,
        points=(1, 2, 100),
        last_seat_bonus=0,
        absent_can_be_least=True,
    )
    assert str(every) == "3p,mice,deck=9.0.0.0.2,influence=2.3.4.5.1.15,target=0,points=1.2.100,bonus=0,absent"
    assert ref.Rules.parse(str(every)) == every == eval(repr(every), {"Rules": ref.Rules})
    assert ref.Rules(mice=True, deck={"monkey": 9}).deck["mouse"] == 1


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (RulesError, {"players": 5}),
        (RulesError, {"players": 2, "team_game": True}),
        (RulesError, {"deck": {"mouse": 1, "monkey": 10}}),
        (RulesError, {"deck": {"monkey": 9}}),
        (RulesError, {"deck": {"monkey": 21}}),
        (RulesError, {"deck": {"monkey": 20, "zebra": 1}}),
        (RulesError, {"deck": {"lion": 10}}),
        (RulesError, {"influence": {"lion": 16}}),
        (RulesError, {"influence": {"tiger": 1}}),
        (RulesError, {"target": -1}),
        (RulesError, {"points": (1, 2)}),
        (RulesError, {"points": (1, 2, 101)}),
        (RulesError, {"last_seat_bonus": 101}),
        (TypeError, {"players": True}),
        (TypeError, {"players": 2.0}),
        (TypeError, {"players": "2"}),
        (TypeError, {"players": None}),
        (TypeError, {"mice": 1}),
        (TypeError, {"deck": [4, 3, 2, 1]}),
        (TypeError, {"deck": {"monkey": 10.0}}),
        (TypeError, {"points": 3}),
        (TypeError, {"points": "213"}),
        (TypeError, {"absent_can_be_least": None}),
    ],
)
def test_wrong_rules(error: type[Exception], options: dict[str, Any]) -> None:
    with pytest.raises(error):
        ref.Rules(**options)


# ---------------------------------------------------------------------------------------------------------------- moves


def test_moves_and_action_ids() -> None:
    moves = [ref.Move.from_action(action) for action in range(200)]
    assert [move.action for move in moves] == list(range(200))
    assert sorted(random.Random(1).sample(moves, 200)) == moves
    assert len(set(moves)) == 200
    assert [ref.Move.parse(str(move)) for move in moves] == moves
    assert str(moves[0]) == "monkey a5"
    assert str(moves[199]) == "mouse lion e1"
    assert repr(moves[66]) == "Move('zebra', 'lion', 'c4')"
    assert moves[66] == ref.Move("zebra", "lion", "c4")


@pytest.mark.parametrize("text", ["", "zebra", "zebra b5", "tiger c4", "zebra front c4", "zebra LION c4", " zebra c4",
                                  "zebra  c4", "zebra c4 ", "zebra c4\n", "zebra lion lion c4"])  # fmt: skip
def test_wrong_move_text(text: str) -> None:
    with pytest.raises(NotationError):
        ref.Move.parse(text)


def test_wrong_moves() -> None:
    for action in (True, 1.0, None, "1"):
        with pytest.raises(TypeError):
            ref.Move.from_action(action)  # type: ignore[arg-type]
    with pytest.raises(IllegalMoveError, match=r"^action id must be 0 to 199, got 200$"):
        ref.Move.from_action(200)
    with pytest.raises(NotationError, match=r"^unknown space 'b5'$"):
        ref.Move("zebra", "front", "b5")
    with pytest.raises(TypeError):
        ref.Move("zebra", "front", 5)  # type: ignore[arg-type]


def test_illegal_moves_say_why_and_change_nothing() -> None:
    position = ref.Position.parse(START).play("monkey c4")
    text = str(position)
    for move, error, message in (
        ("zebra c4", IllegalMoveError, "c4 is already taken"),
        ("monkey a1", IllegalMoveError, "seat 1 holds no monkey"),
        ("monkey c3", NotationError, "unknown space 'c3'"),
        (7, TypeError, "a move is a Move or its text, not int"),
    ):
        for method in (position.play, position.lines_filled):
            with pytest.raises(error, match=f"^{message}$"):
                method(move)  # type: ignore[arg-type]
    assert str(position) == text
    over = full_game(TWO, lions=set())
    assert over.legal_moves() == []
    assert over.legal_mask() == bytes(200)
    with pytest.raises(GameOverError, match=r"^the game is over after 20 plies$"):
        over.play("zebra c4")


# ------------------------------------------------------------------------------------------------------------ positions


def test_start_position() -> None:
    position = ref.Position.parse(START)
    assert (position.ply, position.seat, position.scores, position.lions) == (0, 0, (0, 0), (0, 0))
    assert position.hands == (("monkey", "monkey"), ("zebra", "giraffe"))
    assert position.decks[0] == ("monkey", "monkey", "zebra", "zebra", "zebra", "giraffe", "giraffe", "elephant")
    assert position.rules == TWO
    assert position.board == {}
    position.check()
    decks = [hand + deck for hand, deck in zip(position.hands, position.decks, strict=True)]
    assert ref.Position.from_decks(TWO, decks) == position
    assert [move.action for move in position.legal_moves()] == list(range(40))
    after = position.play("monkey lion c4")
    assert str(after) == "2p ..../..0M./..../..../.... mm/zg mzzzgge/mmmmzzge 0/0"
    assert after.legal_mask() == bytes(mv.action in {m.action for m in after.legal_moves()} for mv in map(
        ref.Move.from_action, range(200)))  # fmt: skip
    assert len(after.legal_moves()) == 2 * 2 * 19
    with pytest.raises(TypeError):
        ref.Position()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^rules must be Rules, not int$"):
        ref.Position.deal(3)  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        position.scores = (1, 1)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2p", "5p", "position text, character 0: "),
        ("2p", "2p,target=10", "position text, character 2: "),
        ("2p", "2p,team,mice", "position text, character 12: .*team_game"),
        ("2p", "2p,target=011", "position text, character 11: "),
        ("2p .", "2p x", "position text, character 3: expected a seat digit or '.', found 'x'"),
        ("2p .", "2p 2m", "position text, character 3: expected a seat digit"),
        ("2p .", "2p 0x", "position text, character 4: expected the letter of a tile"),
        ("2p .", "2p 0?", "position text, character 4: "),
        ("..../.... mm", "....... mm", "position text, character "),
        ("zg", "gz", "position text, character 31: expected 'z', found 'g'"),
        ("mm/zg", "-/zg", "hands: seat 0"),
        ("mm/zg", "??/zg", "position text, character 28: "),
        ("gge/", "gg/", "decks: seat 0"),
        ("gge/", "ggg/", "tiles: seat 0 has 3 giraffes; the rules allow 2"),
        ("2p ....", "2p 0m...", "decks: seat 0"),
        ("2p ....", "2p 1m...", "board: seat 0"),
        (" 0/0", " 0/1", "scores: "),
        (" 0/0", " 0/00", "position text, character "),
        (" 0/0", " 0/0 ", "position text, character .* expected the end"),
        (" 0/0", " 0/0\n", "position text, character .* expected the end"),
        (" 0/0", " 0", "position text, character .* found the end"),
        (" 0/0", " 0/٠", "position text, character "),
    ],
)
def test_wrong_position_text(old: str, new: str, message: str) -> None:
    assert START.count(old)
    with pytest.raises(NotationError, match=f"^{message}"):
        ref.Position.parse(START.replace(old, new, 1))


def test_scores_of_an_exact_line_may_be_of_any_team_in_it() -> None:
    moves = ("mouse a5", "giraffe c5", "monkey d5", "zebra e5")
    position = start(MICE, moves)
    for move in moves:
        position = position.play(move)
    text = str(position)
    assert text.endswith(" 0/3")
    assert ref.Position.parse(text[:-3] + "4/0").scores == (4, 0)
    for scores in ("3/0", "0/4", "3/3", "0/0", "0/2"):
        with pytest.raises(NotationError, match=r"^scores: "):
            ref.Position.parse(text[:-3] + scores)


@pytest.mark.parametrize(
    ("decks", "error", "message"),
    [
        ([["monkey"] * 4 + ["zebra"] * 3 + ["giraffe"] * 2 + ["elephant"]], RulesError, "2 decks are needed"),
        ([["monkey"] * 10, ["monkey"] * 10], RulesError, "deck of seat 0 has 10 monkeys; the rules allow 4"),
        ([["tiger"] * 10, ["monkey"] * 10], RulesError, "deck of seat 0: unknown animal 'tiger'"),
        (["monkey", "zebra"], TypeError, "deck of seat 0 must be a sequence, not str"),
        ([[1] * 10, [1] * 10], TypeError, "animal must be a str, not int"),
    ],
)
def test_wrong_decks(decks: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ref.Position.from_decks(TWO, decks)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_values_survive_pickles_and_copies(protocol: int) -> None:
    position = ref.random_playout(ref.Position.deal(TEAMS, seed=5), random.Random(2))
    middle = ref.Position.deal(ABSENT, seed=6).play(ref.Position.deal(ABSENT, seed=6).legal_moves()[7])
    for value in (TEAMS, ABSENT, position, middle, middle.view(1), ref.Move("mouse", "lion", "e1")):
        for twin in (pickle.loads(pickle.dumps(value, protocol)), copy.copy(value), copy.deepcopy(value)):
            assert twin == value
            assert hash(twin) == hash(value)
            assert repr(twin) == repr(value)
        names = {"Rules": ref.Rules, "Position": ref.Position, "View": ref.View, "Move": ref.Move}
        assert eval(repr(value), names) == value
        assert value != str(value)


# ---------------------------------------------------------------------------------------------------------------- views


def test_view_hides_what_the_seat_cannot_know() -> None:
    position = ref.Position.parse(START).play("monkey lion c4").play("giraffe lion a1")
    view = position.view(0)
    assert str(view) == "seat=0 2p ..../..0M./..../..../1?... mm/?? ???????/??????? 0/0"
    assert repr(view) == f"View.parse('{view}')"
    assert view.board == {"c4": ref.Placed(0, "monkey", "lion"), "a1": ref.Placed(1, None, "lion")}
    assert (view.seat, view.ply, view.to_move, view.hand) == (0, 2, 0, ("monkey", "monkey"))
    assert (view.hand_sizes, view.deck_sizes, view.scores, view.winners) == ((2, 2), (7, 7), (0, 0), ())
    assert view.unseen[0] == {"monkey": 1, "zebra": 3, "giraffe": 2, "elephant": 1, "mouse": 0}
    assert view.unseen[1] == {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1, "mouse": 0}
    assert view.legal_moves() == position.legal_moves()
    assert view.legal_mask() == position.legal_mask()
    assert position.view(1).legal_moves() == []
    assert position.view(1).legal_mask() == bytes(200)
    with pytest.raises(SavannaError, match=r"^seat must be 0 to 1, got 5$"):
        position.view(5)
    for wrong in (str(view).replace("1?", "1G"), str(view).replace("0M", "0?"), "seat=2" + str(view)[6:]):
        with pytest.raises(NotationError, match=r"^view text, character "):
            ref.View.parse(wrong)
