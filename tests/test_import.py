"""`import savanna` is light, silent and fast, and what it brings is a release build."""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import savanna as sv
from savanna import reference

START = "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0"


def python(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter, with nothing to read."""
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )


def test_import_loads_nothing_but_the_engine_and_the_standard_library() -> None:
    program = "import sys; before = set(sys.modules); import savanna; print(*set(sys.modules) - before)"
    loaded = set(python(program).stdout.split())
    ours = {name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names}
    assert ours == {
        "savanna",
        "savanna._core",
        "savanna.arguments",
        "savanna.errors",
        "savanna.players",
        "savanna.records",
    }


def test_environments_load_numpy_and_nothing_else() -> None:
    program = "import sys, numpy; before = set(sys.modules); import savanna.envs; print(*set(sys.modules) - before)"
    loaded = set(python(program).stdout.split())
    ours = {name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name for name in ours if not name.startswith("numpy.")} == {
        *("savanna", "savanna._core", "savanna.arguments", "savanna.errors", "savanna.players", "savanna.records"),
        *("savanna.envs", "savanna.envs.batch", "savanna.envs.records"),
    }


def test_numpy_comes_with_the_first_array() -> None:
    """Statistics are counted without NumPy; it is loaded when one of them is asked for as an array."""
    program = (
        "import sys, savanna; stats = savanna.rollout(savanna.Rules(), games=10); print('numpy' in sys.modules); "
        "stats.win_share; print('numpy' in sys.modules)"
    )
    assert python(program).stdout.split() == ["False", "True"]


def test_numpy_comes_with_the_first_ratings() -> None:
    """Players are made and play without NumPy; it is loaded when a tournament is over."""
    program = (
        "import sys, savanna.arena as arena; two = arena.players_from_texts(['random', 'greedy']); "
        "print('numpy' in sys.modules); arena.tournament(two, deals=1); print('numpy' in sys.modules)"
    )
    assert python(program).stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        ("rules", "numpy rich savanna.reference"),
        ("rollout|--games|1000", "numpy savanna.reference"),
        ("rollout|--games|1000|--json", "numpy rich savanna.reference"),
        (f"analyse|--position|{START}|--iterations|50", "numpy rich"),
        (f"show|{START}", "numpy"),
        ("show|game.json", "numpy"),
        ("replay|game.json", "numpy"),
        ("play|greedy", "numpy"),
    ],
)
def test_commands_load_nothing_that_they_do_not_need(tmp_path: Path, arguments: str, unneeded: str) -> None:
    """The output is no terminal; whether it takes colours all the same, only Rich can tell."""
    game = tmp_path / "game.json"
    sv.Game(sv.Position.parse(START)).save(game)
    words = arguments.replace(game.name, str(game)).split("|")
    program = (
        f"import sys; from savanna.cli import main; assert main({words!r}) == 0; "
        f"print('loaded:', *(name for name in {unneeded.split()} if name in sys.modules), file=sys.stderr)"
    )
    result = python(program)
    assert len(result.stdout) > 300
    assert result.stderr == "loaded:\n"


@pytest.mark.parametrize("name", ["arena", "envs", "game", "players", "reference", "render", "rpc", "studies"])
def test_modules_are_there_whatever_was_used_before(name: str) -> None:
    """They come when they are asked for, and what is said of `savanna.NAME` holds after `import savanna`."""
    program = f"import savanna as sv; print(sv.{name}.__name__, '{name}' in dir(sv), sv.{name} is sv.{name})"
    assert python(program).stdout.split() == [f"savanna.{name}", "True", "True"]


def test_names_that_are_offered_are_public_and_need_nothing_optional() -> None:
    """What an editor completes is `dir`, of which `help` looks at every name."""
    program = (
        "import sys; sys.modules.update(dict.fromkeys(('ray', 'gymnasium', 'pettingzoo', 'pyspiel', 'matplotlib')));"
        "import savanna as sv; names = [name for name in dir(sv) if getattr(sv, name, name) is not name];"
        "print(*(name for name in names if not name.startswith('__') and name not in sv.__all__))"
    )
    assert python(program).stdout.split() == ["arena", "envs", "game", "reference", "rpc", "studies"]


def test_import_is_silent_even_where_warnings_are_errors() -> None:
    result = python("import savanna, savanna.envs", "-W", "error", "-X", "dev")
    assert (result.stdout, result.stderr) == ("", "")


def test_import_costs_less_than_four_times_the_start_of_python() -> None:
    """Take the processor's time inside of fresh interpreters; whatever else the machine does can hardly add to it.

    That is 50 ms on a machine that starts Python in 12 ms; it took 1.3 times as long when this was written.
    """

    def cost() -> float:
        program = "import time; start = time.process_time(); import savanna; print(time.process_time() / start - 1)"
        return float(python(program).stdout)

    costs = [cost() for _ in range(7)]
    assert min(costs) < 4, f"median {statistics.median(costs):.3f} times the start"


@pytest.mark.rare
def test_extension_is_a_release_build() -> None:
    """Compared is what the compiled and the plain engine play in a second of processor time, which cancels the machine.

    A release build plays about 900 times as many games as the plain engine by the scalar backend, a debug build about
    26 times. The limit lies between the two.
    """

    def rate(games: int, play: Callable[[int], object]) -> float:
        def once() -> float:
            start = time.process_time()
            play(games)
            return games / (time.process_time() - start)

        return max(once() for _ in range(3))

    def play_plainly(games: int) -> None:
        rng = random.Random(1)
        for seed in range(games):
            reference.random_playout(reference.Position.deal(reference.Rules(), seed), rng)

    compiled = rate(1_000_000, lambda games: sv.rollout(sv.Rules(), games, threads=1, backend="scalar"))
    assert compiled > 150 * rate(100, play_plainly)
