"""Race savanna against alternatives that a user might write or install, in one process.

All contenders play complete two-player games of the printed rules, each from a fresh deal, with uniformly random legal
moves. Rivals return the final scores, Lions and exact lines of every game; savanna counts them. First, the distribution
of its outcomes shows whether each rival plays the same game. Then all take turns, round after round, on the same core,
so that other processes disturb all of them alike. Imports, compilation and the first games are not timed.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import savanna
from rivals import RIVALS, machine, report
from rivals.check import LEAST_P, check
from rivals.report import Result
from savanna.types import Backend

EXPECTED_GAMES = 20_000_000
CHECK_SEED = 20_240
MOST_GAMES = 1 << 20  # that a rival is asked for at once, since it returns them all


@dataclass
class Player:
    """One that takes part: a call that plays the given number of games with a seed."""

    result: Result
    play: Callable[[int, int], object]
    batch: int = 1
    most: int = sys.maxsize
    cores: set[int] = field(default_factory=machine.cores)
    games: int = 0  # to ask for at once

    def prepare(self, seconds: float) -> None:
        """Play more and more games until a call takes about the given time."""
        self.games, elapsed = self.batch, 0.0
        while elapsed < seconds and self.games < self.most:
            start = time.perf_counter()
            with machine.on_cores(self.cores):
                self.play(self.games, 0)
            elapsed = time.perf_counter() - start
            if elapsed < seconds:
                self.games *= 2
        self.games = min(self.games, self.most)

    def take_turn(self, seconds: float, seed: int) -> None:
        """Play for at least the given time, and note the rate."""
        games, elapsed = 0, 0.0
        with machine.on_cores(self.cores):
            start, start_busy = time.perf_counter(), time.process_time()
            while elapsed < seconds:
                self.play(self.games, seed + games)
                games += self.games
                elapsed = time.perf_counter() - start
            self.result.rates.append(games / elapsed)
            self.result.busy.append((time.process_time() - start_busy) / elapsed)


def savanna_players(available: set[int]) -> list[Player]:
    """Return the engine with every backend on one core, and with the best on all."""

    def rollout(backend: Backend, threads: int) -> Callable[[int, int], object]:
        rules = savanna.Rules()
        return lambda games, seed: savanna.rollout(rules, games=games, seed=seed, threads=threads, backend=backend)

    backends = savanna.backends()
    players = [Player(Result(f"savanna, {backend}", rival=False), rollout(backend, 1)) for backend in backends]
    everywhere = Result(f"savanna, {backends[0]}, {len(available)} threads", rival=False)
    return [Player(everywhere, rollout(backends[0], len(available)), cores=available), *players]


def rival_players() -> tuple[list[Player], list[Result]]:
    """Load and check the rivals; return those that can play, and those that cannot."""
    expected = savanna.rollout(savanna.Rules(), games=EXPECTED_GAMES, seed=CHECK_SEED, threads=1)
    for backend in savanna.backends():
        some = [
            savanna.rollout(savanna.Rules(), 100_000, seed=CHECK_SEED, threads=1, backend=name)
            for name in (backend, "scalar")
        ]
        if some[0] != some[1]:
            raise SystemExit(f"backend {backend} plays other games than scalar")
    print(f"The same game? p-values against {EXPECTED_GAMES:,} games of savanna.rollout, each to be above {LEAST_P}:")
    players, skipped = [], []
    for rival in RIVALS:
        start = time.perf_counter()
        loaded = rival.load()
        if loaded is None:
            skipped.append(Result(rival.name, rival=True, skipped=f"skipped: pip install {rival.package}"))
            print(f"  {rival.name:26} {skipped[-1].skipped}")
            continue
        play, batch = loaded
        play(batch, 0)
        start_up = time.perf_counter() - start
        outcome = check(play(rival.check_games, CHECK_SEED), expected)
        print(
            f"  {rival.name:26} {outcome.games:9,} games: scores {outcome.score0:.3f} and {outcome.score1:.3f}, "
            f"wins {outcome.win_share:.3f}, tens {outcome.tens:.3f}: {'same' if outcome.passed else 'DIFFERENT'}"
        )
        if not outcome.passed:
            raise SystemExit(f"{rival.name} does not play the same game")
        players.append(Player(Result(rival.name, rival=True, start_up=start_up), play, batch, MOST_GAMES))
    return players, skipped


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="rounds (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table as Markdown")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the rates as bars (needs matplotlib)")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    if options.plot and find_spec("matplotlib") is None:
        parser.error("--plot needs Matplotlib: pip install matplotlib")
    return options


def main() -> None:
    """Check, race and report."""
    options = arguments()
    available = machine.cores()
    machine.keep_to_one_core()
    facts = machine.description(available)
    load_before = machine.load()
    for label, fact in facts.items():
        print(f"{label}: {fact}")
    print()

    rivals, skipped = rival_players()
    players = [*savanna_players(available), *rivals]
    for player in players:
        player.prepare(options.seconds / 4)
    for number in range(options.rounds):
        for player in players:
            player.take_turn(options.seconds, seed=(number + 1) << 40)

    settings = ", ".join(f"{name}={value}" for name, value in machine.ONE_THREAD.items())
    facts["method"] = (
        f"median of {options.rounds} interleaved rounds, {options.seconds:g} s per turn, one process bound to one core "
        f"except where threads are named; {settings}; "
        "start-up (import, compilation, first games) is not in the rates"
    )
    facts["load"] = f"{load_before} before, {machine.load()} after, of which the race is 1"
    results = [*(player.result for player in players), *skipped]
    table = report.rows(results)
    print(f"\n{report.text(table)}\n\nmethod: {facts['method']}\nload: {facts['load']}")
    if options.markdown:
        options.markdown.write_text(report.markdown(table, facts), encoding="utf-8")
    if options.json:
        options.json.write_text(report.as_json(results, facts), encoding="utf-8")
    if options.plot:
        report.plot(results, facts, options.plot)


if __name__ == "__main__":
    main()
