"""How the games of a study are played: by a policy at the engine's speed, or by players that are asked for moves."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import TypeAlias

import numpy as np

from savanna._core import Playouts, Rules, playouts
from savanna.arena.games import GameRecord, play_game
from savanna.arena.lineup import Entrant, entrants
from savanna.arena.schedule import Plan, Task, derived_seed, make_plan
from savanna.errors import SavannaError
from savanna.players import Player
from savanna.studies.tally import Games, Tally, count
from savanna.types import Policy
from savanna.workers import Pace, in_order

Players: TypeAlias = Player | Mapping[str, Player] | Sequence[Player]

BATCH = 2048
"""Games by a policy that are played from one seed: batch k has that derived from the study's, "study" and k.

A batch takes some hundredths of a second, so that Ctrl-C can wait for those that are at work.
"""

_TALLIED = 1024  # about this number of games by players are counted at once
_FAREWELL = 10.0  # seconds; a batch is over long before


def policy_games(rules: Rules, policy: Policy, games: int, seed: int, batch: int) -> Playouts:
    """Return the games of one batch, of a study of n games by a policy."""
    return playouts(
        rules, min(BATCH, games - batch * BATCH), seed=derived_seed(seed, "study", batch), threads=1, policy=policy
    )


def tally_policy(
    rules: Rules, policy: Policy, games: int, seed: int, batches: range, threads: int, pace: Pace
) -> Tally:
    """Play some batches of a study of n games by a policy, and count them."""

    def play(batch: int, _stopped: Callable[[], bool]) -> Tally:
        plays = policy_games(rules, policy, games, seed, batch)
        sides = np.zeros((len(plays), rules.teams), np.int8)
        return count(rules, 1, Games(plays.actions, plays.scores, plays.winners, sides, each=1))

    total = min(games, batches.stop * BATCH) - batches.start * BATCH
    with closing(in_order(batches, play, threads, _FAREWELL)) as tallies:
        return _added(tallies, total, pace)


def plan_players(rules: Rules, players: Players, games: int, seed: int | None) -> tuple[Plan, list[Player]]:
    """Return which games are played between these players: whole deals, and at least `games` games."""
    single = not isinstance(players, Mapping | Sequence)
    entered: tuple[Entrant, ...] = entrants([players] if single else players)
    plan = make_plan(
        rules=rules,
        names=[entrant.name for entrant in entered],
        texts=[entrant.text for entrant in entered],
        deals=1,
        seed=seed,
        time_limit=None,
        sprt=None,
        fewest=1,
    )
    deals = -(-games // len(plan.seatings))
    return Plan(plan.rules, plan.names, plan.texts, deals, plan.seed, None, None), [it.player for it in entered]


def player_games(
    plan: Plan, players: Sequence[Player], deals: range, threads: int
) -> Generator[GameRecord, None, None]:
    """Play the games of some deals and yield them in order.

    Raises `SavannaError` for a player that does not play to the end.
    """

    def play(task: Task, stopped: Callable[[], bool]) -> GameRecord:
        return play_game(plan, players, task, stopped)

    each = len(plan.seatings)
    tasks = islice(plan.tasks(deals.start * each), len(deals) * each)
    with closing(in_order(tasks, play, threads)) as records:
        for number, record in enumerate(records, start=deals.start * each):
            if record.failed is not None:
                raise SavannaError(
                    f"game {number} of the study, deal {record.deal}: {record.seats[record.failed]} in seat "
                    f"{record.failed} did not play on: {record.reason}"
                )
            yield record


def tally_players(plan: Plan, players: Sequence[Player], deals: range, threads: int, pace: Pace) -> Tally:
    """Play the games of some deals and count them. Raises `SavannaError` for a player that does not play to the end."""
    each = len(plan.seatings)
    total = len(deals) * each

    def tell() -> Iterator[GameRecord]:
        for number, record in enumerate(records, start=1):
            yield record
            if number < total:
                pace.tell(number, total)

    with closing(player_games(plan, players, deals, threads)) as records:
        told = tell()
        size = -(-_TALLIED // each) * each
        batches = iter(lambda: list(islice(told, size)), [])
        tallies = (count(plan.rules, len(players), _games(plan, batch)) for batch in batches)
        return _added(tallies, total, pace)


def _games(plan: Plan, records: Sequence[GameRecord]) -> Games:
    """Return whole deals of games as arrays."""
    sides = [plan.by_team(number) for number in range(len(plan.seatings))]
    return Games(
        actions=np.array([[move.action for move in record.moves] for record in records], np.uint8),
        scores=np.array([record.scores for record in records], np.int16),
        winners=np.array([sum(1 << team for team in record.winners) for record in records], np.uint8),
        sides=np.array(sides * (len(records) // len(sides)), np.int8),
        each=len(sides),
    )


def _added(tallies: Iterator[Tally], games: int, pace: Pace) -> Tally:
    """Add up tallies, and tell how many games they are."""
    whole: Tally | None = None
    for tally in tallies:
        if whole is None:
            whole = tally
        else:
            whole.add(tally)
        pace.tell(whole.games, games, is_last=whole.games == games)
    assert whole is not None
    return whole
