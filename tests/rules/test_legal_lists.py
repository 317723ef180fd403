"""The same moves, asked for again and again, in lists and masks of their own."""

import random

import numpy as np

import savanna as sv
from savanna import reference


def test_each_list_is_the_callers_own() -> None:
    position = sv.Position.deal(sv.Rules(), seed=3)
    wanted = [str(move) for move in reference.Position.parse(str(position)).legal_moves()]
    for _ in range(4):
        moves = position.legal_moves()
        assert [str(move) for move in moves] == wanted
        moves.clear()  # which no other list may feel


def test_lists_are_right_in_whatever_order_positions_are_asked() -> None:
    """There are more positions than lists are kept, so that they take each other's places."""
    rng = random.Random(5)
    positions = []
    for seed in range(150):
        position = sv.Position.deal(sv.Rules(players=2 + seed % 3, mice=seed % 2 == 0), seed)
        while not position.is_over:
            positions.append(position)
            position = position.play(rng.choice(position.legal_moves()))
        positions.append(position)
    assert len(positions) > 2048
    wanted = {position: [sv.Move.parse(str(it)) for it in plain(position).legal_moves()] for position in positions}
    for position in rng.choices(positions, k=8000):
        for _ in range(rng.randrange(1, 5)):
            assert position.legal_moves() == wanted[position]


def test_both_masks_mark_the_legal_moves() -> None:
    position = sv.Position.deal(sv.Rules(mice=True), seed=4)
    for ply in range(21):
        for it in (position, position.view(ply % 2), plain(position)):
            wanted = [action in {move.action for move in it.legal_moves()} for action in range(200)]
            assert list(it.legal_mask()) == wanted
            assert it.action_mask().dtype == np.int8
            assert it.action_mask().tolist() == wanted
            it.action_mask()[:] = 1  # an array of the caller's own
        if not position.is_over:
            position = position.play(position.legal_moves()[-1])


def plain(position: sv.Position) -> reference.Position:
    return reference.Position.parse(str(position))
