"""Files of games: nothing is lost in writing, nothing is believed in reading, and memory stays flat."""

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import savanna as sv
from tests.support.game_records import VARIANTS, as_lines, played, whole_game

GAME = whole_game(sv.Rules(players=3, mice=True), 11)
PUBLIC = GAME.public()
GAMES = [game for rules in VARIANTS for game in played(rules, 3, seed=1)]
LIMIT = 2**20
LOADERS: dict[str, Callable[[Path], object]] = {
    "load": sv.Game.load,
    "load_all": lambda path: list(sv.Game.load_all(path)),
    "public load": sv.PublicGame.load,
    "public load_all": lambda path: list(sv.PublicGame.load_all(path)),
}
WRITERS: dict[str, Callable[[Path], object]] = {"save": GAME.save, "append": GAME.append}


def refusal(call: Callable[[Path], object], path: Path) -> str:
    """Return why something cannot be read or written, without the path before it."""
    with pytest.raises(sv.RecordError) as caught:
        call(path)
    text = str(caught.value)
    assert text.isprintable()
    assert text.startswith(f"{path}")
    return text.removeprefix(f"{path}")


def only(folder: Path, *names: str) -> None:
    """Check that a folder holds these files and nothing else: no temporary ones."""
    assert sorted(os.listdir(folder)) == sorted(names)  # noqa: PTH208 -- names alone


# Writing and reading back


def test_a_game_is_saved_indented_and_loads(tmp_path: Path) -> None:
    for game, kind in ((GAME, sv.Game), (PUBLIC, sv.PublicGame)):
        for path in (tmp_path / "game.json", str(tmp_path / "game.json")):
            game.save(path)
            assert (tmp_path / "game.json").read_bytes() == f"{game.to_json(indent=True)}\n".encode()
            assert kind.load(path) == game
    only(tmp_path, "game.json")


def test_games_are_appended_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for number, game in enumerate(GAMES, start=1):
        game.append(path)
        assert path.read_bytes().count(b"\n") == number
    assert list(sv.Game.load_all(path)) == GAMES
    public = tmp_path / "public.jsonl"
    for game in GAMES:
        game.public().append(public)
    assert list(sv.PublicGame.load_all(public)) == [game.public() for game in GAMES]


def test_lines_by_other_programs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES).replace(b"\n", b"\r\n", 3).replace(b"\n", b"\n\n \t\n", 2))
    assert list(sv.Game.load_all(path)) == GAMES
    path.write_bytes(as_lines(GAMES).rstrip(b"\n"))
    assert list(sv.Game.load_all(path)) == GAMES
    GAME.append(path)  # after a line without its end
    assert list(sv.Game.load_all(path)) == [*GAMES, GAME]
    path.write_bytes(b"")
    assert list(sv.Game.load_all(path)) == []
    GAME.append(path)
    assert list(sv.Game.load_all(path)) == [GAME]


def test_games_are_read_as_they_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES[:2]) + b"nonsense\n")
    games = sv.Game.load_all(path)
    assert [next(games), next(games)] == GAMES[:2]
    with pytest.raises(
        sv.RecordError, match=r"games.jsonl, line 3: not valid JSON: expecting value at line 1, column 1"
    ):
        next(games)


def test_the_error_names_file_line_and_field(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = GAME.to_dict()
    record["moves"][7] = f"zebra {record['moves'][0].split()[-1]}"
    path.write_bytes(as_lines(GAMES[:1]) + b"\n" + json.dumps(record).encode())
    taken = record["moves"][0].split()[-1]
    assert refusal(LOADERS["load_all"], path) == f", line 3: moves[7]: {taken} is already taken"


def test_threads_append_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def append_all() -> None:
        for game in GAMES:
            game.append(path)

    threads = [threading.Thread(target=append_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    games = [game.to_json() for game in sv.Game.load_all(path)]
    assert sorted(games) == sorted(4 * [game.to_json() for game in GAMES])


# What an old file goes through


def test_saving_keeps_links_and_permissions(tmp_path: Path) -> None:
    old, link = tmp_path / "old.json", tmp_path / "link.json"
    old.write_text("old")
    old.chmod(0o640)
    link.symlink_to("old.json")
    GAME.save(link)
    assert link.is_symlink()
    assert sv.Game.load(old) == sv.Game.load(link) == GAME
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    fresh = tmp_path / "fresh.json"
    GAME.save(fresh)
    (tmp_path / "touched").touch()
    assert fresh.stat().st_mode == (tmp_path / "touched").stat().st_mode
    only(tmp_path, "old.json", "link.json", "fresh.json", "touched")


@pytest.mark.parametrize("step", ["fsync", "write", "replace"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "write":
        monkeypatch.setattr(os, "fdopen", lambda descriptor, *_, **__: Failing(descriptor, fail))
    else:
        monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    assert refusal(GAME.save, path) == ": No space left on device"
    monkeypatch.undo()
    assert path.read_text() == "old"
    only(tmp_path, "game.json")


class Failing:
    """A file on a disk that is full."""

    def __init__(self, descriptor: int, fail: Callable[..., None]) -> None:
        self.descriptor, self.write = descriptor, fail

    def close(self) -> None:
        os.close(self.descriptor)


def test_ctrl_c_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        GAME.save(path)
    monkeypatch.undo()
    assert path.read_text() == "old"
    only(tmp_path, "game.json")


def test_a_full_disk_leaves_what_was_appended(tmp_path: Path) -> None:
    """The limit of the size of files stands for the disk; it falls into the middle of a line."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines([GAME] * 3))
    before = path.read_bytes()
    program = (
        "import resource, signal, sys, savanna as sv\n"
        "game = next(sv.Game.load_all(sys.argv[1]))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
        "for write in (game.append, game.save):\n"
        "    try:\n"
        "        write(sys.argv[1])\n"
        "    except sv.RecordError as error:\n"
        "        print(error)\n"
        "        data = open(sys.argv[1], 'rb').read(); print(data.count(b'\\n'), data[-1:])\n"
    )
    limits = (len(before) + 100, 100)  # of the second file, not even the old length
    for limit, failures in zip(limits, (1, 2), strict=True):
        path.write_bytes(before)
        result = subprocess.run(
            [sys.executable, "-c", program, str(path), str(limit)], capture_output=True, text=True, check=True
        )
        assert result.stdout == f"{path}: File too large\n3 b'\\n'\n" * failures
        assert path.read_bytes() == (before if failures == 2 else f"{GAME.to_json(indent=True)}\n".encode())
        only(tmp_path, "games.jsonl")


@pytest.mark.parametrize(
    "content",
    [f"{GAME.to_json(indent=True)}\n", "notes\n", "{}\n", "\n", "\x00", '["format"]', f"{' ' * LIMIT}{GAME.to_json()}"],
)
def test_nothing_is_appended_to_other_files(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert refusal(GAME.append, path) == ": not a file of games line by line, so nothing was added"
    assert path.read_text() == content


# Things that are no files, and hostile ones


@pytest.mark.parametrize("name", [*LOADERS, *WRITERS])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    call = {**LOADERS, **WRITERS}[name]
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for special in ("fifo", "link", "folder"):
        assert refusal(call, tmp_path / special) in (": not a regular file", ": Is a directory")
    assert refusal(call, Path("/dev/null")) == ": not a regular file"
    assert refusal(call, tmp_path / "loop" / "x") == ": Too many levels of symbolic links"
    assert refusal(call, tmp_path / "fifo" / "x") == ": Not a directory"
    assert refusal(call, tmp_path / "none" / "x") == ": No such file or directory"
    with pytest.raises(sv.RecordError, match=r"a\\x00b: embedded null"):
        call(Path("a\0b"))
    with pytest.raises(sv.RecordError, match=r"\\n\\u2028: No such file"):
        call(tmp_path / "none" / "\n\u2028")
    long = tmp_path / ("x" * 300)
    with pytest.raises(sv.RecordError, match=r"^\.\.\.x{117}: File name too long$"):
        call(long)
    assert sorted(os.listdir(tmp_path)) == ["fifo", "folder", "link", "loop"]  # noqa: PTH208


@pytest.mark.parametrize("name", LOADERS)
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    assert refusal(LOADERS[name], tmp_path / "none") == ": No such file or directory"


def test_a_file_of_several_games_is_not_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES[:2]))
    text = refusal(sv.Game.load, path)
    assert text == ": it goes on after the first game at line 2, column 1; load_all reads games line by line"
    path.write_bytes(as_lines(GAMES[:1]))
    assert sv.Game.load(path) == GAMES[0]


HOSTILE: dict[str, tuple[bytes, str]] = {
    "brackets": (b"[" * (LIMIT - 1), "it is nested too deeply"),
    "objects": (b'{"format":' * 10**5, "it is nested too deeply"),
    "digits": (b'{"format":' + b"9" * (LIMIT - 99), "a number of 1048477 digits is too long"),
    "latin": ("ä".encode("latin-1"), "byte 0 is not UTF-8"),
    "wide": ("{}".encode("utf-16"), "it is UTF-16; save it as UTF-8"),
    "unmarked": ("{}".encode("utf-16-le"), "it is UTF-16 or no text at all; save it as UTF-8"),
    "nothing": (b"\x00", "not valid JSON: expecting value at line 1, column 1"),
    "double": (b'{"a":1,"a":1}', "key 'a' comes twice"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("loader", LOADERS)
def test_hostile_content(tmp_path: Path, name: str, loader: str) -> None:
    path = tmp_path / "file"
    content, words = HOSTILE[name]
    path.write_bytes(content)
    assert refusal(LOADERS[loader], path) == (", line 1: " if "all" in loader else ": ") + words


@pytest.mark.parametrize("loader", LOADERS)
def test_an_endless_line_is_refused_early(tmp_path: Path, loader: str) -> None:
    """The file has a gigabyte, of which next to nothing is on the disk or ever read."""
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(b'{"format":"')
        file.truncate(2**30)
    process = psutil.Process()
    before, read = process.memory_info().rss, process.io_counters().read_chars
    text = refusal(LOADERS[loader], path)
    assert text.removeprefix(", line 1") == ": a game has at most 1,048,576 bytes, this is longer"
    assert process.io_counters().read_chars - read < 3 * LIMIT
    assert process.memory_info().rss - before < 8 * LIMIT


def test_the_longest_game_is_within_the_limit(tmp_path: Path) -> None:
    game = whole_game(sv.Rules(players=4, mice=True), 1)
    longest = sv.Game(game.start, ["\U0001f981" * 100] * 4)
    for move in game.moves:
        longest.play(move)
    for ply in range(21):
        longest.annotate(ply, "\U0001f981" * 2000)
    escaped = json.dumps(longest.to_dict(), indent=8)
    assert len(escaped) < LIMIT
    assert sv.Game.from_json(escaped) == longest
    longest.save(tmp_path / "game.json")
    assert sv.Game.load(tmp_path / "game.json") == longest
    assert sv.PublicGame.from_json(longest.public(annotations=True, reveal=True).to_json(indent=True)).plies


def test_many_games_are_read_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES) * 300)

    def resident() -> Iterator[int]:
        process = psutil.Process()
        for number, _ in enumerate(sv.Game.load_all(path)):
            if number % 1000 == 500:
                yield process.memory_info().rss

    memory = list(resident())
    assert len(memory) == 24 * 300 // 1000
    assert max(memory) - memory[0] < LIMIT


def test_a_file_is_closed_when_nobody_reads_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES))
    before = psutil.Process().num_fds()
    games: Any = sv.Game.load_all(path)
    next(games)
    assert psutil.Process().num_fds() == before + 1
    games.close()
    assert psutil.Process().num_fds() == before
    for name in LOADERS:
        with pytest.raises(sv.RecordError):
            LOADERS[name](tmp_path)
    assert psutil.Process().num_fds() == before
