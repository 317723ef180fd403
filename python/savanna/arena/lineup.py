"""Who plays: how players are named, and the texts that stand for the built-in ones."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from savanna.arguments import quoted, wrong_type
from savanna.names import LONGEST_NAME, checked_name, is_name
from savanna.players import Player, parse

MOST_PLAYERS = 100


@dataclass(frozen=True)
class Entrant:
    """A player under the name that it goes by, with its `repr` as it stands in the log."""

    name: str
    text: str
    player: Player


def entrants(players: object) -> tuple[Entrant, ...]:
    """Return the players with their names: the keys of a mapping, else what they call themselves."""
    if isinstance(players, Mapping):
        named = [(checked_name(name), player) for name, player in islice(players.items(), MOST_PLAYERS + 1)]
    elif isinstance(players, Iterable) and not isinstance(players, str | bytes):
        listed = list(islice(players, MOST_PLAYERS + 1))
        named = list(zip(_unique([_name(player) for player in listed]), listed, strict=True))
    else:
        raise wrong_type("players", "a dict or a sequence of players", players)
    for name, player in named:
        _check(name, player)
    return tuple(Entrant(name, steady_repr(player), player) for name, player in named)


def _check(name: str, player: object) -> None:
    """Check that this is a player, and say what is missing to a class or a text, which are the likely mistakes."""
    if isinstance(player, type):
        raise TypeError(f"a player must be an object, not a class: {player.__name__}(...) instead of {player.__name__}")
    if isinstance(player, str):
        raise TypeError(f"a player must be an object, not a text: players.parse makes one of {quoted(player)}")
    if not callable(getattr(player, "choose", None)):
        raise TypeError(f"player {quoted(name)} must have a method choose, got {type(player).__name__}")


def steady_repr(value: object) -> str:
    """Return one line that describes a value, the same in every process."""
    try:
        return one_line(repr(value))
    except Exception:
        return f"<{type(value).__qualname__}>"


def one_line(text: str) -> str:
    """Return a text from outside in one line, cut when long, without addresses, which no two processes share."""
    return " ".join(re.sub(r" at 0x[0-9a-fA-F]+", "", text[:4000]).split())[:400]


def _name(player: object) -> str:
    """Return the `name` that a player has itself, else its `repr` if that says what it is, else that of its class."""
    for text in (getattr(player, "name", None), steady_repr(player)):
        if isinstance(text, str) and is_name(text) and not text.startswith("<"):
            return text
    return type(player).__name__[:LONGEST_NAME]


def _unique(names: list[str]) -> list[str]:
    """Return the names with " #2", " #3" and so on after those that were there before."""
    unique: dict[str, None] = {}
    for name in names:
        number, fresh = 1, name
        while fresh in unique:
            number += 1
            fresh = f"{name} #{number}"
        unique[fresh] = None
    return list(unique)


def players_from_texts(texts: Iterable[str]) -> dict[str, Player]:
    """Return the built-in players of some texts, by their texts; a text that comes again is numbered."""
    listed = list(texts)
    return dict(zip(_unique(listed), map(parse, listed), strict=True))
