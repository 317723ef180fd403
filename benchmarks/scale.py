"""Measure how `savanna.distributed` scales: more workers, the cost of a call against a plain one, and small parts.

Run `pip install 'savanna-core[ray]'` and `python benchmarks/scale.py` on a machine that does nothing else. Without
RAY_ADDRESS, each measurement starts its own Ray with one CPU per worker; the time for that is printed but not counted.
All results are compared with each other, so that what is timed is also right.
"""

import argparse
import logging
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import ray

import savanna as sv
from savanna import distributed
from savanna.bench import processor

RULES = sv.Rules()


@dataclass(frozen=True)
class Timing:
    """Seconds of a call, the median of some rounds, and the least and the most."""

    middle: float
    least: float
    most: float


def connect(workers: int) -> float:
    """Connect to a Ray with a number of workers and start all of them; return the seconds that this took."""
    ray.shutdown()
    start = time.perf_counter()
    address = os.environ.get("RAY_ADDRESS") or "local"
    size = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
    ray.init(address, logging_level=logging.ERROR, log_to_driver=False, **size)
    distributed.rollout(RULES, 100 * sv.BATCH, workers=workers, chunk=1)
    return time.perf_counter() - start


def timed(
    calls: dict[str, Callable[[], sv.Stats]], rounds: int, before: Callable[[str], object] = lambda _: None
) -> dict[str, Timing]:
    """Time calls that must all give the same; they take turns, so that other processes disturb all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    results = []
    for _ in range(rounds):
        for name, call in calls.items():
            before(name)
            start = time.perf_counter()
            results.append(call())
            seconds[name].append(time.perf_counter() - start)
    if any(result != results[0] for result in results):
        raise SystemExit("the results differ")
    return {name: Timing(statistics.median(them), min(them), max(them)) for name, them in seconds.items()}


def by_workers(games: int, workers: list[int], rounds: int) -> None:
    """Print how long the same games take with each number of workers."""
    calls: dict[str, Callable[[], sv.Stats]] = {
        str(number): partial(distributed.rollout, RULES, games, workers=number) for number in workers
    }
    timings = timed(calls, rounds, before=lambda name: connect(int(name)))
    first = timings[str(workers[0])].middle * workers[0]
    print(f"\n{games:,} games:\n\n| workers | seconds | least | most | games per second | of perfect |")
    print("|---:|---:|---:|---:|---:|---:|")
    for name, it in timings.items():
        share = first / (it.middle * int(name))
        print(f"| {name} | {it.middle:.2f} | {it.least:.2f} | {it.most:.2f} | {games / it.middle:,.0f} | {share:.1%} |")


def beside_a_plain_call(seconds: float, rounds: int) -> None:
    """Print the cost of one worker against a plain call of about the given seconds."""
    trial = sv.rollout(RULES, 100_000_000, threads=1)
    games = int(seconds * trial.games / trial.seconds)
    connect(1)
    calls: dict[str, Callable[[], sv.Stats]] = {
        "savanna.rollout, one thread": lambda: sv.rollout(RULES, games, threads=1),
        "savanna.distributed.rollout, one worker": lambda: distributed.rollout(RULES, games, workers=1),
    }
    timings = timed(calls, rounds)
    plain = next(iter(timings.values())).middle
    print(f"\n{games:,} games:\n\n| call | seconds | least | most | times the plain call |\n|---|---:|---:|---:|---:|")
    for name, it in timings.items():
        print(f"| {name} | {it.middle:.2f} | {it.least:.2f} | {it.most:.2f} | {it.middle / plain:.3f} |")


def smallest_parts(parts: int, workers: int, rounds: int) -> None:
    """Print how many parts of a single batch are handed out per second."""
    games = parts * sv.BATCH
    connect(workers)
    call = {"parts": lambda: distributed.rollout(RULES, games, workers=workers, chunk=1)}
    rate = parts / timed(call, rounds)["parts"].middle
    print(f"\n{rate:,.0f} parts of one batch per second, with {workers} at once")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10**9)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=30, help="of the plain call")
    parser.add_argument("--parts", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    seconds = connect(max(options.workers))
    print(f"{processor()}, {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}")
    print(f"savanna {sv.__version__}, Ray {ray.__version__}: {seconds:.1f} s to connect and to begin")
    by_workers(options.games, options.workers, options.rounds)
    beside_a_plain_call(options.seconds, options.rounds)
    smallest_parts(options.parts, max(options.workers), options.rounds)
    ray.shutdown()


if __name__ == "__main__":
    main()
