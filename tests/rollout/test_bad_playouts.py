"""Playouts and players that are asked for what cannot be."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import savanna
from savanna import GameOverError, SavannaError, players, reference
from tests.support.refusals import Things, endless, kind, refused

RULES = savanna.Rules()

PLAYOUTS: dict[str, tuple[Any, Callable[..., object]]] = {
    "rollout": (RULES, savanna.rollout),
    "playouts": (RULES, savanna.playouts),
    "rollout_many": (RULES, lambda source, *args, **options: savanna.rollout_many([RULES, source], *args, **options)),
    "rank_moves": (savanna.Position.deal(RULES, 1), savanna.rank_moves),
}


@pytest.mark.parametrize("name", PLAYOUTS)
def test_playouts_of_nonsense(name: str) -> None:
    right, function = PLAYOUTS[name]
    for source in (None, 3, "2p", [RULES], reference.Rules(), savanna.Move("zebra", "lion", "c4"), savanna.Rules):
        refused(TypeError, f"source {kind(source)}", function, source, 10)
    for backend in ("", "x", "Scalar", "scalar\0", "\n", "x" * 10**6):
        refused(
            SavannaError, f"backend {backend[:9] if backend.isprintable() else ''}", function, right, backend=backend
        )
    for policy in ("", "x", "Uniform", "soft_greedy", "greedy ", "uniform\0", "\n", "x" * 10**6):
        refused(SavannaError, f"policy {policy[:9] if policy.isprintable() else ''}", function, right, policy=policy)
    for value in (3, b"scalar", True, ["scalar"]):
        refused(TypeError, f"backend {kind(value)}", function, right, backend=value)
        refused(TypeError, f"policy {kind(value)}", function, right, policy=value)
        refused(TypeError, f"progress {kind(value)}", function, right, 10, progress=value)
    refused(TypeError, "policy NoneType", function, right, policy=None)


def test_sources_that_are_none() -> None:
    for sources in (None, 3, RULES, savanna.Rules, savanna.Position.deal(RULES, 1), object()):
        refused(TypeError, f"sources {kind(sources)}", savanna.rollout_many, sources)
    # The first that is no source is refused; what comes after it is never looked at.
    for no_source in ("2p", b"2p", [[RULES]], {3: RULES}, endless(3), [RULES] * 1000 + [None]):
        refused(TypeError, "source", savanna.rollout_many, no_source, games=1)


def test_moves_to_rank_where_there_are_none() -> None:
    compiled = Things(savanna)
    refused(GameOverError, "over 20", savanna.rank_moves, compiled.over)
    refused(GameOverError, "over 20", savanna.rank_moves, compiled.over.view(1))
    for source in (compiled.rules, compiled.position.view(0)):
        refused(SavannaError, "source View seat move", savanna.rank_moves, source)


SEARCHING: dict[Callable[..., Any], str] = {players.FlatMonteCarlo: "playouts", players.SoftGreedy: "playouts"}
SEARCHING |= {players.Ismcts: "iterations", players.Champion: "iterations"}


@pytest.mark.parametrize("player", SEARCHING)
def test_budgets_that_cannot_be(player: Callable[..., Any]) -> None:
    for seconds in (0, -1, 1e6 + 1, -1e-300, 1e300, float("nan"), float("inf"), -float("inf"), np.float64(-2), 10**400):
        refused(SavannaError, "seconds above 0 at most 1000000", player, seconds=seconds)
    for value in (True, False, "1", b"1", 3j, [1.0], np.array([1.0, 2.0]), object()):
        refused(TypeError, f"seconds number {kind(value)}", player, seconds=value)
    refused(SavannaError, f"{SEARCHING[player]} or seconds, not both", player, 20_000, seconds=1)
    refused(TypeError, "", player, 20_000, 1)
    for right in (1, 0.5, np.float32(0.5), np.int8(1), Fraction(1, 2)):
        assert player(seconds=right).seconds == float(right)


def test_views_that_are_none(things: Things) -> None:
    right = things.engine is savanna
    searching = tuple(player(10) for player in SEARCHING)
    choosing = (players.Random(), players.Greedy(), *searching)
    for ask in (*(player.choose for player in choosing), *(player.analyse for player in searching), savanna.analyse):
        for value in (None, 3, str(things.view), [things.view], things.rules, type(things.view)):
            refused(TypeError, f"view View {kind(value)}", ask, value)
        refused(TypeError, "view View Position" + " position.view(seat)" * right, ask, things.position)
        if right:
            refused(SavannaError, "view seat 0 seat 1", ask, things.position.view(0))
            refused(GameOverError, "over 20", ask, things.over.view(0))
        else:
            refused(TypeError, "view View", ask, things.view)


def test_playouts_over_nonsense(things: Things) -> None:
    plays = things.plays
    arrays = (plays.actions, plays.scores, plays.winners, plays.decks)
    for out in (3, True, "x", plays.actions, arrays, list(arrays), {}, things.stats, savanna.Playouts, object()):
        refused(TypeError, f"out {kind(out)}", savanna.playouts, RULES, 3, out=out)
    # The same number of games from elsewhere, another number, more than there is memory for.
    for source, games in ((savanna.Rules(players=4), 3), (RULES, 2), (RULES, 4), (RULES, 2**53)):
        refused(SavannaError, f"out shape {games} games", savanna.playouts, source, games, out=plays)
    for options in ({"games": 0}, {"seed": -1}, {"threads": 0}, {"backend": "x"}, {"policy": "x"}):
        refused(SavannaError, "", savanna.playouts, RULES, out=plays, **options)


def test_more_playouts_than_there_is_memory_for() -> None:
    with pytest.raises(MemoryError):
        savanna.playouts(RULES, games=2**53)
