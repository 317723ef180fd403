"""Make a study."""

import secrets

from savanna._core import Rules, playouts
from savanna.arena.workers import Pace, Progress, crew_of
from savanna.errors import SavannaError
from savanna.reference.arguments import integer, wrong_type
from savanna.studies.play import Players, plan_players, tally_players, tally_policy
from savanna.studies.result import Study

_PRINTED = Rules()  # the game on the box


def study(
    rules: Rules = _PRINTED,
    players: Players | None = None,
    games: int | None = None,
    seed: int | None = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    policy: str | None = None,
) -> Study:
    """Play many games by the same rules and return what they come to.

    Without `players`, moves are chosen by the `policy` of `rollout`, "uniform" by default. `players` is a player, who
    then has all seats, so that win shares show what a seat is worth; or a dict from names to players or a sequence of
    players, who are seated as in `tournament`, each deal once in every order. At least so many `games` are played
    (100,000 by a policy and 1,000 by players if it is None): as many as make whole deals.

    Deals, and the players' own seeds, follow from `seed` (0 to 2**64 - 1; None asks the system for one). `threads` (1
    to 1024, by default one for each core) work side by side; the result is the same for any number of them. `progress`,
    if given, is called with the number of games so far and of all, a few times a second and at the end; what it raises,
    and Ctrl-C, stops the study.

    Raises `SavannaError` or `TypeError` for arguments that make no sense, and `SavannaError` for a player that makes an
    illegal move or raises anything.
    """
    if not isinstance(rules, Rules):
        raise wrong_type("rules", "Rules", rules)
    crew, pace = crew_of(threads), Pace(progress)
    if games is None:
        games = 100_000 if players is None else 1000
    games = integer("games", games, 1, 2**53, SavannaError)
    number = secrets.randbits(64) if seed is None else integer("seed", seed, 0, 2**64 - 1, SavannaError)
    if players is None:
        name = "uniform" if policy is None else policy
        playouts(rules, 1, policy=name)  # so that an unknown one is refused here and not on a thread
        return Study(rules, (), name, number, tally_policy(rules, name, games, number, crew, pace))
    if policy is not None:
        raise SavannaError("games are played by players or by a policy, not both")
    plan, seated = plan_players(rules, players, games, number)
    return Study(rules, plan.names, None, number, tally_players(plan, seated, crew, pace))
