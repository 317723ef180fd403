"""What `savanna serve` was told, checked once."""

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from savanna.arguments import integer, quoted
from savanna.errors import SavannaError

_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is reached and what it may do.

    `hosts` are the names (with the port, unless it is the usual one) under which it answers, `base_path` the path
    before all of its own, "" or such as "/savanna". `is_secure` says that the reader's connection is encrypted. On a
    `private` server only who has the host's link opens rooms. `bots` is on how many threads bots think.
    """

    database: Path
    hosts: frozenset[str]
    base_path: str = ""
    is_secure: bool = False
    private: bool = False
    bots: int = 1

    @property
    def cookie_path(self) -> str:
        """The path of the cookie."""
        return self.base_path or "/"

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers refuse to let others set one that begins with `__Host-`."""
        return "__Host-savanna" if self.is_secure and not self.base_path else "savanna"

    @property
    def origins(self) -> frozenset[str]:
        """What a browser says of where a form comes from, if it is from here."""
        return frozenset(f"{'https' if self.is_secure else 'http'}://{host}" for host in self.hosts)


def settings(
    database: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    addresses: tuple[str, ...] = (),
    public_url: str | None = None,
    base_path: str = "",
    private: bool | None = None,
    bots: int = 1,
) -> Settings:
    """Return what a server at this address may do. `addresses` are others under which it is reached, as on a LAN.

    A server that is reached from elsewhere, without a public URL, is private unless it is said that it is not. Raises
    `SavannaError` for what cannot be.
    """
    if base_path and not _PATH.fullmatch(base_path):
        raise SavannaError(
            f"--base-path must begin with a slash and not end with one, as /savanna, got {quoted(base_path)}"
        )
    integer("--bots", bots, 1, 256, SavannaError)
    names = {host, *addresses} | ({"localhost"} if is_loopback(host) or addresses else set())
    hosts = {with_port(name, port) for name in names if not is_any(name)}
    is_secure = False
    if public_url is not None:
        url = urlsplit(public_url)
        if url.scheme not in ("http", "https") or not url.netloc or url.query or url.fragment or "@" in url.netloc:
            raise SavannaError(f"--public-url must be as https://games.example.org, got {quoted(public_url)}")
        if url.path.rstrip("/") != base_path:
            raise SavannaError(f"--public-url has the path {quoted(url.path)}, but --base-path is {quoted(base_path)}")
        is_secure = url.scheme == "https"
        hosts.add(url.netloc.lower())
    reached = not is_loopback(host) and public_url is None
    return Settings(database, frozenset(hosts), base_path, is_secure, reached if private is None else private, bots)


def is_loopback(host: str) -> bool:
    """Tell whether an address is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_any(host: str) -> bool:
    """Tell whether an address stands for all of this machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def with_port(host: str, port: int) -> str:
    """Return an address as browsers name it in `Host`."""
    name = f"[{host}]" if ":" in host else host.lower()
    return name if port == 80 else f"{name}:{port}"
