"""How many moves of people a server of rooms takes, what a room costs in memory and on disk.

A server runs on one core, this program sends requests from another: people move in many rooms, at a rate that does not
wait for answers, and after each move five watchers of that room ask for what is new. Printed are the moves that were
acknowledged per second, the time from sending a move to the last watcher's answer, and memory and disk.

    python benchmarks/serve.py --rooms 200 --rate 80 --seconds 20
"""

import argparse
import asyncio
import json
import os
import platform
import random
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import uvicorn

import savanna as sv
from savanna.serve import application, settings
from savanna.serve.event import Event
from savanna.serve.store import Room, Store
from savanna.serve.table import Chair

HOST = "127.0.0.1"
FREELY = {"requests": (1e9, 10**9), "rooms": (1e9, 10**9)}
WATCHERS = 5


def serve(database: Path, port: int) -> None:
    """Serve without limits for an address, as all of this comes from one."""
    own = settings(database, port=port)
    with Store(database) as store:
        app = application(own, store, pace=0.0, limits=FREELY)
        uvicorn.run(
            app, host=HOST, port=port, log_level="critical", access_log=False, ws="none", timeout_keep_alive=600
        )


def on_core(core: int) -> None:
    """Keep this process on one core, if there are several and the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[core % len(cores)]})


@dataclass
class Browser:
    """A connection that stays open, with the cookie of a visitor."""

    port: int
    cookie: str = ""
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, content: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Send a request and return the status and the body of the answer."""
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port)
        body = b"" if content is None else json.dumps(content).encode()
        address = f"{HOST}:{self.port}"
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nCookie: {self.cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        if "set-cookie" in headers:
            raw = next(line for line in lines if line.lower().startswith("set-cookie: "))
            self.cookie = raw.split(": ", 1)[1].split(";")[0]
        return int(lines[0].split()[1]), await self.reader.readexactly(int(headers.get("content-length", 0)))

    async def json(self, method: str, path: str, content: dict[str, Any] | None = None) -> Any:
        """Send a request that has to succeed, and return what it answers."""
        status, body = await self.ask(method, path, content)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {body[:200]!r}")
        return json.loads(body)


@dataclass
class Party:
    """Two people in a room, and those who watch them."""

    people: list[Browser]
    watchers: list[Browser]
    room: str = ""
    number: int = 0
    turn: int = 0
    spaces: list[str] = field(default_factory=list)

    async def begin(self) -> None:
        """Open a room and start the game."""
        ana, bo = self.people
        self.room = f"/r/{(await ana.json('POST', '/rooms', {'name': 'Ana', 'listed': True}))['room']}"
        await bo.json("POST", f"{self.room}/sit", {"name": "Bo"})
        self.number = (await ana.json("POST", f"{self.room}/start", {}))["number"]
        self.turn, self.spaces = 0, random.sample(sv.SPACES, 20)

    async def move(self) -> float:
        """Play a move and let all watchers see it; return how long that took in seconds."""
        if not self.spaces:
            await self.begin()
        mover = self.people[self.turn]
        frame = await mover.json("GET", f"{self.room}/frame")
        move, sent = f"{frame['choices'][0]} {self.spaces[-1]}", time.perf_counter()
        await mover.json("POST", f"{self.room}/move", {"number": self.number, "move": move})
        before = self.number
        await asyncio.gather(*(it.json("GET", f"{self.room}/frame?after={before}") for it in self.watchers))
        self.spaces.pop()
        self.number, self.turn = self.number + 1, 1 - self.turn
        return time.perf_counter() - sent


async def load(port: int, rooms: int, rate: float, seconds: float) -> list[float]:
    """Let people move at a rate, and return how long each move took."""
    parties = [Party([Browser(port), Browser(port)], [Browser(port) for _ in range(WATCHERS)]) for _ in range(rooms)]
    for party in parties:
        await party.begin()
    free, tasks = list(parties), []
    begun, done = time.perf_counter(), []

    async def one(party: Party) -> None:
        done.append(await party.move())
        free.append(party)

    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        if free:  # else all rooms wait for answers: the server does not keep up
            tasks.append(asyncio.create_task(one(free.pop(0))))
    await asyncio.gather(*tasks)
    print(f"{len(done) / (time.perf_counter() - begun):8.1f} moves/s of {rate:g} asked for, {WATCHERS} watchers each")
    return done


def on_disk(folder: Path, games: int) -> float:
    """Return how many bytes a finished game of two takes in the file."""
    path = folder / "disk.sqlite"
    with Store(path) as store:
        store.add_visitor(b"a").result()
        for number in range(games):
            start = sv.Position.deal(sv.Rules(), number)
            chairs = (Chair("person", 1, "Ana"), Chair("bot", strength="steady"))
            name = f"room{number:06}"
            room = Room(name, name, 1, sv.RULES_VERSION, str(start), number, chairs, False, "over", 0)
            store.open_room(room, 1, [1])
            position, number = start, 0
            while not position.is_over:
                move = position.legal_moves()[number % 3]
                number, position = number + 1, position.play(move)
                store.append(name, Event(number, "moved", number % 2, {"move": str(move)}, 1), "over")
    return path.stat().st_size / games


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--rate", type=float, default=80.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--server", nargs=2, metavar=("DATABASE", "PORT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.server:
        on_core(0)
        serve(Path(given.server[0]), int(given.server[1]))
        return
    on_core(1)
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, ",
        end="",
    )
    print(f"savanna {sv.__version__}, uvicorn {uvicorn.__version__}; {given.rooms} rooms")
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--server", str(Path(folder) / "games.sqlite"), str(port)]
        with subprocess.Popen(command) as process:
            try:
                asyncio.run(measure(process.pid, port, given))
            finally:
                process.terminate()
        print(f"{on_disk(Path(folder), 2000):8.0f} bytes on disk for a finished game of two")


async def measure(pid: int, port: int, given: Any) -> None:
    """Measure a server that is starting."""
    probe, server = Browser(port), psutil.Process(pid)
    while True:
        try:
            await probe.ask("GET", "/healthz")
            break
        except OSError:
            await asyncio.sleep(0.05)
    await load(port, 2, 5, 1)
    memory, cpu = server.memory_info().rss, sum(server.cpu_times()[:2])
    times = sorted(await load(port, given.rooms, given.rate, given.seconds))
    used = sum(server.cpu_times()[:2]) - cpu
    print(f"{1000 * times[len(times) // 2]:8.1f} ms from a move to its last watcher, in the median")
    print(f"{1000 * times[int(0.99 * len(times))]:8.1f} ms, of 99 in 100")
    print(f"{1000 * used / len(times):8.2f} ms of the server's core for a move with all that it brings")
    grown = (server.memory_info().rss - memory) / given.rooms / 1024
    print(f"{grown:8.1f} KiB of memory for a room with its 7 connections")


if __name__ == "__main__":
    main()
