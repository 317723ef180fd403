"""Programs that some tests need and not every machine has."""

import shutil

import pytest

from tests.support.full import is_full

HOW_TO_GET = {
    "bash": "apt install bash",
    "cargo": "https://rustup.rs",
    "cc": "apt install gcc",
    "g++": "apt install g++",
    "gcc": "apt install gcc",
    "nm": "apt install binutils",
    "objdump": "apt install binutils",
    "valgrind": "apt install valgrind",
}


def require_tool(name: str, *others: str) -> str:
    """Return the path of a program, or of another that does as well; without any, skip the test that is running.

    With `pytest --full` nothing is skipped: the test fails.
    """
    for each in (name, *others):
        if path := shutil.which(each):
            return path
    reason = f"{name} is not installed: {HOW_TO_GET[name]}"
    if is_full():
        pytest.fail(reason)
    pytest.skip(reason)
