"""Tournaments by many processes."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from os import PathLike

from savanna._core import Rules
from savanna.arena import Sprt, Tournament
from savanna.arena.games import GameRecord
from savanna.arena.run import held
from savanna.arena.schedule import Task
from savanna.distributed.cluster import connected
from savanna.distributed.parts import checked_crew
from savanna.distributed.pool import in_order
from savanna.players import Player
from savanna.workers import Progress

_PRINTED = Rules()  # the game on the box


def tournament(
    players: Mapping[str, Player] | Sequence[Player],
    deals: int = 100,
    *,
    rules: Rules = _PRINTED,
    seed: int | None = 0,
    time_limit: float | None = None,
    sprt: Sprt | tuple[float, float] | None = None,
    log: str | PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Hold a `savanna.tournament`: the same games, the same table, and the same log to the byte.

    Some games at a time are a Ray task, and `workers` of them (1 to 10**6, by default as many as there are CPUs) are at
    work at once. Players are sent to them by pickling. A tournament that was stopped goes on by its `log` with
    `resume`. All else is as in `savanna.tournament`, and so is what is raised.
    """
    crew = checked_crew(workers)

    def play(
        tasks: Iterable[Task], work: Callable[[Task, Callable[[], bool]], GameRecord]
    ) -> Generator[GameRecord, None, None]:
        queue = iter(tasks)
        if first := list(islice(queue, crew.places)):  # else a log that is resumed has all games already
            with connected(len(first)), closing(in_order(chain(first, queue), work, crew.workers)) as games:
                yield from games

    return held(players, rules, deals, seed, play, log, resume, sprt, progress, time_limit)
