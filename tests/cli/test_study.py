"""The command `savanna study`: its tables, its JSON, comparisons, pictures, progress bar, Ctrl-C and errors."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import savanna as sv
from savanna import arena
from savanna.studies import compare
from tests.support.command import ENVIRONMENT, Terminal, assert_ctrl_c_is_130, refused, run

pytestmark = pytest.mark.thin(3)


def test_it_is_what_the_function_returns() -> None:
    options = ["--players", "3", "--mice", "--policy", "soft-greedy", "--games", "500", "--seed", "8", "--threads", "2"]
    shown, as_json = run("study", *options), run("study", *options, "--json")
    assert (shown.returncode, shown.stderr, as_json.returncode, as_json.stderr) == (0, "", 0, "")
    study = sv.study(sv.Rules(players=3, mice=True), games=500, seed=8, policy="soft-greedy")
    assert shown.stdout == f"{study}\n"
    assert json.loads(as_json.stdout) == study.to_dict()


def test_players_by_name() -> None:
    names = ["greedy", "random", "greedy"]
    arguments = [word for name in names for word in ("--player", name)]
    result = run("study", *arguments, "--players", "4", "--team-game", "--games", "10")
    assert (result.returncode, result.stderr) == (0, "")
    rules = sv.Rules(players=4, team_game=True)
    assert result.stdout == f"{sv.study(rules, players=arena.players_from_texts(names), games=10)}\n"
    assert "greedy #2" in result.stdout


def test_rules_side_by_side() -> None:
    texts = ["3p", "3p,bonus=0", "2p,influence=2.3.4.5.1.9,target=11,points=2.1.4,absent"]
    options = [word for text in texts for word in ("--rules", text)]
    result = run("study", *options, "--games", "300")
    studies = [sv.study(sv.Rules.parse(text), games=300) for text in texts]
    assert (result.returncode, result.stderr, result.stdout) == (0, "", f"{compare(studies)}\n")
    assert json.loads(run("study", *options, "--games", "300", "--json").stdout) == compare(studies).to_dict()
    alone = run("study", "--rules", texts[2], "--games", "300")
    assert alone.stdout == f"{studies[2]}\n"


def test_tables_are_printed_where_little_can_be_printed() -> None:
    result = run("study", "--games", "100", env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()
    assert result.stdout == f"{sv.study(games=100)}\n".replace("±", "~")


@pytest.mark.parametrize("name", ["all.svg", "all.PNG"])
def test_a_picture_is_written_without_a_display(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    env = {key: value for key, value in ENVIRONMENT.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND")}
    result = run("study", "--games", "100", "--plot", str(path), env=env)
    assert (result.returncode, result.stderr) == (0, "")
    if name.endswith("svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    else:
        assert path.read_bytes().startswith(b"\x89PNG\r\n")


def test_progress_bar_on_a_terminal() -> None:
    terminal = Terminal()
    process = terminal.start(["study", "--games", "40_000", "--threads", "1"], stdout=subprocess.PIPE)
    while terminal.read():
        pass
    output, _ = process.communicate()
    terminal.close()
    assert process.returncode == 0
    assert b"40,000 games" in output
    assert "40000/40000" in terminal.seen.decode()


def test_ctrl_c_is_130() -> None:
    assert_ctrl_c_is_130(["study", "--games", str(10**12), "--threads", "2"], b"/1000000000000")


BAD_INPUT = [
    (["--players", "5"], "players must be 2 to 4, got 5"),
    (["--games", "0"], "games must be 1 to 9007199254740992, got 0"),
    (["--games", "many"], "'many' is not a whole number"),
    (["--rules", "5p"], "5"),
    (["--rules", "3p", "--rules", "3p,bonus=2"], "--rules '3p,bonus=2': rules text, character 2: expected the end"),
    (["--rules", "3p", "--mice", "--players", "3"], "--rules says it all, leave out --players and --mice"),
    (["--policy", "clever"], "policy must be one of uniform, soft-greedy, keen-greedy, got 'clever'"),
    (["--player", "clever"], "unknown player 'clever', known are random"),
    (["--player", "random", "--policy", "uniform"], "games are played by players or by a policy, not both"),
    (["--plot", "study.txt"], "--plot must name a file that ends in .svg, .png or the like, got 'study.txt'"),
    (["--plot", "/nowhere/study.svg"], "--plot: there is no folder '/nowhere'"),
    (["--plot", "a.svg", "--rules", "2p", "--rules", "3p"], "--plot draws one study, but --rules is there 2 times"),
    (["extra"], "extra"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(["study", *arguments], words)


def test_a_picture_without_matplotlib() -> None:
    program = "import sys; sys.modules['matplotlib'] = None; from savanna.cli import main; sys.exit(main())"
    result = subprocess.run(
        [sys.executable, "-c", program, "study", "--plot", "a.svg"], capture_output=True, encoding="utf-8", check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    wanted = "savanna: error: --plot: plots need Matplotlib: pip install 'savanna-core[plot]'\n"
    assert result.stderr == wanted
