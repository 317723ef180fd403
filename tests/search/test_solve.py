"""`solve` against a plain search of the whole tree over the reference, and its errors."""

import copy
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_args

import pytest

import savanna as sv
import savanna.reference as ref
from savanna.types import Objective

RULES = [
    sv.Rules(),
    sv.Rules(mice=True),
    sv.Rules(absent_can_be_least=True, points=(1, 2, 4), target=12),
    sv.Rules(players=3),
    sv.Rules(players=4),
    sv.Rules(players=4, team_game=True, mice=True),
]
CASES: list[tuple[sv.Rules, Objective]] = [(rules, it) for rules in RULES for it in get_args(Objective)]


def untyped(value: object) -> Any:
    return value


def played(rules: sv.Rules, empty: int, seed: int) -> sv.Position:
    rng = random.Random(seed)
    position = sv.Position.deal(rules, seed)
    while position.ply < 20 - empty:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def result(position: ref.Position, objective: str) -> tuple[Fraction, ...]:
    """Return what each team has in the end: its share of the win, or its score."""
    if objective == "margin":
        return tuple(Fraction(score) for score in position.scores)
    shares = [Fraction(0)] * len(position.scores)
    for team in position.winners:
        shares[team] = Fraction(1, len(position.winners))
    return tuple(shares)


def liking(values: tuple[Fraction, ...], team: int, objective: str) -> Fraction:
    """Return what a team wants much of."""
    others = sum(values) - values[team]
    return values[team] if objective == "win" else values[team] - others / (len(values) - 1)


def brute_force(position: ref.Position, objective: str) -> tuple[tuple[Fraction, ...], list[str]]:
    """Return the result of best play by trying everything, the first move winning ties, and all best moves."""
    if position.seat is None:
        return result(position, objective), []
    team = position.rules.team_of(position.seat)
    values = {str(move): brute_force(position.play(move), objective)[0] for move in position.legal_moves()}
    best = max(liking(value, team, objective) for value in values.values())
    moves = [move for move, value in values.items() if liking(value, team, objective) == best]
    return values[moves[0]], moves


@pytest.mark.parametrize(("rules", "objective"), CASES, ids=str)
def test_it_finds_what_trying_everything_finds(rules: sv.Rules, objective: Objective) -> None:
    for seed in range(8):
        position = played(rules, 1 + seed % 3, seed)
        seat = position.seat
        assert seat is not None
        team = rules.team_of(seat)
        values, moves = brute_force(ref.Position.parse(str(position)), objective)
        solution = sv.solve(position, objective=objective)
        assert [str(move) for move in solution.moves] == moves
        assert solution.objective == objective
        if rules.teams > 2:
            assert solution.value == pytest.approx(tuple(map(float, values)))
        elif objective == "margin":
            assert solution.value == values[team] - values[1 - team]
        else:
            assert solution.value == 2 * values[team] - 1


def test_solutions_are_values() -> None:
    position = played(sv.Rules(), 5, 1)
    before = str(position)
    solution = sv.solve(position)
    assert str(position) == before
    assert solution == sv.solve(position) == copy.copy(solution) == pickle.loads(pickle.dumps(solution))
    assert hash(solution) == hash(sv.solve(position))
    assert solution != sv.solve(position, objective="margin")
    assert str(solution.moves[0]) in repr(solution)
    assert solution.nodes > 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: sv.solve(sv.Position.deal(sv.Rules(), 1)),
            sv.SavannaError,
            "at most 14 empty spaces",
        ),
        (lambda: sv.solve(played(sv.Rules(), 0, 1)), sv.GameOverError, "over"),
        (lambda: sv.solve(played(sv.Rules(), 2, 1), objective=untyped("draw")), sv.SavannaError, "draw"),
        (lambda: sv.solve(untyped("2p")), TypeError, "position must be a Position, not str"),
        (
            lambda: sv.solve(untyped(played(sv.Rules(), 2, 1).view(0))),
            TypeError,
            "position must be a Position, not View",
        ),
    ],
)
def test_what_cannot_be_solved_is_refused(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
