"""Rollouts by many processes."""

import operator
import secrets
from collections.abc import Callable
from typing import Any

from savanna import _core
from savanna._core import BATCH, Position, Rules, Stats, View
from savanna.arguments import integer
from savanna.distributed.parts import Crew, Directory, Job, Part, check_seed, checked_crew, cut
from savanna.errors import SavannaError
from savanna.records import RankedMove
from savanna.types import Backend, Policy
from savanna.workers import Pace

# Uniform games of a part take between a hundredth of a second and about ten on a fast core.
_LEAST, _MOST = 64, 1 << 16


def rollout(
    source: Rules | Position | View,
    games: int = 1_000_000,
    *,
    seed: int | None = 0,
    threads: int = 1,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    progress: Callable[[int], object] | None = None,
    workers: int | None = None,
    directory: Directory | None = None,
    chunk: int | None = None,
) -> Stats:
    """Return what `savanna.rollout` returns for the same source, games, seed and policy, to the last bit.

    Each part of the games is a Ray task on `threads` threads, and `workers` of them (1 to 10**6, by default as many as
    there are CPUs) are at work at once. `backend` is by default the best of each machine. `chunk` is how many games are
    a part, rounded up to whole batches. `progress` is called with the number of games so far. `seconds` of the result
    is the sum over all parts, and so more than has passed.

    What is finished is kept in the `directory`, if one is given; the same call goes on with it when the program was
    stopped. Raises `SavannaError` if it holds another call's results, and what `savanna.rollout` raises.
    """
    crew = checked_crew(workers, threads)
    _core.check_rollout(
        source, seed=seed, threads=threads, backend=backend, policy=policy
    )  # refused here rather than by a worker
    number = _seed(seed, directory)

    def play(part: Part) -> list[Stats]:
        first = part.pieces.start * BATCH
        return [
            _core.rollout(source, part.games, seed=number, threads=threads, backend=backend, policy=policy, first=first)
        ]

    rules = source if isinstance(source, Rules) else source.rules
    call = {"call": "rollout", "source": str(source), "policy": policy}
    job = _job(call, rules, 1, games, number, chunk, play)
    return _run(job, 1, crew, directory, progress)[0]


def rank_moves(
    source: Position | View,
    games: int = 10_000,
    *,
    seed: int | None = 0,
    threads: int = 1,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    progress: Callable[[int], object] | None = None,
    workers: int | None = None,
    directory: Directory | None = None,
    chunk: int | None = None,
) -> list[RankedMove]:
    """Return what `savanna.rank_moves` returns for the same source, games, seed and policy, to the last bit.

    A part of the games has that part after every move, and `chunk` is how many after each. All else is as in `rollout`
    of this module. Raises what that and `savanna.rank_moves` raise.
    """
    crew = checked_crew(workers, threads)
    _core.check_rollout(source, seed=seed, threads=threads, backend=backend, policy=policy)
    moves = len(_core.moves_to_rank(source))
    number = _seed(seed, directory)

    def play(part: Part) -> list[Stats]:
        first = part.pieces.start * BATCH
        rows = _core.rank_moves(
            source, part.games, seed=number, threads=threads, backend=backend, policy=policy, first=first
        )
        return [row.stats for row in sorted(rows, key=lambda row: row.move)]

    call = {"call": "rank_moves", "source": str(source), "policy": policy}
    job = _job(call, source.rules, moves, games, number, chunk, play)
    return _core.rank_stats(source, _run(job, moves, crew, directory, progress))


def _seed(seed: int | None, directory: Directory | None) -> int:
    """Return the seed of all parts."""
    check_seed(seed, directory)
    return secrets.randbits(64) if seed is None else operator.index(seed)


def _job(
    call: dict[str, Any],
    rules: Rules,
    sources: int,
    games: object,
    seed: int,
    chunk: object,
    play: Callable[[Part], list[Stats]],
) -> Job[list[Stats]]:
    """Return the call that plays `games` games from each source."""
    total = integer("games", games, 1, 2**53, SavannaError)

    def read(content: Any) -> list[Stats]:
        stats = [Stats.from_counts(rules, counts) for counts in content]
        if len(stats) != sources or len({it.games for it in stats}) > 1:
            raise ValueError("these are not the statistics of this call")
        return stats

    return Job(
        call={**call, "games": total, "seed": seed},
        cut=cut(total, BATCH, chunk, _LEAST, _MOST),
        play=play,
        add=lambda some, more: list(map(operator.add, some, more)),
        games=lambda stats: stats[0].games,
        written=lambda stats: [it.to_counts() for it in stats],
        read=read,
    )


def _run(
    job: Job[list[Stats]],
    sources: int,
    crew: Crew,
    directory: Directory | None,
    progress: Callable[[int], object] | None,
) -> list[Stats]:
    """Play the games of a call, and tell how many there are of all sources together."""
    tell = progress
    pace = Pace((lambda done, _: tell(done * sources)) if callable(tell) else tell)
    return job.run(crew, directory, pace)
