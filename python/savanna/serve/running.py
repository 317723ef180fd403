"""A server that runs: its address, what it prints, how it begins and ends."""

import contextlib
import io
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import segno
import uvicorn

from savanna.errors import SavannaError
from savanna.serve.app import application
from savanna.serve.settings import Settings, is_any, is_loopback, with_port
from savanna.serve.store import Store

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int

    @contextmanager
    def bound(self) -> Iterator[socket.socket]:
        """Give a socket that listens there. Raises `OSError` if that cannot be."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        if not 0 <= self.port <= 65535:
            raise SavannaError(f"--port must be 0 to 65535, got {self.port}")
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((self.host, self.port))
            sock.listen(1024)
            yield sock

    def names(self) -> tuple[str, ...]:
        """Return the other addresses under which it is reached: those of this machine, if it listens on all."""
        if not is_any(self.host):
            return ()
        return (lan_address(), socket.gethostname(), "127.0.0.1")


def lan_address() -> str:
    """Return this machine's address on its network. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, contextlib.suppress(OSError):
        sock.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        return str(sock.getsockname()[0])
    return "127.0.0.1"


def usual_database() -> Path:
    """Return where games are kept if nobody says so."""
    return platformdirs.user_data_path("savanna") / "games.sqlite"


class _Server(uvicorn.Server):
    """A server that says where to go when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end the server in good order, and the program after it."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def run(
    settings: Settings,
    sock: socket.socket,
    address: Address,
    public_url: str | None,
    say: Say,
    *,
    with_code: bool = False,
) -> None:
    """Serve until a signal ends it, and say where. Raises `SavannaError` for a database that cannot be used."""
    key = secrets.token_urlsafe(16) if settings.private else None
    host = lan_address() if is_any(address.host) else address.host
    url = public_url or f"http://{with_port(host, sock.getsockname()[1])}{settings.base_path}/"

    def ready() -> None:
        say(f"Savanna Ten is served at {url}")
        if key is not None:
            say(f"You open rooms by this link, which you keep to yourself: {url.rstrip('/')}/host/{key}")
        if with_code:
            say(code(url))
        if not is_loopback(address.host) and public_url is None:
            say("Others on this network can reach it. What is sent is not encrypted.")
        say("Ctrl-C ends it. Games are kept, and go on when it is started again.")

    with Store(settings.database) as store:
        config = uvicorn.Config(
            application(settings, store, host_key=key),
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
            limit_concurrency=4000,
            proxy_headers=public_url is not None,
            forwarded_allow_ips="127.0.0.1,::1",
        )
        _Server(config, ready).run(sockets=[sock])
    say("Ended.")


def code(url: str) -> str:
    """Return a QR code for a terminal."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out=out, compact=True)
    return out.getvalue()
