"""The reference engine against independent games, hand-calculated scores, known numbers and its own notation."""

import copy
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from helpers import check_golden_game, golden_games
from savanna import reference as ref
from savanna.errors import GameOverError, IllegalMoveError, NotationError, RulesError, SavannaError

START = "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0"
GOLDEN = golden_games()


def start(rules: ref.Rules, moves: tuple[str, ...]) -> ref.Position:
    """Return a start with decks from which each seat draws its tiles in the order of these moves."""
    decks = []
    for seat in range(rules.players):
        deck = [move.split()[0] for move in moves[seat :: rules.players]]
        decks.append(deck + list((Counter(rules.deck) - Counter(deck)).elements()))
    return ref.Position.from_decks(rules, decks)


def last_line(rules: ref.Rules, *moves: str) -> tuple[int, tuple[int, ...]]:
    """Play the moves of a game and return total and points of the one line that the last of them fills."""
    position = start(rules, moves)
    for move in moves[:-1]:
        assert position.lines_filled(move) == ()
        position = position.play(move)
    (line,) = position.lines_filled(moves[-1])
    assert position.play(moves[-1]).scores == line.points
    return line.total, line.points


def full_game(rules: ref.Rules, lions: set[int]) -> ref.Position:
    """Play a whole game on the spaces in reading order; the plies in `lions` are placed Lion face up."""
    position = ref.Position.deal(rules, seed=1)
    for ply, space in enumerate(ref.SPACES):
        animal = position.hands[ply % rules.players][0]
        position = position.play(ref.Move(animal, "lion" if ply in lions else "front", space))
    return position


# ---------------------------------------------------------------------------------------------------- independent games


@pytest.mark.parametrize("game", GOLDEN, ids=range(len(GOLDEN)))
def test_golden_game(game: dict[str, Any]) -> None:
    check_golden_game(ref, game)


# ------------------------------------------------------------------------------------------------------------ the board


def test_board_has_the_published_line_counts() -> None:
    assert " ".join(ref.SPACES) == "a5 c5 d5 e5 a4 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 e2 a1 b1 c1 e1"
    assert len(set(ref.LINES)) == 20
    assert Counter(map(len, ref.LINES)) == {4: 12, 3: 8}
    assert Counter(sum(space in line for line in ref.LINES) for space in ref.SPACES) == {4: 12, 3: 8}
    assert ref.LINES[0] == ("a5", "c5", "d5", "e5")
    assert ref.LINES[5] == ("a5", "a4", "a3", "a1")
    assert ref.LINES[10] == ("a3", "b2", "c1")
    assert ref.LINES[15] == ("c5", "b4", "a3")


def test_board_is_symmetrical_by_quarter_turns_and_not_by_mirrors() -> None:
    def images(name: Any) -> tuple[set[str], set[frozenset[str]]]:
        return {name(s) for s in ref.SPACES}, {frozenset(map(name, line)) for line in ref.LINES}

    def quarter_turn(space: str) -> str:
        return "abcde"[int(space[1]) - 1] + str(5 - "abcde".index(space[0]))

    def mirror(space: str) -> str:
        return "edcba"["abcde".index(space[0])] + space[1]

    assert images(quarter_turn) == images(str)
    assert images(mirror)[0] != set(ref.SPACES)


# -------------------------------------------------------------------------------------------------------------- scoring

TWO = ref.Rules()
MICE = ref.Rules(mice=True)
THREE = ref.Rules(players=3)
ABSENT = ref.Rules(players=3, absent_can_be_least=True)
TEAMS = ref.Rules(players=4, mice=True, team_game=True)


@pytest.mark.parametrize(
    ("rules", "moves", "total", "points"),
    [
        # Below the target: the most, 5 against 4; a tie of 4 and 4.
        (TWO, "monkey a5, monkey c5, zebra d5, monkey e5", 9, (2, 0)),
        (TWO, "monkey a5, monkey c5, monkey d5, monkey e5", 8, (2, 2)),
        # Above: the least, 7 against 5; a tie of 6 and 6; a Lion counts 6 whatever is under it.
        (TWO, "elephant a5, zebra c5, monkey d5, monkey e5", 12, (0, 1)),
        (TWO, "zebra a5, zebra c5, zebra d5, zebra e5", 12, (1, 1)),
        (TWO, "monkey lion a5, giraffe c5, monkey d5, zebra e5", 15, (0, 1)),
        # Exactly ten: the last player only, who has more or less than the other.
        (TWO, "monkey a5, zebra c5, monkey d5, zebra e5", 10, (0, 3)),
        (TWO, "zebra a5, monkey c5, zebra d5, monkey e5", 10, (0, 3)),
        # A Mouse: a point for its own team if that scores, in each of the three cases; none under a Lion.
        (MICE, "mouse a5, mouse c5, zebra d5, monkey e5", 7, (3, 0)),
        (MICE, "mouse a5, monkey c5, monkey d5, monkey e5", 7, (0, 2)),
        (MICE, "elephant a5, mouse c5, giraffe d5, zebra e5", 13, (0, 2)),
        (MICE, "giraffe a5, mouse c5, zebra d5, monkey e5", 10, (0, 4)),
        (MICE, "elephant a5, mouse lion c5, giraffe d5, zebra e5", 18, (1, 1)),
        # Two Mice of one team, which its colours share.
        (TEAMS, "mouse a5, elephant c5, mouse d5, giraffe e5", 11, (3, 0)),
        (TEAMS, "monkey a5, monkey c5, zebra d5, monkey e5", 9, (2, 0)),
        (TEAMS, "monkey a5, zebra c5, monkey d5, zebra e5", 10, (0, 3)),
        # Seat 2 has no tile in the line c5 d4 e3: only above the target, and only by the option, it is the least.
        (THREE, "elephant c5, giraffe d4, monkey a1, zebra e3", 12, (0, 1, 0)),
        (ABSENT, "elephant c5, giraffe d4, monkey a1, zebra e3", 12, (0, 0, 1)),
        (ABSENT, "monkey c5, monkey d4, monkey a1, monkey e3", 6, (2, 0, 0)),
        (ABSENT, "elephant c5, zebra d4, monkey a1, monkey e3", 10, (3, 0, 0)),
        # A tile without influence is a tile; a line that gives 0 points still pays for the Mouse.
        (ref.Rules(influence={"elephant": 15, "lion": 0}), "elephant c5, zebra lion d4, monkey e3", 17, (0, 1)),
        (ref.Rules(mice=True, points=(0, 1, 3)), "mouse c5, monkey d4, monkey e3", 5, (1, 0)),
        (ref.Rules(target=8, points=(9, 9, 7)), "monkey a5, monkey c5, monkey d5, monkey e5", 8, (0, 7)),
    ],
)
def test_hand_calculated_line(rules: ref.Rules, moves: str, total: int, points: tuple[int, ...]) -> None:
    assert last_line(rules, *moves.split(", ")) == (total, points)


def test_lions_break_a_tie() -> None:
    rules = ref.Rules(points=(0, 0, 0))
    assert full_game(rules, lions=set()).winners == (0, 1)
    assert full_game(rules, lions={0}).winners == (1,)
    assert full_game(rules, lions={0, 1}).winners == (0, 1)
    assert full_game(rules, lions={0, 1, 3}).winners == (0,)
    # Only among the tied: seat 1 has fewer Lions, but seat 2 the bonus.
    final = full_game(ref.Rules(players=3, points=(0, 0, 0)), lions={0, 2})
    assert (final.scores, final.lions, final.winners) == ((0, 0, 2), (1, 0, 1), (2,))
    # The Lions of both colours count together.
    teams = full_game(ref.Rules(players=4, team_game=True, points=(0, 0, 0)), lions={0, 2, 1})
    assert (teams.lions, teams.winners) == ((2, 1), (1,))


def test_the_last_seat_gets_its_bonus_only_at_the_end() -> None:
    for rules, scores in (
        (ref.Rules(players=3, points=(0, 0, 0)), (0, 0, 2)),
        (ref.Rules(players=2, points=(0, 0, 0)), (0, 0)),
        (ref.Rules(players=2, points=(0, 0, 0), last_seat_bonus=5), (0, 5)),
        (ref.Rules(players=4, team_game=True, points=(0, 0, 0), last_seat_bonus=5), (0, 5)),
    ):
        position = ref.Position.deal(rules, seed=3)
        while not position.is_over:
            assert not any(position.scores)
            assert position.winners == ()
            position = position.play(position.legal_moves()[0])
        assert position.scores == scores


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
    with pytest.raises(IllegalMoveError, match=r"^action id must be 0..199, got 200$"):
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
        ("gge/", "ggg/", "tiles: seat 0 has 3 giraffe, the rules give 2"),
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
        ([["monkey"] * 10, ["monkey"] * 10], RulesError, "deck of seat 0 has 10 monkey, the rules give 4"),
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
    with pytest.raises(SavannaError, match=r"^seat must be 0..1, got 5$"):
        position.view(5)
    for wrong in (str(view).replace("1?", "1G"), str(view).replace("0M", "0?"), "seat=2" + str(view)[6:]):
        with pytest.raises(NotationError, match=r"^view text, character "):
            ref.View.parse(wrong)


@pytest.mark.parametrize("game", GOLDEN[::10])
def test_sample_keeps_what_the_view_knows(game: dict[str, Any]) -> None:
    position = ref.Position.from_decks(ref.Rules(**game["rules"]), game["decks"])
    for ply, played in enumerate(game["plies"]):
        view = position.view(ply % position.rules.players)
        sample = view.sample(seed=ply)
        sample.check()
        assert sample == view.sample(seed=ply)
        assert sample.view(view.seat) == view
        for seat in range(position.rules.players):
            tiles = [tile.animal for tile in sample.board.values() if tile.seat == seat]
            assert Counter([*tiles, *sample.hands[seat], *sample.decks[seat]]) == Counter(position.rules.deck)
        position = position.play(ref.Move(played["animal"], played["face"], played["space"]))


def test_samples_are_uniform() -> None:
    # Nothing of seat 1 is known: its Lion is a monkey in four tenths of the deals, as in its deck.
    view = ref.Position.parse(START).play("monkey c4").play("giraffe lion a1").view(0)
    lions = Counter(view.sample(seed=seed).board["a1"].animal for seed in range(2000))
    for animal, share in (("monkey", 0.4), ("zebra", 0.3), ("giraffe", 0.2), ("elephant", 0.1)):
        assert abs(lions[animal] / 2000 - share) < 0.04  # more than 3.6 standard deviations


# ----------------------------------------------------------------------------------------------------------- randomness


def test_xoshiro_known_vector() -> None:
    generator = ref.Xoshiro256PlusPlus((1, 2, 3, 4))
    assert [generator.next() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_below_keeps_to_its_range_evenly() -> None:
    generator = ref.Xoshiro256PlusPlus.seeded(0, "playout", index=3)
    counts = Counter(generator.below(3) for _ in range(3000))
    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 1000) < 120 for count in counts.values())
    assert all(0 <= generator.below(2**63 + 1) <= 2**63 for _ in range(100))


def test_generators_use_up_the_words_in_turn() -> None:
    states = [ref.Xoshiro256PlusPlus.seeded(9, "playout", index).next() for index in range(50)]
    assert len(set(states)) == 50
    assert ref.Xoshiro256PlusPlus.seeded(9, "deal").next() != ref.Xoshiro256PlusPlus.seeded(9, "sample").next()


def test_deals_are_fixed_by_their_seed() -> None:
    assert str(ref.Position.deal(TWO, seed=0)) == "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0"
    assert str(ref.Position.deal(TEAMS, seed=7)) == (
        "4p,mice,team ..../..../..../..../.... me/mu/mz/ze zmzug/zmgze/ezmgu/muzgm 0/0"
    )
    assert len({str(ref.Position.deal(TWO, seed=seed)) for seed in range(100)}) == 100
    assert ref.Position.deal(TWO) != ref.Position.deal(TWO)


@pytest.mark.parametrize(("seed", "error"), [(-1, SavannaError), (2**64, SavannaError), (True, TypeError),
                                             (1.0, TypeError), ("1", TypeError)])  # fmt: skip
def test_wrong_seeds(seed: Any, error: type[Exception]) -> None:
    position = ref.Position.deal(TWO, seed=2**64 - 1)
    with pytest.raises(error, match="seed must be"):
        ref.Position.deal(TWO, seed=seed)
    with pytest.raises(error, match="seed must be"):
        position.view(0).sample(seed=seed)


# ---------------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("rules", [TWO, MICE, THREE, ABSENT, TEAMS], ids=str)
def test_random_playouts_end_in_possible_positions(rules: ref.Rules) -> None:
    for seed in range(5):
        position = ref.random_playout(ref.Position.deal(rules, seed=seed), random.Random(seed))
        position.check()
        assert position.is_over
        assert position.winners
        again = ref.random_playout(ref.Position.deal(rules, seed=seed), random.Random(seed))
        assert again == position


def test_perft() -> None:
    position = ref.Position.deal(TWO, seed=0)
    # Two animals in either hand, two faces, 20 and then 19 spaces.
    assert [ref.perft(position, depth) for depth in range(3)] == [1, 80, 80 * 76]
    assert ref.perft(full_game(TWO, lions=set()), 1) == 0
