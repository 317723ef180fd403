"""Programs and libraries that some tests need and not every machine has."""

import importlib
import shutil
from typing import Any, NoReturn

import pytest

from tests.support.full import is_full

HOW_TO_GET = {
    "bash": "apt install bash",
    "cargo": "https://rustup.rs",
    "cc": "apt install gcc",
    "chromium": "apt install chromium",
    "g++": "apt install g++",
    "gcc": "apt install gcc",
    "nm": "apt install binutils",
    "objdump": "apt install binutils",
    "rsvg-convert": "apt install librsvg2-bin",
    "valgrind": "apt install valgrind",
}


def require_tool(name: str, *others: str) -> str:
    """Return the path of a program, or of another that does as well; without any, skip the test that is running.

    With `pytest --full` nothing is skipped: the test fails.
    """
    for each in (name, *others):
        if path := shutil.which(each):
            return path
    do_without(f"{name} is not installed: {HOW_TO_GET[name]}")


def require_library(name: str, extra: str) -> Any:
    """Return a module that an extra of the package brings; without it, the test is skipped or fails."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError) as error:
        do_without(f"{name} cannot be imported ({error}): pip install 'savanna-core[{extra}]'")


def do_without(reason: str) -> NoReturn:
    """Skip the test that is running; with `pytest --full`, let it fail."""
    if is_full():
        pytest.fail(reason)
    pytest.skip(reason)
