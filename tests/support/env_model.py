"""A batch of games in plain Python, by the words of its documentation and the reference engine."""

from typing import Any

import numpy as np

import savanna as sv
from savanna import reference as ref
from savanna.envs import WAIT, BatchEnv
from savanna.reference.rng import Xoshiro256PlusPlus
from tests.support.env_layout import Record, greatest
from tests.support.env_twins import expected_rewards


class Place:
    """One place of a batch, where one game follows the other."""

    def __init__(self, rules: sv.Rules, seed: int, place: int, **options: str) -> None:
        self.rules, self.seed, self.place, self.options = ref.Rules.parse(str(rules)), seed, place, options
        self.draws = Xoshiro256PlusPlus.seeded(seed, "act", place)
        self.begun, self.over = 0, False
        self.last: Record | None = None
        self.begin()

    def begin(self) -> None:
        """Deal the next game."""
        self.begun += 1
        number = self.place + 2**20 * self.begun
        deal = Xoshiro256PlusPlus.seeded(self.seed, "episode", number).next()
        self.record, self.over = Record(ref.Position.deal(self.rules, deal)), False

    def legal(self) -> list[int]:
        return [] if self.over else [move.action for move in self.record.now.legal_moves()]

    def sample(self) -> int:
        """Draw an action: spaces in their order, and at each of them first animals, then faces."""
        legal = sorted(self.legal(), key=lambda action: (action % 20, action))
        return legal[self.draws.below(len(legal))] if legal else WAIT

    def step(self, action: int) -> tuple[list[float], bool]:
        """Play an action; return what seats are paid and whether the game has ended."""
        nothing = [0.0] * self.rules.players
        if self.over and self.options["autoreset"] == "next-step":
            self.begin()
            return nothing, False
        if self.over or action == WAIT:
            return nothing, False
        if action in self.legal():
            before = self.record.now
            self.record.play(action)
            paid = expected_rewards(before, self.record.now, self.options["reward"])
            self.over = self.record.now.is_over
        else:
            paid, self.over = self.lost(), True
        ended = self.over
        if self.over and self.options["autoreset"] == "same-step":
            self.last = self.record
            self.begin()
        return paid, ended

    def lost(self) -> list[float]:
        """Return what an illegal action pays: by margins, all points that the rules give go to the others."""
        rules, most = self.rules, greatest(self.rules)["score"]
        others, loser = rules.teams - 1, rules.team_of(self.record.turn)
        if self.options["reward"] == "win":
            by_team = [0 if team == loser else 1 / others for team in range(rules.teams)]
        else:
            by_team = [-most if team == loser else most / others for team in range(rules.teams)]
        if self.options["reward"] == "margin-change":
            scores = self.record.now.scores
            by_team = [
                margin - (own - (sum(scores) - own) / others) for margin, own in zip(by_team, scores, strict=True)
            ]
        return [by_team[rules.team_of(seat)] for seat in range(rules.players)]


def check_rows(env: BatchEnv, step: Any, places: list[Place]) -> None:
    """Check what a step or `now` shows, but for rewards and ends."""
    for row, place in enumerate(places):
        mask = np.zeros(200)
        mask[place.legal()] = 1
        np.testing.assert_array_equal(step.action_mask[row], mask)
        numbers = place.record.numbers(place.record.turn, env.layout.recall)
        np.testing.assert_array_equal(step.observations[row], numbers)
        assert step.seats[row] == place.record.turn


def check_seen(env: BatchEnv, places: list[Place]) -> None:
    """Check what each seat sees now, and saw in the end if that is kept."""
    recall = env.layout.recall
    for seat in range(env.rules.players):
        expected = [place.record.numbers(seat, recall) for place in places]
        np.testing.assert_array_equal(env.observe(seat), expected)
        if places[0].options["autoreset"] == "same-step":
            for ends, place in zip(env.final_observations(seat), places, strict=True):
                np.testing.assert_array_equal(ends, place.last.numbers(seat, recall) if place.last else 0)
