"""What answers each path. GET shows and changes nothing; POST does something and leads to a page, or answers JSON."""

import asyncio
import hmac
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from savanna.game import Game
from savanna.language import LANGUAGES, Language, marked
from savanna.serve import forms, pages
from savanna.serve.asking import (
    YEAR,
    Server,
    known_visitor,
    language_of,
    perspective_of,
    reader_of,
    server,
    visitor,
    with_cookie,
)
from savanna.serve.event import Event
from savanna.serve.perspective import PUBLIC, Perspective, over
from savanna.serve.refusal import Refusal
from savanna.serve.rooms import Live
from savanna.serve.store.store import Visitor
from savanna.serve.table import OVER, PERSON, WAITING, Chair, Table
from savanna.serve.told import told

MOST = 999_999_999
"""The greatest number that is read."""

LISTED = 50
"""How many rooms a page lists at most."""


def routes(base_path: str) -> list[Any]:
    """Return all paths."""
    own = [  # what is asked most comes first
        Route("/r/{room}/frame", frame),
        *(Route(f"/r/{{room}}/{name}", act, methods=["POST"], name=name) for name in ACTS),
        Route("/r/{room}", room),
        Route("/static/{name}", static),
        Route("/", lobby),
        Route("/rooms", open_room, methods=["POST"]),
        Route("/r/{room}/sit", sit, methods=["POST"]),
        Route("/r/{room}/rematch", rematch, methods=["POST"]),
        Route("/r/{room}/review", review),
        Route("/r/{room}/game.json", record),
        Route("/i/{token}", invitation, methods=["GET", "POST"]),
        Route("/me", me, methods=["POST"]),
        Route("/host/{key}", become_host, methods=["GET", "POST"]),
        Route("/openapi.json", openapi),
        Route("/healthz", health),
    ]
    return [Mount(base_path, routes=own)] if base_path else own


# -------------------------------------------------------------------------------------------------------------- answers


def refused(request: Request, refusal: Refusal) -> Response:
    """Answer that something is not done, in the reader's language; with the room as it stands, if there is one."""
    is_stopped = "refusal" in request.scope  # by the guard, so nothing is looked at
    who = None if is_stopped else visitor(request)
    words = language_of(request, who)
    said = refusal.said(words)
    if forms.wants_json(request):
        return JSONResponse({"error": said}, refusal.status)
    it: Server = request.app.state.server
    name = None if is_stopped or refusal.status == HTTPStatus.NOT_FOUND else request.path_params.get("room")
    if name is not None:
        with suppress(Refusal):  # the room itself is what is refused
            return HTMLResponse(room_page(request, it.rooms.find(name), who, said), refusal.status)
    reader = pages.Reader(words, "" if who is None else who.name, may_open=False)
    return HTMLResponse(pages.page("refused.html", it.settings, reader, said=said), refusal.status)


def of_http(error: HTTPException) -> Refusal:
    """Return what the framework itself refuses, in our words."""
    if error.status_code == HTTPStatus.NOT_FOUND:
        return Refusal(404, marked("There is no such page."))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return Refusal(405, marked("This page cannot be asked in that way."))
    return Refusal(error.status_code, "{detail}", detail=str(error.detail))


def to_room(request: Request, name: str) -> Response:
    """Lead to the page of a room, or tell a program its name."""
    if forms.wants_json(request):
        return JSONResponse({"room": name})
    return RedirectResponse(f"{server(request).settings.base_path}/r/{name}", HTTPStatus.SEE_OTHER)


# ---------------------------------------------------------------------------------------------------------------- lobby


async def lobby(request: Request) -> Response:
    """Show my rooms, those that wait for players, and the form for a new one."""
    it, who = server(request), visitor(request)
    reader = reader_of(request, who)
    mine = [] if who is None else rows(it, it.store.rooms_of(who.id, LISTED), who, reader.language)
    waiting = [] if it.settings.private else rows(it, it.store.listed(LISTED), who, reader.language)
    waiting = [row for row in waiting if row["name"] not in {own["name"] for own in mine}]
    if forms.wants_json(request):
        return JSONResponse({"mine": mine, "waiting": waiting})
    return HTMLResponse(pages.page("lobby.html", it.settings, reader, mine=mine, waiting=waiting))


def rows(it: Server, names: list[str], who: Visitor | None, words: Language) -> list[dict[str, Any]]:
    """Return rooms as rows of a list."""
    found = []
    for name in names:
        try:
            live = it.rooms.find(name)
        except Refusal:  # by other rules: it stays in the file
            continue
        seen = live.told(perspective_of(live, who), words)
        found.append(
            {
                "name": name,
                "rules": ", ".join(pages.rules_words(seen.rules, words)),
                "seats": seen.names,
                "open": sum(seat.kind == "open" for seat in seen.seats),
                "status": seen.status,
                "my_turn": seen.is_my_turn,
            }
        )
    return found


async def open_room(request: Request) -> Response:
    """Open a room by a form, with the visitor on its first open seat."""
    it = server(request)
    fields, known = await forms.fields_of(request), visitor(request)
    if it.settings.private and not (known and known.is_host):
        raise Refusal(403, marked("On this server only its host opens rooms. You can play by invitation."))
    if not it.new_rooms.takes(request.client.host if request.client else ""):
        raise Refusal(429, marked("Too many new rooms. Wait a little."))
    rules = forms.rules_in(fields)
    chairs = forms.chairs_in(fields, rules.players)
    name = "" if fields.get("watch") else forms.name_in(fields, known.name if known else "")
    who, token = await known_visitor(request)
    if name:
        free = next((seat for seat, chair in enumerate(chairs) if chair.kind == "open"), None)
        if free is None:
            raise Refusal(422, marked("Leave a seat open for yourself, or choose to watch."))
        chairs[free] = Chair(PERSON, who.id, name)
        await rename(it, who, name)
    room = await it.rooms.open(who.id, rules, chairs, is_listed=bool(fields.get("listed")))
    return with_cookie(request, to_room(request, room), token)


async def rename(it: Server, who: Visitor, name: str) -> None:
    """Keep the name that somebody has used last."""
    if who.name != name:
        await asyncio.wrap_future(it.store.change_visitor(who, name=name))


async def me(request: Request) -> Response:
    """Choose a language."""
    it = server(request)
    fields = await forms.fields_of(request)
    code = fields.get("language", "")
    if code not in LANGUAGES:
        raise Refusal(422, marked("This language is not known."))
    who, token = await known_visitor(request)
    await asyncio.wrap_future(it.store.change_visitor(who, language=code))
    answer: Response = RedirectResponse(f"{it.settings.base_path}/", HTTPStatus.SEE_OTHER)
    if forms.wants_json(request):
        answer = JSONResponse({"language": code})
    return with_cookie(request, answer, token)


async def become_host(request: Request) -> Response:
    """Show what the host's link is for, or make the visitor the host."""
    it = server(request)
    if it.host_key is None or not hmac.compare_digest(request.path_params["key"].encode(), it.host_key.encode()):
        raise Refusal(404, marked("There is no such page."))
    if request.method != "POST":
        return HTMLResponse(pages.page("host.html", it.settings, reader_of(request, visitor(request))))
    who, token = await known_visitor(request)
    await asyncio.wrap_future(it.store.change_visitor(who, is_host=1))
    return with_cookie(request, RedirectResponse(f"{it.settings.base_path}/", HTTPStatus.SEE_OTHER), token)


# ----------------------------------------------------------------------------------------------------------------- room


def room_page(request: Request, live: Live, who: Visitor | None, refusal: str = "") -> str:
    """Return the page of a room for whom the cookie says."""
    it = server(request)
    reader = reader_of(request, who)
    if live.table.status == OVER:
        seen = told(live.table, over(live.table), reader.language)
    else:
        seen = live.told(perspective_of(live, who), reader.language)
    return pages.page(
        "room.html",
        it.settings,
        reader,
        room=live.room.id,
        told=seen,
        **pages.pictures(seen, reader.language),
        rules=pages.rules_words(seen.rules, reader.language),
        is_host=who is not None and who.id == live.table.host,
        my_seat=None if who is None else live.table.visitors.get(who.id),
        is_full=live.table.is_full,
        is_waiting=live.table.status == WAITING,
        next_room=it.store.rematch_of(live.room.id) if live.table.status == OVER else None,
        invitation=invitation_url(request, live) if who is not None and who.id in members(live) else None,
        refusal=refusal,
    )


def invitation_url(request: Request, live: Live) -> str:
    """Return the link that invites others to a room, under the name by which the server is reached."""
    it = server(request).settings
    scheme = "https" if it.is_secure else "http"
    return f"{scheme}://{request.headers['host']}{it.base_path}/i/{live.room.invitation}"


def members(live: Live) -> set[int]:
    """Return those who may invite others to a room: the host, and who has a seat."""
    return {live.table.host, *live.table.visitors}


async def room(request: Request) -> Response:
    """Show a room."""
    live = server(request).rooms.find(request.path_params["room"])
    return HTMLResponse(room_page(request, live, visitor(request)))


async def frame(request: Request) -> Response:
    """Tell what a room's page shows, as JSON; 204 if nothing has happened `after` an event."""
    it, who = server(request), visitor(request)
    live = it.rooms.find(request.path_params["room"])
    after = number_of(request, "after")
    if after is not None and after >= live.table.number:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    content = frame_of(live, perspective_of(live, who), language_of(request, who), after)
    return Response(content, media_type="application/json")


def frame_of(live: Live, perspective: Perspective, words: Language, after: int | None) -> str:
    """Return the frame of a perspective: of the picture only what has changed, for who has seen the one before."""
    seen = live.told(perspective, words)
    parts = live.made("parts", perspective, words, lambda: pages.parts(seen, words))
    number, before = live.before.get((perspective, words.code), (None, {}))
    since = after if after is not None and after == number else None
    changed = parts if since is None else {key: piece for key, piece in parts.items() if before[key] != piece}
    return live.made(f"frame {since}", perspective, words, lambda: pages.frame(seen, changed, since))


def number_of(request: Request, name: str) -> int | None:
    """Return a number of the query. Raises `Refusal` for what is none."""
    given = request.query_params.get(name)
    if given is None:
        return None
    return forms.whole_number(name, given, 0, MOST)


async def invitation(request: Request) -> Response:
    """Show what an invitation offers, or take it."""
    it, who = server(request), visitor(request)
    found = it.store.invited(request.path_params["token"])
    if found is None:
        raise Refusal(404, marked("This invitation leads nowhere."))
    if request.method == "POST":
        return await sit_down(request, found.id, await forms.fields_of(request))
    reader = reader_of(request, who)
    live = it.rooms.find(found.id)
    seen = live.told(perspective_of(live, who), reader.language)
    rules = pages.rules_words(seen.rules, reader.language)
    token = request.path_params["token"]
    return HTMLResponse(
        pages.page("invitation.html", it.settings, reader, told=seen, rules=rules, token=token, room=found.id)
    )


async def sit_down(request: Request, name: str, fields: dict[str, str]) -> Response:
    """Let the visitor sit down in a room."""
    it = server(request)
    seat = forms.number_in(fields, "seat", 0, 3, -1)
    it.rooms.find(name)
    known = visitor(request)
    called = forms.name_in(fields, known.name if known else "")
    who, token = await known_visitor(request)
    await it.rooms.do(name, lambda table: table.sit(who.id, None if seat < 0 else seat, called))
    await rename(it, who, called)
    return with_cookie(request, to_room(request, name), token)


ACTS: dict[str, Callable[[Table, int, forms.Fields], Event]] = {
    "leave": lambda table, who, _: table.leave(who),
    "seat": lambda table, who, it: table.arrange(who, forms.number_in(it, "seat", 0, 3), it.get("strength", "")),
    "start": lambda table, who, _: table.begin(who),
    "move": lambda table, who, it: table.move(who, forms.number_in(it, "number", 0, MOST), forms.move_in(it)),
    "resign": lambda table, who, _: table.resign(who),
}
"""What a visitor does in a room, by the last part of the path."""


async def act(request: Request) -> Response:
    """Do one of `ACTS`, for whom the cookie says."""
    it, name = server(request), request.path_params["room"]
    fields = await forms.fields_of(request)
    it.rooms.find(name)
    who = visitor(request)
    if who is None:
        raise Refusal(403, marked("You have no seat here."))
    mine, decide = who.id, ACTS[request.url.path.rpartition("/")[2]]
    live = await it.rooms.do(name, lambda table: decide(table, mine, fields))
    if forms.wants_json(request):
        return JSONResponse({"number": live.table.number})
    return to_room(request, name)


async def sit(request: Request) -> Response:
    """Sit down in a listed room; in any other, that takes its invitation."""
    it, name, who = server(request), request.path_params["room"], visitor(request)
    live = it.rooms.find(name)
    if not live.room.is_listed and (who is None or who.id != live.table.host):
        raise Refusal(403, marked("Only who has the invitation can sit down here. You can watch."))
    return await sit_down(request, name, await forms.fields_of(request))


async def rematch(request: Request) -> Response:
    """Lead those who have played to their next game, which the first of them opens."""
    it, who = server(request), visitor(request)
    if who is None:
        raise Refusal(403, marked("Only those who played can ask for another game."))
    await forms.fields_of(request)
    return to_room(request, await it.rooms.rematch(request.path_params["room"], who.id))


# ----------------------------------------------------------------------------------------------------------- afterwards


async def review(request: Request) -> Response:
    """Show a game that is over, ply by ply: with all tiles, as spectators or as a seat saw it."""
    it, who = server(request), visitor(request)
    reader = reader_of(request, who)
    live = it.rooms.find(request.path_params["room"])
    if live.table.status != OVER:
        raise Refusal(403, marked("The game is not over."))
    as_seen = request.query_params.get("as", "all")
    ply = number_of(request, "ply")
    at = live.table.ply if ply is None else min(ply, live.table.ply)
    seen = told(live.table, looking(live, as_seen), reader.language, at)
    return HTMLResponse(
        pages.page(
            "review.html",
            it.settings,
            reader,
            room=live.room.id,
            told=seen,
            **pages.pictures(seen, reader.language),
            rules=pages.rules_words(seen.rules, reader.language),
            as_seen=as_seen,
        )
    )


def looking(live: Live, name: str) -> Perspective:
    """Return the perspective of a name: "all", "public", or the number of a seat."""
    if name == "all":
        return over(live.table)
    if name == "public":
        return PUBLIC
    if name.isascii() and name.isdecimal() and len(name) == 1 and int(name) < live.table.rules.players:
        return Perspective(int(name))
    raise Refusal(422, marked("There is no such seat."))


async def record(request: Request) -> Response:
    """Give the record of a game: all of it when it is over, before that what spectators have seen."""
    it, who = server(request), visitor(request)
    live = it.rooms.find(request.path_params["room"])
    table = live.table
    if table.status == WAITING:
        raise Refusal(409, marked("The game has not begun."))
    names = live.told(perspective_of(live, who), language_of(request, who)).names
    game = Game(table.start, names)
    for move in table.moves:
        game.play(move)
    written = game if table.status == OVER else game.public()
    headers = {"Content-Disposition": f'attachment; filename="savanna-{live.room.id}.json"'}
    return Response(f"{written.to_json(indent=True)}\n", media_type="application/json", headers=headers)


# ------------------------------------------------------------------------------------------------------------- the rest


async def static(request: Request) -> Response:
    """Give the style sheet, which browsers may keep for ever, as its name changes with it."""
    server(request)
    if request.path_params["name"] != pages.style_name():
        raise Refusal(404, marked("There is no such page."))
    headers = {"Cache-Control": f"public, max-age={YEAR}, immutable"}
    return Response(pages.style_sheet(), media_type="text/css", headers=headers)


async def openapi(request: Request) -> Response:
    """Give the description of all paths, for programs."""
    server(request)
    content = files("savanna.serve").joinpath("openapi.json").read_bytes()
    return Response(content, media_type="application/json")


async def health(request: Request) -> Response:
    """Say that the server answers."""
    server(request)
    return PlainTextResponse("ok\n")
