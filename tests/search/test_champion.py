"""The players that search trees, and `analyse`."""

import json
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import savanna as sv
import savanna.reference as ref
from savanna.players import Champion, Greedy, Ismcts, Player, SoftGreedy
from savanna.types import Policy
from tests.support.both_engines import in_other_engine, seat_of

pytestmark = pytest.mark.thin(3)

TREES: list[Callable[..., Any]] = [Ismcts, Champion]


def untyped(value: object) -> Any:
    return value


def view_at(rules: sv.Rules, ply: int, seed: int) -> sv.View:
    rng = random.Random(seed)
    position = sv.Position.deal(rules, seed)
    while position.ply < ply:
        position = position.play(rng.choice(position.legal_moves()))
    assert position.seat is not None
    return position.view(position.seat)


def share_of_wins(player: Player, opponent: Player, deals: int) -> float:
    return sv.tournament({"player": player, "opponent": opponent}, deals=deals, seed=5).pairs[0].share


@pytest.mark.parametrize("kind", TREES)
@pytest.mark.parametrize("ply", [0, 9, 16])
def test_iterations_decide_whatever_the_threads(kind: Callable[..., Any], ply: int) -> None:
    view = view_at(sv.Rules(), ply, 3)
    one, three = (kind(70_000, seed=4, threads=threads) for threads in (1, 3))
    assert one.analyse(view) == three.analyse(view)
    assert one.choose(view) == three.choose(view) == one.analyse(view).best
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("kind", TREES)
def test_analyses_hold_together(kind: Callable[..., Any]) -> None:
    for ply in (0, 5, 11):
        view = view_at(sv.Rules(), ply, ply)
        analysis = kind(1000, seed=1).analyse(view)
        assert sorted(row.move for row in analysis.moves) == view.legal_moves()
        visits = [row.visits for row in analysis.moves]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == analysis.iterations == 1000
        scored = {row.move: row for row in analysis.moves}
        for row in analysis.moves:
            assert 0 <= row.win_share <= 1
            spaces = [row.move.space, *(move.space for move in row.line)]
            assert len(set(spaces)) == len(spaces)
            assert not set(spaces) & set(view.board)
        # Scores are those of 256 soft-greedy playouts after each move: near those of other ones.
        best = sv.rank_moves(view, 4000, policy="soft-greedy")[0]
        mean, sd = best.stats.mean_score[view.seat], best.stats.score_sd[view.seat]
        assert abs(scored[best.move].scores[view.seat] - mean) < 5 * sd / 256**0.5


def test_lines_can_be_played() -> None:
    """Lines put what is in hands and decks; what is under others' Lions is a guess, one of what they have most of."""
    lengths, guesses = [], 0
    for rules in (sv.Rules(mice=True), sv.Rules(players=4, team_game=True)):
        for ply in (0, 7, 13):
            view = view_at(rules, ply, ply)
            left = [Counter(unseen) for unseen in view.unseen]
            left[seat_of(view)] += Counter(view.hand)
            for row in Ismcts(3000, seed=2).analyse(view).moves:
                tiles: list[Counter[str]] = [Counter() for _ in left]
                for number, move in enumerate([row.move, *row.line]):
                    seat = (seat_of(view) + number) % rules.players
                    if seat == view.seat or move.face == "front":
                        tiles[seat][move.animal] += 1
                    else:
                        assert left[seat][move.animal] == max(left[seat].values())
                        guesses += 1
                assert all(mine <= its for mine, its in zip(tiles, left, strict=True))
                lengths.append(len(row.line))
    assert max(lengths) >= 3
    assert guesses > 20


def test_analyse_reports_progress_and_is_the_champion() -> None:
    view, told = view_at(sv.Rules(), 6, 2), list[int]()
    analysis = sv.analyse(view, iterations=20_000, threads=1, seed=9, progress=told.append)
    assert analysis == Champion(20_000, seed=9).analyse(view)
    assert told == sorted(told)
    assert told[-1] == analysis.iterations == 20_000
    assert sv.analyse(view, seconds=0.01).iterations > 0


def test_where_nothing_is_learnt_the_champion_halves() -> None:
    view = view_at(sv.Rules(target=11), 8, 1)
    assert Champion(3000, seed=6).analyse(view) == SoftGreedy(3000, seed=6).analyse(view)


@pytest.mark.parametrize(("rules", "keen"), [(sv.Rules(players=3), False), (sv.Rules(players=4, mice=True), True)])
def test_with_many_teams_it_halves_on_playouts(rules: sv.Rules, keen: bool) -> None:
    """They are keener with four teams than with three."""
    view = view_at(rules, 8, 1)
    policies: tuple[Policy, ...] = ("keen-greedy", "soft-greedy") if keen else ("soft-greedy", "keen-greedy")
    rows, others = ({row.move: row for row in sv.rank_moves(view, 40_000, policy=policy)} for policy in policies)
    apart = 0
    for it in Champion(400_000, seed=6).analyse(view).moves:
        assert abs(it.win_share - rows[it.move].win_share) < 5 * (it.stderr + rows[it.move].stderr)
        apart += abs(it.win_share - others[it.move].win_share) > 5 * (it.stderr + others[it.move].stderr)
    assert apart > 0


def share(position: ref.Position, team: int) -> float:
    """Return the share of the win of this of two teams when both know everything and play for it."""
    if position.seat is None:
        return (team in position.winners) / len(position.winners)
    best = max if position.rules.team_of(position.seat) == team else min
    return best(share(position.play(move), team) for move in position.legal_moves())


def borne_out(share: float) -> float:
    """Return a share over solved deals as games bear it out; what is sure stays so."""
    if not 1e-9 < share < 1 - 1e-9:
        return share
    return 1 / (1 + math.exp(0.6 - 0.75 * math.log(share / (1 - share))))


@pytest.mark.parametrize("rules", [sv.Rules(), sv.Rules(target=11, points=(1, 2, 4))], ids=str)
def test_the_champion_solves_the_last_plies(rules: sv.Rules) -> None:
    """Each deal is tried out in the plain engine, and counts by how likely the other player holds his last tile."""
    forced = open_wins = 0
    for seed in range(40):
        view = view_at(rules, 17 + seed % 2, seed)
        unseen = view.unseen[1 - seat_of(view)]
        worlds = {world.hands[1 - seat_of(view)]: world for world in (view.sample(number) for number in range(200))}
        assert {hand for (hand,) in worlds} == {animal for animal, count in unseen.items() if count}
        expected = dict.fromkeys(view.legal_moves(), 0.0)
        for (hand,), world in worlds.items():
            for move in expected:
                after = share(in_other_engine(world).play(str(move)), seat_of(view))
                expected[move] += unseen[hand] / sum(unseen.values()) * after
        player = Champion(10, seed=seed)
        shares = {move: borne_out(value) for move, value in expected.items()}
        assert {row.move: row.win_share for row in player.analyse(view).moves} == pytest.approx(shares, abs=1e-5)
        best, worst = max(expected.values()), min(expected.values())
        # A hundredth of the win is worth a point of the margin, so the best may be left by a little.
        assert expected[player.choose(view)] > best - 0.2
        if best == pytest.approx(1) and worst < 0.9:
            assert expected[player.choose(view)] == pytest.approx(1)
            forced += 1
        open_wins += 0.1 < best < 0.9
    assert forced >= 5
    assert open_wins >= 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda view: sv.analyse(view, seconds=1, iterations=1), sv.SavannaError, "not both"),
        (lambda view: sv.analyse(view, iterations=0), sv.SavannaError, "iterations must be 1"),
        (lambda view: sv.analyse(view, seconds=-1), sv.SavannaError, "seconds"),
        (lambda view: sv.analyse(view, progress=untyped(1)), TypeError, "progress must be callable"),
        (lambda view: sv.analyse(untyped(sv.Position.deal(sv.Rules(), 1))), TypeError, "a player sees one seat's"),
        (lambda view: sv.analyse(sv.Position.deal(sv.Rules(), 1).view(1)), sv.SavannaError, "seat 0 is to move"),
    ],
)
def test_mistakes_are_told(call: Callable[[sv.View], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(view_at(sv.Rules(), 4, 1))


@pytest.mark.rare
def test_strength() -> None:
    assert share_of_wins(Champion(1000), Greedy(), 20) >= 0.9
    assert share_of_wins(Ismcts(2000), Greedy(), 30) >= 0.55


def test_a_call_leaves_nothing_behind() -> None:
    asked = [view_at(sv.Rules(), ply, ply) for ply in (0, 7, 13, 17)]
    for kind in TREES:
        player = kind(300, seed=2)
        expected = [player.choose(view) for view in asked]
        assert [player.choose(view) for view in reversed(asked)] == expected[::-1]
        assert [kind(300, seed=3).analyse(view) for view in asked[:3]] != [player.analyse(view) for view in asked[:3]]


@pytest.mark.parametrize("kind", TREES)
def test_analyses_of_trees_are_values(kind: Callable[..., Any]) -> None:
    analysis = kind(500).analyse(view_at(sv.Rules(players=4, team_game=True), 6, 1))
    twin = pickle.loads(pickle.dumps(analysis))
    assert (twin, hash(twin), repr(twin)) == (analysis, hash(analysis), repr(analysis))
    for it, row in zip(analysis.moves, json.loads(json.dumps(analysis.to_dict()))["moves"], strict=True):
        assert row == it._asdict() | {
            "move": str(it.move),
            "scores": list(it.scores),
            "line": [str(move) for move in it.line],
        }
    assert any(it.line for it in analysis.moves)
    for it in analysis.moves[:5]:
        for cell in (it.move, it.visits, f"{it.win_share:.4f}"):
            assert str(cell) in repr(analysis)
            assert f"<td>{cell}</td>" in analysis._repr_html_()


@pytest.mark.parametrize("kind", [Champion, Ismcts])
def test_a_choice_is_the_best_of_the_analysis(kind: Callable[..., Any]) -> None:
    """Of equal moves, too, of which there are many where little has been tried or all is solved."""
    for rules in (sv.Rules(), sv.Rules(players=4, team_game=True)):
        for view in (view_at(rules, ply, seed) for seed in range(20) for ply in (3, 8, 14, 16, 17)):
            player = kind(iterations=60, seed=view.ply)
            assert player.choose(view) == player.analyse(view).best


def test_a_share_is_never_more_than_all() -> None:
    """Chances of deals do not always add up to 1 exactly."""
    rules, found = sv.Rules(), 0
    for view in (view_at(rules, ply, seed) for seed in range(60) for ply in (14, 16, 18)):
        for it in Champion(10).analyse(view).moves:
            assert 0 <= it.win_share <= 1
            found += it.win_share == 1
    assert found > 20


def last_shares(view: sv.View) -> dict[sv.Move, set[float]]:
    """Return what share of the win each last move has, by the plain engine, in every consistent deal."""
    shares: dict[sv.Move, set[float]] = {move: set() for move in view.legal_moves()}
    for world in {view.sample(seed) for seed in range(40)}:
        position = in_other_engine(world)
        for move in shares:
            winners = position.play(str(move)).winners
            shares[move].add((view.rules.team_of(seat_of(view)) in winners) / len(winners))
    return shares


@pytest.mark.parametrize("kind", TREES)
def test_a_last_move_that_wins_is_found(kind: Callable[..., Any]) -> None:
    """The mover knows all that decides, so a move's share is the same in all deals, and the trees know it exactly."""
    choice = 0
    for seed in range(60):
        view = view_at(sv.Rules(), 19, seed)
        shares = last_shares(view)
        assert all(len(of) == 1 for of in shares.values())
        best = max(max(of) for of in shares.values())
        assert shares[kind(200).choose(view)] == {best}
        choice += min(min(of) for of in shares.values()) < best
    assert choice >= 5
