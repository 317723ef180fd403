"""`savanna bench`, as a process of its own: what it measures, what it says of the machine, bad input, Ctrl-C."""

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import bench
from tests.support.command import assert_ctrl_c_is_130

pytestmark = pytest.mark.thin(4)

BENCH = [sys.executable, "-m", "savanna", "bench"]
PLAIN = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS")}
ENVIRONMENT = {**PLAIN, "PYTHONIOENCODING": "utf-8"}
QUICK = ["--seconds", "0.1"]
SOURCES = ["2 players", "3 players", "4 players", "4 players in teams", "2 players with mice", "a view at ply 10"]


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    environment = env or ENVIRONMENT
    return subprocess.run([*BENCH, *arguments], capture_output=True, encoding="utf-8", env=environment, check=False)


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    result = run(*QUICK, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    read: dict[str, Any] = json.loads(result.stdout, parse_constant=pytest.fail)
    return read


def test_every_backend_and_every_variant_is_measured_on_one_thread_and_on_all(report: dict[str, Any]) -> None:
    every = bench.cores()
    backends, best = sv.backends(), sv.backends()[0]
    cases = [(SOURCES[0], backend) for backend in backends] + [(what, best) for what in SOURCES[1:]]
    expected: list[tuple[str, str | None, int]] = []
    expected += [(what, backend, threads) for what, backend in cases for threads in sorted({1, every})]
    expected += [("stepped from Python", None, 1), ("played by plain Python", None, 1)]
    rows = report["measurements"]
    assert [(row["what"], row["backend"], row["threads"]) for row in rows] == expected
    assert [row["unit"] for row in rows] == ["games/s"] * (len(rows) - 2) + ["moves/s", "games/s"]
    for row in rows:
        assert 0 < row["lowest"] <= row["median"] <= row["highest"]


def test_the_rates_are_those_of_the_engine(report: dict[str, Any]) -> None:
    """Whatever else the machine does: a backend is far faster than plain Python, and far from the speed of light."""
    *rollouts, stepped, plain = (row["median"] for row in report["measurements"])
    assert min(rollouts) > 20 * plain
    assert max(rollouts) < 10**9 * report["cores"]
    assert stepped > 20 * plain  # moves against games of 20 moves
    assert report["times_plain_python"] > bench.RELEASE_RATIO


def test_it_says_what_it_was_measured_on(report: dict[str, Any]) -> None:
    assert report["savanna"] == sv.__version__ == version("savanna-core")
    assert report["build"] == "release"  # what the tests run is one, says test_import.py
    assert report["python"] == f"{platform.python_implementation()} {platform.python_version()}"
    assert report["numpy"] == np.__version__
    assert report["platform"] == platform.platform()
    assert report["processor"]
    assert report["cores"] == sv.rollout_many([sv.Rules()] * 1024, games=1)[0].threads
    assert report["rounds"] == bench.ROUNDS
    assert report["seconds"] > 0


def test_the_source_of_each_row_is_what_it_is_called() -> None:
    assert list(bench.SOURCES) == SOURCES
    sources = [source() for source in bench.SOURCES.values()]
    view = sources.pop()
    assert list(map(str, sources)) == ["2p", "3p", "4p", "4p,team", "2p,mice"]
    assert isinstance(view, sv.View)
    assert (view.ply, view.seat, view.to_move, str(view.rules)) == (10, 0, 0, "2p")


class Clock:
    """Time that passes only while games are played, a second each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.played: list[tuple[str, int]] = []
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def measurement(self, name: str, step: int = 1) -> bench.Measurement:
        def play(games: int) -> int:
            self.played.append((name, games))
            self.now += games
            return 3 * games

        return bench.Measurement(name, None, 1, "plies/s", play, step)


def test_as_many_games_are_played_as_fit_into_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    for seconds, expected in ((1, [7, 7]), (100, [7, 14, 28, 98]), (1000, [7, 14, 28, 56, 112, 224, 448, 1001])):
        measurement = clock.measurement("x", step=7)
        clock.played.clear()
        measurement.prepare(seconds)
        measurement.take_turn()
        assert [games for _, games in clock.played] == expected
        assert measurement.rates == [3.0]


def test_median_and_spread_are_those_of_the_rounds() -> None:
    measurement = bench.Measurement("x", None, 1, "games/s", abs, rates=[8.0, 13.0, 9.0, 10.0, 11.0])
    assert measurement.median == statistics.median(measurement.rates) == 10
    assert measurement.spread == 0.25
    expected = {"what": "x", "backend": None, "threads": 1, "unit": "games/s"}
    assert measurement.to_dict() == expected | {"median": 10, "lowest": 8, "highest": 13}


def test_measurements_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(bench, "measurements", lambda: [clock.measurement("a"), clock.measurement("b")])
    progress: list[int] = []
    results = bench.measure(12, progress.append)
    assert progress == list(range(1, bench.turns() + 1))
    assert [result.rates for result in results] == [[3.0] * bench.ROUNDS] * 2
    assert clock.played == [("a", 1), ("b", 1)] * (bench.ROUNDS + 1)
    assert clock.now == 12


@pytest.mark.parametrize(("speed", "kind"), [(900, "release"), (26, "debug")])
def test_a_debug_build_is_told_by_its_speed(speed: float, kind: str) -> None:
    scalar = bench.Measurement("2 players", "scalar", 1, "games/s", abs, rates=[2600 * speed])
    plain = bench.Measurement(bench.PLAIN, None, 1, "games/s", abs, rates=[2600.0])
    assert bench.build([scalar, plain]) == (kind, speed)


def without_numbers(text: str) -> str:
    """Replace numbers, and the blanks and rules whose length depends on them."""
    return re.sub(r"[ \u2500]+", " ", re.sub(r"\d[\d,.]*", "N", text))


def test_the_text_is_the_same_apart_from_numbers() -> None:
    first, second = (run(*QUICK) for _ in range(2))
    for result in (first, second):
        assert (result.returncode, result.stderr) == (0, "")
    assert without_numbers(first.stdout) == without_numbers(second.stdout)
    for words in (*SOURCES, *sv.backends(), "1 thread", "Stepped from Python", "release build", bench.processor()):
        assert words in first.stdout
    assert f"Savanna Ten {sv.__version__}, " in first.stdout
    assert len(re.findall(r"[\d,]+ \+/- \d+ %", first.stdout)) == len(bench.measurements())


@pytest.mark.parametrize("columns", ["20", "200"])
def test_the_table_is_whole_and_plain_ascii_where_nothing_else_can_be_printed(columns: str) -> None:
    result = run(*QUICK, env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii", "COLUMNS": columns})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    assert "..." not in result.stdout
    assert "a view at ply 10" in result.stdout


def test_the_environment_variable_for_backends_changes_nothing() -> None:
    # It would raise an error in every call that leaves the backend open.
    result = run(*QUICK, "--json", env={**ENVIRONMENT, "SAVANNA_BACKEND": "abacus"})
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("seconds", ["0", "0.0", "-1", "", "x", "nan", "inf", "1e3", "1_0", "9" * 400, "\u0665"])
def test_bad_seconds_are_one_clear_line_and_exit_code_2(seconds: str) -> None:
    result = run(f"--seconds={seconds}")
    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"savanna: error: [^\n]+ is not a positive number\n", result.stderr)


def test_help_lists_every_option() -> None:
    text = run("--help").stdout
    assert text.startswith("Usage: savanna bench ")
    assert re.findall(r"^  (?:-h, )?(--[a-z-]+)", text, flags=re.MULTILINE) == ["--seconds", "--json", "--help"]
    assert re.search(r"Examples:\n +savanna bench", text)


def test_ctrl_c_ends_it_with_130() -> None:
    assert_ctrl_c_is_130(["bench", "--seconds", "600"], f"/{bench.turns()}".encode())
