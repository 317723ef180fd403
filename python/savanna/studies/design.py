"""What is to be studied: arguments that have been checked, and the numbered pieces that the games come in."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

from savanna._core import Rules, check_rollout
from savanna.arena.schedule import Plan
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError
from savanna.players import Player
from savanna.studies.play import BATCH, Players, plan_players, tally_players, tally_policy
from savanna.studies.result import Study
from savanna.studies.tally import Tally
from savanna.types import Policy
from savanna.workers import Pace


@dataclass(frozen=True)
class Design:
    """A study before its games are played.

    Its games come in pieces that can be played anywhere: batches of games by a policy, deals of games by players.
    `seating` says who plays, None for a policy; `policy` is None for players.
    """

    rules: Rules
    games: int
    seed: int
    policy: Policy | None
    seating: Plan | None
    players: Sequence[Player]

    @property
    def each(self) -> int:
        """The number of games in a piece; the last one may have fewer."""
        return BATCH if self.seating is None else len(self.seating.seatings)

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return -(-self.games // self.each)

    def tally(self, pieces: range, threads: int, pace: Pace) -> Tally:
        """Play some of the pieces and count their games."""
        if self.seating is not None:
            return tally_players(self.seating, self.players, pieces, threads, pace)
        assert self.policy is not None
        return tally_policy(self.rules, self.policy, self.games, self.seed, pieces, threads, pace)

    def study(self, tally: Tally) -> Study:
        """Return the study, given the tally of all pieces."""
        names = () if self.seating is None else self.seating.names
        return Study(self.rules, names, self.policy, self.seed, tally)

    def to_dict(self) -> dict[str, Any]:
        """Return all that decides the games as plain values for JSON."""
        seating = self.seating
        names = [] if seating is None else [list(it) for it in zip(seating.names, seating.texts, strict=True)]
        return {
            "rules": str(self.rules),
            "games": self.games,
            "seed": self.seed,
            "policy": self.policy,
            "players": names,
        }


def designed(
    rules: Rules,
    players: Players | None,
    games: SupportsIndex | None,
    seed: SupportsIndex | None,
    policy: Policy | None,
) -> Design:
    """Return the design that the arguments of `study` describe. Raises `SavannaError` or `TypeError`."""
    if not isinstance(rules, Rules):
        raise wrong_type("rules", "Rules", rules)
    if games is None:
        games = 100_000 if players is None else 1000
    games = integer("games", games, 1, 2**53, SavannaError)
    number = secrets.randbits(64) if seed is None else integer("seed", seed, 0, 2**64 - 1, SavannaError)
    if players is None:
        name = "uniform" if policy is None else policy
        check_rollout(rules, policy=name)  # an unknown one is refused here rather than on a thread
        return Design(rules, games, number, name, None, ())
    if policy is not None:
        raise SavannaError("games are played by players or by a policy, not both")
    plan, seated = plan_players(rules, players, games, number)
    return Design(rules, plan.total, number, None, plan, tuple(seated))
