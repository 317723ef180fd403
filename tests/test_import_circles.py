"""No two files of the package need each other: what a file imports, anywhere in it, never leads back to it."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PACKAGE = ROOT / "python" / "savanna"


def modules(package: Path) -> dict[str, Path]:
    """Return the Python files of a package by the names of their modules."""
    found = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules that a file imports: on top, in functions, and for type checkers alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def imports(package: Path) -> dict[str, set[str]]:
    """Return for each module those that it imports."""
    known = modules(package)
    graph = {}
    for name, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if name == package.name:
            # The package's own file says for type checkers which names are loaded only when somebody asks for them.
            tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
        graph[name] = set(imported(tree, known)) - {name}
    return graph


def check(package: Path) -> None:
    """Raise `CycleError`, which names the modules, if some need each other."""
    TopologicalSorter(imports(package)).prepare()


def test_no_modules_import_each_other() -> None:
    graph = imports(PACKAGE)
    assert len(graph) > 90
    assert sum(map(len, graph.values())) > 300
    assert "savanna.studies.plots" in graph["savanna.studies.result"]  # in a function
    assert "savanna.game.record" in graph["savanna.cli.records"]  # for type checkers
    check(PACKAGE)


@pytest.mark.parametrize(
    "back",
    [
        "from {}.a import A",
        "import {}.a",
        "from {} import a",
        "def call():\n    from {}.a import A",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {}.a import A",
    ],
)
def test_a_circle_is_found_wherever_the_import_stands(tmp_path: Path, back: str) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("if TYPE_CHECKING:\n    from house import a\n")
    (package / "a.py").write_text("from house.b import B\n")
    (package / "b.py").write_text("import house\n")
    check(package)
    (package / "b.py").write_text(back.format("house"))
    with pytest.raises(CycleError) as raised:
        check(package)
    assert {"house.a", "house.b"} <= set(raised.value.args[1])


def test_nothing_in_the_package_imports_the_reference() -> None:
    """The oracle shares nothing with what it checks but checks of arguments, errors and records.

    The package's own file names it for type checkers, and loads it when somebody asks for `savanna.reference`.
    """
    graph = imports(PACKAGE)
    plain = {name for name in graph if name.startswith("savanna.reference")}
    assert len(plain) > 10
    assert {name for name in graph if name not in plain and graph[name] & plain} == set()
    needed = {needed for name in plain for needed in graph[name]} - plain
    assert needed == {"savanna.arguments", "savanna.errors", "savanna.records"}
