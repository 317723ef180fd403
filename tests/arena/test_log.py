"""The log of a tournament: the same to the byte whatever plays it, replayable, and to be continued from any byte."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import savanna as sv
from savanna import arena, reference
from tests.support.entrants import Dice, Grabber, Steady
from tests.support.full import count
from tests.support.paths import ROOT

pytestmark = pytest.mark.thin(3)

RULES = sv.Rules(players=3, mice=True)
CALL = "sv.tournament([Dice(), Steady(), Grabber()], rules=sv.Rules(players=3, mice=True), deals=4, seed=6, {})"


def play(log: Path | None, **options: Any) -> arena.Tournament:
    return sv.tournament([Dice(), Steady(), Grabber()], rules=RULES, deals=4, seed=6, log=log, **options)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("expected") / "log"
    play(path, threads=1)
    return path.read_bytes()


# The same to the byte


@pytest.mark.parametrize("options", [{"threads": 2}, {"threads": 4}, {}], ids=str)
def test_threads_do_not_show(options: dict[str, Any], expected: bytes, tmp_path: Path) -> None:
    assert play(tmp_path / "log", **options) == play(None, threads=1)
    assert (tmp_path / "log").read_bytes() == expected


def test_nor_does_a_thread_that_is_not_the_main_one(expected: bytes, tmp_path: Path) -> None:
    thread = threading.Thread(target=play, args=(tmp_path / "log",), kwargs={"threads": 2})
    thread.start()
    thread.join(60)
    assert (tmp_path / "log").read_bytes() == expected


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("option", ["-O", "-OO", "-Xdev"])
def test_nor_does_another_interpreter(option: str, threads: int, expected: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    call = CALL.format(f"threads={threads}, log={str(path)!r}")
    program = f"import savanna as sv; from tests.support.entrants import *; {call}"
    subprocess.run([sys.executable, option, "-c", program], check=True, cwd=ROOT, timeout=60)
    assert path.read_bytes() == expected


def test_nor_does_a_fork(expected: bytes, tmp_path: Path) -> None:
    play(None, threads=2)
    child = os.fork()
    if child == 0:  # nothing of pytest may run on in the child
        try:
            play(tmp_path / "log", threads=2)
        finally:
            os._exit(0)
    deadline = time.monotonic() + 30
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
    assert (tmp_path / "log").read_bytes() == expected


def test_a_player_without_a_repr_is_the_same_in_every_process(tmp_path: Path) -> None:
    sv.tournament([Steady(), Steady()], deals=1, log=tmp_path / "log")
    head = json.loads((tmp_path / "log").read_bytes().splitlines()[0])
    assert head["players"] == [
        {"name": "Steady", "repr": "<tests.support.entrants.Steady object>"},
        {"name": "Steady #2", "repr": "<tests.support.entrants.Steady object>"},
    ]


# What is in it


def test_first_line_says_what_is_played(expected: bytes) -> None:
    assert json.loads(expected.splitlines()[0]) == {
        "format": 1,
        "savanna": sv.__version__,
        "rules_version": sv.RULES_VERSION,
        "rules": "3p,mice",
        "seed": 6,
        "deals": 4,
        "players": [
            {"name": "Dice(seed=0)", "repr": "Dice(seed=0)"},
            {"name": "Steady", "repr": "<tests.support.entrants.Steady object>"},
            {"name": "Grabber", "repr": "<tests.support.entrants.Grabber object>"},
        ],
        "time_limit": None,
        "sprt": None,
    }


def test_every_other_line_is_a_game_that_the_reference_can_replay(expected: bytes) -> None:
    head, *lines = map(json.loads, expected.splitlines())
    rules = reference.Rules.parse(head["rules"])
    assert len(lines) == 4 * 6
    for number, game in enumerate(lines):
        assert (game["game"], game["deal"], game["reason"], game["failed"]) == (number, number // 6, "played", None)
        position = reference.Position.from_decks(rules, game["decks"])
        for move in game["moves"]:
            position = position.play(move)
        assert (list(position.scores), list(position.winners)) == (game["scores"], game["winners"])
        assert sorted(game["seats"]) == ["Dice(seed=0)", "Grabber", "Steady"]


@pytest.mark.parametrize("sprt", [None, (0, 40)])
def test_a_log_gives_the_table_back(sprt: Any, tmp_path: Path) -> None:
    result = sv.tournament([Dice(), Grabber()], deals=60, sprt=sprt, time_limit=9, log=tmp_path / "log")
    assert sv.Tournament.load(tmp_path / "log") == result
    assert sv.Tournament.load(str(tmp_path / "log")).replay(3, reference) == result.replay(3, reference)


def test_failures_are_in_it(tmp_path: Path) -> None:
    class Bad:
        def choose(self, view: sv.View) -> str:
            return "\ud800 \u2603\n" if view.ply > 4 else Steady().choose(view)

    result = sv.tournament({"bad \u2603": Bad(), "good": Steady()}, deals=2, log=tmp_path / "log")
    assert result.to_dict()["failures"] == 4
    assert (tmp_path / "log").read_bytes().isascii()
    assert sv.Tournament.load(tmp_path / "log") == result


def test_half_a_tournament_counts_its_complete_deals(expected: bytes, tmp_path: Path) -> None:
    lines = expected.splitlines(keepends=True)
    (tmp_path / "half").write_bytes(b"".join(lines[:16]) + b'{"game":')
    (tmp_path / "deals").write_bytes(b"".join(lines[:13]))
    half, deals = (sv.Tournament.load(tmp_path / name) for name in ("half", "deals"))
    assert (len(half.games), len(deals.games)) == (15, 12)
    assert (half.pairs, half.ratings) == (deals.pairs, deals.ratings)
    assert {pair.deals for pair in half.pairs} == {2}
    (tmp_path / "head").write_bytes(lines[0])
    assert sv.Tournament.load(tmp_path / "head").pairs == ()


# Continued


def test_it_can_be_continued_from_any_byte(tmp_path: Path) -> None:
    def resumed(path: Path, threads: int = 1) -> arena.Tournament:
        return sv.tournament([Steady(), Dice()], deals=1, log=path, resume=True, threads=threads)

    path = tmp_path / "log"
    result = resumed(path)  # there is none yet, so it is begun
    whole = path.read_bytes()
    assert len(whole.splitlines()) == 3
    for length in range(0, len(whole) + 1, count(11, 1)):
        path.write_bytes(whole[:length])
        assert resumed(path, threads=1 + length % 2) == result, length
        assert path.read_bytes() == whole, length


def test_nothing_of_a_torn_line_is_left(expected: bytes, tmp_path: Path) -> None:
    path, lines = tmp_path / "log", expected.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + b"#" * 2 * len(expected))
    play(path, resume=True)
    assert path.read_bytes() == expected


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_log_that_went_through_windows_is_read_and_goes_on_as_it_is(
    mark: bytes, expected: bytes, tmp_path: Path
) -> None:
    path, lines = tmp_path / "log", (mark + expected.replace(b"\n", b"\r\n")).splitlines(keepends=True)
    for whole in (1, 5, len(lines)):
        for torn in (b"", lines[2][:50]):
            path.write_bytes(b"".join(lines[:whole]) + torn)
            assert play(path, resume=True) == play(None)
            assert path.read_bytes() == b"".join(lines)
    assert sv.Tournament.load(path) == play(None)
    path.write_bytes(mark + lines[0][len(mark) : 50])  # torn in the first line: it is begun again
    play(path, resume=True)
    assert path.read_bytes() == expected


def test_a_game_is_in_the_file_before_the_next_one_is_asked_for(tmp_path: Path) -> None:
    path, lengths = tmp_path / "log", []

    class Looking(Steady):
        def choose(self, view: sv.View) -> str:
            if view.ply < 2:
                lengths.append(path.read_bytes().count(b"\n"))
            return super().choose(view)

    sv.tournament([Looking(), Steady()], deals=3, log=path, threads=1)
    assert lengths == [1, 2, 3, 4, 5, 6]


def test_a_test_that_has_ended_stays_ended(tmp_path: Path) -> None:
    path = tmp_path / "log"

    def resumed() -> arena.Tournament:
        return sv.tournament([Dice(), Grabber()], deals=300, sprt=(0, 50), log=path, resume=True, threads=2)

    result = resumed()
    whole = path.read_bytes()
    assert 10 < len(result.games) < 100
    for lines in (1, 6, len(result.games), len(result.games) + 1):
        path.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
        assert resumed() == result
        assert path.read_bytes() == whole


class Interrupting(Steady):
    """Ends the tournament at its so-manieth move."""

    def __init__(self, moves: int, error: BaseException) -> None:
        self.moves, self.error = moves, error

    def __repr__(self) -> str:
        return "Steady()"

    def choose(self, view: sv.View) -> str:
        self.moves -= 1
        if self.moves == 0:
            raise self.error
        return super().choose(view)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_loses_no_game_that_is_over(threads: int, tmp_path: Path) -> None:
    path = tmp_path / "log"
    options: dict[str, Any] = {"deals": 5, "log": path, "threads": threads}
    with pytest.raises(KeyboardInterrupt):
        sv.tournament([Interrupting(37, KeyboardInterrupt()), Dice()], **options)
    # One thread is in its fourth game by then. Of two, one may be ahead of the other, so that the move falls into an
    # earlier game, or into the fifth when one before is not yet over; a sixth would need forty moves.
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) - 1 == 3 if threads == 1 else len(lines) - 1 < 5
    assert all(line.endswith(b"\n") for line in lines)
    resumed = sv.tournament([Interrupting(0, KeyboardInterrupt()), Dice()], resume=True, **options)
    assert resumed == sv.tournament([Interrupting(0, KeyboardInterrupt()), Dice()], deals=5)


def test_an_error_in_the_callback_stops_it_and_loses_nothing(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def progress(done: int, total: int) -> None:
        raise StopError(f"{done} of {total}")

    before = set(threading.enumerate())
    with pytest.raises(StopError, match="1 of 20"):
        sv.tournament([Steady(), Steady()], deals=10, log=tmp_path / "log", threads=2, progress=progress)
    assert len((tmp_path / "log").read_bytes().splitlines()) == 2
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


def test_a_player_that_never_answers_does_not_keep_ctrl_c(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    release = threading.Event()

    class Stuck(Steady):
        def choose(self, view: sv.View) -> str:
            release.wait()
            return super().choose(view)

    def handler(_signal: int, _frame: FrameType | None) -> None:
        raise StopError

    previous = signal.signal(signal.SIGALRM, handler)
    before = set(threading.enumerate())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(StopError):
            sv.tournament([Stuck(), Steady()], threads=2, log=tmp_path / "log")
    finally:
        signal.signal(signal.SIGALRM, previous)
    left = set(threading.enumerate()) - before
    assert all(thread.daemon for thread in left)
    release.set()
    for thread in left:
        thread.join(10)
        assert not thread.is_alive()


# Not to be continued


def refused(path: Path, words: str, call: Callable[[], object]) -> None:
    """Check that a call is refused with one line, and that the file is as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(sv.SavannaError, match=words) as caught:
        call()
    assert str(caught.value).startswith(f"log '{path}': ")
    assert len(str(caught.value).splitlines()) == 1
    assert (path.read_bytes() if path.is_file() else None) == before


OTHERS: dict[str, dict[str, Any]] = {
    'rules is "3p,mice", not "3p"': {"rules": sv.Rules(players=3)},
    "seed is 6, not 7": {"seed": 7},
    "deals is 4, not 5": {"deals": 5},
    "players is ": {"players": [Dice(), Grabber(), Steady()]},
    "players is .": {"players": [Dice(1), Steady(), Grabber()]},
    "time_limit is null, not 3.0": {"time_limit": 3},
}


@pytest.mark.parametrize("words", OTHERS)
def test_another_tournaments_log(words: str, expected: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(expected)
    arguments: dict[str, Any] = {
        "players": [Dice(), Steady(), Grabber()],
        "rules": RULES,
        "deals": 4,
        "seed": 6,
        "resume": True,
    }
    assert sv.tournament(**arguments, log=path) == play(None)
    refused(
        path, f"it is of another tournament: {words}", lambda: sv.tournament(**{**arguments, **OTHERS[words]}, log=path)
    )


def test_a_log_that_is_there_is_not_written_over(expected: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(expected)
    refused(path, "it is there already, to be resumed or removed", lambda: play(path))
    path.write_bytes(b"")
    play(path)
    assert path.read_bytes() == expected


def edited(line: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(line), **changes}, separators=(",", ":")).encode() + b"\n"


def test_lines_that_cannot_be(expected: bytes, tmp_path: Path) -> None:
    path, lines = tmp_path / "log", expected.splitlines(keepends=True)
    game = json.loads(lines[3])
    moves, scores, decks = game["moves"], game["scores"], game["decks"]
    other = "it is not game 2 of this tournament: "
    wrong = [
        (b"\n", "not valid JSON"),
        (b"{}\n", "game: is missing"),
        (b"[]\n", "must be an object, not a list"),
        (b"null\n", "must be an object, not null"),
        (b"\xff\n", "byte 0 is not UTF-8"),
        (lines[2], "game: must be 2 here, got 1"),
        (lines[4], "game: must be 2 here, got 3"),
        (lines[3].replace(b",", b", ", 1), f"{other}it is not written as a log's lines are"),
        (edited(lines[3], game=1), "game: must be 2 here, got 1"),
        (edited(lines[3], moves=moves[:-1]), "reason: is 'played' after 19 moves"),
        (edited(lines[3], moves=[*moves, moves[0]]), "moves: must have at most 20 items, got 21"),
        (edited(lines[3], moves=[moves[1], moves[0], *moves[2:]]), ""),
        (edited(lines[3], moves=5), "moves: must be a list, not 5"),
        (edited(lines[3], moves=[5]), r"moves\[0\]: must be a text, not 5"),
        (edited(lines[3], moves=["zebra f9"]), r"moves\[0\]: "),
        (edited(lines[3], scores=[scores[0] + 1, *scores[1:]]), f"{other}scores is not what it must be"),
        (edited(lines[3], winners=[0, 1, 2]), f"{other}winners is not what it must be"),
        (edited(lines[3], decks=[decks[1], decks[0], decks[2]]), f"{other}decks is not what it must be"),
        (edited(lines[3], seats=game["seats"][::-1]), f"{other}seats is not what it must be"),
        (edited(lines[3], reason="time-out"), "reason: is 'time-out' after 20 moves"),
        (edited(lines[3], reason=None), "reason: must be a text, not null"),
        (edited(lines[3], failed=0), f"{other}failed is not what it must be"),
        (edited(lines[3], extra=1), "there is no key 'extra'"),
    ]
    for line, words in wrong:
        path.write_bytes(b"".join([*lines[:3], line, *lines[4:]]))
        for call in (lambda: play(path, resume=True), lambda: sv.Tournament.load(path)):
            refused(path, f"line 4: {words}", call)
    path.write_bytes(expected + edited(lines[-1], game=24))
    refused(path, "it goes on after game 23, with which the tournament ended", lambda: play(path, resume=True))


def test_games_after_the_end_of_a_test(tmp_path: Path) -> None:
    path = tmp_path / "log"
    result = sv.tournament([Dice(), Grabber()], deals=300, sprt=(0, 50), log=path)
    more = sv.tournament([Dice(), Grabber()], deals=300, log=tmp_path / "more").games
    assert len(more) > len(result.games)
    lines = (tmp_path / "more").read_bytes().splitlines(keepends=True)
    path.write_bytes(path.read_bytes() + lines[1 + len(result.games)])
    for call in (
        lambda: sv.tournament([Dice(), Grabber()], deals=300, sprt=(0, 50), log=path, resume=True),
        lambda: sv.Tournament.load(path),
    ):
        refused(path, f"it goes on after game {len(result.games) - 1}, with which the tournament ended", call)


def test_files_that_are_no_logs(expected: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    head = expected.splitlines(keepends=True)[0]
    without_seed = {name: value for name, value in json.loads(head).items() if name != "seed"}
    texts = [
        (b"diary", "line 1: not valid JSON"),
        (b"dear\ndiary\n", "line 1: not valid JSON"),
        (b"{}\n", "line 1: format: is missing"),
        (b"[]\n", "line 1: must be an object, not a list"),
        (b"\n", "line 1: not valid JSON"),
        (json.dumps(without_seed).encode(), "line 1: seed: is missing"),
        (edited(head, seed=1.5), "line 1: seed must be"),
        (edited(head, deals=0), "line 1: deals must be"),
        (edited(head, rules="5p"), "line 1: rules: "),
        (edited(head, seed=-1), "line 1: seed must be"),
        (edited(head, extra=1), "line 1: there is no key 'extra'"),
        (edited(head, sprt={"elo0": 0}), "line 1: sprt.elo1: is missing"),
        (head.replace(b",", b", ", 1), "line 1: it is not written as the first line"),
        (edited(head, format=2), "line 1: it has format 2, this version reads format 1$"),
        (
            edited(head, format="savanna-ten game"),
            "line 1: it has format 'savanna-ten game', this version reads format 1$",
        ),
        (edited(head, rules_version=2), "line 1: it has rules version 2, this version reads rules version 1$"),
        (expected.decode().encode("utf-16"), "it is UTF-16; save it as UTF-8$"),
    ]
    for text, words in texts:
        path.write_bytes(text)
        for call in (lambda: play(path, resume=True), lambda: sv.Tournament.load(path)):
            refused(path, words, call)
    player = {"name": "a", "repr": "a"}
    for players in ([], [player], [player, player], [player, 5], [player, {"name": 5, "repr": "a"}]):
        path.write_bytes(edited(head, players=players))
        refused(path, "line 1: ", lambda: sv.Tournament.load(path))
    path.unlink()
    for missing in (path, tmp_path / "none" / "log"):
        refused(missing, "No such file or directory", partial(sv.Tournament.load, missing))
    path.write_bytes(b"")
    refused(path, "it is empty", lambda: sv.Tournament.load(path))
    refused(tmp_path, "not a regular file", lambda: play(tmp_path))
    refused(tmp_path / "none" / "log", "No such file or directory", lambda: play(tmp_path / "none" / "log"))
