"""What is public is documented, typed and signed alike in the extension module, its stub and `savanna.reference`.

`mypy.stubtest` compares names and signatures, too; here are the things that it does not look at.
"""

import ast
import copy
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
import pytest
from numpy.typing import NDArray

import savanna as sv
from savanna import _core, arena, envs, errors, players, records, reference, render, rpc, studies, types
from savanna import game as games

PACKAGE = Path(sv.__file__).parent
STUB = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
CONSTANTS = {
    "ACTIONS",
    "ANIMALS",
    "BATCH",
    "ENV_VERSION",
    "FACES",
    "LINES",
    "MAX_GAMES",
    "MAX_THREADS",
    "OBJECTIVES",
    "POLICIES",
    "RULES_VERSION",
    "SPACES",
    "__version__",
}
# What the package asks the engine for its own use: whether arguments are good, and their bounds.
INSIDE = {"MAX_GAMES", "MAX_THREADS", "check_batch", "check_rollout", "check_search", "moves_to_rank"}
ERRORS = {name for name, value in vars(errors).items() if inspect.isclass(value)}
PLAYERS = set(players.__all__) & set(CLASSES)
ENVS = {"Batch", "ENV_VERSION", "Episode", "Layout"}
ARENA = {"Sprt", "Tournament", "tournament"}
GAMES = {"Game", "PublicGame"}
STUDIES = {"Study", "study"}
RECORDS = {name for name, value in vars(records).items() if hasattr(value, "_fields")}

# The classes that the plain engine offers, too, with the same names in them.
IN_REFERENCE = ["Rules", "Move", "Position", "View"]


def members(node: ast.ClassDef, *, dunders: bool = False) -> dict[str, ast.FunctionDef]:
    """Return the methods and properties of a class in the stub."""
    functions = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    return {name: part for name, part in functions.items() if dunders or not name.startswith("_")}


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def public(cls: type) -> set[str]:
    """Return the public attributes of a class, inherited ones and fields without a default included."""
    return {name for name in [*dir(cls), *getattr(cls, "__dataclass_fields__", ())] if not name.startswith("_")}


def stubbed() -> Iterator[tuple[str, Any, ast.FunctionDef | ast.ClassDef]]:
    """Yield the label, runtime object and stub of every class, function, method and property."""
    for name, function in FUNCTIONS.items():
        yield name, getattr(_core, name), function
    for name, node in CLASSES.items():
        cls = getattr(_core, name)
        yield name, cls, node
        for member, function in members(node).items():
            yield f"{name}.{member}", getattr(cls, member), function


def signed() -> Iterator[tuple[str, Any, ast.FunctionDef]]:
    """Yield the label, runtime object and stub of everything that can be called with arguments."""
    for label, value, node in stubbed():
        if isinstance(node, ast.FunctionDef) and not is_property(node):
            yield label, value, node
        elif isinstance(node, ast.ClassDef) and "__new__" in members(node, dunders=True):
            yield label, value, members(node, dunders=True)["__new__"]


def parameters(function: Callable[..., Any]) -> list[tuple[str, str, object]]:
    """Return name, kind and default of the parameters, without the object or class that the call is bound to."""
    signature = inspect.signature(function).parameters.values()
    return [(p.name, p.kind.description, p.default) for p in signature if p.name not in ("self", "cls")]


def defined(node: ast.FunctionDef) -> Callable[..., Any]:
    """Make a function of a definition in the stub."""
    bare = copy.copy(node)
    bare.decorator_list = []
    names: dict[str, Any] = {}
    exec("from __future__ import annotations\n" + ast.unparse(bare), names)
    function: Callable[..., Any] = names[node.name]
    return function


# Names


def test_the_package_offers_the_stub_the_errors_and_the_records() -> None:
    in_stub = {*CLASSES, *FUNCTIONS, *CONSTANTS}
    assert set(_core.__all__) == in_stub
    modules = {"players", "render"}
    wanted = (in_stub - PLAYERS - ENVS - INSIDE) | ERRORS | RECORDS | ARENA | GAMES | STUDIES | modules
    assert sorted(sv.__all__) == sorted(wanted)
    assert all(hasattr(sv, name) for name in sv.__all__)
    assert sorted(players.__all__) == sorted(PLAYERS | {"Player", "parse", "written"})
    assert all(getattr(players, name) is getattr(_core, name) for name in PLAYERS)
    assert [name for name in ERRORS if not issubclass(getattr(sv, name), sv.SavannaError)] == []


def test_type_checkers_are_told_every_name_that_comes_later() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    told = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    names = [alias.name for block in told for node in ast.walk(block) for alias in getattr(node, "names", ())]
    assert sorted(names) == sorted([*sv._LATER, *sv._LATER_MODULES])


def test_misspelt_names_are_refused_by_python_and_by_type_checkers() -> None:
    """Where a type checker does not refuse one of them, it complains of the remark that nothing has to be ignored."""
    with pytest.raises(AttributeError, match="'savanna' has no attribute 'rolout'"):
        sv.rolout  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"'savanna\.envs' has no attribute 'BatchEnvs'"):
        sv.envs.BatchEnvs  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'Gmae'"):
        from savanna import Gmae  # type: ignore[attr-defined]  # noqa: F401


def test_types_are_shipped_beside_the_extension_module() -> None:
    assert Path(_core.__file__).parent == PACKAGE
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("name", CLASSES)
def test_stub_lists_every_public_attribute(name: str) -> None:
    assert set(members(CLASSES[name])) == public(getattr(_core, name))


@pytest.mark.parametrize("name", IN_REFERENCE)
def test_reference_offers_the_same_names(name: str) -> None:
    assert public(getattr(reference, name)) == public(getattr(sv, name))


# Docstrings


@pytest.mark.parametrize(("label", "value", "node"), [pytest.param(*case, id=case[0]) for case in stubbed()])
def test_docstring_is_the_same_in_stub_and_at_runtime(label: str, value: object, node: ast.FunctionDef) -> None:
    assert value.__doc__
    assert inspect.cleandoc(value.__doc__) == ast.get_docstring(node)


def test_constants_are_documented_in_the_stub() -> None:
    documented = {
        ast.unparse(first.target)
        for first, second in zip(STUB.body, STUB.body[1:], strict=False)
        if isinstance(first, ast.AnnAssign)
        and isinstance(second, ast.Expr)
        and isinstance(second.value, ast.Constant)
        and isinstance(second.value.value, str)
    }
    assert documented == CONSTANTS


@pytest.mark.parametrize("name", sorted(ERRORS | RECORDS))
def test_errors_and_records_are_documented(name: str) -> None:
    """A record's own text names all of its fields: Python itself says no more of them than their numbers."""
    cls = getattr(sv, name)
    text = inspect.cleandoc(vars(cls)["__doc__"])
    assert text.endswith(".")
    assert [field for field in getattr(cls, "_fields", ()) if field not in text] == []


@pytest.mark.parametrize(("module", "names"), [(arena, ARENA), (games, GAMES), (studies, STUDIES)])
def test_plain_modules_are_documented(module: ModuleType, names: set[str]) -> None:
    """A dataclass or a record says of each field what it is, a class what each of its methods and properties does."""
    assert set(module.__all__) >= names
    for name in module.__all__:
        value = getattr(module, name)
        text = vars(value)["__doc__"] if inspect.isclass(value) else value.__doc__
        assert text.strip().endswith(".")
        assert [
            field
            for field in (*getattr(value, "__dataclass_fields__", ()), *getattr(value, "_fields", ()))
            if not re.search(rf"\b{field}\b", text)
        ] == []
        methods = [item for key, item in vars(value).items() if inspect.isroutine(item) and not key.startswith("__")]
        assert all(method.__doc__ for method in methods if not method.__name__.startswith("_"))
        properties = [item for item in vars(value).values() if isinstance(item, property)]
        assert all(item.__doc__ for item in properties)


def test_pictures_are_documented() -> None:
    """A function that draws names each of its arguments, and has a type for each."""
    assert set(render.__all__) == {"drawings", "parts", "sheet", "svg", "text"}
    for name in ("svg", "text"):
        function = getattr(render, name)
        arguments = inspect.signature(function).parameters
        text = inspect.cleandoc(function.__doc__)
        assert text.endswith(".")
        assert [it for it in arguments if it != "source" and f"`{it}`" not in text] == []
        assert set(function.__annotations__) == {*arguments, "return"}


def test_modules_are_documented() -> None:
    documented = (sv, arena, errors, games, players, records, reference, render, rpc, studies, types)
    assert all(inspect.getdoc(module) for module in documented)
    assert _core.__doc__ == ast.get_docstring(STUB)


# Signatures


@pytest.mark.parametrize(("label", "value", "node"), [pytest.param(*case, id=case[0]) for case in signed()])
def test_signature_is_that_of_the_stub(label: str, value: Callable[..., Any], node: ast.FunctionDef) -> None:
    assert getattr(value, "__text_signature__", None)
    assert parameters(value) == parameters(defined(node))


@pytest.mark.parametrize("name", IN_REFERENCE)
def test_reference_takes_the_same_arguments(name: str) -> None:
    ours = {label: value for label, value, _ in signed() if label.partition(".")[0] == name}
    assert ours
    for label, value in ours.items():
        theirs = reference
        for part in label.split("."):
            theirs = getattr(theirs, part)
        assert parameters(value) == parameters(theirs), label  # type: ignore[arg-type]


def test_what_follows_the_subject_and_the_number_is_keyword_only_and_in_one_order() -> None:
    order = ["seconds", "seed", "threads", "backend", "policy", "first", "progress", "out"]
    functions = {label: value for label, value, node in signed() if label in FUNCTIONS}
    seen = 0
    for label, value in {**functions, **{name: getattr(players, name) for name in PLAYERS}}.items():
        kinds = {name: kind for name, kind, _ in parameters(value)}
        options = [name for name in kinds if name in order]
        seen += len(options)
        assert options == sorted(options, key=order.index), label
        assert {kinds[name] for name in options} <= {"keyword-only"}, label
    assert seen > 30


def test_literal_types_have_the_words_of_the_engine() -> None:
    assert get_args(types.Animal) == tuple(sv.Rules().deck)
    assert set(get_args(types.Face)) == {move.face for move in POSITIONS[0].legal_moves()}
    assert set(get_args(types.Backend)) >= set(sv.backends())
    assert set(types.RulesOptions.__annotations__) == {name for name, _, _ in parameters(sv.Rules)}
    for policy in get_args(types.Policy):
        assert sv.rollout(sv.Rules(), 1, policy=policy).games == 1
    for objective in get_args(types.Objective):
        assert sv.solve(POSITIONS[19], objective=objective).objective == objective


# Types of results, which stubtest cannot see


def namespace() -> dict[str, Any]:
    """Return what the annotations in the stub refer to."""
    names: dict[str, Any] = {
        **vars(sv),
        **vars(players),
        **vars(envs),
        **vars(types),
        "np": np,
        "NDArray": NDArray,
        "Any": Any,
        "Literal": Literal,
    }
    for node in STUB.body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            names[ast.unparse(node.target)] = eval(ast.unparse(node.value), names)
    return names


NAMES = namespace()


def fits(value: object, wanted: Any) -> bool:
    """Tell whether a value is exactly of a type, down to the items of containers and the dtype of arrays."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, choice) for choice in arguments)
    if origin is Literal:
        return value in arguments
    if origin is None:
        return value is None if wanted is None else type(value) is wanted
    if type(value) is not origin:
        return False
    if isinstance(value, np.ndarray):
        scalar = get_args(arguments[1])[0]
        return scalar is Any or value.dtype.type is scalar
    if isinstance(value, dict):
        return all(fits(key, arguments[0]) and fits(item, arguments[1]) for key, item in value.items())
    if isinstance(value, tuple) and Ellipsis not in arguments:
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    assert isinstance(value, tuple | list)
    return all(fits(item, arguments[0]) for item in value)


def game() -> list[sv.Position]:
    """Return the positions of a game in which some tiles lie Lion up."""
    positions = [sv.Position.deal(sv.Rules(players=3, mice=True), seed=3)]
    while not positions[-1].is_over:
        moves = positions[-1].legal_moves()
        positions.append(positions[-1].play(moves[37 * len(positions) % len(moves)]))
    return positions


POSITIONS = game()
VIEWS = [position.view(seat) for position in POSITIONS for seat in range(3)]
LAYOUT = envs.Layout(sv.Rules(players=3, mice=True), True)
EPISODE = envs.Episode.deal(LAYOUT.rules, 3).play(POSITIONS[0].legal_moves()[0])
STEP = envs.BatchEnv(2, seed=0).buffers()
OBJECTS: dict[str, list[Any]] = {
    "Rules": [sv.Rules(), sv.Rules(players=4, team_game=True, deck={"zebra": 5}, last_seat_bonus=1)],
    "Move": POSITIONS[0].legal_moves(),
    "Position": POSITIONS,
    "View": VIEWS,
    "Stats": [sv.rollout(source, games=10) for source in (sv.Rules(), POSITIONS[5], VIEWS[5])],
    "Playouts": [sv.playouts(source, games=10) for source in (sv.Rules(), POSITIONS[5], VIEWS[5])],
    "Analysis": [players.SoftGreedy(100).analyse(POSITIONS[ply].view(ply % 3)) for ply in (0, 19)],
    "Solution": [sv.solve(POSITIONS[ply], objective=it) for ply in (17, 19) for it in get_args(types.Objective)],
    "Layout": [envs.Layout(sv.Rules(players=3, mice=True)), envs.Layout(sv.Rules(), True)],
    "Episode": [EPISODE, envs.Episode.deal(sv.Rules(players=3, mice=True), 3)],
    "Batch": [
        _core.Batch(
            sv.Rules(), 2, seed=0, recall=False, reward="win", illegal="raise", autoreset="same-step", threads=1
        )
    ],
    "Random": [players.Random(), players.Random(seed=2**64 - 1)],
    "Greedy": [players.Greedy(), players.Greedy(seed=1)],
    "FlatMonteCarlo": [players.FlatMonteCarlo(100), players.FlatMonteCarlo(seconds=1e-9)],
    "SoftGreedy": [players.SoftGreedy(100), players.SoftGreedy(seconds=1e-9)],
    "Ismcts": [players.Ismcts(100), players.Ismcts(seconds=1e-9)],
    "Champion": [players.Champion(100), players.Champion(seconds=1e-9)],
}


# Arguments for the classes of environments.
ENV_CALLS: dict[str, Callable[[Any], tuple[object, ...] | None]] = {
    "Layout.observe": lambda layout: None if layout.recall else (VIEWS[0],),
    "Layout.turned": lambda _: (1,),
    "Layout.turned_actions": lambda _: (1,),
    "Episode.deal": lambda episode: (episode.position.rules, 3),
    "Episode.replay": lambda episode: (episode.start, episode.moves),
    "Episode.moves": lambda _: (),
    "Episode.play": lambda episode: (episode.position.legal_moves()[0],),
    "Episode.view": lambda _: (1,),
    "Episode.observe": lambda _: (LAYOUT, 2),
    "Episode.action_mask": lambda _: (1,),
    "Episode.turns": lambda _: (LAYOUT,),
    "Batch.reset": lambda _: (np.ones(2, np.bool_), 1),
    "Batch.step": lambda batch: (batch.sample(), STEP),
    "Batch.sample": lambda _: (),
    "Batch.show": lambda _: (STEP,),
    "Batch.observe": lambda _: (1, False, STEP.observations),
    "Batch.episode": lambda _: (1,),
    "Batch.restore": lambda batch: (batch.save(), 1),
}


def arguments_for(label: str, value: Any) -> tuple[object, ...] | None:
    """Return arguments with which a method can be called; None if there are none for this object."""
    _, _, method = label.partition(".")
    if label in ENV_CALLS:
        return ENV_CALLS[label](value)
    if method in ("play", "lines_filled", "preview"):
        return (moves[-1],) if (moves := value.legal_moves()) else None
    if method == "from_decks":
        return value.rules, [[animal for animal, n in value.rules.deck.items() for _ in range(n)]] * 3
    fixed: dict[str, tuple[object, ...]] = {"from_action": (57,), "team_of": (0,), "view": (1,), "sample": (1,)}
    fixed |= {"parse": (str(value),), "start": (2,), "moves": (2,), "with_seed": (1,)}
    if method == "from_counts":
        return value.rules, value.to_counts()
    fixed |= {"choose": (POSITIONS[5].view(2),), "analyse": (POSITIONS[5].view(2),)}
    return (value.rules, 1) if label == "Position.deal" else fixed.get(method, ())


RESULTS = [(f"{cls}.{name}", node) for cls in CLASSES for name, node in members(CLASSES[cls]).items()]


@pytest.mark.parametrize(("label", "node"), [pytest.param(*case, id=case[0]) for case in RESULTS])
def test_result_is_of_the_type_in_the_stub(label: str, node: ast.FunctionDef) -> None:
    cls, _, name = label.partition(".")
    assert node.returns is not None
    wanted = eval(ast.unparse(node.returns), {**NAMES, "Self": getattr(_core, cls)})
    for value in OBJECTS[cls]:
        result = getattr(value, name)
        if not is_property(node):
            arguments = arguments_for(label, value)
            if arguments is None:
                continue
            result = result(*arguments)
        assert fits(result, wanted), result


def test_constants_and_backends_are_of_the_types_in_the_stub() -> None:
    spaces = tuple[str, ...]
    assert fits(sv.SPACES, spaces)
    assert fits(sv.LINES, tuple[spaces, ...])
    assert fits(sv.RULES_VERSION, int)
    assert fits(sv.BATCH, int)
    assert fits(sv.__version__, str)
    assert fits(sv.backends(), spaces)
    # The measure itself must not let everything pass.
    assert not fits((1, "a5"), spaces)
    assert not fits(True, int)
    assert not fits(np.zeros(2, dtype=np.float32), NDArray[np.float64])


def test_whole_numbers_of_numpy_are_taken_where_numbers_are() -> None:
    """Type checkers let them pass, too, in all of the package as in the compiled engine."""
    two, seed, rules = np.int64(2), np.uint64(7), sv.Rules()
    view = sv.Position.deal(rules, seed).view(np.int8(0))
    players = [sv.players.Greedy(), sv.players.Greedy()]
    assert sv.tournament(players, two, rules=rules, seed=seed, threads=two) == sv.tournament(
        players, rules=rules, deals=2, seed=7, threads=2
    )
    assert sv.tournament(players, deals=1).replay(np.int8(1))[0] == sv.tournament(players, deals=1).replay(1)[0]
    assert sv.study(rules, two, seed=seed, threads=two) == sv.study(rules, players=None, games=2, seed=7, threads=2)
    assert sv.Game.deal(rules, seed).view(np.int8(0)) == view
    assert sv.render.text(view, width=np.int16(70)) == sv.render.text(view, width=70)
    assert sv.render.svg(view, size=np.int16(500)) == sv.render.svg(view, size=500)
    one, same = envs.BatchEnv(two, rules, seed=seed, threads=two), envs.BatchEnv(2, rules, seed=7, threads=2)
    assert one.view(np.int8(1), np.int8(0)) == same.view(1, 0)
    assert one.episode(np.int8(1)) == same.episode(1)
    assert (one.observe(np.int8(0)) == same.observe(0)).all()
    assert (one.reset(seed=seed).observations == same.reset(seed=7).observations).all()
