"""Ratings, intervals and the sequential test against closed forms, other ways of computing, and simulation."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import optimize, stats

import savanna as sv
from savanna.arena import likelihood
from savanna.arena.counted import Table, tables
from savanna.arena.course import shares_by_deal
from savanna.arena.pairs import pair_results
from savanna.arena.ratings import rate
from savanna.arena.sprt import OUTCOMES, expected_share, log_likelihood_ratio
from tests.support import expected_intervals
from tests.support.entrants import plan, record

Games = list[tuple[tuple[int, ...], tuple[int, ...]]]  # the players by team, and the winning teams
POINTS = 400 / math.log(10)


def games_of_two(wins: int, ties: int, losses: int) -> Games:
    return [*[((0, 1), (0,))] * wins, *[((0, 1), (0, 1))] * ties, *[((1, 0), (0,))] * losses]


def elos(games: Games, players: int) -> list[float]:
    ratings = {rating.name: rating.elo for rating in rate([str(it) for it in range(players)], tables(games))}
    return [ratings[str(it)] for it in range(players)]


# Ratings


@pytest.mark.parametrize(("wins", "ties", "losses"), [(0, 0, 0), (30, 0, 10), (3, 5, 9), (1, 0, 999), (50, 0, 0)])
def test_two_players_are_rated_by_their_odds(wins: int, ties: int, losses: int) -> None:
    """With the tie that is counted beside, the odds are (W + T/2 + 1/2) : (L + T/2 + 1/2)."""
    ratings = rate(["a", "b"], tables(games_of_two(wins, ties, losses)))
    elo = {rating.name: rating.elo for rating in ratings}
    for_a, for_b = wins + ties / 2 + 0.5, losses + ties / 2 + 0.5
    assert elo["a"] == pytest.approx(200 * math.log10(for_a / for_b), abs=1e-6)
    assert elo["a"] + elo["b"] == pytest.approx(0, abs=1e-9)
    # Half of the difference, whose information is n p (1 - p).
    games = wins + ties + losses + 1
    error = POINTS / 2 / math.sqrt(for_a * for_b / games)
    assert [rating.stderr for rating in ratings] == pytest.approx([error, error])
    assert ratings[0].elo >= ratings[1].elo
    assert {rating.games for rating in ratings} == {games - 1}
    shares = {rating.name: rating.win_share for rating in ratings}
    assert shares["a"] == pytest.approx((wins + ties / 2) / (games - 1) if games > 1 else math.nan, nan_ok=True)


def test_to_win_every_game_is_worth_a_finite_number() -> None:
    assert elos(games_of_two(100, 0, 0), 2)[0] == pytest.approx(200 * math.log10(201))
    (first, *_) = rate(["a", "b"], tables(games_of_two(100, 0, 0)))
    assert first.stderr > 100


def random_games(rng: random.Random, strengths: Sequence[float], sides: int, number: int) -> Games:
    """Return games between random players, copies included, who win in proportion to their strengths."""
    games: Games = []
    for _ in range(number):
        seated = tuple(rng.choices(range(len(strengths)), k=sides))
        winners = set(rng.choices(range(sides), [strengths[player] for player in seated], k=rng.choice([1, 1, 1, 2])))
        games.append((seated, tuple(sorted(winners))))
    return games


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_ratings_are_the_likeliest(sides: int) -> None:
    """The likelihood is written down game by game, and its maximum and curvature found by other means."""
    players = 4
    games = random_games(random.Random(sides), [1, 2, 0.5, 7], sides, 60)
    games += [(pair, (0, 1)) for pair in itertools.combinations(range(players), 2)]  # the ties that are counted beside

    def loss(logs: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        total = 0.0
        for seated, winners in games:
            everybody = math.log(sum(math.exp(logs[player]) for player in seated))
            total -= sum(logs[seated[team]] - everybody for team in winners) / len(winners)
        return total

    best = optimize.minimize(loss, np.zeros(players), method="BFGS", options={"gtol": 1e-7}).x
    ratings = rate([str(it) for it in range(players)], tables(games[:60]))
    found = [next(it for it in ratings if it.name == str(player)) for player in range(players)]
    assert [rating.elo for rating in found] == pytest.approx(list(POINTS * (best - best.mean())), abs=0.01)

    step, units = 1e-3, np.eye(players)

    def curvature(i: int, j: int) -> float:
        a, b = step * units[i], step * units[j]
        second = loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b)
        return float(second) / (4 * step**2)

    # Counted up from the differences to the last player: the curvature alone says nothing of a common shift.
    information = np.array([[curvature(i, j) for j in range(players)] for i in range(players)])
    covariance = np.zeros((players, players))
    covariance[:-1, :-1] = np.linalg.inv(information[:-1, :-1])
    to_mean = units - 1 / players
    errors = np.sqrt(np.diag(to_mean @ covariance @ to_mean.T))
    assert [rating.stderr for rating in found] == pytest.approx(list(POINTS * errors), rel=1e-3)


def test_names_and_order_do_not_matter() -> None:
    games = random_games(random.Random(5), [1, 3, 9], 3, 50)
    swapped = [(tuple(2 - player for player in seated), winners) for seated, winners in reversed(games)]
    assert elos(games, 3) == pytest.approx(elos(swapped, 3)[::-1], abs=1e-6)
    assert sum(elos(games, 3)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("sides", [2, 4])
def test_known_strengths_come_out(sides: int) -> None:
    strengths = [1.0, 10.0, 3.0]
    truth = [400 * math.log10(it) - 400 * math.log10(30) / 3 for it in strengths]
    rng, deviations = random.Random(sides), []
    for _ in range(40):
        games = [
            (seated, tuple(rng.choices(range(sides), [strengths[player] for player in seated])))
            for seated in (tuple(rng.choices(range(3), k=sides)) for _ in range(400))
        ]
        for rating in rate(["0", "1", "2"], tables(games)):
            deviations.append((rating.elo - truth[int(rating.name)]) / rating.stderr)
    # Deviations in units of their errors: mean 0, mean square 1. A third of the 120 follows from the others.
    assert abs(np.mean(deviations)) < 4 / math.sqrt(80)
    assert abs(np.mean(np.square(deviations)) - 1) < 4 * math.sqrt(2 / 80)


@st.composite
def counted_tables(draw: st.DrawFn) -> tuple[int, list[Table]]:
    """Return a number of players and games of them: some never meet, some win everything, wins are shared."""
    players = draw(st.integers(1, 7))
    found = []
    for _ in range(draw(st.integers(0, 6))):
        sides = draw(st.dictionaries(st.integers(0, players - 1), st.integers(1, 3), min_size=1, max_size=4))
        games = draw(st.sampled_from([1, 3, 40, 5000, 10**6, 10**9]))
        parts = draw(st.lists(st.sampled_from([0, 0, 1, 2, 12]), min_size=len(sides), max_size=len(sides)))
        parts[0] += not any(parts)
        wins = {player: games * part / sum(parts) for player, part in zip(sides, parts, strict=True)}
        found.append(Table(sides, games, wins))
    return players, found


@given(counted_tables())
@example((6, [Table({one: 1, one + 1: 1}, 10**9, {one: 1e9, one + 1: 0.0}) for one in range(5)]))
@example((2, [Table({0: 3, 1: 1}, 10**9, {0: 0.0, 1: 1e9})]))
def test_ratings_end_for_all_games(given: tuple[int, list[Table]]) -> None:
    """At the maximum, each player has won as often as the model expects."""
    players, played = given
    ratings = rate([str(it) for it in range(players)], played)
    assert all(math.isfinite(it.elo) and math.isfinite(it.stderr) and it.stderr >= 0 for it in ratings)
    strengths = {int(it.name): it.elo / POINTS for it in ratings}
    ties = [Table({a: 1, b: 1}, 1, {a: 0.5, b: 0.5}) for a, b in itertools.combinations(range(players), 2)]
    won, expected, games = np.zeros(players), np.zeros(players), np.ones(players)
    for table in [*played, *ties]:
        best = max(strengths[it] for it in table.sides)
        weights = {it: number * math.exp(strengths[it] - best) for it, number in table.sides.items()}
        for it, weight in weights.items():
            won[it] += table.wins[it]
            expected[it] += table.games * weight / sum(weights.values())
            games[it] += table.games
    assert (abs(won - expected) <= 1e-6 * games).all()


def test_steps_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "_DIGITS", 0.0)  # so that no step is the last one
    monkeypatch.setattr(likelihood, "_LEAST_STEP", 0.0)
    logs, errors = likelihood.likeliest(2, tables(games_of_two(9, 2, 4)))
    assert logs[0] - logs[1] == pytest.approx(math.log(10 / 5))
    assert all(map(math.isfinite, errors))


# Shares of pairs, by deals


def test_share_and_errors_are_those_of_means_over_deals() -> None:
    """Seven deals of two games each, of which A wins 2, 1.5, 1, 0, 1, 2 and 0.5."""
    played = plan(deals=7)
    assert played.seatings == ((0, 1), (1, 0))
    winners = [[0], [1], [0], [0, 1], [0], [0], [1], [0], [1], [1], [0], [1], [0, 1], [0]]
    scores = [(9 + number % 3, 8) for number in range(14)]
    games = [record(played, number, winners[number], scores[number]) for number in range(14)]
    (pair,) = pair_results(played, games)
    shares = [1, 0.75, 0.5, 0, 0.5, 1, 0.25]
    assert (pair.first, pair.second, pair.deals, pair.games, pair.even) == ("A", "B", 7, 14, 0.5)
    assert (pair.wins, pair.ties, pair.losses) == (7, 2, 5)
    assert pair.share == pytest.approx(sum(shares) / 7)
    assert pair.stderr == pytest.approx(expected_intervals.expected_share((1, share) for share in shares).stderr)
    # With a deal won and one lost, the mean is 5/9.
    error = math.sqrt(sum((share - 5 / 9) ** 2 for share in [*shares, 1, 0]) * 9 / 8) / 9
    assert pair.interval == pytest.approx((5 / 9 - 2.446912 * error, 5 / 9 + 2.446912 * error))
    margins = [(first[0] - 8 - (second[0] - 8)) / 2 for first, second in zip(scores[::2], scores[1::2], strict=True)]
    assert pair.margin == pytest.approx(np.mean(margins))
    assert pair.margin_stderr == pytest.approx(stats.sem(margins))


def test_a_lone_player_among_copies() -> None:
    """Three seats, two players: the first three games are of one A against two B, the others the reverse."""
    played = plan(2, sv.Rules(players=3), deals=1)
    assert sorted(played.seatings[:3]) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    lone = [seats.index(0) for seats in played.seatings[:3]]
    scores = [(9, 4, 6), (9, 4, 6), (9, 4, 6)]
    winners = [[lone[0]], [lone[1], (lone[1] + 1) % 3], [(lone[2] + 1) % 3, (lone[2] + 2) % 3]]
    winners += [[seats.index(1)] for seats in played.seatings[3:]]
    games = [record(played, number, winners[number], scores[0]) for number in range(6)]
    of_a, of_b = pair_results(played, games)
    assert (of_a.first, of_a.second, of_a.games) == ("A", "B", 3)
    assert of_a.even == pytest.approx(1 / 3)
    assert (of_a.wins, of_a.ties, of_a.losses) == (1, 1, 1)
    assert of_a.share == pytest.approx((1 + 1 / 2 + 0) / 3)
    # Alone once in every seat: 9 - 5, 4 - 7.5 and 6 - 6.5.
    assert of_a.margin == pytest.approx((4 - 3.5 - 0.5) / 3)
    assert (of_b.first, of_b.wins, of_b.ties, of_b.losses, of_b.share) == ("B", 3, 0, 0, 1.0)
    assert math.isnan(of_a.stderr)
    assert of_a.interval == (0.0, 1.0)


def test_of_four_at_a_table_each_two_are_compared_by_what_they_win() -> None:
    played = plan(4, sv.Rules(players=4), deals=1)
    games = []
    for number, seats in enumerate(played.seatings):
        best = [0, 0, 0, 1, 1, 2][number % 6]  # A wins 12 of the 24, B 8, C 4
        games.append(record(played, number, [seats.index(best)]))
    pairs = {(pair.first, pair.second): pair for pair in pair_results(played, games)}
    assert list(pairs) == [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]
    assert {pair.games for pair in pairs.values()} == {24}
    assert [round(pair.share, 6) for pair in pairs.values()] == [0.6, 0.75, 1.0, round(2 / 3, 6), 1.0, 1.0]
    assert (pairs["B", "C"].wins, pairs["B", "C"].ties, pairs["B", "C"].losses) == (8, 12, 4)


def test_games_that_broke_off_count_for_wins_but_not_for_margins() -> None:
    played = plan(deals=2)
    games = [record(played, number, [0], (number, 0), "played" if number < 3 else "time-out") for number in range(4)]
    (pair,) = pair_results(played, games)
    assert pair.share == 0.5
    assert pair.margin == pytest.approx((0 - 1 + 2) / 3)


def test_nothing_won_by_either_is_unknown() -> None:
    played = plan(3, sv.Rules(players=3), deals=2)
    games = [record(played, number, [played.seatings[number % 6].index(2)]) for number in range(12)]
    pairs = {(pair.first, pair.second): pair for pair in pair_results(played, games)}
    assert math.isnan(pairs["A", "B"].share)
    assert pairs["A", "B"].interval == (0.0, 1.0)
    assert pairs["A", "C"].share == 0
    assert math.isnan(pairs["A", "C"].margin_stderr)  # all games ended 0 : 0


@pytest.mark.parametrize("deals", [2, 7, 300])
def test_winning_all_or_nothing_leaves_a_doubt(deals: int) -> None:
    """With a deal won and one lost, of n + 2 deals n + 1 are won."""
    played = plan(deals=deals)
    (pair,) = pair_results(played, [record(played, number, [number % 2]) for number in range(2 * deals)])
    error = math.sqrt(1 / (deals + 2) ** 2)
    low = (deals + 1) / (deals + 2) - stats.t.ppf(0.975, deals - 1) * error
    assert (pair.share, pair.stderr, *pair.interval) == pytest.approx((1, error, max(0, low), 1))


@pytest.mark.rare
def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    """The games of a deal are made to depend on each other: who has the better deal wins more often from that side."""
    rng, hits, runs = random.Random(3), 0, 1000
    played = plan(deals=60)
    for _ in range(runs):
        games = []
        for deal in range(60):
            luck = rng.choice([0.3, -0.3])  # of seat 0
            for number, chance in ((2 * deal, 0.6 + luck), (2 * deal + 1, 0.6 - luck)):
                team = number % 2 if rng.random() < chance else 1 - number % 2
                games.append(record(played, number, [team]))
        (pair,) = pair_results(played, games)
        hits += pair.interval[0] <= 0.6 <= pair.interval[1]
    assert abs(hits / runs - 0.95) < 4 * math.sqrt(0.95 * 0.05 / runs)


# The sequential test


def test_bounds_are_those_of_wald() -> None:
    assert sv.Sprt(0, 5).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert sv.Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_expected_shares_are_those_of_elo() -> None:
    assert [expected_share(elo) for elo in (0, 400, -400)] == pytest.approx([0.5, 10 / 11, 1 / 11])


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (0, 3), (12, 7), (300, 200)])
def test_deals_won_or_lost_as_a_whole_are_walds_own_case(wins: int, losses: int) -> None:
    share0, share1 = 0.5, 0.6
    wald = wins * math.log(share1 / share0) + losses * math.log((1 - share1) / (1 - share0))
    assert log_likelihood_ratio(Counter({1.0: wins, 0.0: losses}), share0, share1) == pytest.approx(wald, abs=0.02)


@pytest.mark.parametrize("counts", [(3, 10, 20, 12, 6), (1, 0, 7, 0, 4), (50, 3, 2, 1, 1)])
def test_the_ratio_is_that_of_the_likeliest_distributions(counts: tuple[int, ...]) -> None:
    """Distributions over the five outcomes with a given mean, the likeliest of them found by a general optimizer."""

    def best(mean: float) -> float:
        seen = np.maximum(counts, 1e-3)
        found = optimize.minimize(
            lambda p: -float(seen @ np.log(p)),
            np.full(5, 0.2),
            jac=lambda p: -seen / p,
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ np.array([0, 0.25, 0.5, 0.75, 1]) - mean},
            ],
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-12},
        )
        assert found.success
        return -float(found.fun)

    ratio_of_both = log_likelihood_ratio(dict(zip(OUTCOMES, counts, strict=True)), 0.45, 0.58)
    assert ratio_of_both == pytest.approx(best(0.58) - best(0.45), abs=2e-3)


def share_of_h1(truth: float, test: sv.Sprt, runs: int) -> float:
    """Return how often H1 is accepted if pairs of games, which depend on each other, are of this true share."""
    rng, accepted = random.Random(f"{truth}"), 0
    weights = stats.binom.pmf(range(5), 4, truth)
    for _ in range(runs):
        counts: Counter[float] = Counter()
        while (verdict := test.judge(counts).verdict) == "undecided":
            counts.update(rng.choices(OUTCOMES, weights, k=4))
        accepted += verdict == "H1"
    return accepted / runs


@pytest.mark.rare
def test_errors_of_both_kinds_are_as_rare_as_asked_for() -> None:
    """The bounds hold for the chance of an error up to the overshoot, which makes it smaller, and the small numbers."""
    test, runs = sv.Sprt(0, 60, alpha=0.1, beta=0.1), 300
    limit = 0.1 + 4 * math.sqrt(0.1 * 0.9 / runs)
    false_alarms = share_of_h1(expected_share(0), test, runs)
    misses = 1 - share_of_h1(expected_share(60), test, runs)
    assert 0 < false_alarms < limit
    assert 0 < misses < limit
    assert share_of_h1(expected_share(150), test, 50) == 1
    assert share_of_h1(expected_share(-90), test, 50) == 0


def test_deals_are_counted_by_what_both_of_their_games_brought() -> None:
    """Seat 0 is A's in even games and B's in odd ones."""
    played = plan(deals=6)
    winners = [[0], [1], [0], [0, 1], [0], [0], [1], [1], [0, 1], [0], [1], [0]]
    games = [record(played, number, winners[number]) for number in range(12)]
    assert shares_by_deal(played, games) == {1.0: 1, 0.75: 1, 0.5: 2, 0.25: 1, 0.0: 1}


def test_a_test_that_has_seen_nothing_is_undecided() -> None:
    result = sv.Sprt(-5, 5).judge({})
    assert (result.verdict, result.deals) == ("undecided", 0)
    assert abs(result.llr) < 0.01


@pytest.mark.parametrize(
    "arguments",
    [
        (5, 0),
        (0, 0),
        (0, 5, 0),
        (0, 5, 0.5),
        (0, 5, 0.05, -1),
        (math.nan, 5),
        (0, math.inf),
        (0, 10**400),
        (0, 5, math.nan),
    ],
)
def test_tests_that_make_no_sense(arguments: tuple[float, ...]) -> None:
    with pytest.raises(sv.SavannaError):
        sv.Sprt(*arguments)


@pytest.mark.parametrize("wrong", [True, "5", None, [5]])
def test_hypotheses_that_are_no_numbers(wrong: object) -> None:
    with pytest.raises(TypeError, match="elo1 must be a number, not"):
        sv.Sprt(0, wrong)  # type: ignore[arg-type]
