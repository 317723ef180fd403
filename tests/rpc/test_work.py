"""Long work in the engine process: others are answered meanwhile, it can be cancelled, and it ends when it should."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import pytest

import savanna as sv
from savanna.rpc import ErrorCode, GoneError, serve
from savanna.rpc.streams import Streams
from tests.support.engine_process import COMMAND, ENDLESS, Engine, errors, request
from tests.support.timing import PATIENCE, let_work, processor_seconds

pytestmark = pytest.mark.thin(3)

VIEW = sv.Position.deal(sv.Rules(), seed=7).view(0)
THREADS = 2
LONG: list[tuple[str, dict[str, Any]]] = [
    ("analyse", {"iterations": ENDLESS, "threads": THREADS}),
    ("analyse", {"seconds": 3600, "threads": THREADS}),
    ("bestMove", {"seconds": 3600, "threads": THREADS}),
    ("rollout", {"games": ENDLESS, "threads": THREADS}),
]
START = b"".join(
    json.dumps(content).encode() + b"\n"
    for content in (
        request(1, "initialize"),
        request(2, "newGame", ["2p"]),
        request(3, "setView", [str(VIEW)]),
    )
)


@contextmanager
def started(stdout: int) -> "Iterator[subprocess.Popen[bytes]]":
    """Start a process without a client, which does not outlive a test that fails."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def engine() -> Any:
    with Engine() as started:
        started.look_at(VIEW)
        yield started


def wait_for_progress(engine: Engine, identity: Any) -> None:
    """Ask what takes no time until there was progress: by then, the work is under way."""
    deadline = time.monotonic() + PATIENCE
    while all(it["id"] != identity for it in engine.progress):
        assert time.monotonic() < deadline
        engine.ask("legalMoves")


# ------------------------------------------------------------------------------------------------------------ meanwhile


def test_short_questions_are_answered_while_long_ones_are_at_work(engine: Engine) -> None:
    engine.send(request("long", "analyse", {"iterations": ENDLESS}))
    wait_for_progress(engine, "long")
    assert len(engine.ask("legalMoves")["moves"]) == len(VIEW.legal_moves())
    assert engine.ask("newGame", rules="3p")["players"] == 3
    assert ErrorCode(engine.call("rollout")["error"]["code"]) == ErrorCode.OUT_OF_ORDER
    done = [it["done"] for it in engine.progress if it["id"] == "long"]
    assert done == sorted(set(done))
    assert {it["total"] for it in engine.progress} == {ENDLESS}


def test_a_question_is_about_the_view_that_was_set_when_it_came(engine: Engine) -> None:
    other = sv.Position.deal(sv.Rules(), seed=8).view(0)
    asked = {"games": 200_000}
    engine.send([request("first", "rollout", asked)])
    engine.send(request("set", "setView", [str(other)]))
    engine.send(request("second", "rollout", asked))
    answers: dict[Any, Any] = {}
    while len(answers) < 3:
        said = engine.read()
        for answer in said if isinstance(said, list) else [said]:
            answers[answer["id"]] = answer["result"]
    assert answers["first"] == sv.rollout(VIEW, 200_000).to_dict()
    assert answers["second"] == sv.rollout(other, 200_000).to_dict()
    assert answers["first"] != answers["second"]


def test_progress_by_time_has_no_total(engine: Engine) -> None:
    engine.send(request("long", "analyse", {"seconds": 3600}))
    wait_for_progress(engine, "long")
    assert {it["total"] for it in engine.progress} == {None}


# ---------------------------------------------------------------------------------------------------------- cancelling


@pytest.mark.parametrize(("method", "params"), LONG)
def test_what_is_cancelled_is_answered_by_an_error_at_once(engine: Engine, method: str, params: dict[str, Any]) -> None:
    """The budget is an hour or a century, so an answer within the patience of this test is one to the cancelling."""
    for identity in ("a", 7, None):
        engine.send(request(identity, method, params))
        used = let_work(engine.process.pid, 0.1)
        engine.send(request("cancel", "cancel", {"id": identity}))
        answers = [engine.read(), engine.read()]
        # A fifth of a second on each thread; of processor time, since other programs may hold the answer up.
        assert processor_seconds(engine.process.pid) - used < 0.2 * THREADS
        by_id = {answer["id"]: answer for answer in answers}
        assert by_id["cancel"]["result"] == {"cancelled": True}
        assert by_id[identity]["error"] == {"code": ErrorCode.CANCELLED, "message": "cancelled"}
        assert engine.ask("cancel", id=identity) == {"cancelled": False}
    assert engine.ask("bestMove", iterations=100) == engine.ask("bestMove", iterations=100)


def test_what_waits_can_be_cancelled_too_and_by_a_notification(engine: Engine) -> None:
    for identity in ("works", "waits", "stays", "waits"):
        engine.send(request(identity, "rollout", {"games": ENDLESS if identity == "works" else 1000}))
    wait_for_progress(engine, "works")
    engine.send(request(..., "cancel", {"id": "waits"}))
    assert [engine.read()["id"] for _ in range(2)] == ["waits", "waits"]
    engine.send(request(..., "cancel", {"id": "no such"}))
    engine.send(request(..., "cancel", {"id": "works"}))
    assert engine.read()["error"]["code"] == ErrorCode.CANCELLED
    last = engine.read()
    assert (last["id"], last["result"]["games"]) == ("stays", 1000)


def test_an_id_as_a_text_is_not_the_same_as_a_number(engine: Engine) -> None:
    engine.send(request("1", "bestMove", {"seconds": 3600}))
    assert engine.ask("cancel", id=1) == {"cancelled": False}
    engine.send(request(..., "cancel", ["1"]))
    assert engine.read()["id"] == "1"


def test_a_batch_waits_for_its_longest_part_which_may_be_cancelled(engine: Engine) -> None:
    engine.send([request("long", "bestMove", {"seconds": 3600}), request("short", "legalMoves")])
    engine.send(request(..., "cancel", {"id": "long"}))
    answers = {answer["id"]: answer for answer in engine.read()}
    assert answers["long"]["error"]["code"] == ErrorCode.CANCELLED
    assert len(answers["short"]["result"]["moves"]) == len(VIEW.legal_moves())


def test_no_more_than_the_limit_may_wait(engine: Engine) -> None:
    engine.send(request("works", "rollout", {"games": ENDLESS}))
    wait_for_progress(engine, "works")
    for number in range(18):
        engine.send(request(str(number), "rollout", {"games": 10}))
    refused = [engine.read(), engine.read()]
    assert [answer["id"] for answer in refused] == ["16", "17"]
    assert [answer["error"]["data"] for answer in refused] == [{"waiting": 16}] * 2
    assert errors(refused) == [ErrorCode.BUSY] * 2
    assert engine.ask("legalMoves")["moves"]
    engine.send(request(..., "cancel", {"id": "works"}))
    assert [engine.read()["id"] for _ in range(17)] == ["works", *map(str, range(16))]


# ------------------------------------------------------------------------------------------------------------- the end


def test_shutdown_comes_after_all_that_was_asked_before(engine: Engine) -> None:
    engine.send(request("work", "rollout", {"games": 300_000}))
    engine.send(request("end", "shutdown"))
    rest, code, said = engine.close()
    assert [answer["id"] for answer in rest] == ["work", "end"]
    assert rest[0]["result"] == sv.rollout(VIEW, 300_000).to_dict()
    assert (code, said) == (0, b"")


def test_the_end_of_the_input_cancels_what_is_not_done(engine: Engine) -> None:
    for number in range(5):
        engine.send(request(number, "bestMove", {"seconds": 3600}))
    rest, code, said = engine.close()
    assert sorted(answer["id"] for answer in rest) == list(range(5))
    assert errors(rest) == [ErrorCode.CANCELLED] * 5
    assert (code, said) == (0, b"")


def test_after_shutdown_nothing_new_is_taken_but_work_can_still_be_cancelled(engine: Engine) -> None:
    engine.send(request("work", "bestMove", {"seconds": 3600}))
    engine.send(request("end", "shutdown"))
    for method in ("legalMoves", "shutdown"):
        assert ErrorCode(engine.call(method)["error"]["code"]) == ErrorCode.INVALID_REQUEST
    engine.send(request(..., "cancel", {"id": "work"}))
    rest, code, _ = engine.close()
    assert [answer["id"] for answer in rest] == ["work", "end"]
    assert errors(rest) == [ErrorCode.CANCELLED]
    assert code == 0


def test_shutdown_itself_cannot_be_cancelled(engine: Engine) -> None:
    engine.send(request("same", "bestMove", {"seconds": 3600}))
    engine.send(request("end", "shutdown"))
    engine.send(request("same", "cancel", {"id": "end"}))
    assert engine.read()["result"] == {"cancelled": False}
    engine.send(request(..., "cancel", {"id": "same"}))
    rest, code, _ = engine.close()
    assert [(answer["id"], "result" in answer) for answer in rest] == [("same", False), ("end", True)]
    assert code == 0


@pytest.mark.parametrize("works", [False, True])
def test_ctrl_c_ends_it(engine: Engine, works: bool) -> None:
    if works:
        engine.send(request("long", "analyse", {"seconds": 3600}))
        wait_for_progress(engine, "long")
    engine.process.send_signal(signal.SIGINT)
    assert engine.process.wait(PATIENCE) == 130
    assert engine.process.stderr is not None
    assert engine.process.stderr.read() == b"savanna: interrupted\n"


@pytest.mark.parametrize(
    "last",
    [b"", json.dumps(request(4, "analyse", {"seconds": 3600})).encode() + b"\n"],
    ids=["at rest", "at work"],
)
def test_it_ends_quietly_when_nobody_reads(last: bytes) -> None:
    reader, writer = os.pipe()
    with started(writer) as process:
        os.close(writer)
        assert process.stdin is not None
        process.stdin.write(START + last)
        process.stdin.flush()
        assert os.read(reader, 10) == b'{"jsonrpc"'
        os.close(reader)
        with suppress(BrokenPipeError):  # at work, it may have found out already, by what it tells of its progress
            os.write(process.stdin.fileno(), START)  # what answers this finds no reader
        assert process.wait(PATIENCE) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_client_that_has_gone_is_not_waited_for() -> None:
    """After shutdown, work goes on without input; it still ends when there is nobody to hear of it."""
    reader, writer = os.pipe()
    with started(writer) as process:
        os.close(writer)
        ending = request(4, "bestMove", {"seconds": 3600}), request(5, "shutdown")
        assert process.stdin is not None
        process.stdin.write(START + b"".join(json.dumps(content).encode() + b"\n" for content in ending))
        process.stdin.close()
        assert os.read(reader, 10) == b'{"jsonrpc"'
        time.sleep(0.3)
        assert process.poll() is None
        os.close(reader)
        assert process.wait(PATIENCE) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_standard_input_has_to_be_there() -> None:
    result = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "savanna: error: standard input is closed\n"


# ------------------------------------------------------------------------------------------- a client that never reads


def flood(process: "subprocess.Popen[bytes]") -> int:
    """Write requests until the process has taken nothing for a while; return how many bytes it took."""
    assert process.stdin is not None
    descriptor = process.stdin.fileno()
    os.set_blocking(descriptor, False)
    block = json.dumps(request(1, "legalMoves")).encode() + b"\n"
    block *= 1000
    taken, idle, at = 0, 0, 0
    while idle < 10 and taken < 2**20:
        try:
            done = os.write(descriptor, block[at:])
            at = (at + done) % len(block)
            taken, idle = taken + done, 0
        except BlockingIOError:
            time.sleep(0.1)
            idle += 1
    return taken


@pytest.mark.parametrize("end", ["closes", "ctrl-c"])
def test_a_client_that_never_reads_costs_no_memory_and_can_end_it(end: str) -> None:
    reader, writer = os.pipe()
    with started(writer) as process:
        os.close(writer)
        assert process.stdin is not None
        process.stdin.write(START)
        process.stdin.write(json.dumps(request("long", "rollout", {"games": ENDLESS})).encode() + b"\n")
        process.stdin.flush()
        assert os.read(reader, 10) == b'{"jsonrpc"'
        before = psutil.Process(process.pid).memory_info().rss
        taken = flood(process)
        assert taken < 2**20  # each of these 60 bytes asks for 3,000: it stopped to listen
        assert psutil.Process(process.pid).memory_info().rss - before < 2**24
        assert process.poll() is None
        if end == "closes":
            process.stdin.close()
        else:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == (1 if end == "closes" else 130)
        os.close(reader)


def test_what_is_offered_is_dropped_while_something_waits() -> None:
    source, nobody = os.pipe()
    reader, sink = os.pipe()
    streams = Streams(source, sink)
    streams.start()
    streams.offer(b"first\n")
    assert os.read(reader, 6) == b"first\n"
    streams.drain()
    streams.write(b"x" * 2**18 + b"\n")  # more than a pipe takes
    streams.offer(b"dropped\n")
    streams.write(b"last\n")
    seen = b""
    while not seen.endswith(b"last\n"):
        seen += os.read(reader, 2**16)
    assert seen == b"x" * 2**18 + b"\nlast\n"
    os.close(nobody)
    assert streams.read() == b""
    streams.close()
    with pytest.raises(GoneError):
        streams.write(b"too late\n")
    for descriptor in (source, reader, sink):
        os.close(descriptor)


def test_a_slow_client_gets_all_answers_although_it_has_closed_its_side() -> None:
    count = 1000
    lines = START + b"".join(json.dumps(request(number, "legalMoves")).encode() + b"\n" for number in range(count))
    assert len(lines) < 2**16  # so that they fit into a pipe, from which they are read only now and then
    with started(subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines)
        process.stdin.close()
        output = b""
        while piece := os.read(process.stdout.fileno(), 2**17):
            output += piece
            time.sleep(0.03)
        assert (process.wait(PATIENCE), process.stderr and process.stderr.read()) == (0, b"")
    answers = [json.loads(line) for line in output.splitlines()]
    assert [answer["id"] for answer in answers[3:]] == list(range(count))
    assert len(output) > 2**21


def test_no_thread_is_left_when_it_has_served() -> None:
    source, writer = os.pipe()
    reader, sink = os.pipe()
    os.write(writer, START + json.dumps(request("work", "bestMove", {"seconds": 3600})).encode() + b"\n")
    os.close(writer)
    serve(source, sink, lambda _: None)
    os.close(sink)
    with os.fdopen(reader) as answers:
        assert [json.loads(line)["id"] for line in answers] == [1, 2, 3, "work"]
    os.close(source)
    ours = [thread for thread in threading.enumerate() if thread.name.startswith("savanna engine")]
    for thread in ours:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in ours)
