"""The reference engine's rules against independent games, hand-calculated scores and known numbers."""

from collections import Counter
from typing import Any

import pytest

from savanna import reference as ref
from tests.support.both_engines import check_golden_game, golden_games
from tests.support.reference_games import ABSENT, MICE, TEAMS, THREE, TWO, full_game, start

GOLDEN = golden_games()


def last_line(rules: ref.Rules, *moves: str) -> tuple[int, tuple[int, ...]]:
    """Play the moves of a game and return total and points of the one line that the last of them fills."""
    position = start(rules, moves)
    for move in moves[:-1]:
        assert position.lines_filled(move) == ()
        position = position.play(move)
    (line,) = position.lines_filled(moves[-1])
    assert position.play(moves[-1]).scores == line.points
    return line.total, line.points


@pytest.mark.parametrize("game", GOLDEN, ids=range(len(GOLDEN)))
def test_golden_game(game: dict[str, Any]) -> None:
    check_golden_game(ref, game)


def test_board_has_the_published_line_counts() -> None:
    assert " ".join(ref.SPACES) == "a5 c5 d5 e5 a4 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 e2 a1 b1 c1 e1"
    assert len(set(ref.LINES)) == 20
    assert Counter(map(len, ref.LINES)) == {4: 12, 3: 8}
    assert Counter(sum(space in line for line in ref.LINES) for space in ref.SPACES) == {4: 12, 3: 8}
    assert ref.LINES[0] == ("a5", "c5", "d5", "e5")
    assert ref.LINES[5] == ("a5", "a4", "a3", "a1")
    assert ref.LINES[10] == ("a3", "b2", "c1")
    assert ref.LINES[15] == ("c5", "b4", "a3")


def test_board_is_symmetrical_by_quarter_turns_and_not_by_mirrors() -> None:
    def images(name: Any) -> tuple[set[str], set[frozenset[str]]]:
        return {name(s) for s in ref.SPACES}, {frozenset(map(name, line)) for line in ref.LINES}

    def quarter_turn(space: str) -> str:
        return "abcde"[int(space[1]) - 1] + str(5 - "abcde".index(space[0]))

    def mirror(space: str) -> str:
        return "edcba"["abcde".index(space[0])] + space[1]

    assert images(quarter_turn) == images(str)
    assert images(mirror)[0] != set(ref.SPACES)


@pytest.mark.parametrize(
    ("rules", "moves", "total", "points"),
    [
        # Below the target: the most, 5 against 4; a tie of 4 and 4.
        (TWO, "monkey a5, monkey c5, zebra d5, monkey e5", 9, (2, 0)),
        (TWO, "monkey a5, monkey c5, monkey d5, monkey e5", 8, (2, 2)),
        # Above: the least, 7 against 5; a tie of 6 and 6; a Lion counts 6 whatever is under it.
        (TWO, "elephant a5, zebra c5, monkey d5, monkey e5", 12, (0, 1)),
        (TWO, "zebra a5, zebra c5, zebra d5, zebra e5", 12, (1, 1)),
        (TWO, "monkey lion a5, giraffe c5, monkey d5, zebra e5", 15, (0, 1)),
        # Exactly ten: the last player only, who has more or less than the other.
        (TWO, "monkey a5, zebra c5, monkey d5, zebra e5", 10, (0, 3)),
        (TWO, "zebra a5, monkey c5, zebra d5, monkey e5", 10, (0, 3)),
        # A Mouse: a point for its own team if that scores, in each of the three cases; none under a Lion.
        (MICE, "mouse a5, mouse c5, zebra d5, monkey e5", 7, (3, 0)),
        (MICE, "mouse a5, monkey c5, monkey d5, monkey e5", 7, (0, 2)),
        (MICE, "elephant a5, mouse c5, giraffe d5, zebra e5", 13, (0, 2)),
        (MICE, "giraffe a5, mouse c5, zebra d5, monkey e5", 10, (0, 4)),
        (MICE, "elephant a5, mouse lion c5, giraffe d5, zebra e5", 18, (1, 1)),
        # Two Mice of one team, which its colours share.
        (TEAMS, "mouse a5, elephant c5, mouse d5, giraffe e5", 11, (3, 0)),
        (TEAMS, "monkey a5, monkey c5, zebra d5, monkey e5", 9, (2, 0)),
        (TEAMS, "monkey a5, zebra c5, monkey d5, zebra e5", 10, (0, 3)),
        # Seat 2 has no tile in the line c5 d4 e3: only above the target, and only by the option, it is the least.
        (THREE, "elephant c5, giraffe d4, monkey a1, zebra e3", 12, (0, 1, 0)),
        (ABSENT, "elephant c5, giraffe d4, monkey a1, zebra e3", 12, (0, 0, 1)),
        (ABSENT, "monkey c5, monkey d4, monkey a1, monkey e3", 6, (2, 0, 0)),
        (ABSENT, "elephant c5, zebra d4, monkey a1, monkey e3", 10, (3, 0, 0)),
        # A tile without influence is a tile; a line that gives 0 points still pays for the Mouse.
        (ref.Rules(influence={"elephant": 15, "lion": 0}), "elephant c5, zebra lion d4, monkey e3", 17, (0, 1)),
        (ref.Rules(mice=True, points=(0, 1, 3)), "mouse c5, monkey d4, monkey e3", 5, (1, 0)),
        (ref.Rules(target=8, points=(9, 9, 7)), "monkey a5, monkey c5, monkey d5, monkey e5", 8, (0, 7)),
    ],
)
def test_hand_calculated_line(rules: ref.Rules, moves: str, total: int, points: tuple[int, ...]) -> None:
    assert last_line(rules, *moves.split(", ")) == (total, points)


def test_lions_break_a_tie() -> None:
    rules = ref.Rules(points=(0, 0, 0))
    assert full_game(rules, lions=set()).winners == (0, 1)
    assert full_game(rules, lions={0}).winners == (1,)
    assert full_game(rules, lions={0, 1}).winners == (0, 1)
    assert full_game(rules, lions={0, 1, 3}).winners == (0,)
    # Only among the tied: seat 1 has fewer Lions, but seat 2 the bonus.
    final = full_game(ref.Rules(players=3, points=(0, 0, 0)), lions={0, 2})
    assert (final.scores, final.lions, final.winners) == ((0, 0, 2), (1, 0, 1), (2,))
    # The Lions of both colours count together.
    teams = full_game(ref.Rules(players=4, team_game=True, points=(0, 0, 0)), lions={0, 2, 1})
    assert (teams.lions, teams.winners) == ((2, 1), (1,))


def test_the_last_seat_gets_its_bonus_only_at_the_end() -> None:
    for rules, scores in (
        (ref.Rules(players=3, points=(0, 0, 0)), (0, 0, 2)),
        (ref.Rules(players=2, points=(0, 0, 0)), (0, 0)),
        (ref.Rules(players=2, points=(0, 0, 0), last_seat_bonus=5), (0, 5)),
        (ref.Rules(players=4, team_game=True, points=(0, 0, 0), last_seat_bonus=5), (0, 5)),
    ):
        position = ref.Position.deal(rules, seed=3)
        while not position.is_over:
            assert not any(position.scores)
            assert position.winners == ()
            position = position.play(position.legal_moves()[0])
        assert position.scores == scores


def test_perft() -> None:
    position = ref.Position.deal(TWO, seed=0)
    # Two animals in either hand, two faces, 20 and then 19 spaces.
    assert [ref.perft(position, depth) for depth in range(3)] == [1, 80, 80 * 76]
    assert ref.perft(full_game(TWO, lions=set()), 1) == 0
