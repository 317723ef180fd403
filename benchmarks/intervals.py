"""Counts how often the 95 % intervals of shares hold the true share: exactly, over all outcomes of few deals.

A deal has two games: independent ones, or won by opposite sides, or by the same one, or a mixture. A last column
takes deals as they came out in a tournament between `Greedy` and `FlatMonteCarlo(50)`, whose share then is the truth.
The former interval, 1.96 standard errors to either side, is there for comparison.

    python benchmarks/intervals.py
"""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import savanna as sv
from savanna.arena.course import shares_by_deal
from savanna.arena.schedule import make_plan
from savanna.intervals import Sums, share_of

DEALS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
SHARES = (0.5, 0.55, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.97, 0.99)
PARTS = 4
"""A deal's share is counted in quarters: two games, with shared wins."""

Law = Mapping[int, float]
"""How likely each outcome of a deal is, in `PARTS` of a share."""

Interval = Callable[[Sums], tuple[float, float]]


def independent(share: float) -> Law:
    """Return the law of two games that do not depend on each other."""
    return {0: (1 - share) ** 2, 2: 2 * share * (1 - share), 4: share * share}


def opposite(share: float) -> Law:
    """Return the law of two games that are both won only by luck: else, each side wins one."""
    return {0: 0.0, 2: 2 - 2 * share, 4: 2 * share - 1}


def equal(share: float) -> Law:
    """Return the law of two games that the same player wins."""
    return {0: 1 - share, 2: 0.0, 4: share}


def mixed(share: float) -> Law:
    """Return the law of deals of which half are `independent` and half `opposite`."""
    laws = (independent(share), opposite(share))
    return {outcome: sum(law[outcome] for law in laws) / 2 for outcome in laws[0]}


LAWS = {"independent": independent, "opposite": opposite, "equal": equal, "mixed": mixed}


def played(deals: int) -> Law:
    """Return the law of deals as they came out in a tournament."""
    players: list[sv.players.Player] = [sv.players.Greedy(), sv.players.FlatMonteCarlo(playouts=50)]
    result = sv.tournament(players, deals=deals, seed=1)
    plan = make_plan(
        rules=result.rules, names=result.players, texts=result.players, deals=deals, seed=1, time_limit=None, sprt=None
    )
    counts = shares_by_deal(plan, result.games)
    return {round(PARTS * share): count / deals for share, count in sorted(counts.items())}


def share(law: Law) -> float:
    """Return the true share."""
    return sum(outcome * chance for outcome, chance in law.items()) / PARTS


@cache
def present(sums: Sums) -> tuple[float, float]:
    """Return the interval of tournaments and studies."""
    return share_of(sums)[2:]


@cache
def former(sums: Sums) -> tuple[float, float]:
    """Return 1.96 errors to either side; without exception, what the binomial law allows for that number of deals."""
    n, y, nn, ny, yy = sums
    deals, value = n * n / nn, y / n
    if y in (0, n):
        least = 0.025 ** (1 / deals)
        return (least, 1.0) if y else (0.0, 1 - least)
    squares = max(0.0, yy - 2 * value * ny + value * value * nn)
    error = 1.959964 * math.sqrt(squares * deals / (deals - 1)) / n
    return max(0.0, value - error), min(1.0, value + error)


def outcomes(deals: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield in how many ways `deals` deals can come out: how many of each kind."""
    if kinds == 1:
        yield (deals,)
        return
    for first in range(deals + 1):
        for rest in outcomes(deals - first, kinds - 1):
            yield (first, *rest)


def coverage(deals: int, law: Law, interval: Interval = present) -> float:
    """Return how likely the interval of `deals` deals is to hold the true share."""
    law = {outcome: chance for outcome, chance in law.items() if chance > 0}
    truth, held = share(law), 0.0
    for counts in outcomes(deals, len(law)):
        sums = Sums(
            n=PARTS * deals,
            y=sum(count * outcome for count, outcome in zip(counts, law, strict=True)),
            nn=PARTS * PARTS * deals,
            ny=sum(count * outcome * PARTS for count, outcome in zip(counts, law, strict=True)),
            yy=sum(count * outcome * outcome for count, outcome in zip(counts, law, strict=True)),
        )
        low, high = interval(sums)
        if low <= truth + 1e-9 and truth - 1e-9 <= high:
            logs = [math.lgamma(deals + 1)]
            logs += [
                count * math.log(chance) - math.lgamma(count + 1)
                for count, chance in zip(counts, law.values(), strict=True)
            ]
            held += math.exp(sum(logs))
    return held


def main() -> None:
    """Print the least coverage over all shares, for each number of deals and law."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournament", type=int, default=200, metavar="DEALS", help="how many it has; 200 by default")
    law_of_tournament = played(parser.parse_args().tournament)
    for title, interval in (("the interval", present), ("1.96 standard errors", former)):
        print(f"| deals | {' | '.join(LAWS)} | resampled |\n|---:|{'---:|' * (len(LAWS) + 1)}  <!-- {title} -->")
        for deals in DEALS:
            least = [min(coverage(deals, law(share), interval) for share in SHARES) for law in LAWS.values()]
            least.append(coverage(deals, law_of_tournament, interval) if deals <= 20 else math.nan)
            print(f"| {deals} | {' | '.join('' if math.isnan(it) else f'{100 * it:.1f} %' for it in least)} |")
    print(f"\nThe tournament: share {share(law_of_tournament):.3f}, deals by quarters won {law_of_tournament}")


if __name__ == "__main__":
    main()
