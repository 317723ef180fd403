"""Names of real people are read by every version of Python, and loader and schema agree on each character."""

import ast
import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import savanna as sv
from savanna import characters, game, render
from savanna.names import checked_name, is_name
from tests.support.full import count

GAME = sv.Game(sv.Position.deal(sv.Rules(), seed=3))
RECORD = json.loads(GAME.to_json())
PEOPLE = {
    "ideographic space": "山田　太郎",
    "no-break space": "Jean\xa0Dupont",
    "zero width non-joiner": "می‌خواهم",
    "emoji that are joined": "\U0001f468‍\U0001f469‍\U0001f467",
    "an emoji with a variation selector": "❤️ Ann",
    "combining marks": "Zoé",
    "from right to left": "דנה‏",
    "a flag of tags": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "an emoji that Python 3.11 does not know": "\U0001fae8",
    "a sign that no Python knows yet": "㌀\U000323b0\U0001faff",
    "signs of private use": "\ue000",
}
DANGEROUS = {
    "Bo\x1b[2J": "U+001B at place 2, a control character",
    "a\tb": "U+0009 at place 1, a control character",
    "a\n": "U+000A at place 1, a control character",
    "\x85a": "U+0085 at place 0, a control character",
    "a\u2028b": "U+2028 at place 1, a separator of lines",
    "ab\u202egnp": "U+202E at place 2, a control of the direction of writing",
    "\u2067a": "U+2067 at place 0, a control of the direction of writing",
    "a\ud800": "U+D800 at place 1, half of a surrogate pair",
    "\ufffe": "U+FFFE at place 0, not a character of text",
}


def record(name: str) -> dict[str, Any]:
    return {**RECORD, "names": ["Ann", name]}


@cache
def schema_of_names() -> Any:
    """Return the check of a name alone, from the schema of records."""
    return jsonschema.Draft202012Validator(game.schema()["properties"]["names"]["items"])


@pytest.mark.parametrize("name", PEOPLE.values(), ids=PEOPLE)
def test_people_write_their_names_as_they_are(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = sv.Game(GAME.start, names=["Ann", name])
    played.save(path)
    assert sv.Game.load(path).names == ("Ann", name)
    assert sv.PublicGame.from_json(played.public().to_json()).names == ("Ann", name)
    jsonschema.validate(json.loads(path.read_bytes()), game.schema())
    assert characters.without_dangers(name) in render.svg(GAME.start, names=["Ann", name])
    log = tmp_path / "log"
    sv.tournament({name: sv.players.Greedy(), "Bo": sv.players.Random(seed=1)}, deals=1, log=log)
    assert name in sv.Tournament.load(log).players


@pytest.mark.parametrize(("name", "why"), DANGEROUS.items(), ids=ascii)
def test_what_is_dangerous_is_named_with_its_place(name: str, why: str) -> None:
    with pytest.raises(sv.SavannaError, match=re.escape(f"a player's name must not have {why}, got ")) as caught:
        checked_name(name)
    assert str(caught.value).isprintable()
    with pytest.raises(sv.SavannaError, match=re.escape(why)):
        sv.Game.from_json(json.dumps(record(name)))


@pytest.mark.parametrize("name", ["", " ", "　", "‍‌", "ㅤ", "\ufeff", "x" * 101])
def test_a_name_can_be_seen_and_is_short(name: str) -> None:
    assert not is_name(name)
    assert not schema_of_names().is_valid(name)


def test_loader_and_schema_agree_on_every_character() -> None:
    """Each alone, and each within a name."""
    by_schema = schema_of_names().schema
    visible, dangerous = re.compile(by_schema["pattern"]), re.compile(by_schema["not"]["pattern"])
    for number in [*range(0x10000), *range(0x10000, 0x110000, count(101, 1))]:
        for text in (chr(number), f"A{chr(number)}"):
            assert is_name(text) == (visible.search(text) is not None and dangerous.search(text) is None), hex(number)


@given(st.text(st.one_of(st.characters(codec=None), st.sampled_from("a\n\t　‍\u202e\u2066\ud800\ufeff")), max_size=102))
def test_loader_and_schema_agree_on_names(name: str) -> None:
    try:
        loaded = sv.Game.from_json(json.dumps(record(name))).names[1] == name
    except sv.RecordError:
        loaded = False
    schema = jsonschema.Draft202012Validator(game.schema())
    assert schema.is_valid(record(name)) == loaded == schema_of_names().is_valid(name)


@given(
    st.text(st.one_of(st.characters(codec=None), st.sampled_from("a\n\t\r\u202e\u2028\ud800")), min_size=1, max_size=20)
)
def test_loader_and_schema_agree_on_remarks(remark: str) -> None:
    content = {**RECORD, "annotations": {"0": remark}}
    try:
        loaded = sv.Game.from_json(json.dumps(content)).annotations == {0: remark}
    except sv.RecordError:
        loaded = False
    assert jsonschema.Draft202012Validator(game.schema()).is_valid(content) == loaded


def test_tables_measure_columns() -> None:
    """Wide and joined signs keep the columns straight: counted by hand, a Han sign is two columns wide."""
    names = ["山田　太郎", "\U0001f468‍\U0001f469‍\U0001f467", "Zoe\u0301", "Bo"]
    assert [characters.columns(name) for name in names] == [10, 2, 3, 2]
    result = sv.tournament({name: sv.players.Random(seed=i) for i, name in enumerate(names)}, deals=1)
    lines = str(result).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("player"))
    pairs = lines[start + 2 : start + 2 + 6]
    assert {characters.columns(line[: line.index("     2   ")]) for line in pairs} == {10 + 2 + 7 + 1}


CONSULTING = {"isprintable", "isidentifier", "isalpha", "isalnum", "isnumeric"}
TABLES = {"category", "east_asian_width", "combining", "bidirectional"}


def test_no_version_of_python_decides_what_is_read_or_drawn() -> None:
    """The tables of Unicode that come with Python are asked for nothing but what Unicode promises never to change."""
    package = Path(sv.__file__).parent
    users = set()
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert not {call.attr for call in calls if isinstance(call, ast.Attribute)} & (CONSULTING | TABLES), path
        if any(isinstance(it, ast.Import) and it.names[0].name == "unicodedata" for it in ast.walk(tree)):
            users.add(str(path.relative_to(package)))
    assert users == {"render/letters.py", "cli/parse_move.py"}  # compatibility forms of signs that have long been there


def test_pictures_do_not_depend_on_the_tables_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pictured = [(draw, name) for draw in (render.svg, render.text) for name in PEOPLE.values()]
    before = [draw(GAME.start, names=["Ann", name]) for draw, name in pictured]
    for name in TABLES:
        monkeypatch.setattr(unicodedata, name, None)
    assert [draw(GAME.start, names=["Ann", name]) for draw, name in pictured] == before
