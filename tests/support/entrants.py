"""Players for the tests of tournaments, and small tournaments of them."""

import random
from collections.abc import Sequence
from typing import Any

import savanna as sv
from savanna.arena.games import GameRecord
from savanna.arena.schedule import Plan, make_plan
from tests.support.both_engines import seat_of


class Dice:
    """Chooses at random, by its seed and the view."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def __repr__(self) -> str:
        return f"Dice(seed={self.seed})"

    def with_seed(self, seed: int) -> "Dice":
        return Dice(seed)

    def choose(self, view: sv.View) -> sv.Move:
        return random.Random(f"{self.seed} {view}").choice(view.legal_moves())


class Steady:
    """Chooses by the view alone, and says it as text."""

    def choose(self, view: sv.View) -> str:
        legal = view.legal_moves()
        return str(legal[7 * view.ply % len(legal)])


class Grabber:
    """Takes the most points that one move can bring, the others' points aside."""

    def choose(self, view: sv.View) -> sv.Move:
        position, team = view.sample(0), view.rules.team_of(seat_of(view))
        return max(position.legal_moves(), key=lambda move: sum(it.points[team] for it in position.lines_filled(move)))


def plan(
    players: int = 2, rules: sv.Rules | None = None, deals: int = 3, sprt: Any = None, time_limit: float | None = None
) -> Plan:
    """Return the plan of a tournament of players A, B, C and so on."""
    names = "ABCDEFGH"[:players]
    return make_plan(
        rules=rules or sv.Rules(), names=names, texts=names, deals=deals, seed=0, time_limit=time_limit, sprt=sprt
    )


START = sv.Position.deal(sv.Rules(), seed=0)
"""A start for records of games of which only the results count."""


def record(
    of: Plan, number: int, winners: Sequence[int], scores: Sequence[int] = (), reason: str = "played"
) -> GameRecord:
    """Return what game `number` of a plan might have come to; it never began."""
    seats = of.seatings[number % len(of.seatings)]
    return GameRecord(
        deal=number // len(of.seatings),
        seats=tuple(of.names[player] for player in seats),
        start=START,
        moves=(),
        scores=tuple(scores) or (0,) * of.rules.teams,
        winners=tuple(winners),
        reason=reason,
        failed=None if reason == "played" else 0,
    )
