"""Commands by Ray's workers give what they give by threads, and `savanna generate` writes what the function writes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from savanna import arena, distributed
from tests.support import ray_cluster
from tests.support.command import ENVIRONMENT, Terminal, assert_ctrl_c_is_130, refused, run

pytestmark = pytest.mark.rare

RULES = sv.Rules(players=3, mice=True)
THREE = ["--players", "3", "--mice"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Start a cluster and give the environment in which programs use it."""
    with ray_cluster.running() as cluster:
        yield {**ENVIRONMENT, **ray_cluster.VARIABLES, "RAY_ADDRESS": cluster.address}


def printed(environment: dict[str, str], *arguments: str) -> str:
    result = run(*arguments, env=environment)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_rollout(cluster: dict[str, str], tmp_path: Path) -> None:
    options = [*THREE, "--games", "40_000", "--seed", "7", "--policy", "soft-greedy"]
    expected = json.loads(json.dumps(sv.rollout(RULES, 40_000, seed=7, policy="soft-greedy").to_dict()))
    for _ in range(2):  # by workers, then from the directory
        arguments = ["rollout", *options, "--workers", "2", "--directory", str(tmp_path / "x")]
        report = json.loads(printed(cluster, *arguments, "--json"))
        assert {**report, **expected, "workers": 2, "rules": "3p,mice"} == report
    last = printed(cluster, *arguments).splitlines()[-1]
    assert last.startswith("40,000 games in ")
    assert last.endswith(", 2 workers)")
    assert " s of work: " in last
    assert " games/s each (" in last


def test_study_and_tournament(cluster: dict[str, str], tmp_path: Path) -> None:
    study = ["study", *THREE, "--games", "3000", "--workers", "2", "--directory", str(tmp_path / "x")]
    assert printed(cluster, *study) == f"{sv.study(RULES, games=3000)}\n"
    assert json.loads((tmp_path / "x.savanna" / "call.json").read_text())["call"] == "study"
    log, expected = tmp_path / "log", tmp_path / "expected"
    table = sv.tournament(arena.players_from_texts(["random", "greedy"]), rules=RULES, deals=4, log=expected)
    tournament = ["tournament", "random", "greedy", *THREE, "--deals", "4", "--workers", "2", "--log", str(log)]
    assert printed(cluster, *tournament) == f"{table}\n"
    assert log.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        pytest.param(
            ["--policy", "soft-greedy", "--games", "2100", "--recall"],
            {"policy": "soft-greedy", "games": 2100},
            marks=pytest.mark.rare,
        ),
        (["--player", "greedy", "--games", "3", "--seed", "5"], {"games": 3, "seed": 5}),
    ],
)
def test_generate(arguments: list[str], options: dict[str, Any], cluster: dict[str, str], tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    if "--player" in arguments:
        options = {**options, "players": arena.players_from_texts(["greedy"])}
    expected = distributed.generate(here, RULES, recall="--recall" in arguments, **options)
    command = ["generate", str(there), *arguments, "--workers", "2"]
    files = "1 file" if len(expected) == 1 else f"{len(expected)} files"
    assert printed(cluster, *command, "--rules", "3p,mice") == f"{there}: {files} of games\n"
    report = json.loads(printed(cluster, *command, *THREE, "--json"))  # all is there already
    assert report == {"files": [str(there / path.name) for path in expected]}
    assert [Path(path).read_bytes() for path in report["files"]] == [path.read_bytes() for path in expected]


def test_progress_on_a_terminal_and_ctrl_c(cluster: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in cluster.items():
        monkeypatch.setitem(ENVIRONMENT, name, value)
    for command, done in (
        (["rollout", "--games", "200_000"], "200000/200000"),
        (["tournament", "random", "greedy", "--deals", "4"], "8/8"),
    ):
        terminal = Terminal()
        process = terminal.start([*command, "--workers", "2"], stdout=subprocess.PIPE)
        while terminal.read():
            pass
        process.communicate()
        terminal.close()
        assert (process.returncode, done in terminal.seen.decode()) == (0, True)
    assert_ctrl_c_is_130(["tournament", "random", "greedy", "--deals", "500_000_000", "--workers", "2"], b"/1000000000")


BAD_INPUT = [
    (["rollout", "--workers", "0"], "workers must be 1 to 1000000, got 0"),
    (["rollout", "--workers", "two"], "'two' is not a whole number"),
    (["rollout", "--directory", "x"], "--directory is for --workers"),
    (["study", "--directory", "x"], "--directory is for --workers"),
    (["study", "--workers", "2", "--threads", "2"], "each of the --workers is one thread, leave out --threads"),
    (["tournament", "greedy", "random", "--workers", "2", "--threads", "2"], "leave out --threads"),
    (
        ["study", "--workers", "2", "--directory", "x", "--rules", "2p", "--rules", "3p"],
        "--directory is for one study, but --rules is there 2 times",
    ),
    (["generate"], "missing argument 'DIR'"),
    (["generate", "/dev/null", "--games", "5"], "directory /dev/null: File exists"),
    (["generate", "/nonexistent/x", "--games", "0"], "games must be 1 to 9007199254740992, got 0"),
    (["generate", "/nonexistent/x", "--rules", "2p", "--players", "3"], "--rules says it all, leave out --players"),
    (["generate", "/nonexistent/x", "--rules", "7p"], "--rules '7p': "),
    (["generate", "/nonexistent/x", "--player", "clever"], "unknown player 'clever'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(arguments, words)
    assert not Path("x").exists()


def test_without_ray_it_is_one_line() -> None:
    program = "import sys; sys.modules['ray'] = None; from savanna.cli import main; sys.exit(main())"
    for arguments in (["rollout", "--workers", "2"], ["generate", "/nonexistent/x"]):
        result = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, encoding="utf-8")
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr == "savanna: error: savanna.distributed needs Ray: pip install 'savanna-core[ray]'\n"


def test_what_plays_on_threads_loads_no_ray() -> None:
    program = "import sys; from savanna.cli import main; main(['rollout', '--games', '5']); print('ray' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", env=ENVIRONMENT)
    assert result.stdout.splitlines()[-1] == "False"
