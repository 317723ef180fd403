"""A server that is killed at any moment: nothing that was acknowledged is lost or doubled, and every game goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest


@contextmanager
def server(database: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server on a free port, and give its process and its address."""
    command = [sys.executable, "-m", "savanna", "serve", "--port", "0", "--database", str(database), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            assert line.startswith("Savanna Ten is served at "), (line, process.stderr and process.stderr.read())
            yield process, line.split()[-1].rstrip("/")
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()


class Person:
    """A browser that sends forms, and remembers what was acknowledged."""

    def __init__(self) -> None:
        self.cookie = ""
        self.url = ""

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"Origin": self.url, "Cookie": self.cookie, "Content-Type": "application/json"}
        answer = httpx.request(method, self.url + path, headers=headers, timeout=10, trust_env=False, **options)
        for name, value in answer.cookies.items():
            self.cookie = f"{name}={value}"
        return answer

    def post(self, path: str, **fields: Any) -> httpx.Response:
        return self.ask("POST", path, content=json.dumps(fields))


class Pair:
    """Two people in a room, who play until somebody tells them to stop, or the server is gone."""

    def __init__(self, number: int) -> None:
        self.people = [Person(), Person()]
        self.random = random.Random(number)
        self.room = ""
        self.acknowledged: list[str] = []
        self.pending = ""
        self.over = False

    def begin(self, url: str) -> None:
        for it in self.people:
            it.url = url
        if not self.room:
            ana, bo = self.people
            room = f"/r/{ana.post('/rooms', name='Ana', listed=True).json()['room']}"
            assert bo.post(f"{room}/sit", name="Bo").status_code == 200
            assert ana.post(f"{room}/start").status_code == 200
            self.room = room

    def check(self) -> None:
        """Check that what was acknowledged is there once, and perhaps one move more that was on its way."""
        plies = self.people[0].ask("GET", f"{self.room}/game.json").json()
        played = (
            [it["space"] for it in plies["plies"]] if "plies" in plies else [it.split()[-1] for it in plies["moves"]]
        )
        expected = [it.split()[-1] for it in self.acknowledged]
        on_its_way = [self.pending.split()[-1]] if self.pending else []
        assert played in (expected, expected + on_its_way)
        if len(played) > len(expected):
            self.acknowledged.append(self.pending)
        self.pending = ""

    def play(self) -> None:
        with suppress(httpx.TransportError):
            while not self.over:
                self.turn()

    def turn(self) -> None:
        for it in self.people:
            frame = it.ask("GET", f"{self.room}/frame").json()
            if frame["status"] == "over":
                self.over = True
            if frame["turn"]:
                self.pending = f"{self.random.choice(frame['choices'])} {self.random.choice(frame['spaces'])}"
                answer = it.post(f"{self.room}/move", number=frame["number"], move=self.pending)
                assert answer.status_code == 200, answer.text
                self.acknowledged.append(self.pending)
                self.pending = ""


@pytest.mark.rare
def test_nothing_acknowledged_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    rng, pairs, kills = random.Random(5), [Pair(number) for number in range(3)], 200
    begun = 0
    for _ in range(kills):
        with server(tmp_path / "games.sqlite") as (process, url):
            for pair in pairs:
                pair.begin(url)
                pair.check()
            threads = [threading.Thread(target=pair.play) for pair in pairs]
            for thread in threads:
                thread.start()
            time.sleep(rng.uniform(0.02, 0.4))
            process.send_signal(signal.SIGKILL)
            for thread in threads:
                thread.join()
        for place, pair in enumerate(pairs):
            if pair.over:
                begun += 1
                pairs[place] = Pair(100 + begun)
    with server(tmp_path / "games.sqlite") as (_, url):
        for pair in pairs:
            pair.begin(url)
            pair.check()
            pair.play()
            assert pair.over
            pair.check()
            assert len(pair.acknowledged) == 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_open_connections(number: int, tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite") as (process, url):
        with httpx.Client(base_url=url, trust_env=False) as client:
            assert client.get("/healthz").text == "ok\n"
            asked = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")
        assert out.endswith("Ended.\n")
        assert time.monotonic() - asked < 20  # far above the two seconds that it is to take, as machines are busy


@pytest.mark.rare
def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    person = Person()
    with server(tmp_path / "games.sqlite") as (process, url):
        person.url = url
        fields = {"name": "Ana", "watch": True, "seat_0": "beginner", "seat_1": "beginner", "listed": True}
        room = f"/r/{person.post('/rooms', **fields).json()['room']}"
        assert person.post(f"{room}/start").status_code == 200
        process.kill()
    with server(tmp_path / "games.sqlite") as (_, url):
        person.url = url
        before = person.ask("GET", f"{room}/frame").json()["ply"]
        while person.ask("GET", f"{room}/frame").json()["ply"] < before + 2:
            time.sleep(0.05)


def test_one_process_has_a_database(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    with server(database) as (process, _):
        command = [sys.executable, "-m", "savanna", "serve", "--port", "0", "--database", str(database)]
        second = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert (second.returncode, second.stdout) == (2, "")
        assert f"games.sqlite: it is being written by process {process.pid} on " in second.stderr
        assert len(second.stderr.splitlines()) == 1
        copy = tmp_path / "copy.sqlite"
        backup = subprocess.run([*command, "--backup", str(copy)], capture_output=True, encoding="utf-8", check=False)
        assert (backup.returncode, backup.stderr) == (0, "")
        again = subprocess.run([*command, "--backup", str(copy)], capture_output=True, encoding="utf-8", check=False)
        assert again.returncode == 2
    with server(copy) as (_, url):
        assert httpx.get(f"{url}/", trust_env=False).status_code == 200


def test_nothing_secret_is_printed(tmp_path: Path) -> None:
    person = Person()
    with server(tmp_path / "games.sqlite", "--private") as (process, url):
        person.url = url
        assert process.stdout
        link = process.stdout.readline().split()[-1]
        assert person.ask("GET", "/").text.count("/rooms") == 0
        assert person.post("/rooms", name="Ana").status_code == 403
        assert person.ask("POST", link.removeprefix(url)).status_code == 303
        assert person.post("/rooms", name="Ana").status_code == 200
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    token = person.cookie.partition("=")[2]
    assert token
    assert token not in out + err
    assert token.encode() not in (tmp_path / "games.sqlite").read_bytes()
