"""Hypothesis strategies for the options of a game, the odd ones too."""

from collections import Counter
from itertools import product
from typing import Any

from hypothesis import strategies as st

import savanna as sv
from tests.support.both_engines import random_game

ANIMALS = ("monkey", "zebra", "giraffe", "elephant", "mouse")
TURNS = {2: 10, 3: 7, 4: 5}
VARIANTS: list[dict[str, Any]] = [
    {"players": players, "mice": mice, "team_game": team_game, "absent_can_be_least": absent}
    for players, team_game in ((2, False), (3, False), (4, False), (4, True))
    for mice, absent in product((False, True), repeat=2)
]

seeds = st.integers(0, 2**64 - 1)


def decks(players: int, mice: bool) -> st.SearchStrategy[dict[str, int]]:
    """Odd decks, from a tile for each turn up to 20 tiles; animals that come in their usual number are left out."""
    animals = ANIMALS if mice else ANIMALS[:-1]
    usual = {"mouse": 1} if mice else {}

    def count(tiles: list[str]) -> dict[str, int]:
        counts = Counter(tiles)
        return {animal: counts[animal] for animal in animals if counts[animal] != usual.get(animal, 0)}

    return st.lists(st.sampled_from(animals), min_size=TURNS[players], max_size=20).map(count)


@st.composite
def rules_options(draw: st.DrawFn, variant: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments of Rules for a variant: as printed, or with any of the other options changed."""
    # Targets that lines do come to, and any other.
    target = st.integers(0, 30) | st.integers(0, 100)
    points = st.integers(0, 4) | st.integers(0, 100)
    changed = st.fixed_dictionaries(
        {},
        optional={
            "deck": decks(variant["players"], variant["mice"]),
            "influence": st.dictionaries(st.sampled_from((*ANIMALS, "lion")), st.integers(0, 15)),
            "target": target,
            "points": st.tuples(points, points, points),
            "last_seat_bonus": st.integers(0, 100),
        },
    )
    return variant | (draw(changed) if draw(st.booleans()) else {})


@st.composite
def sources(draw: st.DrawFn) -> sv.Rules | sv.Position | sv.View:
    """Rules with any options, or a position or a view at any ply of a random game, the end included."""
    rules = sv.Rules(**draw(rules_options(draw(st.sampled_from(VARIANTS)))))
    kind = draw(st.sampled_from(("rules", "position", "view")))
    if kind == "rules":
        return rules
    game = random_game(sv.Position.deal(rules, draw(seeds)), draw(st.integers(0, 2**32)))
    position: sv.Position = game[draw(st.integers(0, 20))]
    return position if kind == "position" else position.view(draw(st.integers(0, rules.players - 1)))
