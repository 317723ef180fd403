"""What the tests of games share: many games of all variants, and records that were cut, mangled or never right."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import savanna as sv
from tests.support.both_engines import PRINTED_VARIANTS

VARIANTS = [sv.Rules(**options) for options in PRINTED_VARIANTS]
ODD = sv.Rules(
    players=4, mice=True, team_game=True, deck={"zebra": 9, "mouse": 3}, influence={"lion": 9}, points=(0, 100, 3)
)


def played(rules: sv.Rules, games: int, seed: int, first: int = 0) -> Iterator[sv.Game]:
    """Yield random games of some rules, each a little shorter or longer than the one before."""
    plays = sv.playouts(rules, games=games, seed=seed)
    for number in range(games):
        game = sv.Game(plays.start(number), started="2026-11-30T18:05:00Z" if number % 2 else None)
        for move in plays.moves(number)[: 20 - (number + first) % 22 % 21]:
            game.play(move)
        yield game


def whole_game(rules: sv.Rules, seed: int) -> sv.Game:
    """Return a game with names and remarks that has come to its end."""
    names = ["Ann", "ゼブラ", 'B"o\\', "Seat 9"][: rules.players]
    game = sv.Game(sv.Position.deal(rules, seed), names, started="2026-11-30T18:05:00Z")
    rng = random.Random(seed)
    while not game.is_over:
        game.play(rng.choice(game.position.legal_moves()))
    game.annotate(0, "so it begins\n\tnow")
    game.annotate(20, "🦁")
    return game


def saved_games(folder: Path, rules: sv.Rules) -> Path:
    """Save a whole game as game.json and two line by line beside it, of which number 1 is the same; return its path."""
    path = folder / "game.json"
    game = whole_game(rules, 11)
    game.save(path)
    for other in (whole_game(rules, 12), game):
        other.append(folder / "games.jsonl")
    return path


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside of a record."""
    if isinstance(content, dict | list):
        for key, value in content.items() if isinstance(content, dict) else enumerate(content):
            yield (*path, key)
            yield from places(value, (*path, key))


def changed(content: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return a copy of a record with another value somewhere; a value of Ellipsis takes it out."""
    twin: Any = copy.deepcopy(content)
    holder = twin
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return dict(twin)


def mangled(text: str, rng: random.Random) -> str:
    """Return a text with a few signs cut out, put in, doubled or turned into others."""
    for _ in range(rng.randint(1, 3)):
        at, length = rng.randrange(len(text)), rng.choice((1, 1, 1, 2, 9, 200))
        new = rng.choice(("", text[at : at + length] * 2, rng.choice('{}[]",:0123456789eE.-\\ntfu \x00é🦁mzgL?/')))
        text = text[:at] + new + text[at + length :]
    return text


def as_lines(games: list[sv.Game]) -> bytes:
    """Write games line by line with nothing but `json`."""
    return b"".join(json.dumps(game.to_dict()).encode() + b"\n" for game in games)
