"""Two rooms that differ only in what somebody cannot know are the same to them, to the last byte."""

import random
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from savanna.envs import Episode
from savanna.serve import told
from tests.support.both_engines import PRINTED_VARIANTS
from tests.support.env_twins import twin_episode
from tests.support.full import count
from tests.support.server import Loaded, Visitor, served

VARIANTS = [str(sv.Rules(**options)) for options in PRINTED_VARIANTS]
FORM = {"mice": "on", "team_game": "on"}


def random_episode(rules: sv.Rules, plies: int, rng: random.Random) -> Episode:
    """Return a game after some plies."""
    episode = Episode.deal(rules, rng.getrandbits(60))
    for _ in range(plies):
        episode = episode.play(rng.choice(episode.position.legal_moves()))
    return episode


def is_legal(frame: Any, move: str) -> bool:
    """Tell whether a move can be played by who is told this."""
    tile, space = move.rsplit(" ", 1)
    return frame["turn"] and tile in frame["choices"] and space in frame["spaces"]


def seen_in_a_room(folder: Path, episode: Episode, viewer: int | None, language: str) -> list[Any]:
    """Play a game in a room, and return all that a seat, or a spectator, is answered on the way."""
    rules = episode.start.rules
    answers: list[Any] = []
    with served(folder, Loaded([episode.start])) as client:
        people = [Visitor(client) for _ in range(rules.players)]
        options = {name: value for name, value in FORM.items() if getattr(rules, name)}
        room = people[0].open(players=rules.players, **options)
        for it in people[1:]:
            it.post(f"{room}/sit", name="Guest")
        people[0].post(f"{room}/start")
        looks = Visitor(client) if viewer is None else people[viewer]
        looks.language = language

        def look(number: int) -> None:
            pages = ("/", room, f"{room}/frame", f"{room}/frame?after=0", f"{room}/review", f"{room}/game.json")
            for path in pages:
                answers.append(looks.get(path))
            for move in ("mouse a5", "zebra lion b1", "elephant c4", "hippo z9"):
                for at in (number, number - 1, number + 1):
                    # A legal move would be another event, so it is not sent.
                    if at != number or not is_legal(looks.frame(room), move):
                        answers.append(looks.post(f"{room}/move", number=at, move=move))
                        answers.append(looks.ask("POST", f"{room}/move", json={"number": at, "move": move}))
            for name in ("start", "leave", "rematch", "sit", "seat"):
                answers.append(looks.post(f"{room}/{name}", name="Eve", seat=1, strength="strong"))

        number = int(people[0].frame(room)["number"])
        look(number)
        for move in episode.moves:
            seat = next(seat for seat, it in enumerate(people) if it.frame(room)["turn"])
            answer = people[seat].post(f"{room}/move", number=number, move=str(move))
            if seat == viewer:
                answers.append(answer)
            number += 1
            look(number)
    return [(it.status_code, sorted(it.headers.items()), it.content) for it in answers]


@pytest.mark.thin(12)
@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_twins_are_answered_the_same_bytes(viewer: int | None, rules: str, tmp_path: Path) -> None:
    options, rng = sv.Rules.parse(rules), random.Random(f"{rules} {viewer} wire")
    if viewer is not None and viewer >= options.players:
        viewer -= options.players
    differ = 0
    for number in range(count(1, 3)):
        episode = random_episode(options, rng.randrange(6, 19), rng)
        other = twin_episode(episode, viewer, rng)
        differ += (other.start, other.moves) != (episode.start, episode.moves)
        language = ("en", "es", "ja")[number % 3]
        one, two = (
            seen_in_a_room(tmp_path / f"{number} {name}", it, viewer, language)
            for name, it in (("one", episode), ("two", other))
        )
        assert len(one) > 60
        for mine, theirs in zip(one, two, strict=True):
            assert mine == theirs
    assert differ


def test_a_position_that_is_told_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "seen", lambda position, _: position)
    rng = random.Random(4)
    episode = random_episode(sv.Rules(), 9, rng)
    one, two = (
        seen_in_a_room(tmp_path / name, it, None, "en")
        for name, it in (("one", episode), ("two", twin_episode(episode, None, rng)))
    )
    assert one != two
