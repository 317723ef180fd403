"""Where a server gets what nobody can guess: deals, seeds, tokens, the names of rooms; and the time."""

import secrets
import string
import time

from savanna._core import Position, Rules


class Chance:
    """The system's generator and clock."""

    def deal(self, rules: Rules) -> Position:
        """Deal a game."""
        return Position.deal(rules, None)

    def seed(self) -> int:
        """Return a seed for the bots of a room."""
        return secrets.randbits(62)

    def token(self) -> str:
        """Return a secret for a cookie or an invitation: 128 bits."""
        return secrets.token_urlsafe(16)

    def room(self) -> str:
        """Return a name for a room: 10 letters, 47 bits."""
        return "".join(secrets.choice(string.ascii_lowercase) for _ in range(10))

    def now(self) -> int:
        """Return the time in microseconds since 1970."""
        return time.time_ns() // 1000
