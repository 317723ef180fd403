"""How fast the engine is on this machine: what ``savanna bench`` measures.

All measurements take turns, round after round, so that what disturbs one of them disturbs all.
"""

import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import savanna as sv
from savanna.types import Backend

ROUNDS = 5
# By the scalar backend a release build plays about 900 times as many games as plain Python, a debug build about 26.
RELEASE_RATIO = 150

STEPPED, PLAIN = "stepped from Python", "played by plain Python"


@dataclass
class Measurement:
    """Something to be measured, and the rates at which it went."""

    what: str
    backend: Backend | None
    threads: int
    unit: str
    play: Callable[[int], int]  # plays about n games and returns the number of units done
    step: int = 1  # it is asked for multiples of this
    games: int = field(default=0, repr=False)  # to ask for in one turn
    rates: list[float] = field(default_factory=list)

    def prepare(self, seconds: float) -> None:
        """Play ever more games, then choose as many as take about so long."""
        self.games = self.step
        elapsed = self._time()[1]
        while elapsed < seconds / 4:
            self.games *= 2
            elapsed = self._time()[1]
        self.games = max(1, round(self.games / self.step * seconds / elapsed)) * self.step

    def take_turn(self) -> None:
        """Play, and note the rate."""
        units, elapsed = self._time()
        self.rates.append(units / elapsed)

    def _time(self) -> tuple[int, float]:
        start = time.perf_counter()
        units = self.play(self.games)
        return units, max(time.perf_counter() - start, 1e-9)

    @property
    def median(self) -> float:
        """The rate in the middle of all."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Half of the range of the rates, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.median

    def to_dict(self) -> dict[str, Any]:
        """Return what was measured, for JSON."""
        return {
            "what": self.what,
            "backend": self.backend,
            "threads": self.threads,
            "unit": self.unit,
            "median": self.median,
            "lowest": min(self.rates),
            "highest": max(self.rates),
        }


def random_game(rng: random.Random, plies: int = 20) -> sv.Position:
    """Step through a game of two as a user would."""
    position = sv.Position.deal(sv.Rules(), rng.getrandbits(64))
    while position.ply < plies:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def _view() -> sv.View:
    position = random_game(random.Random(0), plies=10)
    return position.view(position.ply % position.rules.players)


SOURCES: dict[str, Callable[[], sv.Rules | sv.View]] = {
    "2 players": sv.Rules,
    "3 players": lambda: sv.Rules(players=3),
    "4 players": lambda: sv.Rules(players=4),
    "4 players in teams": lambda: sv.Rules(players=4, team_game=True),
    "2 players with mice": lambda: sv.Rules(mice=True),
    "a view at ply 10": _view,
}


def cores() -> int:
    """Return how many threads the engine uses if it may."""
    sources = [sv.Rules()] * 1024  # one game from each, so that there is work for every thread
    return sv.rollout_many(sources, games=1, backend=sv.backends()[0])[0].threads


def measurements() -> list[Measurement]:
    """Return all that is to be measured: every backend, then everything else with the best of them."""
    best, every, first = sv.backends()[0], cores(), next(iter(SOURCES))
    cases = [(first, backend) for backend in sv.backends()] + [(what, best) for what in SOURCES if what != first]

    def rollout(what: str, backend: Backend, threads: int) -> Measurement:
        source = SOURCES[what]()

        def play(games: int) -> int:
            return sv.rollout(source, games, threads=threads, backend=backend).games

        # Threads take a batch at a time. They are asked for whole rounds of that, so that none of them has to wait.
        return Measurement(what, backend, threads, "games/s", play, sv.BATCH * threads)

    def step(games: int) -> int:
        rng = random.Random(1)
        return sum(random_game(rng).ply for _ in range(games))

    def play_plainly(games: int) -> int:
        rng, rules = random.Random(1), sv.reference.Rules()
        starts = (sv.reference.Position.deal(rules, seed) for seed in range(games))
        return sum(sv.reference.random_playout(start, rng).is_over for start in starts)

    rollouts = [rollout(what, backend, threads) for what, backend in cases for threads in sorted({1, every})]
    stepped, plain = (
        Measurement(STEPPED, None, 1, "moves/s", step),
        Measurement(PLAIN, None, 1, "games/s", play_plainly),
    )
    return [*rollouts, stepped, plain]


def measure(seconds: float, progress: Callable[[int], object] | None = None) -> list[Measurement]:
    """Measure everything in about `seconds` seconds, a little more if they are very few.

    `progress`, if given, is called with the number of turns so far, of which there are `turns`.
    """
    everything = measurements()
    turn = seconds / turns()
    for done, (number, measurement) in enumerate(product(range(ROUNDS + 1), everything)):
        if number == 0:
            measurement.prepare(turn)
        else:
            measurement.take_turn()
        if progress is not None:
            progress(done + 1)
    return everything


def turns() -> int:
    """Return how many turns are taken; those of the first round prepare the others."""
    return len(measurements()) * (ROUNDS + 1)


def processor() -> str:
    """Return the processor's name as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines() if cpuinfo.exists() else []:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
        name = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        if name:
            return name
    return platform.processor() or platform.machine()


def build(everything: list[Measurement]) -> tuple[str, float]:
    """Return whether the engine is a "release" or a "debug" build, and how many times as fast as plain Python it is.

    The extension module does not say which it is, but its speed does.
    """
    scalar = next(it for it in everything if (it.backend, it.threads) == ("scalar", 1))
    ratio = scalar.median / everything[-1].median
    return ("release" if ratio >= RELEASE_RATIO else "debug"), ratio


def report(everything: list[Measurement], seconds: float) -> dict[str, Any]:
    """Return all results and what they were measured on, for JSON."""
    kind, ratio = build(everything)
    return {
        "savanna": sv.__version__,
        "build": kind,
        "times_plain_python": ratio,
        "processor": processor(),
        "cores": max(it.threads for it in everything),
        "platform": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "rounds": ROUNDS,
        "seconds": seconds,
        "measurements": [measurement.to_dict() for measurement in everything],
    }


def print_table(everything: list[Measurement], seconds: float) -> None:
    """Print the results for people, in ASCII where the terminal knows nothing else."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    facts = report(everything, seconds)
    rates = {(it.what, it.backend, it.threads): f"{it.median:,.0f} +/- {100 * it.spread:.0f} %" for it in everything}
    columns = sorted({threads for _, _, threads in rates})
    table = Table(box=box.SIMPLE_HEAD, collapse_padding=True)
    table.add_column("games per second", no_wrap=True)
    table.add_column("backend", no_wrap=True)
    for threads in columns:
        table.add_column("1 thread" if threads == 1 else f"{threads} threads", justify="right", no_wrap=True)
    for what, backend in dict.fromkeys((what, backend) for what, backend, _ in rates if backend):
        table.add_row(what, backend, *(rates[what, backend, threads] for threads in columns))

    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 80)
    lines = [
        f"Savanna Ten {facts['savanna']}, {facts['build']} build to judge by its speed: "
        f"the scalar backend plays {facts['times_plain_python']:,.0f} times as many games as plain Python",
        f"Processor: {facts['processor']}, cores: {facts['cores']}",
        f"System: {facts['platform']}, {facts['python']}, NumPy {facts['numpy']}",
        f"Random games from fresh deals: medians of {ROUNDS} interleaved rounds +/- half their range ({seconds:.1f} s)",
    ]
    for line in lines:
        console.print(line, soft_wrap=True)
    console.print(table)
    console.print(f"Stepped from Python: {rates[STEPPED, None, 1]} moves per second", soft_wrap=True)
    console.print(
        f"Played by plain Python (savanna.reference): {rates[PLAIN, None, 1]} games per second", soft_wrap=True
    )
