"""Public records hold what everybody saw: nothing hidden shows in them, and nothing impossible is loaded."""

import json
import pickle
import random
import re
from typing import Any

import pytest

import savanna as sv
from savanna.game import PublicGame, PublicPly, Revealed
from savanna.reference import Position as PlainPosition
from tests.rules.test_hidden import reachable
from tests.support.both_engines import random_game
from tests.support.game_records import ODD, VARIANTS, changed, played, whole_game

pytestmark = pytest.mark.thin(2)

RULES = sv.Rules(players=3, mice=True)
WHOLE = whole_game(RULES, 11)
ORDER = "mzgeu"
LETTERS = {"monkey": "m", "zebra": "z", "giraffe": "g", "elephant": "e", "mouse": "u"}
ANIMALS = {letter: animal for animal, letter in LETTERS.items()}


def twin(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Redraw all that spectators do not know, in the record alone: tiles under Lions, hands, decks."""
    rules, board, hands, decks, scores = record["start"].split(" ")
    seats = int(rules[0])
    turns = (20 - board.count(".")) % seats
    orders: list[list[str]] = []
    for seat in range(seats):
        hand, deck = hands.split("/")[seat].strip("-"), decks.split("/")[seat].strip("-")
        mine = record["moves"][(seat - turns) % seats :: seats]
        shown = [LETTERS[move.split()[0]] for move in mine if "lion" not in move]
        pool = [*hand, *deck, *(tile[1].lower() for tile in re.findall(rf"{seat}[A-Z]", board))]
        for letter in shown:
            pool.remove(letter)
        rng.shuffle(pool)
        for _ in range(len(re.findall(rf"{seat}[A-Z]", board))):
            board = re.sub(rf"{seat}[A-Z]", f"{seat}:{pool.pop()}", board, count=1)
        board = re.sub(r":[a-z]", lambda tile: tile[0][1].upper(), board)
        orders.append([LETTERS[move.split()[0]] if "lion" not in move else pool.pop() for move in mine] + pool)
    sizes = [len(hand.strip("-")) for hand in hands.split("/")]
    new_hands = [
        "".join(sorted(tiles[:size], key=ORDER.index)) or "-" for tiles, size in zip(orders, sizes, strict=True)
    ]
    new_decks = ["".join(tiles[size:]) or "-" for tiles, size in zip(orders, sizes, strict=True)]
    moves = []
    for number, move in enumerate(record["moves"]):
        turn, seat = divmod(number + turns, seats)
        animal = ANIMALS[orders[seat][turn - (seat < turns)]]
        moves.append(" ".join([animal, *move.split()[1:]]))
    start = " ".join([rules, board, "/".join(new_hands), "/".join(new_decks), scores])
    return {**record, "start": start, "moves": moves}


def beginnings(rules: sv.Rules) -> list[sv.Game]:
    """Return games that begin with a deal, or later, and end anywhere."""
    games = list(played(rules, 25, seed=3))
    for ply, start in enumerate(random_game(sv.Position.deal(rules, 4), 4)[1:20], start=1):
        game, rng = sv.Game(start), random.Random(ply)
        while not game.is_over and rng.random() < 0.9:
            game.play(rng.choice(game.position.legal_moves()))
        games.append(game)
    return games


@pytest.mark.parametrize("rules", [*VARIANTS, ODD], ids=str)
def test_twin_games_have_one_public_record(rules: sv.Rules) -> None:
    rng, differ, lions = random.Random(str(rules)), 0, 0
    for number, game in enumerate(beginnings(rules)):
        record = game.to_dict()
        if number % 2:
            game.annotate(0, "a remark")
        for _ in range(2):
            other = sv.Game.from_dict(twin(record, rng))  # which checks that it can have been played
            mine, theirs = game.public(), other.public()
            assert mine == theirs
            assert hash(mine) == hash(theirs)
            for write in (PublicGame.to_json, repr, pickle.dumps, lambda it: it.to_json(indent=True)):
                assert write(mine) == write(theirs)
            differ += other.start != game.start
            lions += other.moves != game.moves
            if game.positions[-1].is_over and other != game and "remark" not in game.to_json():
                assert game.public(reveal=True) != other.public(reveal=True)
    assert differ > 60
    assert lions > 30


@pytest.mark.parametrize("rules", [*VARIANTS, ODD], ids=str)
def test_it_tells_what_everybody_saw(rules: sv.Rules) -> None:
    """Compared with the plain engine, by what a seat sees that has not placed the tile."""
    for game in beginnings(rules):
        public = game.public()
        position = PlainPosition.parse(str(game.start))
        assert str(public.start) == str(position.public())
        assert str(position.rules) == str(public.rules)
        assert len(public.plies) == len(game)
        for ply, move in zip(public.plies, game.moves, strict=True):
            assert position.seat is not None
            lines = position.lines_filled(str(move))
            mover, position = position.seat, position.play(str(move))
            seen = position.view((mover + 1) % rules.players).board[move.space]
            assert ply == (mover, move.space, seen.face, seen.animal, lines, position.scores)
            assert isinstance(ply, PublicPly)
        assert (public.scores, public.winners, public.is_over) == (position.scores, position.winners, position.is_over)


@pytest.mark.parametrize("rules", [*VARIANTS, ODD], ids=str)
def test_every_public_record_reads_back(rules: sv.Rules) -> None:
    count = 0
    for game in [*beginnings(rules), *played(rules, 200, seed=9)]:
        public = game.public()
        assert PublicGame.from_json(public.to_json()) == public
        if public.is_over:
            revealed = game.public(reveal=True)
            assert PublicGame.from_json(revealed.to_json()) == revealed
            assert revealed.revealed == Revealed(str(game.start), tuple(map(str, game.moves)))
            count += 1
    assert count > 10


def test_the_start_shows_sizes_and_nothing_else() -> None:
    start = sv.Position.parse("2p 0z1m../0E1Z../..../..../.... mg/ze mmmgzz/mmmggz 0/0")
    text = "seat=- 2p 0z1m../0?1?../..../..../.... ??/?? ??????/?????? 0/0"
    assert sv.Game(start).public().start == sv.View.parse(text)
    assert sv.Game(start).public().to_dict()["start"] == text
    end = sv.Game(WHOLE.position).public().start
    assert (end.hand_sizes, end.deck_sizes) == ((1, 1, 2), (0, 0, 0))


@pytest.mark.parametrize("rules", [*VARIANTS, ODD], ids=str)
def test_twin_games_have_the_same_public_views(rules: sv.Rules) -> None:
    rng, differ = random.Random(str(rules)), 0
    for game in played(rules, 22, seed=5):
        other = sv.Game.from_dict(twin(game.to_dict(), rng))
        assert game.public_view() == other.public_view() == game.position.public()
        for ply, (mine, theirs) in enumerate(zip(game.positions, other.positions, strict=True)):
            views = game.public_view(ply), other.public_view(ply)
            assert pickle.dumps(views[0]) == pickle.dumps(views[1])
            assert str(views[0]) == str(PlainPosition.parse(str(mine)).public())
            differ += mine != theirs
    assert differ > 50


def test_a_public_view_is_of_the_cursor_or_of_a_ply() -> None:
    game = whole_game(RULES, 11)
    game.goto(7)
    assert game.public_view() == game.public_view(7) == game.positions[7].public()
    assert game.public_view(ply=0) == game.public().start
    assert game.ply == 7
    for wrong in (-1, 21):
        with pytest.raises(sv.SavannaError, match=f"ply must be 0 to 20, got {wrong}"):
            game.public_view(wrong)
    with pytest.raises(TypeError, match="ply"):
        game.public_view("7")  # type: ignore[arg-type]


def test_annotations_are_private_unless_asked_for() -> None:
    assert "begins" not in WHOLE.public().to_json()
    assert "begins" not in WHOLE.public(reveal=True).to_json()
    assert WHOLE.public().annotations == {}
    asked = WHOLE.public(annotations=True)
    assert asked.annotations == WHOLE.annotations
    assert PublicGame.from_json(asked.to_json()) == asked
    assert asked != WHOLE.public()
    asked.annotations.clear()
    assert WHOLE.annotations


def test_it_is_of_all_moves_wherever_the_cursor_is() -> None:
    game = whole_game(RULES, 11)
    before = game.public()
    game.goto(3)
    assert game.public() == before
    game.undo()
    assert len(game.public().plies) == 2
    assert not game.public().is_over


def test_a_public_game_reaches_no_truth() -> None:
    game = whole_game(RULES, 11)
    game.undo(3)
    for public in (game.public(), PublicGame.from_json(game.public().to_json())):
        facts = [getattr(public, name) for name in ("rules", "names", "started", "start", "plies", "scores")]
        found = [item for fact in [vars(public), *facts] for item in reachable_from(fact)]
        assert len(found) > 50
        assert not [item for item in found if isinstance(item, sv.Position | sv.Game | sv.Move)]
        assert str(game.start) not in found
        assert {str(move) for move in game.moves}.isdisjoint(item for item in found if isinstance(item, str))


def reachable_from(value: object) -> list[object]:
    """Return every object that can be come to from a value."""

    class Holder:
        def __init__(self) -> None:
            self.value = value
            self.legal_moves = self.legal_mask = list

        def __reduce__(self) -> tuple[Any, ...]:
            return ()

    return reachable(Holder())


# What is not accepted


RECORD = WHOLE.public().to_dict()
PLY = {"seat": 0, "space": "a5", "face": "front", "animal": "monkey", "lines": [], "scores": [0, 0, 0]}


def monkeys(seat: int, space: str) -> dict[str, Any]:
    return {**PLY, "seat": seat, "space": space}


FIVE = [
    monkeys(number % 3, space)
    for number, space in enumerate(("a5", "c5", "d5", "a4", "b4", "c4", "a3", "e5", "b2", "e1"))
]
NEW = {**sv.Game(WHOLE.start, WHOLE.names).public().to_dict(), "started": None}
FILLING = next(number for number, ply in enumerate(RECORD["plies"]) if ply["lines"])
LION = next(number for number, ply in enumerate(RECORD["plies"]) if ply["face"] == "lion")
FRONT = next(number for number, ply in enumerate(RECORD["plies"]) if ply["face"] == "front")
CHANGES: list[tuple[tuple[Any, ...], Any, str]] = [
    (("format",), "savanna-ten game", "format: must be 'savanna-ten public game', got 'savanna-ten game'"),
    (("version",), 1, "version: must be 2, got 1"),
    (("rules",), "3p", "rules: must be '3p,mice' by start and moves, got '3p'"),
    (("start",), "3p,mice", "start: view text, character 0: expected 'seat='"),
    (("start",), str(WHOLE.start), "start: view text, character 0: expected 'seat='"),
    (("start",), str(WHOLE.start.view(1)), "start: must be a public view, got the view of seat 1"),
    (("start",), RECORD["start"].replace("3p", "5p"), "start: view text"),
    (("start",), RECORD["start"].replace("??/??/??", "??/??"), "start: view text, character "),
    (("start",), RECORD["start"].replace("??/??/??", "?/??/??"), "start: view text"),
    (("start",), RECORD["start"].replace("??????/", "?????/"), "start: view text"),
    (("start",), RECORD["start"].replace("..../", "3z.../", 1), "start: view text"),
    (("start",), RECORD["start"].replace("..../..../", "0u0u../0u0u/", 1), "start: view text"),
    (("start",), RECORD["start"].replace("0/0/0", "0/0/9"), "start: view text"),
    (("start",), None, "start: must be a text, not null"),
    (("plies",), None, "plies: must be a list, not null"),
    (("plies",), [PLY] * 21, "plies: must have at most 20 items, got 21"),
    (("plies", 3), 5, "plies[3]: must be an object, not 5"),
    (("plies", 3, "seat"), 4, "plies[3].seat: must be 0 to 3, got 4"),
    (("plies", 3, "seat"), 3, "plies[3]: there is no seat 3"),
    (("plies", 3, "seat"), True, "plies[3].seat: must be a whole number, not true"),
    (("plies", 3, "space"), "b5", "plies[3].space: must be one of a5, c5"),
    (("plies", 3, "space"), RECORD["plies"][0]["space"], "plies[3]: "),
    (("plies", 3, "face"), "back", "plies[3].face: must be one of front, lion, got 'back'"),
    (("plies", LION, "animal"), "zebra", f"plies[{LION}].animal: must be null under a Lion, got 'zebra'"),
    (("plies", FRONT, "animal"), None, f"plies[{FRONT}].animal: must be a text, not null"),
    (("plies", FRONT, "animal"), "hippo", f"plies[{FRONT}].animal: must be one of monkey, zebra, giraffe"),
    (("plies", FILLING, "lines"), [], f"plies[{FILLING}].lines: must have 1 items, got 0"),
    (("plies", FILLING, "lines", 0, "total"), 9, f"plies[{FILLING}].lines[0].total: must be "),
    (("plies", FILLING, "lines", 0, "points"), [0, 0], f"plies[{FILLING}].lines[0].points: must have 3 items"),
    (("plies", FILLING, "lines", 0, "spaces", 0), "c4", f"plies[{FILLING}].lines[0].spaces[0]: must be "),
    (("plies", 4, "scores", 1), 99, "plies[4].scores[1]: must be "),
    (("plies", 4, "extra"), 1, "plies[4]: there is no key 'extra', only seat, space, face, animal, lines, scores"),
    (("plies", 4, "scores"), ..., "plies[4].scores: is missing"),
    (("result", "winners"), [], "result.winners: must have 1 items, got 0"),
    (("result", "scores", 0), 99, "result.scores[0]: must be "),
    (("names", 1), "\x1b", "names[1]: a player's name"),
    (("started",), "now", "started: "),
    (("annotations",), {"21": "x"}, "annotations: '21' is not a ply of 0 to 20"),
    (("revealed",), 5, "revealed: must be an object, not 5"),
    (("revealed",), {"start": str(WHOLE.start)}, "revealed.moves: is missing"),
    (("revealed",), {"start": str(WHOLE.start), "moves": ["x"]}, "revealed.moves[0]: move text: 'x' is not"),
    (("revealed",), {"start": str(WHOLE.start), "moves": []}, "revealed: must be null, since the game is not over"),
    (("revealed",), {"start": "x", "moves": []}, "revealed.start: position text, character 0"),
]


@pytest.mark.parametrize(("path", "value", "words"), CHANGES)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: object, words: str) -> None:
    with pytest.raises(sv.RecordError, match=re.escape(words)) as caught:
        PublicGame.from_dict(changed(RECORD, path, value))
    assert str(caught.value).startswith(words)
    assert len(str(caught.value)) < 350


def test_a_seat_shows_no_more_animals_than_it_has() -> None:
    """The deck of the rules has three monkeys; of ten plies seat 0 plays four."""
    assert WHOLE.rules.deck["monkey"] == 3
    fine = changed(NEW, ("plies",), FIVE[:3])
    assert len(PublicGame.from_dict(fine).plies) == 3
    with pytest.raises(sv.RecordError, match=r"^plies\[9\]: seat 0 has no monkey left$"):
        PublicGame.from_dict(changed(NEW, ("plies",), FIVE))


def test_a_revealed_game_has_to_be_what_was_seen() -> None:
    rng = random.Random(1)
    other: Any = WHOLE.to_dict()
    while other["moves"] == WHOLE.to_dict()["moves"]:
        other = twin(WHOLE.to_dict(), rng)
    shown = {"start": other["start"], "moves": other["moves"]}
    assert PublicGame.from_dict({**RECORD, "revealed": shown}).revealed == (shown["start"], tuple(shown["moves"]))
    another = whole_game(RULES, 12).public(reveal=True).to_dict()["revealed"]
    with pytest.raises(sv.RecordError, match=r"^plies\[[0-9]+\]\..*must be "):
        PublicGame.from_dict({**RECORD, "revealed": another})


def test_no_record_of_one_kind_is_taken_for_the_other() -> None:
    with pytest.raises(sv.RecordError, match=r"^format: must be 'savanna-ten game'"):
        sv.Game.from_json(WHOLE.public().to_json())
    with pytest.raises(sv.RecordError, match=r"^format: must be 'savanna-ten public game'"):
        PublicGame.from_json(WHOLE.to_json())


def test_it_is_plain_json() -> None:
    public = WHOLE.public(annotations=True)
    assert json.loads(public.to_json()) == public.to_dict() == json.loads(public.to_json(indent=True))
