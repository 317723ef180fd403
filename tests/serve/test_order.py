"""The modules of the server stand in the order of the walk, and use only those above them."""

import ast
import re
from pathlib import Path

import savanna.serve

FOLDER = Path(savanna.serve.__file__).parent
ORDER = re.findall(r"`(\w+)`", str(savanna.serve.__doc__).partition("before it:")[2])
TRUTH = {"Position", "Table"}


def imports(path: Path) -> dict[str, set[str]]:
    """Return what a file takes from modules of the server, by module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("savanna.serve"):
            inside = (node.module or "").removeprefix("savanna.serve").removeprefix(".").partition(".")[0]
            for alias in node.names:
                found.setdefault(inside or alias.name, set()).add(alias.name)
    return found


def test_every_module_is_told_of_in_its_place() -> None:
    files = {path.stem for path in FOLDER.glob("*.py")} | {
        path.name for path in FOLDER.glob("*/") if any(path.glob("*.py"))
    }
    assert set(ORDER) == files - {"__init__", "__pycache__"}
    for number, name in enumerate(ORDER):
        path = FOLDER / f"{name}.py"
        for file in [path] if path.exists() else (FOLDER / name).glob("*.py"):
            assert set(imports(file)) - {name} <= set(ORDER[:number]), file


def test_what_writes_pages_reads_no_truth() -> None:
    """Pages are made of what `told` gives: they take neither positions nor tables."""
    pages = FOLDER / "pages.py"
    assert imports(pages)["table"] == {"STRENGTHS"}
    names = {node.id for node in ast.walk(ast.parse(pages.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not names & TRUTH
    for template in (FOLDER / "templates").glob("*.html"):
        assert not re.search(r"\b(positions?|start|table)\.", template.read_text(encoding="utf-8"))
