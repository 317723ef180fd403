"""What a seat cannot know changes nothing that the seat can reach: views of twin positions are the same to the byte."""

import gc
import pickle
import random
import re
from types import FunctionType, ModuleType
from typing import Any

import pytest

import savanna as sv
from savanna import reference as ref
from tests.support.full import count

pytestmark = pytest.mark.thin(6)

VARIANTS = ["2p", "3p", "4p", "2p,mice", "3p,mice", "4p,mice", "4p,team", "4p,mice,team"]
ORDER = "mzgeu"
CALLS: dict[str, tuple[Any, ...]] = {
    "legal_moves": (),
    "legal_mask": (),
    "action_mask": (),
    "sample": (5,),
    "parse": (),  # called with the view's own text
    "preview": (),  # called with every move
}
SPECIAL = ["__repr__", "__str__", "__hash__", "__sizeof__", "__reduce__", "__getstate__"]
TEXT = re.compile(r"(?P<seat>\d)(?P<letter>[A-Z])")


def truths(rules: str, games: int) -> list[str]:
    """Return the text of the position at every ply of some games, the last one of them over."""
    rng, texts = random.Random(rules), []
    for seed in range(games):
        position = ref.Position.deal(ref.Rules.parse(rules), seed)
        texts.append(str(position))
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
            texts.append(str(position))
    return texts


def twin(truth: str, viewer: int | None, rng: random.Random) -> str:
    """Redraw what the viewer cannot know, in the text alone: the engines have no say in how."""
    rules, board, hands, decks, scores = truth.split()
    new_hands, new_decks = hands.split("/"), decks.split("/")
    for seat, (hand, deck) in enumerate(zip(hands.split("/"), decks.split("/"), strict=True)):
        mine = seat == viewer
        lions = [] if mine else [tile["letter"].lower() for tile in TEXT.finditer(board) if int(tile["seat"]) == seat]
        held, undrawn = ("" if mine else hand.strip("-")), deck.strip("-")
        pool = [*held, *undrawn, *lions]
        rng.shuffle(pool)
        if not mine:
            new_hands[seat] = "".join(sorted(pool[: len(held)], key=ORDER.index)) or "-"
        new_decks[seat] = "".join(pool[len(held) : len(held) + len(undrawn)]) or "-"
        hidden = iter(pool[len(held) + len(undrawn) :])

        def redrawn(tile: re.Match[str], seat: int = seat, mine: bool = mine, hidden: Any = hidden) -> str:
            return tile[0] if mine or int(tile["seat"]) != seat else f"{seat}{next(hidden).upper()}"

        board = TEXT.sub(redrawn, board)
    return " ".join([rules, board, "/".join(new_hands), "/".join(new_decks), scores])


def answer(view: Any, name: str) -> Any:
    """Return what a method of a view returns."""
    if name == "parse":
        return view.parse(str(view))
    return previews(view) if name == "preview" else getattr(view, name)(*CALLS[name])


def previews(view: Any) -> list[Any]:
    """Return for each action what its lines would give, or the error."""
    engine = sv if isinstance(view, sv.View) else ref
    said: list[Any] = []
    for action in range(200):
        try:
            said.append(view.preview(engine.Move.from_action(action)))
        except sv.SavannaError as error:
            said.append(error)
    return said


def seen_by(position: Any, seat: int | None) -> Any:
    """Return the view of a seat, or the public one."""
    return position.public() if seat is None else position.view(seat)


def shown(view: Any) -> dict[str, Any]:
    """Return all that can be got out of a view, by name, as text or bytes."""
    out: dict[str, Any] = {f"pickle {protocol}": pickle.dumps(view, protocol) for protocol in range(6)}
    for name in dir(view):
        if name == "__slotnames__":  # a note of `copyreg` on the class, made when the first view is pickled
            continue
        value = getattr(view, name)
        if not callable(value):
            out[name] = repr(value)
        elif not name.startswith("_"):
            # A new method must be entered in CALLS before these tests pass again.
            out[name] = repr(answer(view, name))
        elif name in SPECIAL:
            out[name] = repr(value())
    return out


def outcomes(engine: Any, position: Any) -> list[str]:
    """Return what playing each of the 200 actions says: the lines that fill, or the error."""
    said = []
    for action in range(200):
        move = engine.Move.from_action(action)
        for call in (position.lines_filled, position.play):
            try:
                result = call(move)
            except sv.SavannaError as error:
                said.append(repr(error))
            else:
                # The position after the move differs, of course: a tile was drawn.
                said.append(repr(result) if call == position.lines_filled else "played")
    return said


def referents(item: object) -> list[object]:
    """Return what an object holds. Classes and modules are the program, not its data; of a function, the closure."""
    if isinstance(item, (type, ModuleType)):
        return []
    if isinstance(item, FunctionType):
        return [item.__closure__, item.__defaults__, item.__kwdefaults__]
    return list(gc.get_referents(item))


def reachable(view: Any) -> list[object]:
    """Return every object that can be come to from a view, its attributes and methods."""
    names = [name for name in dir(view) if not name.startswith("__")]
    unseen = [view, *(getattr(view, name) for name in names), view.legal_moves(), view.legal_mask(), view.__reduce__()]
    found: dict[int, object] = {}
    while unseen:
        item = unseen.pop()
        if id(item) not in found:
            found[id(item)] = item
            unseen += referents(item)
    return list(found.values())


@pytest.mark.parametrize(("engine", "games"), [(sv, count(2, 8)), (ref, 1)], ids=["savanna", "reference"])
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_twin_looks_the_same(engine: Any, games: int, rules: str) -> None:
    rng = random.Random(f"{rules} twins")
    changed = {"hands": 0, "decks": 0, "own deck": 0, "lions": 0}
    distinct, cases = set(), 0
    for truth in truths(rules, games):
        position = engine.Position.parse(truth)
        for seat in (None, *range(int(rules[0]))):
            view = seen_by(position, seat)
            before, to_move = shown(view), seat is not None and seat == position.seat
            said = outcomes(engine, position) if to_move else []
            for other in {twin(truth, seat, rng) for _ in range(2)} - {truth}:
                # Parsing checks that the twin is a possible position with the same tiles.
                hidden = engine.Position.parse(other)
                assert hidden != position
                other_view = seen_by(hidden, seat)
                assert other_view == view
                assert hash(other_view) == hash(view)
                assert shown(other_view) == before
                assert not to_move or outcomes(engine, hidden) == said
                old, new = truth.split(), other.split()
                changed["hands"] += old[2] != new[2]
                changed["decks"] += old[3] != new[3]
                changed["own deck"] += seat is not None and old[3].split("/")[seat] != new[3].split("/")[seat]
                changed["lions"] += old[1] != new[1]
                distinct.add((seat, other))
                cases += 1
    # Near the end there may be nothing left to hide; before, nearly every redrawn text is another position.
    seats = int(rules[0])
    assert cases > 1.3 * 20 * seats * games
    assert len(distinct) > 0.9 * cases
    assert min(changed.values()) > 0.25 * cases, changed


@pytest.mark.parametrize("rules", VARIANTS)
def test_playouts_of_a_view_depend_on_the_view_alone(rules: str) -> None:
    rng = random.Random(f"{rules} playouts")
    distinct = set()
    for truth in truths(rules, 3):
        for seat in (None, *range(int(rules[0]))):
            other = twin(truth, seat, rng)
            mine, theirs = (seen_by(sv.Position.parse(text), seat) for text in (truth, other))
            seed = rng.getrandbits(64)
            assert sv.rollout(mine, games=100, seed=seed) == sv.rollout(theirs, games=100, seed=seed)
            for policy in ("uniform", "soft-greedy"):
                one, two = (sv.playouts(view, games=70, seed=seed, policy=policy) for view in (mine, theirs))
                for name in ("actions", "scores", "winners", "decks"):
                    assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
                assert pickle.dumps(one) == pickle.dumps(two)
            distinct.add(other if other != truth else None)
    assert len(distinct) > 2 * 20 * int(rules[0])


@pytest.mark.parametrize("rules", VARIANTS)
def test_players_go_by_the_view_alone(rules: str) -> None:
    rng = random.Random(f"{rules} players")
    distinct, seats = set(), int(rules[0])
    for truth in truths(rules, count(1, 3)):
        position = sv.Position.parse(truth)
        if position.seat is None:
            continue
        other, seed = twin(truth, position.seat, rng), rng.getrandbits(64)
        mine, theirs = (sv.Position.parse(text).view(position.seat) for text in (truth, other))
        searching: list[Any] = [kind(200, seed=seed) for kind in (sv.players.FlatMonteCarlo, sv.players.SoftGreedy)]
        searching += [kind(20, seed=seed) for kind in (sv.players.Ismcts, sv.players.Champion)]
        for player in (sv.players.Random(seed=seed), sv.players.Greedy(seed=seed), *searching):
            assert player.choose(mine) == player.choose(theirs)
        for player in searching:
            one, two = player.analyse(mine), player.analyse(theirs)
            assert one == two
            # The time that it took aside, analyses are the same to the byte.
            assert (repr(one), one._repr_html_(), one.to_dict()) == (repr(two), two._repr_html_(), two.to_dict())
            assert pickle.dumps((one.moves, one.iterations)) == pickle.dumps((two.moves, two.iterations))
        # Nor does a refusal tell anything.
        watcher = (position.seat + 1) % seats
        errors = []
        for text in (truth, twin(truth, watcher, rng)):
            with pytest.raises(sv.SavannaError) as caught:
                searching[0].choose(sv.Position.parse(text).view(watcher))
            errors.append(repr(caught.value))
        assert errors[0] == errors[1]
        distinct.add(other if other != truth else None)
    assert len(distinct) > count(15, 50)


@pytest.mark.parametrize("engine", [sv, ref], ids=["savanna", "reference"])
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_view_reaches_no_position(engine: Any, rules: str) -> None:
    for truth in truths(rules, 1):
        position = engine.Position.parse(truth)
        for seat in range(int(rules[0])):
            view = position.view(seat)
            objects = reachable(view)
            assert view in objects
            assert len(objects) > 10
            assert not [item for item in objects if isinstance(item, (sv.Position, ref.Position))]
            texts = [item for item in objects if isinstance(item, str)]
            assert truth not in texts
            assert str(view) in texts
            # Nor does what is stored: a pickle holds the class, `parse`, and the text with its question marks.
            assert view.__reduce__() == (type(view).parse, (str(view),))
            assert b"Position" not in pickle.dumps(view)
            assert not [name for name in dir(view) if "seed" in name or "position" in name]


@pytest.mark.parametrize("engine", [sv, ref], ids=["savanna", "reference"])
def test_the_walk_finds_a_position_that_is_there(engine: Any) -> None:
    """The test above could not pass for a view that keeps its position."""
    position = engine.Position.parse(truths("2p", 1)[5])

    class Leaky:
        def __init__(self, view: Any) -> None:
            self.kept = {"truth": [lambda: position]}
            self.legal_moves, self.legal_mask = view.legal_moves, view.legal_mask

    objects = reachable(Leaky(position.view(0)))
    assert [item for item in objects if isinstance(item, engine.Position)] == [position]


# Seat 0 has played a zebra front up on a5 and an elephant Lion up on a4, seat 1 a monkey on c5 and a zebra as a Lion
# on b4. No line is full.
BASE = "2p 0z1m../0E1Z../..../..../.... mg/ze mmmgzz/mmmggz 0/0"
KNOWN = {
    "own hand": "2p 0z1m../0E1Z../..../..../.... mm/ze mmgzgz/mmmggz 0/0",
    "own Lion": "2p 0z1m../0M1Z../..../..../.... mg/ze emmgzz/mmmggz 0/0",
    "own front": "2p 0m1m../0E1Z../..../..../.... mg/ze mmzgzz/mmmggz 0/0",
    "other front": "2p 0z1g../0E1Z../..../..../.... mg/ze mmmgzz/mmmmgz 0/0",
    "face of the other's tile": "2p 0z1m../0E1z../..../..../.... mg/ze mmmgzz/mmmggz 0/0",
    "space": "2p 0z1m../0E.1Z./..../..../.... mg/ze mmmgzz/mmmggz 0/0",
    "owner": "2p 0z1m../1Z0E../..../..../.... mg/ze mmmgzz/mmmggz 0/0",
    "rules": "2p,target=11 0z1m../0E1Z../..../..../.... mg/ze mmmgzz/mmmggz 0/0",
    "plies": "2p 0z1m../0E1Z../..../...0m/.... mg/ze mmgzz/mmmggz 0/0",
}


@pytest.mark.parametrize("engine", [sv, ref], ids=["savanna", "reference"])
@pytest.mark.parametrize("changed", KNOWN)
def test_what_a_seat_knows_shows(engine: Any, changed: str) -> None:
    base, other = engine.Position.parse(BASE).view(0), engine.Position.parse(KNOWN[changed]).view(0)
    assert base != other
    assert len({base, other}) == 2
    assert str(base) != str(other)
    assert pickle.dumps(base) != pickle.dumps(other)
    assert shown(base) != shown(other)


@pytest.mark.parametrize("engine", [sv, ref], ids=["savanna", "reference"])
def test_seats_see_their_own_side(engine: Any) -> None:
    position = engine.Position.parse(BASE)
    assert str(position.view(0)) == "seat=0 2p 0z1m../0E1?../..../..../.... mg/?? ??????/?????? 0/0"
    assert str(position.view(1)) == "seat=1 2p 0z1m../0?1Z../..../..../.... ??/ze ??????/?????? 0/0"
    assert position.view(0).board["b4"] == (1, None, "lion")
    assert position.view(1).board["b4"] == (1, "zebra", "lion")
    assert position.view(1).legal_moves() == []
    assert position.view(1).legal_mask() == bytes(200)
    assert position.view(0) != position.view(1)
