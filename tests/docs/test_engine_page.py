"""What the manual says of the engine process is so: its session, its tables, its clients, and the schema."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import savanna as sv
from savanna import rpc as module
from savanna.rpc import ErrorCode, methods, protocol, schema
from tests.support.both_engines import views_of_all_games
from tests.support.doc_blocks import read_blocks
from tests.support.engine_process import VALIDATORS, Engine
from tests.support.paths import DOCS, ROOT

PAGE = DOCS / "engine.md"
TEXT = PAGE.read_text(encoding="utf-8")
VIEW = sv.Position.deal(sv.Rules(), seed=7).view(0)
ENVIRONMENT = {**os.environ, "SAVANNA": f"{sys.executable} -m savanna"}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading."""
    section = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


# ------------------------------------------------------------------------------------------------------------ the page


def test_the_session_of_the_page_is_what_the_engine_says() -> None:
    session, _ = [block.text for block in read_blocks(PAGE) if block.language == "text"]
    steps = re.findall(r"^(-->|<--) (.*)$", session, flags=re.MULTILINE)
    assert len(steps) == len(session.splitlines()) >= 16
    expected: list[Any] = []
    with Engine(starts=False) as engine:

        def compare() -> None:
            # Long work may be answered before or after what is answered meanwhile.
            got = [engine.read() for _ in expected]
            assert sorted(got, key=str) == sorted(expected, key=str)
            expected.clear()

        for direction, text in steps:
            content = json.loads(re.sub('"engine":"[^"]*"', f'"engine":"{sv.__version__}"', text))
            if direction == "<--":
                expected.append(content)
            else:
                compare()
                engine.send(content)
        compare()
        assert engine.close() == ([], 0, b"")


def written(view: sv.View) -> str:
    """Write a view as the page says."""
    letters = {animal.lower(): letter for letter, animal in re.findall(r"`(\w)` for (\w+)", TEXT)}
    assert list(letters) == ["monkey", "zebra", "giraffe", "elephant", "mouse"]

    def tile(space: str) -> str:
        if space not in view.board:
            return "."
        seat, animal, face = view.board[space]
        letter = letters[animal] if animal else "?"
        return f"{seat}{letter.upper() if face == 'lion' else letter}"

    def by_seat(texts: list[str]) -> str:
        return "/".join(text or "-" for text in texts)

    hands = ["?" * size for size in view.hand_sizes]
    if view.seat is not None:
        hands[view.seat] = "".join(letter for animal, letter in letters.items() for each in view.hand if each == animal)
    ranks = ["".join(tile(space) for space in sv.SPACES if space[1] == rank) for rank in "54321"]
    decks = ["?" * size for size in view.deck_sizes]
    viewer = "-" if view.seat is None else view.seat
    scores = "/".join(str(score) for score in view.scores)
    return f"seat={viewer} {view.rules} {'/'.join(ranks)} {by_seat(hands)} {by_seat(decks)} {scores}"


def test_views_are_written_as_the_page_says() -> None:
    _, example = [block.text.strip() for block in read_blocks(PAGE) if block.language == "text"]
    seen = sv.View.parse(example)
    mine, theirs = sv.Placed(1, "mouse", "lion"), sv.Placed(2, None, "lion")
    assert (seen.seat, seen.board) == (1, {"c4": sv.Placed(0, "giraffe", "front"), "c2": mine, "e1": theirs})
    table = rows("The text of a view")
    assert [row[0] for row in table[:2]] == [f"`{part}`" for part in example.split()[:2]]
    over = sv.Position.deal(sv.Rules(players=3), seed=1)
    while over.seat is not None:
        over = over.play(over.legal_moves()[0])
    views = [*views_of_all_games(), over.view(0), over.view(2), over.public(), seen]
    views += [sv.Position.deal(rules, 1).public() for rules in (sv.Rules(), sv.Rules(players=4, team_game=True))]
    assert [written(view) for view in views] == [str(view) for view in views]


def test_the_example_of_progress_is_one() -> None:
    (shown,) = [json.loads(block.text) for block in read_blocks(PAGE) if block.language == "json"]
    VALIDATORS["progress"].validate(shown)


def test_the_table_of_methods_has_all_methods_and_their_parameters_in_order() -> None:
    said = {row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in rows("Methods")}
    known = {name: list(method.parameters.checks) for name, method in methods.METHODS.items()}
    known |= {name: list(parameters.checks) for name, parameters in methods.CONTROL.items()}
    assert said == known
    assert len(said) == 11


def test_the_table_of_errors_has_all_codes() -> None:
    assert [(int(row[0]), row[1].strip("`")) for row in rows("Errors")] == [(it.value, it.name) for it in ErrorCode]


def test_numbers_of_the_page_are_those_of_the_code() -> None:
    for words in (
        f"longer than {protocol.LONGEST_LINE:,} bytes",
        f"At most {methods.LONGEST_QUEUE} long requests",
        f"A batch has at most {protocol.LONGEST_BATCH} messages",
        f"by default {sv.players.Champion().iterations:,}",
    ):
        assert words in TEXT


def test_public_names_are_documented() -> None:
    for name in module.__all__:
        text = getattr(module, name).__doc__
        assert text.strip().endswith(".") or name == "PROTOCOL_VERSION"
    assert isinstance(module.PROTOCOL_VERSION, int)


# ---------------------------------------------------------------------------------------------------------- the clients


@pytest.mark.parametrize("client", [[sys.executable, "engine_client.py"], ["sh", "engine_client.sh"]], ids=["py", "sh"])
def test_clients_play_the_move_of_the_engine(client: list[str]) -> None:
    assert len((ROOT / "examples" / client[1]).read_text(encoding="utf-8").splitlines()) < 45
    late = sv.Position.deal(sv.Rules(players=3, mice=True), seed=2)
    while late.ply < 18:
        late = late.play(late.legal_moves()[0])
    for view in (VIEW, late.view(late.seat or 0)):
        result = subprocess.run(
            [*client, str(view)],
            cwd=ROOT / "examples",
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (result.stdout, result.stderr) == (f"{sv.analyse(view, iterations=2000).best}\n", "")


def test_the_client_in_python_asks_for_many_views() -> None:
    views = [str(VIEW), str(sv.Position.deal(sv.Rules(players=4), seed=1).view(0))]
    program = [sys.executable, str(ROOT / "examples" / "engine_client.py"), *views]
    result = subprocess.run(program, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    best = [sv.analyse(sv.View.parse(view), iterations=2000).best for view in views]
    assert result.stdout.split("\n") == [*map(str, best), ""]


@pytest.mark.parametrize("view", ["seat=0 2p nonsense", "2p", "seat=0"])
def test_clients_tell_what_is_wrong(view: str) -> None:
    for client in ([sys.executable, "engine_client.py"], ["sh", "engine_client.sh"]):
        result = subprocess.run(
            [*client, view], cwd=ROOT / "examples", env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        said = result.stdout + result.stderr
        assert len(said.splitlines()) == 1
        assert re.search("expected|found", said), said


# ----------------------------------------------------------------------------------------------------------- the schema


def test_the_schema_is_valid_a_file_of_the_package_and_fresh_each_time() -> None:
    content = schema()
    jsonschema.Draft202012Validator.check_schema(content)
    text = (Path(module.__file__).parent / "schema.json").read_text("utf-8")
    assert json.loads(text) == content
    schema().clear()
    assert schema() == content
    assert content["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_schema_knows_what_the_code_knows() -> None:
    defined = schema()["$defs"]
    names = [*methods.METHODS, *methods.CONTROL]
    assert defined["request"]["properties"]["method"]["enum"] == names
    assert [name for name in defined if name.endswith(".params")] == [f"{name}.params" for name in names]
    assert [name for name in defined if name.endswith(".result")] == [f"{name}.result" for name in names]
    assert defined["error"]["properties"]["code"]["enum"] == list(ErrorCode)
    assert defined["initialize.result"]["properties"]["versions"]["properties"]["protocol"]["const"] == 1
    for name in ("fromClient", "fromEngine"):
        assert defined[name]["anyOf"][-1]["maxItems"] == protocol.LONGEST_BATCH
    for name, method in methods.METHODS.items():
        known = {**defined[f"{name}.params"].get("properties", {})}
        if "$ref" in defined[f"{name}.params"]:
            known |= defined["budget"]["properties"]
        assert set(known) == set(method.parameters.checks)


WRONG: list[tuple[str, Any]] = [
    ("fromClient", []),
    ("fromClient", {"jsonrpc": "2.0", "id": 1}),
    ("fromClient", {"jsonrpc": "2.0", "id": 1, "method": "setView"}),
    ("fromClient", {"jsonrpc": "2.0", "id": 1, "method": "setView", "params": {}}),
    ("fromClient", {"jsonrpc": "2.0", "id": 1, "method": "legalMoves", "params": {"x": 1}}),
    ("fromClient", {"jsonrpc": "2.0", "id": True, "method": "legalMoves"}),
    ("analyse.params", {"seconds": 1, "iterations": 1}),
    ("analyse.params", {"games": 1}),
    ("bestMove.params", {"top": 1}),
    ("setView.params", {"view": str(sv.Position.deal(sv.Rules(), 1))}),
    ("newGame.params", {"rules": {"deck": {"lion": 1}}}),
    ("fromEngine", {"jsonrpc": "2.0", "id": 1}),
    ("fromEngine", {"jsonrpc": "2.0", "id": 1, "result": None, "error": {"code": -32700, "message": "x"}}),
    ("fromEngine", {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "x"}}),
    ("fromEngine", {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "x"}}),
    ("fromEngine", {"jsonrpc": "2.0", "result": None}),
    ("bestMove.result", {"move": "zebra c4", "action": 200}),
    ("bestMove.result", {"move": "zebra", "action": 1}),
]


@pytest.mark.parametrize(("name", "content"), WRONG)
def test_the_schema_refuses_what_is_no_message(name: str, content: Any) -> None:
    assert not VALIDATORS[name].is_valid(content)
