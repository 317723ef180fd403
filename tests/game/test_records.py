"""Records of games: they read back, are checked down to the last field."""

import contextlib
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import savanna as sv
from savanna import reference as ref
from tests.support.game_records import ODD, VARIANTS, changed, mangled, places, played, whole_game
from tests.support.paths import DATA

pytestmark = pytest.mark.thin(2)

RULES = sv.Rules(players=3, mice=True)
WHOLE = whole_game(RULES, 11)
START = sv.Position.parse("2p 0z1m../0E1Z../..../..../.... mg/ze mmmgzz/mmmggz 0/0")
KINDS: tuple[type[Any], ...] = (sv.Game, sv.PublicGame)


def refusal(content: object, kind: type[Any] = sv.Game) -> str:
    """Return why a record, or its text, is refused."""
    with pytest.raises(sv.RecordError) as caught:
        kind.from_json(content) if isinstance(content, str | bytes) else kind.from_dict(content)
    text = str(caught.value)
    assert 0 < len(text) < 350
    assert text.isprintable()
    return text


def by_reference(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Play a record with the plain engine; return scores and winners."""
    position = ref.Position.parse(record["start"])
    assert str(position.rules) == record["rules"]
    for move in record["moves"]:
        position = position.play(move)
    return list(position.scores), list(position.winners)


# Reading back


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_ten_thousand_games_of_all_variants_read_back(rules: sv.Rules) -> None:
    lengths = set()
    for game in played(rules, 1250, seed=5):
        text = game.to_json()
        twin = sv.Game.from_json(text)
        assert twin == game
        assert twin.to_json() == text
        assert (twin.positions, twin.ply) == (game.positions, len(game))
        lengths.add(len(game))
    assert lengths == set(range(21))


@pytest.mark.parametrize("rules", [*VARIANTS, ODD], ids=str)
def test_the_plain_engine_plays_records_to_the_same_result(rules: sv.Rules) -> None:
    for game in played(rules, 22, seed=6):
        record = json.loads(game.to_json())
        assert by_reference(record) == (record["result"]["scores"], record["result"]["winners"])


@pytest.mark.parametrize("kind", KINDS)
def test_all_ways_to_write_read_back(kind: type[Any]) -> None:
    game: Any = WHOLE if kind is sv.Game else WHOLE.public(annotations=True, reveal=True)
    for text in (game.to_json(), game.to_json(indent=True), json.dumps(game.to_dict()), f" \r\n{game.to_json()}\t\n"):
        assert kind.from_json(text) == game
        assert kind.from_json(text.encode()) == game
    assert "\n" not in game.to_json()
    assert kind.from_dict(game.to_dict()) == game


@pytest.mark.parametrize("name", ["whole.json", "games.jsonl", "public.json", "public.jsonl"])
def test_records_of_the_first_version_load_for_ever(name: str) -> None:
    path = DATA / "games" / name
    kind: type[Any] = sv.PublicGame if "public" in name else sv.Game
    games = [kind.load(path)] if path.suffix == ".json" else list(kind.load_all(path))
    assert len(games) == (1 if path.suffix == ".json" else 3)
    texts = [path.read_text("utf-8")] if path.suffix == ".json" else path.read_text("utf-8").splitlines()
    for game, text in zip(games, texts, strict=True):
        record = json.loads(text)
        assert game.to_dict() == record
        assert game.to_json(indent=path.suffix == ".json") == text.rstrip("\n")
        full = record.get("revealed", record)
        if full is not None:
            scores, winners = by_reference({"rules": record["rules"], **full})
            assert record["result"] == {"scores": scores, "winners": winners}


# Fields


def record(**fields: Any) -> dict[str, Any]:
    return {**WHOLE.to_dict(), **fields}


MOVES = WHOLE.to_dict()["moves"]
TAKEN = [*MOVES[:7], f"zebra {MOVES[0].split()[-1]}"]
FIELDS = [
    (record(format="chess"), "format: must be 'savanna-ten game', got 'chess'"),
    (record(format=None), "format: must be 'savanna-ten game', got null"),
    (WHOLE.public().to_dict(), "format: must be 'savanna-ten game', got 'savanna-ten public game'"),
    (record(version=2), "version: must be 1, got 2"),
    (record(version=True), "version: must be 1, got true"),
    (record(version=1.0), "version: must be 1, got 1.0"),
    (record(version="1"), "version: must be 1, got '1'"),
    (record(version=10**5000), "version: must be 1, got a number of more than 4300 digits"),
    (record(rules="2p"), "rules: must be '3p,mice' by start and moves, got '2p'"),
    (record(rules=7), "rules: must be '3p,mice' by start and moves, got 7"),
    (record(names=["Ann"]), "names: 3 names are needed, one for each seat, got 1"),
    (record(names=["Ann", "Bo", "Cy", "Di"]), "names: must have at most 3 items, got 4"),
    (record(names=["Ann", "", "Cy"]), "names[1]: a player's name must have 1 to 100 characters, got ''"),
    (record(names=["Ann", "Bo", 5]), "names[2]: a player's name must be a str, not int"),
    (record(names="Ann"), "names: must be a list, not 'Ann'"),
    (record(started="yesterday"), "started: must be a time in UTC such as"),
    (record(started=5), "started: must be a str, not int"),
    (record(start=5), "start: must be a text, not 5"),
    (record(start="3p"), "start: position text, character"),
    (record(start=str(START), moves=[], annotations={}), "names: must have at most 2 items, got 3"),
    (record(start=str(START), names=["A", "B"], rules="2p"), "moves[0]: "),
    (record(start=WHOLE.to_dict()["start"] + "\ud800"), "start: "),
    (record(moves=None), "moves: must be a list, not null"),
    (record(moves=[5]), "moves[0]: must be a text, not 5"),
    (record(moves=["zebra c9"]), "moves[0]: move text: 'c9' is not a space"),
    (record(moves=["zebra c4\ud800"]), "moves[0]: "),
    (record(moves=TAKEN), f"moves[7]: {MOVES[0].split()[-1]} is already taken"),
    (record(moves=[*MOVES[:7], *MOVES[8:]]), "moves["),
    (record(moves=MOVES[:-1]), "annotations: '20' is not a ply of 0 to 19"),
    (record(moves=MOVES[:-1], annotations={}), f"result.scores[0]: must be {WHOLE.positions[19].scores[0]} by start"),
    (record(moves=[*MOVES, "zebra c4"]), "moves: must have at most 20 items, got 21"),
    (record(annotations=[]), "annotations: must be an object, not a list"),
    (record(annotations={"21": "x"}), "annotations: '21' is not a ply of 0 to 20"),
    (record(annotations={"01": "x"}), "annotations: '01' is not a ply of 0 to 20"),
    (record(annotations={1: "x"}), "annotations: 1 is not a ply of 0 to 20"),
    (record(annotations={"1": 5}), "annotations.1: must be a text, not 5"),
    (record(annotations={"1": ""}), "annotations.1: must not be empty"),
    (record(annotations={"1": "x" * 2001}), "annotations.1: an annotation has at most 2000 characters"),
    (
        record(annotations={"1": "\x1b"}),
        "annotations.1: the annotation of ply 1 must not have U+001B at place 0, a",
    ),
    (record(result=None), "result: must be an object, not null"),
    (record(result={"scores": [0, 0, 0]}), "result.winners: is missing"),
    (record(result={"scores": [0, 0], "winners": []}), "result.scores: must have 3 items, got 2"),
    (record(result={"scores": [*WHOLE.scores], "winners": [0, 1, 2]}), "result.winners: must have at most 1 items"),
    (record(result={"scores": [float(it) for it in WHOLE.scores], "winners": [1]}), "result.scores[0]: must be "),
    (record(result={"scores": [10**30, 0, 0], "winners": []}), f"got {10**30}"),
    (record(comment="x"), "there is no key 'comment', only format, version, rules,"),
    ([], "must be an object, not a list"),
    ("null", "must be an object, not null"),
    ({}, "format: is missing"),
    ({"format": "savanna-ten game"}, "version: is missing"),
    ({"format": "savanna-ten game", "version": 1}, "rules: is missing"),
    (None, "must be an object, not null"),
    (object(), "must be an object, not object"),
]


@pytest.mark.parametrize(("content", "words"), FIELDS)
def test_a_wrong_field_is_named(content: object, words: str) -> None:
    assert words in refusal(content)


def test_the_example_of_a_taken_space_names_the_move() -> None:
    assert refusal(record(moves=TAKEN)) == f"moves[7]: {MOVES[0].split()[-1]} is already taken"


# Texts


JSON = WHOLE.to_json()
TEXTS = [
    ("", "not valid JSON: expecting value at line 1, column 1"),
    (JSON[:-1], "not valid JSON: "),
    (JSON[:99], "not valid JSON: expecting"),
    (JSON[:5], "not valid JSON: unterminated string starting at line 1, column 2"),
    (JSON + JSON, "it goes on after the first game"),
    ("\ufeff\ufeff" + JSON, "not valid JSON"),
    (JSON.encode("utf-16"), "it is UTF-16; save it as UTF-8"),
    (JSON.encode("utf-16-be"), "it is UTF-16 or no text at all; save it as UTF-8"),
    (JSON.encode("utf-32"), "it is UTF-32; save it as UTF-8"),
    (JSON.encode("utf-8")[:-2] + b"\xff}", f"byte {len(JSON.encode()) - 2} is not UTF-8"),
    (JSON.replace('"version":1', '"version":1,"version":1'), "key 'version' comes twice"),
    (JSON.replace('"version":1', f'"version":{"9" * 19}'), "a number of 19 digits is too long"),
    (JSON.replace('"version":1', f'"version":{"9" * 10**5}'), "a number of 100000 digits is too long"),
    (JSON.replace('"version":1', '"version":1e999'), "a number is too large: '1e999'"),
    (JSON.replace('"version":1', '"version":NaN'), "NaN is not allowed in JSON"),
    (JSON.replace('"version":1', '"version":-Infinity'), "-Infinity is not allowed in JSON"),
    (JSON.replace('"version":1', '"version":01'), "not valid JSON: "),
    (JSON.replace('"version":1', f'"version":{"[" * 10**5}'), "it is nested too deeply"),
    (JSON.replace('"version":1', f'"version":{"[" * 900}1{"]" * 900}'), "version: must be 1, got a list"),
    ("[" * 10**6, "it is nested too deeply"),
    ('{"a":' * 10**5, "it is nested too deeply"),
    (" " * (2**20 + 1), "a game has at most 1,048,576 bytes, this is longer"),
    (b"x" * (2**20 + 1), "a game has at most 1,048,576 bytes, this is longer"),
    (JSON.replace("Ann", "A\n"), "not valid JSON: invalid control character at line"),
    (
        JSON.replace("Ann", "\\ud800"),
        r"names[0]: a player's name must not have U+D800 at place 0, half of a surrogate",
    ),
    (JSON.replace("Ann", "\ud800"), "names[0]: "),
    ("\ud800", "not valid JSON"),
    ("7", "must be an object, not 7"),
]


@pytest.mark.parametrize(("text", "words"), TEXTS, ids=range(len(TEXTS)))
def test_a_wrong_text_is_told_by_what_is_wrong(text: str | bytes, words: str) -> None:
    assert words in refusal(text)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_cut_off_is_missed(kind: type[Any]) -> None:
    text = (WHOLE if kind is sv.Game else WHOLE.public()).to_json()
    for length in range(0, len(text), 7):
        refusal(text[:length], kind)
        refusal(text.encode()[:length], kind)


@pytest.mark.parametrize("kind", KINDS)
def test_mangled_texts_are_refused_or_true(kind: type[Any]) -> None:
    """What is accepted is written as it was read, so nothing that was mangled is ever taken for something else."""
    rng, refused, accepted = random.Random(7), 0, 0
    games = [WHOLE, whole_game(sv.Rules(), 4), sv.Game(START)]
    for number in range(2000):
        game: Any = games[number % 3] if kind is sv.Game else games[number % 3].public(annotations=True)
        text = mangled(game.to_json(), rng)
        try:
            read = kind.from_json(text)
        except sv.RecordError:
            refused += 1
        else:
            assert read.to_dict() == json.loads(text)
            accepted += 1
    assert refused > 1400
    assert accepted > 5


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_are_refused(text: bytes | str) -> None:
    refusal(text)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(MOVES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=9,
)


@given(st.data())
def test_any_value_in_any_place_is_refused_or_changes_nothing(data: st.DataObject) -> None:
    kind: type[Any] = data.draw(st.sampled_from(KINDS))
    content = WHOLE.to_dict() if kind is sv.Game else WHOLE.public(annotations=True, reveal=True).to_dict()
    path = data.draw(st.sampled_from(list(places(content))))
    twin = changed(content, path, data.draw(JUNK))
    if path[:1] not in (("names",), ("started",), ("annotations",)):
        if twin != content:
            refusal(twin, kind)
        return
    with contextlib.suppress(sv.RecordError):
        assert kind.from_dict(twin).to_dict() == twin
