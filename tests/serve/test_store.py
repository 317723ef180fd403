"""The database: what goes wrong with files is one clear error, and nothing is lost."""

import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

import savanna as sv
from savanna.serve.event import Event
from savanna.serve.store import Room, Store
from savanna.serve.store.schema import VERSION
from savanna.serve.table import WAITING, Chair
from tests.support.server import Loaded, Visitor, served


def a_room(store: Store, name: str = "room") -> None:
    store.add_visitor(name.encode()).result()
    start = str(sv.Position.deal(sv.Rules(), 1))
    room = Room(name, f"invitation {name}", 1, sv.RULES_VERSION, start, 7, (Chair(), Chair()), True, WAITING, 0)
    assert store.open_room(room, 5, [1]).result() == name


def test_every_commit_is_on_the_disk(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        a_room(store)
        with store._engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_changes_that_wait_are_made_one_by_one(tmp_path: Path) -> None:
    """Of events with the same number the first happens, in whatever transaction they are."""
    with Store(tmp_path / "games.sqlite") as store:
        a_room(store)
        events = [Event(1 + number // 3, "sat", number % 2, {"visitor": 1, "name": "A"}) for number in range(300)]
        futures = [store.append("room", it, WAITING) for it in events]
        assert [it.result() for it in futures] == [number % 3 == 0 for number in range(300)]
        assert [it.number for it in store.events("room")] == list(range(1, 101))
        assert [it.number for it in store.events("room", 97)] == [98, 99, 100]


def test_a_full_disk_is_told_and_nothing_of_it_happens(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        a_room(store)
        pages = store._writer.do(lambda it: it.exec_driver_sql("PRAGMA page_count").scalar()).result()
        store._writer.do(lambda it: it.exec_driver_sql(f"PRAGMA max_page_count={pages}").scalar()).result()
        long = Event(1, "sat", 0, {"name": "x" * 100_000})
        with pytest.raises(DBAPIError, match="full"):
            store.append("room", long, WAITING).result()
        store._writer.do(lambda it: it.exec_driver_sql("PRAGMA max_page_count=1000000").scalar()).result()
        assert store.events("room") == []
        assert store.append("room", Event(1, "left", 0, {}), WAITING).result()


def test_a_full_disk_is_told_to_who_moves(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client)
        room = ana.open(players=2, seat_1="beginner")
        writer = client.app.state.server.store._writer  # type: ignore[attr-defined]

        def limited(pages: int) -> Any:
            return writer.do(lambda it: it.exec_driver_sql(f"PRAGMA max_page_count={pages}").scalar()).result()

        limited(1)
        names = ["x" * 40] * 200  # until the pages that are there are full
        statuses = [Visitor(client).post("/rooms", name=name).status_code for name in names]
        assert statuses[-1] == 503
        before = ana.frame(room)["number"]
        while (answer := ana.post(f"{room}/start")).status_code != 303:
            assert answer.status_code == 503
            assert "cannot write" in answer.text
            assert ana.frame(room)["number"] == before
            limited(10**6)
        assert ana.frame(room)["status"] == "playing"


def text(path: Path) -> None:
    path.write_text("This is a letter, and not a database of any kind. " * 30)


def other(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE letters (content TEXT)")


def later(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE schema_version SET version = 99")


def read_only(path: Path) -> None:
    Store(path).close()
    path.chmod(stat.S_IRUSR)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (text, "file is not a database"),
        (other, "it is a database of another program"),
        (later, f"it was written by a later savanna-core, which knows version 99, not {VERSION}"),
        (Path.mkdir, "not a regular file"),
    ],
)
def test_files_that_cannot_be_used(make: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(sv.RecordError, match=rf"games\.sqlite: {message}$"):
        Store(path)
    if path.is_file():
        assert path.read_bytes() == before
    make_again = tmp_path / "new.sqlite"
    Store(make_again).close()


def test_a_clock_that_is_set_back_changes_nothing(tmp_path: Path) -> None:
    chance = Loaded()
    with served(tmp_path, chance) as client:
        ana = Visitor(client)
        room = ana.open(players=2, seat_1="beginner")
        chance.now = lambda: 5  # type: ignore[method-assign]
        assert ana.post(f"{room}/start").status_code == 303
        frame = ana.frame(room)
        assert frame["turn"]
        move = f"{frame['choices'][0]} {frame['spaces'][0]}"
        assert ana.post(f"{room}/move", number=frame["number"], move=move).status_code == 303


@pytest.mark.rare
def test_a_game_takes_two_kilobytes(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    games = 200
    with Store(path) as store:
        a_room(store, "first")
        before = path.stat().st_size + path.with_name("games.sqlite-wal").stat().st_size
        for number in range(games):
            a_room(store, f"room{number:06}")
            for ply in range(1, 24):
                store.append(f"room{number:06}", Event(ply, "moved", ply % 2, {"move": "elephant lion c4"}, 1), "over")
    with sqlite3.connect(path) as connection:
        connection.execute("VACUUM")
    assert (path.stat().st_size - before) / games < 2600


def test_a_game_by_other_rules_says_so(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client)
        room = ana.open(players=2)
        ana.post(f"{room}/leave")
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        connection.execute("UPDATE room SET rules_version = 99")
    with served(tmp_path) as client:
        again = Visitor(client)
        again.cookies = ana.cookies
        assert again.get(room).status_code == 410
        assert again.get("/").status_code == 200
