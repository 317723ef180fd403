"""What is asked of the database: rooms with their events, and visitors."""

import contextlib
import json
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, create_engine, insert, select, update
from sqlalchemy import event as hooks
from sqlalchemy.exc import DBAPIError

from savanna import files, jsontext
from savanna._core import RULES_VERSION, Position
from savanna.errors import RecordError, SavannaError
from savanna.serve.event import Event, data_of
from savanna.serve.store import schema
from savanna.serve.store.writer import Writer
from savanna.serve.table import OVER, PLAYING, WAITING, Chair, Table

_KNOWN = 10_000
"""How many visitors are remembered, so that not each request asks the database."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is kept of a room beside its events."""

    id: str
    invitation: str
    host: int
    rules_version: int
    start: str
    bot_seed: int
    chairs: tuple[Chair, ...]
    is_listed: bool
    status: str
    number: int
    previous: str | None = None

    @property
    def can_be_replayed(self) -> bool:
        """Whether its events mean the same by the rules of this version."""
        return self.rules_version == RULES_VERSION

    def table(self, events: Sequence[Event]) -> Table:
        """Return the room after its events."""
        table = Table.opened(self.host, Position.parse(self.start), self.chairs)
        for it in events:
            table = table.after(it)
        return table


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with a cookie, of which only the digest is known."""

    id: int
    token_hash: bytes
    name: str
    language: str
    is_host: bool


class Store:
    """A database file, held by one process; `with Store(path) as store`.

    What reads returns at once; what writes returns a future, whose result is there when it is on the disk. Raises
    `SavannaError` for a file that cannot be used, with its path; another process that has it is named.
    """

    def __init__(self, path: Path) -> None:
        self._stack = ExitStack()
        self._visitors: OrderedDict[bytes, Visitor] = OrderedDict()
        self.path = path
        try:
            with files.named(files.where(path)):
                path.parent.mkdir(parents=True, exist_ok=True)
            self._stack.enter_context(files.locked(path, 0))
            with usable(path):
                schema.check(path)
            self._engine = opened(path)
            self._stack.callback(self._engine.dispose)
            with usable(path), self._engine.begin() as connection:
                schema.prepare(connection)
            self._writer = Writer(self._engine)
            self._stack.callback(self._writer.close)
        except BaseException:
            self._stack.close()
            raise

    def close(self) -> None:
        """Write what has been asked for, and give the file free."""
        self._stack.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -------------------------------------------------------------------------------------------------------- visitors

    def visitor(self, token_hash: bytes) -> Visitor | None:
        """Return the visitor with a token of this hash."""
        if token_hash in self._visitors:
            self._visitors.move_to_end(token_hash)
            return self._visitors[token_hash]
        found = self._visitor(token_hash)
        if found is not None:
            self._visitors[token_hash] = found
            if len(self._visitors) > _KNOWN:
                self._visitors.popitem(last=False)
        return found

    def _visitor(self, token_hash: bytes) -> Visitor | None:
        columns = schema.visitor.c
        query = select(columns.id, columns.name, columns.language, columns.is_host)
        row = self._read(query.where(columns.token_hash == token_hash)).first()
        return None if row is None else Visitor(row.id, token_hash, row.name, row.language, bool(row.is_host))

    def add_visitor(self, token_hash: bytes) -> "Future[Visitor]":
        """Keep a new visitor."""

        def change(connection: Connection) -> Visitor:
            result = connection.execute(insert(schema.visitor).values(token_hash=token_hash))
            assert result.inserted_primary_key is not None
            return Visitor(result.inserted_primary_key[0], token_hash, "", "", False)

        return self._writer.do(change)

    def change_visitor(self, visitor: Visitor, **values: Any) -> "Future[None]":
        """Change the name, the language or the rights of a visitor."""

        def change(connection: Connection) -> None:
            connection.execute(update(schema.visitor).where(schema.visitor.c.id == visitor.id).values(values))

        changed = self._writer.do(change)
        changed.add_done_callback(lambda _: self._visitors.pop(visitor.token_hash, None))
        return changed

    # ----------------------------------------------------------------------------------------------------------- rooms

    def open_room(self, room: Room, at: int, members: Sequence[int]) -> "Future[str]":
        """Keep a new room and return its id; for a second rematch of the same room, that of the first."""

        def change(connection: Connection) -> str:
            if room.previous is not None:
                query = select(schema.room.c.id).where(schema.room.c.previous == room.previous)
                if (first := connection.execute(query).scalar()) is not None:
                    return str(first)
            chairs = jsontext.written([written(it) for it in room.chairs])
            values = {it: getattr(room, it) for it in ROOM if it != "chairs"}
            row = {**values, "chairs": chairs, "opened_at": at}
            connection.execute(insert(schema.room).values(row))
            for visitor in members:
                connection.execute(insert(schema.member).values(visitor=visitor, room=room.id))
            return room.id

        return self._writer.do(change)

    def room(self, room: str) -> Room | None:
        """Return a room by its id."""
        return self._room(schema.room.c.id == room)

    def invited(self, invitation: str) -> Room | None:
        """Return the room to which an invitation leads."""
        return self._room(schema.room.c.invitation == invitation)

    def rematch_of(self, room: str) -> str | None:
        """Return the id of the room in which those of a room play again."""
        found: str | None = self._read(select(schema.room.c.id).where(schema.room.c.previous == room)).scalar()
        return found

    def _room(self, where: Any) -> Room | None:
        row = self._read(select(*(schema.room.c[name] for name in ROOM)).where(where)).mappings().first()
        if row is None:
            return None
        chairs = tuple(Chair(**it) for it in json.loads(row["chairs"]))
        return Room(**{**row, "chairs": chairs, "is_listed": bool(row["is_listed"])})

    def events(self, room: str, after: int = 0) -> list[Event]:
        """Return the events of a room after a number, in order."""
        columns = schema.event.c
        query = select(columns.number, columns.kind, columns.seat, columns.data, columns.at)
        rows = self._read(query.where(columns.room == room, columns.number > after).order_by(columns.number))
        return [Event(row.number, row.kind, row.seat, data_of(row.data), row.at) for row in rows]

    def append(self, room: str, event: Event, status: str, member: int | None = None) -> "Future[bool]":
        """Add the next event of a room; the result is False if another event has that number.

        `status` is that of the room after it; `member` a visitor who will find the room again.
        """

        def change(connection: Connection) -> bool:
            values = {"room_id": room, "before": event.number - 1, "new_number": event.number, "new_status": status}
            if connection.execute(_COUNT_ON, values).rowcount != 1:
                return False
            row = {"number": event.number, "kind": event.kind, "seat": event.seat, "data": event.text(), "at": event.at}
            connection.execute(_ADD_EVENT, {"room": room, **row})
            if member is not None:
                add = insert(schema.member).prefix_with("OR IGNORE").values(visitor=member, room=room)
                connection.execute(add)
            return True

        return self._writer.do(change)

    def listed(self, most: int) -> list[str]:
        """Return the ids of listed rooms that wait for players, the newest first."""
        columns = schema.room.c
        query = select(columns.id).where(columns.status == WAITING, columns.is_listed == 1)
        return list(self._read(query.order_by(columns.opened_at.desc()).limit(most)).scalars())

    def rooms_of(self, visitor: int, most: int) -> list[str]:
        """Return the ids of a visitor's rooms, those not yet over first, then the newest."""
        columns = schema.room.c
        query = select(columns.id).join(schema.member, schema.member.c.room == columns.id)
        query = query.where(schema.member.c.visitor == visitor)
        return list(self._read(query.order_by(columns.status == OVER, columns.opened_at.desc()).limit(most)).scalars())

    def playing(self) -> list[str]:
        """Return the ids of all rooms in which a game goes on."""
        return list(self._read(select(schema.room.c.id).where(schema.room.c.status == PLAYING)).scalars())

    def _read(self, query: Any) -> Any:
        with self._engine.connect().execution_options(reads=True) as connection:
            return connection.execute(query).freeze()()


_COUNT_ON = (  # made once, as it is asked for with every move
    update(schema.room)
    .where(schema.room.c.id == bindparam("room_id"), schema.room.c.number == bindparam("before"))
    .values(number=bindparam("new_number"), status=bindparam("new_status"))
)
_ADD_EVENT = insert(schema.event)

ROOM = (
    "id",
    "invitation",
    "previous",
    "host",
    "rules_version",
    "start",
    "bot_seed",
    "chairs",
    "is_listed",
    "status",
    "number",
)


def written(chair: Chair) -> dict[str, Any]:
    """Return a chair as plain values, without those that are as usual."""
    usual = asdict(Chair())
    return {name: value for name, value in asdict(chair).items() if value != usual[name]}


# ------------------------------------------------------------------------------------------------------------ the file


def opened(path: Path) -> Engine:
    """Return an engine for a database file: every commit is on the disk before it returns."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False, "timeout": 5})

    @hooks.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # transactions are begun below, as the module begins them too late
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @hooks.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")

    return engine


@contextlib.contextmanager
def usable(path: Path) -> Iterator[None]:
    """Give the errors of a database file one line, with its path."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise RecordError(f"{files.where(path)}: {getattr(error, 'orig', error)}") from None
    except SavannaError as error:
        raise RecordError(f"{files.where(path)}: {error}") from None


def back_up(path: Path, copy: Path) -> None:
    """Write a copy of a database, also of one that a server is using, to a new file."""
    if not path.is_file():
        raise RecordError(f"{files.where(path)}: there is no such database")
    if copy.exists():
        raise RecordError(f"{files.where(copy)}: it is there already; choose another name")
    with usable(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
