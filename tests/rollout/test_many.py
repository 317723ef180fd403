"""Many sources in one call, and moves ranked by playouts."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import reference as ref
from savanna.types import Backend
from tests.support.both_engines import random_game, seat_of

pytestmark = pytest.mark.thin(3)

RULES = {
    "2": sv.Rules(),
    "3 mice": sv.Rules(players=3, mice=True),
    "4": sv.Rules(players=4),
    "teams": sv.Rules(players=4, team_game=True),
    "odd": sv.Rules(mice=True, points=(0, 4, 7), absent_can_be_least=True, last_seat_bonus=9),
}
Source = sv.Rules | sv.Position | sv.View


@cache
def game(name: str, seed: int = 0) -> list[sv.Position]:
    """Return the position at every ply of a random game."""
    return random_game(sv.Position.deal(RULES[name], seed), seed)


def own_view(position: sv.Position) -> sv.View:
    """Return the view of the seat to move."""
    assert position.seat is not None
    return position.view(position.seat)


def mixed_sources() -> list[Source]:
    """Return sources of all kinds, with one of them twice."""
    found: list[Source] = [*RULES.values(), RULES["2"]]
    for name in RULES:
        found += [game(name)[ply] for ply in (0, 9, 19, 20)]
        found += [game(name)[ply].view(seat) for ply, seat in ((3, 0), (14, 1), (20, 0))]
    return found


# -------------------------------------------------------------------------------------------------------- rollout_many


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("games", [1, 100, 20_000])
def test_many_are_what_each_is_alone(games: int, threads: int) -> None:
    sources = mixed_sources()
    together = sv.rollout_many(sources, games, seed=3, threads=threads)
    assert together == [sv.rollout(source, games, seed=3) for source in sources]
    assert [stats.rules for stats in together] == [it if isinstance(it, sv.Rules) else it.rules for it in sources]
    # All are of one call, on all of its threads, and took its time.
    assert {(stats.games, stats.threads, stats.backend) for stats in together} == {(games, threads, sv.backends()[0])}
    assert len({stats.seconds for stats in together}) == 1
    assert together[0].seconds > 0


@pytest.mark.parametrize("backend", sv.backends())
def test_many_by_every_backend(backend: Backend) -> None:
    together = sv.rollout_many(mixed_sources(), 500, seed=4, backend=backend)
    assert together == sv.rollout_many(mixed_sources(), 500, seed=4, backend="scalar")
    assert {stats.backend for stats in together} == {backend}


def test_the_sources_may_come_from_anything_that_can_be_iterated_over() -> None:
    sources = mixed_sources()
    expected = sv.rollout_many(sources, games=10)
    ways: list[Callable[[list[Source]], Iterable[Source]]] = [tuple, iter, lambda them: (it for it in them)]
    for way in ways:
        assert sv.rollout_many(way(sources), games=10) == expected
    assert sv.rollout_many(dict.fromkeys(RULES.values()), games=10) == expected[: len(RULES)]


def test_no_sources_give_no_statistics() -> None:
    assert sv.rollout_many([]) == sv.rollout_many(iter(()), games=2**53, threads=2) == []


def test_the_defaults_are_a_thousand_games_of_seed_0() -> None:
    assert sv.rollout_many([RULES["2"]]) == [sv.rollout(RULES["2"], games=1000, seed=0)]


def test_thousands_of_sources_with_a_game_each() -> None:
    sources = [sv.Position.deal(RULES["2"], seed) for seed in range(3000)]
    together = sv.rollout_many(sources, games=1, seed=5, threads=3)
    assert together == [sv.rollout(source, games=1, seed=5) for source in sources]
    assert len(set(together)) > 100


def test_an_error_of_the_iterator_is_raised() -> None:
    def failing() -> Iterator[sv.Rules]:
        yield RULES["2"]
        raise ZeroDivisionError("no more of them")

    with pytest.raises(ZeroDivisionError, match="no more of them"):
        sv.rollout_many(failing())


# ---------------------------------------------------------------------------------------------------------- rank_moves


def assert_ranked(ranked: list[sv.RankedMove], position: sv.Position, games: int) -> None:
    """Check that these are the legal moves in the documented order, with what their statistics say."""
    assert position.seat is not None
    team = position.rules.team_of(position.seat)
    assert sorted(row.move for row in ranked) == position.legal_moves()
    order = []
    for row in ranked:
        assert type(row) is sv.RankedMove
        assert row.stats.games == games
        assert row.win_share == row.stats.win_share[team]
        assert row.stderr == row.stats.win_stderr[team]
        scores = row.stats.mean_score
        order.append((row.win_share, scores[team] - max(np.delete(scores, team))))
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("ply", [0, 5, 12, 18, 19])
@pytest.mark.parametrize("name", RULES)
def test_ranked_moves_are_the_legal_ones_in_order(name: str, ply: int) -> None:
    position = game(name)[ply]
    assert_ranked(sv.rank_moves(position, games=300, seed=6), position, 300)
    assert_ranked(sv.rank_moves(own_view(position), games=300, seed=6), position, 300)


@pytest.mark.parametrize("name", RULES)
def test_moves_of_a_position_are_followed_by_the_rollout_of_what_they_lead_to(name: str) -> None:
    for ply in (0, 11, 19):
        position = game(name)[ply]
        for row in sv.rank_moves(position, games=700, seed=7, threads=2):
            assert row.stats == sv.rollout(position.play(row.move), games=700, seed=7)


def test_ties_in_wins_are_broken_by_the_scores() -> None:
    """The last move of a game that is won anyway, with two tiles to choose from."""
    rules = sv.Rules(last_seat_bonus=100, deck={"monkey": 4, "zebra": 4, "elephant": 4})
    position: sv.Position = random_game(sv.Position.deal(rules, 4), 4)[19]

    def lead(move: sv.Move) -> int:
        scores = position.play(move).scores
        return scores[1] - scores[0]

    ranked = sv.rank_moves(position, games=10)
    assert {row.win_share for row in ranked} == {1.0}
    assert [lead(row.move) for row in ranked] == sorted(map(lead, position.legal_moves()), reverse=True)
    assert len({lead(row.move) for row in ranked}) >= 3
    assert [row.move for row in ranked] != position.legal_moves()


@pytest.mark.parametrize("backend", sv.backends())
def test_ranks_are_the_same_whatever_plays(backend: Backend) -> None:
    for source in (game("odd")[7], own_view(game("odd")[7])):
        expected = sv.rank_moves(source, games=400, seed=8, threads=1, backend="scalar")
        ranked = sv.rank_moves(source, games=400, seed=8, threads=3, backend=backend)
        assert ranked == expected
        assert ranked[0].stats.backend == backend
    long = game("2")[19]
    assert sv.rank_moves(long, 20_000, seed=9, threads=2) == sv.rank_moves(
        long, 20_000, seed=9, threads=1, backend=backend
    )


@pytest.mark.parametrize(("name", "ply"), [("2", 8), ("3 mice", 4), ("teams", 9), ("odd", 13)])
def test_moves_of_a_view_agree_with_the_mean_over_sampled_positions(name: str, ply: int) -> None:
    view = own_view(game(name)[ply])
    ranked = sv.rank_moves(view, games=100_000, seed=1)
    team, samples = view.rules.team_of(seat_of(view)), 1500
    for row in ranked[:: len(ranked) // 3]:
        # A game from each sampled position, with a seed of its own, so that all of them are independent.
        ends = [sv.rollout(view.sample(seed).play(row.move), games=1, seed=seed, threads=1) for seed in range(samples)]
        shares = np.array([end.win_share[team] for end in ends])
        scores = np.array([end.mean_score for end in ends])
        both = (1 / samples + 1 / 100_000) ** 0.5
        assert abs(shares.mean() - row.win_share) < 4 * shares.std() * both
        assert np.all(abs(scores.mean(axis=0) - row.stats.mean_score) < 4 * scores.std(axis=0) * both)


LETTERS = dict(zip(ref.ANIMALS, "mzgeu", strict=True))


def deals(view: sv.View) -> Counter[str]:
    """Return all positions that look like this view, with weights: every order of a seat's unseen tiles counts one."""
    start, rules, board, hands, decks, scores = str(view).split()
    assert start == f"seat={view.seat}"
    pools = ["".join(LETTERS[animal] * count for animal, count in seat.items()) for seat in view.unseen]
    found = Counter[str]()
    for orders in product(*(set(permutations(pool)) for pool in pools)):
        tiles = [iter(order) for order in orders]

        def drawn(size: int, queue: Iterator[str]) -> str:
            return "".join(next(queue) for _ in range(size)) or "-"

        full_hands = [
            hand if "?" not in hand else "".join(sorted(drawn(len(hand), queue), key="mzgeu".index))
            for hand, queue in zip(hands.split("/"), tiles, strict=True)
        ]
        full_decks = [drawn(deck.count("?"), queue) for deck, queue in zip(decks.split("/"), tiles, strict=True)]
        full_board = re.sub(r"(\d)\?", lambda lion: lion[1] + next(tiles[int(lion[1])]).upper(), board)  # noqa: B023
        assert [next(queue, None) for queue in tiles] == [None] * len(tiles)
        found[" ".join([rules, full_board, "/".join(full_hands), "/".join(full_decks), scores])] += 1
    return found


@cache
def mean_outcome(position: ref.Position) -> tuple[float, ...]:
    """Return the win shares and the scores by team if all moves to the end are drawn evenly, as exact means."""
    if position.is_over:
        teams = range(position.rules.teams)
        shares = [(team in position.winners) / len(position.winners) for team in teams]
        return (*shares, *position.scores)
    following = [mean_outcome(position.play(move)) for move in position.legal_moves()]
    return tuple(math.fsum(values) / len(following) for values in zip(*following, strict=True))


@pytest.mark.parametrize(
    ("options", "seed", "ply"),
    [
        ({"deck": {"monkey": 4, "zebra": 4, "giraffe": 2, "elephant": 2}}, 65, 17),
        ({"deck": {"monkey": 5, "zebra": 4, "giraffe": 3}, "target": 8}, 96, 17),
        ({"players": 3, "mice": True}, 7, 17),
    ],
)
def test_moves_of_a_late_view_agree_with_exact_enumeration(options: dict[str, Any], seed: int, ply: int) -> None:
    """Every deal that the seat thinks possible, and every game from there, in plain Python.

    With decks of 12 tiles for ten turns, the seat does not know either what it draws after its move.
    """
    view = own_view(random_game(sv.Position.deal(sv.Rules(**options), seed), seed)[ply])
    assert len({animal for animal, count in view.unseen[seat_of(view)].items() if count}) == (
        2 if "deck" in options else 1
    )
    starts = {ref.Position.parse(text): weight for text, weight in deals(view).items()}
    assert len(starts) > 10
    assert all(str(start.view(seat_of(view))) == str(view) for start in starts)
    games, total = 200_000, sum(starts.values())
    ranked = sv.rank_moves(view, games=games, seed=4)
    assert len({row.win_share for row in ranked}) > 1
    for row in ranked:
        outcomes = [mean_outcome(start.play(str(row.move))) for start in starts]
        exact = np.average(outcomes, axis=0, weights=list(starts.values()))
        found = np.concatenate([row.stats.win_share, row.stats.mean_score])
        stderr = np.concatenate([row.stats.win_stderr, row.stats.score_sd / games**0.5])
        assert np.all(abs(found - exact) <= 4 * stderr + 1e-9), (row.move, total)


def test_views_that_look_the_same_have_the_same_ranks() -> None:
    for name in RULES:
        view = own_view(game(name)[10])
        twins = {view.sample(seed) for seed in range(20)}
        assert len(twins) > 10
        expected = sv.rank_moves(view, games=100, seed=1)
        for twin in twins:
            assert sv.rank_moves(twin.view(seat_of(view)), games=100, seed=1) == expected


def test_a_difference_between_moves_is_known_better_than_either() -> None:
    """All moves are played with the same random numbers, so their luck is partly the same."""
    for source in (game("2")[12], own_view(game("2")[12])):
        first, second = sv.rank_moves(source, games=2000)[0].move, sv.rank_moves(source, games=2000)[1].move
        shares = []
        for seed in range(400):
            rows = {row.move: row.win_share for row in sv.rank_moves(source, games=200, seed=seed)}
            shares.append((rows[first], rows[second]))
        one, other = np.array(shares).T
        # If they were independent, the ratio would be 1 with a standard error of 0.07.
        assert np.var(one - other) < 0.7 * (np.var(one) + np.var(other))


def test_no_moves_are_left_at_the_end() -> None:
    end = game("2")[20]
    for source in (end, end.view(0), end.view(1)):
        with pytest.raises(sv.GameOverError, match=r"^the game is over after 20 plies$"):
            sv.rank_moves(source)


def test_only_a_seat_to_move_has_moves_to_rank() -> None:
    sources: list[Any] = [RULES["2"], game("2")[5].view(0), game("teams")[2].view(0)]
    for source in sources:
        with pytest.raises(
            sv.SavannaError, match=r"^source must be a Position, or a View of the seat to move$"
        ) as caught:
            sv.rank_moves(source)
        assert type(caught.value) is sv.SavannaError
