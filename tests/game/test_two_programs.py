"""Two programs on one file: the second is told who writes, nothing is lost, and a killed program holds nobody up."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import savanna as sv
from savanna import files, locks
from savanna.cli import program
from savanna.players import Greedy, Random
from tests.support.command import ENVIRONMENT, SAVANNA
from tests.support.entrants import Grabber, Steady
from tests.support.game_records import whole_game
from tests.support.keyboard import HOW, keyboard
from tests.support.paths import ROOT

GAME = whole_game(sv.Rules(), 5)
MOVES = [f"{move}\n" for move in GAME.moves]


def python(text: str, *arguments: object) -> "subprocess.Popen[str]":
    """Start a program in Python."""
    return subprocess.Popen(
        [sys.executable, "-c", text, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def only(folder: Path, *names: str) -> None:
    """Check that nothing is left beside the files."""
    assert sorted(os.listdir(folder)) == sorted(names)  # noqa: PTH208


# ------------------------------------------------------------------------------------------------------------ one log

HOLDER = """
import sys, savanna as sv
from tests.support.entrants import Grabber, Steady
class Waits(Steady):
    def __repr__(self):
        return repr(Steady()).split(" at ")[0] + ">"
    def choose(self, view):
        if len(open(sys.argv[1], "rb").read().splitlines()) > 2:
            print("waits", flush=True)
            sys.stdin.read()
        return super().choose(view)
sv.tournament({"a": Waits(), "b": Grabber()}, deals=3, seed=4, log=sys.argv[1], threads=1)
"""


@pytest.mark.parametrize("by", ["name", "link"])
def test_a_second_tournament_is_told_who_writes_the_log(tmp_path: Path, by: str) -> None:
    path, link = tmp_path / "log", tmp_path / "link"
    link.symlink_to(path)
    holder = python(HOLDER, path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "waits\n"
    before = path.read_bytes()
    assert before.count(b"\n") == 3
    who = rf"it is being written by process {holder.pid} on {socket.gethostname()} since 20[-0-9T:]*Z$"
    for resume in (True, False):
        with pytest.raises(sv.RecordError, match=who):
            sv.tournament([Random(), Greedy()], log=path if by == "name" else link, resume=resume)
    assert path.read_bytes() == before
    holder.kill()
    holder.communicate()
    result = sv.tournament({"a": Steady(), "b": Grabber()}, deals=3, seed=4, log=path, resume=True)
    assert result == sv.tournament({"a": Steady(), "b": Grabber()}, deals=3, seed=4)
    assert path.read_bytes().startswith(before)
    only(tmp_path, "log", "link")


def test_threads_of_one_program_do_not_share_a_log_either(tmp_path: Path) -> None:
    with locks.held(tmp_path / "log"), pytest.raises(sv.RecordError, match=f"written by process {os.getpid()} on "):
        sv.tournament([Random(), Greedy()], log=tmp_path / "log")
    only(tmp_path)


def test_a_lock_that_says_nothing_holds_too(tmp_path: Path) -> None:
    with locks.held(tmp_path / "log"):
        (tmp_path / ".log.lock").write_bytes(b" torn")
        with pytest.raises(sv.RecordError, match=r"^log '.*': it is being written by another program$"):
            sv.tournament([Random(), Greedy()], log=tmp_path / "log")


# --------------------------------------------------------------------------------------------------- games line by line

APPENDING = """
import sys, savanna as sv
game = sv.Game.load(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(10):
    game.annotate(0, f"{sys.argv[3]} {number}")
    game.append(sys.argv[2])
"""


def test_programs_that_append_at_once_tear_no_line(tmp_path: Path) -> None:
    one, path = tmp_path / "one.json", tmp_path / "games.jsonl"
    GAME.save(one)
    started = [python(APPENDING, one, path, number) for number in range(3)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.wait(60) for process in started] == [0, 0, 0]
    for process in started:
        process.communicate()
    remarks = [game.annotations[0] for game in sv.Game.load_all(path)]
    assert sorted(remarks) == sorted(f"{process} {number}" for process in range(3) for number in range(10))
    only(tmp_path, "one.json", "games.jsonl")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_what_is_appended_ends_as_the_first_line_does(tmp_path: Path, mark: bytes) -> None:
    path, line = tmp_path / "games.jsonl", GAME.to_json().encode()
    for end in (b"\n", b"\r\n"):
        path.write_bytes(mark + line + end + line)
        GAME.append(path)
        GAME.append(path)
        assert path.read_bytes() == mark + (line + end) * 4
        assert list(sv.Game.load_all(path)) == [GAME] * 4


def test_long_names_of_files_can_be_locked(tmp_path: Path) -> None:
    path = tmp_path / ("長" * 83)  # 249 bytes of the 255 that most systems allow
    GAME.append(path)
    GAME.save(path)
    with locks.held(path), pytest.raises(sv.RecordError, match="it is being written by process"), locks.held(path):
        pass
    only(tmp_path, path.name)


# ------------------------------------------------------------------------------------------------------ one saved game


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    sv.Game(GAME.start, ["Ann", "Bo"]).save(path)
    return path


TOLD = "another program has written it, so it is not written over"


def test_a_game_that_was_saved_by_another_program_is_not_written_over(saved: Path) -> None:
    command = [*SAVANNA, "play", "human:Ann", "human:Bo", "--load", str(saved)]
    playing = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=ENVIRONMENT
    )
    assert playing.stdin is not None
    playing.stdin.write(MOVES[0])
    playing.stdin.flush()
    while len(sv.Game.load(saved)) == 0:
        pass
    other = sv.Game.load(saved)
    other.annotate(0, "from the other terminal")
    other.save(saved)
    elsewhere = saved.with_name("other.json")
    told, _ = playing.communicate("".join([MOVES[1], MOVES[2], f"save {elsewhere}\n", MOVES[3]]))
    assert f"The game could not be saved: {saved}: {TOLD}." in told
    assert told.count(TOLD) == 1
    assert "It is not saved from now on, unless 'save FILE' gives it another file." in told
    assert sv.Game.load(saved) == other
    assert sv.Game.load(elsewhere).moves == GAME.moves[:4]
    only(saved.parent, "game.json", "other.json")


def test_a_person_is_asked_for_another_file(saved: Path) -> None:
    elsewhere = saved.with_name("other.json")
    with keyboard("play", "random", "human:Bo", "--load", str(saved)) as person:
        assert person.wait(HOW)
        seen = sv.Game.load(saved)
        seen.annotate(0, "changed")
        seen.save(saved)
        person.press(f"{seen.position.view(seen.to_move or 0).legal_moves()[0]}\n")
        person.wait(TOLD)
        person.enter(str(saved), "saves the game there> ")
        assert "is there already" in person.enter(f'"{elsewhere}"', "saves the game there> ")
        person.enter("quit", HOW)
        person.end()
    assert sv.Game.load(saved) == seen
    assert len(sv.Game.load(elsewhere)) > len(seen)


def test_a_file_that_is_gone_is_written_again(saved: Path) -> None:
    known = saved.read_bytes()
    saved.unlink()
    files.replace_known(saved, b"new", known)
    assert saved.read_bytes() == b"new"
    with pytest.raises(files.ChangedError, match=TOLD):
        files.replace_known(saved, b"newer", None)
    assert saved.read_bytes() == b"new"


# ---------------------------------------------------------------------------------------------------- exports, folders


def test_two_programs_do_not_export_into_one_file(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = saved.with_name("games.jsonl")
    with locks.held(target):
        assert program.run(["convert", str(saved), "--output", str(target)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"savanna: error: {target}: it is being written by process {os.getpid()} on ")
    assert not target.exists()
    assert program.run(["convert", str(saved), "--output", str(target)]) == 0
    only(saved.parent, "game.json", "games.jsonl")


def test_calls_that_begin_in_one_empty_folder_do_not_mix(tmp_path: Path) -> None:
    from savanna.distributed import store

    folder, told = tmp_path / "folder", []
    ready = threading.Barrier(6)

    def begin(number: int) -> Callable[[], None]:
        def call() -> None:
            ready.wait(30)
            try:
                store.opened(folder, "json", {"call": number})
                told.append("")
            except sv.RecordError as error:
                told.append(str(error))

        return call

    threads = [threading.Thread(target=begin(number)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert told.count("") == 1
    assert sum("it was begun by another call: call is " in text for text in told) == 5
    only(folder.with_name(f"{folder.name}.savanna"), "call.json")
    assert list(folder.iterdir()) == []
