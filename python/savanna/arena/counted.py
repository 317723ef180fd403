"""Games counted by who played them, for ratings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass
class Table:
    """All games in which the same players sat: how often each plays a side, how many games, and each one's wins."""

    sides: dict[int, int]
    games: float
    wins: dict[int, float]


def tables(games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Table]:
    """Count games, each given by the players and the winners by team (several if they share the win)."""
    found: dict[tuple[int, ...], Table] = {}
    for players, winners in games:
        key = tuple(sorted(players))
        if key not in found:
            found[key] = Table({player: key.count(player) for player in key}, 0, dict.fromkeys(key, 0.0))
        found[key].games += 1
        for team in winners:
            found[key].wins[players[team]] += 1 / len(winners)
    return list(found.values())
