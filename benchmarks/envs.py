"""How fast environments are stepped: savanna's for PettingZoo, and PettingZoo's own connect four.

    pip install 'savanna-core[rl]' pygame    # without pygame, connect four cannot be imported and is left out
    python benchmarks/envs.py

All rows take turns, round after round, on one core, so that what disturbs one disturbs all; the median of rounds is
shown with their spread. Times are those of the processor, which other work disturbs less than the clock. Every row
plays complete games, asks for what the agent to move sees, and chooses uniformly among its legal actions; that agents
leave a game that is over is not counted as a ply.
"""

import argparse
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import savanna as sv
from savanna.bench import processor
from savanna.envs import pettingzoo

PACKAGES = ("numpy", "gymnasium", "pettingzoo", "pygame")


@dataclass
class Row:
    """Something to be measured: `play(plies)` plays whole games of at least so many plies and returns how many."""

    name: str
    play: Callable[[int], int]
    rates: list[float] = field(default_factory=list)

    def take_turn(self, plies: int) -> None:
        """Play, and note the rate."""
        start = time.process_time()
        played = self.play(plies)
        self.rates.append(played / (time.process_time() - start))


def agents_in_turn(env: Any) -> Callable[[int], int]:
    """Return what steps a PettingZoo environment as its users do."""
    rng = random.Random(1)

    def play(plies: int) -> int:
        played = 0
        while played < plies:
            env.reset(seed=rng.getrandbits(30))
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(rng.random() * len(legal))]))
                played += 1
        return played

    return play


def rows() -> list[Row]:
    """Return all rows, savanna's first; a library that is missing is named and its rows left out."""
    found = [
        Row(f"savanna, {players} players", agents_in_turn(pettingzoo.env(sv.Rules(players=players))))
        for players in (2, 4)
    ]
    try:
        from pettingzoo.classic.connect_four import connect_four
    except ImportError as error:
        print(f"connect four is left out: {error}\n")
    else:
        found.append(Row("connect_four_v3", agents_in_turn(connect_four.env())))
        found.append(Row("connect_four_v3, its checks left off", agents_in_turn(connect_four.raw_env())))
    return found


def package(name: str) -> str:
    """Return a package with its version."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured (default: %(default)s)")
    parser.add_argument("--plies", type=int, default=10_000, help="of each row in a round (default: %(default)s)")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{processor()}, {platform.system()}, Python {sys.version.split()[0]}, one core, processor time")
    print(", ".join([f"savanna {sv.__version__}", *map(package, PACKAGES)]))
    print(f"median of {options.rounds} interleaved rounds of {options.plies:,} plies\n")

    measured = rows()
    for row in measured:
        row.play(options.plies // 10)  # to warm up
    for _ in range(options.rounds):
        for row in measured:
            row.take_turn(options.plies)

    best = statistics.median(measured[0].rates)
    print("| environment | plies/s | slowest to fastest round | savanna, 2 players, is |")
    print("|---|---:|---:|---:|")
    for row in measured:
        median = statistics.median(row.rates)
        spread = f"{min(row.rates):,.0f} to {max(row.rates):,.0f}"
        print(f"| {row.name} | {median:,.0f} | {spread} | {best / median:.1f} times as fast |")


if __name__ == "__main__":
    main()
