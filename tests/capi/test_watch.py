"""Long calls from C: watched, stopped, and what their options may be."""

import threading
import time
from collections.abc import Iterator
from ctypes import byref, c_void_p, sizeof
from typing import Any

import pytest

import savanna as sv
from tests.support.capi_library import Library, Tally, Watch, assert_same_tally, build

ENDLESS = 2**53  # games or iterations that take a century
ENOUGH = 1000  # calls without three different numbers
CONTEXT = 0x1234_5678


@pytest.fixture(scope="module")
def shared_library() -> Library:
    return Library(build() / "libsavanna_core.so")


@pytest.fixture
def library(shared_library: Library) -> Iterator[Library]:
    yield shared_library
    shared_library.close()


class Watcher:
    """Notes what it is told, and stops the call by some answer when it has been told so many different numbers."""

    def __init__(self, until: int = ENDLESS, answer: int = 1, takes: float = 0.0) -> None:
        self.until, self.answer, self.takes = until, answer, takes
        self.told: list[int] = []
        self.threads: set[int] = set()
        self.contexts: set[int | None] = set()
        self.watch = Watch(self._watch)

    def _watch(self, context: int | None, done: int) -> int:
        self.told.append(done)
        self.threads.add(threading.get_ident())
        self.contexts.add(context)
        if len(set(self.told)) < self.until and len(self.told) < ENOUGH:
            return 0
        time.sleep(self.takes)
        return self.answer

    def assert_well_told(self) -> None:
        assert self.told == sorted(self.told)
        assert (self.threads, self.contexts) == ({threading.get_ident()}, {CONTEXT})


def refused_rollout(library: Library, kind: str, handle: int, **changed: Any) -> tuple[str, str]:
    """Return what is said of playouts that must fail, and so leave the tally alone."""
    options, tally = library.options(**changed), Tally.from_buffer_copy(b"?" * sizeof(Tally))
    arguments = byref(options), sizeof(options), byref(tally), sizeof(tally)
    said = library.refusal(f"{kind}_rollout", handle, *arguments)
    assert bytes(tally) == b"?" * sizeof(Tally)
    return said


def refused_analysis(library: Library, view: int, **changed: Any) -> tuple[str, str]:
    """Return what is said of an analysis that must fail, and so leaves the variable alone."""
    effort, made = library.effort(**changed), c_void_p(42)
    said = library.refusal("view_analyse", view, byref(effort), sizeof(effort), byref(made))
    assert made.value == 42
    return said


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("policy", [0, 1, 2])
def test_endless_playouts_are_told_of_and_stopped(policy: int, threads: int, library: Library) -> None:
    for answer, (kind, handle, _) in zip((1, -1, 256, -(2**31)), library.sources("2p"), strict=True):
        watcher = Watcher(until=3, answer=answer)
        changed = {"games": ENDLESS, "policy": policy, "threads": threads, "watch": watcher.watch, "context": CONTEXT}
        assert refused_rollout(library, kind, handle, **changed) == ("stopped", "the playouts were stopped")
        watcher.assert_well_told()
        assert len(set(watcher.told)) == 3


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("budget", [{"iterations": ENDLESS}, {"seconds": 1e6}], ids=["iterations", "seconds"])
@pytest.mark.parametrize("text", ["2p", "3p"])
def test_an_endless_analysis_is_told_of_and_stopped(
    text: str, budget: dict[str, float], threads: int, library: Library
) -> None:
    view = library.make("position_view", library.make("position_deal", library.parse("rules", text), 1), 0)
    watcher = Watcher(until=3, answer=-1)
    changed = {**budget, "threads": threads, "watch": watcher.watch, "context": CONTEXT}
    assert refused_analysis(library, view, **changed) == ("stopped", "the search was stopped")
    watcher.assert_well_told()
    assert len(set(watcher.told)) == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_a_watcher_that_has_stopped_a_call_is_not_called_again(threads: int, library: Library) -> None:
    """It takes so long that another call would be due at once."""
    kind, handle, _ = library.sources("2p")[0]
    view = library.make("position_view", library.make("position_deal", handle, 1), 0)
    watcher = Watcher(until=1, takes=0.2)
    watched = {"threads": threads, "watch": watcher.watch, "context": CONTEXT}
    assert refused_rollout(library, kind, handle, games=ENDLESS, policy=2, **watched)[0] == "stopped"
    assert refused_analysis(library, view, iterations=ENDLESS, **watched)[0] == "stopped"
    assert len(watcher.told) == 2
    assert watcher.threads == {threading.get_ident()}


def test_a_watcher_that_lets_it_go_on_changes_nothing(library: Library) -> None:
    kind, handle, _ = library.sources("3p")[0]
    watcher, games = Watcher(), 10_000
    while not watcher.told:
        games *= 2
        options = library.options(games=games, threads=2, watch=watcher.watch, context=CONTEXT)
        told = library.rollout(kind, handle, options)
    watcher.assert_well_told()
    assert watcher.told[-1] <= games
    assert bytes(told) == bytes(library.rollout(kind, handle, library.options(games=games, threads=1)))


def test_a_watcher_may_call_the_library(library: Library) -> None:
    kind, handle, _ = library.sources("2p")[0]
    inner: list[bytes] = []

    def watch(_context: int | None, _done: int) -> int:
        inner.append(bytes(library.rollout(kind, handle, library.options(games=1000, threads=2))))
        return len(inner) // 2

    kept = Watch(watch)
    assert refused_rollout(library, kind, handle, games=ENDLESS, watch=kept)[0] == "stopped"
    assert inner == [bytes(library.rollout(kind, handle, library.options(games=1000)))] * 2


def test_options_that_cannot_be_are_named_as_in_python(library: Library) -> None:
    kind, handle, source = library.sources("2p")[0]
    cases: list[dict[str, Any]] = [{"first": 1}, {"first": ENDLESS}, {"first": ENDLESS + sv.BATCH}]
    for wrong in [*cases, {"games": 0}, {"threads": 1025}]:
        with pytest.raises(sv.SavannaError) as caught:
            sv.rollout(source, **wrong)
        words = str(caught.value).replace("threads must be 1 to ", "threads must be 0 to ")
        assert refused_rollout(library, kind, handle, **wrong) == ("out of range", words)
    words = "policy must be one of 0 (uniform), 1 (soft-greedy), 2 (keen-greedy), got 3"
    assert refused_rollout(library, kind, handle, policy=3) == ("out of range", words)
    last = library.options(games=sv.BATCH, first=ENDLESS - sv.BATCH, seed=1)
    assert_same_tally(
        library.rollout(kind, handle, last), sv.rollout(source, sv.BATCH, seed=1, first=ENDLESS - sv.BATCH)
    )
