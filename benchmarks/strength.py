"""Measure the strength of the players by matches of paired games: the tables of docs/strength.md.

    python benchmarks/strength.py --deals 200 --logs strength-logs

Each match has a log in the folder, from which a stopped run continues. Give names of matches to play only those;
matches whose names begin with "all" play all pairs. Run it on a machine that does nothing else: players with a time
budget play weaker beside other work.
"""

import argparse
import sys
from pathlib import Path

import savanna as sv
from savanna.bench import processor
from savanna.players import Champion, FlatMonteCarlo, Greedy, Ismcts, Player, Random, SoftGreedy

TWO, THREE, FOUR, TEAMS = (
    sv.Rules(),
    sv.Rules(players=3),
    sv.Rules(players=4),
    sv.Rules(players=4, team_game=True),
)
CHAMPION = Champion(seconds=0.05)

# Name, rules, the player whose share is shown, and its opponent; with more seats, copies of the opponent.
MATCHES: dict[str, tuple[sv.Rules, Player, Player]] = {
    "greedy-random": (TWO, Greedy(), Random()),
    "flat-greedy": (TWO, FlatMonteCarlo(20_000), Greedy()),
    "soft-flat": (TWO, SoftGreedy(20_000), FlatMonteCarlo(20_000)),
    "greedy": (TWO, CHAMPION, Greedy()),
    "flat": (TWO, CHAMPION, FlatMonteCarlo(20_000)),
    "soft": (TWO, CHAMPION, SoftGreedy(20_000)),
    "ismcts": (TWO, CHAMPION, Ismcts(seconds=0.05)),
    "three": (THREE, CHAMPION, Greedy()),
    "four": (FOUR, CHAMPION, Greedy()),
    "teams": (TEAMS, CHAMPION, Greedy()),
    "25": (TWO, Champion(seconds=0.025), Champion(seconds=0.0125)),
    "50": (TWO, Champion(seconds=0.05), Champion(seconds=0.025)),
    "100": (TWO, Champion(seconds=0.1), Champion(seconds=0.05)),
    "200": (TWO, Champion(seconds=0.2), Champion(seconds=0.1)),
    "400": (TWO, Champion(seconds=0.4), Champion(seconds=0.2)),
}

# Name, rules and deals.
ROBINS: dict[str, tuple[sv.Rules, int]] = {
    "all-2": (TWO, 40),
    "all-3": (THREE, 12),
    "all-4": (FOUR, 8),
    "all-teams": (TEAMS, 20),
}
EVERYBODY: list[Player] = [
    CHAMPION,
    Ismcts(seconds=0.05),
    SoftGreedy(20_000),
    FlatMonteCarlo(20_000),
    Greedy(),
    Random(),
]


def row(name: str, deals: int, logs: Path, seed: int) -> str:
    """Play a match and return its line of the table."""
    rules, player, opponent = MATCHES[name]
    players = {"player": player, "opponent": opponent}
    result = sv.tournament(
        players, rules=rules, deals=deals, seed=seed, threads=1, log=str(logs / f"{name}.jsonl"), resume=True
    )
    # A player alone against copies of the other plays both ways round; the first is wanted.
    pair = result.pairs[0]
    low, high = pair.interval
    share = f"{pair.share:.1%} | {low:.1%} to {high:.1%}"
    return f"| {rules} | {player!r} | {opponent!r} | {pair.games} | {share} |"


def robin(name: str, logs: Path, seed: int) -> str:
    """Play all pairs and return the table of the row's share of wins against the column."""
    rules, deals = ROBINS[name]
    players = {repr(player): player for player in EVERYBODY}
    result = sv.tournament(
        players, rules=rules, deals=deals, seed=seed, threads=1, log=str(logs / f"{name}.jsonl"), resume=True
    )
    shares = {(pair.first, pair.second): f"{pair.share:.1%}" for pair in result.pairs}
    heads, *others = players
    lines = [f"{rules}, {deals} deals, {result.pairs[0].games} games per pair", "", f"| | {' | '.join(others)} |"]
    lines.append("|---|" + "---:|" * len(others))
    lines += [f"| {row} | {' | '.join(shares.get((row, it), '') for it in others)} |" for row in (heads, *others[:-1])]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "matches", nargs="*", metavar="MATCH", help=f"any of {', '.join([*MATCHES, *ROBINS])}; all by default"
    )
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--logs", type=Path, default=Path("strength-logs"))
    options = parser.parse_args()
    options.logs.mkdir(exist_ok=True)
    print(f"{processor()}, savanna {sv.__version__}, Python {sys.version.split()[0]}, one thread, {sv.backends()[0]}\n")
    wanted = options.matches or [*MATCHES, *ROBINS]
    if not set(wanted) <= {*MATCHES, *ROBINS}:
        parser.error(f"no such match: {', '.join(sorted(set(wanted) - {*MATCHES, *ROBINS}))}")
    for name in (name for name in ROBINS if name in wanted):
        print(robin(name, options.logs, options.seed), flush=True)
    if matches := [name for name in MATCHES if name in wanted]:
        print("| rules | player | against | games | share of wins | 95 % interval |\n|---|---|---|---:|---:|---:|")
        for name in matches:
            print(row(name, options.deals, options.logs, options.seed), flush=True)


if __name__ == "__main__":
    main()
