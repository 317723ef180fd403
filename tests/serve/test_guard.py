"""What is refused before anything is looked at, and what all answers say."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import html5lib
import pytest

import savanna as sv
from savanna.serve import settings
from savanna.serve.guard import HEADERS, Limit
from tests.support.server import ORIGIN, Visitor, served
from tests.support.tools import require_library


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": ORIGIN}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:9000"}, 403),
        ({"Origin": "https://127.0.0.1:8000"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": ORIGIN}, 403),
        ({}, 403),
    ],
)
def test_forms_of_other_pages_do_nothing(headers: dict[str, str], status: int, tmp_path: Path) -> None:
    with served(tmp_path) as client:
        answer = client.post("/rooms", data={"name": "Ana", "listed": "on"}, headers=headers)
        assert answer.status_code == status
        assert ("set-cookie" in answer.headers) == (status == 303)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:9000", "", "localhost.evil:8000"]
)
def test_other_hosts_are_refused(host: str, tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert client.get("/", headers={"Host": host}).status_code == 421
        assert client.get("/", headers={"Host": "LOCALHOST:8000"}).status_code == 200


def test_long_bodies_are_refused_at_no_cost(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client)
        for body in (b"x" * 4097, b"name=" + b"y" * 10**7):
            assert ana.ask("POST", "/rooms", content=body).status_code == 413
        pieces = (b"z" * 1000 for _ in range(10**4))
        assert ana.ask("POST", "/rooms", content=pieces).status_code == 413
        assert ana.ask("POST", "/rooms", content=b"", headers={"Content-Length": "9" * 30}).status_code == 413


def test_floods_are_refused(tmp_path: Path) -> None:
    with served(tmp_path, limits={"requests": (0.001, 10), "rooms": (0.001, 2)}) as client:
        ana = Visitor(client)
        statuses = [ana.post("/rooms", name="Ana").status_code for _ in range(12)]
        assert statuses == [303] * 2 + [429] * 10
        assert ana.get("/").text.count("<h1>Too many requests") == 1


def test_a_limit_is_for_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("savanna.serve.guard.time.monotonic", lambda: now[0])
    limit = Limit(rate=2, burst=3, most=2)
    assert [limit.takes("a") for _ in range(4)] == [True, True, True, False]
    assert limit.takes("b")
    now[0] += 1
    assert [limit.takes("a") for _ in range(3)] == [True, True, False]
    now[0] += 1000
    assert [limit.takes("a") for _ in range(4)] == [True, True, True, False]


def test_what_every_answer_says(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client)
        room = ana.open()
        for path in ("/", room, f"{room}/frame", "/none", "/r/none", "/openapi.json", "/healthz", "/static/none"):
            answer = ana.get(path)
            assert {name: answer.headers[name] for name in HEADERS} == HEADERS
            assert answer.headers["cache-control"] == "no-store"
            assert "unsafe-inline" not in answer.headers["content-security-policy"]
            assert "<script" not in answer.text
            assert " style=" not in answer.text
            assert (
                "http"
                not in answer.text.replace(f"{ORIGIN}/i/", "")
                .replace("http-equiv", "")
                .replace("http://www.w3.org/", "")
                or path == "/openapi.json"
            )


def test_the_cookie_is_for_nobody_else(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        cookie = Visitor(client).post("/rooms", name="Ana").headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/" in cookie
    own = settings(tmp_path / "x", public_url="https://games.example.org")
    assert (own.cookie, own.is_secure, own.private) == ("__Host-savanna", True, False)
    assert own.origins >= {"https://games.example.org"}
    with served(tmp_path / "path", base_path="/savanna") as client:
        answer = Visitor(client).post("/rooms", name="Ana")
        assert "Path=/savanna" in answer.headers["set-cookie"]
        assert answer.headers["location"].startswith("/savanna/r/")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_path": "savanna"}, r"^--base-path must begin with a slash"),
        ({"base_path": "/a/"}, r"^--base-path must begin with a slash"),
        ({"public_url": "games.example.org"}, r"^--public-url must be as https://games\.example\.org, got"),
        ({"public_url": "https://u@games.example.org"}, r"^--public-url must be as"),
        ({"public_url": "https://games.example.org/x"}, r"^--public-url has the path '/x', but --base-path is ''$"),
        ({"bots": 0}, r"^--bots must be 1 to 256, got 0$"),
    ],
)
def test_settings_that_cannot_be(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(sv.SavannaError, match=message):
        settings(tmp_path / "x", **options)


def test_a_server_that_others_reach_is_private(tmp_path: Path) -> None:
    assert not settings(tmp_path / "x").private
    assert settings(tmp_path / "x", host="0.0.0.0").private
    assert not settings(tmp_path / "x", host="0.0.0.0", private=False).private
    assert not settings(tmp_path / "x", host="0.0.0.0", public_url="https://a.example").private


@pytest.mark.parametrize("language", ["en", "es", "ja"])
def test_pages_are_valid(language: str, tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client, language)
        pages = [ana.get("/"), ana.get("/none")]
        room = ana.open(players=2)
        pages.append(ana.get(room))
        link = pages[-1].text.split('readonly value="')[1].split('"')[0].removeprefix(ORIGIN)
        pages.append(Visitor(client, language).get(link))
        ana.post(f"{room}/seat", seat=1, strength="beginner")
        ana.post(f"{room}/start")
        pages.append(ana.get(room))
        pages.append(ana.post(f"{room}/move", number=9, move="x"))
        ana.post(f"{room}/resign")
        pages += [ana.get(room), ana.get(f"{room}/review"), ana.get("/host/key")]
        for page in pages:
            parser = html5lib.HTMLParser(strict=True)
            parser.parse(page.text)
            assert f'<html lang="{language}">' in page.text


def test_requests_of_all_kinds_are_answered_as_is_described(tmp_path: Path) -> None:
    """Requests made by schemathesis from `openapi.json`: no error of the server, and no answer that is not in it."""
    schemathesis = require_library("schemathesis", "web")
    from hypothesis import given
    from hypothesis import settings as limits

    from tests.support.full import count

    document = json.loads(files("savanna.serve").joinpath("openapi.json").read_bytes())
    with served(tmp_path) as client:
        ana = Visitor(client)
        room = ana.open(players=2).removeprefix("/r/")
        schema = schemathesis.openapi.from_dict(document)
        for operation in schema.get_all_operations():
            it = operation.ok()

            @limits(max_examples=count(8, 60), derandomize=True, deadline=None, database=None)
            @given(case=it.as_strategy())
            def answers(case: Any) -> None:
                path = case.operation.path.replace("{room}", room).replace("{token}", "none")
                options: dict[str, Any] = {"params": dict(case.query or {})}
                if isinstance(case.body, dict):
                    options["json"] = case.body
                headers = {"Content-Type": "application/json"} if "json" in options else {}
                answer = ana.ask(case.method.upper(), path, headers=headers, **options)
                assert str(answer.status_code) in case.operation.definition.raw["responses"], answer.text

            answers()
