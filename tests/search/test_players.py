"""Players: each chooses by its own law, by the view, its budget and its seed alone, and says what it thinks."""

import copy
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from scipy import stats

import savanna as sv
from savanna import players
from savanna.players import Champion, FlatMonteCarlo, Greedy, Ismcts, Player, Random, SoftGreedy
from savanna.reference.rng import Xoshiro256PlusPlus
from tests.support.both_engines import PRINTED_VARIANTS, in_other_engine, random_game, seat_of, views
from tests.support.full import count

pytestmark = pytest.mark.thin(3)

RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS]
RULES.append(sv.Rules(players=3, mice=True, points=(0, 4, 7), absent_can_be_least=True, last_seat_bonus=9))
KINDS: list[Callable[..., Any]] = [Random, Greedy, FlatMonteCarlo, SoftGreedy]
SEARCHING: list[Callable[..., Any]] = [FlatMonteCarlo, SoftGreedy]
# What they think is tested in test_champion.py.
TREES: list[Callable[..., Any]] = [Ismcts, Champion]


def all_views(seed: int = 0, step: int = 1) -> Iterator[sv.View]:
    for rules in RULES:
        yield from views(rules, seed)[::step]


def fnv(text: str) -> int:
    """Return the 64-bit FNV-1a hash of a text, as its authors describe it."""
    number = 14695981039346656037
    for byte in text.encode():
        number = (number ^ byte) * 1099511628211 % 2**64
    return number


def numbers(view: sv.View, seed: int) -> Xoshiro256PlusPlus:
    """Return the random numbers with which a seed is said to choose in a view."""
    return Xoshiro256PlusPlus.seeded(seed, "choose", fnv(str(view)))


def test_the_hash_is_the_published_one() -> None:
    assert [fnv(text) for text in ("", "a", "foobar")] == [0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8]


# ------------------------------------------------------------------------------------------------------ random, greedy


def margin(values: tuple[float, ...], team: int) -> float:
    """Return by how much a team's number exceeds the mean of the others."""
    others = [value for other, value in enumerate(values) if other != team]
    return values[team] - sum(others) / len(others)


def greediest(view: sv.View) -> list[sv.Move]:
    """Return the moves after which the margin has grown most, by the plain engine."""
    position = in_other_engine(view.sample(1))
    team = view.rules.team_of(seat_of(view))

    def gain(move: Any) -> float:
        points = [line.points for line in position.lines_filled(move)]
        return round(sum(margin(it, team) for it in points), 9)

    gains = [(gain(move), move) for move in position.legal_moves()]
    best = max(gain for gain, _ in gains)
    return [sv.Move.parse(str(move)) for gain, move in gains if gain == best]


def test_random_and_greedy_draw_with_the_numbers_of_the_view() -> None:
    """The moves themselves, by the reference's generator: `below` their number, in the order of action ids."""
    checked = Counter[bool]()
    for view in all_views():
        for seed in (0, 2**64 - 1):
            legal, best = view.legal_moves(), greediest(view)
            assert Random(seed=seed).choose(view) == legal[numbers(view, seed).below(len(legal))]
            assert Greedy(seed=seed).choose(view) == best[numbers(view, seed).below(len(best))]
            checked[len(best) < len(legal)] += 1
    assert min(checked.values()) > 50


@pytest.mark.parametrize("ply", [0, 7, 17])
def test_random_is_uniform_over_the_seeds(ply: int) -> None:
    view = views(RULES[0])[ply]
    legal = view.legal_moves()
    counts = Counter(Random(seed=seed).choose(view) for seed in range(100 * len(legal)))
    assert stats.chisquare([counts[move] for move in legal]).pvalue > 1e-4


def test_greedy_chooses_every_best_move_equally_often_and_no_other() -> None:
    sizes = set()
    for view in all_views(seed=1, step=3):
        best = greediest(view)
        counts = Counter(Greedy(seed=seed).choose(view) for seed in range(30 * len(best)))
        assert set(counts) <= set(best)
        if len(best) > 1:
            assert stats.chisquare([counts[move] for move in best]).pvalue > 1e-5
        sizes.add(len(best))
    assert {1, 2} < sizes
    assert max(sizes) >= 40


def test_one_seed_chooses_differently_in_other_views() -> None:
    """Were numbers shared by the views of a game, one seed would choose alike in views with equally many moves."""
    middle = {views(RULES[0], seed)[10] for seed in range(2000)}
    places = Counter(it.legal_moves().index(Random(seed=3).choose(it)) for it in middle if len(it.legal_moves()) == 40)
    assert sum(places.values()) > 1000
    assert stats.chisquare([places[place] for place in range(40)]).pvalue > 1e-4


# ----------------------------------------------------------------------------------------------------- flat Monte Carlo


@pytest.mark.parametrize("playouts", [1, 1000, 20_000])
def test_flat_monte_carlo_thinks_what_rank_moves_counts(playouts: int) -> None:
    """Its first random number is the seed of its playouts; all that it says follows from those."""
    for view in all_views(seed=2, step=6):
        moves, team = view.legal_moves(), view.rules.team_of(seat_of(view))
        games = max(1, playouts // len(moves))
        ranked = {row.move: row for row in sv.rank_moves(view, games, seed=numbers(view, 9).next())}
        player = FlatMonteCarlo(playouts, seed=9)
        analysis = player.analyse(view)
        assert {it.move for it in analysis.moves} == set(moves)
        assert analysis.iterations == games * len(moves)
        for it in analysis.moves:
            row = ranked[it.move]
            assert (it.visits, it.win_share, it.stderr, it.line) == (games, row.win_share, row.stderr, ())
            assert it.scores == tuple(row.stats.mean_score)
            assert it.margin == pytest.approx(margin(it.scores, team), abs=1e-9)

        def worth(it: sv.MoveAnalysis) -> float:
            return it.win_share + 0.01 * it.margin

        assert all(worth(better) >= worth(worse) - 1e-12 for better, worse in pairwise(analysis.moves))
        assert player.choose(view) == analysis.best == analysis.moves[0].move


def test_equally_good_moves_are_in_the_order_of_action_ids() -> None:
    # Nothing scores, so all moves win equally often in the same games; only Lions decide.
    view = sv.Position.deal(sv.Rules(points=(0, 0, 0), influence={"lion": 2}), 4).view(0)
    analysis = FlatMonteCarlo(1).analyse(view)
    shares = [it.win_share for it in analysis.moves]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) < len(shares)
    pairs = [(a.move.action, b.move.action) for a, b in pairwise(analysis.moves) if a.win_share == b.win_share]
    assert pairs
    assert all(a < b for a, b in pairs)


def test_flat_monte_carlo_finds_what_is_clearly_best() -> None:
    """Where many playouts rank one move far above all others, few playouts choose it, too."""
    clear = 0
    for seed in range(12):
        view = views(RULES[0], seed)[15]
        first, second = sv.rank_moves(view, 20_000, seed=5)[:2]
        if first.win_share > second.win_share + 0.08:
            clear += 1
            assert [FlatMonteCarlo(20_000, seed=it).choose(view) for it in range(5)] == [first.move] * 5
    assert clear >= 3


# ------------------------------------------------------------------------------------------------------------- halving


def schedule(moves: int, playouts: int) -> list[int]:
    """Return how often halving should visit each move, best first, by adding up its rounds one by one."""
    races = [moves]
    while races[-1] > 2:
        races.append((races[-1] + 1) // 2)
    visits = [0] * moves
    for race in races:
        for place in range(race):
            visits[place] += max(1, playouts // len(races) // race)
    return visits


@pytest.mark.parametrize("playouts", [1, 500, count(2_000, 20_000)])
def test_halving_spends_its_budget_as_documented(playouts: int) -> None:
    sizes = set()
    for view in all_views(seed=3, step=3):
        analysis, count = SoftGreedy(playouts, seed=1).analyse(view), len(view.legal_moves())
        assert [it.visits for it in analysis.moves] == schedule(count, playouts)
        assert {it.move for it in analysis.moves} == set(view.legal_moves())
        assert analysis.iterations == sum(schedule(count, playouts))
        assert playouts == 1 or 0.5 * playouts < analysis.iterations <= playouts or count > playouts / 8
        sizes.add(count)
    assert len(sizes) > 8
    assert schedule(5, 300) == [20 + 33 + 50, 20 + 33 + 50, 20 + 33, 20, 20]


def halved(view: sv.View, playouts: int, seed: int) -> list[tuple[sv.Move, float, float]]:
    """Return what halving comes to, best first, by `rank_moves` in rounds: moves, win shares and margins."""
    team, rng, games = view.rules.team_of(seat_of(view)), numbers(view, seed), dict.fromkeys(view.legal_moves(), 0)
    shares, margins = dict.fromkeys(games, 0.0), dict.fromkeys(games, 0.0)
    ranking, race = list(games), len(games)
    rounds = max(1, math.ceil(math.log2(race)))
    for _ in range(rounds):
        more, round_seed = max(1, playouts // rounds // race), rng.next()
        rows = {row.move: row for row in sv.rank_moves(view, more, seed=round_seed, policy="soft-greedy")}
        for move in ranking[:race]:
            row, total = rows[move], games[move] + more
            for sums, mean in ((shares, row.win_share), (margins, margin(tuple(row.stats.mean_score), team))):
                sums[move] = (sums[move] * games[move] + mean * more) / total
            games[move] = total
        ranking[:race] = sorted(ranking[:race], key=lambda it: -round(shares[it] + 0.01 * margins[it], 11))
        race = (race + 1) // 2
    return [(move, shares[move], margins[move]) for move in ranking]


@pytest.mark.parametrize("playouts", [1, 500, count(2_000, 20_000)])
def test_halving_ranks_by_all_rounds_each_with_numbers_of_its_own(playouts: int) -> None:
    for view in all_views(seed=6, step=6):
        analysis = SoftGreedy(playouts, seed=11).analyse(view)
        expected = halved(view, playouts, seed=11)
        assert [it.move for it in analysis.moves] == [move for move, _, _ in expected]
        for it, (_, share, lead) in zip(analysis.moves, expected, strict=True):
            assert (it.win_share, it.margin) == pytest.approx((share, lead), abs=1e-9)


@cache
def forced_wins(view: sv.View) -> frozenset[sv.Move]:
    """Return the moves after which the mover wins alone, whatever is hidden and whatever the others do."""
    team = view.rules.team_of(seat_of(view))

    def wins(position: Any) -> bool:
        if position.is_over:
            return bool(position.winners == (team,))
        return all(wins(position.play(move)) for move in position.legal_moves())

    worlds = [in_other_engine(world) for world in {view.sample(seed) for seed in range(60)}]
    return frozenset(move for move in view.legal_moves() if all(wins(world.play(str(move))) for world in worlds))


@pytest.mark.parametrize("kind", SEARCHING)
@pytest.mark.rare
def test_forced_wins_are_found(kind: Callable[..., Any]) -> None:
    """Two plies before the end, in every position where some moves force a win and others do not."""
    found = 0
    for seed in range(60):
        view = views(RULES[0], seed)[18]
        winning = forced_wins(view)
        if 0 < len(winning) < len(view.legal_moves()):
            found += 1
            analysis = kind(2000, seed=seed).analyse(view)
            assert analysis.best in winning
            assert {it.move for it in analysis.moves if it.win_share == 1} >= winning
            # Two imaginary games, one won and one lost, leave a doubt.
            games = analysis.moves[0].visits + 2
            assert analysis.moves[0].stderr == pytest.approx(math.sqrt((games - 1) / games**3))
    assert found >= 10


# ------------------------------------------------------------------------------------------------------------ strength


def share_of_wins(player: Any, other: Any, games: int) -> float:
    """Return the share of two-player games that a player wins from the other, half of them in each seat."""
    won = 0.0
    for game in range(games):
        position, mine = sv.Position.deal(RULES[0], 1000 + game // 2), game % 2
        while position.seat is not None:
            mover = player if position.seat == mine else other
            position = position.play(mover.choose(position.view(position.seat)))
        won += (mine in position.winners) / len(position.winners)
    return won / games


def test_stronger_players_win() -> None:
    assert share_of_wins(Greedy(seed=1), Random(seed=2), 200) >= 0.95
    assert share_of_wins(FlatMonteCarlo(2000, seed=1), Greedy(seed=2), 60) >= 0.7
    assert share_of_wins(SoftGreedy(2000, seed=1), Greedy(seed=2), 60) >= 0.7


# ------------------------------------------------------------------------------------------------- what decides nothing


@pytest.mark.parametrize("kind", SEARCHING)
def test_threads_do_not_change_what_is_thought(kind: Callable[..., Any]) -> None:
    playouts = count(10_000, 50_000)
    for view in [*all_views(seed=4, step=9), views(RULES[0])[0]]:
        on_one = kind(playouts, seed=6, threads=1).analyse(view)
        for threads in (2, 3, None):
            other = kind(playouts, seed=6, threads=threads).analyse(view)
            assert (other, other.to_dict(), repr(other)) == (on_one, on_one.to_dict(), repr(on_one))
            assert hash(other) == hash(on_one)
        assert kind(playouts, seed=7).analyse(view) != on_one


@pytest.mark.parametrize("kind", KINDS)
def test_a_player_has_no_memory(kind: Callable[..., Any]) -> None:
    player, order = kind(seed=8), [*all_views(seed=5, step=5)]
    expected = [player.choose(view) for view in order]
    pairs = list(zip(order, expected, strict=True))
    random.Random(1).shuffle(pairs)
    assert all(player.choose(view) == move for view, move in pairs)
    assert [kind(seed=9).choose(view) for view in order] != expected


@pytest.mark.parametrize("kind", SEARCHING)
def test_a_budget_of_time_is_spent(kind: Callable[..., Any]) -> None:
    view = views(RULES[0])[3]
    analysis = kind(seconds=0.05, threads=2).analyse(view)
    assert analysis.seconds >= 0.05
    assert analysis.iterations == sum(it.visits for it in analysis.moves)
    assert all(it.visits > 0 and it.visits % 128 == 0 for it in analysis.moves)
    assert kind(seconds=0.05).choose(view) in view.legal_moves()


# ------------------------------------------------------------------------------------------------------- what they are


def some_players() -> list[Any]:
    instant: list[Any] = [Random(), Greedy(), *(kind(seed=it) for kind in (Random, Greedy) for it in (5, 2**64 - 1))]
    budgets: list[dict[str, Any]] = [{}, {"playouts": 20_000}, {"playouts": 7}, {"seconds": 0.05}, {"seconds": 3}]
    budgets += [{"seconds": 1e-9}, {"seconds": 1e6}, {"seconds": 0.1 + 0.2}]
    others: list[dict[str, Any]] = [{}, {"seed": 5}, {"threads": 2}, {"seed": 2**64 - 1, "threads": 1024}]
    playing = [kind(**budget, **other) for kind in SEARCHING for budget in budgets for other in others]
    budgets = [{"iterations": 7}, *budgets[3:]]
    return instant + playing + [kind(**budget, **other) for kind in TREES for budget in budgets for other in others]


def test_players_are_values() -> None:
    all_players = some_players()
    for player in all_players:
        twins = [pickle.loads(pickle.dumps(player, protocol)) for protocol in range(6)]
        twins += [
            copy.copy(player),
            copy.deepcopy(player),
            eval(repr(player), vars(players)),
            player.with_seed(player.seed),
        ]
        for twin in twins:
            assert type(twin) is type(player)
            assert (twin, hash(twin), repr(twin)) == (player, hash(player), repr(player))
            assert isinstance(twin, Player)
    # Of each kind with a budget of playouts, the first two rows are one budget, said and unsaid.
    assert len(set(all_players)) == len(all_players) - 2 * 4
    assert len({repr(player) for player in all_players}) == len(set(all_players))


def test_players_say_what_they_are() -> None:
    player = FlatMonteCarlo(500, seed=3, threads=2)
    assert (player.playouts, player.seconds, player.seed, player.threads) == (500, None, 3, 2)
    assert repr(player) == "FlatMonteCarlo(playouts=500, seed=3, threads=2)"
    assert player.with_seed(4) == FlatMonteCarlo(500, seed=4, threads=2)
    assert player.seed == 3
    timed = SoftGreedy(seconds=2, seed=1)
    assert (timed.playouts, timed.seconds, timed.seed, timed.threads) == (None, 2.0, 1, 1)
    assert repr(timed) == "SoftGreedy(seconds=2.0, seed=1, threads=1)"
    assert (FlatMonteCarlo().playouts, SoftGreedy().playouts) == (20_000, 20_000)
    assert SoftGreedy(threads=None).threads >= 1
    names = [it.name for it in (Random(seed=1), Greedy(seed=2), player, timed)]
    assert names == ["Random", "Greedy", "FlatMonteCarlo(playouts=500)", "SoftGreedy(seconds=2.0)"]
    tree = Ismcts(300, seed=1, threads=2)
    assert (tree.iterations, tree.seconds, tree.seed, tree.threads) == (300, None, 1, 2)
    assert (repr(tree), tree.name) == ("Ismcts(iterations=300, seed=1, threads=2)", "Ismcts(iterations=300)")
    assert (Ismcts().iterations, Champion().iterations, Champion(seconds=1).iterations) == (10_000, 40_000, None)
    assert repr(Champion(seconds=1)) == "Champion(seconds=1.0, seed=0, threads=1)"


def test_seed_none_is_the_systems_entropy() -> None:
    for kind in KINDS + TREES:
        assert kind(seed=0) == kind()
        assert len({kind().seed, kind(seed=None).seed, kind(seed=None).seed, kind().with_seed(None).seed}) == 4


def test_whoever_chooses_is_a_player() -> None:
    class Mine:
        def choose(self, view: sv.View) -> sv.Move:
            return view.legal_moves()[-1]

    mine: Player = Mine()
    assert isinstance(mine, Player)
    assert mine.choose(views(RULES[0])[0]) in views(RULES[0])[0].legal_moves()
    others: list[Any] = [object(), views(RULES[0])[0], RULES[0], print]
    assert not any(isinstance(it, Player) for it in others)
    assert set(players.__all__) == {"Player", "parse", "written", *(kind.__name__ for kind in KINDS + TREES)}


# ------------------------------------------------------------------------------------------------------- bad arguments


@pytest.mark.parametrize("kind", KINDS + TREES)
def test_only_the_seat_to_move_chooses(kind: Callable[..., Any]) -> None:
    player, start = kind(), sv.Position.deal(RULES[1], 3)
    over = random_game(start, 3)[-1]
    for ask in (player.choose, *([player.analyse] if kind in SEARCHING + TREES else [])):
        with pytest.raises(sv.SavannaError, match=r"^view is that of seat 1, but seat 0 is to move$") as caught:
            ask(start.view(1))
        assert type(caught.value) is sv.SavannaError
        for seat in range(2):
            with pytest.raises(sv.GameOverError, match=r"^the game is over after 20 plies$"):
                ask(over.view(seat))
        with pytest.raises(TypeError, match=r"^view must be a View, not Position: .*position\.view\(seat\)$"):
            ask(start)
        for value in (None, 3, str(start.view(0)), start.rules, in_other_engine(start).view(0), sv.View):
            with pytest.raises(TypeError, match=r"^view must be a View, not [\w.]+$"):
                ask(value)
