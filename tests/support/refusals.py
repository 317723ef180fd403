"""What the tests of bad input share: how an error has to look, and objects of every kind, which no error may change.

Cases that concern both are put to the compiled engine and to the reference, and all run once more under `python -O`.
`pytest.raises(Exception)` lets a Rust panic through: PyO3's PanicException is no Exception.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import savanna
from savanna import envs as environments
from savanna import players

DECK = [*["monkey"] * 4, *["zebra"] * 3, *["giraffe"] * 2, "elephant"]
NO_FLAGS: tuple[Any, ...] = (0, 1, None, "yes", 1.0, [])


def refused(
    error: type[Exception], fragments: str, function: Callable[..., object], *args: Any, **options: Any
) -> None:
    """Check that the call raises exactly this class, with one short line that holds all fragments (a word each)."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 -- the class is compared below, without subclasses
        function(*args, **options)
    text = ", ".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert type(caught.value) is error, text[:300]
    assert len(text) < 300, f"{text[:300]}..."
    assert len(text.splitlines()) == 1, text
    for fragment in fragments.split():
        assert fragment in text


def kind(value: object) -> str:
    """Return how errors name the type of a value."""
    return "None" if value is None else type(value).__name__


def endless(item: object) -> Iterator[Any]:
    """Give the item over and over; whoever wants more than a thousand wants all of them."""
    yield from [item] * 1000
    raise AssertionError("this iterator has no end, and somebody looked for it")


class Things:
    """One engine, with an object of every kind."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.rules = engine.Rules()
        self.position = self.over = engine.Position.deal(self.rules, seed=12)
        while not self.over.is_over:
            legal = self.over.legal_moves()
            self.over = self.over.play(legal[7 * self.over.ply % len(legal)])
            self.position = self.over if self.over.ply <= 7 else self.position
        self.view = self.position.view(1)
        self.move = engine.Move("zebra", "lion", "c4")
        self.plays = savanna.playouts(savanna.Rules(), games=3)
        self.layout = environments.Layout(savanna.Rules())
        self.episode = environments.Episode.deal(savanna.Rules(), 1)
        self.stats = savanna.rollout(savanna.Rules(), games=3)
        self.analysis = players.SoftGreedy(100).analyse(savanna.Position.deal(savanna.Rules(), 1).view(0))

    def objects(self) -> list[Any]:
        mine = [players.Random(), players.Greedy(), players.FlatMonteCarlo(), players.SoftGreedy()]
        mine += [players.Ismcts(), players.Champion()]
        mine += [self.layout, self.episode]
        compiled = [self.plays, self.stats, self.analysis, *mine] if self.engine is savanna else []
        return [self.rules, self.position, self.over, self.view, self.move, *compiled]

    def state(self) -> list[object]:
        arrays = (self.plays.actions, self.plays.scores, self.plays.winners, self.plays.decks)
        return [(str(it), hash(it)) for it in self.objects()] + [array.tobytes() for array in arrays]


@cache
def things_of(engine: Any) -> Things:
    """Return the objects of an engine, always the same ones."""
    return Things(engine)
