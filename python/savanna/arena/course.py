"""How far a tournament has come."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from savanna.arena.games import GameRecord
from savanna.arena.schedule import Plan


@dataclass
class Course:
    """The games of a plan so far, and whether they were all."""

    plan: Plan
    games: list[GameRecord] = field(default_factory=list)
    is_over: bool = False
    _shares: Counter[float] = field(default_factory=Counter)

    def add(self, game: GameRecord) -> None:
        """Add the next game, and see whether it was the last: no deal is left, or the sequential test has decided."""
        self.games.append(game)
        self.is_over = len(self.games) == self.plan.total
        each = len(self.plan.seatings)
        if self.plan.sprt is not None and len(self.games) % each == 0:
            self._shares += shares_by_deal(self.plan, self.games[-each:])
            self.is_over |= self.plan.sprt.judge(self._shares).verdict != "undecided"


def shares_by_deal(plan: Plan, games: Sequence[GameRecord]) -> Counter[float]:
    """Count the deals by which share of their games the first of two players won, given the games of whole deals."""
    won = [(plan.by_team(number).index(0) in game.winners) / len(game.winners) for number, game in enumerate(games)]
    each = len(plan.seatings)
    return Counter(sum(won[first : first + each]) / each for first in range(0, len(won), each))
