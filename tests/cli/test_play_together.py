"""The command `savanna play` for several people at one keyboard: the screen is handed over, and hides what it must."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import savanna as sv
from savanna import reference as ref
from savanna.characters import columns
from tests.rules.test_hidden import twin
from tests.support.command import START
from tests.support.keyboard import CLEAR, FIRST_SCREEN, HOW, OTHER_SCREEN, keyboard

BOTTOM = "Enter leaves, a file name saves the game (as --save FILE does)> "


def play_in_turn(text: str, ann: Callable[[sv.View], str], bo: Callable[[sv.View], str]) -> bytes:
    """Let two people play from a position to the end, and return all that their terminal was sent."""
    position, choose = sv.Position.parse(text), {0: ann, 1: bo}
    with keyboard("play", "human:Ann", "human:Bo", "--position", text) as people:
        while not position.is_over:
            seat = position.seat
            assert seat is not None
            name = ("Ann", "Bo")[seat]
            people.wait(f"{name}, press Enter to see your tiles")
            people.enter("", "> ")
            people.wait(f"{name}, play ")
            move = choose[seat](position.view(seat))
            people.enter(move, HOW)
            position = position.play(move)
        people.enter("", BOTTOM)
        rest, code = people.end()
        assert (rest, code, people.termios()) == ("\n", 0, people.settings)
        return people.seen


def lion(view: sv.View) -> str:
    """Return a move that shows no animal."""
    return next(str(move) for move in view.legal_moves() if move.face == "lion")


def by_looks(view: sv.View) -> str:
    """Return a move that depends on all that is seen, and on nothing else."""
    return str(random.Random(str(view)).choice(view.legal_moves()))


def after(plies: int) -> str:
    """Return the text of a position with Lions of both on the board."""
    rng, position = random.Random(2), ref.Position.deal(ref.Rules(), 2)
    while position.ply < plies:
        position = position.play(rng.choice(position.legal_moves()))
    assert min(position.lions) > 0
    return str(position)


@pytest.mark.parametrize("text", [START, after(8)], ids=["start", "middle"])
def test_nobody_sees_what_another_has(text: str) -> None:
    """Ann places Lions only, so whatever she holds and has under them, Bo is to see the same to the byte."""
    other = twin(text, 1, random.Random(1)).split(" ")
    decks = [other[3].split("/")[0], text.split(" ")[3].split("/")[1]]  # Bo draws the same
    changed = " ".join([*other[:3], "/".join(decks), other[4]])
    assert sv.Position.parse(changed).view(1) == sv.Position.parse(text).view(1)
    screens = []
    for deal in (text, changed):
        seen = play_in_turn(deal, lion, by_looks)
        before, _, shown = seen.partition(OTHER_SCREEN)
        shown, _, end = shown.partition(FIRST_SCREEN)
        assert b"all tiles shown" in end
        assert b"Ann" in before
        screens.append(shown.split(CLEAR))
    mine = [[screen for screen in deal if b"Ann, play" in screen] for deal in screens]
    others = [[screen for screen in deal if b"Ann, play" not in screen] for deal in screens]
    plies = 20 - sv.Position.parse(text).ply
    assert len(mine[0]) == len(mine[1]) == plies // 2
    assert mine[0] != mine[1]
    assert others[0] == others[1]
    assert sum(b"Bo, play" in screen for screen in others[0]) == plies // 2
    assert sum(b"press Enter to see your tiles" in screen for screen in others[0]) == plies
    assert not any(b"hand" in screen for screen in others[0] if b"press Enter" in screen)


def test_a_game_may_begin_with_its_last_move() -> None:
    seen = play_in_turn(after(19), lion, by_looks).partition(FIRST_SCREEN)[2].decode()
    assert len(re.findall(r"^(?:Ann|Bo): \w", seen, re.M)) == 1
    assert "The game is over: " in seen


def test_what_was_entered_too_early_shows_nothing() -> None:
    """Ann enters a second line right after her move: it is not taken for Bo's Enter."""
    with keyboard("play", "human:Ann", "human:Bo", "--position", START) as people:
        people.enter("", "Ann, press Enter to see your tiles> ")
        people.enter("lion c4\n\n\n", HOW)
        people.enter("undo", "Bo, press Enter to see your tiles (or 'undo' the last move)> ")
        told = people.wait("Ann, press Enter to see your tiles> ")
        assert "Bo, play" not in told
        people.press("quit\n")
        _, code = people.end()
        assert code == 0


def test_a_move_is_taken_back_before_the_next_person_looks(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with keyboard("play", "human:Ann", "human:Bo", "--position", START, "--save", str(path)) as people:
        people.enter("", "tiles> ")
        people.enter("lion c4", HOW)
        people.enter("undo", "the last move)> ")
        people.enter("", "Ann, press Enter to see your tiles> ")
        assert len(sv.Game.load(path)) == 0
        people.enter("m d4", HOW)
        people.enter("", "the last move)> ")
        told = people.wait("Bo, play zebra or giraffe ")
        assert "Ann: monkey d4, no line filled" in told
        people.enter("undo", HOW)
        told = people.wait("Bo, play ")
        assert "You have not moved yet." in told
        people.enter("g c4", HOW)
        people.enter("", "the last move)> ")
        people.enter("undo", HOW)
        assert "Somebody else has moved since" in people.wait("Ann, play ")
    assert list(map(str, sv.Game.load(path).moves)) == ["monkey d4", "giraffe c4"]


def test_long_names_fit_the_screen() -> None:
    names = ["W" * 30, "\u6f22" * 20, "Zo\u00eb"]
    position = sv.Position.deal(sv.Rules(players=3), 1)
    options = [f"human:{name}" for name in names]
    with keyboard("play", *options, "--position", str(position)) as people:
        for shown in ("W" * 15, "\u6f22" * 7):
            people.wait(f"{shown}\u2026, press Enter")
            people.enter("", "> ")
            people.enter("hint", HOW)
            people.enter("moves", HOW)
            people.enter(str(position.legal_moves()[0]), HOW)
            position = position.play(position.legal_moves()[0])
        people.wait("Zo\u00eb, press Enter")
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", people.seen.decode()).replace("\r", "\n").split("\n")
    welcome, *rest = [line for line in lines if line]
    assert welcome.startswith("You are WWW")
    assert len(rest) > 60
    assert max(map(columns, rest)) <= 80


def test_several_people_need_a_terminal_to_write_to(tmp_path: Path) -> None:
    with keyboard("play", "human:Ann", "human:Bo", into=tmp_path / "output") as people:
        rest, code = people.end()
    assert (code, (tmp_path / "output").read_text()) == (2, "")
    assert rest == "savanna: error: several people need a terminal that can be cleared, as hands could not be hidden\n"
