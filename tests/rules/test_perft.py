"""Counts of move sequences: a sum over all that the engines do, which no wrong move list or draw gets right by luck.

`data/perft.txt` can be used by any engine: lines of depth, count and position with tabs between, comments with #.
"""

import math
from functools import cache
from typing import Any

import pytest

import savanna as sv
from savanna import reference as ref
from tests.support.paths import DATA


def entries() -> list[tuple[int, int, str]]:
    lines = (DATA / "perft.txt").read_text(encoding="ascii").splitlines()
    fields = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(fields) >= 60
    return [(int(depth), int(count), text) for depth, count, text in fields]


ENTRIES = entries()


def perft(position: Any, depth: int) -> int:
    """Count the sequences of `depth` legal moves by playing each."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())


def quick_perft(position: Any, depth: int) -> int:
    """Count likewise, but only count the last moves instead of playing them."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(quick_perft(position.play(move), depth - 1) for move in moves)


@cache
def draws(hand: tuple[str, ...], deck: tuple[str, ...], turns: int) -> int:
    """Count the orders in which a seat can play `turns` tiles, of which two of one animal are the same."""
    if turns == 0:
        return 1
    total = 0
    for animal in set(hand):
        rest = list(hand)
        rest.remove(animal)
        total += draws(tuple(sorted([*rest, *deck[:1]])), deck[1:], turns - 1)
    return total


def formula(position: Any, depth: int) -> int:
    """Count by hand: each ply has any empty space and two faces, and each seat goes through its tiles by itself."""
    plies = range(position.ply, position.ply + depth)
    spaces = math.prod(2 * (20 - ply) for ply in plies)
    players = position.rules.players
    turns = [sum(ply % players == seat for ply in plies) for seat in range(players)]
    return spaces * math.prod(map(draws, position.hands, position.decks, turns))


@pytest.mark.parametrize(("depth", "count", "text"), ENTRIES)
def test_counts(depth: int, count: int, text: str) -> None:
    position = sv.Position.parse(text)
    assert formula(position, depth) == count
    assert perft(position, depth) == count
    if count <= 10_000:
        assert quick_perft(ref.Position.parse(text), depth) == count


def test_entries_are_of_all_kinds() -> None:
    assert len(set(ENTRIES)) == len(ENTRIES)
    positions = [(depth, sv.Position.parse(text)) for depth, _, text in ENTRIES]
    starts = {str(position.rules) for depth, position in positions if position.ply == 0}
    ends = {(str(position.rules), depth) for depth, position in positions if position.ply + depth == 20}
    for rules in ("2p", "2p,mice", "3p", "3p,mice", "4p", "4p,mice", "4p,team", "4p,mice,team"):
        assert rules in starts
        assert {depth for name, depth in ends if name == rules} >= {1, 2, 3, 4}
    start = str(sv.Position.deal(sv.Rules(), seed=0))
    assert [count for _, count, text in ENTRIES if text == start] == [80, 6080, 437760]


@pytest.mark.parametrize(
    ("tiles", "count"),
    [
        ("monkey zebra monkey monkey monkey zebra zebra giraffe giraffe elephant", 2 * 2 * 20),
        ("monkey monkey monkey monkey zebra zebra zebra giraffe giraffe elephant", 1 * 2 * 20),
    ],
)
@pytest.mark.parametrize("engine", [sv, ref], ids=["rust", "python"])
def test_first_move_by_hand(engine: Any, tiles: str, count: int) -> None:
    # The animals in the hand, two faces, 20 spaces.
    start = engine.Position.from_decks(engine.Rules(), [tiles.split()] * 2)
    assert perft(start, 1) == len(start.legal_moves()) == sum(start.legal_mask()) == count
