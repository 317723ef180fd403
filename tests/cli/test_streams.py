"""Standard output that is closed or full: every command says so, and does not end as if all were well."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import savanna as sv
from savanna.cli import program
from savanna.cli.app import app
from tests.support.command import START

# What each command needs to have something to write; a new command needs a line here.
CALLS: dict[str, list[str]] = {
    "analyse": ["--position", START, "--iterations", "50"],
    "bench": ["--seconds", "0.01", "--json"],
    "convert": ["game.json"],
    "engine": [],
    "generate": ["games", "--games", "1", "--json"],
    "play": ["random"],
    "replay": ["game.json"],
    "rollout": ["--games", "100", "--json"],
    "rules": [],
    "serve": ["--backup", "copy"],
    "show": [START],
    "study": ["--games", "20", "--json"],
    "tournament": ["random", "greedy", "--deals", "1", "--json"],
}
REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n'
WITHOUT_COMMAND = [["--help"], ["-h"], ["--version"], ["--show-completion", "bash"]]
CALLED = [[name, *arguments] for name, arguments in CALLS.items()]
HELP = [[name, "--help"] for name in CALLS]


def test_every_command_is_called_here() -> None:
    group: Any = typer.main.get_command(app)
    assert sorted(group.commands) == sorted(CALLS)


@pytest.fixture
def _at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a folder with a game, with standard input from a file, and write games without Ray."""

    class Alone:
        @staticmethod
        def generate(directory: str, *_: object, **__: object) -> list[Path]:
            return [Path(directory) / "part"]

    monkeypatch.chdir(tmp_path)
    sv.Game.deal(sv.Rules(), 1).save("game.json")
    monkeypatch.setattr("savanna.cli.generate.cluster", lambda: Alone)
    monkeypatch.setattr("savanna.serve.back_up", lambda *_: None)
    Path("input").write_bytes(REQUEST)
    with Path("input").open(encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdin", file)
        yield


@pytest.mark.usefixtures("_at_work")
@pytest.mark.parametrize("arguments", [*CALLED, *HELP, *WITHOUT_COMMAND], ids=" ".join)
def test_a_closed_output_is_told_before_anything_is_done(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as context:
        context.setattr(sys, "stdout", None)
        code = program.run(arguments)
    assert (code, capsys.readouterr().err) == (2, "savanna: error: standard output is closed\n")
    assert sorted(os.listdir()) == ["game.json", "input"]  # noqa: PTH208


@pytest.mark.usefixtures("_at_work")
@pytest.mark.parametrize("arguments", [*CALLED, *HELP, *WITHOUT_COMMAND], ids=" ".join)
def test_a_full_disk_is_told(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code: object
    with monkeypatch.context() as context, Path("/dev/full").open("w", encoding="utf-8") as full:
        context.setattr(sys, "stdout", full)
        try:
            code = program.run(arguments)
        except SystemExit as leaving:  # completion leaves by itself
            code = leaving.code
    message = f"savanna: error: cannot write the output: {os.strerror(errno.ENOSPC)}\n"
    assert (code, capsys.readouterr().err) == (1, message)
