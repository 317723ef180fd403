"""What the engine process says of a view is what the Python API says of it, to the last digit."""

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

import savanna as sv
from savanna import reference as ref
from savanna.rpc import ErrorCode
from tests.rules.test_hidden import truths, twin
from tests.support.both_engines import views_of_all_games
from tests.support.engine_process import Engine
from tests.support.full import count


@pytest.fixture(scope="module")
def views() -> list[sv.View]:
    return views_of_all_games()


@pytest.mark.rare
def test_all_answers_are_those_of_the_api(views: list[sv.View]) -> None:
    assert len(views) == 200
    with Engine() as engine:
        for seed, view in list(enumerate(views))[:: count(4, 1)]:
            seen = engine.look_at(view)
            assert (seen["seat"], seen["toMove"], seen["ply"]) == (view.seat, view.to_move, view.ply)
            assert seen["scores"] == list(view.scores)
            moves = engine.ask("legalMoves")["moves"]
            assert [move["action"] for move in moves] == [move.action for move in view.legal_moves()]
            assert [sv.Move.parse(move["move"]) for move in moves] == view.legal_moves()
            assert engine.ask("lines")["lines"] == as_json(view.lines)
            move = moves[seed % len(moves)]["move"]
            assert engine.ask("preview", move=move)["lines"] == as_json(view.preview(move))
            best = sv.analyse(view, iterations=60, seed=seed).best
            assert engine.ask("bestMove", iterations=60, seed=seed) == {"move": str(best), "action": best.action}
            stats = sv.rollout(view, 300, seed=seed)
            assert engine.ask("rollout", games=300, seed=seed, threads=1 + seed % 2) == stats.to_dict()


def as_json(records: Iterable[NamedTuple]) -> Any:
    """Return records as JSON has them."""
    return json.loads(json.dumps([record._asdict() for record in records]))


def test_spectators_are_told_what_everybody_sees() -> None:
    """Of positions that only look the same, all answers are the same, errors included."""
    rng, differed, told = random.Random(1), 0, 0
    with Engine() as engine:
        for rules in ("2p", "4p,mice,team"):
            for truth in truths(rules, 1)[::3]:
                twins = [sv.Position.parse(text) for text in (truth, twin(truth, None, rng))]
                differed += twins[0] != twins[1]
                move = str(twins[0].legal_moves()[0]) if not twins[0].is_over else "monkey a5"
                answers: list[Any] = []
                for position in twins:
                    view = position.public()
                    answer = [engine.look_at(view), engine.ask("legalMoves"), engine.ask("lines")]
                    assert answer[0]["seat"] is None
                    assert answer[1] == {"moves": []}
                    assert answer[2]["lines"] == as_json(ref.View.parse(str(view)).lines)
                    told += sum(line["points"] is not None for line in answer[2]["lines"])
                    answer.append(engine.ask("rollout", games=200, seed=3))
                    assert answer[-1] == sv.rollout(view, games=200, seed=3).to_dict()
                    for method, params in (("preview", {"move": move}), ("analyse", {}), ("bestMove", {})):
                        error = engine.call(method, params)["error"]
                        assert error["code"] == ErrorCode.GAME_ERROR
                        expected = "the game is over" if view.is_over else "a public view has no seat to move for"
                        assert expected in error["message"]
                        answer.append(error)
                    answers.append(answer)
                assert answers[0] == answers[1]
    assert differed > 8
    assert told > 20


@pytest.mark.rare
def test_analyses_are_those_of_the_api(views: list[sv.View]) -> None:
    with Engine() as engine:
        for seed, view in enumerate(views[::8]):
            said = sv.analyse(view, iterations=90, seed=seed).to_dict()
            engine.look_at(view)
            assert engine.ask("analyse", iterations=90, seed=seed) == said
            shown = engine.ask("analyse", iterations=90, seed=seed, threads=2, top=2)
            assert shown == {**said, "moves": said["moves"][:2]}
            assert engine.ask("bestMove", iterations=90, seed=seed)["move"] == said["moves"][0]["move"]


def test_without_a_budget_it_thinks_as_long_as_the_api_does() -> None:
    view = sv.Position.deal(sv.Rules(), seed=3).view(0)
    with Engine() as engine:
        engine.look_at(view)
        assert engine.ask("analyse") == sv.analyse(view).to_dict()
        assert {it["total"] for it in engine.progress} <= {sv.players.Champion().iterations}
        assert engine.ask("rollout") == sv.rollout(view).to_dict()


def test_rules_of_all_options_are_those_of_the_api() -> None:
    options = {
        "players": 3,
        "mice": True,
        "deck": {"monkey": 2, "zebra": 3, "giraffe": 1, "elephant": 1},
        "influence": {"lion": 7},
        "target": 11,
        "points": [3, 1, 4],
        "last_seat_bonus": 1,
        "absent_can_be_least": True,
    }
    rules = sv.Rules(
        players=3,
        mice=True,
        deck={"monkey": 2, "zebra": 3, "giraffe": 1, "elephant": 1},
        influence={"lion": 7},
        target=11,
        points=(3, 1, 4),
        last_seat_bonus=1,
        absent_can_be_least=True,
    )
    with Engine() as engine:
        for given in (options, str(rules)):
            said = engine.ask("newGame", rules=given)
            assert said["rules"] == str(rules)
            assert (said["deck"], said["influence"]) == (rules.deck, rules.influence)
        view = sv.Position.deal(rules, 1).view(0)
        assert engine.ask("setView", view=str(view))["seat"] == 0
        assert engine.ask("rollout", games=100) == sv.rollout(view, 100).to_dict()
