"""The application: what answers which path, begun with its rooms and ended with them."""

import gc
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from savanna.language import marked
from savanna.serve import routes
from savanna.serve.asking import Server
from savanna.serve.bots import Bots
from savanna.serve.chance import Chance
from savanna.serve.guard import Guard, Limit
from savanna.serve.refusal import Refusal
from savanna.serve.rooms import Rooms
from savanna.serve.settings import Settings
from savanna.serve.store import Store

REQUESTS, ROOMS = (30, 300), (0.2, 20)
"""How many requests and new rooms one address may ask for: a second in the long run, and at once."""


def application(
    settings: Settings,
    store: Store,
    *,
    chance: Chance | None = None,
    pace: float = 1.0,
    limits: Mapping[str, tuple[float, int]] | None = None,
    host_key: str | None = None,
) -> Starlette:
    """Return the application of a server, for ASGI; its lifespan is that of the rooms in use.

    `host_key` is the secret of the link that lets somebody open rooms on a private server. Tests give other values to
    `chance`, to the `pace` of bots and to the `limits` of "requests" and "rooms".
    """
    luck = chance or Chance()
    allowed = {"requests": REQUESTS, "rooms": ROOMS, **(limits or {})}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        rooms = Rooms(store, Bots(settings.bots, pace), luck)
        app.state.server = Server(settings, store, rooms, luck, Limit(*allowed["rooms"]), host_key)
        rooms.wake_all()
        # Collections stop everything, and there is little to collect: what is here stays.
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        yield
        await rooms.close()

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal)
        return routes.refused(request, error)

    async def missed(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return routes.refused(request, routes.of_http(error))

    async def broken(request: Request, _: Exception) -> Response:
        return routes.refused(
            request, Refusal(503, marked("The server cannot write. Nothing has changed; try again later."))
        )

    handlers: dict[Any, Any] = {Refusal: refused, HTTPException: missed, DBAPIError: broken}
    guard = Middleware(Guard, settings=settings, requests=Limit(*allowed["requests"]))
    return Starlette(
        routes=routes.routes(settings.base_path), lifespan=lifespan, middleware=[guard], exception_handlers=handlers
    )
