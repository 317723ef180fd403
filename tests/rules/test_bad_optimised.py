"""All that is refused is refused by `python -O`, too."""

import subprocess
import sys

import pytest

import savanna
from tests.support.paths import ROOT
from tests.support.refusals import refused


@pytest.mark.rare
def test_optimised_python_refuses_as_much() -> None:
    """Nothing is checked by `assert`; in test modules, and where `conftest` says so, pytest keeps assertions alive."""
    tests = sorted(map(str, (ROOT / "tests").rglob("test_bad_*.py")))
    assert len(tests) >= 7
    arguments = [
        "-O",
        "-m",
        "pytest",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestConfigWarning",
    ]
    command = [sys.executable, *arguments, "-k", "not optimised or alive", *tests]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:]
    assert " passed" in result.stdout


def test_assertions_are_alive_when_optimised() -> None:
    with pytest.raises(AssertionError):
        assert sys.maxsize < 0
    with pytest.raises(AssertionError, match="players must be"):
        refused(TypeError, "", savanna.Rules, players=5)
