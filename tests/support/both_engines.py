"""What several tests need: the golden games, and ways to hold the two engines against each other."""

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import savanna as sv
from savanna import reference as ref
from savanna.records import Placed
from tests.support.paths import DATA

PRINTED_VARIANTS: list[dict[str, Any]] = [
    {"players": players, "mice": mice, "team_game": team_game}
    for players, team_game in ((2, False), (3, False), (4, False), (4, True))
    for mice in (False, True)
]
"""The options of every game on the box."""

PLAYED: Counter[str] = Counter()
"""What the parity test has been through, for the end of the test run."""

# Every public attribute of the four types; methods without arguments, too.
RULES_ATTRIBUTES = ["players", "mice", "team_game", "deck", "influence", "target", "points", "last_seat_bonus"]
RULES_ATTRIBUTES += ["absent_can_be_least", "teams"]
MOVE_ATTRIBUTES = ["animal", "face", "space", "action"]
TABLE_ATTRIBUTES = ["seat", "ply", "board", "scores", "lions", "is_over", "winners"]
POSITION_ATTRIBUTES = [*TABLE_ATTRIBUTES, "lines", "hands", "decks"]
VIEW_ATTRIBUTES = [*TABLE_ATTRIBUTES, "to_move", "hand", "hand_sizes", "deck_sizes", "unseen"]
ATTRIBUTES = {"Rules": RULES_ATTRIBUTES, "Move": MOVE_ATTRIBUTES}
ATTRIBUTES |= {"Position": POSITION_ATTRIBUTES, "View": VIEW_ATTRIBUTES}


def facts(value: Any) -> dict[str, object]:
    """Return all that a value says of itself, in plain types that the engines share."""
    kind = type(value).__name__
    said: dict[str, object] = {name: getattr(value, name) for name in ATTRIBUTES[kind]}
    said |= {"str": str(value), "repr": repr(value)}
    if kind == "Rules":
        said["team_of"] = [value.team_of(seat) for seat in range(value.players)]
    if kind in ("Position", "View"):
        said["rules"] = str(value.rules)
        said["legal_moves"] = [move.action for move in value.legal_moves()]
        said["legal_mask"] = value.legal_mask()
    return said


def assert_same(value: Any, *twins: Any) -> None:
    """Check that values of either engine say the same, down to types and the order of dicts."""
    expected = facts(value)
    for twin in twins:
        said = facts(twin)
        assert said == expected
        # Only the text tells True from 1 and one order of a dict from another.
        assert repr(said) == repr(expected)


def assert_equal_by_text(value: Any, other: Any) -> None:
    """Check that two values of one engine are equal, and have one hash, exactly if their texts are."""
    alike = str(value) == str(other)
    assert (value == other) is alike
    assert (value != other) is not alike
    assert len({value, other}) == (1 if alike else 2)


def assert_one_value(value: Any, twin: Any) -> None:
    """Check that two values of one engine, come by in different ways, are one value to whoever looks."""
    assert type(value) is type(twin)
    assert str(value) == str(twin)
    assert_equal_by_text(value, twin)


def in_other_engine(value: Any) -> Any:
    """Return the same value in the other engine, by its text."""
    kind, module = type(value), ref if type(value).__module__ == sv.Position.__module__ else sv
    return getattr(module, kind.__name__).parse(str(value))


def notation(value: Any) -> str:
    """Write a position or a view by its public attributes alone."""
    letters = {"monkey": "m", "zebra": "z", "giraffe": "g", "elephant": "e", "mouse": "u", None: "?"}

    def cell(tile: Placed | None) -> str:
        if tile is None:
            return "."
        letter = letters[tile.animal]
        return f"{tile.seat}{letter.upper() if tile.face == 'lion' else letter}"

    def pile(tiles: Any) -> str:
        return "".join(letters[animal] for animal in tiles) or "-"

    cells = [cell(value.board.get(space)) for space in sv.SPACES]
    ranks = ["".join(cells[start : start + 4]) for start in range(0, 20, 4)]
    if hasattr(value, "hands"):
        prefix, hands, decks = [], value.hands, value.decks
    else:
        prefix = [f"seat={'-' if value.seat is None else value.seat}"]
        hands, decks = ([(None,) * size for size in sizes] for sizes in (value.hand_sizes, value.deck_sizes))
        if value.seat is not None:
            hands[value.seat] = value.hand
    fields = (ranks, map(pile, hands), map(pile, decks), map(str, value.scores))
    return " ".join([*prefix, str(value.rules), *("/".join(field) for field in fields)])


def seat_of(view: sv.View) -> int:
    """Return the seat of a view that is not public."""
    assert view.seat is not None
    return view.seat


def random_game(position: Any, seed: int) -> list[Any]:
    """Play random legal moves to the end; return all positions from the given one on."""
    rng, positions = random.Random(seed), [position]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    return positions


@cache
def views(rules: sv.Rules, seed: int = 0) -> list[sv.View]:
    """Return the view of the seat to move at every ply of a random game."""
    return [it.view(it.seat) for it in random_game(sv.Position.deal(rules, seed), seed) if it.seat is not None]


def views_of_all_games() -> list[sv.View]:
    """Return 200 views of seats to move: 25 of every game on the box, at all plies."""
    found = []
    for number, variant in enumerate(PRINTED_VARIANTS):
        rng = random.Random(number)
        for seed in range(25):
            positions = random_game(sv.Position.deal(sv.Rules(**variant), seed), seed)
            position = positions[rng.randrange(20)]
            found.append(position.view(position.seat))
    assert len({view.ply for view in found}) == 20
    return found


def play_on(value: Any) -> tuple[Any, Any]:
    """Return a value and what comes of it; for workers in other processes, which can import this module."""
    if isinstance(value, sv.Position):
        return value, random_game(value, seed=1)
    if isinstance(value, sv.View):
        return value, random_game(value.sample(seed=2), seed=3)
    if isinstance(value, sv.Rules):
        return value, sv.rollout(value, games=100, seed=4)
    return value, str(value)


# --------------------------------------------------------------------------------------------------------- golden games


def golden_games() -> list[dict[str, Any]]:
    """Return the independent games; too few of them is an error, never a silent pass."""
    path = DATA / "golden_games.jsonl"
    games = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(games) >= 120, f"{path} has only {len(games)} games"
    return games


def check_golden_game(engine: Any, game: dict[str, Any]) -> None:
    """Replay a golden game in an engine (a module) and compare all that was written down of it."""
    rules = engine.Rules(**game["rules"])
    position = engine.Position.from_decks(rules, game["decks"])
    bonus = [rules.last_seat_bonus * (team == rules.team_of(rules.players - 1)) for team in range(rules.teams)]
    assert len(game["plies"]) == 20
    for ply, played in enumerate(game["plies"]):
        assert position.seat == played["seat"] == position.view(0).to_move
        move = engine.Move(played["animal"], played["face"], played["space"])
        assert move in position.legal_moves()
        assert position.legal_mask()[move.action] == 1
        lines = position.lines_filled(move)
        assert [line.spaces for line in lines] == [line for line in engine.LINES if line in {x.spaces for x in lines}]
        assert sorted((sorted(line.spaces), line.total, line.points) for line in lines) == sorted(
            (line["spaces"], line["total"], tuple(line["points"].get(str(team), 0) for team in range(rules.teams)))
            for line in played["lines"]
        )
        position = position.play(move)
        # The golden scores of the last ply are without the last seat's bonus, which belongs to no line.
        score = [points + extra * (ply == 19) for points, extra in zip(played["score"], bonus, strict=True)]
        assert list(position.scores) == score
        assert position.board[move.space] == Placed(played["seat"], move.animal, move.face)
        assert engine.Position.parse(str(position)) == position
        for seat in range(rules.players):
            assert engine.View.parse(str(position.view(seat))) == position.view(seat)
    assert position.is_over
    assert position.seat is None
    assert position.ply == 20
    assert list(position.scores) == game["final_score"]
    assert list(position.lions) == game["lions"]
    assert list(position.winners) == game["winners"]
    assert [sorted(hand) for hand in position.hands] == [sorted(hand) for hand in game["hands_left"]]
    assert engine.Rules.parse(str(rules)) == rules == eval(repr(rules), {"Rules": engine.Rules})
