"""The command `savanna tournament`: its table, its JSON, its progress bar, its log after Ctrl-C, its errors."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import savanna as sv
from savanna import arena
from tests.support.command import SAVANNA, Terminal, refused, run

PLAYERS = ["random", "greedy", "flat:30"]


def test_it_is_what_the_function_returns(tmp_path: Path) -> None:
    options = [*PLAYERS, "--players", "3", "--mice", "--deals", "3", "--seed", "8", "--threads", "2"]
    shown, as_json = run("tournament", *options), run("tournament", *options, "--json", "--log", str(tmp_path / "log"))
    assert (shown.returncode, shown.stderr, as_json.returncode, as_json.stderr) == (0, "", 0, "")
    rules = sv.Rules(players=3, mice=True)
    result = sv.tournament(arena.players_from_texts(PLAYERS), rules=rules, deals=3, seed=8, log=tmp_path / "same")
    assert shown.stdout == f"{result}\n"
    assert json.loads(as_json.stdout) == json.loads(json.dumps(result.to_dict()))
    assert (tmp_path / "log").read_bytes() == (tmp_path / "same").read_bytes()
    assert result.ratings[-1].name == "random"


def test_teams_and_a_sequential_test() -> None:
    result = run("tournament", "greedy", "random", "--players", "4", "--team-game", "--sprt", "-20,100.5", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    facts = json.loads(result.stdout)
    assert (facts["rules"], facts["sprt"]["verdict"]) == ("4p,team", "H1")
    assert (facts["sprt"]["test"]["elo0"], facts["sprt"]["test"]["elo1"]) == (-20, 100.5)
    assert facts["sprt"]["deals"] < 100


def test_progress_bar_on_a_terminal() -> None:
    terminal = Terminal()
    process = terminal.start(["tournament", "random", "greedy", "--deals", "60"], stdout=subprocess.PIPE)
    while terminal.read():
        pass
    output, _ = process.communicate()
    terminal.close()
    assert process.returncode == 0
    assert b"120 games" in output
    text = terminal.seen.decode()
    assert re.search(r"games .*[\u2501\u257a\u2578].* [0-9]+%.* [0-9]+/120", text)
    assert "120/120" in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1


def test_ctrl_c_is_130_and_the_log_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "log"
    options = ["tournament", "random", "flat:300", "--seed", "4", "--log", str(path), "--deals", "60", "--threads", "2"]
    with subprocess.Popen([*SAVANNA, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not (path.exists() and path.read_bytes().count(b"\n") > 3):
            assert process.poll() is None
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, b"", b"savanna: interrupted\n")
    assert 3 < path.read_bytes().count(b"\n") < 121
    result = run(*options, "--resume")
    assert (result.returncode, result.stderr) == (0, "")
    sv.tournament(arena.players_from_texts(["random", "flat:300"]), deals=60, seed=4, log=tmp_path / "whole")
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()
    again = run(*options)
    assert again.returncode == 2
    assert again.stderr == f"savanna: error: log '{path}': it is there already, to be resumed or removed\n"


BAD_INPUT = [
    (["tournament"], "missing argument 'PLAYERS'"),
    (["tournament", "random"], "players must be 2 to 100 of different names, got 1"),
    (
        ["tournament", "random", "rand"],
        "unknown player 'rand', known are random, greedy, flat, soft-greedy, ismcts, champion",
    ),
    (["tournament", "random", "\x1b\n"], "unknown player"),
    (["tournament", "random", "greedy:5"], "player 'greedy:5' takes nothing after its name"),
    (["tournament", "random", "flat:much"], "player 'flat:much' needs a number or a time after its name"),
    (["tournament", "random", "flat:0"], "playouts must be 1 to 9007199254740992, got 0"),
    (["tournament", "random", "greedy", "--deals", "0"], "deals must be 1 to 9007199254740992, got 0"),
    (["tournament", "random", "greedy", "--deals", "x"], "'x' is not a whole number"),
    (["tournament", "random", "greedy", "--players", "5"], "5"),
    (["tournament", "random", "greedy", "--team-game"], "players"),
    (["tournament", "random", "greedy", "--resume"], "resume needs the log"),
    (["tournament", "random", "greedy", "--log", "/nowhere/log"], "log '/nowhere/log': No such file or directory"),
    (["tournament", "random", "greedy", "--log", "/"], "log '/': not a regular file"),
    (["tournament", "random", "greedy", "--sprt", "5"], "--sprt must be two numbers such as 0,50, got '5'"),
    (["tournament", "random", "greedy", "--sprt", "5,0"], "elo0 must be less than elo1"),
    (["tournament", "random", "greedy", "flat", "--sprt", "0,5"], "sprt needs two players and two teams"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(arguments, words)
