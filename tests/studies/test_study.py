"""Studies count what happened: against the plain engine, `rollout`, tournaments, a game by hand, and laws of chance."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, t

import savanna as sv
from savanna.arena.schedule import derived_seed
from savanna.players import Greedy, Player, Random
from savanna.studies import tally
from savanna.studies.play import BATCH
from savanna.types import Policy
from tests.support.expected_intervals import expected_mean, expected_share
from tests.support.study_recount import Recount

pytestmark = pytest.mark.thin(3)

RULES = {
    "2p": sv.Rules(),
    "3p": sv.Rules(players=3),
    "4p,mice": sv.Rules(players=4, mice=True),
    "team": sv.Rules(players=4, team_game=True, mice=True),
    "absent": sv.Rules(players=3, mice=True, absent_can_be_least=True, last_seat_bonus=7),
    "odd": sv.Rules(mice=True, target=14, points=(0, 5, 100), influence={"lion": 0, "mouse": 15, "zebra": 0}),
    "far": sv.Rules(players=4, target=0, points=(100, 0, 0), deck={"elephant": 6}),
}


def of_seed(rules: sv.Rules, games: int, seed: int, policy: Policy = "uniform") -> list[sv.Playouts]:
    """Return the games of a study: batch k is that of the seed derived from the study's."""
    sizes = [min(BATCH, games - first) for first in range(0, games, BATCH)]
    return [
        sv.playouts(rules, size, seed=derived_seed(seed, "study", batch), policy=policy)
        for batch, size in enumerate(sizes)
    ]


# ------------------------------------------------------------------------------------------------- against other counts


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("policy", ["uniform", "soft-greedy"])
def test_every_figure_is_that_of_the_plain_engine(name: str, policy: Policy) -> None:
    rules, games = RULES[name], 60
    study = sv.study(rules, games=games, seed=4, policy=policy)
    recount = Recount(str(rules))
    (plays,) = of_seed(rules, games, 4, policy)
    for game in range(games):
        decks = [[list(rules.deck)[animal] for animal in plays.decks[game][seat]] for seat in range(rules.players)]
        recount.add(decks, map(str, plays.moves(game)))
    figures = {
        (table, row, column): cell
        for table in study.tables
        for row, cells in study.table(table).items()
        for column, cell in cells.items()
    }
    assert set(figures) == set(recount.samples)
    for key, samples in recount.samples.items():
        cell, cases = figures[key], sum(n for n, _ in samples)
        assert cell.cases == cases, key
        assert cell.value == pytest.approx(float(sum(y for _, y in samples) / cases), rel=1e-12), key
        is_share = key[2] in ("share", "win share", "below", "exact", "above")
        expected = (expected_share if is_share else expected_mean)((n, float(y)) for n, y in samples)
        assert cell[:3] == pytest.approx((expected.value, *expected[2:]), rel=1e-6, abs=1e-6, nan_ok=True), key


@pytest.mark.parametrize("name", RULES)
def test_results_are_those_of_rollout(name: str) -> None:
    rules, games = RULES[name], BATCH + 1000
    study = sv.study(rules, games=games, seed=9)
    stats = [sv.rollout(rules, size, seed=derived_seed(9, "study", batch)) for batch, size in ((0, BATCH), (1, 1000))]
    weights = np.array([BATCH, 1000]) / games
    least = min(study.score_histogram.shape[1], stats[0].score_histogram.shape[1])
    both = sum(it.score_histogram for it in stats)
    assert np.array_equal(study.score_histogram[:, :least], both[:, :least])  # type: ignore[index]
    shares = [cells["win share"].value for cells in study.table("teams").values()]
    np.testing.assert_allclose(shares, weights @ [it.win_share for it in stats], rtol=1e-12)
    lines = study.table("lines")["all"]
    assert lines["exact"].value * 20 == pytest.approx(weights @ [it.exact_tens for it in stats], rel=1e-12, abs=1e-12)
    for end in ("below", "exact", "above"):
        counted = sum(getattr(it, f"lines_{end}") for it in stats)
        assert round(lines[end].value * 20 * games) == counted
    assert round(study.total_histogram.sum()) == 20 * games
    target = rules.target
    assert study.total_histogram[:, target : target + 1].sum() == sum(it.lines_exact for it in stats)


@pytest.mark.parametrize("name", RULES)
def test_points_are_neither_lost_nor_made(name: str) -> None:
    """All points of lines are paid at once, and in the end belong to tiles, but for those of the absent."""
    rules = RULES[name]
    study = sv.study(rules, games=2000, seed=6)
    spaces, teams = study.table("spaces"), study.table("teams")
    scored = sum(cells["score"].value for cells in teams.values()) - rules.last_seat_bonus
    at_once = sum(cells["at once"].value + cells["to others"].value for cells in spaces.values())
    in_the_end = sum(cells["in the end"].value for cells in spaces.values())
    assert at_once == pytest.approx(scored)
    if rules.absent_can_be_least:
        assert 0 < in_the_end < scored - 1
    else:
        assert in_the_end == pytest.approx(scored)
    assert study.table("lines")["all"]["points"].value * 20 == pytest.approx(scored)
    animals = study.table("animals")
    assert sum(cells["at once"].cases for cells in animals.values()) == 20 * study.games
    for column in ("at once", "to others", "in the end"):
        by_animal = sum(cells[column].value * cells[column].cases for cells in animals.values())
        assert by_animal == pytest.approx(sum(cells[column].value for cells in spaces.values()) * study.games)
    assert sum(cells["win share"].value for cells in teams.values()) == pytest.approx(1)
    leads = study.lead_histogram
    values = np.arange(leads.shape[1]) - leads.shape[1] // 2
    for row, cells in zip(leads, teams.values(), strict=True):
        assert row @ values / study.games == pytest.approx(cells["lead"].value)


# ------------------------------------------------------------------------------------------------------------- by hand


def test_a_game_by_hand() -> None:
    """Two seats lay zebras, front up, in reading order.

    0 . 1 0 1      Lines of four hold 12, so both teams get a point where both have two, else the one with fewer, or
    0 1 0 1 .      alone. All five rows and both main diagonals are two to two. Column a is 0's alone and e 1's, b
    0 1 . 0 1      has one 0 and d one 1, c two of both. Lines of three hold 9 and give 2 to whoever has more: four
    . 0 1 0 1      are 0's and four 1's. That makes 5 + 2 + 3 + 8 = 18 for both, without a Lion.
    0 1 0 . 1
    """
    rules = sv.Rules(deck={"zebra": 10})
    actions = np.array([[sv.Move("zebra", "front", space).action for space in sv.SPACES]], np.uint8)
    games = tally.Games(actions, np.array([[18, 18]], np.int16), np.array([3], np.uint8), np.zeros((1, 2), np.int8), 1)
    counted = tally.count(rules, 1, games)
    study = sv.Study(rules, (), "uniform", 0, counted)
    lines = {row: [cell.value for cell in cells.values()] for row, cells in study.table("lines").items()}
    assert lines == {
        "row": [0, 0, 1, 2],
        "column": [0, 0, 1, pytest.approx(6 / 5)],
        "main diagonal": [0, 0, 1, 2],
        "short diagonal": [1, 0, 0, 2],
        "all": [pytest.approx(8 / 20), 0, pytest.approx(12 / 20), pytest.approx(36 / 20)],
    }
    assert [cell.value for cell in study.table("teams")["seat 1"].values()] == [0.5, 18, 0]
    assert [cells["share"].value for cells in study.table("endings").values()] == [1, 0, 1]
    spaces = {row: [cell.value for cell in cells.values()] for row, cells in study.table("spaces").items()}
    assert spaces["a5"] == [0, 0, pytest.approx(1 / 2 + 1 / 4 + 1 / 2)]  # half a row, a quarter of a, half a diagonal
    assert spaces["a1"] == [2, 1, pytest.approx(1 / 2 + 1 / 4 + 1 / 2)]  # it fills a, and the rising main diagonal
    assert spaces["e1"] == [3, 2, pytest.approx(1 / 2 + 1 / 4 + 1 / 2)]  # row 1, e, the falling main diagonal
    assert list(study.table("animals")) == ["zebra"]
    assert study.table("animals")["zebra"]["in the end"].value == pytest.approx(36 / 20)
    assert study.table("lions")["turn 10"]["share"].value == 0
    assert [study.total_histogram[kind, total] for kind, total in ((0, 12), (1, 12), (2, 12), (3, 9))] == [5, 5, 2, 8]
    # One game cannot tell how far its figures are off.
    assert study.table("teams")["seat 0"]["win share"][1:] == (0, 1, 1)
    assert math.isnan(study.table("spaces")["a5"]["at once"].low)


# ------------------------------------------------------------------------------------------------------------ intervals


@pytest.mark.rare
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth = sv.study(sv.Rules(players=3), games=200_000, seed=1)
    looked_at: dict[str, tuple[str, str, str]] = {
        "one case a game": ("teams", "seat 2", "win share"),
        "few cases a game": ("animals", "elephant", "in the end"),
        "many cases a game": ("lines", "short diagonal", "exact"),
    }
    studies = [sv.study(sv.Rules(players=3), games=150, seed=seed, threads=1) for seed in range(100, 300)]
    least, most = binom.ppf([1e-4, 1 - 1e-4], len(studies), 0.95)
    for name, (table, row, column) in looked_at.items():
        value = truth.table(table)[row][column].value
        figures = [study.table(table)[row][column] for study in studies]
        held = sum(it.low <= value <= it.high for it in figures)
        assert least <= held, name
        # The two imaginary games make the interval of a share wider than need be where a game has many cases.
        assert held <= most or column == "exact", name
        assert all(it.error >= it.value - it.low > 0 for it in figures)


def test_games_without_exception_are_no_proof() -> None:
    study = sv.study(sv.Rules(target=100), games=50)
    cells = study.table("lines")["all"]
    low = 51 / 52 - t.ppf(0.975, 49) * math.sqrt(1 / 52**2)
    assert cells["below"][:3] == pytest.approx((1, low, 1))
    assert cells["above"][:3] == pytest.approx((0, 0, 1 - low))
    # Means of games that all came to the same are unknown: nothing bounds what another game may bring.
    score = sv.study(sv.Rules(points=(0, 0, 0)), games=50).table("teams")["seat 0"]["score"]
    assert (score.value, math.isnan(score.low), math.isnan(score.high)) == (0, True, True)
    assert sv.study(games=1).table("lines")["all"]["below"][1:3] == (0, 1)


def test_few_tiles_of_many_games_tell_little() -> None:
    """All of twenty games have a Lion, but hardly any an Elephant's: the few that have one are what counts."""
    study = sv.study(players=sv.players.Champion(iterations=20), games=20, seed=1)
    cells = study.table("animals")["elephant lion"]
    assert 0 < cells["at once"].cases < 20
    assert all(math.isnan(cell.error) or cell.error > 0.1 for cell in cells.values())
    with_scores = study.table("teams")["seat 0"]["score"]
    assert with_scores.low < with_scores.value < with_scores.high


# -------------------------------------------------------------------------------------------------------------- players


def test_players_are_seated_as_in_a_tournament() -> None:
    players: dict[str, Player] = {"clever": Greedy(), "wild": Random()}
    for rules in (sv.Rules(), sv.Rules(players=3), sv.Rules(players=4, team_game=True)):
        study = sv.study(rules, players=players, games=50, seed=12)
        each = {2: 2, 3: 6}[rules.teams]
        assert (study.games, study.deals) == (-(-50 // each) * each, -(-50 // each))
        tournament = sv.tournament(players, rules=rules, deals=study.deals, seed=12)
        shares = {rating.name: rating.win_share for rating in tournament.ratings}
        for name, cells in study.table("players").items():
            sides = cells["win share"].cases / study.games  # copies of one player share a game's wins
            assert cells["win share"].value * sides == pytest.approx(shares[name])
        scores = np.array([game.scores for game in tournament.games])
        for team, cells in enumerate(study.table("teams").values()):
            assert cells["score"].value == pytest.approx(scores[:, team].mean())
            by_deal = scores[:, team].reshape(-1, each).mean(axis=1)
            error = t.ppf(0.975, study.deals - 1) * by_deal.std(ddof=1) / math.sqrt(study.deals)
            assert cells["score"].error == pytest.approx(error)
        if rules.teams == 2:
            pair = tournament.pairs[0]
            assert study.table("players")["clever"]["win share"][:3] == pytest.approx((pair.share, *pair.interval))


def test_one_player_has_all_seats() -> None:
    study = sv.study(sv.Rules(players=4), players=Random(seed=3), games=40, seed=2)
    assert (study.players, study.policy, study.games, study.deals) == (("Random",), None, 40, 40)
    assert "players" not in study.tables
    assert "players" in sv.study(players=[Random(), Random()], games=2).tables


def test_random_players_and_uniform_play_are_nearly_the_same() -> None:
    """They differ in that equal tiles of the hand count as one move for the player; both are far from careful play."""
    players = sv.study(sv.Rules(players=3), players=Random(), games=1500, seed=1).table("teams")
    uniform = sv.study(sv.Rules(players=3), games=20_000, seed=1).table("teams")
    for row, cells in players.items():
        assert abs(cells["score"].value - uniform[row]["score"].value) < 3 * cells["score"].error


# -------------------------------------------------------------------------------------------------------- reproducible


@pytest.mark.parametrize(
    "make",
    [
        lambda threads: sv.study(sv.Rules(players=3), games=3 * BATCH + 5, seed=5, threads=threads),
        lambda threads: sv.study(players=[Greedy(), Random()], games=2100, seed=5, threads=threads),
    ],
    ids=["policy", "players"],
)
def test_threads_change_nothing(make: Callable[[int], sv.Study]) -> None:
    one, three = make(1), make(3)
    assert one == three
    assert hash(one) == hash(three)
    assert (str(one), one.to_dict()) == (str(three), three.to_dict())


def test_seeds_decide_and_differ() -> None:
    made = [sv.study(games=50, seed=seed) for seed in (0, 0, 1, 2**64 - 1, None)]
    assert made[0] == made[1]
    assert len(set(made)) == 4
    assert made[-1] == sv.study(games=50, seed=made[-1].seed)
    assert made[0] != sv.study(sv.Rules(mice=True), games=50)
    assert made[0] != "study"


def test_the_numbers_of_a_seed_are_these() -> None:
    """If they move, that is a Results change."""
    study = sv.study(sv.Rules(players=3), games=1000, seed=7)
    assert [round(1000 * cells["win share"].value, 6) for cells in study.table("teams").values()] == [
        239.333333,
        280.833333,
        479.833333,
    ]
