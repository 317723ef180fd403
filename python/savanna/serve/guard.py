"""What is refused at once: foreign hosts and pages, long bodies, floods; and what all answers say."""

import time
from collections import OrderedDict
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from savanna.language import marked
from savanna.serve.refusal import Refusal
from savanna.serve.settings import Settings

LONGEST_BODY = 4096
"""How many bytes a request may have after its head."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with "no-referrer", browsers would say of our own forms that Origin is null
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer says to browsers: no scripts, no frames, nothing from or to other places."""

_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

SAFE = ("GET", "HEAD", "OPTIONS")


@dataclass(slots=True)
class Bucket:
    """How much of something an address may still ask for, and as of when."""

    left: float
    since: float


class Limit:
    """Lets an address ask `burst` times at once and `rate` times a second in the long run."""

    def __init__(self, rate: float, burst: int, most: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def takes(self, address: str) -> bool:
        """Tell whether one more is allowed, and count it."""
        now = time.monotonic()
        bucket = self._buckets.setdefault(address, Bucket(self._burst, now))
        self._buckets.move_to_end(address)
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        bucket.left = min(self._burst, bucket.left + (now - bucket.since) * self._rate)
        bucket.since = now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


class Guard:
    """Stands before the application; `answer` is the application that says a `Refusal`."""

    def __init__(self, app: ASGIApp, settings: Settings, requests: Limit) -> None:
        self._app = app
        self._settings = settings
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with a reason not to answer it if there is one."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_RAW_HEADERS]
                if not any(name == b"cache-control" for name, _ in message["headers"]):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        try:
            self._check(scope)
        except Refusal as refusal:
            scope["refusal"] = refusal
        body = await body_of(receive) if "refusal" not in scope and scope["method"] not in SAFE else b""
        if body is None:
            scope["refusal"] = too_long()
        sent = False

        async def read() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body or b"", "more_body": False}

        await self._app(scope, read, guarded)

    def _check(self, scope: Scope) -> None:
        """Raise `Refusal` for a request that is not from a page of this server, or one too many."""
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._settings.hosts:
            raise Refusal(421, marked("This server is not known by that name."))
        if scope["method"] not in SAFE:
            self._check_origin(headers)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > LONGEST_BODY:
            raise too_long()
        if not self._requests.takes(scope["client"][0] if scope.get("client") else ""):
            raise Refusal(429, marked("Too many requests. Wait a little."))

    def _check_origin(self, headers: Headers) -> None:
        """Raise `Refusal` unless a browser says that this server's own page sends it."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        # Browsers send the first only where the connection is safe or local, and so not on a LAN.
        if site not in (None, "same-origin", "none") or origin not in (None, *self._settings.origins):
            raise Refusal(403, marked("This request comes from another page."))
        if origin is None and site is None:
            raise Refusal(403, marked("This request must name its Origin, or have Sec-Fetch-Site."))


def too_long() -> Refusal:
    """Return the answer to a request with a long body."""
    return Refusal(413, marked("A request has at most {bytes} bytes here."), bytes=LONGEST_BODY)


async def body_of(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if it is too long."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        piece: bytes = message.get("body", b"")
        body += piece
        if len(body) > LONGEST_BODY:
            return None
        if not message.get("more_body", False):
            return body
