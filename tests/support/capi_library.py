"""The library for C: built by cargo, linked with programs by the commands of the manual, and called from Python."""

import ctypes
import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint8, c_uint64, c_void_p, sizeof
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from tests.support.doc_blocks import read_blocks
from tests.support.paths import DOCS, ROOT
from tests.support.tools import require_tool

HEADER = ROOT / "include" / "savanna.h"
SEATS = 4
MOST_MOVES = 80
LINES = 20
MOST_FILLED = 4


def run(command: list[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command in the root of the sources; what it says is part of the failure, if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **options)
    assert result.returncode == 0, (command, result.stdout, result.stderr)
    return result


def own_environment() -> dict[str, str]:
    """Return the environment without flags for rustc, which whoever started the tests may have set."""
    return {name: value for name, value in os.environ.items() if name != "RUSTFLAGS"}


def documented() -> list[list[str]]:
    """Return the commands of the manual's section for C: cargo, then gcc for each kind of library."""
    blocks = [block.text for block in read_blocks(DOCS / "embedding.md") if "gcc" in block.text]
    commands = [shlex.split(line) for block in blocks for line in block.splitlines()]
    assert [command[0] for command in commands] == ["cargo", "gcc", "gcc"]
    return commands


@cache
def build() -> Path:
    """Build both libraries as the manual says, but faster and with all checks, and one for Rust; return their folder.

    Cargo lets one process at a time build in a folder, so of all workers the first builds and the others find it done.
    """
    require_tool("cargo")
    require_tool("cc")  # rustc links by it
    command = [word for word in documented()[0] if word != "--release"]
    command[-1] += ",rlib"
    built = run([*command, "--locked", "--message-format=json-render-diagnostics"], env=own_environment())
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    files = [Path(file) for message in messages for file in message.get("filenames", [])]
    found = {file.suffix: file for file in files if file.stem == "libsavanna_core"}
    assert set(found) >= {".so", ".a", ".rlib"}, files
    return found[".so"].parent


def compile_as_documented(kind: str, folder: Path, source: Path, program: Path) -> None:
    """Compile a program by the manual's command for the shared or the static library; warnings are errors."""
    require_tool("gcc")
    command = documented()[{"shared": 1, "static": 2}[kind]]
    said = {"examples/embed.c": str(source), command[-1]: str(program)}
    words = [said.get(word, word.replace("target/release", str(folder))) for word in command]
    assert words != command
    run([*words[:1], "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", *words[1:]])


def fields(kind: Any, *names: str) -> list[Any]:
    """Return fields of one type."""
    return [(name, kind) for name in names]


class Error(ctypes.Structure):
    """SavannaError."""

    _fields_ = [("status", c_int32), ("message", c_char * 252)]


class Tile(ctypes.Structure):
    """SavannaTile."""

    _fields_ = fields(c_int32, "seat", "animal", "lion")


class State(ctypes.Structure):
    """SavannaState."""

    _fields_ = fields(c_int32, "players", "teams", "ply", "is_over", "to_move", "viewer")
    _fields_ += fields(c_int32 * SEATS, "team_of_seat", "scores", "lions", "won")
    _fields_ += [("board", Tile * 20), *fields(c_int32 * SEATS, "hand_sizes", "deck_sizes")]
    _fields_ += [("hands", c_int32 * 2 * SEATS)]


class LineState(ctypes.Structure):
    """SavannaLineState."""

    _fields_ = [("spaces", c_int32 * 4), *fields(c_int32 * SEATS, "tiles", "influence")]
    _fields_ += [*fields(c_int32, "total", "empty"), ("points", c_int32 * SEATS)]
    _fields_ += fields(c_int32, "scorer", "unclaimed")


class LineScore(ctypes.Structure):
    """SavannaLineScore."""

    _fields_ = [*fields(c_int32, "line", "total"), ("points", c_int32 * SEATS)]


class RulesOptions(ctypes.Structure):
    """SavannaRulesOptions."""

    _fields_ = fields(c_int32, "players", "mice", "team_game", "absent_can_be_least")
    _fields_ += [("deck", c_int32 * 5), ("influence", c_int32 * 6), ("target", c_int32), ("points", c_int32 * 3)]
    _fields_ += fields(c_int32, "last_seat_bonus")


Watch = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint64)
"""SavannaWatch."""


class RolloutOptions(ctypes.Structure):
    """SavannaRolloutOptions."""

    _fields_ = [*fields(c_uint64, "games", "first", "seed"), *fields(c_int32, "policy", "threads")]
    _fields_ += [("watch", Watch), ("context", c_void_p)]


class Effort(ctypes.Structure):
    """SavannaEffort."""

    _fields_ = [("iterations", c_uint64), ("seconds", c_double), ("seed", c_uint64), ("threads", c_int32)]
    _fields_ += [("watch", Watch), ("context", c_void_p)]


class Tally(ctypes.Structure):
    """SavannaTally."""

    _fields_ = [("games", c_uint64), ("wins", c_uint64 * SEATS * SEATS)]
    _fields_ += [("scores", c_uint64 * SEATS), ("lines", c_uint64 * 3)]
    _fields_ += fields(c_double * SEATS, "win_share", "win_share_stderr", "mean_score", "mean_score_stderr")


class RankedMove(ctypes.Structure):
    """SavannaRankedMove."""

    _fields_ = [("action", c_int32), ("tally", Tally)]


class MoveAnalysis(ctypes.Structure):
    """SavannaMoveAnalysis."""

    _fields_ = [("action", c_int32), ("visits", c_uint64)]
    _fields_ += fields(c_double, "win_share", "share_stderr", "margin")
    _fields_ += fields(c_double * SEATS, "scores")


CTYPES: dict[str, Any] = {
    "const char *": c_char_p,
    "char *": c_char_p,
    "double": c_double,
    "int32_t": c_int32,
    "size_t": c_size_t,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": c_uint64,
    "SavannaStatus": c_int32,
    "int32_t *": POINTER(c_int32),
    "size_t *": POINTER(c_size_t),
    "uint8_t *": POINTER(c_uint8),
    "uint64_t *": POINTER(c_uint64),
    "SavannaError *": POINTER(Error),
    "SavannaState *": POINTER(State),
    "SavannaTally *": POINTER(Tally),
    "SavannaRankedMove *": POINTER(RankedMove),
    "SavannaLineState *": POINTER(LineState),
    "SavannaLineScore *": POINTER(LineScore),
    "SavannaMoveAnalysis *": POINTER(MoveAnalysis),
}
for kind in ("Rules", "Position", "View", "Analysis"):
    CTYPES[f"const Savanna{kind} *"] = c_void_p
    CTYPES[f"Savanna{kind} **"] = POINTER(c_void_p)
for struct in (RulesOptions, RolloutOptions, Effort):
    CTYPES[f"const Savanna{struct.__name__} *"] = CTYPES[f"Savanna{struct.__name__} *"] = POINTER(struct)


def declared() -> dict[str, tuple[Any, list[Any]]]:
    """Return the functions of the header: the type of the result, and those of the arguments."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"^([\w ]+?[ *]+)(savanna_\w+)\(([^)]*)\);", text, flags=re.MULTILINE)

    def arguments(said: str) -> list[Any]:
        typed = [re.fullmatch(r"(.*?)\w+", " ".join(part.split())) for part in said.split(",")]
        return [] if said == "void" else [CTYPES[part[1].strip()] for part in typed if part]

    return {name: (CTYPES[result.strip()], arguments(said)) for result, name, said in found}


def constant(name: str) -> str:
    """Return what the header says that a name stands for."""
    said = re.search(rf"\b{name}(?: =)? (-?\d+)", HEADER.read_text(encoding="utf-8"))
    assert said is not None
    return said[1]


class Library:
    """The shared library, called as its header says. Handles are plain numbers, freed by `close`."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        self.handles: list[tuple[str, int]] = []
        for name, (result, arguments) in declared().items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function that must succeed."""
        error = Error()
        status = getattr(self.library, f"savanna_{name}")(*arguments, byref(error))
        assert (status, error.status, error.message) == (0, 0, b""), (name, status, error.message)

    def make(self, name: str, *arguments: Any) -> int:
        """Return the new handle that a function gives."""
        handle = c_void_p()
        self.call(name, *arguments, byref(handle))
        assert handle.value is not None
        kind = {"deal": "position", "play": "position", "sample": "position", "public": "view", "analyse": "analysis"}
        first, _, last = name.partition("_")
        self.handles.append((kind.get(last, first if last in ("parse", "new") else last), handle.value))
        return handle.value

    def parse(self, kind: str, text: str) -> int:
        """Return a handle of what the text says."""
        return self.make(f"{kind}_parse", text.encode(), len(text.encode()))

    def text(self, name: str, it: int) -> str:
        """Return the text that a function writes of a handle or an action."""
        size = c_size_t()
        self.call(name, it, None, 0, byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self.call(name, it, buffer, size.value, byref(size))
        assert buffer.raw.index(b"\0") == size.value - 1
        return buffer.value.decode()

    def legal(self, kind: str, handle: int) -> list[int]:
        """Return the action ids that are legal in a position or a view."""
        actions, count = (c_uint8 * MOST_MOVES)(), c_size_t()
        self.call(f"{kind}_legal", handle, actions, MOST_MOVES, byref(count))
        return list(actions[: count.value])

    def state(self, kind: str, handle: int) -> State:
        """Return turn, scores and end of a position or a view."""
        state = State()
        self.call(f"{kind}_state", handle, byref(state), sizeof(state))
        return state

    def lines(self, kind: str, handle: int) -> list[LineState]:
        """Return the lines of a position or a view as they stand."""
        lines, count = (LineState * LINES)(), c_size_t()
        self.call(f"{kind}_lines", handle, lines, LINES, sizeof(LineState), byref(count))
        assert count.value == LINES
        return list(lines)

    def preview(self, kind: str, handle: int, action: int) -> list[LineScore]:
        """Return the lines that a move would fill."""
        lines, count = (LineScore * MOST_FILLED)(), c_size_t()
        self.call(f"{kind}_preview", handle, action, lines, MOST_FILLED, sizeof(LineScore), byref(count))
        return list(lines[: count.value])

    def sources(self, text: str) -> list[tuple[str, int, sv.Rules | sv.Position | sv.View]]:
        """Return handles of rules, a position, a view and a public one, each with what it is in Python."""
        start = sv.Position.deal(sv.Rules.parse(text), seed=3)
        rules = self.parse("rules", text)
        position = self.make("position_deal", rules, 3)
        view, public = self.make("position_view", position, 1), self.make("position_public", position)
        views = [("view", view, start.view(1)), ("view", public, start.public())]
        return [("rules", rules, start.rules), ("position", position, start), *views]

    def options(self, **changed: Any) -> RolloutOptions:
        """Return the usual options for playouts, but for those that are named."""
        options = RolloutOptions()
        self._fill(options, "rollout_default_options", changed)
        return options

    def effort(self, **changed: Any) -> Effort:
        """Return the usual effort, but for the parts that are named."""
        effort = Effort()
        self._fill(effort, "default_effort", changed)
        return effort

    def _fill(self, struct: ctypes.Structure, by: str, changed: dict[str, Any]) -> None:
        self.call(by, byref(struct), sizeof(struct))
        for name, value in changed.items():
            assert hasattr(struct, name), name
            setattr(struct, name, value)

    def rollout(self, kind: str, handle: int, options: RolloutOptions) -> Tally:
        """Return what playouts come to."""
        tally = Tally()
        self.call(f"{kind}_rollout", handle, byref(options), sizeof(options), byref(tally), sizeof(tally))
        return tally

    def rank(self, kind: str, handle: int, options: RolloutOptions) -> list[RankedMove]:
        """Return the moves, best first, and what playouts after each come to."""
        moves, count = (RankedMove * MOST_MOVES)(), c_size_t()
        room = (moves, MOST_MOVES, sizeof(RankedMove), byref(count))
        self.call(f"{kind}_rank_moves", handle, byref(options), sizeof(options), *room)
        return list(moves[: count.value])

    def analyse(self, view: int, effort: Effort) -> tuple[int, int, list[MoveAnalysis]]:
        """Return the best move, the iterations, and what the champion thinks of each move."""
        analysis = self.make("view_analyse", view, byref(effort), sizeof(effort))
        best, made, count = c_int32(), c_uint64(), c_size_t()
        moves = (MoveAnalysis * MOST_MOVES)()
        self.call("analysis_best", analysis, byref(best))
        self.call("analysis_iterations", analysis, byref(made))
        self.call("analysis_moves", analysis, moves, MOST_MOVES, sizeof(MoveAnalysis), byref(count))
        return best.value, made.value, list(moves[: count.value])

    def refusal(self, name: str, *arguments: Any) -> tuple[str, str]:
        """Return the words and the message of a call that must fail."""
        error = Error()
        status = getattr(self.library, f"savanna_{name}")(*arguments, byref(error))
        assert status == error.status != 0
        words: Callable[[int], bytes] = self.library.savanna_status_text
        return words(status).decode(), error.message.decode()

    def close(self) -> None:
        """Free all handles."""
        for kind, handle in self.handles:
            variable = c_void_p(handle)
            self.call(f"{kind}_free", byref(variable))
            assert variable.value is None
        self.handles.clear()


def assert_same_tally(tally: Tally, stats: sv.Stats) -> None:
    """Hold a tally of C to the statistics of Python."""
    teams = len(stats.win_share)
    assert tally.games == stats.games
    sums = [sum(score * int(games) for score, games in enumerate(row)) for row in stats.score_histogram]
    assert list(tally.scores) == sums + [0] * (4 - teams)
    assert list(tally.lines) == [stats.lines_below, stats.lines_above, stats.lines_exact]
    assert list(tally.win_share)[:teams] == list(stats.win_share)
    assert list(tally.win_share_stderr)[:teams] == list(stats.win_stderr)
    assert list(tally.mean_score)[:teams] == list(stats.mean_score)
    # Every game has winners: a win shared by k teams is counted by each of them.
    assert sum(tally.wins[team][k] / (k + 1) for team in range(4) for k in range(4)) == pytest.approx(stats.games)
    shares = [sum(tally.wins[team][k] / (k + 1) for k in range(4)) / stats.games for team in range(teams)]
    assert shares == pytest.approx(list(stats.win_share))
