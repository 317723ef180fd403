"""The command line, always as a process of its own: exit codes, streams, JSON, progress bar, Ctrl-C."""

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from tests.support.command import ENVIRONMENT, SAVANNA, START, Terminal, refused, run
from tests.support.timing import PATIENCE, let_work

pytestmark = pytest.mark.thin(4)

COMMANDS = (
    "rollout",
    "analyse",
    "bench",
    "convert",
    "engine",
    "generate",
    "play",
    "replay",
    "rules",
    "show",
    "study",
    "tournament",
)
ENDLESS = ["rollout", "--games", str(10**15), "--threads", "2"]


def run_json(*arguments: str) -> dict[str, Any]:
    result = run("rollout", *arguments, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    report: dict[str, Any] = json.loads(result.stdout, parse_constant=pytest.fail)
    return report


# What it prints


def test_version_is_that_of_the_package() -> None:
    result = run("--version")
    assert (result.returncode, result.stdout, result.stderr) == (0, f"savanna {sv.__version__}\n", "")


def test_the_installed_command_is_the_same_program() -> None:
    script = Path(sys.executable).with_name("savanna")
    result = subprocess.run([script, "--version"], capture_output=True, encoding="utf-8", check=False)
    assert (result.returncode, result.stdout) == (0, f"savanna {sv.__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_names_the_program_and_gives_an_example(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Usage: savanna ")
    assert re.search(rf"Examples:\n +savanna {arguments[0] if len(arguments) == 2 else 'rollout'}", result.stdout)


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_can_be_asked_for_by_a_letter(command: list[str]) -> None:
    long, short = (run(*command, option) for option in ("--help", "-h"))
    assert (short.returncode, short.stdout, short.stderr) == (0, long.stdout, "")


def test_help_lists_every_option() -> None:
    text = run("rollout", "--help").stdout
    options = re.findall(r"^  (?:-h, )?(--[a-z-]+)", text, flags=re.MULTILINE)
    assert options == [
        *(
            "--players",
            "--mice",
            "--team-game",
            "--rules",
            "--games",
            "--seed",
            "--threads",
            "--workers",
            "--directory",
            "--backend",
            "--policy",
            "--position",
        ),
        "--json",
        "--help",
    ]


def test_table_shows_each_team_and_the_rate() -> None:
    result = run("rollout", "--players", "3", "--games", "2000", "--seed", "5", "--threads", "1")
    assert (result.returncode, result.stderr) == (0, "")
    stats = sv.rollout(sv.Rules(players=3), games=2000, seed=5)
    assert "rules 3p, 2,000 random games from fresh deals, seed 5" in result.stdout
    for team in range(3):
        row = re.search(rf"^ *{team} +{team} +([0-9.]+) % +([0-9.]+) % +([0-9.]+) +([0-9.]+) *$", result.stdout, re.M)
        assert row is not None
        shown = [float(cell) for cell in row.groups()]
        expected = [
            100 * stats.win_share[team],
            100 * stats.win_stderr[team],
            stats.mean_score[team],
            stats.score_sd[team],
        ]
        assert shown == pytest.approx(expected, abs=0.00051)
    assert f"({stats.exact_tens:.3f} a game)" in result.stdout
    assert re.search(r"^2,000 games in [0-9.]+ s: [0-9,]+ games/s \([a-z0-9]+, 1 thread\)$", result.stdout, re.M)


def test_table_lists_the_seats_of_a_team() -> None:
    result = run("rollout", "--players", "4", "--team-game", "--games", "100")
    assert re.search(r"^ *0 +0, 2 ", result.stdout, re.M)
    assert re.search(r"^ *1 +1, 3 ", result.stdout, re.M)


def test_table_is_plain_ascii_where_nothing_else_can_be_printed() -> None:
    result = run("rollout", "--games", "100", env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("columns", ["1", "30", "60", "400"])
def test_no_figure_is_cut_however_narrow_the_terminal_is(columns: str) -> None:
    arguments = ["rollout", "--players", "4", "--team-game", "--games", "2000"]
    wide, narrow = (run(*arguments, env={**ENVIRONMENT, "COLUMNS": width}).stdout for width in ("80", columns))
    assert [line.split() for line in narrow.splitlines()[2:7]] == [line.split() for line in wide.splitlines()[2:7]]
    assert re.search(r"^ *1 +1, 3 +[0-9.]+ % +[0-9.]+ % +[0-9.]+ +[0-9.]+ *$", narrow, re.M)


def test_nothing_but_the_default_is_a_million_games_of_seed_0() -> None:
    report = run_json()
    assert (report["games"], report["seed"], report["rules"]) == (1_000_000, 0, "2p")


# JSON


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ([], sv.Rules()),
        (["--mice"], sv.Rules(mice=True)),
        (["--players", "3"], sv.Rules(players=3)),
        (["--players", "4", "--team-game", "--mice"], sv.Rules(players=4, team_game=True, mice=True)),
    ],
)
def test_json_is_what_rollout_returns(arguments: list[str], rules: sv.Rules) -> None:
    report = run_json(*arguments, "--games", "40_000", "--seed", "11", "--threads", "2")
    stats = sv.rollout(rules, games=40_000, seed=11)
    expected = json.loads(json.dumps(stats.to_dict()))
    assert {**report, **expected, "rules": str(rules)} == report
    assert (report["seed"], report["threads"], report["position"]) == (11, 2, None)
    assert report["backend"] in sv.backends()
    assert report["seconds"] > 0
    assert report["games_per_second"] == pytest.approx(40_000 / report["seconds"])


def test_json_from_a_position() -> None:
    report = run_json("--position", START, "--games", "500", "--seed", "3")
    expected = json.loads(json.dumps(sv.rollout(sv.Position.parse(START), games=500, seed=3).to_dict()))
    assert {**report, **expected, "rules": "2p"} == report
    assert report["position"] == START


def test_json_from_a_view() -> None:
    text = str(sv.Position.parse(START).view(0))
    report = run_json("--position", text, "--games", "500", "--seed", "3")
    expected = sv.rollout(sv.View.parse(text), games=500, seed=3)
    assert report["position"] == text
    assert report["score_histogram"] == expected.score_histogram.tolist()
    assert (
        report["score_histogram"] != run_json("--position", START, "--games", "500", "--seed", "3")["score_histogram"]
    )


def test_the_policy_is_that_of_rollout() -> None:
    report = run_json("--policy", "soft-greedy", "--games", "700", "--seed", "3")
    expected = json.loads(json.dumps(sv.rollout(sv.Rules(), 700, seed=3, policy="soft-greedy").to_dict()))
    assert {**report, **expected, "policy": "soft-greedy"} == report
    assert run_json("--games", "700", "--seed", "3")["policy"] == "uniform"
    assert (
        "700 soft-greedy games from fresh deals" in run("rollout", "--policy", "soft-greedy", "--games", "700").stdout
    )


def test_json_of_a_single_game_holds_no_nan() -> None:
    assert run_json("--games", "1")["games"] == 1


def test_every_backend_and_the_largest_seed_can_be_asked_for() -> None:
    reports = [run_json("--games", "700", "--seed", str(2**64 - 1), "--backend", name) for name in sv.backends()]
    assert [report["backend"] for report in reports] == list(sv.backends())
    assert len({json.dumps(report["score_histogram"]) for report in reports}) == 1


# Bad input: exit code 2, one line on standard error, nothing on standard output

BAD_INPUT = [
    ([], "a command is missing"),
    (["rolout"], "no such command 'rolout'"),
    (["--bogus"], "no such option: --bogus"),
    (["rollout", "--gmaes", "5"], "no such option: --gmaes"),
    (["rollout", "extra"], "extra"),
    (["rollout", "--games"], "'--games' requires an argument"),
    (["rollout", "--games", ""], "'' is not a whole number"),
    (["rollout", "--games", "many"], "'many' is not a whole number"),
    (["rollout", "--games", "1e6"], "'1e6' is not a whole number"),
    (["rollout", "--games", "10.0"], "'10.0' is not a whole number"),
    (["rollout", "--games", " 10"], "' 10' is not a whole number"),
    (["rollout", "--games", "1__0"], "'1__0' is not a whole number"),
    (["rollout", "--games", "\uff15"], "is not a whole number"),
    (["rollout", "--games", "9" * 5000], "a number of 5000 digits is too long"),
    (["rollout", "--games", "9" * 50], "9" * 50),
    (["rollout", "--games", "0"], "0"),
    (["rollout", "--games=-5"], "-5"),
    (["rollout", "--seed", "-1"], "seed must be 0 to 18446744073709551615, got -1"),
    (["rollout", "--seed", str(2**64)], f"seed must be 0 to 18446744073709551615, got {2**64}"),
    (["rollout", "--seed", "0x10"], "'0x10' is not a whole number"),
    (["rollout", "--threads", "0"], "0"),
    (["rollout", "--threads=-1"], "-1"),
    (["rollout", "--threads", "9" * 30], "9" * 30),
    (["rollout", "--backend", "abacus"], "abacus"),
    (["rollout", "--policy", "greedy"], "policy must be one of uniform, soft-greedy, keen-greedy, got 'greedy'"),
    (["rollout", "--policy", ""], "policy"),
    (["rollout", "--backend", ""], "backend"),
    (["rollout", "--players", "5"], "5"),
    (["rollout", "--players", "1"], "1"),
    (["rollout", "--players", "two"], "'two' is not a whole number"),
    (["rollout", "--team-game"], "players"),
    (["rollout", "--players", "3", "--team-game"], "players"),
    (["rollout", "--mice=yes"], "'--mice' does not take a value"),
    (["rollout", "--position", ""], "position"),
    (["rollout", "--position", "nonsense"], "position text, character "),
    (["rollout", "--position", START[:-1]], "position text, character "),
    (["rollout", "--position", START + " "], "position text, character "),
    (["rollout", "--position", START.replace("mm/zg", "mm/gz")], "position"),
    (["rollout", "--position", START.replace("0/0", "0/9")], "position"),
    (["rollout", "--position", START.replace(" mm", "\nmm")], "position text, character "),
    (["rollout", "--position", "\x1b[31m\u00e9\u2028"], "position text, character "),
    (["rollout", "--position", START, "--players", "2"], "--position brings its own rules, leave out --players"),
    (["rollout", "--position", START, "--mice", "--team-game"], "leave out --mice and --team-game"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT)
def test_bad_input_is_one_clear_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    refused(arguments, words)


# Streams


def test_a_reader_that_leaves_early_is_no_error() -> None:
    for arguments in (["--help"], ["rollout", "--games", "100"], ["rollout", "--games", "100", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run([*SAVANNA, *arguments], stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        assert result.stderr == b""
        assert result.returncode == 1


@pytest.mark.parametrize("arguments", [["--help"], ["rollout", "--games", "9"], ["rollout", "--games", "9", "--json"]])
def test_a_full_disk_is_one_line_and_exit_code_1(arguments: list[str], tmp_path: Path) -> None:
    limited = ["sh", "-c", 'ulimit -f 0 && exec "$@"', "sh", *SAVANNA, *arguments]
    with (tmp_path / "output").open("wb") as target:
        result = subprocess.run(limited, stdout=target, stderr=subprocess.PIPE, text=True, check=False)
    message = f"savanna: error: cannot write the output: {os.strerror(errno.EFBIG)}\n"
    assert (result.returncode, result.stderr) == (1, message)


@pytest.mark.parametrize(("arguments", "code"), [(["rollout", "--games", "0"], 2), (["play", "--nothing"], 2)])
def test_complaints_that_nobody_can_read_leave_the_exit_code(arguments: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*SAVANNA, *arguments], stdout=subprocess.PIPE, stderr=writer, check=False)
    os.close(writer)
    assert (result.returncode, result.stdout) == (code, b"")


def test_progress_bar_on_a_terminal() -> None:
    terminal = Terminal()
    process = terminal.start(["rollout", "--games", "200_000", "--json"], stdout=subprocess.PIPE)
    while terminal.read():
        pass
    output, _ = process.communicate()
    terminal.close()
    assert process.returncode == 0
    assert json.loads(output)["games"] == 200_000
    text = terminal.seen.decode()
    assert re.search(r"games .*[\u2501\u257a\u2578].* [0-9]+%.* [0-9]+/200000", text)
    assert "200000/200000" in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1  # the cursor is hidden, and comes back


def test_no_progress_bar_into_a_pipe() -> None:
    result = run("rollout", "--games", "200_000", env={**ENVIRONMENT, "FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"})
    assert (result.returncode, result.stderr) == (0, "")


# Ctrl-C


def interrupt(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """Send Ctrl-C at work; return the exit code and how many seconds of processor time the process took to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = let_work(process.pid, 0.3)
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=PATIENCE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - used


def test_ctrl_c_behind_a_terminal_ends_it_at_once_with_130() -> None:
    terminal = Terminal()
    process = terminal.start(ENDLESS, stdout=subprocess.DEVNULL)
    while b"%" not in terminal.seen:
        assert terminal.read()
    code, seconds = interrupt(process)
    while terminal.read():
        pass
    terminal.close()
    assert b"\x1b[?25h" in terminal.seen
    assert terminal.seen.endswith(b"savanna: interrupted\r\n")
    assert code == 130
    assert seconds < 0.4  # 0.2 on each thread


def test_ctrl_c_behind_a_pipe_ends_it_at_once_with_130() -> None:
    with subprocess.Popen([*SAVANNA, *ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # Starting up takes well under a second of processor time, so after two of them the games are being played.
        let_work(process.pid, 2)
        code, seconds = interrupt(process)
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"savanna: interrupted\n")
    assert code == 130
    assert seconds < 0.4  # 0.2 on each thread


# Start


def test_help_starts_fast() -> None:
    """Loading the command line and printing help takes less than 15 times as long as starting Python, at best of ten.

    That is 0.15 s on a machine that starts Python in 0.01 s; it took 8 times as long when this was written. Counted is
    the time of the processor, which is the same whatever else the machine does.
    """

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def best(arguments: list[str]) -> float:
        def once() -> float:
            before = used()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
            return used() - before

        return min(once() for _ in range(10))

    assert best(["-m", "savanna", "--help"]) < 15 * best(["-c", ""])


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    program = "import savanna.cli.program, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "typer" in loaded
    assert {"numpy", "rich", "pydantic"}.isdisjoint(loaded)
