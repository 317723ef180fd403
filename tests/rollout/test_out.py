"""Playouts written over earlier ones: the very arrays, and nothing is written if they do not fit or are in use."""

import re
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import savanna as sv
from tests.support.both_engines import random_game

RULES = {
    "2": sv.Rules(),
    "3 mice": sv.Rules(players=3, mice=True),
    "4": sv.Rules(players=4),
    "teams": sv.Rules(players=4, team_game=True),
    "2 mice": sv.Rules(mice=True),
}
Source = sv.Rules | sv.Position | sv.View


@cache
def game(name: str, seed: int = 0) -> list[sv.Position]:
    """Return the position at every ply of a random game."""
    return random_game(sv.Position.deal(RULES[name], seed), seed)


Arrays = dict[str, np.ndarray[Any, Any]]


def arrays(plays: sv.Playouts) -> Arrays:
    return {name: getattr(plays, name) for name in ("actions", "scores", "winners", "decks")}


def copied(plays: sv.Playouts) -> Arrays:
    return {name: array.copy() for name, array in arrays(plays).items()}


def assert_arrays(found: Arrays, expected: Arrays) -> None:
    for name, array in expected.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


SAME_SHAPE: dict[str, list[Source]] = {
    "rules": [RULES["2"], sv.Rules(target=8), game("2")[0], game("2")[0].view(1), game("2", 1)[0].view(0)],
    "late": [game("2")[13], game("2")[13].view(0), game("2", 1)[13], game("2", 2)[13].view(1)],
    "end": [game("3 mice")[20], game("3 mice", 1)[20].view(2)],
}


@pytest.mark.parametrize("games", [1, 100, 20_000])
@pytest.mark.parametrize("name", SAME_SHAPE)
def test_playouts_are_written_over_earlier_ones(name: str, games: int) -> None:
    out = sv.playouts(SAME_SHAPE[name][-1], games, seed=99)
    kept, at = arrays(out), {part: array.__array_interface__["data"] for part, array in arrays(out).items()}
    for seed, source in enumerate(SAME_SHAPE[name]):
        plays, fresh = sv.playouts(source, games, seed=seed, threads=2, out=out), sv.playouts(source, games, seed=seed)
        assert_arrays(arrays(plays), copied(fresh))
        for part, array in arrays(plays).items():
            assert array is kept[part]
            assert array.__array_interface__["data"] == at[part]
            assert array.size == 0 or not np.shares_memory(array, arrays(fresh)[part])
        # They know the source from which they were played.
        assert len(plays) == games
        assert plays.start(games - 1) == fresh.start(games - 1)
        assert plays.moves(games - 1) == fresh.moves(games - 1)
        out = plays


def test_playouts_without_out_never_change() -> None:
    first = sv.playouts(RULES["2"], 1000, seed=1)
    expected = copied(first)
    second = sv.playouts(RULES["2"], 1000, seed=2)
    third = sv.playouts(RULES["2"], 1000, seed=3, out=second)
    fourth = sv.playouts(RULES["2"], 1000, seed=4, out=None)
    assert_arrays(arrays(first), expected)
    for name, array in arrays(first).items():
        assert not np.shares_memory(array, arrays(third)[name])
        assert not np.shares_memory(array, arrays(fourth)[name])


def refuses(out: sv.Playouts, words: str, source: Source = RULES["2"], games: int = 100) -> None:
    """Check that playouts over these are refused with this text, and that nothing has changed."""
    expected = copied(out)
    with pytest.raises(sv.SavannaError, match=f"^{re.escape(words)}$") as caught:
        sv.playouts(source, games, seed=1, out=out)
    assert type(caught.value) is sv.SavannaError
    assert_arrays(arrays(out), expected)


@pytest.mark.parametrize(
    ("source", "games"),
    [
        (RULES["2"], 99),
        (RULES["2"], 101),
        (RULES["2"], 2**53),
        (game("2")[1], 100),
        (RULES["2 mice"], 100),
        (RULES["3 mice"], 100),
        (RULES["4"], 100),
        (sv.Rules(deck={"zebra": 20}), 100),
    ],
    ids=str,
)
def test_playouts_of_another_shape_are_refused(source: Source, games: int) -> None:
    rules = source if isinstance(source, sv.Rules) else source.rules
    plies, tiles = 20 - (0 if isinstance(source, sv.Rules) else source.ply), sum(rules.deck.values())
    wanted = f"{games} games of {plies} plies, {rules.teams} teams and {rules.players} decks of {tiles} tiles"
    refuses(sv.playouts(RULES["2"], 100), f"out has another shape or layout than {wanted}", source, games)


def test_teams_and_seats_are_parts_of_the_shape() -> None:
    refuses(
        sv.playouts(RULES["4"], 100),
        "out has another shape or layout than 100 games of 20 plies, 2 teams and 4 decks of 6 tiles",
        RULES["teams"],
    )


IN_USE = "out cannot be written: its arrays are in use or read-only"


@pytest.mark.parametrize("name", ["actions", "scores", "winners", "decks"])
def test_read_only_arrays_are_refused(name: str) -> None:
    out = sv.playouts(RULES["2"], 100)
    array: np.ndarray[Any, Any] = getattr(out, name)
    array.flags.writeable = False
    refuses(out, IN_USE)
    array.flags.writeable = True
    assert_arrays(arrays(sv.playouts(RULES["2"], 100, seed=1, out=out)), copied(sv.playouts(RULES["2"], 100, seed=1)))


def test_arrays_that_a_call_is_writing_are_refused() -> None:
    out = sv.playouts(RULES["2"], 200_000)
    errors: list[str] = []

    def progress(games: int) -> None:
        if games < 200_000:
            with pytest.raises(sv.SavannaError) as caught:
                sv.playouts(RULES["2"], 200_000, seed=2, out=out)
            errors.append(str(caught.value))

    plays = sv.playouts(RULES["2"], 200_000, seed=1, out=out, threads=1, progress=progress)
    assert set(errors) == {IN_USE}
    assert_arrays(arrays(plays), copied(sv.playouts(RULES["2"], 200_000, seed=1)))
    # It is free again afterwards, even if the call was stopped.
    with pytest.raises(ZeroDivisionError):
        sv.playouts(RULES["2"], 200_000, out=out, progress=lambda _: 1 // 0)
    again = sv.playouts(RULES["2"], 200_000, seed=3, out=out)
    assert_arrays(arrays(again), copied(sv.playouts(RULES["2"], 200_000, seed=3)))


def test_arrays_of_another_shape_by_now_are_refused() -> None:
    out = sv.playouts(RULES["2"], 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # NumPy does not like this either
        out.scores.shape = (2, 100)
    wanted = "100 games of 20 plies, 2 teams and 2 decks of 10 tiles"
    refuses(out, f"out has another shape or layout than {wanted}")


def test_arrays_of_another_layout_by_now_are_refused() -> None:
    out = sv.playouts(RULES["2"], 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        out.actions.strides = (1, 100)
    refuses(out, "out has another shape or layout than 100 games of 20 plies, 2 teams and 2 decks of 10 tiles")
