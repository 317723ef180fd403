"""Who asks: the visitor behind a cookie, and the language they read."""

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from savanna.language import ENGLISH, LANGUAGES, Language, language
from savanna.serve import pages
from savanna.serve.chance import Chance
from savanna.serve.guard import Limit
from savanna.serve.perspective import Perspective, of
from savanna.serve.rooms import Live, Rooms, hashed
from savanna.serve.settings import Settings
from savanna.serve.store import Store
from savanna.serve.store.store import Visitor

YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Server:
    """What answers need: settings, what is kept, the rooms, and how many new rooms an address may ask for."""

    settings: Settings
    store: Store
    rooms: Rooms
    chance: Chance
    new_rooms: Limit
    host_key: str | None


def server(request: Request) -> Server:
    """Return what the server has. Raises the `Refusal` that the guard has found."""
    if "refusal" in request.scope:
        raise request.scope["refusal"]
    found: Server = request.app.state.server
    return found


def visitor(request: Request) -> Visitor | None:
    """Return whose cookie the request has."""
    it = server(request)
    token = request.cookies.get(it.settings.cookie)
    return None if token is None or len(token) > 100 else it.store.visitor(hashed(token))


def perspective_of(live: Live, who: Visitor | None) -> Perspective:
    """Return how a visitor sees a room."""
    return of(live.table, None if who is None else who.id)


async def known_visitor(request: Request) -> tuple[Visitor, str | None]:
    """Return whose cookie the request has, or a new visitor with the token that the answer has to give."""
    known = visitor(request)
    if known is not None:
        return known, None
    it = server(request)
    token = it.chance.token()
    return await asyncio.wrap_future(it.store.add_visitor(hashed(token))), token


def with_cookie(request: Request, response: Response, token: str | None) -> Response:
    """Give a new visitor's token to the browser, for which scripts cannot read it and others cannot use it."""
    if token is not None:
        it = server(request).settings
        response.set_cookie(
            it.cookie, token, YEAR, path=it.cookie_path, secure=it.is_secure, httponly=True, samesite="lax"
        )
    return response


def language_of(request: Request, who: Visitor | None = None) -> Language:
    """Return the language that somebody has chosen, or the first one that their browser asks for and that there is."""
    if who is not None and who.language in LANGUAGES:
        return language(who.language)
    wanted = request.headers.get("accept-language", "")[:200].lower().split(",")
    codes = (it.split(";")[0].strip().split("-")[0] for it in wanted)
    return next((language(code) for code in codes if code in LANGUAGES), ENGLISH)


def reader_of(request: Request, who: Visitor | None) -> pages.Reader:
    """Return who reads a page."""
    it = server(request)
    may_open = not it.settings.private or (who is not None and who.is_host)
    return pages.Reader(language_of(request, who), "" if who is None else who.name, may_open)
