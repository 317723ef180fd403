"""Measure how long exact solving takes, with two players and the printed rules, on one core.

    python benchmarks/solve.py --empty 8 10 12 --positions 101

Positions come from random play and from play by `Greedy` on both sides. Times are processor times, which other work on
the machine disturbs less than clock times; the median and the maximum are shown.
"""

import argparse
import random
import statistics
import sys
import time
from typing import get_args

import savanna as sv
from savanna.bench import processor
from savanna.players import Greedy
from savanna.types import Objective


def played(empty: int, seed: int, greedy: bool) -> sv.Position:
    """Play a game until the given number of spaces is empty."""
    rng, player = random.Random(seed), Greedy(seed=seed)
    position = sv.Position.deal(sv.Rules(), seed)
    while (seat := position.seat) is not None and position.ply < 20 - empty:
        move = player.choose(position.view(seat)) if greedy else rng.choice(position.legal_moves())
        position = position.play(move)
    return position


def row(empty: int, positions: int, greedy: bool, objective: Objective) -> str:
    """Solve positions of one kind and return their line of the table."""
    times, nodes = [], []
    for seed in range(positions):
        position = played(empty, seed, greedy)
        start = time.process_time()
        solution = sv.solve(position, objective=objective)
        times.append(1000 * (time.process_time() - start))
        nodes.append(solution.nodes)
        assert solution.moves
    play = "greedy" if greedy else "random"
    middle, longest = f"{statistics.median(times):,.2f} ms", f"{max(times):,.1f} ms"
    return f"| {empty} | {play} | {objective} | {positions} | {middle} | {longest} | {statistics.median(nodes):,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--empty", type=int, nargs="+", default=[8, 10, 12], help="numbers of empty spaces")
    parser.add_argument("--positions", type=int, default=31, help="of each kind; with 12 empty spaces a third of that")
    options = parser.parse_args()
    print(f"{processor()}, savanna {sv.__version__}, Python {sys.version.split()[0]}, one core\n")
    print("| empty spaces | play | objective | positions | median | longest | positions searched |")
    print("|---:|---|---|---:|---:|---:|---:|")
    for empty in options.empty:
        positions = max(1, options.positions // 3) if empty > 11 else options.positions
        for greedy in (False, True):
            for objective in get_args(Objective):
                print(row(empty, positions, greedy, objective), flush=True)


if __name__ == "__main__":
    main()
