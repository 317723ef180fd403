"""Games that look the same to one seat, and what else the tests of environments share."""

import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import reference as ref
from savanna.envs import Episode
from tests.support.both_engines import PRINTED_VARIANTS

RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS]
every_rules = pytest.mark.parametrize("rules", RULES, ids=str)

# What environments for Gymnasium are tried with.
OPTIONS: list[dict[str, Any]] = [
    {"seat": 0},
    {"seat": 1, "reward": "margin", "dtype": "uint8", "opponent": sv.players.Greedy()},
    {"seat": None, "reward": "margin-change", "recall": True, "illegal": "loss"},
]

REWARDS = ("win", "margin", "margin-change")


def own_tiles(start: Any, seat: int) -> tuple[Any, ...]:
    """Return a seat's tiles as far as it will ever know in which order they came."""
    return start.hands[seat], start.decks[seat]


def twin_starts(starts: list[sv.Position], seat: int, count: int) -> list[tuple[int, int]]:
    """Return the places of so many pairs of starts in which a seat has the same tiles to come, and others have not."""
    groups: dict[Any, list[int]] = defaultdict(list)
    for place, start in enumerate(starts):
        groups[own_tiles(start, seat)].append(place)
    pairs = [(places[0], places[1]) for places in groups.values() if len(places) > 1]
    pairs = [(one, two) for one, two in pairs if starts[one].hands != starts[two].hands]
    assert len(pairs) >= count, f"only {len(pairs)} pairs"
    return pairs[:count]


class Shy:
    """A player whose moves look the same whatever it holds: a Lion on the first empty space, by its first tile."""

    def choose(self, view: sv.View) -> sv.Move:
        """Return the move."""
        board = view.board
        return sv.Move(view.hand[0], "lion", next(space for space in sv.SPACES if space not in board))


class Recorder:
    """A player with a name that writes down what it was asked and what it answered."""

    def __init__(self, name: str, asked: list[Any]) -> None:
        self.name, self.asked, self.rng = name, asked, random.Random(name)

    def choose(self, view: sv.View) -> sv.Move:
        assert type(view) is sv.View
        move = self.rng.choice(view.legal_moves())
        self.asked.append((self.name, view, move))
        return move


class Scripted:
    """A player that gives one answer, or raises it. As a text it is long, as networks are."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, _: sv.View) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def __repr__(self) -> str:
        return "Scripted(\n" + 1000 * "  layer\n" + ")"


def twin_episode(episode: Episode, viewer: int | None, rng: random.Random) -> Episode:
    """Return a game that looks the same to the viewer, all that it cannot know drawn again: other hands, all decks and
    the animals under others' Lions. Without a viewer it looks the same to spectators.
    """
    start, position = episode.start, episode.position
    plays = [(ply % start.rules.players, move) for ply, move in enumerate(episode.moves)]
    decks, animals = [], [move.animal for _, move in plays]
    for seat in range(start.rules.players):
        if seat == viewer:
            drawn = [*start.hands[seat], *start.decks[seat]]
            known = len(drawn) - len(position.decks[seat])
            rest = drawn[known:]
            rng.shuffle(rest)
            decks.append(drawn[:known] + rest)
            continue
        mine = [ply for ply, (mover, _) in enumerate(plays) if mover == seat]
        hidden = [ply for ply in mine if plays[ply][1].face == "lion"]
        pool = [animals[ply] for ply in hidden] + [*position.hands[seat], *position.decks[seat]]
        rng.shuffle(pool)
        for ply in hidden:
            animals[ply] = pool.pop()
        # In the order in which they are played: so each is in the hand when it is its turn.
        decks.append([animals[ply] for ply in mine] + pool)
    moves = [sv.Move(animal, move.face, move.space) for animal, (_, move) in zip(animals, plays, strict=True)]
    return Episode.replay(sv.Position.from_decks(start.rules, decks), moves)


def random_action(mask: np.ndarray[Any, Any], rng: random.Random) -> int:
    """Choose one of the legal actions."""
    return rng.choice(np.flatnonzero(mask).tolist())


def masked(infos: dict[str, Any], rng: random.Random) -> Any:
    """Choose random legal actions in many games; 0 where there is none."""
    return np.array([random_action(mask, rng) if mask.any() else 0 for mask in infos["action_mask"]])


def plain(value: Any) -> Any:
    """Return arrays, and what they are packed in, as values that are equal if they are the same to the byte."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [plain(item) for item in value]
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else repr(value)


def go_on(games: Any, infos: dict[str, Any], turns: int) -> list[str]:
    """Let an agent of Gymnasium, in one game or many, play on by rote; return all that came of it."""
    rng, said = random.Random(turns), []
    for _ in range(turns):
        many = infos["action_mask"].ndim == 2
        actions = masked(infos, rng) if many else random_action(infos["action_mask"], rng)
        *result, infos = games.step(actions)
        said.append(repr(plain((result, infos))))
        if not many and result[2]:
            seen, infos = games.reset()
            said.append(repr(plain((seen, infos))))
    return said


def in_reference(start: sv.Position) -> ref.Position:
    """Return a position of the reference engine."""
    return ref.Position.parse(str(start))


def expected_rewards(before: ref.Position, after: ref.Position, reward: str) -> list[float]:
    """Return what each seat is paid for a legal move, by the words of the documentation and the reference engine."""
    rules = before.rules

    def margins(position: ref.Position) -> list[float]:
        own = list(position.scores)
        means = [sum(own[:team] + own[team + 1 :]) / (len(own) - 1) for team in range(len(own))]
        return [points - mean for points, mean in zip(own, means, strict=True)]

    teams = [0.0] * rules.teams
    if reward == "margin-change":
        teams = [new - old for new, old in zip(margins(after), margins(before), strict=True)]
    elif after.is_over:
        shares = [(team in after.winners) / len(after.winners) for team in range(rules.teams)]
        teams = shares if reward == "win" else margins(after)
    return [teams[rules.team_of(seat)] for seat in range(rules.players)]


@contextmanager
def global_randomness_untouched() -> Iterator[None]:
    """Check that what is done meanwhile draws nothing from the generators that all programs share."""

    def state() -> str:
        return repr((random.getstate(), np.random.get_state()))  # noqa: NPY002 (read, not drawn from)

    before = state()
    yield
    assert state() == before


def error_without(library: str, module: str) -> str:
    """Import a module in a fresh interpreter in which a library is missing, and return how that ends."""
    program = f"import sys; sys.modules[{library!r}] = None; import {module}"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    return result.stderr.splitlines()[-1]
