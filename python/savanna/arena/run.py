"""Play a tournament."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from os import PathLike
from typing import SupportsIndex, TypeAlias

from savanna._core import Rules
from savanna.arena.games import GameRecord, play_game
from savanna.arena.lineup import entrants
from savanna.arena.log import log_path, opened
from savanna.arena.results import Tournament
from savanna.arena.schedule import Task, make_plan
from savanna.arena.sprt import Sprt
from savanna.arguments import boolean
from savanna.errors import SavannaError
from savanna.players import Player
from savanna.workers import Pace, Progress, crew_of, in_order

Workers: TypeAlias = Callable[
    [Iterable[Task], Callable[[Task, Callable[[], bool]], GameRecord]], Generator[GameRecord, None, None]
]
"""Plays the games: what `in_order` does with its first two arguments."""

_PRINTED = Rules()  # the game on the box


def tournament(
    players: Mapping[str, Player] | Sequence[Player],
    deals: SupportsIndex = 100,
    *,
    rules: Rules = _PRINTED,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    time_limit: float | None = None,
    sprt: Sprt | tuple[float, float] | None = None,
    log: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Tournament:
    """Let players play each other, each deal once in every order, and return the table, the ratings and the games.

    `players` is a dict from names to players or a sequence of players, who go by their `name` or else their `repr`. A
    player is any object with a method `choose(view)` that returns a legal move or its text. If there are at least as
    many players as the rules have teams, every set of them that fills a table plays each deal once in every order; so
    two players swap sides. If there are fewer, each plays alone against copies of each other one, once from every side.

    Deals follow from `seed` (0 to 2**64 - 1; None asks the system for one) and their number, never from the players.
    A player with a method `with_seed(seed)` is replaced in every game by what that returns, the same player with a seed
    of its own for this deal, order and seat; any other is used as it is. `threads` (1 to 1024, by default one for each
    core) ask players at the same time. If a player's moves follow from the view and that seed, everything comes out the
    same, to the byte, for any number of threads.

    A move that is illegal, an exception, or a move after `time_limit` seconds loses the game for that player's team;
    the other teams share the win, and the tournament goes on. A Python thread cannot be killed: a player that is more
    than a second late is left to itself on a daemon thread.

    `log` is the path of a file to which each game is written, in order, as soon as it and all before it are over;
    `Tournament.load` reads it. With `resume`, a log that was begun with the same arguments is continued, and in the end
    is the same as without the break. `sprt`, an `Sprt` or its (elo0, elo1), ends a tournament of two players as soon as
    their difference is clear; `deals` is then the most. `progress`, if given, is called with the number of games so far
    and of all, a few times a second and at the end; what it raises, and Ctrl-C, stops the tournament.

    Raises `SavannaError` or `TypeError` for arguments that make no sense, and `OSError` if the log cannot be written.
    """
    workers = partial(in_order, threads=crew_of(threads))
    return held(players, rules, deals, seed, workers, log, resume, sprt, progress, time_limit)


def held(
    players: Mapping[str, Player] | Sequence[Player],
    rules: Rules,
    deals: SupportsIndex,
    seed: SupportsIndex | None,
    workers: Workers,
    log: str | PathLike[str] | None,
    resume: bool,
    sprt: Sprt | tuple[float, float] | None,
    progress: Progress | None,
    time_limit: float | None,
) -> Tournament:
    """Hold a `tournament`, the games of which are played by these workers."""
    entered = entrants(players)
    plan = make_plan(
        rules=rules,
        names=[entrant.name for entrant in entered],
        texts=[entrant.text for entrant in entered],
        deals=deals,
        seed=seed,
        time_limit=time_limit,
        sprt=sprt,
    )
    pace = Pace(progress)
    path = None if log is None else log_path(log)
    if boolean("resume", resume) and (path is None or seed is None):
        raise SavannaError("resume needs the log, and the seed that it was begun with")

    seated = [entrant.player for entrant in entered]

    def play(task: Task, stopped: Callable[[], bool]) -> GameRecord:
        return play_game(plan, seated, task, stopped)

    with opened(path, plan, resume=resume) as (course, add):
        remaining = () if course.is_over else plan.tasks(first=len(course.games))
        with closing(workers(remaining, play)) as records:
            for game in records:
                add(game)
                pace.tell(len(course.games), plan.total, is_last=course.is_over)
                if course.is_over:
                    break
    return Tournament.of(plan, course.games)
