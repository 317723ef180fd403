"""The published JSON Schemas accept whatever the loaders accept, and refuse what is no record by its shape."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import savanna as sv
from savanna import game as module
from tests.support.game_records import ODD, VARIANTS, changed, places, played, whole_game
from tests.support.paths import DATA

WHOLE = whole_game(sv.Rules(players=3, mice=True), 11)
SCHEMAS: dict[type[Any], Any] = {
    sv.Game: jsonschema.Draft202012Validator(module.schema()),
    sv.PublicGame: jsonschema.Draft202012Validator(module.schema(public=True)),
}

SHAPES: list[Any] = [..., None, True, -1, 1.5, 10**17, "", "x", "zebra c9", "\x00", [], ["x"] * 30, {}, {"x": 1}]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_schemas_are_valid_and_accept_all_that_is_written(kind: type[Any]) -> None:
    validator = SCHEMAS[kind]
    jsonschema.Draft202012Validator.check_schema(validator.schema)
    count = 0
    for rules in (*VARIANTS, ODD):
        for game in played(rules, 12, seed=8, first=9):
            validator.validate(json.loads((game if kind is sv.Game else game.public()).to_json()))
            count += 1
        start = sv.Game(game.position, ["A b", "ゼブラ", "C", "D"][: rules.players])
        start.annotate(0, "x\n")
        validator.validate((start if kind is sv.Game else start.public(annotations=True)).to_dict())
    assert count == 108


@pytest.mark.parametrize("kind", SCHEMAS)
def test_schema_and_loader_agree_on_the_shape(kind: type[Any]) -> None:
    """Records with one wrong value: what the loader accepts, the schema does; what no play can tell, both refuse."""
    game = sv.Game(WHOLE.positions[18])
    for move in WHOLE.moves[18:]:
        game.play(move)
    game.annotate(2, "x")
    content = game.to_dict() if kind is sv.Game else game.public(annotations=True, reveal=True).to_dict()
    both, loader_only = 0, set()
    for path in places(content):
        for value in SHAPES:
            twin = changed(content, path, value)
            try:
                kind.from_dict(twin)
                loads = True
            except sv.RecordError:
                loads = False
            valid = SCHEMAS[kind].is_valid(twin)
            assert valid or not loads, (path, value)
            both += not valid and not loads
            if valid and not loads:
                loader_only.add(path[0])
    assert both > 150
    # What follows from start and moves, and how many of them there are, only who plays the game again can tell.
    assert loader_only <= {"rules", "names", "started", "moves", "result", "plies", "revealed"}


REFUSED: list[tuple[tuple[Any, ...], Any]] = [
    (("comment",), "x"),
    (("version",), 3),
    (("rules",), "5p"),
    (("names",), ["A"] * 5),
    (("names",), ["A"]),
    (("names", 0), "x" * 101),
    (("names", 0), "a\nb"),
    (("started",), "2026-11-30 18:05"),
    (("annotations",), {"21": "x"}),
    (("annotations",), {"00": "x"}),
    (("annotations",), {"1": ""}),
    (("annotations",), {"1": "x" * 2001}),
    (("annotations",), {"1": "\x1b"}),
    (("result", "comment"), "x"),
    (("result", "scores"), [1]),
    (("result", "winners"), [4]),
]
ONLY: dict[type[Any], list[tuple[tuple[Any, ...], Any]]] = {
    sv.Game: [(("moves",), ["zebra c4"] * 21), (("moves", 0), "zebra b5"), (("start",), str(WHOLE.public().start))],
    sv.PublicGame: [
        (("start",), str(WHOLE.start)),
        (("plies",), [WHOLE.public().to_dict()["plies"][0]] * 21),
        (("plies", 0, "comment"), "x"),
        (("plies", 0, "space"), "b5"),
        (("plies", 0, "face"), "back"),
        (("plies", 0), {**WHOLE.public().to_dict()["plies"][0], "face": "lion", "animal": "zebra"}),
        (("plies", 0), {**WHOLE.public().to_dict()["plies"][0], "face": "front", "animal": None}),
        (("plies", 0, "lines"), [{"spaces": ["a5"], "total": 4, "points": [0, 0, 1]}]),
        (("plies", 0, "lines"), [{"spaces": ["a5", "c5", "d5"], "total": 4, "points": [0, 0, 1], "x": 1}]),
        (("revealed", "moves"), ["zebra c4"] * 21),
        (("revealed", "comment"), "x"),
    ],
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_schemas_refuse_what_is_no_record_by_its_shape(kind: type[Any]) -> None:
    content = WHOLE.to_dict() if kind is sv.Game else WHOLE.public(annotations=True, reveal=True).to_dict()
    assert SCHEMAS[kind].is_valid(content)
    for path, value in REFUSED + ONLY[kind]:
        assert not SCHEMAS[kind].is_valid(changed(content, path, value)), (path, value)


@pytest.mark.parametrize(("public", "kind"), [(False, sv.Game), (True, sv.PublicGame)])
def test_schemas_are_files_of_the_package_and_fresh_each_time(public: bool, kind: type[Any]) -> None:
    name = "public_schema.json" if public else "schema.json"
    text = (Path(module.__file__).parent / name).read_text("utf-8")
    assert json.loads(text) == module.schema(public)
    module.schema(public).clear()
    content = module.schema(public)
    record = (WHOLE.public() if public else WHOLE).to_dict()
    assert list(content["properties"]) == content["required"] == list(record)
    assert content["properties"]["format"]["const"] == record["format"]
    assert content["properties"]["version"]["const"] == record["version"] == (2 if public else 1)
    assert content["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_kept_records_are_valid() -> None:
    lines = [path.read_text("utf-8").splitlines() for path in sorted((DATA / "games").glob("*.jsonl"))]
    records = [json.loads(line) for it in lines for line in it]
    records += [json.loads(path.read_text("utf-8")) for path in sorted((DATA / "games").glob("*.json"))]
    assert len(records) == 8
    for record in records:
        SCHEMAS[sv.PublicGame if "public" in record["format"] else sv.Game].validate(record)
