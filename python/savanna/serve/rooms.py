"""The rooms of a server: those in use in memory, all of them in the store."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from savanna._core import RULES_VERSION, Rules
from savanna.language import Language, marked
from savanna.serve import event as kinds
from savanna.serve.bots import Bots
from savanna.serve.chance import Chance
from savanna.serve.event import Event
from savanna.serve.perspective import Perspective
from savanna.serve.refusal import Refusal
from savanna.serve.store import Room, Store
from savanna.serve.table import OVER, WAITING, Chair, Table
from savanna.serve.told import Told, told

T = TypeVar("T")

KEPT = 2000
"""How many rooms that are not over stay in memory; any other is replayed from its events, which takes no time."""


@dataclass(eq=False)
class Live:
    """A room in use. Its events happen one after the other; what is made for readers is kept until the next one."""

    room: Room
    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    thinking: asyncio.Task[None] | None = None
    before: dict[tuple[Perspective, str], tuple[int, dict[str, str]]] = field(default_factory=dict)
    """The pieces of the picture that each perspective was shown last, and after how many events."""
    _made: dict[tuple[str, Perspective, str], Any] = field(default_factory=dict)

    def told(self, perspective: Perspective, language: Language) -> Told:
        """Return what a perspective is told now."""
        return self.made("told", perspective, language, lambda: told(self.table, perspective, language))

    def made(self, kind: str, perspective: Perspective, language: Language, make: Callable[[], T]) -> T:
        """Return what is made for a perspective, which is made once between two events."""
        key = (kind, perspective, language.code)
        if key not in self._made:
            self._made[key] = make()
        found: T = self._made[key]
        return found

    def change(self, table: Table) -> None:
        """Let an event have happened."""
        for (kind, perspective, code), made in self._made.items():
            if kind == "parts":
                self.before[perspective, code] = (self.table.number, made)
        self.table = table
        self._made = {}


class Rooms:
    """All rooms. They are of one event loop; bots move by themselves in those that are in use."""

    def __init__(self, store: Store, bots: Bots, chance: Chance) -> None:
        self._store = store
        self._bots = bots
        self._chance = chance
        self._live: OrderedDict[str, Live] = OrderedDict()

    # --------------------------------------------------------------------------------------------------------- looking

    def find(self, room: str) -> Live:
        """Return a room. Raises `Refusal` if there is none of this name, or if its rules are not those of today."""
        live = self._live.get(room)
        if live is None:
            kept = self._store.room(room)
            if kept is None:
                raise Refusal(404, marked("There is no such room."))
            if not kept.can_be_replayed:
                raise Refusal(410, marked("This game was played by other rules than this version knows."))
            live = Live(kept, kept.table(self._store.events(room)))
            if live.table.status != OVER:
                self._keep(live)
        else:
            self._live.move_to_end(room)
        return live

    def _keep(self, live: Live) -> None:
        """Keep a room in memory, and let go of those that nobody has used for the longest time."""
        self._live[live.room.id] = live
        for name in list(self._live)[: max(0, len(self._live) - KEPT)]:
            if not self._live[name].lock.locked() and self._live[name].thinking is None:
                del self._live[name]

    # --------------------------------------------------------------------------------------------------------- changes

    async def open(
        self, host: int, rules: Rules, chairs: list[Chair], *, is_listed: bool, previous: str | None = None
    ) -> str:
        """Open a room and return its name; a second rematch is the first one."""
        room = Room(
            id=self._chance.room(),
            invitation=self._chance.token(),
            host=host,
            rules_version=RULES_VERSION,
            start=str(self._chance.deal(rules)),
            bot_seed=self._chance.seed(),
            chairs=tuple(chairs),
            is_listed=is_listed,
            status=WAITING,
            number=0,
            previous=previous,
        )
        members = {host, *(it.visitor for it in chairs if it.visitor is not None)}
        return await asyncio.wrap_future(self._store.open_room(room, self._chance.now(), sorted(members)))

    async def do(self, room: str, decide: Callable[[Table], Event]) -> Live:
        """Let something happen, and return the room when it is on the disk. Raises `Refusal` if it cannot be."""
        live = self.find(room)
        async with live.lock:
            event = decide(live.table)
            if event.number > live.table.number:
                await self._append(live, event)
        self._wake(live)
        return live

    async def _append(self, live: Live, event: Event) -> None:
        event = replace(event, at=self._chance.now())
        table = live.table.after(event)
        member = event.data.get("visitor") if event.kind == kinds.SAT else None
        try:
            happened = await asyncio.wrap_future(self._store.append(live.room.id, event, table.status, member))
        except BaseException:  # or the request is given up: whether it is on the disk, only the store knows
            self._live.pop(live.room.id, None)
            raise
        if not happened:
            self._live.pop(live.room.id, None)
            raise Refusal(409, marked("Something has happened since you looked. Here is how it stands now."))
        live.change(table)
        if table.status == OVER:
            self._live.pop(live.room.id, None)

    async def rematch(self, room: str, visitor: int) -> str:
        """Open the next room of those who have played in one, begun already if nobody else has to come."""
        live = self.find(room)
        chairs = live.table.rematch(visitor)
        name = await self.open(live.table.host, live.table.rules, chairs, is_listed=False, previous=room)
        new = self.find(name)
        if new.table.status == WAITING and new.table.is_full:
            await self.do(name, lambda table: table.begin(table.host) if table.status == WAITING else table.events[-1])
        return name

    # ------------------------------------------------------------------------------------------------------------ bots

    def wake_all(self) -> None:
        """Let the bots of all games move on, as after a restart."""
        for name in self._store.playing():
            try:
                self._wake(self.find(name))
            except Refusal:  # by other rules: it stays as it is
                continue

    def _wake(self, live: Live) -> None:
        """Let the bots of a room move, if it is their turn and they are not at it."""
        if live.thinking is None and bot_to_move(live.table):
            live.thinking = asyncio.create_task(self._think(live))

    async def _think(self, live: Live) -> None:
        try:
            while (seat := live.table.turn) is not None and (player := live.table.chairs[seat].player):
                number, view = live.table.number, live.table.position.view(seat)
                move = await self._bots.move(view, player, live.room.bot_seed, number)
                async with live.lock:
                    if event := live.table.bot_move(number, move):
                        await self._append(live, event)
        finally:
            live.thinking = None

    async def close(self) -> None:
        """Let nothing more happen."""
        tasks = [it.thinking for it in self._live.values() if it.thinking is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._bots.close()


def bot_to_move(table: Table) -> bool:
    """Tell whether a bot is to move."""
    return table.turn is not None and table.chairs[table.turn].player is not None


def hashed(token: str) -> bytes:
    """Return what is kept of a secret."""
    return hashlib.sha256(token.encode()).digest()
