"""Test the calibration of the champion's win share: the champion plays itself, and every decision is compared.

    python benchmarks/calibration.py --games 400 --iterations 2000

For ten bins of the predicted win share of the move played, it prints the number of decisions, the mean prediction, the
mean result, and the standard error of the result over games, because decisions of one game share its result. Below
that, it prints the best-fitting line in the logit of the prediction. A perfect calibration has slope 1 and shift 0, and
both parts that grow with the share of plies left are 0.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import savanna as sv
from savanna.bench import processor

BINS = 10


def play(rules: sv.Rules, deal: int, iterations: int) -> list[tuple[int, int, float, float]]:
    """Play one game; return deal, ply, and the mover's predicted and final win share for every decision."""
    position = sv.Position.deal(rules, deal)
    predictions: list[tuple[float, int]] = []
    while position.seat is not None:
        analysis = sv.analyse(position.view(position.seat), iterations=iterations, threads=1, seed=deal)
        predictions.append((analysis.moves[0].win_share, rules.team_of(position.seat)))
        position = position.play(analysis.best)
    won = {team: 1 / len(position.winners) for team in position.winners}
    return [(deal, ply, share, won.get(team, 0.0)) for ply, (share, team) in enumerate(predictions)]


def best_line(plies: np.ndarray, predicted: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return slope, its part by plies left, shift, and its part by plies left, by logistic regression (Newton)."""
    predicted = predicted.clip(1e-4, 1 - 1e-4)
    logits, left = np.log(predicted / (1 - predicted)), 1 - plies / 20
    inputs = np.stack([logits, logits * left, np.ones_like(left), left], axis=1)
    line = np.array([1.0, 0.0, 0.0, 0.0])
    for _ in range(20):
        chances = 1 / (1 + np.exp(-(inputs @ line)))
        weights = (chances * (1 - chances))[:, None]
        line += np.linalg.solve((inputs * weights).T @ inputs, inputs.T @ (results - chances))
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--first-deal", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--team-game", action="store_true")
    options = parser.parse_args()
    rules = sv.Rules(players=options.players, team_game=options.team_game)
    with ThreadPoolExecutor() as pool:
        all_deals = range(options.first_deal, options.first_deal + options.games)
        games = pool.map(lambda deal: play(rules, deal, options.iterations), all_deals)
        deals, plies, predicted, results = np.array([row for game in games for row in game]).T

    print(processor())
    print(f"{options.games} games of {rules}, {options.iterations} iterations per move\n")
    print("| predicted | decisions | mean predicted | mean result | standard error of result |")
    print("|---|---:|---:|---:|---:|")
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    for number in np.unique(bins):
        here = bins == number
        mean = results[here].mean()
        by_game = np.bincount(deals[here].astype(int) - options.first_deal, weights=results[here] - mean)
        error = np.sqrt((by_game**2).sum()) / here.sum()
        low, high = number / BINS, (number + 1) / BINS
        print(f"| {low:.1f} to {high:.1f} | {here.sum()} | {predicted[here].mean():.3f} | {mean:.3f} | {error:.3f} |")
    slope, by_left, shift, shift_by_left = best_line(plies, predicted, results)
    print(f"\nbest line: slope {slope:.2f} {by_left:+.2f} left, shift {shift:+.2f} {shift_by_left:+.2f} left")


if __name__ == "__main__":
    main()
