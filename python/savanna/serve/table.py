"""A room as its events leave it, and what each visitor may do there. All is pure: nothing waits, and nothing is kept.

The commands return the event that would happen, or raise `Refusal`; `after` returns the table with an event added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from savanna._core import Move, Position, Rules
from savanna.errors import SavannaError
from savanna.language import marked
from savanna.serve import event as kinds
from savanna.serve.event import Event
from savanna.serve.refusal import Refusal

OPEN, PERSON, BOT = "open", "person", "bot"
WAITING, PLAYING, OVER = "waiting", "playing", "over"

STRENGTHS = {
    "beginner": ("greedy", marked("Beginner")),
    "steady": ("soft-greedy:64", marked("Steady")),
    "strong": ("champion:2000", marked("Strong")),
    "strongest": ("champion:20000", marked("Strongest")),
}
"""The bots by their strength: the text of the player, and the word for it. All count iterations, none the clock."""

SUBSTITUTE = "steady"
"""The strength of the bot that plays on for a person who has resigned."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a room: open, or taken by a person (a visitor, with a name) or by a bot of some strength.

    For a person who has resigned, a bot plays on.
    """

    kind: str = OPEN
    visitor: int | None = None
    name: str = ""
    strength: str = ""
    has_resigned: bool = False

    @classmethod
    def for_bot(cls, strength: str) -> "Chair":
        """Return the seat of a bot of some strength; of an empty one, an open seat."""
        if strength and strength not in STRENGTHS:
            raise Refusal(422, marked("There is no bot of that strength."))
        return cls(BOT, strength=strength) if strength else cls()

    @property
    def player(self) -> str | None:
        """The text of the player that moves for this seat; None if a person does."""
        strength = SUBSTITUTE if self.has_resigned else self.strength
        return STRENGTHS[strength][0] if strength else None


@dataclass(frozen=True)
class Table:
    """A room: its host (a visitor), its seats, its secret start and what has happened.

    `number` counts events. `start` and `positions` are the truth and are for nobody's eyes: `savanna.serve.told` alone
    says what a visitor may know of them.
    """

    host: int
    start: Position
    chairs: tuple[Chair, ...]
    status: str = WAITING
    number: int = 0
    events: tuple[Event, ...] = ()
    positions: tuple[Position, ...] = ()
    moves: tuple[Move, ...] = ()
    winners: tuple[int, ...] = ()

    @classmethod
    def opened(cls, host: int, start: Position, chairs: Sequence[Chair]) -> "Table":
        """Return a room that waits for its players."""
        return cls(host, start, tuple(chairs), positions=(start,))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def position(self) -> Position:
        """The position now. Never for the wire."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return len(self.moves)

    @property
    def turn(self) -> int | None:
        """The seat to move; None unless the game goes on."""
        return self.position.seat if self.status == PLAYING else None

    @cached_property
    def visitors(self) -> dict[int, int]:
        """The seats by the visitors who have them."""
        return {it.visitor: seat for seat, it in enumerate(self.chairs) if it.visitor is not None}

    @property
    def is_full(self) -> bool:
        """Whether no seat is open."""
        return all(it.kind != OPEN for it in self.chairs)

    @property
    def is_practice(self) -> bool:
        """Whether at most one person plays, so that nobody has anything to hide from another."""
        return sum(it.kind == PERSON for it in self.chairs) <= 1

    # ------------------------------------------------------------------------------------------------------- commands

    def sit(self, visitor: int, seat: int | None, name: str) -> Event:
        """Let a visitor take an open seat, or any of them."""
        self._only(WAITING, marked("The game has begun, so nobody can sit down."))
        if visitor in self.visitors:
            raise Refusal(409, marked("You have a seat here already."))
        open_seats = [number for number, it in enumerate(self.chairs) if it.kind == OPEN]
        if not open_seats:
            raise Refusal(409, marked("All seats are taken. You can watch."))
        chosen = open_seats[0] if seat is None else self._seat(seat)
        if chosen not in open_seats:
            raise Refusal(409, marked("This seat is taken."))
        return self._event(kinds.SAT, chosen, visitor=visitor, name=name)

    def leave(self, visitor: int) -> Event:
        """Let a visitor give the seat back, as long as the game has not begun."""
        self._only(WAITING, marked("The game has begun. You can resign, but not leave."))
        return self._event(kinds.LEFT, self._seat_of(visitor))

    def arrange(self, visitor: int, seat: int, strength: str) -> Event:
        """Let the host give a seat to a bot of some strength, or open it: an empty text."""
        self._only_host(visitor)
        self._only(WAITING, marked("The game has begun."))
        Chair.for_bot(strength)
        if self.chairs[self._seat(seat)].visitor == visitor:
            raise Refusal(409, marked("This is your own seat; leave it first."))
        return self._event(kinds.ARRANGED, seat, strength=strength)

    def begin(self, visitor: int) -> Event:
        """Let the host start the game."""
        self._only_host(visitor)
        self._only(WAITING, marked("The game has begun."))
        if not self.is_full:
            raise Refusal(409, marked("A seat is open. Wait for somebody, or give it to a bot."))
        return self._event(kinds.STARTED, None)

    def move(self, visitor: int, number: int, text: str) -> Event:
        """Let a visitor play a move, having seen the room after a number of events.

        The same move at the same number gives the event that has happened, so that a form sent twice is one move.
        """
        seat = self._seat_of(visitor)
        if self.status == WAITING:
            raise Refusal(409, marked("The game has not begun."))
        if 0 <= number < self.number:
            happened = self.events[number]
            if (happened.kind, happened.seat, happened.data.get("move")) == (kinds.MOVED, seat, text):
                return happened
            raise Refusal(409, marked("Something has happened since you looked. Here is how it stands now."))
        if number != self.number:
            raise Refusal(409, marked("This room has not come so far."))
        self._only(PLAYING, marked("The game is over."), 410)
        if self.chairs[seat].has_resigned:
            raise Refusal(409, marked("You have resigned; a bot plays on for you."))
        if seat != self.turn:
            raise Refusal(409, marked("It is not your turn."))
        return self._event(kinds.MOVED, seat, move=self._legal(seat, text))

    def _legal(self, seat: int, text: str) -> str:
        """Return the text of a legal move. A refusal depends on what the seat knows, and on nothing else."""
        try:
            move = Move.parse(text)
        except SavannaError:
            raise Refusal(422, marked("This is not a move. Choose a tile and a space.")) from None
        if move.space in self.position.board:
            raise Refusal(422, marked("{space} is taken."), space=move.space)
        if move.animal not in self.position.view(seat).hand:
            raise Refusal(422, marked("You do not have this tile."))
        return str(move)

    def bot_move(self, number: int, move: Move) -> Event | None:
        """Return the move of the bot whose turn it is, chosen after a number of events; None if it comes too late."""
        seat = self.turn
        if seat is None or number != self.number or self.chairs[seat].player is None:
            return None
        return self._event(kinds.MOVED, seat, move=self._legal(seat, str(move)))

    def resign(self, visitor: int) -> Event:
        """Let a visitor give up. The game ends if one team is left; else a bot plays on for the seat."""
        seat = self._seat_of(visitor)
        self._only(PLAYING, marked("There is no game to give up."))
        if self.chairs[seat].has_resigned:
            raise Refusal(409, marked("You have resigned; a bot plays on for you."))
        return self._event(kinds.RESIGNED, seat)

    def rematch(self, visitor: int) -> list[Chair]:
        """Return who sits where in the next game: everybody one seat further, so that another one begins."""
        if visitor not in self.visitors and visitor != self.host:
            raise Refusal(403, marked("Only those who played can ask for another game."))
        self._only(OVER, marked("The game is not over."))
        seats = [replace(it, has_resigned=False) for it in self.chairs]
        return [seats[-1], *seats[:-1]]

    # --------------------------------------------------------------------------------------------------------- folding

    def after(self, event: Event) -> "Table":
        """Return the room after an event that a command gave, or that was stored; it is not checked again."""
        table = replace(self, number=event.number, events=(*self.events, event))
        return _FOLDS[event.kind](table, event)

    # ---------------------------------------------------------------------------------------------------------- checks

    def _event(self, kind: str, seat: int | None, **data: Any) -> Event:
        return Event(self.number + 1, kind, seat, data)

    def _only(self, status: str, text: str, code: int = 409) -> None:
        if self.status != status:
            raise Refusal(code, text)

    def _only_host(self, visitor: int) -> None:
        if visitor != self.host:
            raise Refusal(403, marked("Only the host of the room can do that."))

    def _seat_of(self, visitor: int) -> int:
        if visitor not in self.visitors:
            raise Refusal(403, marked("You have no seat here."))
        return self.visitors[visitor]

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < len(self.chairs):
            raise Refusal(422, marked("There is no such seat."))
        return seat


def _sat(table: Table, event: Event) -> Table:
    return _with_chair(table, event, Chair(PERSON, event.data["visitor"], event.data["name"]))


def _left(table: Table, event: Event) -> Table:
    return _with_chair(table, event, Chair())


def _arranged(table: Table, event: Event) -> Table:
    return _with_chair(table, event, Chair.for_bot(event.data["strength"]))


def _started(table: Table, event: Event) -> Table:
    return replace(table, status=PLAYING)


def _moved(table: Table, event: Event) -> Table:
    move = Move.parse(event.data["move"])
    position = table.position.play(move)
    return replace(
        table,
        positions=(*table.positions, position),
        moves=(*table.moves, move),
        status=OVER if position.is_over else PLAYING,
        winners=position.winners,
    )


def _resigned(table: Table, event: Event) -> Table:
    assert event.seat is not None
    table = _with_chair(table, event, replace(table.chairs[event.seat], has_resigned=True))
    left = {table.rules.team_of(seat) for seat, it in enumerate(table.chairs) if not it.has_resigned}
    return replace(table, status=OVER, winners=tuple(left)) if len(left) == 1 else table


def _with_chair(table: Table, event: Event, chair: Chair) -> Table:
    return replace(table, chairs=tuple(chair if seat == event.seat else it for seat, it in enumerate(table.chairs)))


_FOLDS = {
    kinds.SAT: _sat,
    kinds.LEFT: _left,
    kinds.ARRANGED: _arranged,
    kinds.STARTED: _started,
    kinds.MOVED: _moved,
    kinds.RESIGNED: _resigned,
}
