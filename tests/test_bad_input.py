"""Illegal and absurd arguments: the documented error class, a text of one line with the value, and nothing changed.

Every case is put to the compiled engine and to the reference, and all runs once more under `python -O`.
`pytest.raises(Exception)` lets a Rust panic through: PyO3's PanicException is no Exception.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import savanna
from savanna import GameOverError, IllegalMoveError, NotationError, RulesError, SavannaError, players, reference
from savanna import envs as environments

SEEDS = 2**64 - 1
FLAGS = ("mice", "team_game", "absent_can_be_least")
DECK = [*["monkey"] * 4, *["zebra"] * 3, *["giraffe"] * 2, "elephant"]


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


@pytest.fixture(scope="module", params=[savanna, reference], ids=["compiled", "reference"])
def things(request: pytest.FixtureRequest) -> Things:
    return Things(request.param)


@pytest.fixture(autouse=True)
def _nothing_changes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compare all objects before and after the test."""
    it = request.getfixturevalue("things") if "things" in request.fixturenames else None
    before = it and it.state()
    yield
    assert before == (it and it.state())


# ------------------------------------------------------------------------------------------------------------ integers


class Index:
    """An integer in all but its class."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Integer(NamedTuple):
    """An argument that must be low..high, with a value that is right."""

    low: int
    high: int
    right: int
    error: type[Exception]
    call: Callable[[Things, Any], object]
    none: bool = False


RULES = savanna.Rules()
INTEGERS = {
    "action id": Integer(0, 199, 57, IllegalMoveError, lambda t, n: t.engine.Move.from_action(n)),
    "team_of": Integer(0, 1, 1, SavannaError, lambda t, n: t.rules.team_of(n)),
    "view": Integer(0, 1, 1, SavannaError, lambda t, n: t.position.view(n)),
    "deal": Integer(0, SEEDS, 0, SavannaError, lambda t, n: t.engine.Position.deal(t.rules, seed=n), none=True),
    "sample": Integer(0, SEEDS, 0, SavannaError, lambda t, n: t.view.sample(n), none=True),
    "players": Integer(2, 4, 3, RulesError, lambda t, n: t.engine.Rules(players=n)),
    "deck": Integer(0, 20, 5, RulesError, lambda t, n: t.engine.Rules(deck={"zebra": n, "monkey": 10})),
    "influence": Integer(0, 15, 0, RulesError, lambda t, n: t.engine.Rules(influence={"lion": n})),
    "target": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(target=n)),
    "points": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(points=[0, n, 3])),
    "bonus": Integer(0, 100, 9, RulesError, lambda t, n: t.engine.Rules(last_seat_bonus=n), none=True),
}


def of_seven_plies() -> Any:
    """Return a fresh game."""
    game = savanna.Game(savanna.Position.deal(RULES, seed=1))
    for _ in range(7):
        game.play(game.position.legal_moves()[0])
    return game


BATCH = environments.BatchEnv(5, RULES, seed=1)
TWO = [players.Random(), players.Random()]
COMPILED_INTEGERS = {
    "games": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rollout(RULES, games=n)),
    "seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: savanna.rollout(RULES, 9, seed=n), none=True),
    "threads": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.rollout(RULES, 9, threads=n), none=True),
    "playouts": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.playouts(RULES, n).actions.tobytes()),
    "their seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.playouts(RULES, 9, n)), none=True),
    "many": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rollout_many([RULES, t.view], games=n)),
    "their seeds": Integer(0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.rollout_many([RULES], 9, n)), none=True),
    "and threads": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.rollout_many([RULES], 9, 0, n), none=True),
    "ranked": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.rank_moves(t.position, games=n)),
    "ranked seed": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: len(savanna.rank_moves(t.position, 9, n)), none=True
    ),
    "ranked on": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.rank_moves(t.view, 9, 0, n), none=True),
    "start": Integer(0, 2, 1, IndexError, lambda t, n: t.plays.start(n)),
    "moves": Integer(0, 2, 1, IndexError, lambda t, n: t.plays.moves(n)),
    "deals": Integer(1, 2**53, 1, SavannaError, lambda t, n: savanna.tournament(TWO, deals=n)),
    "of deals": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: savanna.tournament(TWO, deals=1, seed=n).players, none=True
    ),
    "crew": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.tournament(TWO, deals=1, threads=n), none=True),
    "replay": Integer(0, 1, 1, IndexError, lambda t, n: savanna.tournament(TWO, deals=1).replay(n)),
    "studied": Integer(1, 2**53, 5, SavannaError, lambda t, n: savanna.study(games=n), none=True),
    "of studies": Integer(0, SEEDS, 0, SavannaError, lambda t, n: savanna.study(games=9, seed=n).rules, none=True),
    "studying": Integer(1, 1024, 2, SavannaError, lambda t, n: savanna.study(games=9, threads=n), none=True),
    "random": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Random(n).name, none=True),
    "greedy": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Greedy(seed=n).name, none=True),
    "flat": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.FlatMonteCarlo(n), none=True),
    "soft": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.SoftGreedy(n), none=True),
    "tree": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.Ismcts(n), none=True),
    "tree seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Ismcts(seed=n).name, none=True),
    "tree threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.Ismcts(threads=n), none=True),
    "champion": Integer(1, 2**53, 5, SavannaError, lambda t, n: players.Champion(n), none=True),
    "champion seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Champion(seed=n).name, none=True),
    "champion threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.Champion(threads=n), none=True),
    "flat seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.FlatMonteCarlo(seed=n).name, none=True),
    "soft seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.SoftGreedy(seed=n).name, none=True),
    "flat threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.FlatMonteCarlo(threads=n), none=True),
    "soft threads": Integer(1, 1024, 2, SavannaError, lambda t, n: players.SoftGreedy(threads=n), none=True),
    "other seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.SoftGreedy().with_seed(n).name, none=True),
    "games of a batch": Integer(1, 2**20, 3, SavannaError, lambda t, n: environments.BatchEnv(n, seed=1).save()),
    "seed of a batch": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: len(environments.BatchEnv(2, seed=n).save()), none=True
    ),
    "its new seed": Integer(0, SEEDS, 5, SavannaError, lambda t, n: BATCH.reset(seed=n).seats.tolist(), none=True),
    "place of a game": Integer(0, 4, 2, IndexError, lambda t, n: BATCH.episode(n).moves),
    "place of a view": Integer(0, 4, 2, IndexError, lambda t, n: BATCH.view(n)),
    "who looks": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.view(3, n), none=True),
    "who sees": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.observe(n).tolist()),
    "who saw": Integer(0, 1, 1, SavannaError, lambda t, n: BATCH.final_observations(n).tolist()),
    "seed of an episode": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: type(environments.Episode.deal(RULES, n)), none=True
    ),
    "view of an episode": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.view(n)),
    "mask of an episode": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.action_mask(n).tolist()),
    "observing seat": Integer(0, 1, 1, SavannaError, lambda t, n: t.episode.observe(t.layout, n).tolist()),
    "quarters": Integer(0, 3, 1, SavannaError, lambda t, n: t.layout.turned(n).tolist()),
    "quarters of actions": Integer(0, 3, 1, SavannaError, lambda t, n: t.layout.turned_actions(n).tolist()),
    "place in a game": Integer(0, 7, 3, SavannaError, lambda t, n: type(of_seven_plies().goto(n))),
    "plies to undo": Integer(1, 20, 3, SavannaError, lambda t, n: of_seven_plies().undo(n)),
    "place of a remark": Integer(0, 7, 3, SavannaError, lambda t, n: type(of_seven_plies().annotate(n, "x"))),
    "seed of a game": Integer(
        0, SEEDS, 0, SavannaError, lambda t, n: type(savanna.Game.deal(RULES, n).start), none=True
    ),
    "view of a game": Integer(0, 1, 1, SavannaError, lambda t, n: savanna.Game(t.position).view(n)),
    "new seed": Integer(0, SEEDS, 0, SavannaError, lambda t, n: players.Greedy().with_seed(n).name, none=True),
}
NO_INTEGERS: tuple[Any, ...] = (
    True,
    False,
    3.0,
    float("nan"),
    float("inf"),
    3j,
    "x",
    "3",
    b"3",
    [],
    (3,),
    {},
    object(),
    int,
    Fraction(3),
)
NUMPY_NO_INTEGERS = (np.float64(3), np.bool_(True), np.array([1, 2]), np.str_("3"))


def check_integer(things: Things, argument: Integer) -> None:
    low, high, right, error, call, none = argument
    numbers = (low - 1, high + 1, -1, 200, 10**9, -(2**63), 2**63, 2**64, 2**127, 2**200, -(2**200))
    wrong = [number for number in numbers if not low <= number <= high]
    assert len(wrong) >= 5
    for number in wrong:
        refused(error, f"{low}..{high} {number}", call, things, number)
    refused(error, "", call, things, 10**5000)  # too long for Python to write it in decimal
    for value in NO_INTEGERS if none else (None, *NO_INTEGERS):
        refused(TypeError, kind(value), call, things, value)
    for value in NUMPY_NO_INTEGERS:
        refused(TypeError, "", call, things, value)
    expected = call(things, right)
    for integer in (np.int8, np.int32, np.int64, np.uint8, np.uint64, Index):
        assert call(things, integer(right)) == expected


@pytest.mark.parametrize("argument", INTEGERS)
def test_integers(things: Things, argument: str) -> None:
    check_integer(things, INTEGERS[argument])


@pytest.mark.parametrize("argument", COMPILED_INTEGERS)
def test_integers_of_the_compiled_engine(argument: str) -> None:
    check_integer(Things(savanna), COMPILED_INTEGERS[argument])


def test_seed_none_is_the_systems_entropy_and_zero_is_a_seed(things: Things) -> None:
    # Chance makes two of these equal less than once in 10**7 runs: a start alone has 12,600 ** 2 shuffles.
    draws: list[Callable[[Any], Any]] = [lambda n: things.engine.Position.deal(things.rules, n), things.view.sample]
    if things.engine is savanna:
        draws.append(lambda seed: savanna.rollout(things.rules, 2000, seed))
        draws.append(lambda seed: savanna.playouts(things.rules, 100, seed).actions.tobytes())
    for draw in draws:
        assert draw(0) == draw(np.uint64(0))
        assert len({draw(seed) for seed in (0, 1, SEEDS, None, None)}) == 5


# --------------------------------------------------------------------------------------------------------- wrong types


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


@pytest.mark.parametrize("place", range(3))
def test_words_of_a_move(things: Things, place: int) -> None:
    def with_word(word: object) -> object:
        words: list[object] = ["zebra", "lion", "c4"]
        words[place] = word
        return things.engine.Move(*words)

    for word in ("", "Zebra", "c4 ", "b5", "a0", "lion\0", "é", "x", "mouse\u2028", "\ud800", "x" * 10**6):
        refused(NotationError, f"unknown {word if word.isprintable() and len(word) < 9 else ''}", with_word, word)
    for other in (None, 3, True, b"zebra", ("zebra",)):
        refused(TypeError, kind(other), with_word, other)


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


# ---------------------------------------------------------------------------------------------------- rules and decks


NO_FLAGS: tuple[Any, ...] = (0, 1, None, "yes", 1.0, [])


@pytest.mark.parametrize(
    ("options", "error", "fragments"),
    [
        ({"players": 5}, RulesError, "players 5"),
        ({"team_game": True}, RulesError, "team_game 2"),
        ({"team_game": True, "players": 3}, RulesError, "team_game 3"),
        ({"deck": {"monkey": 9}}, RulesError, "deck 9"),
        ({"deck": {"monkey": 11, "zebra": 10}}, RulesError, "deck 21"),
        ({"deck": {"monkey": 9, "mouse": 1}}, RulesError, "mouse"),
        ({"deck": {"monkey": 9, "hippo": 1}}, RulesError, "hippo"),
        ({"deck": {"lion": 10}}, RulesError, "lion"),
        ({"deck": {}}, RulesError, "deck 0"),
        ({"deck": [("monkey", 10)]}, TypeError, "deck list"),
        ({"deck": "monkey"}, TypeError, "deck str"),
        ({"deck": {"monkey": float("nan")}}, TypeError, "monkey float"),
        ({"influence": {"Lion": 3}}, RulesError, "influence Lion"),
        ({"influence": {"lion" * 10**5: 3}}, RulesError, "influence lion"),
        ({"influence": 3}, TypeError, "influence int"),
        ({"points": (2, 1)}, RulesError, "points"),
        ({"points": (2, 1, 3, 3)}, RulesError, "points"),
        ({"points": "213"}, TypeError, "points str"),
        ({"points": 3}, TypeError, "points int"),
        ({"points": None}, TypeError, "points None"),
        *(({flag: value}, TypeError, flag) for flag in FLAGS for value in NO_FLAGS),
    ],
    ids=lambda it: str(it)[:40],
)
def test_options_of_rules(things: Things, options: dict[str, Any], error: type[Exception], fragments: str) -> None:
    refused(error, fragments, things.engine.Rules, **options)


@pytest.mark.parametrize("options", [{"mice": np.True_}, {"deck": {3: 10}}, {"influence": {None: 1}}], ids=str)
def test_both_engines_judge_alike(options: dict[str, Any]) -> None:
    def outcome(engine: Any) -> object:
        try:
            return str(engine.Rules(**options))
        except Exception as error:
            return type(error)

    assert outcome(savanna) == outcome(reference)


@pytest.mark.parametrize(
    ("decks", "error", "fragments"),
    [
        ([], RulesError, "0"),
        ([DECK], RulesError, "1"),
        ([DECK] * 3, RulesError, "3"),
        ([DECK] * 10, RulesError, "decks more than 4"),
        ([DECK, DECK[1:]], RulesError, "seat 1 3 monkey"),
        ([[*DECK, "zebra"], DECK], RulesError, "seat 0 4 zebra"),
        ([DECK, ["monkey"] * 30], RulesError, "seat 1 more than 20"),
        ([[], DECK], RulesError, "seat 0 0 monkey"),
        *(([DECK, [*DECK[1:], word]], RulesError, f"seat 1 {word}") for word in ("lion", "Zebra", "hippo", "")),
        ([DECK, [*DECK[1:], "mouse"]], RulesError, "seat 1"),
        ([DECK, [*DECK[1:], "x" * 10**6]], RulesError, "seat 1"),
        *(([DECK, [*DECK[1:], it]], TypeError, kind(it)) for it in (None, 3, b"zebra", ["zebra"], DECK)),
        *(([DECK, it], TypeError, f"seat 1 {kind(it)}") for it in (None, 3, "monkey", 3.0, object())),
        *((it, TypeError, f"decks {kind(it)}") for it in (None, 3, "monkey", 3.0, object())),
    ],
    ids=lambda it: str(it)[:40],
)
def test_decks(things: Things, decks: Any, error: type[Exception], fragments: str) -> None:
    refused(error, fragments, things.engine.Position.from_decks, things.rules, decks)


def endless(item: object) -> Iterator[Any]:
    """Give the item over and over; whoever wants more than a thousand wants all of them."""
    yield from [item] * 1000
    raise AssertionError("this iterator has no end, and somebody looked for it")


def test_sequences_without_end(things: Things) -> None:
    from_decks = things.engine.Position.from_decks
    refused(RulesError, "points", things.engine.Rules, points=endless(1))
    refused(RulesError, "seat 1", from_decks, things.rules, [DECK, endless("zebra")])
    refused(RulesError, "decks", from_decks, things.rules, endless(DECK))
    # An iterator that ends is as good as a list.
    assert from_decks(things.rules, iter([iter(DECK), tuple(DECK)])) == from_decks(things.rules, [DECK, DECK])


# --------------------------------------------------------------------------------------------------------------- moves


def test_every_action_id_is_legal_or_refused(things: Things) -> None:
    """A move is refused for its space, then for its animal, or it is in the mask."""
    position = things.position
    assert any(tiles != position.hands[position.seat] for tiles in position.hands)
    for action, legal in enumerate(position.legal_mask()):
        move = things.engine.Move.from_action(action)
        taken, held = move.space in position.board, move.animal in position.hands[position.seat]
        assert legal == (held and not taken)
        for function in () if legal else (position.play, position.lines_filled):
            for it in (move, str(move)):
                reason = f"{move.space} taken" if taken else f"seat {position.seat} {move.animal}"
                refused(IllegalMoveError, reason, function, it)


def test_nothing_can_be_played_after_the_end(things: Things) -> None:
    assert things.over.legal_moves() == []
    # That the game is over is what is looked at first, whatever is to be played.
    for move in (things.move, str(things.move), "nonsense", 3, None):
        refused(GameOverError, "over 20", things.over.play, move)
        refused(GameOverError, "over 20", things.over.lines_filled, move)


PLAYOUTS: dict[str, tuple[Any, Callable[..., object]]] = {
    "rollout": (RULES, savanna.rollout),
    "playouts": (RULES, savanna.playouts),
    "rollout_many": (RULES, lambda source, *args, **options: savanna.rollout_many([RULES, source], *args, **options)),
    "rank_moves": (savanna.Position.deal(RULES, 1), savanna.rank_moves),
}


@pytest.mark.parametrize("name", PLAYOUTS)
def test_playouts_of_nonsense(name: str) -> None:
    right, function = PLAYOUTS[name]
    for source in (None, 3, "2p", [RULES], reference.Rules(), savanna.Move("zebra", "lion", "c4"), savanna.Rules):
        refused(TypeError, f"source {kind(source)}", function, source, 10)
    for backend in ("", "x", "Scalar", "scalar\0", "\n", "x" * 10**6):
        refused(
            SavannaError, f"backend {backend[:9] if backend.isprintable() else ''}", function, right, backend=backend
        )
    for policy in ("", "x", "Uniform", "soft_greedy", "greedy ", "uniform\0", "\n", "x" * 10**6):
        refused(SavannaError, f"policy {policy[:9] if policy.isprintable() else ''}", function, right, policy=policy)
    for value in (3, b"scalar", True, ["scalar"]):
        refused(TypeError, f"backend {kind(value)}", function, right, backend=value)
        refused(TypeError, f"policy {kind(value)}", function, right, policy=value)
        refused(TypeError, f"progress {kind(value)}", function, right, 10, progress=value)
    refused(TypeError, "policy NoneType", function, right, policy=None)


def test_sources_that_are_none() -> None:
    for sources in (None, 3, RULES, savanna.Rules, savanna.Position.deal(RULES, 1), object()):
        refused(TypeError, f"sources {kind(sources)}", savanna.rollout_many, sources)
    # The first that is no source is refused; what comes after it is never looked at.
    for no_source in ("2p", b"2p", [[RULES]], {3: RULES}, endless(3), [RULES] * 1000 + [None]):
        refused(TypeError, "source", savanna.rollout_many, no_source, games=1)


def test_moves_to_rank_where_there_are_none() -> None:
    compiled = Things(savanna)
    refused(GameOverError, "over 20", savanna.rank_moves, compiled.over)
    refused(GameOverError, "over 20", savanna.rank_moves, compiled.over.view(1))
    for source in (compiled.rules, compiled.position.view(0)):
        refused(SavannaError, "source View seat move", savanna.rank_moves, source)


SEARCHING: dict[Callable[..., Any], str] = {players.FlatMonteCarlo: "playouts", players.SoftGreedy: "playouts"}
SEARCHING |= {players.Ismcts: "iterations", players.Champion: "iterations"}


@pytest.mark.parametrize("player", SEARCHING)
def test_budgets_that_cannot_be(player: Callable[..., Any]) -> None:
    for seconds in (0, -1, 1e6 + 1, -1e-300, 1e300, float("nan"), float("inf"), -float("inf"), np.float64(-2), 10**400):
        refused(SavannaError, "seconds above 0 at most 1000000", player, seconds=seconds)
    for value in (True, False, "1", b"1", 3j, [1.0], np.array([1.0, 2.0]), object()):
        refused(TypeError, f"seconds number {kind(value)}", player, seconds=value)
    refused(SavannaError, f"{SEARCHING[player]} or seconds, not both", player, 20_000, seconds=1)
    refused(TypeError, "", player, 20_000, 1)
    for right in (1, 0.5, np.float32(0.5), np.int8(1), Fraction(1, 2)):
        assert player(seconds=right).seconds == float(right)


def test_views_that_are_none(things: Things) -> None:
    right = things.engine is savanna
    searching = tuple(player(10) for player in SEARCHING)
    choosing = (players.Random(), players.Greedy(), *searching)
    for ask in (*(player.choose for player in choosing), *(player.analyse for player in searching), savanna.analyse):
        for value in (None, 3, str(things.view), [things.view], things.rules, type(things.view)):
            refused(TypeError, f"view View {kind(value)}", ask, value)
        refused(TypeError, "view View Position" + " position.view(seat)" * right, ask, things.position)
        if right:
            refused(SavannaError, "view seat 0 seat 1", ask, things.position.view(0))
            refused(GameOverError, "over 20", ask, things.over.view(0))
        else:
            refused(TypeError, "view View", ask, things.view)


def test_playouts_over_nonsense(things: Things) -> None:
    plays = things.plays
    arrays = (plays.actions, plays.scores, plays.winners, plays.decks)
    for out in (3, True, "x", plays.actions, arrays, list(arrays), {}, things.stats, savanna.Playouts, object()):
        refused(TypeError, f"out {kind(out)}", savanna.playouts, RULES, 3, out=out)
    # The same number of games from elsewhere, another number, more than there is memory for.
    for source, games in ((savanna.Rules(players=4), 3), (RULES, 2), (RULES, 4), (RULES, 2**53)):
        refused(SavannaError, f"out shape {games} games", savanna.playouts, source, games, out=plays)
    for options in ({"games": 0}, {"seed": -1}, {"threads": 0}, {"backend": "x"}, {"policy": "x"}):
        refused(SavannaError, "", savanna.playouts, RULES, out=plays, **options)


def test_more_playouts_than_there_is_memory_for() -> None:
    with pytest.raises(MemoryError):
        savanna.playouts(RULES, games=2**53)


def test_optimised_python_refuses_as_much() -> None:
    """Nothing is checked by `assert`; in test modules pytest itself keeps assertions alive."""
    arguments = ["-O", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestConfigWarning"]
    command = [
        sys.executable,
        *arguments,
        "-k",
        "not optimised or alive",
        __file__,
        str(Path(__file__).with_name("test_bad_text.py")),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:]
    assert " passed" in result.stdout


def test_assertions_are_alive_when_optimised() -> None:
    with pytest.raises(AssertionError):
        assert sys.maxsize < 0
