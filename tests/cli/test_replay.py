"""The command `savanna replay`: every ply and what is told of it, what a seat saw, keys, pictures."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import savanna as sv
from savanna import render
from tests.support.command import START
from tests.support.game_records import saved_games, whole_game
from tests.support.keyboard import CLEAR, FIRST_SCREEN, HOW, OTHER_SCREEN, keyboard, printed

pytestmark = pytest.mark.thin(3)

RULES = sv.Rules(players=3, mice=True)
GAME = whole_game(RULES, 11)
PROMPT = "q: end "


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_games(tmp_path_factory.mktemp("games"), RULES)


def test_every_ply_is_printed_where_nobody_can_answer(saved: Path) -> None:
    text = printed("replay", str(saved))
    assert printed("replay", str(saved.with_name("games.jsonl")), "--game", "1", "--all") == text
    plies = re.split(r"^(?=Ply \d+ of 20$)", text, flags=re.M)[1:]
    assert len(plies) == 21
    for ply, shown in enumerate(plies):
        heading, _, rest = shown.partition("\n")
        assert heading == f"Ply {ply} of 20"
        last = GAME.moves[ply - 1].space if ply else None
        assert render.text(GAME.positions[ply], last=last, names=GAME.names) in rest
        if ply:
            mover = ("Ann", "ゼブラ", 'B"o\\')[(ply - 1) % 3]
            assert rest.startswith(f"{mover}: {GAME.moves[ply - 1]}")
    assert "    | so it begins\n    | now\n" in plies[0]
    assert "    | 🦁\n" in plies[20]
    for name, score in zip(GAME.names, GAME.scores, strict=True):
        told = sum(map(int, re.findall(rf"^    \S.* = \d+, .*{re.escape(name)} \+(\d+)", text, re.M)))
        assert told == score - 2 * (name == GAME.names[2])
        assert f"    {name}: {score} points" in plies[20]
    assert printed("replay", str(saved), "--from", "19") == "".join(plies[19:])


def test_a_replay_for_a_seat_shows_no_other_animals_under_lions(tmp_path: Path) -> None:
    """Two games that look the same to seat 0, who is shown the same of both."""
    letters = {"m": "monkey", "z": "zebra", "g": "giraffe", "e": "elephant"}
    texts = []
    for theirs in ("mmzgzmmgez", "zgmzmmmgez"):
        decks = [[letters[letter] for letter in deck] for deck in ("mzgzemmmzg", theirs)]
        game = sv.Game(sv.Position.from_decks(sv.Rules(), decks), ["Ann", "Bo"])
        for space, other in (("a5", "c5"), ("d5", "e5"), ("a4", "b4")):
            game.play(f"{game.position.hands[0][0]} {space}")
            game.play(f"{game.position.hands[1][0]} lion {other}")
        path = tmp_path / "game.json"
        game.save(path)
        texts.append((printed("replay", str(path), "--seat", "0"), printed("replay", str(path))))
    assert texts[0][0] == texts[1][0]
    assert texts[0][1] != texts[1][1]
    assert "Bo: lion c5" in texts[0][0]


def test_keys_lead_through_a_replay(saved: Path) -> None:
    with keyboard("replay", str(saved), "--from", "3") as person:
        at = 3
        person.wait(PROMPT)
        for keys, ply in (
            *(("\n", 4), (" ", 5), ("n", 6), ("p", 5), ("\x1b[C", 6), ("\x1b[D", 5), ("12\n", 12), ("1\x7f9\n", 9)),
            *(("0\n", 0), ("p", 0), ("99\n", 20), ("n", 20), ("7p", 19), ("x", 19)),
        ):
            person.press(keys)
            if keys == "x":
                continue
            told = person.wait(f"[{ply}/20]")
            assert f"Ply {ply} of 20" in told
            person.wait(PROMPT)
            at = ply
        person.press("q")
        _, code = person.end()
        assert (code, person.termios(), at) == (0, person.settings, 19)
    assert person.seen.count(OTHER_SCREEN) == person.seen.count(FIRST_SCREEN) == 1
    assert person.seen.startswith(OTHER_SCREEN + CLEAR)


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_a_replay_that_is_stopped_leaves_the_terminal_as_it_was(saved: Path, key: str) -> None:
    with keyboard("replay", str(saved), rows=24, plain=False) as person:
        told = person.wait(PROMPT)
        assert told.count("\n") < 24
        person.press(key)
        rest, code = person.end()
        assert (code, person.termios()) == (130 if key == "\x03" else 0, person.settings)
    assert person.seen.count(FIRST_SCREEN) == 1
    assert rest.endswith("savanna: interrupted\n") is (key == "\x03")


def test_all_is_printed_on_a_terminal_if_wanted(saved: Path) -> None:
    with keyboard("replay", str(saved), "--all", "--from", "18") as person:
        rest, code = person.end()
    assert (code, rest) == (0, printed("replay", str(saved), "--from", "18"))


def test_pictures_of_every_ply(saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    assert printed("replay", str(saved), "--svg", str(folder), "--seat", "1", "--from", "5") == ""
    assert sorted(path.name for path in folder.iterdir()) == [f"ply-{ply:02}.svg" for ply in range(5, 21)]
    for ply in range(5, 21):
        text = (folder / f"ply-{ply:02}.svg").read_text(encoding="utf-8")
        assert ElementTree.fromstring(text).tag.endswith("svg")
        view = GAME.positions[ply].view(1)
        assert text == render.svg(view, last=GAME.moves[ply - 1].space, names=GAME.names)


def test_what_was_played_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with keyboard("play", "greedy", "--position", START, "--save", str(path)) as person:
        person.enter("lion c4", HOW)
        person.wait(HOW)
    assert "Red: monkey lion c4, no line filled\n" in printed("replay", str(path))
