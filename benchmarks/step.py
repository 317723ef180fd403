"""Measure stepping from Python and playouts, with the compiled engine and with the reference.

Run `python benchmarks/step.py` on a machine that does nothing else. All measurements take turns, round after round, so
that a disturbance affects all alike; the median of the rounds is shown with their spread. The calls of which a step
consists are timed at a position of 80 legal moves, and compared with `random.choice` of them in the same rounds.
"""

import argparse
import platform
import random
import statistics
import time
import timeit
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import savanna
from savanna import reference
from savanna.bench import processor


def step(engine: Any, games: int, seed: int) -> int:
    """Step through games as a user would and return the number of plies."""
    rng, rules = random.Random(seed), engine.Rules()
    plies = 0
    for game in range(games):
        position = engine.Position.deal(rules, seed + game)
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
        plies += position.ply
    return plies


def rollout(games: int, seed: int) -> int:
    """Play games out on one thread and return their number."""
    return savanna.rollout(savanna.Rules(), games=games, seed=seed, threads=1).games


def random_playouts(games: int, seed: int) -> int:
    """Play games out by the reference and return their number."""
    rng, rules = random.Random(seed), reference.Rules()
    ends = [reference.random_playout(reference.Position.deal(rules, seed + game), rng) for game in range(games)]
    return sum(end.is_over for end in ends)


# The measurement, its unit, and the call, which takes a seed and returns the number of units done.
MEASUREMENTS: dict[str, tuple[str, Callable[[int], int]]] = {
    "savanna, stepped from Python": ("plies/s", lambda seed: step(savanna, 1000, seed)),
    "savanna.reference, stepped": ("plies/s", lambda seed: step(reference, 10, seed)),
    "savanna.rollout, one thread": ("games/s", lambda seed: rollout(1_000_000, seed)),
    "savanna.reference.random_playout": ("games/s", lambda seed: random_playouts(10, seed)),
}


def wide_position() -> savanna.Position:
    """Return a position with the most legal moves, 80: two different animals and an empty board."""
    deals = (savanna.Position.deal(savanna.Rules(), seed) for seed in range(100))
    return next(position for position in deals if len(position.legal_moves()) == 80)


POSITION = wide_position()
MOVES = POSITION.legal_moves()

# The calls of which a step consists.
CALLS: dict[str, Callable[[], object]] = {
    "random.choice(moves)": lambda: random.choice(MOVES),
    "position.legal_moves()": POSITION.legal_moves,
    "position.legal_mask()": POSITION.legal_mask,
    "position.play(move)": lambda: POSITION.play(MOVES[40]),
    "position.is_over": lambda: POSITION.is_over,
}


def nanoseconds(call: Callable[[], object]) -> float:
    """Return the time of one call, the least of some short series."""
    return min(timeit.repeat(call, number=2000, repeat=10)) / 2000 * 1e9


def rate(call: Callable[[int], int], seed: int) -> float:
    """Return the units per second of one call."""
    start = time.perf_counter()
    units = call(seed)
    return units / (time.perf_counter() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default: %(default)s)")
    rounds = parser.parse_args().rounds

    print(f"{processor()}, {platform.system()}, {platform.python_implementation()} {platform.python_version()}")
    print(f"savanna-core {version('savanna-core')}, backends {', '.join(savanna.backends())}, NumPy {version('numpy')}")
    print(f"Two players, uniformly random games of 20 plies from a fresh deal; median of {rounds} interleaved rounds\n")

    rates: dict[str, list[float]] = {name: [] for name in MEASUREMENTS}
    times: dict[str, list[float]] = {name: [] for name in CALLS}
    for seed in range(-1, rounds):  # the first round warms up
        for name, timed in CALLS.items():
            times[name].append(nanoseconds(timed))
        for name, (_, call) in MEASUREMENTS.items():
            measured = rate(call, max(seed, 0))
            if seed >= 0:
                rates[name].append(measured)

    medians = {name: statistics.median(values) for name, values in rates.items()}
    for name, (unit, _) in MEASUREMENTS.items():
        spread = f"{min(rates[name]):,.0f} to {max(rates[name]):,.0f}"
        print(f"{name:34} {medians[name]:12,.0f} {unit}   ({spread})")
    stepped, stepped_reference, played, played_reference = medians.values()
    print(f"\nstepping: {stepped / stepped_reference:,.0f} times the reference")
    print(f"playouts: {played / played_reference:,.0f} times the reference\n")
    choice = statistics.median(times["random.choice(moves)"][1:])
    for name, values in times.items():
        time_of_one = statistics.median(values[1:])
        print(f"{name:34} {time_of_one:12,.0f} ns        ({time_of_one / choice:.2f} of random.choice)")


if __name__ == "__main__":
    main()
