"""What holds for all tests.

They run side by side, file by file. `pytest --full` does everything, and fails where a tool is missing.
Profiles of Hypothesis: `usual`, with `--full` `quick`, and `pytest --hypothesis-profile=full` for the long run.
"""

import signal
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

import savanna
from savanna import reference

pytest.register_assert_rewrite("tests.support")

from tests.support import full  # noqa: E402 (only now are assertions rewritten)
from tests.support.both_engines import PLAYED  # noqa: E402
from tests.support.refusals import Things, things_of  # noqa: E402

# Derandomized: the same examples on every run. The reference engine is slow, and is meant to be.
COMMON = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("usual", COMMON, max_examples=24)
settings.register_profile("quick", COMMON, max_examples=80)
settings.register_profile("full", COMMON, max_examples=2560)
settings.load_profile("usual")


@pytest.fixture(params=[savanna, reference], ids=["compiled", "reference"])
def things(request: pytest.FixtureRequest) -> Iterator[Things]:
    """Give the objects of an engine, and compare all of them before and after the test."""
    things = things_of(request.param)
    before = things.state()
    yield things
    assert things.state() == before


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "try what only finds rare faults as often as that takes, and fail where a tool is missing"
    parser.addoption("--full", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # inherited from a script that runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("full"):
        full.ask_for_all()
        if config.getoption("--hypothesis-profile") is None:
            settings.load_profile("quick")


COMPILED = ("tests/capi/test_", "tests/rollout/test_few_threads.py", "tests/test_everywhere.py")
"""Tests that compile the crate once more, for C and for Rust."""


def usual(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests that are done without --full, and those that are not.

    Of a thin test one parameter in so many is taken, and one at least; which ones, its name decides, so that all kinds
    of rules come up.
    """
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    all_of, seen = Counter(item.nodeid.partition("[")[0] for item in items), Counter[str]()
    for item in items:
        function = item.nodeid.partition("[")[0]
        thin = item.get_closest_marker("thin")
        each = min(thin.args[0], all_of[function]) if thin else 1
        is_due = (seen[function] + crc32(function.encode())) % each == 0
        seen[function] += 1
        is_rare = item.get_closest_marker("rare") or item.nodeid.startswith(COMPILED)
        (kept if is_due and not is_rare else left_out).append(item)
    return kept, left_out


def uses_ray(name: str) -> bool:
    """Return whether the test of this name uses Ray."""
    return name.startswith("tests/cluster/") or "[docs/scale.md]" in name


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is rare or one of many alike, and let no test that forks come after those that use Ray.

    Ray leaves threads, which a fork would not take along. What comes after them is work for other processes meanwhile.
    """
    if not full.is_full():
        kept, left_out = usual(items)
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)
    after = tuple(f"tests/{folder}/" for folder in ("envs", "search", "studies"))
    items.sort(key=lambda item: 2 if item.nodeid.startswith(after) else uses_ray(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a file to one process, which makes its fixtures once, and all that uses Ray to one."""
    scheduling = import_module("xdist.scheduler").LoadFileScheduling(config, log)
    by_file = scheduling._split_scope
    scheduling._split_scope = lambda name: "Ray" if uses_ray(name) else by_file(name)
    return scheduling


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that gathers the results how far the parity test went in this one."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["played"] = dict(PLAYED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    PLAYED.update(getattr(node, "workeroutput", {}).get("played", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how far the parity test went, as nobody sees it otherwise."""
    if PLAYED:
        terminalreporter.section("both engines in step")
        for what, count in sorted(PLAYED.items()):
            terminalreporter.write_line(f"{count:9,} {what}")
