"""The reference of the manual has every public name, once, and nothing else."""

import re
from importlib import import_module

import pytest

import savanna.errors
import savanna.records
from public_names import MODULES, public_names
from savanna.envs import WAIT
from tests.support.paths import DOCS


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


def expected() -> set[str]:
    """Return the full names that have to be described: of an object in several modules, that in the first."""
    names: dict[object, str] = {}
    for module in map(import_module, MODULES):
        for name in public_names(module):
            value = getattr(module, name)
            # Constants of the plain engine are equal to those of the compiled one.
            key = (name, value) if isinstance(value, str | int | tuple) else id(value)
            names.setdefault(key, f"{module.__name__}.{name}")
    return set(names.values()) - set(MODULES)


def test_every_public_name_is_there_once_and_nothing_else() -> None:
    names = documented()
    assert len(names) == len(set(names)) > 60
    assert set(names) == expected()


def test_errors_and_records_are_all_in_the_package_itself() -> None:
    for module in (savanna.errors, savanna.records):
        assert len(public_names(module)) >= 4
        assert set(public_names(module)) <= set(savanna.__all__)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_module_is_described(module: str) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    assert re.search(rf"^\.\. (auto)?module:: {re.escape(module)}$", text, flags=re.MULTILINE)


def test_numbers_in_the_reference_are_those_of_the_code() -> None:
    text = (DOCS / "api" / "envs.md").read_text(encoding="utf-8")
    assert f"The action that leaves a game of a batch unchanged: {WAIT}." in text
