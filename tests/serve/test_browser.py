"""A whole game in a real browser with scripts switched off, by keyboard alone."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.test_chaos import server
from tests.support.tools import require_library, require_tool

pytestmark = pytest.mark.rare


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Give Chromium."""
    chromium = require_tool("chromium")
    playwright = require_library("playwright.sync_api", "web")
    with playwright.sync_playwright() as it:
        yield it.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


def press_until(page: Any, wanted: str, key: str = "Tab", most: int = 80) -> None:
    """Press a key until what has the focus fits a selector."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.locator(f"{wanted}:focus").count():
            return
    raise AssertionError(f"{wanted} cannot be reached by {key}")


def enter(page: Any) -> None:
    """Press Enter, and wait for the page to which it leads."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def type_into(page: Any, field: str, text: str) -> None:
    """Go to a field by Tab and write into it."""
    press_until(page, field)
    page.keyboard.type(text)


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("es", 768), ("ja", 360)])
def test_a_game_by_keyboard_without_scripts(browser: Any, language: str, width: int, tmp_path: Path) -> None:
    rng = random.Random(language)
    with server(tmp_path / "games.sqlite") as (_, url):
        options = {"java_script_enabled": False, "locale": language, "viewport": {"width": width, "height": 900}}
        ana, bo = (browser.new_context(**options).new_page() for _ in range(2))
        ana.goto(url)
        type_into(ana, "input[name=name]", "Ana")
        press_until(ana, "form.fields button.main")
        enter(ana)
        room = ana.url
        bo.goto(room)
        type_into(bo, "li input[name=name]", "Bo")
        enter(bo)
        ana.goto(room)
        press_until(ana, "button.main")
        enter(ana)
        for ply in range(20):
            page = (ana, bo)[ply % 2]
            page.goto(room)
            assert page.title().startswith("●")
            press_until(page, "input[name=tile]")
            for _ in range(rng.randrange(page.locator("input[name=tile]").count())):
                page.keyboard.press("ArrowDown")
            page.keyboard.press("Space")
            space = rng.choice(page.locator("button.space").all()).get_attribute("value")
            press_until(page, f"button.at-{space}")
            enter(page)
        for page in (ana, bo):
            page.goto(room)
            assert page.locator(".after a").count() >= 2
            # Nothing is wider than the page.
            page.screenshot(path=tmp_path / "end.png", full_page=True)
            assert page.locator("body").bounding_box()["width"] <= width
