"""Rules with other options, by both engines."""

import copy
import sys
from typing import Any

import pytest

import savanna as sv
from savanna import reference

# What the rules are made of, what is replaced, and what makes the outcome.
CASES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({}, {}, {}),
    ({}, {"mice": True}, {"mice": True}),
    ({"mice": True}, {"mice": False}, {}),
    ({}, {"players": 3}, {"players": 3}),
    ({"players": 3}, {"players": 4, "team_game": True}, {"players": 4, "team_game": True}),
    ({"target": 12, "points": (1, 2, 4)}, {"players": 3}, {"players": 3, "target": 12, "points": (1, 2, 4)}),
    ({"deck": {"zebra": 10}}, {"target": 9}, {"deck": {"zebra": 10}, "target": 9}),
    ({"deck": {"zebra": 10}}, {"deck": None}, {}),
    ({"influence": {"lion": 7}}, {"influence": {"mouse": 2}}, {"influence": {"mouse": 2}}),
    ({"players": 3, "last_seat_bonus": 0}, {"last_seat_bonus": None}, {"players": 3}),
    ({"absent_can_be_least": True}, {"mice": True}, {"absent_can_be_least": True, "mice": True}),
]


@pytest.mark.parametrize("engine", [sv, reference])
@pytest.mark.parametrize(("options", "changes", "wanted"), CASES, ids=str)
def test_options_are_replaced(
    engine: Any, options: dict[str, Any], changes: dict[str, Any], wanted: dict[str, Any]
) -> None:
    rules = engine.Rules(**options)
    assert rules.replace(**changes) == rules.__replace__(**changes) == engine.Rules(**wanted)
    assert rules == engine.Rules(**options)
    if sys.version_info >= (3, 13):
        assert copy.replace(rules, **changes) == engine.Rules(**wanted)


@pytest.mark.parametrize("engine", [sv, reference])
def test_what_the_constructor_refuses_is_refused(engine: Any) -> None:
    with pytest.raises(sv.RulesError, match="4 players"):
        engine.Rules().replace(team_game=True)
    with pytest.raises(TypeError, match="mouse"):
        engine.Rules().replace(mouse=True)
    with pytest.raises(TypeError):
        engine.Rules().replace(3)
