"""What holds for all tests.

Profiles of Hypothesis: `quick` unless told otherwise, `pytest --hypothesis-profile=full` for the long run.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import savanna
from savanna import reference

pytest.register_assert_rewrite("tests.support")

from tests.support.both_engines import PLAYED  # noqa: E402 (only now are its assertions rewritten)
from tests.support.refusals import Things, things_of  # noqa: E402

# Derandomized: the same examples on every run. The reference engine is slow, and is meant to be.
COMMON = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", COMMON, max_examples=80)
settings.register_profile("full", COMMON, max_examples=2560)
settings.load_profile("quick")


@pytest.fixture(params=[savanna, reference], ids=["compiled", "reference"])
def things(request: pytest.FixtureRequest) -> Iterator[Things]:
    """Give the objects of an engine, and compare all of them before and after the test."""
    things = things_of(request.param)
    before = things.state()
    yield things
    assert things.state() == before


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests that use Ray come last: it leaves threads, and no process with others should be forked."""
    items.sort(key=lambda item: item.path.parent.name == "cluster" or "docs/scale.md" in item.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how far the parity test went, as nobody sees it otherwise."""
    if PLAYED:
        terminalreporter.section("both engines in step")
        for what, count in sorted(PLAYED.items()):
            terminalreporter.write_line(f"{count:9,} {what}")
