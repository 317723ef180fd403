"""What the header says in words: its languages, its texts and numbers, and the stack that a call takes."""

import re
import sys
import threading
from pathlib import Path

import pytest

import savanna as sv
from tests.support.both_engines import random_game
from tests.support.capi_library import HEADER, LINES, MOST_FILLED, MOST_MOVES, Library, build, constant, run
from tests.support.paths import ROOT
from tests.support.tools import require_tool

SAID = HEADER.read_text(encoding="utf-8")
STANDARDS = ("c99", "c11", "c2x", "c++11", "c++17")
OPTIONS = "4p,mice,team,deck=2.2.1.1.2,influence=1.2.3.4.5.6,target=12,points=3.2.1,bonus=1,absent"
VIEW = "seat=0 2p ..../..../..../..../.... mg/?? ????????/???????? 0/0"
PROGRAM = """
#include "savanna.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "seat=0 2p ..../..../..../..../.... mg/\\?\\? ???????\\?/???????\\? 0/0";
    SavannaView *view = NULL;
    SavannaError error;
    SavannaStatus status = savanna_view_parse(text, strlen(text), &view, &error);
    printf("%s%s\\n", error.message, text);
    return (int)status | (int)savanna_view_free(&view, NULL);
}
"""


@pytest.fixture(scope="module")
def folder() -> Path:
    return build()


@pytest.fixture
def library(folder: Path) -> Library:
    return Library(folder / "libsavanna_core.so")


@pytest.mark.parametrize("standard", STANDARDS)
def test_programs_in_c99_and_cpp11_or_later_have_no_warning(standard: str, folder: Path, tmp_path: Path) -> None:
    """A literal of a view is written as the header says, or the slashes behind its question marks would be lost."""
    assert "for C99 and C++11 or later" in SAID
    plus = "++" in standard
    source, program = tmp_path / f"main.{'cpp' if plus else 'c'}", tmp_path / "main"
    source.write_text(PROGRAM, encoding="utf-8")
    compiler = require_tool("g++", "clang++", "c++") if plus else require_tool("gcc", "clang", "cc")
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Werror"]
    linked = [f"-L{folder}", "-lsavanna_core", f"-Wl,-rpath,{folder}"]
    command = [compiler, f"-std={standard}", *warnings, f"-I{HEADER.parent}", str(source), *linked, "-o", str(program)]
    run(command)
    assert run([str(program)]).stdout == f"{VIEW}\n"
    assert str(sv.View.parse(VIEW)) == VIEW


def test_spaces_and_animals_are_numbered_as_is_said(library: Library) -> None:
    said = SAID.partition("#define SAVANNA_SPACES ")[0]
    spaces = re.findall(r"\b[a-e][1-5]\b", said[said.rindex("/*") :])
    assert len(spaces) == int(constant("SAVANNA_SPACES")) == 20
    said = SAID.partition("#define SAVANNA_ACTIONS ")[0]
    animals = re.findall(r"monkey|zebra|giraffe|elephant|mouse", said[said.rindex("/*") :])
    faces = ("", "lion ")
    moves = [f"{animal} {face}{space}" for animal in animals for face in faces for space in spaces]
    assert len(moves) == int(constant("SAVANNA_ACTIONS")) == 200
    assert [library.text("move_text", action) for action in range(200)] == moves


def test_no_position_has_more_moves_than_is_said(library: Library) -> None:
    """The first move of two animals in the hand has the most."""
    assert int(constant("SAVANNA_MAX_MOVES")) == MOST_MOVES
    rules = library.parse("rules", "2p")
    starts = [library.legal("position", library.make("position_deal", rules, seed)) for seed in range(10)]
    assert max(map(len, starts)) == MOST_MOVES
    library.close()


def test_lines_are_as_many_and_as_long_as_is_said(library: Library) -> None:
    """The last move of a game fills all lines through its space."""
    names = ("SAVANNA_LINES", "SAVANNA_LINE_SPACES", "SAVANNA_MAX_FILLED")
    through = [sum(space in line for line in sv.LINES) for space in sv.SPACES]
    assert [int(constant(name)) for name in names] == [len(sv.LINES), max(map(len, sv.LINES)), max(through)]
    assert (len(sv.LINES), max(through)) == (LINES, MOST_FILLED)
    most = set()
    for seed in range(20):
        *_, position, _ = random_game(sv.Position.deal(sv.Rules(), seed), seed)
        move, handle = position.legal_moves()[0], library.parse("position", str(position))
        filled = len(library.preview("position", handle, move.action))
        assert filled == through[sv.SPACES.index(move.space)]
        most.add(filled)
    assert max(most) == MOST_FILLED
    library.close()


def test_texts_are_what_is_said(library: Library) -> None:
    position = re.search(r'such as "(\dp [^"]*)"', " ".join(SAID.split()))
    assert position is not None
    handle, it = library.parse("position", position[1]), sv.Position.parse(position[1])
    assert library.text("position_text", handle) == str(it) == position[1]
    said = SAID.partition("SavannaStatus savanna_rules_text(")[0]
    options = re.findall(r'"([a-z]{2,}[^"]*)"', said[said.rindex("/*") :])
    assert [option.partition("=")[0] for option in options] == [it.partition("=")[0] for it in OPTIONS.split(",")[1:]]
    assert library.text("rules_text", library.parse("rules", OPTIONS)) == OPTIONS
    rules = sv.Rules()
    lists = [*rules.deck.values()], [*rules.influence.values()], [rules.target], rules.points, [rules.last_seat_bonus]
    assert [it.partition("=")[2] for it in options if "=" in it] == [".".join(map(str, numbers)) for numbers in lists]
    library.close()


def work_on_little_stack(folder: Path) -> None:
    """Let a thread of as little stack as is said play, and think in every position of a game."""
    library, done = Library(folder / "libsavanna_core.so"), []

    def work() -> None:
        for text in ("2p", "3p,mice"):
            position = library.make("position_deal", library.parse("rules", text), 1)
            while legal := library.legal("position", position):
                view = library.make("position_view", position, library.state("position", position).to_move)
                for policy in range(3):
                    library.rollout("view", view, library.options(games=200, policy=policy, threads=1))
                library.analyse(view, library.effort(iterations=100, threads=1))
                position = library.make("position_play", position, legal[0])
                done.append(position)
        library.close()

    said = re.search(r"at least \* (\d+) KB of stack", " ".join(SAID.split()))
    assert said is not None
    threading.stack_size(int(said[1]) * 1024)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    print(len(done), "moves")


def test_a_thread_of_the_stack_that_is_said_will_do(folder: Path) -> None:
    """Run in a process of its own, which an overflow would end."""
    program = "import sys, pathlib, tests.capi.test_header as it; it.work_on_little_stack(pathlib.Path(sys.argv[1]))"
    path = [str(ROOT), *sys.path]
    said = run([sys.executable, "-c", program, str(folder)], env={"PYTHONPATH": ":".join(path)}).stdout
    assert said == "40 moves\n"
