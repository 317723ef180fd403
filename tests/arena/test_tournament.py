"""Tournaments: who meets whom on which deals, what players are shown, and what becomes of those that fail."""

import hashlib
import itertools
import json
import math
import pickle
import random
from collections import Counter
from typing import Any

import pytest

import savanna as sv
from savanna import arena, players, reference
from savanna.arena.schedule import Plan
from tests.rules.test_hidden import reachable, twin
from tests.support.entrants import Dice, Grabber, Steady, plan

RULES = {
    "2p": sv.Rules(),
    "3p": sv.Rules(players=3),
    "4p": sv.Rules(players=4),
    "teams": sv.Rules(players=4, team_game=True),
    "4p mice": sv.Rules(players=4, mice=True),
}

# Who meets whom, and on which deals


@pytest.mark.parametrize("number", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_deal_is_played_in_every_order(rules: sv.Rules, number: int) -> None:
    """All ways of seating players by side are looked through for those that the rule of the pairing lets in."""
    sides = rules.teams

    def wanted(seated: tuple[int, ...]) -> bool:
        if number >= sides:
            return len(set(seated)) == sides
        return len(set(seated)) == 2 and 1 in Counter(seated).values()

    every = filter(wanted, itertools.product(range(number), repeat=sides))
    expected = Counter(tuple(seated[rules.team_of(seat)] for seat in range(rules.players)) for seated in every)
    found = plan(number, rules).seatings
    assert Counter(found) == expected
    # Each player sits equally often in each seat.
    assert {tuple(Counter(column).items()) for column in map(sorted, zip(*found, strict=True))} == {
        tuple((player, len(found) // number) for player in range(number))
    }


def test_games_come_deal_by_deal() -> None:
    result = sv.tournament({"a": Steady(), "b": Steady(), "c": Dice()}, deals=3)
    assert [game.deal for game in result.games] == [0] * 6 + [1] * 6 + [2] * 6
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert [game.seats for game in result.games] == [order for a, b in pairs for order in ((a, b), (b, a))] * 3


def test_a_tournament_is_a_sequence_of_its_games() -> None:
    result = sv.tournament([Dice(), Grabber()], deals=2, seed=9)
    assert (len(result), tuple(result)) == (4, result.games)
    assert (result[3], result[-1], result[1:3]) == (result.games[3], result.games[3], result.games[1:3])
    with pytest.raises(IndexError):
        result[4]


def starts(result: sv.Tournament) -> list[sv.Position]:
    return [game.start for game in result.games]


def test_deals_depend_on_the_seed_and_their_number_alone() -> None:
    base = sv.tournament([Dice(), Grabber()], deals=4, seed=9)
    others = sv.tournament([Steady(), Dice(), Steady()], deals=6, seed=9, time_limit=60)
    assert [game.start for game in others.games[::6]][:4] == starts(base)[::2] == starts(base)[1::2]
    assert len(set(starts(base))) == 4
    assert set(starts(sv.tournament([Dice(), Grabber()], deals=4, seed=10))).isdisjoint(starts(base))
    # How a deal follows from them is written down, and done here once more.
    seed = int.from_bytes(hashlib.sha256(b"9 deal 3").digest()[:8], "big")
    position = reference.Position.deal(reference.Rules(), seed)
    assert str(base.games[-1].start) == str(position)


def test_players_get_seeds_of_their_own_for_each_game_and_seat() -> None:
    given: list[int] = []

    class Noting(Dice):
        def with_seed(self, seed: int) -> Dice:
            given.append(seed)
            return Dice(seed)

    sv.tournament([Noting(), Noting()], rules=RULES["teams"], deals=3, seed=5, threads=1)
    seatings = [(0, 1, 0, 1), (1, 0, 1, 0)]
    texts = [
        f"5 player {deal} {' '.join(map(str, seats))} {seat}"
        for deal in range(3)
        for seats in seatings
        for seat in range(4)
    ]
    assert given == [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts]
    assert len(set(given)) == 24


def test_seed_none_is_a_fresh_one() -> None:
    first, second = (sv.tournament([Steady(), Steady()], deals=1, seed=None) for _ in range(2))
    assert first.seed != second.seed
    assert sv.tournament([Steady(), Steady()], deals=1, seed=first.seed) == first


# What comes out


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_game_is_that_of_the_reference(rules: sv.Rules) -> None:
    result = sv.tournament([Dice(), Steady(), Grabber()], rules=rules, deals=3)
    assert len(result.games) == 3 * len(plan(3, rules).seatings)
    for number, game in enumerate(result.games):
        positions = result.replay(number, reference)
        assert len(positions) == len(game.moves) + 1 == 21
        assert isinstance(positions[0], reference.Position)
        assert (positions[-1].scores, positions[-1].winners) == (game.scores, game.winners)
        assert list(map(str, result.replay(number))) == list(map(str, positions))
        assert (game.reason, game.failed) == ("played", None)
    with pytest.raises(IndexError, match=rf"game must be 0 to {len(result.games) - 1}, got -1"):
        result.replay(-1)


def test_equal_players_share_the_wins() -> None:
    (pair,) = sv.tournament([Dice(), Dice()], deals=400).pairs
    assert (pair.deals, pair.games) == (400, 800)
    assert 0 < pair.stderr < 0.05
    assert abs(pair.share - 0.5) < 4 * pair.stderr
    assert abs(pair.margin) < 4 * pair.margin_stderr


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_same_player_twice_gets_exactly_its_part(rules: sv.Rules) -> None:
    """With swapped sides its games are the same, so the luck of the deal cancels to the last bit."""
    result = sv.tournament([Steady(), Steady()], rules=rules, deals=5)
    assert len(result.pairs) == (1 if rules.teams == 2 else 2)
    for pair in result.pairs:
        assert pair.share == pytest.approx(pair.even)
        # All deals came out alike, but two imaginary ones.
        assert pair.stderr == pytest.approx(math.sqrt(pair.even**2 + (1 - pair.even) ** 2) / 7, rel=0.2)
        assert math.isnan(pair.margin_stderr)
        assert pair.margin == pytest.approx(0, abs=1e-9)
    assert [rating.elo for rating in result.ratings] == pytest.approx([0, 0], abs=1e-6)


def test_a_stronger_player_is_seen_to_be_so() -> None:
    result = sv.tournament({"dice": Dice(), "grabber": Grabber()}, deals=40, sprt=sv.Sprt(0, 100))
    assert result.ratings[0].name == "grabber"
    assert result.pairs[0].interval[1] < 0.5
    assert result.sprt is not None
    assert result.sprt.verdict == "H0"  # of the first player against the second
    assert result.sprt.deals < 40
    assert len(result.games) == 2 * result.sprt.deals
    assert f"H0 after {result.sprt.deals} deals" in str(result)


def test_what_is_shown() -> None:
    result = sv.tournament({"<b>bold</b>": Dice(), "b": Steady()}, deals=3)
    lines = str(result).splitlines()
    assert lines[0] == "Savanna Ten, rules 2p, 2 players, 6 games, 3 deals asked for, seed 0"
    assert lines[2].split()[:2] == ["player", "against"]
    assert lines[4].startswith("<b>bold</b>  b ")
    assert f"{100 * result.pairs[0].share:.1f} %" in lines[4]
    assert str(result).isascii()
    page = result._repr_html_()
    assert "&lt;b&gt;bold" in page
    assert "<b>" not in page
    assert page.count("<tr>") == 5
    assert repr(result) == "<Tournament rules='2p' players=('<b>bold</b>', 'b') seed=0 deals=3 games=6>"


def test_the_result_is_a_value() -> None:
    result = sv.tournament([Dice(), Steady(), Grabber()], deals=2)
    assert result == pickle.loads(pickle.dumps(result))
    assert hash(result) == hash(pickle.loads(pickle.dumps(result)))
    facts = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert facts == result.to_dict()
    assert (facts["games"], facts["failures"], facts["players"]) == (12, 0, ["Dice(seed=0)", "Steady", "Grabber"])
    assert [row["elo"] for row in facts["ratings"]] == [rating.elo for rating in result.ratings]
    assert facts["pairs"][0]["interval"] == list(result.pairs[0].interval)
    one_deal = sv.tournament([Dice(), Steady()], deals=1).to_dict()
    assert one_deal["pairs"][0]["stderr"] is None
    with pytest.raises(AttributeError):
        result.games = ()  # type: ignore[misc]


def test_progress_ascends_to_all_games() -> None:
    calls: list[tuple[int, int]] = []
    sv.tournament([Dice(), Dice()], deals=150, progress=lambda *call: calls.append(call))
    assert calls == sorted(set(calls))
    assert calls[-1] == (300, 300)
    assert {total for _, total in calls} == {300}


# Names


def test_names_are_made_unique() -> None:
    greedy = players.Greedy(seed=3)
    entered: list[Any] = [Steady(), Dice(4), Steady(), Dice(4), greedy, players.FlatMonteCarlo(50), Steady()]
    result = sv.tournament(entered, deals=1)
    assert result.players == (
        *("Steady", "Dice(seed=4)", "Steady #2", "Dice(seed=4) #2"),
        *("Greedy", "FlatMonteCarlo(playouts=50)", "Steady #3"),
    )


def test_players_by_text() -> None:
    texts = {
        "random": players.Random(),
        "greedy": players.Greedy(),
        "flat": players.FlatMonteCarlo(),
        "flat:20000": players.FlatMonteCarlo(20_000),
        "soft-greedy:20_000": players.SoftGreedy(20_000),
        "ismcts:0.05s": players.Ismcts(seconds=0.05),
        "champion:1s": players.Champion(seconds=1.0),
        "champion:5000": players.Champion(iterations=5000),
    }
    for text, player in texts.items():
        assert repr(players.parse(text)) == repr(player)
    assert list(arena.players_from_texts(["greedy", "random", "greedy"])) == ["greedy", "random", "greedy #2"]
    for wrong in ("", "rand", "Greedy", "greedy ", ":5", "flat20", "\n"):
        with pytest.raises(sv.SavannaError, match=r"unknown player .*, known are random, greedy, flat, soft-greedy, "):
            sv.players.parse(wrong)
    for wrong in ("greedy:", "greedy:5", "random:0.1s"):
        with pytest.raises(sv.SavannaError, match="takes nothing after its name"):
            sv.players.parse(wrong)
    for wrong in (
        "flat:",
        "flat:x",
        "flat:-5",
        "flat:1e3",
        "champion:.5s",
        "champion:5 s",
        "champion:0.05",
        "flat:1:2",
    ):
        with pytest.raises(sv.SavannaError, match="needs a number or a time after its name"):
            sv.players.parse(wrong)


# What a player is shown


class Watcher:
    """Notes all that it is given."""

    def __init__(self) -> None:
        self.given: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def choose(self, *arguments: Any, **options: Any) -> Any:
        self.given.append((arguments, options))
        return arguments[0].legal_moves()[0]


@pytest.mark.parametrize("time_limit", [None, 60])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_view_is_all_that_a_player_is_handed(rules: sv.Rules, time_limit: float | None) -> None:
    watcher = Watcher()
    result = sv.tournament([watcher, Steady()], rules=rules, deals=1, threads=1, time_limit=time_limit)
    assert len(watcher.given) > 9
    truths = {str(position) for number in range(len(result.games)) for position in result.replay(number)}
    for arguments, options in watcher.given:
        (view,) = arguments
        assert type(view) is sv.View
        assert options == {}
        assert view.to_move == view.seat
        objects = reachable(view)
        assert view in objects
        assert not [it for it in objects if isinstance(it, sv.Position | reference.Position | Plan)]
        assert truths.isdisjoint(it for it in objects if isinstance(it, str))


def test_players_cannot_tell_twin_deals_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tournament from deals that differ in what seat 0 does not know, until something of it shows."""

    def first_sights() -> list[list[bytes]]:
        watchers = [Watcher(), Watcher()]
        sv.tournament(watchers, deals=20, threads=1)
        # Every player is in seat 0 once a deal, and there makes its first move before anything is drawn or shown.
        return [[pickle.dumps(it) for it in watcher.given if it[0][0].ply == 0] for watcher in watchers]

    rng, real, changed = random.Random(1), Plan.start, []

    def twin_start(self: Plan, deal: int) -> sv.Position:
        truth = real(self, deal)
        other = sv.Position.parse(twin(str(truth), 0, rng))
        changed.append(other != truth)
        return other

    expected = first_sights()
    assert [len(sights) for sights in expected] == [20, 20]
    monkeypatch.setattr(Plan, "start", twin_start)
    assert first_sights() == expected
    assert len(changed) == 40
    assert sum(changed) > 35


# Arguments that make no sense

TWO = [Steady(), Steady()]
BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"players": []}, sv.SavannaError, "players must be 2 to 100 of different names, got 0"),
    ({"players": [Steady()]}, sv.SavannaError, "players must be 2 to 100 of different names, got 1"),
    ({"players": itertools.repeat(Steady())}, sv.SavannaError, "players must be 2 to 100 of different names, got 101"),
    ({"players": [Steady()] * 40, "rules": RULES["4p"]}, sv.SavannaError, "40 players sit in 2193360 ways"),
    ({"players": "ab"}, TypeError, "players must be a dict or a sequence of players, not str"),
    ({"players": 5}, TypeError, "players must be a dict or a sequence of players, not int"),
    ({"players": [Steady(), Steady]}, TypeError, r"a player must be an object, not a class: Steady\(...\)"),
    ({"players": [Steady(), "greedy"]}, TypeError, "not a text: players.parse makes one of 'greedy'"),
    ({"players": [Steady(), object()]}, TypeError, "player 'object' must have a method choose, got object"),
    ({"players": {"a": Steady(), "b": None}}, TypeError, "player 'b' must have a method choose, got NoneType"),
    ({"players": {"a": Steady(), 5: Steady()}}, TypeError, "a player's name must be a str, not int"),
    (
        {"players": {"a": Steady(), " ": Steady()}},
        sv.SavannaError,
        "a player's name must have a character that can be seen",
    ),
    (
        {"players": {"a": Steady(), "b\n": Steady()}},
        sv.SavannaError,
        r"a player's name must not have U\+000A at place 1",
    ),
    ({"rules": None}, TypeError, "rules must be Rules, not NoneType"),
    ({"rules": reference.Rules()}, TypeError, "rules must be Rules, not savanna.reference.rules.Rules"),
    ({"threads": 0}, sv.SavannaError, "threads must be 1 to 1024, got 0"),
    ({"threads": 1025}, sv.SavannaError, "threads must be 1 to 1024, got 1025"),
    ({"log": 5}, TypeError, "log must be a path, not int"),
    ({"resume": 1}, TypeError, "resume must be a bool, not int"),
    ({"resume": True}, sv.SavannaError, "resume needs the log"),
    ({"resume": True, "log": "x", "seed": None}, sv.SavannaError, "and the seed"),
    ({"sprt": 5}, TypeError, "sprt must be Sprt or .elo0, elo1., not int"),
    ({"sprt": (0, 5, 1)}, TypeError, "sprt must be Sprt or .elo0, elo1., not tuple"),
    ({"sprt": (5, 0)}, sv.SavannaError, "elo0 must be less than elo1"),
    ({"sprt": (0, 5), "players": [Steady()] * 3}, sv.SavannaError, "sprt needs two players and two teams, got 3"),
    ({"sprt": (0, 5), "rules": RULES["3p"]}, sv.SavannaError, "sprt needs two players .* and 3 teams"),
    ({"progress": 5}, TypeError, "progress must be a function, not int"),
    ({"time_limit": 0}, sv.SavannaError, "time_limit must be more than 0"),
    ({"time_limit": float("nan")}, sv.SavannaError, "time_limit must be more than 0 .*, got nan"),
    ({"time_limit": 10**400}, sv.SavannaError, "time_limit must be more than 0 .*, got inf"),
    ({"time_limit": "1"}, TypeError, "time_limit must be a number, not str"),
    ({"time_limit": True}, TypeError, "time_limit must be a number, not bool"),
]


@pytest.mark.parametrize(("arguments", "error", "words"), BAD, ids=lambda it: str(it)[:40])
def test_arguments_that_make_no_sense(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        sv.tournament(**{"players": TWO, "deals": 1, **arguments})
    assert type(caught.value) is error
    assert len(str(caught.value).splitlines()) == 1
