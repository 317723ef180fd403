"""Players that fail in a tournament lose their game and nothing else: bad moves, errors, too much time, Ctrl-C."""

import itertools
import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import savanna as sv
from savanna import reference
from savanna.arena import games as referee
from tests.support.entrants import Dice, Steady


def answer(value: object) -> Callable[[sv.View], Any]:
    return lambda view: value


def late_taken(view: sv.View) -> Any:
    return Steady().choose(view) if not view.board else f"{view.hand[0]} {next(iter(view.board))}"


def fail(error: BaseException) -> Callable[[sv.View], Any]:
    def choose(view: sv.View) -> Any:
        raise error

    return choose


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


FAILURES: dict[str, tuple[Callable[[sv.View], Any], str]] = {
    "nothing": (answer(None), "illegal move: a move is a Move or its text, not None"),
    "a number": (answer(57), "illegal move: a move is a Move or its text, not int"),
    "no text of a move": (answer("pass"), "illegal move: "),
    "another's move": (answer(reference.Move("zebra", "front", "c4")), "illegal move: "),
    "a tile not held": (
        lambda view: f"mouse {min(set(sv.SPACES) - set(view.board))}",
        "illegal move: seat [01] holds no mouse",
    ),
    "a space taken": (late_taken, "illegal move: .* is already taken"),
    "an error": (fail(ValueError("two\nlines at 0x7f00")), "exception: ValueError: two lines$"),
    "an error without words": (fail(KeyError()), "exception: KeyError$"),
    "an error that cannot speak": (fail(MuteError()), "exception: MuteError$"),
    "the end of the program": (fail(SystemExit(3)), "exception: SystemExit: 3$"),
}


class Failing:
    def __init__(self, choose: Callable[[sv.View], Any]) -> None:
        self.choose = choose


@pytest.mark.parametrize("time_limit", [None, 60])
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_loses_the_game_and_nothing_else(name: str, time_limit: float | None) -> None:
    choose, reason = FAILURES[name]
    failing = Failing(choose)
    result = sv.tournament({"bad": failing, "good": Steady()}, deals=2, time_limit=time_limit)
    assert len(result.games) == 4
    for number, game in enumerate(result.games):
        seat = game.seats.index("bad")
        assert re.match(reason, game.reason), game.reason
        assert game.failed == seat
        assert game.winners == (1 - seat,)
        last = result.replay(number, reference)[-1]
        assert (last.seat, last.scores) == (seat, game.scores)
    assert result.pairs[0].share == 0
    assert (result.pairs[0].losses, result.to_dict()["failures"]) == (4, 4)
    kind, _, words = result.games[0].reason.partition(": ")
    assert str(result).splitlines()[-1] == f"Lost by {kind} of bad: 4 games, first: {words}"


def test_what_is_told_of_a_failure_is_that_of_the_first_game_and_can_be_printed() -> None:
    numbers = itertools.count()

    class Bad:
        def choose(self, view: sv.View) -> sv.Move:
            raise ValueError(f"\x1b[2Jnumber {next(numbers)} <b>")

    result = sv.tournament({"bad": Bad(), "good": Steady()}, deals=2, threads=1)
    assert str(result).splitlines()[-1] == r"Lost by exception of bad: 4 games, first: ValueError: \x1b[2Jnumber 0 <b>"
    assert r"first: ValueError: \x1b[2Jnumber 0 &lt;b&gt;</p>" in result._repr_html_()


def test_all_other_teams_share_what_a_failure_leaves() -> None:
    bad: Any = Failing(answer(None))
    three = sv.tournament({"bad": bad, "b": Steady(), "c": Steady()}, rules=sv.Rules(players=3), deals=1)
    for game in three.games:
        assert game.winners == tuple(team for team in range(3) if game.seats[team] != "bad")
    teams = sv.tournament({"bad": bad, "b": Steady()}, rules=sv.Rules(players=4, team_game=True), deals=1)
    assert [(game.seats[:2], game.failed, game.winners) for game in teams.games] == [
        (("bad", "b"), 0, (1,)),
        (("b", "bad"), 1, (0,)),
    ]


def test_a_player_that_cannot_take_its_seed_fails() -> None:
    class Seedless(Dice):
        def with_seed(self, seed: int) -> Dice:
            raise RuntimeError("no seeds, please")

    result = sv.tournament({"a": Seedless(), "b": Dice()}, deals=1)
    assert {game.reason for game in result.games} == {"exception: RuntimeError: no seeds, please"}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_late_move_does_not_count(threads: int) -> None:
    """A player that comes back late, and one that never does: its thread is left, and the tournament goes on."""
    release, entered = threading.Event(), threading.Semaphore(0)
    # Each thread has a clock of its own, which stands still: others are in time, however slow the machine is.
    clock = threading.local()

    def late(view: sv.View) -> Any:
        entered.release()
        release.wait(0.4)
        clock.now = 0.4
        return view.legal_moves()[0]

    def never(view: sv.View) -> Any:
        entered.release()
        release.wait()
        return view.legal_moves()[0]

    for choose in (late, never):
        bad: Any = Failing(choose)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(referee, "PATIENCE", 60 if choose is late else 1)
            patch.setattr(referee, "time", SimpleNamespace(perf_counter=lambda: getattr(clock, "now", 0.0)))
            result = sv.tournament({"bad": bad, "good": Steady()}, deals=1, time_limit=0.3, threads=threads)
        assert [(game.reason, game.seats[game.failed or 0]) for game in result.games] == [("time-out", "bad")] * 2
        waiting = [thread for thread in threading.enumerate() if thread.name == "savanna player"]
        assert all(thread.daemon for thread in waiting)
        assert len(waiting) == (0 if choose is late else 2)
    release.set()
    for thread in waiting:
        thread.join(10)
        assert not thread.is_alive()


def test_a_player_in_time_is_not_late() -> None:
    assert (
        sv.tournament([Dice(), Steady()], deals=3, time_limit=60).games
        == sv.tournament([Dice(), Steady()], deals=3).games
    )


def test_ctrl_c_is_no_players_failure() -> None:
    for time_limit, threads in itertools.product((None, 60), (1, 2)):
        bad: Any = Failing(fail(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            sv.tournament([bad, Steady()], deals=2, time_limit=time_limit, threads=threads)
