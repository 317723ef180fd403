"""The commands `savanna show` and `savanna rules`: what they print, what a seat sees, pictures, errors."""

import random
import re
from importlib import resources
from pathlib import Path

import pytest

import savanna as sv
from savanna import reference as ref
from savanna import render
from tests.rules.test_hidden import truths, twin
from tests.support.command import ENVIRONMENT, START, refused, run
from tests.support.game_records import saved_games, whole_game
from tests.support.keyboard import keyboard, printed

pytestmark = pytest.mark.thin(3)

RULES = sv.Rules(players=3, mice=True)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_games(tmp_path_factory.mktemp("games"), RULES)


GAME = whole_game(RULES, 11)


# --------------------------------------------------------------------------------------------------------------- show


def test_it_shows_what_render_writes(saved: Path) -> None:
    position = sv.Position.parse(START)
    assert printed("show", START) == render.text(position)
    assert printed("show", START, "--seat", "1") == render.text(position.view(1))
    assert printed("show", str(position.view(1))) == render.text(position.view(1))
    for ply in (0, 7, 20):
        last = GAME.moves[ply - 1].space if ply else None
        here = GAME.positions[ply]
        expected = [render.text(it, last=last, names=GAME.names) for it in (here, here.view(2))]
        assert printed("show", str(saved), "--ply", str(ply)) == expected[0]
        lines = str(saved.with_name("games.jsonl"))
        assert printed("show", lines, "--game", "1", "--ply", str(ply), "--seat", "2") == expected[1]
    assert printed("show", str(saved)) == expected[0]


def test_it_shows_an_analysis_and_writes_pictures(tmp_path: Path) -> None:
    view = sv.Position.parse(START).view(0)
    analysis = sv.analyse(view, iterations=300)
    quick = ("--analyse", "--iterations", "300")
    assert printed("show", START, "--seat", "0", *quick) == render.text(view, analysis=analysis)
    path = tmp_path / "picture.svg"
    assert printed("show", START, *quick, "--svg", str(path)) == ""
    assert path.read_text(encoding="utf-8") == render.svg(sv.Position.parse(START), analysis=analysis)
    assert "best moves by " in printed("show", START, "--analyse", "--seconds", "0.05")


def test_a_seat_is_shown_the_same_of_every_twin() -> None:
    rng, seen = random.Random(1), 0
    for truth in truths("2p", 1)[9:15:3]:
        seat = ref.Position.parse(truth).seat
        assert seat is not None
        other = twin(truth, seat, rng)
        options = ("--seat", str(seat), "--analyse", "--iterations", "200")
        assert other != truth
        assert printed("show", truth, *options) == printed("show", other, *options)
        seen += 1
    assert seen == 2


def test_games_are_shown_in_whatever_form_they_are_kept(saved: Path, tmp_path: Path) -> None:
    public = tmp_path / "public.json"
    GAME.public(reveal=True, annotations=True).save(public)
    for ply in ("5", "20"):
        assert printed("show", str(public), "--ply", ply) == printed("show", str(saved), "--ply", ply)
    assert printed("replay", str(public)) == printed("replay", str(saved))
    log = tmp_path / "log"
    sv.tournament({"a": sv.players.Greedy(), "b": sv.players.Random()}, deals=1, seed=2, log=log)
    assert "a to move" in printed("show", str(log), "--game", "0", "--ply", "0")


# -------------------------------------------------------------------------------------------------------------- rules


def test_rules_are_those_of_the_package() -> None:
    text = resources.files("savanna").joinpath("rules.md").read_text(encoding="utf-8")
    assert printed("rules") == text
    assert {"published", "assumed", "Published", "Assumed"} & set(re.findall(r"\w+", text))
    with keyboard("rules", plain=False) as person:
        rest, code = person.end()
    assert code == 0
    assert "**" not in rest
    assert "The rules of Savanna Ten" in rest
    assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", rest).splitlines())) <= 80
    plain = run("rules", env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert plain.returncode == 0
    assert plain.stdout.isascii()


# ------------------------------------------------------------------------------------------------------------- errors

BAD_INPUT = [
    (["show"], "missing argument 'TEXT|FILE'"),
    (["show", "nonsense"], "'nonsense' is neither the text of a position or a view, nor a file"),
    (["show", ""], "'' is neither the text of a position or a view, nor a file"),
    (["show", "\x1b" * 5000], "is neither the text of a position or a view, nor a file"),
    (["show", "2p x"], "position text, character 3"),
    (["show", "seat=0 x"], "view text, character 7"),
    (["show", "/"], "/: not a regular file"),
    (["show", START, "--ply", "1"], "--ply is for files of games"),
    (["show", START, "--game", "1"], "--game is for files of games"),
    (["show", START, "--seat", "2"], "seat must be 0 to 1, got 2"),
    (["show", str(sv.Position.parse(START).view(1)), "--seat", "0"], "this is the view of seat 1"),
    (["show", str(sv.Position.parse(START).view(1)), "--analyse"], "seat 0 is to move"),
    (["show", START, "--iterations", "5"], "--iterations, --seconds and --threads are for --analyse"),
    (["show", START, "--analyse", "--iterations", "0"], "iterations must be 1 to 9007199254740992, got 0"),
    (["show", START, "--svg", "/nowhere/x.svg"], "/nowhere/x.svg: No such file or directory"),
    (["replay", "/nowhere/game"], "/nowhere/game: No such file or directory"),
    (["replay", "/dev/null"], "/dev/null: not a regular file"),
    (["rules", "more"], "more"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(arguments, words)


def test_games_that_cannot_be_shown(saved: Path, tmp_path: Path) -> None:
    lines = str(saved.with_name("games.jsonl"))
    refused(["replay", lines], "it holds more than one game, choose one by --game")
    refused(["replay", lines, "--game", "2"], "there is no game 2, it holds 2")
    refused(["replay", lines, "--game", "-1"], f"--game must be 0 to {10**15}, got -1")
    refused(["replay", str(saved), "--from", "21"], "--from must be 0 to 20, as many plies as the game has, got 21")
    refused(["replay", str(saved), "--seat", "3"], "seat must be 0 to 2, got 3")
    refused(["replay", str(saved), "--svg", str(saved)], "Not a directory")
    refused(["show", str(saved), "--ply", "21"], "ply must be 0 to 20, got 21")
    hidden, broken = tmp_path / "public.json", tmp_path / "broken.json"
    GAME.public().save(hidden)
    refused(["replay", str(hidden)], "it is a public record, in which hands and Lions are not revealed")
    broken.write_text(saved.read_text(encoding="utf-8").replace('"version": 1', '"version": 2'), encoding="utf-8")
    refused(["show", str(broken)], "version: must be 1, got 2")
