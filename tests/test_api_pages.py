"""The reference of the manual has every public name, once, and nothing else."""

import re
from importlib import import_module
from types import ModuleType

import pytest

import savanna.errors
import savanna.records
from doc_blocks import DOCS
from savanna.envs import WAIT

MODULES = (
    "savanna",
    "savanna.players",
    "savanna.errors",
    "savanna.records",
    "savanna.arena",
    "savanna.envs",
    "savanna.envs.gymnasium",
    "savanna.envs.pettingzoo",
    "savanna.envs.openspiel",
    "savanna.reference",
)

# Names of `savanna.reference` that are those of `savanna`, as its page says.
SAME = {"savanna.reference." + name for name in ("LINES", "LineScore", "Placed", "RULES_VERSION", "SPACES")}


def public_names(module: ModuleType) -> set[str]:
    """Return the public names of a module: its `__all__`, or the classes that it defines where it has none."""
    classes = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return set(getattr(module, "__all__", classes))


def documented() -> list[str]:
    """Return the full names that the pages of docs/api describe."""
    names = []
    for page in sorted((DOCS / "api").glob("*.md")):
        module = ""
        text = page.read_text(encoding="utf-8")
        for kind, name in re.findall(r"^\.\. ([a-z]+):: ([\w.]+)", text, flags=re.MULTILINE):
            if kind in ("module", "currentmodule", "automodule"):
                module = name
            elif kind in ("autoclass", "autofunction", "autoexception", "autodata", "data"):
                names.append(f"{module}.{name}")
    return names


def test_every_public_name_is_there_once_and_nothing_else() -> None:
    names = documented()
    assert len(names) == len(set(names)) > 60
    public = {f"{module}.{name}" for module in MODULES for name in public_names(import_module(module))}
    # Submodules are described as modules; errors and records are in `savanna` itself.
    twice = {f"{module}.{name}" for module in ("savanna.errors", "savanna.records") for name in vars(savanna)}
    arena = {f"savanna.arena.{name}" for name in vars(savanna.arena) if name in savanna.__all__}
    assert set(names) == public - {"savanna.players"} - twice - arena - SAME


def test_errors_and_records_are_all_in_the_package_itself() -> None:
    for module in (savanna.errors, savanna.records):
        assert len(public_names(module)) >= 4
        assert public_names(module) <= set(savanna.__all__)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_module_is_described(module: str) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    assert re.search(rf"^\.\. (auto)?module:: {re.escape(module)}$", text, flags=re.MULTILINE)


def test_numbers_in_the_reference_are_those_of_the_code() -> None:
    text = (DOCS / "api" / "envs.md").read_text(encoding="utf-8")
    assert f"The action that leaves a game of a batch as it is: {WAIT}." in text
