"""The rules of a room, and what is kept of it: any order of what people do, sent twice, late or by others."""

import random
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import savanna as sv
from savanna import reference as ref
from savanna.serve.event import Event
from savanna.serve.refusal import Refusal
from savanna.serve.store import Room, Store
from savanna.serve.table import OVER, PLAYING, STRENGTHS, WAITING, Chair, Table

VISITORS = st.integers(1, 6)
SEATS = st.integers(0, 4)


class Play(RuleBasedStateMachine):
    """Visitors 1 to 6 do anything in a room whose host is visitor 1; a store keeps what happens."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.path = Path(folder) / "games.sqlite"
        self.store = Store(self.path)
        for number in range(6):
            assert self.store.add_visitor(bytes([number])).result().id == number + 1

    def teardown(self) -> None:
        self.store.close()
        self.stack.close()

    @initialize(players=st.integers(2, 4), mice=st.booleans(), seed=st.integers(0, 99))
    def open(self, players: int, mice: bool, seed: int) -> None:
        rules = sv.Rules(players=players, mice=mice, team_game=players == 4 and seed % 2 == 0)
        start = sv.Position.deal(rules, seed)
        chairs = [Chair() for _ in range(players)]
        self.room = Room("room", "invitation", 1, sv.RULES_VERSION, str(start), 7, tuple(chairs), True, WAITING, 0)
        assert self.store.open_room(self.room, 0, [1]).result() == "room"
        self.table = Table.opened(1, start, chairs)
        # The model: who has which seat, and the game by the plain engine.
        self.seats: dict[int, int | str | None] = dict.fromkeys(range(players))
        self.game: Any = ref.Position.parse(str(start))
        self.resigned: set[int] = set()
        self.status = WAITING
        self.random = random.Random(seed)

    def attempt(self, command: Any, *args: Any) -> Event | None:
        """Let a command happen, or return None if it is refused, and then nothing has changed."""
        before = self.table
        said: Refusal | None = None
        try:
            event: Event = command(*args)
        except Refusal as refusal:
            said = refusal
        if said is not None:
            assert 400 <= said.status < 500
            assert self.table is before
            return None
        if event.number <= self.table.number:
            return event
        table = self.table.after(event)
        assert self.store.append("room", event, table.status).result()
        # Sent by another tab at the same time, it does not happen again.
        assert not self.store.append("room", replace(event, kind="left"), table.status).result()
        self.table = table
        return event

    @rule(visitor=VISITORS, seat=st.none() | SEATS)
    def sit(self, visitor: int, seat: int | None) -> None:
        free = [it for it, who in self.seats.items() if who is None]
        wanted = free[0] if seat is None and free else seat
        event = self.attempt(self.table.sit, visitor, seat, f"Visitor {visitor}")
        can = self.status == WAITING and visitor not in self.seats.values() and wanted in free
        assert (event is not None) == can
        if event:
            self.seats[event.seat or 0] = visitor

    @rule(visitor=VISITORS)
    def leave(self, visitor: int) -> None:
        event = self.attempt(self.table.leave, visitor)
        assert (event is not None) == (self.status == WAITING and visitor in self.seats.values())
        if event:
            self.seats[event.seat or 0] = None

    @rule(visitor=VISITORS, seat=SEATS, strength=st.sampled_from(["", *STRENGTHS, "none"]))
    def arrange(self, visitor: int, seat: int, strength: str) -> None:
        event = self.attempt(self.table.arrange, visitor, seat, strength)
        can = visitor == 1 and self.status == WAITING and strength != "none" and self.seats.get(seat, 1) != 1
        assert (event is not None) == can
        if event:
            self.seats[seat] = strength or None

    @rule(visitor=VISITORS)
    def begin(self, visitor: int) -> None:
        event = self.attempt(self.table.begin, visitor)
        assert (event is not None) == (visitor == 1 and self.status == WAITING and None not in self.seats.values())
        if event:
            self.status = PLAYING

    def mover(self) -> int | None:
        """Return the visitor who may move by the model."""
        who = self.seats[self.game.seat] if self.status == PLAYING else None
        return who if isinstance(who, int) and self.game.seat not in self.resigned else None

    @precondition(lambda self: self.status == PLAYING)
    @rule(visitor=VISITORS, late=st.sampled_from([0, 0, 0, 1, 2, -1]), data=st.data())
    def move(self, visitor: int, late: int, data: st.DataObject) -> None:
        mover = self.mover()
        sender = mover if mover is not None and data.draw(st.booleans()) else visitor
        moves = [str(it) for it in self.game.legal_moves()]
        text = data.draw(st.sampled_from([*moves, "hippo a1", "zebra front a5", "mouse b4"]))
        legal = text in moves or (text == "zebra front a5" and "zebra a5" in moves)
        number = self.table.number - late
        event = self.attempt(self.table.move, sender, number, text)
        if event is not None and event.number == self.table.number and late == 0:
            assert sender == mover
            assert legal
            self.game = self.game.play(ref.Move.parse(text))
            # The same form sent again is the same event.
            assert self.attempt(self.table.move, sender, number, text) is event
            self.end()
        else:
            assert event is None or event.data["move"] == text
            assert late or sender != mover or not legal

    @precondition(lambda self: self.status == PLAYING)
    @rule()
    def bot(self) -> None:
        seat = self.table.turn
        assert seat is not None
        player = self.table.chairs[seat].player
        move = self.random.choice(self.table.position.legal_moves())
        assert self.table.bot_move(self.table.number - 1, move) is None
        event = self.table.bot_move(self.table.number, move)
        assert (event is not None) == (self.mover() is None) == (player is not None)
        if event is not None:
            self.attempt(lambda: event)
            self.game = self.game.play(ref.Move.parse(str(move)))
            self.end()

    @rule(visitor=VISITORS)
    def resign(self, visitor: int) -> None:
        seat = next((it for it, who in self.seats.items() if who == visitor), None)
        event = self.attempt(self.table.resign, visitor)
        assert (event is not None) == (self.status == PLAYING and seat is not None and seat not in self.resigned)
        if event is not None and seat is not None:
            self.resigned.add(seat)
            teams = {self.table.rules.team_of(it) for it in self.seats if it not in self.resigned}
            if len(teams) == 1:
                self.status = OVER
                assert set(self.table.winners) == teams

    def end(self) -> None:
        if self.game.is_over:
            self.status = OVER
            assert self.table.winners == self.game.winners

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = Store(self.path)
        kept = self.store.room("room")
        assert kept is not None
        assert (kept.number, kept.status) == (self.table.number, self.table.status)
        assert kept.table(self.store.events("room")) == self.table

    @invariant()
    def it_is_the_game_of_the_reference(self) -> None:
        if not hasattr(self, "game"):
            return
        assert str(self.table.position) == str(self.game)
        assert self.table.status == self.status
        assert self.table.turn == (self.game.seat if self.status == PLAYING else None)
        assert [it.number for it in self.table.events] == list(range(1, self.table.number + 1))
        people = {seat: who for seat, who in self.seats.items() if isinstance(who, int)}
        assert self.table.visitors == {who: seat for seat, who in people.items()}


TestPlay = Play.TestCase
