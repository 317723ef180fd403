"""Studies by many processes."""

from typing import Any

import numpy as np

from savanna._core import Rules
from savanna.distributed.parts import Directory, Job, Part, check_seed, checked_crew, cut
from savanna.studies import Study
from savanna.studies.design import Design, designed
from savanna.studies.play import Players
from savanna.studies.tally import Tally
from savanna.types import Policy
from savanna.workers import Pace, Progress

_PRINTED = Rules()  # the game on the box

# Batches of a part by a policy: these take about half a second and a quarter of a minute. Of players, deals.
_LEAST_BY_POLICY = 16
_MOST = 512


def study(
    rules: Rules = _PRINTED,
    games: int | None = None,
    *,
    players: Players | None = None,
    seed: int | None = 0,
    policy: Policy | None = None,
    workers: int | None = None,
    directory: Directory | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> Study:
    """Return what `savanna.study` returns for the same rules, players, games, seed and policy.

    Each part of the games is a Ray task, and `workers` of them (1 to 10**6, by default as many as there are CPUs) are
    at work at once. Players are sent to them by pickling. `chunk` is how many games are a part, rounded up to whole
    batches or deals. `progress` is called with the number of games so far and of all.

    What is finished is kept in the `directory`, if one is given; the same call goes on with it when the program was
    stopped. Raises `SavannaError` if it holds another call's results, and what `savanna.study` raises.
    """
    crew, pace = checked_crew(workers), Pace(progress)
    check_seed(seed, directory)
    design = designed(rules, players, games, seed, policy)
    job = Job(
        call={"call": "study", **design.to_dict()},
        cut=cut(design.games, design.each, chunk, _LEAST_BY_POLICY if players is None else 1, _MOST),
        play=played_by(design),
        add=_added,
        games=lambda tally: tally.games,
        written=_written,
        read=_read,
    )
    return design.study(job.run(crew, directory, pace))


def played_by(design: Design) -> Any:
    """Return the function that plays a part of a study; it holds nothing else, and so is all that is sent."""

    def play(part: Part) -> Tally:
        return design.tally(part.pieces, 1, Pace(None))

    return play


def _added(some: Tally, more: Tally) -> Tally:
    """Return the sum of two tallies."""
    some.add(more)
    return some


_BETWEEN = "/"  # between the two names of a key; there is none in them


def _written(tally: Tally) -> dict[str, Any]:
    """Return a tally as plain values."""
    return {
        "games": tally.games,
        "deals": tally.deals,
        "sums": {_BETWEEN.join(key): sums.tolist() for key, sums in tally.sums.items()},
        "histograms": {name: counts.tolist() for name, counts in tally.histograms.items()},
    }


def _read(content: Any) -> Tally:
    """Return the tally of such values."""
    sums = {tuple(key.split(_BETWEEN)): np.array(rows, np.int64) for key, rows in content["sums"].items()}
    if any(len(key) != 2 for key in sums) or any(rows.ndim != 2 or len(rows) != 5 for rows in sums.values()):
        raise ValueError("there are not five sums for each figure")
    return Tally(
        games=content["games"],
        deals=content["deals"],
        sums={(table, column): rows for (table, column), rows in sums.items()},
        histograms={name: np.array(counts, np.int64) for name, counts in content["histograms"].items()},
    )
