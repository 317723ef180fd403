"""The games of a call played in parts, which add up to it."""

import json
import operator
import re
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna.types import Policy
from tests.support.both_engines import random_game

GAMES = 3 * sv.BATCH + 5
PARTS = [(0, sv.BATCH), (sv.BATCH, 2 * sv.BATCH), (3 * sv.BATCH, 5)]
GAME = random_game(sv.Position.deal(sv.Rules(), 3), 3)
SOURCES = [sv.Rules(players=3), GAME[7], GAME[7].view(1), sv.Rules(players=4, team_game=True)]


@pytest.mark.parametrize("policy", ["uniform", "soft-greedy"])
@pytest.mark.parametrize("source", SOURCES)
def test_parts_add_up_to_the_whole(source: Any, policy: Policy) -> None:
    parts = [sv.rollout(source, games, seed=7, policy=policy, first=first) for first, games in PARTS]
    whole = sv.rollout(source, GAMES, seed=7, policy=policy)
    assert reduce(operator.add, parts) == reduce(operator.add, reversed(parts)) == whole
    assert parts[0] != sv.rollout(source, sv.BATCH, seed=7, policy=policy, first=sv.BATCH)
    many = [sv.rollout_many([source, source], games, seed=7, policy=policy, first=first)[1] for first, games in PARTS]
    assert many == parts


def test_a_sum_says_how_its_games_were_come_by() -> None:
    one, two = sv.rollout(sv.Rules(), 10, threads=1), sv.rollout(sv.Rules(), 2 * sv.BATCH, threads=2, backend="scalar")
    total = one + two
    assert (total.games, total.backend, total.threads) == (one.games + two.games, one.backend, 2)
    assert total.seconds == pytest.approx(one.seconds + two.seconds, abs=1e-8)
    assert np.array_equal(total.score_histogram, one.score_histogram + two.score_histogram)


def test_playouts_of_a_part_are_those_of_the_whole() -> None:
    whole = sv.playouts(sv.Rules(mice=True), GAMES, seed=8)
    for first, games in PARTS:
        part = sv.playouts(sv.Rules(mice=True), games, seed=8, first=first)
        for name in ("actions", "scores", "winners", "decks"):
            assert np.array_equal(getattr(part, name), getattr(whole, name)[first : first + games]), name


@pytest.mark.parametrize("source", [GAME[16], GAME[16].view(0)])
def test_ranks_of_parts_are_ranked_as_the_whole(source: sv.Position | sv.View) -> None:
    rows = [sorted(sv.rank_moves(source, games, seed=9, first=first)) for first, games in PARTS]
    sums = [reduce(operator.add, [row.stats for row in same]) for same in zip(*rows, strict=True)]
    ranked = sv.rank_stats(source, iter(sums))
    assert ranked == sv.rank_moves(source, GAMES, seed=9)
    assert [row.move for row in ranked] != sorted(row.move for row in ranked)


def test_twins_are_ranked_alike() -> None:
    """What a seat cannot know is not looked at."""
    view = GAME[9].view(1)
    stats = [row.stats for row in sorted(sv.rank_moves(view, 10))]
    twins = {view.sample(seed) for seed in range(9)}
    assert len(twins) > 5
    assert {repr(sv.rank_stats(twin.view(1), stats)) for twin in twins} == {repr(sv.rank_stats(view, stats))}


CALLS: dict[str, Callable[..., object]] = {
    "rollout": lambda **options: sv.rollout(sv.Rules(), **options),
    "rollout_many": lambda **options: sv.rollout_many([sv.Rules()], **options),
    "rank_moves": lambda **options: sv.rank_moves(GAME[19], **options),
    "playouts": lambda **options: sv.playouts(sv.Rules(), **options),
}


@pytest.mark.parametrize("name", CALLS)
def test_first_games_that_cannot_be(name: str) -> None:
    call, last = CALLS[name], 2**53 - sv.BATCH
    call(games=1, first=last)
    for first, text in (
        (-1, "first must be 0 to 9007199254740992, got -1"),
        (1, "first must be a multiple of 16384, got 1"),
        (2**53 + 1, "first must be 0 to 9007199254740992, got 9007199254740993"),
        (2**53, "first + games must be at most 9007199254740992, got 9007199254740993"),
    ):
        with pytest.raises(sv.SavannaError, match=re.escape(text)) as caught:
            call(games=1, first=first)
        assert str(caught.value) == text
    for nonsense in (None, 1.0, "0", True):
        with pytest.raises(TypeError, match=r"^first must be an int, not "):
            call(games=1, first=nonsense)


def test_sums_that_cannot_be() -> None:
    stats = sv.rollout(sv.Rules(), 10)
    with pytest.raises(sv.SavannaError, match=r"^statistics of 2p and of 3p cannot be added: the rules differ$"):
        stats + sv.rollout(sv.Rules(players=3), 10)
    for nonsense in (0, None, "x"):
        with pytest.raises(TypeError):
            stats + nonsense  # type: ignore[operator]
    for _ in range(49):  # 10 * 2**49 games are fewer than 2**53, and twice as many are more
        stats += stats
    with pytest.raises(sv.SavannaError, match=r"^games must be at most 9007199254740992, got 11258999068426240$"):
        stats + stats


def test_statistics_are_made_of_their_counts() -> None:
    stats = sv.rollout(sv.Rules(players=3, mice=True), 3000, seed=5, threads=2, backend="scalar")
    counts = stats.to_counts()
    twin = sv.Stats.from_counts(stats.rules, json.loads(json.dumps(counts)))
    assert twin == stats
    assert twin.to_counts() == counts
    assert (twin.backend, twin.threads) == ("scalar", stats.threads)
    # What they say is counted once more from the games themselves.
    plays = sv.playouts(stats.rules, 3000, seed=5)
    number = np.unpackbits(plays.winners[:, None], axis=1).sum(axis=1)
    for team in range(3):
        won = number[(plays.winners >> team & 1).astype(bool)]
        assert counts["wins"][team] == np.bincount(won, minlength=5)[1:].tolist()
        assert counts["score_histogram"][team] == np.bincount(plays.scores[:, team], minlength=66 + 1).tolist()


def test_statistics_cannot_be_forged() -> None:
    stats = sv.rollout(sv.Rules(), 10)
    counts = stats.to_counts()
    wins, scores = counts["wins"], counts["score_histogram"]
    cases: list[tuple[str, dict[str, Any]]] = [
        ("no games have these counts", {"wins": [[11, 0, 0, 0], wins[1]]}),
        ("no games have these counts", {"wins": [[2**64 - 1, 0, 0, 0], wins[1]]}),
        ("no games have these counts", {"wins": [[*wins[0][:3], 1], wins[1]]}),
        ("no games have these counts", {"score_histogram": [[2**64 - 1, *scores[0][1:]], scores[1]]}),
        ("no games have these counts", {"score_histogram": [scores[0][:-1], scores[1]]}),
        ("no games have these counts", {"lines_below": 201}),
        ("no games have these counts", {"games": 11}),
        ("no games have these numbers of teams", {"wins": wins[:1]}),
        ("no games have these numbers of teams", {"score_histogram": [*scores, scores[0]]}),
        ("no games have these seconds", {"seconds": -1.0}),
        (f"backend must be one of {', '.join(sv.backends())}, got 'x'", {"backend": "x"}),
        ("counts: games is not what to_counts gives", {"games": -1}),
        ("counts: wins is not what to_counts gives", {"wins": [[1, 2, 3]] * 2}),
    ]
    for text, wrong in cases:
        with pytest.raises(sv.SavannaError, match=f"^{text}$"):
            sv.Stats.from_counts(stats.rules, counts | wrong)
    for key in counts:
        with pytest.raises(sv.SavannaError, match=f"^counts: {key} is missing$"):
            sv.Stats.from_counts(stats.rules, {name: value for name, value in counts.items() if name != key})
    with pytest.raises(TypeError, match=r"^counts must be a dict, not list$"):
        sv.Stats.from_counts(stats.rules, [])  # type: ignore[arg-type]


def test_statistics_that_cannot_be_ranked() -> None:
    source = GAME[19]
    right = [row.stats for row in sorted(sv.rank_moves(source, 10))]
    other = sv.rollout(sv.Rules(players=3), 10)
    number = len(right)
    assert len(sv.rank_stats(source, right)) == number
    cases: list[tuple[type[Exception], str, Any]] = [
        (sv.SavannaError, f"there are {number} legal moves, but fewer stats", right[:-1]),
        (sv.SavannaError, f"there are {number} legal moves, but more stats", iter(lambda: right[0], None)),
        (sv.SavannaError, "stats are of other rules than the source", [other] * number),
        (TypeError, "an item of stats must be Stats, not int", [3] * number),
        (TypeError, "stats must be a sequence, not NoneType", None),
    ]
    for kind, text, stats in cases:
        with pytest.raises(kind, match=f"^{text}$"):
            sv.rank_stats(source, stats)
    with pytest.raises(sv.GameOverError):
        sv.rank_stats(GAME[20], right)
    with pytest.raises(sv.SavannaError, match=r"^source must be a Position, or a View of the seat to move$"):
        sv.rank_stats(GAME[19].view(0), right)
