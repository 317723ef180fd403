"""One game of a tournament: the players are asked, the moves are judged, and what happened is written down."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from savanna._core import Move, Position, View
from savanna.arena.lineup import one_line
from savanna.arena.schedule import Plan, Task
from savanna.errors import SavannaError
from savanna.players import Player

T = TypeVar("T")

PLAYED = "played"
TIME_OUT = "time-out"

PATIENCE = 1.0
"""How many seconds longer than its time a player is waited for, before its thread is left to itself."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of a tournament, with all that is needed to play it again.

    `deal` is the number of its deal, `seats` are the players' names by seat, `start` is the `Position` it began with,
    `moves` are its moves, `scores` and `winners` those by team. `reason` is "played" for a game that came to its end;
    else it says why the player in `failed`, a seat, has lost: "illegal move: ...", "exception: ..." or "time-out". Then
    the other teams share the win, and the scores are those so far.
    """

    deal: int
    seats: tuple[str, ...]
    start: Position
    moves: tuple[Move, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    failed: int | None


class StoppedError(Exception):
    """The tournament has been stopped, so this game is of no more use."""


class _Failure(Exception):  # noqa: N818 -- it is caught where it is raised, and only its text gets out
    """A player has lost by what it did, as the text says."""


told: Callable[[str], object] | None = None
"""What is told of each answer before a player is asked for it, if anything is: see `savanna.distributed.pool`."""


def play_game(plan: Plan, players: Sequence[Player], task: Task, stopped: Callable[[], bool]) -> GameRecord:
    """Play one game and return its record.

    `players` are those of the plan. `stopped` is asked before each move, and if it says yes, `StoppedError` is raised.
    """
    start = position = plan.start(task.deal)
    moves: list[Move] = []
    seated: dict[int, Player] = {}  # each player is seated, and given its seed, at its first turn
    while (seat := position.seat) is not None:
        if stopped():
            raise StoppedError
        try:
            if seat not in seated:
                seated[seat] = _seated(players[task.seats[seat]], plan.player_seed(task, seat))
            if told is not None:
                names = [plan.names[player] for player in task.seats]
                told(f"deal {task.deal} among {', '.join(names)}: seat {seat}, {names[seat]}, at ply {position.ply}")
            move = _answer(seated[seat], position.view(seat), plan.time_limit)
            position = _played(position, move)
        except _Failure as failure:
            return record(plan, task, start, moves, position, str(failure), seat)
        moves.append(move)
    return record(plan, task, start, moves, position, PLAYED, None)


def record(
    plan: Plan,
    task: Task,
    start: Position,
    moves: Sequence[Move],
    end: Position,
    reason: str,
    failed: int | None,
) -> GameRecord:
    """Return the record of a game with this start and end. If a seat has failed, all other teams have won."""
    rules = plan.rules
    lost = None if failed is None else rules.team_of(failed)
    return GameRecord(
        deal=task.deal,
        seats=tuple(plan.names[player] for player in task.seats),
        start=start,
        moves=tuple(moves),
        scores=end.scores,
        winners=end.winners if lost is None else tuple(team for team in range(rules.teams) if team != lost),
        reason=reason,
        failed=failed,
    )


def _seated(player: Player, seed: int) -> Player:
    """Return the player for one game: with the seed, if it takes any."""
    with_seed = getattr(player, "with_seed", None)
    if with_seed is None:
        return player
    seated: Player = _guarded(lambda: with_seed(seed))
    return seated


def _answer(player: Player, view: View, limit: float | None) -> Move:
    """Ask a player for its move."""
    answer = _guarded(lambda: player.choose(view)) if limit is None else _in_time(player, view, limit)
    try:
        return Move.parse(answer) if isinstance(answer, str) else answer
    except SavannaError as error:
        raise _Failure(f"illegal move: {error}") from None


def _played(position: Position, move: Move) -> Position:
    """Return the position after a player's move, which may be anything."""
    try:
        return position.play(move)
    except (SavannaError, TypeError) as error:
        raise _Failure(f"illegal move: {error}") from None


def _guarded(call: Callable[[], T]) -> T:
    """Call a player's own code; any exception but Ctrl-C is the player's failure."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # not only Exception: a player must not end the program by sys.exit() either
        raise _Failure(f"exception: {_description(error)}") from None


def _description(error: BaseException) -> str:
    """Return the class of an error and what it says, in one line."""
    try:
        text = one_line(str(error))
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _in_time(player: Player, view: View, limit: float) -> Move | str:
    """Ask a player on a thread of its own, and take no answer that comes late.

    Nothing can stop a Python thread from outside. So a player that is late is waited for a little longer, so as not to
    disturb the games that follow; then its thread, a daemon, is left to itself until it or the program ends.
    """
    answers: list[tuple[float, Move | str]] = []
    errors: list[BaseException] = []

    def ask() -> None:
        start = time.perf_counter()
        try:
            answer = _guarded(lambda: player.choose(view))
        except BaseException as error:
            errors.append(error)
        else:
            answers.append((time.perf_counter() - start, answer))

    thread = threading.Thread(target=ask, name="savanna player", daemon=True)
    thread.start()
    thread.join(limit)
    if thread.is_alive():
        thread.join(PATIENCE)
    if errors:
        raise errors[0]
    if not answers or answers[0][0] > limit:
        raise _Failure(TIME_OUT)
    return answers[0][1]
