"""Which games a tournament consists of: everything that decides them, and their order."""

import hashlib
import math
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

from savanna._core import Position, Rules
from savanna.arena.lineup import MOST_PLAYERS
from savanna.arena.sprt import Sprt, real
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError

_LONGEST_LIMIT = 86_400  # seconds; a thread cannot wait for ever
_MOST_ORDERS = 1_000_000


@dataclass(frozen=True)
class Task:
    """A game to be played: the number of its deal, and for each seat which player sits there."""

    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """All that decides the games of a tournament, but for the players themselves.

    `names` and `texts` are those of the players; `deals` is the greatest number of deals, since `sprt` may end the
    tournament early.
    """

    rules: Rules
    names: tuple[str, ...]
    texts: tuple[str, ...]
    deals: int
    seed: int
    time_limit: float | None
    sprt: Sprt | None

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The seatings that every deal is played with: for each seat the index of a player.

        A table has as many sides as there are teams. If there are as many players, every set of them that fills the
        table plays each deal once in every order; so two players swap sides. If there are fewer, every player in turn
        plays alone against copies of every other, once from each side. A single player has all seats.
        """
        sides, players = self.rules.teams, range(len(self.names))
        if len(players) == 1:
            tables = [(0,) * sides]
        elif len(players) >= sides:
            tables = list(combinations(players, sides))
        else:
            tables = [(alone, *[other] * (sides - 1)) for alone, other in permutations(players, 2)]
        orders = [order for table in tables for order in sorted(set(permutations(table)))]
        team_of = [self.rules.team_of(seat) for seat in range(self.rules.players)]
        return tuple(tuple(order[team] for team in team_of) for order in orders)

    @property
    def total(self) -> int:
        """The number of games, if none is saved by the sequential test."""
        return self.deals * len(self.seatings)

    def by_team(self, number: int) -> tuple[int, ...]:
        """Return for each team the index of the player that plays it in a game, given by its number."""
        return self.seatings[number % len(self.seatings)][: self.rules.teams]

    def tasks(self, first: int = 0) -> Iterator[Task]:
        """Yield the games in their order from game number `first` on: deal by deal."""
        each = len(self.seatings)
        for deal in range(first // each, self.deals):
            for seats in self.seatings[first - deal * each if deal == first // each else 0 :]:
                yield Task(deal, seats)

    def start(self, deal: int) -> Position:
        """Return how a deal begins. It follows from the seed and the number of the deal alone."""
        return Position.deal(self.rules, derived_seed(self.seed, "deal", deal))

    def player_seed(self, task: Task, seat: int) -> int:
        """Return the seed of the player in a seat: another one for each deal, each seating and each seat."""
        return derived_seed(self.seed, "player", task.deal, *task.seats, seat)


def make_plan(
    *,
    rules: Rules,
    names: Sequence[str],
    texts: Sequence[str],
    deals: object,
    seed: object,
    time_limit: object,
    sprt: object,
    fewest: int = 2,
) -> Plan:
    """Return the plan with all numbers checked; a test may be given as its two hypotheses, and None is a fresh seed.

    At least `fewest` players are needed. Raises `SavannaError` for a number that is out of range, and
    `TypeError` for what is none.
    """
    if not isinstance(rules, Rules):
        raise wrong_type("rules", "Rules", rules)
    if not fewest <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise SavannaError(f"players must be {fewest} to {MOST_PLAYERS} of different names, got {len(names)}")
    plan = Plan(
        rules=rules,
        names=tuple(names),
        texts=tuple(texts),
        deals=integer("deals", deals, 1, 2**53, SavannaError),
        seed=secrets.randbits(64) if seed is None else integer("seed", seed, 0, 2**64 - 1, SavannaError),
        time_limit=None if time_limit is None else _seconds(time_limit),
        sprt=None if sprt is None else _test(sprt),
    )
    if plan.sprt and not len(names) == rules.teams == 2:
        raise SavannaError(f"sprt needs two players and two teams, got {len(names)} players and {rules.teams} teams")
    orders = math.perm(len(names), rules.teams)
    if orders > _MOST_ORDERS:
        raise SavannaError(
            f"{len(names)} players sit in {orders} ways at a table of {rules.teams}, too many to play all"
        )
    return plan


def _seconds(limit: object) -> float:
    """Return the time limit."""
    seconds = real("time_limit", limit)
    if not 0 < seconds <= _LONGEST_LIMIT:
        raise SavannaError(f"time_limit must be more than 0 and at most {_LONGEST_LIMIT} seconds, got {seconds:g}")
    return seconds


def _test(sprt: object) -> Sprt:
    """Return the sequential test, which may be given as (elo0, elo1)."""
    if isinstance(sprt, Sprt):
        return sprt
    if not (isinstance(sprt, tuple | list) and len(sprt) == 2):
        raise wrong_type("sprt", "Sprt or (elo0, elo1)", sprt)
    return Sprt(*sprt)


def derived_seed(seed: int, *words: int | str) -> int:
    """Return a seed that follows from another and some words: the first 8 bytes, big-endian, of a SHA-256.

    What is hashed is the text of all of them with a space between each two. A player cannot compute the seed of the
    deal from its own, unless it tries all seeds that the tournament may have had.
    """
    text = " ".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")


def opponents(players: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the pairs that meet at a table, of which the players of each team are given.

    At a table of copies, the lone player comes first; else the two are in the order of the tournament's players.
    """
    return list(combinations(sorted(set(players), key=lambda player: (players.count(player), player)), 2))
