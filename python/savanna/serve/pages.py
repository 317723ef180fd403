"""Pages of HTML without scripts, and frames: the same as JSON. They are made of what `told` gave."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from savanna import jsontext, render
from savanna._core import SPACES, Rules
from savanna.language import LANGUAGES, Language
from savanna.render.narrate import variant
from savanna.render.svg import SQUARE, corner
from savanna.serve.settings import Settings
from savanna.serve.table import STRENGTHS
from savanna.serve.told import Told

BOARD, PANEL = (14, 84, 622, 584), (642, 100, 296, 566)
"""Where the board and the seats' cards lie in the picture: left, top, width and height."""


@cache
def environment() -> Environment:
    """Return the templates. All that is put into them is escaped."""
    return Environment(
        loader=PackageLoader("savanna.serve"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def style_sheet() -> str:
    """Return the style sheet of all pages."""
    own = files("savanna.serve").joinpath("static", "page.css").read_text(encoding="utf-8")
    places = "".join(place(space) for space in SPACES)
    return f"{own}{render.sheet()}\n{places}\n"


def place(space: str) -> str:
    """Return where the button of a space lies on the board, as a rule of CSS."""
    (x, y), (left, top, width, height) = corner(space), BOARD
    across, down = (x - left) / width, (y - top) / height
    return (
        f".at-{space}{{left:{100 * across:.3f}%;top:{100 * down:.3f}%;"
        f"width:{100 * SQUARE / width:.3f}%;height:{100 * SQUARE / height:.3f}%}}"
    )


@cache
def style_name() -> str:
    """Return the name of the style sheet, which changes with its content."""
    return f"page-{hashlib.sha256(style_sheet().encode()).hexdigest()[:12]}.css"


@dataclass(frozen=True)
class Reader:
    """Who reads a page: their language and name, and whether they may open rooms."""

    language: Language
    name: str = ""
    may_open: bool = True


def page(template: str, settings: Settings, reader: Reader, **values: Any) -> str:
    """Return a page."""
    return (
        environment()
        .get_template(template)
        .render(
            base=settings.base_path,
            say=reader.language.say,
            count=reader.language.count,
            reader=reader,
            languages=LANGUAGES,
            strengths=STRENGTHS,
            style=style_name(),
            **values,
        )
    )


def parts(told: Told, language: Language) -> dict[str, str]:
    """Return the pieces of the picture of what is told."""
    return render.parts(told.source, last=told.last, names=told.names, theme="page", language=language.code)


def pictures(told: Told, language: Language) -> dict[str, Markup]:
    """Return the board and the seats' cards as elements of a page, each piece in a group with its key."""
    pieces = parts(told, language)
    kinds = {key: key.partition(":")[0] for key in pieces}
    board = [key for key in pieces if kinds[key] in ("board", "mark", "space", "line")]
    panel = [key for key in pieces if kinds[key] not in ("board", "mark", "space", "line", *_IN_WORDS)]
    return {
        "board": _picture(pieces, board, BOARD, drawings(told.rules)),
        "panel": _picture(pieces, panel, PANEL, ""),
    }


_IN_WORDS = ("game", "status", "rules", "about", "note")  # what a page says itself


def _picture(pieces: dict[str, str], keys: list[str], area: tuple[int, ...], defined: str) -> Markup:
    drawn = "".join(f'<g data-part="{key}">{pieces[key]}</g>' for key in keys)
    return Markup(
        f'<svg class="sv-picture" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{" ".join(map(str, area))}" aria-hidden="true">{defined}{drawn}</svg>'
    )


@cache
def drawings(rules: Rules) -> str:
    """Return what pictures by these rules refer to."""
    return render.drawings(rules, theme="page")


def frame(told: Told, changed: dict[str, str], since: int | None) -> str:
    """Return what a page shows as JSON: for programs, and for pages that follow a game.

    Of the picture there are the pieces that have changed since an event, or all, if that is None.
    """
    content = {
        "number": told.number,
        "since": since,
        "status": told.status,
        "ply": told.ply,
        "seat": told.my_seat,
        "turn": told.is_my_turn,
        "rules": str(told.rules),
        "source": str(told.source),
        "seats": [
            {"name": it.name, "kind": it.kind, "strength": it.strength, "resigned": it.has_resigned}
            for it in told.seats
        ],
        "choices": [it.value for it in told.choices],
        "spaces": list(told.spaces),
        "log": [list(entry) for entry in told.log],
        "result": list(told.result),
        "parts": changed,
    }
    return jsontext.written(content)


def rules_words(rules: Rules, language: Language) -> list[str]:
    """Return what is special about rules, in words."""
    say, usual = language.say, Rules(players=rules.players, mice=rules.mice, team_game=rules.team_game)
    said = variant(rules, language)
    changed: Mapping[str, object] = {
        say("target"): rules.target if rules.target != usual.target else None,
        say("points below, above, exactly"): rules.points if rules.points != usual.points else None,
        say("bonus of the last seat"): rules.last_seat_bonus
        if rules.last_seat_bonus != usual.last_seat_bonus
        else None,
        say("who is absent has the least"): rules.absent_can_be_least or None,
        say("tiles"): rules.deck if rules.deck != usual.deck else None,
        say("influence"): rules.influence if rules.influence != usual.influence else None,
    }
    for name, value in changed.items():
        if value is not None:
            said.append(name if value is True else f"{name} {shown(value, language)}")
    return said


def shown(value: object, language: Language) -> str:
    """Return an option's value in words."""
    if isinstance(value, dict):
        return " ".join(f"{language.say(animal)} {count}" for animal, count in value.items())
    return " / ".join(map(str, value)) if isinstance(value, tuple) else str(value)
