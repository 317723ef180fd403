"""The command `savanna analyse`: its table, its JSON, what it may see, its progress bar, Ctrl-C, its errors."""

import json
import re
import subprocess

import pytest

import savanna as sv
from tests.support.command import START, Terminal, assert_ctrl_c_is_130, refused, run

pytestmark = pytest.mark.thin(3)

VIEW = str(sv.Position.parse(START).view(0))
QUICK = ("--iterations", "600", "--seed", "3")


def analysed(text: str, *options: str) -> str:
    """Return what the command prints about a position or a view."""
    result = run("analyse", "--position", text, *options)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_table_is_the_champions_analysis() -> None:
    analysis = sv.analyse(sv.Position.parse(START).view(0), iterations=600, seed=3)
    title, heading, *rows = analysed(START, *QUICK).splitlines()
    assert title == "600 iterations, best of 40 moves"
    assert heading.split() == ["move", "visits", "win", "share", "error", "margin", "likely", "continuation"]
    assert len(rows) == 10
    row = re.compile(r"  (.{16}) +(\d+) +(0\.\d{4}|1\.0000) +(\d\.\d{4}) +([+-]\d+\.\d\d)(?:   (.+))?")
    for text, it in zip(rows, analysis.moves, strict=False):
        match = row.fullmatch(text)
        assert match is not None
        move, visits, share, error, margin, line = match.groups()
        assert (move.rstrip(), int(visits)) == (str(it.move), it.visits)
        assert float(share) == pytest.approx(it.win_share, abs=0.00006)
        assert float(error) == pytest.approx(it.stderr, abs=0.00006)
        assert float(margin) == pytest.approx(it.margin, abs=0.006)
        assert (line or "") == ", ".join(map(str, it.line))
    assert any(it.line for it in analysis.moves[:10])


def test_the_table_is_as_long_as_asked_for() -> None:
    table = analysed(START, *QUICK, "--top", "100").splitlines()
    assert len(table) == 2 + 40
    assert analysed(START, *QUICK, "--top", "3").splitlines() == table[:5]


def test_json_is_the_analysis_and_threads_change_nothing() -> None:
    expected = sv.analyse(sv.View.parse(VIEW), iterations=600, seed=3).to_dict()
    for threads in ("1", "2"):
        text = analysed(VIEW, *QUICK, "--threads", threads, "--json")
        assert text.count("\n") == 1
        assert json.loads(text, parse_constant=pytest.fail) == json.loads(json.dumps(expected))


def test_nothing_but_a_view_is_looked_at() -> None:
    """Other hidden tiles, the same view: the same answer as for the view itself."""
    twin = START.replace("mm/zg mmzzzgge/mmmmzzge", "mm/mm mmgzzgez/mmzzzgge")
    assert sv.Position.parse(twin).view(0) == sv.View.parse(VIEW)
    assert analysed(START, *QUICK) == analysed(twin, *QUICK) == analysed(VIEW, *QUICK)


def test_the_seat_to_move_is_asked() -> None:
    position = sv.Position.parse(START).play("monkey lion c4")
    assert position.seat == 1
    analysis = sv.analyse(position.view(1), iterations=600, seed=3)
    assert json.loads(analysed(str(position), *QUICK, "--json")) == json.loads(json.dumps(analysis.to_dict()))


def test_by_default_there_are_40_000_iterations() -> None:
    assert analysed(START).startswith("40,000 iterations, ")


def test_it_thinks_as_long_as_it_may() -> None:
    assert int(analysed(START, "--seconds", "0.05").split()[0].replace(",", "")) >= 1


def test_progress_bar_on_a_terminal() -> None:
    for options, end in ((["--iterations", "20_000"], "20000/20000"), (["--seconds", "0.3"], "/?")):
        terminal = Terminal()
        process = terminal.start(["analyse", "--position", START, *options], stdout=subprocess.PIPE)
        while terminal.read():
            pass
        output, _ = process.communicate()
        terminal.close()
        assert process.returncode == 0
        assert output.splitlines()[1].startswith(b"  move ")
        assert end in terminal.seen.decode()


def test_ctrl_c_is_130() -> None:
    assert_ctrl_c_is_130(["analyse", "--position", START, "--seconds", "1000"], b"/?")


def over() -> str:
    """Return the text of a position after the last move."""
    games = sv.playouts(sv.Rules(), games=1)
    position = games.start(0)
    for move in games.moves(0):
        position = position.play(move)
    return str(position)


BAD_INPUT = [
    (["analyse"], "missing option '--position'"),
    (["analyse", "--position", "x"], "position text, character 0: expected a number"),
    (["analyse", "--position", "seat=x"], "view text, character 5: expected"),
    (["analyse", "--position", str(sv.Position.parse(START).view(1))], "seat 0 is to move"),
    (["analyse", "--position", over()], "the game is over"),
    (["analyse", "--position", START, "--iterations", "0"], "iterations must be 1 to 9007199254740992, got 0"),
    (["analyse", "--position", START, "--iterations", "5", "--seconds", "1"], "give iterations or seconds, not both"),
    (["analyse", "--position", START, "--seconds", "0"], "'0' is not a positive number"),
    (["analyse", "--position", START, "--top", "0"], "--top must be at least 1, got 0"),
    (["analyse", "--position", START, "--threads", "1025"], "threads must be 1 to 1024, got 1025"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_INPUT, ids=lambda value: repr(value)[:40])
def test_bad_input(arguments: list[str], words: str) -> None:
    refused(arguments, words)
