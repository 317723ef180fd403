"""A machine that lacks a tool: the tests that need it are skipped, or fail if everything is asked for."""

from pathlib import Path

import pytest

from tests.support import full, tools

NONE = r"^nm is not installed: apt install binutils$"


def test_a_missing_tool_is_named_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(full.VARIABLE, raising=False)
    assert full.count(3, 1000) == 3
    with pytest.raises(pytest.skip.Exception, match=NONE):
        tools.require_tool("nm")
    monkeypatch.setenv(full.VARIABLE, "1")
    assert full.count(3, 1000) == 1000
    with pytest.raises(pytest.fail.Exception, match=NONE):
        tools.require_tool("nm")


def test_another_tool_may_do_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    other = tmp_path / "clang"
    other.write_text("#!/bin/sh\n", encoding="ascii")
    other.chmod(0o755)
    assert tools.require_tool("gcc", "clang") == str(other)
