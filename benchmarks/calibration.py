"""Is the champion's win share what comes out? It plays games against itself and compares, for every decision.

    python benchmarks/calibration.py --games 400 --iterations 2000

Prints, for ten bins of the predicted win share of the move that is played, how many decisions fell there, the mean
prediction, the mean result, and the standard error of the result, over games, since decisions of one game share its
result.
"""

import argparse
from collections import defaultdict

import numpy as np

import savanna as sv
from savanna.bench import processor

BINS = 10


def play(rules: sv.Rules, deal: int, iterations: int) -> list[tuple[float, float]]:
    """Play one game and return the predicted and the final win share of the team that decided, for every decision."""
    position = sv.Position.deal(rules, deal)
    predictions: list[tuple[float, int]] = []
    while position.seat is not None:
        analysis = sv.analyse(position.view(position.seat), iterations=iterations, threads=1, seed=deal)
        predictions.append((analysis.moves[0].win_share, rules.team_of(position.seat)))
        position = position.play(analysis.best)
    won = {team: 1 / len(position.winners) for team in position.winners}
    return [(share, won.get(team, 0.0)) for share, team in predictions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--team-game", action="store_true")
    options = parser.parse_args()
    rules = sv.Rules(players=options.players, team_game=options.team_game)
    bins: dict[int, list[tuple[int, float, float]]] = defaultdict(list)
    for deal in range(options.games):
        for predicted, result in play(rules, deal, options.iterations):
            bins[min(int(predicted * BINS), BINS - 1)].append((deal, predicted, result))

    print(processor())
    print(f"{options.games} games of {rules}, {options.iterations} iterations a move\n")
    print("| predicted | decisions | mean predicted | mean result | error of result |")
    print("|---|---:|---:|---:|---:|")
    for number, rows in sorted(bins.items()):
        deals, predicted, results = (np.array(column) for column in zip(*rows, strict=True))
        mean = results.mean()
        by_game = np.bincount(deals, weights=results - mean)
        error = np.sqrt((by_game**2).sum()) / len(rows)
        low, high = number / BINS, (number + 1) / BINS
        print(f"| {low:.1f} to {high:.1f} | {len(rows)} | {predicted.mean():.3f} | {mean:.3f} | {error:.3f} |")


if __name__ == "__main__":
    main()
