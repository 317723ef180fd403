"""Arguments that nobody knows, objects of the wrong class, and attributes that cannot be set."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import savanna
from savanna import envs, players, reference
from tests.support.refusals import DECK, Things, kind, refused


def test_unknown_and_superfluous_arguments(things: Things) -> None:
    public = [getattr(things.engine, name) for name in things.engine.__all__]
    public += [getattr(players, name) for name in players.__all__ if name != "Player"]
    public += [getattr(savanna.render, name) for name in savanna.render.__all__]
    of_objects = [getattr(it, name) for it in things.objects() for name in dir(it) if not name.startswith("_")]
    functions = [it for it in [*public, *of_objects] if callable(it)]
    assert len(functions) >= 30
    for function in functions:
        refused(TypeError, "", function, nonsense=1)
        if not (isinstance(function, type) and issubclass(function, Exception)):
            refused(TypeError, "", function, *range(20))


@pytest.mark.parametrize("name", ["Move", "Rules", "Position", "View"])
def test_parse_takes_nothing_but_text(things: Things, name: str) -> None:
    for value in (None, 3, 3.0, b"2p", bytearray(b"2p"), ["2p"], str, object()):
        refused(TypeError, kind(value), getattr(things.engine, name).parse, value)


def test_classes_of_the_same_name_are_told_apart() -> None:
    for value in (np.True_, type("bool", (), {})()):
        for engine in (savanna, reference):
            refused(TypeError, f"{type(value).__module__}.bool", engine.Rules, mice=value)
    for call in (savanna.study, savanna.Position.deal, envs.Layout, envs.Episode.deal):
        refused(TypeError, "rules must be Rules, not savanna.reference.rules.Rules", call, reference.Rules())


def test_every_argument_of_a_type_of_ours_is_named() -> None:
    rules = savanna.Rules()
    layout, episode = envs.Layout(rules), envs.Episode.deal(rules, 1)
    calls: list[tuple[str, Callable[[Any], object]]] = [
        ("rules must be Rules", savanna.Position.deal),
        ("rules must be Rules", lambda it: savanna.Position.from_decks(it, [])),
        ("rules must be Rules", envs.Layout),
        ("rules must be Rules", envs.Episode.deal),
        ("rules must be Rules", lambda it: envs.BatchEnv(1, it)),
        ("start must be a Position", envs.Episode.replay),
        ("view must be a View", layout.observe),
        ("layout must be a Layout", lambda it: episode.observe(it, 0)),
        ("layout must be a Layout", episode.turns),
        ("position must be a Position", savanna.solve),
        ("out must be Playouts", lambda it: savanna.playouts(rules, 1, out=it)),
    ]
    for text, call in calls:
        for value, name in ((b"2p", "bytes"), (3, "int"), (rules if "Rules" not in text else layout, None)):
            refused(TypeError, f"{text}, not {name or type(value).__name__}", call, value)


def test_objects_of_the_wrong_class(things: Things) -> None:
    other = Things(reference if things.engine is savanna else savanna)
    start, position = things.engine.Position, things.position
    for value in (None, 3, "2p", things.move, other.rules, type(things.rules)):
        refused(TypeError, f"rules {kind(value)}", start.deal, value, 0)
        refused(TypeError, f"rules {kind(value)}", start.from_decks, value, [DECK, DECK])
    for value in (None, 3, True, 3.0, b"zebra c4", ("zebra", "front", "c4"), other.move, type(things.move)):
        refused(TypeError, kind(value), position.play, value)
        refused(TypeError, kind(value), position.lines_filled, value)
    for value in (None, 3, "zebra lion c4", other.move):
        refused(TypeError, kind(value), lambda value: things.move < value, value)
        assert things.move != value
    assert position != other.position


def test_objects_are_frozen(things: Things) -> None:
    for it in things.objects():
        names = [name for name in dir(it) if not name.startswith("_")]
        for name in [*names, "nonsense"]:
            with pytest.raises(AttributeError):
                setattr(it, name, 1)
            with pytest.raises(AttributeError):
                delattr(it, name)
