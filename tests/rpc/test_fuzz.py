"""Lines of all sorts through one engine process, a hundred thousand with --full: each gets the standard's answers.

What the answers have to be, `answers_to` works out from the line by JSON as Python's standard library reads it; the
strict reader of the engine is not used.
"""

import json
import random
import subprocess
import threading
from collections import Counter
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import savanna as sv
from savanna.rpc import ErrorCode
from tests.support.engine_process import COMMAND, VALIDATORS, Engine, request
from tests.support.full import count, is_full
from tests.support.timing import PATIENCE

LINES = count(10_000, 100_000)
POSITION = sv.Position.deal(sv.Rules(), seed=7)
VIEWS = [str(POSITION.view(0)), str(POSITION.view(1)), str(POSITION.public()), str(POSITION), "seat=0 2p", ""]
QUICK = ("legalMoves", "lines", "preview", "setView", "newGame", "initialize", "nothing", "rpc.x", "")
LONG = ("bestMove", "analyse", "rollout")

# ------------------------------------------------------------------------------------------------------------- corpus

IDS = st.one_of(st.none(), st.integers(-(10**15), 10**15), st.floats(allow_nan=False, allow_infinity=False), st.text())
VALUES = st.recursive(
    st.one_of(IDS, st.booleans(), st.sampled_from(VIEWS)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
NAMES = ("rules", "view", "move", "client", "iterations", "seconds", "seed", "threads", "top", "games", "id", "x")
SMALL = st.dictionaries(st.sampled_from(NAMES), st.one_of(st.integers(-2, 60), VALUES), max_size=3)
PARAMS = {
    "setView": st.fixed_dictionaries({"view": st.sampled_from(VIEWS)}) | SMALL,
    "newGame": st.fixed_dictionaries({"rules": st.sampled_from(["2p", "3p,mice", "9p"]) | SMALL}),
    "cancel": st.fixed_dictionaries({"id": IDS}) | SMALL,
    **dict.fromkeys(LONG, st.fixed_dictionaries({}, optional={"seed": st.integers(-1, 9), "threads": st.just(1)})),
}


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """Draw a message: a request, most of them right in all but perhaps one thing."""
    method = draw(st.sampled_from([*QUICK, *LONG, "legalMoves", "cancel", "setView"]))
    params: Any = draw(PARAMS.get(method, SMALL | st.lists(VALUES, max_size=2)))
    if method in LONG:
        params["games" if method == "rollout" else "iterations"] = draw(st.integers(0, 20))
    content = request(draw(IDS), method, params)
    for name in draw(st.lists(st.sampled_from(list(content)), max_size=1)):
        if draw(st.booleans()):
            del content[name]
        else:
            content[name] = draw(VALUES)
    return content


def corpus() -> list[bytes]:
    """Return some hundred lines that Hypothesis has drawn, always the same."""
    found: list[bytes] = []

    @settings(max_examples=400, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(messages() | st.lists(messages(), max_size=4) | VALUES)
    def draw(content: Any) -> None:
        found.append(json.dumps(content).encode())

    draw()
    assert len(found) >= 400
    return found


def mutated(line: bytes, rng: random.Random) -> bytes:
    """Return a line with a few bytes changed, lost or doubled; none of them ends it."""
    text = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text[at:at] = rng.choice([b"{", b"}", b"[", b"]", b'"', b",", b":", b"0", b"-", b"\\", b"\x00", b"\xff"])
        elif kind == 1:
            del text[at : at + rng.randrange(1, 9)]
        elif kind == 2:
            text[at:at] = text[at : at + rng.randrange(1, 30)]
        else:
            text[at : at + 1] = bytes([rng.randrange(256)])
    return bytes(text).replace(b"\n", b"")


# --------------------------------------------------------------------------------------------------------- expectation


class NoJsonError(Exception):
    """The standard library, or the strictness that is promised beyond it, refuses a text."""


def _no(_: object) -> Any:
    raise NoJsonError


def _whole(digits: str) -> int:
    return int(digits) if len(digits.lstrip("-")) <= 20 else _no(digits)


def _number(digits: str) -> float:
    return float(digits) if abs(float(digits)) < float("inf") else _no(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else _no(pairs)


def read(line: bytes) -> Any:
    """Return what a line says. Raises `NoJsonError`."""
    try:
        text = line.decode()
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no, parse_float=_number, parse_int=_whole)
    except (ValueError, RecursionError):
        raise NoJsonError from None


def key(identity: Any) -> str:
    """Return an id in a form that tells 1 from "1"."""
    return json.dumps(float(identity) if isinstance(identity, int) else identity)


def is_id(value: Any) -> bool:
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def wanted(content: Any) -> list[str]:
    """Return the ids of the answers to a message, which is no batch: one of them, or none at all."""
    if not isinstance(content, dict):
        return [key(None)]
    identity = content.get("id")
    is_request = (
        content.get("jsonrpc") == "2.0"
        and isinstance(content.get("method"), str)
        and isinstance(content.get("params", {}), dict | list)
        and is_id(identity)
    )
    if is_request and "id" not in content:
        return []
    return [key(identity if is_id(identity) else None)]


def answers_to(line: bytes) -> tuple[tuple[str, ...], bool] | None:
    """Return the ids of the answers to a line, and whether they come as a batch; None if there are none."""
    if not line.strip(b" \t\r\v\f"):
        return None
    try:
        content = read(line)
    except NoJsonError:
        return ((key(None),), False)
    if not isinstance(content, list):
        ids = wanted(content)
        return (tuple(ids), False) if ids else None
    if not content or len(content) > 100:
        return ((key(None),), False)
    ids = [identity for member in content for identity in wanted(member)]
    return (tuple(sorted(ids)), True) if ids else None


# ---------------------------------------------------------------------------------------------------------------- test


def written() -> list[bytes]:
    """Return the lines: the corpus as it is and mutated, some of them much too long."""
    rng, seeds = random.Random(1), corpus()
    lines = [line if rng.random() < 0.3 else mutated(line, rng) for line in rng.choices(seeds, k=LINES)]
    for at in range(0, LINES, LINES // 20):
        lines[at] = rng.choice([b"[" * 900_000, b"x" * 3_000_000, b'{"a":' * 150_000, b"[" + b"1," * 400_000 + b"1]"])
    return lines


@pytest.mark.rare
def test_lines_of_all_sorts() -> None:
    lines = [line for line in written() if b"shutdown" not in line]
    expected = Counter(answers_to(line) for line in lines)
    del expected[None]
    peak = 0
    got: Counter[Any] = Counter()
    codes: Counter[int] = Counter()
    results = 0
    start = [
        request("begin", "initialize"),
        request("begin", "newGame", ["2p"]),
        request("begin", "setView", [VIEWS[0]]),
    ]
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        pipe = process.stdin

        def feed() -> None:
            pipe.write(b"\n".join(json.dumps(content).encode() for content in start) + b"\n")
            pipe.writelines(line + b"\n" for line in lines)
            pipe.write(json.dumps(request("end", "shutdown")).encode() + b"\n")
            pipe.close()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        for number, line in enumerate(process.stdout):
            content = json.loads(line)
            if number % 500 == 0:
                VALIDATORS["fromEngine"].validate(content)
                peak = max(peak, psutil.Process(process.pid).memory_info().rss)
            if isinstance(content, dict) and "method" in content:
                continue
            members = content if isinstance(content, list) else [content]
            got[tuple(sorted(key(member["id"]) for member in members)), isinstance(content, list)] += 1
            codes.update(member["error"]["code"] for member in members if "error" in member)
            results += sum("result" in member for member in members)
        feeder.join(PATIENCE)
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, b"")
    assert got.pop(((key("begin"),), False)) == 3
    assert got.pop(((key("end"),), False)) == 1
    assert got == expected
    assert results > LINES // 100
    rare = set() if is_full() else {ErrorCode.BUSY}  # only many lines fill the queue for certain
    assert {*codes} | rare == {*ErrorCode} - {ErrorCode.INTERNAL_ERROR, ErrorCode.NOT_INITIALIZED}
    assert peak < 150 * 2**20


def test_a_line_that_does_not_end_is_not_held() -> None:
    with Engine() as engine:
        process = psutil.Process(engine.process.pid)
        before, peak = process.memory_info().rss, 0
        for _ in range(200):
            engine.write(b"[" * 2**20)
            peak = max(peak, process.memory_info().rss)
        assert peak - before < 2**23
        engine.write(b"\n")
        assert engine.read()["error"]["code"] == ErrorCode.PARSE_ERROR
        assert engine.ask("newGame", rules="2p")["rules"] == "2p"
