"""A server in this process, and visitors who send it requests as browsers without scripts do."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import savanna as sv
from savanna.serve import application, settings
from savanna.serve.chance import Chance
from savanna.serve.store import Store

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
FREELY = {"requests": (1e6, 10**6), "rooms": (1e6, 10**6)}


class Loaded(Chance):
    """Chance that is known beforehand: rooms, tokens and seeds are counted, deals are given in turn."""

    def __init__(self, deals: Sequence[sv.Position] = ()) -> None:
        self.deals = list(deals)
        self.count = 0

    def deal(self, rules: sv.Rules) -> sv.Position:
        """Return the next deal that was given, or one by the count."""
        self.count += 1
        return self.deals.pop(0) if self.deals else sv.Position.deal(rules, self.count)

    def seed(self) -> int:
        """Return a seed, the same for all."""
        return 7

    def token(self) -> str:
        """Return a token by the count."""
        self.count += 1
        return f"token-{self.count:020}"

    def room(self) -> str:
        """Return a name by the count."""
        self.count += 1
        return "room" + "".join(chr(97 + int(digit)) for digit in f"{self.count:06}")

    def now(self) -> int:
        """Return always the same time."""
        return 1_764_547_200_000_000


@contextmanager
def served(folder: Path, chance: Chance | None = None, **options: Any) -> Iterator[TestClient]:
    """Give a client of a server that keeps its games in a folder."""
    limits = options.pop("limits", FREELY)
    own = settings(folder / "games.sqlite", port=8000, **options)
    with Store(own.database) as store:
        app = application(own, store, chance=chance or Loaded(), pace=0.0, limits=limits, host_key="key")
        with TestClient(app, base_url=ORIGIN + own.base_path, follow_redirects=False) as client:
            yield client


class Visitor:
    """A browser with cookies of its own."""

    def __init__(self, client: TestClient, language: str = "en") -> None:
        self._client = client
        self.language = language
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Send a request, with the cookies and the headers of a browser, and keep the cookies of the answer."""
        headers = {"Accept-Language": self.language, **options.pop("headers", {})}
        if method == "POST":
            headers = {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin", **headers}
        self._client.cookies.clear()
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self._client.request(method, path, headers=headers, **options)
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        self._client.cookies.clear()
        return answer

    def get(self, path: str, **options: Any) -> Any:
        """Ask for a page."""
        return self.ask("GET", path, **options)

    def post(self, path: str, **fields: Any) -> Any:
        """Send a form."""
        return self.ask("POST", path, data=fields)

    def open(self, **fields: Any) -> str:
        """Open a room and return its path."""
        answer = self.post("/rooms", **{"name": "Ana", "listed": "on", **fields})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def frame(self, room: str) -> Any:
        """Return what a room's page shows, as JSON."""
        return self.get(f"{room}/frame").json()


class _Forms(HTMLParser):
    """Reads the forms of a page: their action, their fields and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        it = dict(attrs)
        if tag == "form":
            self.forms.append({"action": it.get("action", ""), "fields": {}, "choices": {}})
        elif self.forms and tag in ("input", "button") and (name := it.get("name")):
            if tag == "button" or it.get("type") in ("radio", "submit"):
                self.forms[-1]["choices"].setdefault(name, []).append(it.get("value", ""))
            elif it.get("type") != "checkbox":
                self.forms[-1]["fields"][name] = it.get("value") or ""


def forms(page: str) -> list[dict[str, Any]]:
    """Return the forms of a page."""
    reader = _Forms()
    reader.feed(page)
    return reader.forms


def form(page: str, ending: str) -> dict[str, Any] | None:
    """Return the form whose action ends so, if there is one."""
    return next((it for it in forms(page) if it["action"].endswith(ending)), None)


def invitation(page: str) -> str:
    """Return the path of the invitation that a room's page shows."""
    found = re.search(r'value="http://[^/]+(/[^"]*)"', page)
    assert found
    return found[1]
