"""The command `savanna convert`: from every form of record into every other, streaming, and its errors."""

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

import savanna as sv
from savanna.cli import main
from tests.support.command import SAVANNA, START, Terminal, refused, run
from tests.support.game_records import VARIANTS, as_lines, played, whole_game

pytestmark = pytest.mark.thin(3)

GAME = whole_game(sv.Rules(players=3, mice=True), 11)
GAMES = [game for rules in VARIANTS for game in played(rules, 3, seed=1)]


class Convert:
    """The command in this process, which saves the time to start others."""

    def __init__(self, captured: pytest.CaptureFixture[bytes], patch: pytest.MonkeyPatch) -> None:
        self.captured, self.patch = captured, patch

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> bytes:
        """Return the output."""
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        assert main(["convert", *map(str, arguments)]) == 0
        output, errors = self.captured.readouterr()
        assert errors == b""
        return output

    def refused(self, *arguments: str | Path) -> str:
        """Return the line that says why arguments are refused."""
        assert main(["convert", *map(str, arguments)]) == 2
        output, errors = self.captured.readouterr()
        assert output == b""
        line = errors.decode()
        assert re.fullmatch(r"savanna: error: [^\n]+\n", line)
        assert line[:-1].isprintable()
        return line


@pytest.fixture
def convert(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Convert:
    return Convert(capsysbinary, monkeypatch)


def lines_of(games: list[sv.Game]) -> bytes:
    return b"".join(f"{game.to_json()}\n".encode() for game in games)


# From form to form


def test_from_one_game_to_lines_and_back(convert: Convert, tmp_path: Path) -> None:
    one, lines, back = tmp_path / "one.json", tmp_path / "games.jsonl", tmp_path / "back.json"
    GAME.save(one)
    assert convert(one) == convert(one, "--form", "lines") == lines_of([GAME])
    assert convert(one, "--output", lines) == b""
    assert lines.read_bytes() == lines_of([GAME])
    assert convert(lines, "--output", back) == b""
    assert back.read_bytes() == one.read_bytes() == convert(lines, "--form", "game")
    assert convert(one, "--output", one) == b""  # onto itself
    assert sv.Game.load(one) == GAME
    assert sorted(os.listdir(tmp_path)) == ["back.json", "games.jsonl", "one.json"]  # noqa: PTH208


@pytest.mark.parametrize("indent", [2, "\t", None])
def test_one_game_by_other_programs_is_read(convert: Convert, tmp_path: Path, indent: int | str | None) -> None:
    path = tmp_path / "game"
    path.write_text("\n " + json.dumps(GAME.to_dict(), indent=indent).replace('{"format":', '{ "format":\n', 1))
    assert convert(path) == lines_of([GAME])


def test_many_games_keep_their_order(convert: Convert, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES))
    assert convert(path) == lines_of(GAMES)
    assert convert(path, "--output", path) == b""
    assert list(sv.Game.load_all(path)) == GAMES
    for number in (0, 7, len(GAMES) - 1):
        assert convert(path, "--game", str(number)) == lines_of([GAMES[number]])
    assert convert(path, "--game", "7", "--form", "game") == f"{GAMES[7].to_json(indent=True)}\n".encode()
    assert convert("-", stdin=as_lines(GAMES)) == lines_of(GAMES)
    assert convert("-", stdin=b"") == b""


def test_it_works_in_a_pipe() -> None:
    result = subprocess.run([*SAVANNA, "convert", "-"], input=as_lines(GAMES), capture_output=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, lines_of(GAMES), b"")


def test_standard_input_may_hold_any_form(convert: Convert, tmp_path: Path) -> None:
    assert convert("-", "--form", "game", stdin=GAME.to_json(indent=True).encode()).decode() == (
        f"{GAME.to_json(indent=True)}\n"
    )
    with (tmp_path / "log").open("w") as file:
        sv.tournament([sv.players.Random(), sv.players.Greedy()], deals=1, seed=1, log=file.name)
    assert convert("-", stdin=(tmp_path / "log").read_bytes()) == convert(tmp_path / "log") != b""


def test_public_records_hold_nothing_hidden(convert: Convert, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines([GAME, *GAMES]))
    output = convert(path, "--public")
    assert output == b"".join(f"{game.public().to_json()}\n".encode() for game in (GAME, *GAMES))
    assert b"begins" not in output  # an annotation
    public = tmp_path / "public.json"
    convert(path, "--public", "--game", "0", "--output", public)
    assert sv.PublicGame.load(public) == GAME.public()
    # A public record stays one, in whichever form.
    assert convert(public) == convert(public, "--public") == f"{GAME.public().to_json()}\n".encode()
    assert convert("-", "--form", "game", stdin=output.splitlines()[0]) == public.read_bytes()


def test_logs_of_tournaments_become_games(convert: Convert, tmp_path: Path) -> None:
    class Wrong:
        name = "Wrong"

        def choose(self, view: sv.View) -> str:
            if view.ply >= 5:
                raise RuntimeError("no \x1b idea")
            return str(view.legal_moves()[0])

    log = tmp_path / "log"
    players: dict[str, sv.players.Player] = {"Ann": sv.players.Random(), "Bo": sv.players.Greedy(), "Wrong": Wrong()}
    result = sv.tournament(players, rules=sv.Rules(players=4, team_game=True), deals=2, seed=3, log=log)
    log.write_bytes(log.read_bytes() + b'{"game":12,"deal"')  # torn, as when the tournament was stopped
    convert(log, "--output", tmp_path / "games.jsonl")
    games = list(sv.Game.load_all(tmp_path / "games.jsonl"))
    assert len(games) == len(result.games) == 12
    lost = 0
    for number, (game, written) in enumerate(zip(games, result.games, strict=True)):
        assert list(game.positions) == result.replay(number)
        assert (game.names, game.started) == (written.seats, None)
        assert game.scores == written.scores
        if written.failed is None:
            assert (game.winners, game.annotations) == (written.winners, {})
        else:
            lost += 1
            remark = f"Seat {written.failed} has lost: exception: RuntimeError: no \\x1b idea"
            assert game.annotations == {len(game): remark}
    assert lost == 8


# In between


def test_a_progress_bar_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES) * 30)
    terminal = Terminal()
    process = terminal.start(["convert", str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    output = process.stdout.read()
    while terminal.read():
        pass
    terminal.close()
    assert process.wait() == 0
    process.stdout.close()
    assert output == lines_of(GAMES) * 30
    size = path.stat().st_size
    text = terminal.seen.decode()
    assert re.search(rf"bytes .*[━╺╸].* [0-9]+%.* [1-9][0-9]*/{size}", text)
    assert f"{size}/{size}" in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1


def test_it_streams_in_flat_memory() -> None:
    """The first games come out while the last ones are yet to go in, and those before are forgotten."""
    resident = []
    with subprocess.Popen([*SAVANNA, "convert", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, block = process.stdin, as_lines(GAMES)
        feeder = threading.Thread(target=lambda: [stdin.write(block) for _ in range(200)])
        feeder.start()
        for number in range(150 * len(GAMES)):
            assert process.stdout.readline()
            if number % 100 == 99:
                resident.append(psutil.Process(process.pid).memory_info().rss)
        assert process.poll() is None
        rest = process.stdout
        collector = threading.Thread(target=rest.read)
        collector.start()
        feeder.join()
        stdin.close()
        collector.join()
    assert process.returncode == 0
    assert len(resident) == 36
    assert resident[-1] - resident[5] < 1 << 20


def test_ctrl_c_is_130_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    command = [*SAVANNA, "convert", "-", "--output", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(lines_of(GAMES) * 20)
        process.stdin.flush()
        while sum(it.stat().st_size for it in tmp_path.iterdir()) <= len("old"):  # the temporary file has something
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b"savanna: interrupted\n"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_reader_that_leaves_early_and_a_full_disk_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_lines(GAMES) * 20)
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*SAVANNA, "convert", path], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (1, b"")
    limited = ["sh", "-c", 'ulimit -f 1 && exec "$@"', "sh", *SAVANNA, "convert", str(path)]
    with (tmp_path / "output").open("wb") as target:
        result = subprocess.run(limited, stdout=target, stderr=subprocess.PIPE, check=False)
    assert (result.returncode, result.stderr) == (1, b"savanna: error: cannot write the output: File too large\n")
    result = subprocess.run([*limited, "--output", tmp_path / "new"], stderr=subprocess.PIPE, check=False)
    assert result.stderr == f"savanna: error: {tmp_path}/new: File too large\n".encode()
    assert result.returncode == 2
    assert sorted(os.listdir(tmp_path)) == ["games.jsonl", "output"]  # noqa: PTH208


# Bad input

FILES: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n \n",
    "two": as_lines(GAMES[:2]),
    "text": b"notes\n",
    "cut": GAME.to_json(indent=True).encode()[:-9],
    "torn": as_lines([GAME])[:-9],
    "wrong": GAME.to_json(indent=True).replace('"version": 1', '"version": 2').encode(),
    "third": as_lines(GAMES[:2]) + b"\n" + b'{"format":"savanna-ten game","version":3}\n',
    "public": GAME.public().to_json().replace('"total":1', '"total":4', 1).encode(),
    "latin": b"\xff\n",
    "deep": b"[" * 10**5,
    "long": b"{" + b" " * 2**21,
    "header": b'{"format":1,"sprt":null}\n',
    "list": b"[1]\n",
    "position": f"\n{START}\r\n".encode(),
    "view": f"{sv.Position.parse(START).view(1)}\n".encode(),
}
BAD_INPUT = [
    (["empty", "--form", "game"], "/empty: it holds no game"),
    (["empty", "--game", "0"], "/empty: there is no game 0, it holds 0"),
    (["blank", "--form", "game"], "/blank: it holds no game"),
    (["two", "--form", "game"], "/two: it holds more than one game, choose one by --game"),
    (["two", "--game", "2"], "/two: there is no game 2, it holds 2"),
    (["two", "--game", "-1"], "--game must be 0 to 1000000000000000, got -1"),
    (["two", "--game", "x"], "'x' is not a whole number"),
    (["two", "--form", "pgn"], "--form must be lines or game, got 'pgn'"),
    (["text"], "/text, line 1: not valid JSON: expecting value at line 1, column 1"),
    (["cut"], "/cut: not valid JSON: "),
    (["torn"], "/torn, line 1: not valid JSON: "),
    (["wrong"], "/wrong: version: must be 1, got 2"),
    (["third", "--output", "new"], "/third, line 4: version: must be 1, got 3"),
    (["public"], "/public, line 1: plies["),
    (["latin"], "/latin, line 1: byte 0 is not UTF-8"),
    (["deep"], "/deep, line 1: it is nested too deeply"),
    (["long"], "/long, line 1: a game has at most 1,048,576 bytes, this is longer"),
    (["header"], "/header': line 1: rules_version: is missing"),
    (["list"], "/list, line 1: must be an object, not a list"),
    (["position"], "/position, line 2: it is the text of a position or a view, and not a game"),
    (["view"], "/view, line 1: it is the text of a position or a view, and not a game"),
    (["none"], "/none: No such file or directory"),
    (["."], ": not a regular file"),
    (["fifo"], "/fifo: not a regular file"),
    (["two", "--output", "."], ": not a regular file"),
    (["two", "--output", "fifo"], "/fifo: not a regular file"),
    (["two", "--output", "none/new"], "/none/new: No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT)
def test_bad_input(convert: Convert, tmp_path: Path, arguments: list[str], words: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    placed = [str(tmp_path / it) if it in (*FILES, "new", "none", "none/new", ".", "fifo") else it for it in arguments]
    told = convert.refused(*placed)
    assert words in told
    assert told.count(str(tmp_path)) <= 1
    assert sorted(os.listdir(tmp_path)) == sorted([*FILES, "fifo"])  # noqa: PTH208


def test_bad_input_to_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "third").write_bytes(FILES["third"])
    refused(["convert"], "missing argument 'FILE'")
    refused(["convert", str(tmp_path)], f"{tmp_path}: not a regular file")
    refused(["convert", str(tmp_path / "third"), "--output", str(tmp_path / "x")], "/third, line 4: version: must be 1")


@pytest.mark.parametrize(
    ("closed", "words"), [("0<&-", "standard input is closed"), (">&-", "standard output is closed")]
)
def test_closed_streams_are_one_line(closed: str, words: str) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *SAVANNA, "convert", "-"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (2, b"", f"savanna: error: {words}\n".encode())


def test_a_log_that_was_changed_is_refused(convert: Convert, tmp_path: Path) -> None:
    log = tmp_path / "log"
    sv.tournament([sv.players.Random(), sv.players.Greedy()], deals=2, seed=1, log=log)
    lines = log.read_bytes().splitlines(keepends=True)
    for content, words in (
        ([*lines[:2], lines[3]], "line 3: game: must be 1 here, got 2"),
        ([*lines, lines[-1]], "it goes on after game 3, with which the tournament ended"),
        ([lines[0].replace(b'"deals":2', b'"deals":0'), *lines[1:]], "line 1: deals must be"),
    ):
        log.write_bytes(b"".join(content))
        assert words in convert.refused(log, "--output", tmp_path / "new")
        assert not (tmp_path / "new").exists()


def test_help_lists_every_option() -> None:
    text = run("convert", "--help").stdout
    options = re.findall(r"^  (?:-h, )?(--[a-z-]+)", text, flags=re.MULTILINE)
    assert options == ["--output", "--form", "--game", "--public", "--help"]


def test_twins_are_converted_alike(convert: Convert, tmp_path: Path) -> None:
    from tests.game.test_public import twin

    rng, differ = random.Random(5), 0
    for number, game in enumerate(GAMES[:4]):
        other = sv.Game.from_dict(twin(game.to_dict(), rng))
        game.save(tmp_path / "one")
        other.save(tmp_path / "two")
        differ += game != other
        assert convert(tmp_path / "one", "--public") == convert(tmp_path / "two", "--public"), number
    assert differ > 2
