"""Make a study."""

from typing import SupportsIndex

from savanna._core import Rules
from savanna.studies.design import designed
from savanna.studies.play import Players
from savanna.studies.result import Study
from savanna.types import Policy
from savanna.workers import Pace, Progress, crew_of

_PRINTED = Rules()  # the game on the box


def study(
    rules: Rules = _PRINTED,
    games: SupportsIndex | None = None,
    *,
    players: Players | None = None,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    policy: Policy | None = None,
    progress: Progress | None = None,
) -> Study:
    """Play many games by the same rules and return what they come to.

    Without `players`, moves are chosen by the `policy` of `rollout`, "uniform" by default. `players` is a player, who
    then has all seats, so that win shares show what a seat is worth; or a dict from names to players or a sequence of
    players, who are seated as in `tournament`, each deal once in every order. At least `games` games are played
    (100,000 by a policy and 1,000 by players if it is None): as many as make whole deals.

    Deals, and the players' own seeds, follow from `seed` (0 to 2**64 - 1; None asks the system for one). `threads` (1
    to 1024, by default one for each core) work side by side; the result is the same for any number of them. `progress`,
    if given, is called with the number of games so far and of all, a few times a second and at the end; what it raises,
    and Ctrl-C, stops the study.

    Raises `SavannaError` or `TypeError` for arguments that make no sense, and `SavannaError` for a player that makes an
    illegal move or raises anything.
    """
    crew, pace = crew_of(threads), Pace(progress)
    design = designed(rules, players, games, seed, policy)
    return design.study(design.tally(range(design.pieces), crew, pace))
