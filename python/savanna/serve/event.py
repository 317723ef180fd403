"""What happens in a room, one numbered event after the other; a room is what its events add up to."""

import json
from dataclasses import dataclass
from typing import Any

from savanna import jsontext

SAT, LEFT, ARRANGED, STARTED, MOVED, RESIGNED = "sat", "left", "arranged", "started", "moved", "resigned"
"""The kinds of events: a person took or left a seat, the host gave a seat to a bot or opened it, and so on."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its number in the room from 1 on, its kind, the seat that it is about, and what belongs to its kind.

    `at` is the time by the server's clock, in microseconds since 1970. Nothing depends on it.
    """

    number: int
    kind: str
    seat: int | None
    data: dict[str, Any]
    at: int = 0

    def text(self) -> str:
        """Return what belongs to the kind as JSON, as the store keeps it."""
        return jsontext.written(self.data) if self.data else ""


def data_of(text: str) -> dict[str, Any]:
    """Return what `Event.text` gave."""
    content: dict[str, Any] = json.loads(text) if text else {}
    return content
