"""What people type, and files that went through Windows or Git: they mean what the person means."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import savanna as sv
from savanna.cli import parse_move, program
from tests.support.command import ENVIRONMENT, SAVANNA, START
from tests.support.game_records import whole_game

GAME = whole_game(sv.Rules(), 5)
LINE = f"{GAME.to_json()}\n".encode()
MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("text", ["m c4", "ｍ　ｃ４", "ＭＯＮＫＥＹ　Ｃ４", "ｍｃ４", "m，c4", "M:C4"])
def test_full_width_letters_and_spaces_are_moves(text: str) -> None:
    view = sv.Position.parse(START).view(0)
    assert parse_move.read_move(text, view) == sv.Move("monkey", "front", "c4")


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("save game.json", "game.json"),
        ("SAVE  my game.json", "my game.json"),
        ('save "my game.json"', "my game.json"),
        ("save 'my game.json'", "my game.json"),
        ("save “my game.json”", "my game.json"),
        ("save ~/game.json", "/home/ann/game.json"),
        ('save "~/my game.json"', "/home/ann/my game.json"),
        ("ｓａｖｅ　ｇａｍｅ.json", "ｇａｍｅ.json"),  # the name of a file is its owner's business
        ("save it's.json", "it's.json"),
        ('save "', '"'),
    ],
)
def test_names_of_files_at_the_prompt(line: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    word, rest = parse_move.split_command(line)
    assert (word, parse_move.read_path(rest)) == ("save", Path(path))


@pytest.mark.parametrize("rest", ["", '""'])
def test_an_empty_name_is_none(rest: str) -> None:
    with pytest.raises(sv.SavannaError, match="save needs the name of a file"):
        parse_move.read_path(rest)


def played(data: bytes, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Play a game with input from a file."""
    command = [*SAVANNA, "play", "human:Ann", "human:Bo", "--position", START]
    environment = {**ENVIRONMENT, "HOME": str(folder)}
    return subprocess.run(command, input=data, capture_output=True, env=environment, timeout=60, check=False)


def test_input_from_a_file_of_windows(tmp_path: Path) -> None:
    text = 'ｍ　ｃ４\r\nsave "~/my game.json"\r\nＱＵＩＴ\r\n'
    result = played(MARK + text.encode(), tmp_path)
    assert (result.returncode, result.stderr) == (0, b"")
    assert sv.Game.load(tmp_path / "my game.json").moves == (sv.Move("monkey", "front", "c4"),)
    result = played(text.encode("utf-16"), tmp_path)
    assert result.returncode == 2
    assert result.stderr == b"savanna: error: standard input: it is UTF-16; save it as UTF-8\n"


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "mark": lambda data: MARK + data,
    "windows": lambda data: data.replace(b"\n", b"\r\n"),
    "both": lambda data: MARK + data.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_records_that_went_through_windows(
    form: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    one, many, log = tmp_path / "one", tmp_path / "many", tmp_path / "log"
    one.write_bytes(FORMS[form](f"{GAME.to_json(indent=True)}\n".encode()))
    assert sv.Game.load(one) == GAME
    assert sv.Game.from_json(one.read_bytes()) == sv.Game.from_json(one.read_text(encoding="utf-8")) == GAME
    many.write_bytes(FORMS[form](LINE * 2))
    assert list(sv.Game.load_all(many)) == [GAME, GAME]
    sv.tournament([sv.players.Random(), sv.players.Greedy()], deals=1, seed=1, log=log)
    assert program.run(["convert", str(log)]) == 0
    games = capfdbinary.readouterr().out
    log.write_bytes(FORMS[form](log.read_bytes()))
    for path, content in ((one, LINE), (many, LINE * 2), (log, games)):
        assert program.run(["convert", str(path)]) == 0
        assert capfdbinary.readouterr().out == content


def test_positions_that_a_shell_took_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for text in (START, f"\ufeff{START}\r", f"{START}\r"):
        assert program.run(["show", text]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] == shown[2]
    assert program.run(["show", f"{START} "]) == 2
