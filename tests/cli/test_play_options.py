"""How `savanna play` looks on terminals of any size, with colours and in ASCII, and which options are refused."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.command import ENVIRONMENT, SAVANNA, START, refused
from tests.support.keyboard import HOW, keyboard, piped

# ------------------------------------------------------------------------------------------------------------ the looks


@pytest.mark.parametrize("rows", [24, 40])
def test_a_board_fits_the_screen(rows: int) -> None:
    with keyboard("play", "greedy", "--position", START, rows=rows) as person:
        person.enter("lion c4", HOW)
        told = person.wait(HOW).split("\n")
        assert len(told) <= rows
        assert max(map(len, told)) <= 80
        assert ("sum  points" in "\n".join(told)) is (rows == 40)
        person.enter("board", "")
        assert "sum  points" in person.wait(HOW)


def test_colours_are_for_terminals() -> None:
    with keyboard("play", "greedy", "--position", START, plain=False) as person:
        person.wait(HOW)
        assert b"\x1b[1;38;5;" in person.seen or b"\x1b[1m" in person.seen
    with keyboard("play", "greedy", "--position", START) as person:
        person.wait(HOW)
        assert b"\x1b" not in person.seen


def test_it_can_be_read_in_ascii() -> None:
    told = piped(["lion c4", "hint"], "human:\u00c4nn", "--position", START, encoding="ascii")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.isascii()
    assert "|o 0    6 |" in told.stdout
    assert "+---------+" in told.stdout


# ------------------------------------------------------------------------------------------------------------- options

BAD_INPUT = [
    (["play", "bogus"], "unknown player 'bogus', known are random, greedy, flat, soft-greedy, ismcts, champion, human"),
    (["play", "human:"], "a player's name must have 1 to 100 characters, got ''"),
    (["play", "human:greedy", "human"], "a person cannot be called 'greedy', as that is a player"),
    (["play", "human:\x1b[2J", "human"], "a player's name must not have U+001B at place 0, a control character"),
    (["play", "greedy", "--players", "5"], "5"),
    (["play", "greedy", "greedy", "--players", "4"], "3 opponents are needed, or one name for all of them, got 2"),
    (["play", "human", "human", "--players", "3"], "3 players need 3 names, one for each seat, got 2"),
    (["play", "human", "human", "--seat", "1"], "--seat is for one person against others"),
    (["play", "greedy", "--seat", "2"], "--seat must be 0 to 1, got 2"),
    (["play", "greedy", "--seat", "-1"], "--seat must be 0 to 1, got -1"),
    (["play", *["greedy"] * 4], "there are at most 4 players, got 5"),
    (["play", *["human"] * 9], "there are at most 4 players, got 9"),
    (["play", "--seed", "x"], "'x' is not a whole number"),
    (["play", "--seed", "-1"], "seed must be 0 to 18446744073709551615, got -1"),
    (["play", "--team-game", "--players", "2"], "players"),
    (["play", "--rules", "5p"], "rules text"),
    (["play", "--rules", "2p", "--mice"], "--rules brings its own rules, leave out --mice"),
    (["play", "--position", "x"], "position text, character 0"),
    (["play", "--position", START, "--seed", "3"], "--position brings its own deal, leave out --seed"),
    (["play", "--position", START, "--rules", "2p"], "--position brings its own rules, leave out --rules"),
    (["play", "--load", "/nowhere/game"], "/nowhere/game: No such file or directory"),
    (["play", "--load", "/"], "/: not a regular file"),
    (["play", "--load", "x", "--players", "3"], "--load brings its own deal, leave out --players"),
    (["play", "--save", "/nowhere/game"], "/nowhere/game: No such file or directory"),
    (["play", "--save", "/"], "'/' is there already"),
    (["play", "--save", "\u202e/x"], "No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(arguments, words)


@pytest.mark.parametrize(("redirection", "what"), [("<&-", "input"), (">&-", "output")])
def test_closed_ends_are_told_in_one_line(redirection: str, what: str) -> None:
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *SAVANNA, "play", "greedy"]
    result = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"savanna: error: standard {what} is closed\n"


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps("precious"))
    refused(["play", "--save", str(path)], "is there already; choose another name, or go on with it by --load")
    assert f"{str(path)[:30]}" in piped([f"save {path}"], "greedy", "--position", START).stdout
    assert path.read_text() == json.dumps("precious")
