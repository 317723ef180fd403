"""Policies: the greedy ones play by their laws, told with the reference's rules, and the same on every backend."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2_contingency, chisquare

import savanna as sv
from savanna import reference as ref
from savanna.types import Policy
from tests.support.both_engines import random_game, seat_of
from tests.support.full import count
from tests.support.strategies import seeds, sources

pytestmark = pytest.mark.thin(7)

# How often any move may be played.
FREE = {"soft-greedy": Fraction(3, 8), "keen-greedy": Fraction(1, 8)}
SOFT: Policy = "soft-greedy"
P_VALUE = 1e-4
RULES: dict[str, sv.Rules] = {
    "2": sv.Rules(),
    "2 mice": sv.Rules(mice=True),
    "3": sv.Rules(players=3),
    "3 mice": sv.Rules(players=3, mice=True),
    "4": sv.Rules(players=4),
    "4 mice": sv.Rules(players=4, mice=True),
    "team": sv.Rules(players=4, team_game=True),
    "team mice": sv.Rules(players=4, team_game=True, mice=True),
    "absent": sv.Rules(players=3, absent_can_be_least=True),
    "no influence": sv.Rules(influence={"monkey": 0, "lion": 0}, mice=True),
    "many points": sv.Rules(points=(40, 20, 100), target=9),
    "odd": sv.Rules(players=4, mice=True, target=8, points=(1, 0, 4), deck={"monkey": 5, "zebra": 1, "mouse": 2}),
}
Source = sv.Rules | sv.Position | sv.View


# ------------------------------------------------------------------------------------------------ the law, by the rules


def law(position: ref.Position, policy: Policy) -> dict[int, Fraction]:
    """Return the chance of every legal move, as an action id."""
    gains = {move.action: ref.gain(position, move) for move in position.legal_moves()}
    best = [move for move in gains if gains[move] == max(gains.values())]
    free = FREE[policy]
    return {move: free / len(gains) + ((1 - free) / len(best) if move in best else 0) for move in gains}


def in_reference(position: sv.Position) -> ref.Position:
    """Return the same position in the other engine."""
    return ref.Position.parse(str(position))


def late(name: str, ply: int) -> sv.Position:
    """Return a position of a random game."""
    position: sv.Position = random_game(sv.Position.deal(RULES[name], 3), 5)[ply]
    return position


def test_gains_are_what_scores_then_show() -> None:
    """Every move is played, and the margin over each other team looked up before and after."""
    compared = Counter[bool]()
    for name in RULES:
        for ply in (4, 10, 15, 18):
            position = in_reference(late(name, ply))
            assert position.seat is not None
            team = position.rules.team_of(position.seat)
            for move in position.legal_moves():
                before, after = position.scores, position.play(move).scores
                margins = [sum(scores[team] - other for other in scores) for scores in (before, after)]
                assert ref.gain(position, move) == margins[1] - margins[0]
                compared[margins[0] != margins[1]] += 1
    assert compared[True] > 400


@pytest.mark.parametrize("policy", FREE)
@pytest.mark.parametrize("ply", count([0, 11, 18], [0, 6, 11, 16, 18, 19]))
@pytest.mark.parametrize("name", RULES)
def test_the_first_move_follows_the_law(name: str, ply: int, policy: Policy) -> None:
    position, games = late(name, ply), count(20_000, 80_000)
    expected = law(in_reference(position), policy)
    counts = Counter(sv.playouts(position, games, seed=ply, policy=policy).actions[:, 0].tolist())
    assert set(counts) <= set(expected)
    assert min(expected.values()) * games >= 5
    if len(expected) > 1:
        assert (
            chisquare([counts[move] for move in expected], [float(games * p) for p in expected.values()]).pvalue
            > P_VALUE
        )


def test_the_law_is_seen_where_it_matters() -> None:
    """In the positions of the test above there are moves that the policy likes and others."""
    spread = [len(set(law(in_reference(late(name, ply)), SOFT).values())) for name in RULES for ply in (11, 16, 18)]
    assert sum(kinds > 1 for kinds in spread) > 30


def endings(position: ref.Position, policy: Policy) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Return all games to the end as action ids, and their chances."""
    if position.is_over:
        yield (), Fraction(1)
        return
    for action, chance in law(position, policy).items():
        for rest, later in endings(position.play(ref.Move.from_action(action)), policy):
            yield (action, *rest), chance * later


@pytest.mark.parametrize("policy", FREE)
def test_endings_follow_the_exact_law(policy: Policy) -> None:
    source, games = sv.Position.parse("2p 0m1m.0M/0G1g0G1Z/1m.0z0Z/1z0e1g1M/.0z0m1z m/me -/- 4/9"), 200_000
    chances: dict[Any, Fraction] = defaultdict(Fraction)
    for actions, chance in endings(in_reference(source), policy):
        chances[actions] += chance
    assert (sum(chances.values()), len(chances)) == (1, 96)
    counts = Counter(map(tuple, sv.playouts(source, games, seed=1, policy=policy).actions.tolist()))
    assert chisquare([counts[it] for it in chances], [float(games * p) for p in chances.values()]).pvalue > P_VALUE


@pytest.mark.parametrize("policy", FREE)
@pytest.mark.parametrize("name", RULES)
def test_moves_with_the_greatest_gain_are_as_frequent_at_every_ply(name: str, policy: Policy) -> None:
    """Of the moves of a ply, so many have the greatest gain as the law says, game by game and all together."""
    games = 15
    plays = sv.playouts(RULES[name], games, seed=8, policy=policy)
    seen, expected, variance = np.zeros(20), np.zeros(20), np.zeros(20)
    for game in range(games):
        position = in_reference(plays.start(game))
        for ply, action in enumerate(plays.actions[game].tolist()):
            chances = law(position, policy)
            gains = {move.action: ref.gain(position, move) for move in position.legal_moves()}
            chance = sum((chances[move] for move in gains if gains[move] == max(gains.values())), Fraction(0))
            seen[ply] += gains[action] == max(gains.values())
            expected[ply] += float(chance)
            variance[ply] += float(chance * (1 - chance))
            position = position.play(ref.Move.from_action(action))
        assert position.is_over
        assert position.scores == tuple(plays.scores[game])
        assert sum(1 << team for team in position.winners) == plays.winners[game]
    assert np.all(abs(seen - expected) <= 4.5 * np.sqrt(variance) + 1)
    assert abs(sum(seen) - sum(expected)) < 4 * sum(variance) ** 0.5
    assert sum(variance > 0.5) >= 10


@pytest.mark.parametrize("policy", FREE)
def test_so_many_plies_in_eight_are_free(policy: Policy) -> None:
    """Where exactly one of many moves is best, the others are played on free plies alone."""
    found = 0
    for seed in range(400):
        position = random_game(sv.Position.deal(sv.Rules(players=3), seed), seed)[13]
        reference = in_reference(position)
        gains = Counter({move.action: ref.gain(reference, move) for move in reference.legal_moves()})
        (best, most), (_, second), *_ = gains.most_common()
        if most > second:
            games = count(20_000, 50_000)
            others = (sv.playouts(position, games, seed=seed, policy=policy).actions[:, 0] != best).sum()
            chance = 1 - law(reference, policy)[best]
            assert abs(float(chance - FREE[policy])) < 0.06
            assert binomtest(int(others), games, float(chance)).pvalue > P_VALUE / 10
            found += 1
            if found == 10:
                return
    raise AssertionError(f"only {found} positions")


@pytest.mark.parametrize("policy", FREE)
@pytest.mark.parametrize("name", ["2", "3 mice", "team mice"])
def test_scores_are_distributed_as_in_games_of_the_reference(name: str, policy: Policy) -> None:
    games, rng, rules = 80, random.Random(name), ref.Rules.parse(str(RULES[name]))
    ends = [ref.greedy_playout(ref.Position.deal(rules, seed), rng, FREE[policy]) for seed in range(games)]
    stats = sv.rollout(RULES[name], 400_000, seed=4, policy=policy)
    uniform = sv.rollout(RULES[name], 400_000, seed=4)
    for team, histogram in enumerate(stats.score_histogram):
        scores = np.array([end.scores[team] for end in ends])
        edges = np.quantile(np.repeat(np.arange(len(histogram)), histogram), [0.2, 0.4, 0.6, 0.8])
        bins = np.searchsorted(edges, np.arange(len(histogram)))
        drawn = np.bincount(bins[scores], minlength=len(edges) + 1)
        law_of_bins = np.bincount(bins, weights=histogram, minlength=len(edges) + 1)
        kept = law_of_bins > 0
        expected = law_of_bins[kept] / stats.games * games
        assert min(expected) > 4
        assert chisquare(drawn[kept], expected).pvalue > P_VALUE
        # The test can tell this policy from the other.
        both = [histogram, uniform.score_histogram[team]]
        some = [row for row in np.array(both).T if row.sum() > 50]
        assert chi2_contingency(np.array(some).T).pvalue < 1e-12


# ---------------------------------------------------------------------------------------------- the same for every seed


@pytest.mark.parametrize("policy", FREE)
@given(source=sources(), games=st.integers(1, 300), seed=seeds, threads=st.integers(1, 3))
@example(source=sv.Rules(), games=20_000, seed=0, threads=2)
@example(source=sv.Rules(players=4, mice=True), games=200, seed=2**64 - 1, threads=1)
def test_every_backend_plays_the_games_of_the_scalar_one(
    policy: Policy, source: Source, games: int, seed: int, threads: int
) -> None:
    expected = sv.rollout(source, games, seed=seed, threads=1, backend="scalar", policy=policy)
    for backend in sv.backends():
        stats = sv.rollout(source, games, seed=seed, threads=threads, backend=backend, policy=policy)
        assert stats == expected
        assert stats.to_dict() == expected.to_dict()
    assert expected.games == games == expected.score_histogram[0].sum()


@pytest.mark.parametrize("name", RULES)
def test_a_tally_of_the_written_games_is_the_rollout(name: str) -> None:
    for number, ply in enumerate((0, 3, 9, 14, 19, 20)):
        position = late(name, ply)
        for source in (RULES[name], position, position.view(0), position.view(1)):
            plays = sv.playouts(source, 300, seed=number, policy=SOFT, threads=2)
            stats = sv.rollout(source, 300, seed=number, policy=SOFT)
            for team, histogram in enumerate(stats.score_histogram):
                assert np.array_equal(np.bincount(plays.scores[:, team], minlength=len(histogram)), histogram)
            if isinstance(source, sv.View):
                assert all(plays.start(game).view(seat_of(source)) == source for game in (0, 299))


def words_of_lanes(seed: int, words: int) -> Iterator[list[int]]:
    """Return the words of one lane after the other, out of the stream of the first batch."""
    generators = [ref.Xoshiro256PlusPlus.seeded(seed, "playout", index) for index in range(16)]
    while True:
        outputs = [[generator.next() for generator in generators] for _ in range(words)]
        for lane in range(64):
            yield [row[lane // 4] >> (16 * (lane % 4)) & 0xFFFF for row in outputs]


@pytest.mark.parametrize("policy", FREE)
@pytest.mark.parametrize("name", ["2", "3 mice", "team", "absent"])
def test_games_follow_the_written_order_of_draws(name: str, policy: Policy) -> None:
    """From a position nothing is shuffled: the words say which plies are free, then choose a candidate for each."""
    source, seed, games = late(name, 8), 2**63 + 5, 70
    lanes = words_of_lanes(seed, 3 + 12)
    actions = []
    for _ in range(games):
        words = next(lanes)
        free, choices = words[:3], words[3:]
        position = in_reference(source)
        tiles = [list(hand + deck) for hand, deck in zip(source.hands, source.decks, strict=True)]
        game = []
        for ply, word in enumerate(choices):
            assert position.seat is not None
            queue = tiles[position.seat]
            empty = [space for space in ref.SPACES if space not in position.board]
            moves = [ref.Move(tile, face, space) for tile in queue[:2] for face in ref.FACES for space in empty]
            if free[ply // 4] >> 4 * (ply % 4) & 7 >= 8 * FREE[policy]:
                gains = [ref.gain(position, move) for move in moves]
                numbers = [number for number, it in enumerate(gains) if it == max(gains)]
            else:
                numbers = list(range(len(moves)))
            number = numbers[word * len(numbers) >> 16]
            del queue[number // (2 * len(empty))]
            game.append(moves[number].action)
            position = position.play(moves[number])
        actions.append(game)
    assert sv.playouts(source, games, seed=seed, policy=policy).actions.tolist() == actions


# ---------------------------------------------------------------------------------------------------------- the option


@cache
def tallies(policy: Policy) -> tuple[sv.Stats, sv.Stats]:
    """Return two calls that begin with the same games."""
    view = late("2", 6).view(0)
    return sv.rollout(view, 5000, policy=policy), sv.rollout_many([view, view], 5000, policy=policy)[1]


def test_every_function_takes_the_policy() -> None:
    position = late("2", 15)
    assert tallies("uniform")[0] == tallies("uniform")[1] == sv.rollout(late("2", 6).view(0), 5000)
    assert tallies(SOFT)[0] == tallies(SOFT)[1] != tallies("uniform")[0]
    ranked = sv.rank_moves(position, 500, seed=2, policy=SOFT)
    assert {row.move: row.stats for row in ranked} == {
        move: sv.rollout(position.play(move), 500, seed=2, policy=SOFT) for move in position.legal_moves()
    }


def test_the_policy_is_given_by_name_only() -> None:
    with pytest.raises(TypeError):
        sv.rollout(sv.Rules(), 1, 0)  # type: ignore[call-arg]


def test_a_longer_call_begins_with_the_games_of_a_shorter_one() -> None:
    long, short = (sv.playouts(sv.Rules(), games, seed=6, policy=SOFT) for games in (16_500, 130))
    assert np.array_equal(long.actions[:130], short.actions)
    assert np.array_equal(long.decks[:130], short.decks)


# Whoever changes these numbers changes the games of every seed: that is a "Results change" for the change log.
GOLDEN = {
    "2": [2782656771, 2770498586],
    "3 mice": [2483681420, 2506986319, 2758647917],
    "4": [1454870961, 1548501602, 1621874013, 1640194889],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_seeds_give_the_same_games_for_ever(name: str) -> None:
    scores = sv.playouts(RULES[name], 20_000, seed=2024, policy=SOFT).scores
    weights = np.arange(1, 20_001)[:, None]
    assert (scores * weights).sum(axis=0).tolist() == GOLDEN[name]
