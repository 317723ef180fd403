"""Sessions with `savanna engine`: what is asked in order is answered, and what is not is told by a standard error."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import psutil
import pytest

import savanna as sv
from savanna.rpc import PROTOCOL_VERSION, ErrorCode
from tests.support.engine_process import COMMAND, VALIDATORS, Engine, errors, request

pytestmark = pytest.mark.thin(3)

POSITION = sv.Position.parse("2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0")
VIEW = POSITION.view(0)
LAST = POSITION
while LAST.ply < 19:
    LAST = LAST.play(LAST.legal_moves()[0])


def code_of(answer: Any) -> ErrorCode:
    return ErrorCode(answer["error"]["code"])


# -------------------------------------------------------------------------------------------------------- in good order


def test_a_whole_session() -> None:
    with Engine(starts=False) as engine:
        hello = engine.ask("initialize", client="Ann's board")
        assert hello["client"] == "Ann's board"
        assert hello["versions"] == {"engine": sv.__version__, "rules": sv.RULES_VERSION, "protocol": PROTOCOL_VERSION}
        assert hello["limits"] == {"line": 2**20, "batch": 100, "queue": 16}
        game = engine.ask("newGame", rules="4p,mice,team")
        assert (game["rules"], game["players"], game["teams"]) == ("4p,mice,team", 4, [0, 1, 0, 1])
        assert (game["deck"]["mouse"], game["influence"]["lion"]) == (1, 6)
        assert engine.ask("newGame", rules={"players": 2})["rules"] == "2p"
        seen = engine.ask("setView", view=str(VIEW))
        assert seen == {"seat": 0, "toMove": 0, "ply": 0, "isOver": False, "scores": [0, 0], "winners": []}
        moves = engine.ask("legalMoves")["moves"]
        assert moves[0] == {"move": "monkey a5", "action": 0}
        assert len(moves) == 80
        assert engine.ask("bestMove", iterations=200) in moves
        assert engine.progress == []
        assert len(engine.ask("analyse", iterations=200, top=3)["moves"]) == 3
        told = {"id": 7, "done": 200, "total": 200}
        assert engine.progress[-1:] in ([told], [])  # what is told may be dropped
        assert engine.ask("rollout", games=10)["games"] == 10
        assert engine.progress[-1:] in ([{"id": 8, "done": 10, "total": 10}], [told], [])
        assert engine.ask("cancel", id="nothing") == {"cancelled": False}
        assert engine.ask("shutdown") is None
        assert engine.close() == ([], 0, b"")


def test_the_end_of_a_game() -> None:
    over = LAST.play(LAST.legal_moves()[0])
    with Engine() as engine:
        assert engine.look_at(LAST.view(LAST.seat or 0))["ply"] == 19
        assert engine.ask("bestMove")["move"] == engine.ask("analyse", iterations=1)["moves"][0]["move"]
        seen = engine.look_at(over.view(1))
        assert (seen["toMove"], seen["isOver"]) == (None, True)
        assert (seen["scores"], seen["winners"]) == (list(over.scores), list(over.winners))
        assert engine.ask("legalMoves") == {"moves": []}
        assert engine.call("bestMove")["error"]["data"] == {"kind": "GameOverError"}


def test_parameters_come_by_name_or_in_order_and_options_may_be_null() -> None:
    with Engine() as engine:
        assert engine.call("newGame", ["2p"])["result"]["rules"] == "2p"
        assert engine.call("setView", [str(VIEW)])["result"]["seat"] == 0
        by_name = engine.call("bestMove", {"iterations": 300, "seed": 2**64 - 1, "threads": None, "seconds": None})
        assert engine.call("bestMove", [None, 300, 2**64 - 1])["result"] == by_name["result"]
        assert engine.call("legalMoves", [])["result"] == engine.call("legalMoves")["result"]
        assert engine.call("rollout", [5, 3])["result"] == engine.call("rollout", {"games": 5, "seed": 3})["result"]
        assert engine.ask("rollout", games=5, seed=None)["games"] == 5


def test_an_id_comes_back_as_it_was() -> None:
    with Engine() as engine:
        for identity in ("", "x", "\u0000é🦁\ud800", "1", 1, 0, -5, 10**20 - 1, 1 - 10**20, 1.5, 1e300, None):
            engine.send(request(identity, "newGame", ["2p"]))
            answer = engine.read()
            assert answer["id"] == identity
            assert type(answer["id"]) is type(identity)


# ----------------------------------------------------------------------------------------------------- out of any order


def test_initialize_has_to_come_first_and_only_once() -> None:
    with Engine(starts=False) as engine:
        for method, params in (("legalMoves", ...), ("shutdown", ...), ("cancel", {"id": 1}), ("newGame", ["2p"])):
            assert code_of(engine.call(method, params)) == ErrorCode.NOT_INITIALIZED
        engine.ask("initialize")
        assert code_of(engine.call("initialize")) == ErrorCode.INVALID_REQUEST
        assert engine.ask("newGame", rules="3p")["players"] == 3


def test_a_game_comes_before_a_view_and_a_view_before_questions() -> None:
    with Engine() as engine:
        assert code_of(engine.call("setView", [str(VIEW)])) == ErrorCode.OUT_OF_ORDER
        engine.ask("newGame", rules="2p")
        for method in ("legalMoves", "lines", "analyse", "bestMove", "rollout"):
            assert code_of(engine.call(method)) == ErrorCode.OUT_OF_ORDER
        engine.ask("setView", view=str(VIEW))
        engine.ask("newGame", rules="2p")
        assert code_of(engine.call("legalMoves")) == ErrorCode.OUT_OF_ORDER


def test_after_shutdown_nothing_begins() -> None:
    with Engine() as engine:
        engine.look_at(VIEW)
        engine.ask("shutdown")
        for method in ("legalMoves", "bestMove", "shutdown", "initialize"):
            assert code_of(engine.call(method)) == ErrorCode.INVALID_REQUEST
        assert engine.ask("cancel", id=1) == {"cancelled": False}
        assert engine.close() == ([], 0, b"")


# ----------------------------------------------------------------------------------------------------------- bad values

BAD_VALUES: list[tuple[str, Any, str, str]] = [
    ("newGame", {"rules": "5p"}, "NotationError", "5"),
    ("newGame", {"rules": {"players": 3, "team_game": True}}, "RulesError", "team"),
    ("setView", {"view": str(POSITION)}, "NotationError", "expected 'seat='"),
    ("setView", {"view": str(VIEW).replace("?", "m", 1)}, "NotationError", "expected '?'"),
    ("setView", {"view": str(VIEW).replace("0/0", "9/0")}, "NotationError", "cannot give these scores"),
    ("setView", {"view": ""}, "NotationError", "expected 'seat='"),
    ("setView", {"view": "seat=0 \ud800"}, "NotationError", "character 7"),
    ("setView", {"view": str(sv.Position.deal(sv.Rules(players=3), 1).view(0))}, "RulesError", "rules 2p"),
    ("setView", {"view": str(VIEW).replace("seat=0", "seat=-")}, "NotationError", "expected '?'"),
    ("preview", {"move": "zebra b5"}, "NotationError", "move text: 'b5'"),
    ("preview", {"move": "zebra c4"}, "IllegalMoveError", "seat 0 holds no zebra"),
    ("analyse", {"iterations": 0}, "SavannaError", "iterations must be"),
    ("analyse", {"seconds": -1}, "SavannaError", "seconds must be"),
    ("analyse", {"seconds": 1, "iterations": 1}, "SavannaError", "not both"),
    ("analyse", {"top": 0}, "SavannaError", "top must be"),
    ("bestMove", {"seed": -1}, "SavannaError", "seed must be"),
    ("bestMove", {"threads": 1025}, "SavannaError", "threads must be"),
    ("rollout", {"games": 0}, "SavannaError", "games must be"),
    ("rollout", {"games": 10**19}, "SavannaError", "games must be"),
]
BAD_FORMS: list[tuple[str, Any, str]] = [
    ("initialize", {"client": 1}, "client: must be a text"),
    ("newGame", {}, "rules: is missing"),
    ("newGame", {"rules": 2}, "rules: must be a text or an object, not 2"),
    ("newGame", {"rules": {"comment": 1}}, "rules: there is no option 'comment'"),
    ("newGame", {"rules": {"players": "2"}}, "rules.players: must be a whole number, not '2'"),
    ("newGame", {"rules": {"mice": 1}}, "rules.mice: must be true or false, not 1"),
    ("newGame", {"rules": {"team_game": None}}, "rules.team_game: must be true or false, not null"),
    ("newGame", {"rules": {"deck": [4]}}, "rules.deck: must be an object, not a list"),
    ("newGame", {"rules": {"influence": {"x" * 999: "y"}}}, "xxx...']: must be a whole number, not 'y'"),
    ("newGame", {"rules": {"target": 10.5}}, "rules.target: must be a whole number, not 10.5"),
    ("newGame", {"rules": {"points": [1, False, 3]}}, "rules.points[1]: must be a whole number, not false"),
    ("newGame", {"rules": {"points": "213"}}, "rules.points: must be a list, not '213'"),
    ("newGame", {"rules": {"last_seat_bonus": {}}}, "rules.last_seat_bonus: must be a whole number, not an object"),
    ("newGame", {"rules": {"absent_can_be_least": "no"}}, "rules.absent_can_be_least: must be true or false"),
    ("setView", {"view": None}, "view: must be a text, not null"),
    ("setView", {"view": "x", "seat": 0}, "setView has no parameter 'seat', only view"),
    ("setView", ["x", 1], "setView has at most 1 parameters, got 2"),
    ("legalMoves", {"x" * 100: 1}, "only none at all"),
    ("lines", {"move": "x"}, "lines has no parameter 'move', only none at all"),
    ("preview", {}, "move: is missing"),
    ("preview", {"move": 57}, "move: must be a text, not 57"),
    ("analyse", {"iterations": True}, "iterations: must be a whole number, not true"),
    ("analyse", {"iterations": 10.0}, "iterations: must be a whole number, not 10.0"),
    ("analyse", {"seconds": "1"}, "seconds: must be a number, not '1'"),
    ("bestMove", {"top": 3}, "bestMove has no parameter 'top'"),
    ("rollout", {"games": None}, "games: must be a whole number, not null"),
    ("cancel", {}, "id: is missing"),
    ("cancel", {"id": []}, "id: must be a text, a number or null, not a list"),
]


def test_values_that_the_game_refuses_change_nothing() -> None:
    with Engine() as engine:
        engine.look_at(VIEW)
        before = engine.ask("legalMoves")
        for method, params, kind, words in BAD_VALUES:
            shown = VALIDATORS[f"{method}.params"].is_valid(params)
            answer = engine.call(method, params, is_valid=shown)
            assert code_of(answer) == ErrorCode.GAME_ERROR, (method, params)
            assert answer["error"]["data"] == {"kind": kind}
            assert words in answer["error"]["message"]
            assert issubclass(getattr(sv, kind), sv.SavannaError)
            assert engine.ask("legalMoves") == before


def test_parameters_of_a_wrong_form_change_nothing() -> None:
    with Engine() as engine:
        engine.look_at(VIEW)
        before = engine.ask("legalMoves")
        for method, params, words in BAD_FORMS:
            answer = engine.call(method, params, is_valid=isinstance(params, list) or params == {"iterations": 10.0})
            assert code_of(answer) == ErrorCode.INVALID_PARAMS, (method, params)
            assert words in answer["error"]["message"]
            assert len(answer["error"]["message"]) < 250
        assert engine.ask("legalMoves") == before


def test_a_seat_that_is_not_to_move_has_no_move_to_think_of() -> None:
    with Engine() as engine:
        engine.look_at(POSITION.view(1))
        assert engine.ask("legalMoves") == {"moves": []}
        answer = engine.call("bestMove")
        assert (code_of(answer), answer["error"]["data"]) == (ErrorCode.GAME_ERROR, {"kind": "SavannaError"})
        assert engine.ask("rollout", games=9)["games"] == 9


# ------------------------------------------------------------------------------------------------------- the standard

NO_JSON = [
    *(b"x", b"{", b'{"jsonrpc":"2.0","id":1', b"\xff\xfe", b"\xef\xbb\xbf", b"{} {}", b'"\t"', b"'a'", b"[1,]"),
    *(b"NaN", b'{"jsonrpc":"2.0","id":NaN,"method":"legalMoves"}', b"[Infinity]", b"[-Infinity]", b"1e400"),
    *(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"legalMoves"}', b'{"params":{"a":1,"a":1}}', b"9" * 21, b"[" * 5000),
    *(b"-" + b"9" * 21, b'{"a":' * 200_000, b"[" * 2**20, b"x" * (2**20 + 1), b"\x00"),
]
NO_REQUESTS: list[tuple[Any, Any, str]] = [
    ([], None, "must not be empty"),
    (1, None, "an object, not 1"),
    ("legalMoves", None, "an object, not 'legalMoves'"),
    (None, None, "an object, not null"),
    (True, None, "an object, not true"),
    ({}, None, 'jsonrpc must be "2.0", and is missing'),
    ({"jsonrpc": "2.0", "id": 5}, 5, "method must be a text, and is missing"),
    ({"id": "x", "method": "legalMoves"}, "x", 'jsonrpc must be "2.0", and is missing'),
    ({"jsonrpc": "1.0", "id": 5, "method": "legalMoves"}, 5, """jsonrpc must be "2.0", not '1.0'"""),
    ({"jsonrpc": 2.0, "id": 5, "method": "legalMoves"}, 5, 'jsonrpc must be "2.0", not 2.0'),
    ({"jsonrpc": "2.0", "id": 5, "method": None}, 5, "method must be a text, not null"),
    ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, None, "method must be a text, not 1"),
    ({"jsonrpc": "2.0", "id": 5, "method": "legalMoves", "params": None}, 5, "an object or a list, not null"),
    ({"jsonrpc": "2.0", "id": 5, "method": "legalMoves", "params": "x" * 10**5}, 5, "or a list, not 'xxx"),
    ({"jsonrpc": "2.0", "id": True, "method": "legalMoves"}, None, "id must be a text, a number or null, not true"),
    ({"jsonrpc": "2.0", "id": [5], "method": "legalMoves"}, None, "id must be a text, a number or null, not a list"),
    ({"jsonrpc": "2.0", "id": 5, "result": None}, 5, "method must be a text, and is missing"),
    ([{"jsonrpc": "2.0", "method": "legalMoves"}] * 101, None, "at most 100 messages, got 101"),
]


def test_what_is_no_json_is_one_error_and_the_process_lives_on() -> None:
    with Engine() as engine:
        for line in NO_JSON:
            engine.write(line + b"\n")
            answer = engine.read()
            assert (answer["id"], code_of(answer)) == (None, ErrorCode.PARSE_ERROR), line[:50]
            assert len(answer["error"]["message"]) < 200
        assert engine.ask("newGame", rules="2p")["rules"] == "2p"


def test_what_is_no_request_is_one_error_and_the_process_lives_on() -> None:
    with Engine() as engine:
        for content, identity, words in NO_REQUESTS:
            engine.send(content, is_valid=False)
            answer = engine.read()
            assert (answer["id"], code_of(answer)) == (identity, ErrorCode.INVALID_REQUEST), content
            assert words in answer["error"]["message"]
            assert len(answer["error"]["message"]) < 200
        assert engine.ask("newGame", rules="2p")["rules"] == "2p"


def test_a_method_that_there_is_not() -> None:
    with Engine() as engine:
        for method in ("", "legalmoves", "__init__", "rpc.discover", "play", "x" * 9999):
            answer = engine.call(method, is_valid=False)
            assert code_of(answer) == ErrorCode.METHOD_NOT_FOUND
            assert "only initialize, newGame, setView" in answer["error"]["message"]
            assert len(answer["error"]["message"]) < 250


def test_notifications_are_heard_and_never_answered() -> None:
    with Engine(starts=False) as engine:
        for content in (
            request(..., "legalMoves"),
            request(..., "initialize"),
            request(..., "newGame", ["2p"]),
            request(..., "setView", [str(VIEW)]),
            request(..., "bestMove", {"iterations": 2**50}),
            [request(..., "legalMoves"), request(..., "analyse")],
        ):
            engine.send(content)
        for content in (request(..., "nothing"), request(..., "setView", {"view": 3}), [request(..., "nothing")]):
            engine.send(content, is_valid=False)
        assert len(engine.ask("legalMoves")["moves"]) == 80
        assert engine.close() == ([], 0, b"")


def test_a_batch_is_answered_by_one_batch() -> None:
    with Engine() as engine:
        batch = [
            request("a", "newGame", ["2p"]),
            request(..., "setView", [str(VIEW)]),
            request("b", "bestMove", {"iterations": 300}),
            7,
            request("c", "nothing"),
            [request("d", "legalMoves")],
            request("e", "legalMoves"),
        ]
        engine.send(batch, is_valid=False)
        answers = engine.read()
        assert len(answers) == 6
        by_id = {answer["id"]: answer for answer in answers}
        assert set(by_id) == {"a", "b", "c", "e", None}
        assert by_id["b"]["result"] in by_id["e"]["result"]["moves"]
        assert sorted(errors(answers)) == [-32601, -32600, -32600]
        engine.send([request(9, "legalMoves")])
        assert len(engine.read()) == 1
        engine.send([request(number, "newGame", ["2p"]) for number in range(100)])
        assert [answer["id"] for answer in engine.read()] == list(range(100))


def test_lines_end_as_they_like_and_blank_ones_say_nothing() -> None:
    with Engine() as engine:
        engine.ask("newGame", rules="2p")
        message = json.dumps(request(2, "newGame", ["2p"])).encode()
        engine.write(b"\n\r\n \t\n" + message + b"\r\n " + message + b" \n" + message)
        assert [engine.read()["result"]["rules"] for _ in range(2)] == ["2p", "2p"]
        rest, code, _ = engine.close()
        assert [answer["result"]["rules"] for answer in rest] == ["2p"]  # the last line, which has no end
        assert code == 0


def test_a_message_may_be_as_long_as_the_limit_says_and_come_byte_by_byte() -> None:
    with Engine() as engine:
        text = json.dumps(request(1, "newGame", ["2p"])).encode()
        engine.send(request(1, "newGame", ["2p"]))
        assert engine.read()["id"] == 1
        for byte in text + b"\n":
            engine.write(bytes([byte]))
        assert engine.read()["result"]["rules"] == "2p"
        engine.write(text.ljust(2**20) + b"\n" + text.ljust(2**20 + 1) + b"\n" + text + b"\n")
        assert ["result" in engine.read() for _ in range(3)] == [True, False, True]


def test_verbose_tells_on_standard_error_alone() -> None:
    with Engine("--verbose") as engine:
        engine.look_at(VIEW)
        engine.ask("bestMove", iterations=50)
        rest, code, said = engine.close()
        assert (rest, code) == ([], 0)
        lines = said.decode().splitlines()
        assert [line for line in lines if "took" not in line] == [
            f"savanna: '{method}'" for method in ("initialize", "newGame", "setView", "bestMove")
        ]


def test_what_verbose_tells_and_nobody_reads_costs_no_answer() -> None:
    asked = [
        request(1, "initialize"),
        request(2, "newGame", ["2p"]),
        request(3, "setView", [str(VIEW)]),
        request(4, "bestMove", {"iterations": 50}),
        request(5, "shutdown"),
    ]
    lines = "".join(json.dumps(content) + "\n" for content in asked)
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [*COMMAND, "--verbose"], input=lines, stdout=subprocess.PIPE, stderr=writer, text=True, check=False
    )
    os.close(writer)
    assert result.returncode == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [1, 2, 3, 4, 5]


CLIENT = """
import subprocess, sys, json, os, time
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
engine = subprocess.Popen([sys.executable, "-m", "savanna", "engine"], **pipes)
holder = subprocess.Popen(["sleep", "60"], pass_fds=[engine.stdin.fileno(), engine.stdout.fileno()])
params = {"processId": os.getpid()} if sys.argv[1] == "watched" else {}
print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}), file=engine.stdin, flush=True)
assert "result" in engine.stdout.readline()
print(engine.pid, holder.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("watched", [True, False])
def test_an_engine_ends_with_the_process_that_it_serves(watched: bool) -> None:
    """Though another child of that process, which lives on, holds the pipes."""
    words = [sys.executable, "-c", CLIENT, "watched" if watched else "alone"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        engine, holder = map(psutil.Process, map(int, client.stdout.readline().split()))
        client.kill()
    try:
        if watched:
            engine.wait(timeout=60)  # its parent is gone, so nobody has to ask how it ended
        else:
            with pytest.raises(psutil.TimeoutExpired):
                engine.wait(timeout=1)
    finally:
        for process in (holder, engine):
            with suppress(psutil.NoSuchProcess):
                process.kill()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "processId: must be the number of a process, got 0"),
        (-5, "processId: must be the number of a process, got -5"),
        (2**31, "processId: must be the number of a process, got 2147483648"),
        ("7", "processId: must be a whole number, not"),
        (2**31 - 1, "processId: there is no process 2147483647"),
    ],
)
def test_a_process_that_is_not_there_is_refused(number: Any, text: str) -> None:
    with Engine(starts=False) as engine:
        answer = engine.call("initialize", {"processId": number}, is_valid=number == 2**31 - 1)
        assert code_of(answer) is ErrorCode.INVALID_PARAMS
        engine.ask("initialize", processId=os.getpid())
    assert answer["error"]["message"].startswith(text)
