"""The tables of the database, and how an older file is brought to them."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
    update,
)

from savanna.errors import SavannaError

metadata = MetaData()

schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))

visitor = Table(
    "visitor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),  # SHA-256 of the cookie, which is not kept
    Column("name", String, nullable=False, default=""),
    Column("language", String, nullable=False, default=""),
    Column("is_host", Integer, nullable=False, default=0),  # may open rooms on a private server
)

room = Table(
    "room",
    metadata,
    Column("id", String, primary_key=True),
    Column("previous", String, unique=True),  # the room of which this is the rematch
    Column("host", ForeignKey("visitor.id"), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("start", String, nullable=False),  # the deal: secret
    Column("bot_seed", Integer, nullable=False),  # secret
    Column("chairs", String, nullable=False),  # who has a seat from the beginning
    Column("invitation", String, nullable=False, unique=True),  # secret: who has it can sit down
    Column("is_listed", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("number", Integer, nullable=False),  # of events
    Column("opened_at", Integer, nullable=False),  # microseconds since 1970, in UTC
    sqlite_with_rowid=False,
)
Index("room_by_status", room.c.status, room.c.opened_at)

event = Table(
    "event",
    metadata,
    Column("room", ForeignKey("room.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("seat", Integer),
    Column("data", String, nullable=False),
    Column("at", Integer, nullable=False),
    PrimaryKeyConstraint("room", "number"),  # so that every event happens once
    sqlite_with_rowid=False,
)

member = Table(
    "member",
    metadata,
    Column("visitor", ForeignKey("visitor.id"), nullable=False),
    Column("room", ForeignKey("room.id"), nullable=False),
    PrimaryKeyConstraint("visitor", "room"),  # who will find which room again
    sqlite_with_rowid=False,
)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {}
"""What brings a file of a version to the next one."""

VERSION = 1


def check(path: Path) -> None:
    """Look at a file without changing it.

    Raises `SavannaError` for one that is not of this program, or of a later version of it, `sqlite3.Error` for one that
    is not a database.
    """
    if not path.exists() or path.stat().st_size == 0:
        return
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "schema_version" not in tables:
            raise SavannaError("it is a database of another program")
        version = connection.execute("SELECT version FROM schema_version").fetchone()[0] if tables else VERSION
    if version > VERSION:
        raise SavannaError(f"it was written by a later savanna-core, which knows version {version}, not {VERSION}")


def prepare(connection: Connection) -> None:
    """Make the tables of a new file, or bring those of an older one up to date."""
    if not inspect(connection).get_table_names():
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=VERSION))
    version = connection.execute(select(schema_version.c.version)).scalar_one()
    while version < VERSION:
        MIGRATIONS[version](connection)
        version += 1
    connection.execute(update(schema_version).values(version=version))
