"""Colours and signs: who is who to every eye, by light and by dark."""

import re
from dataclasses import dataclass
from functools import cache

SEAT_COLOURS = ("#D55E00", "#56B4E9", "#F0E442", "#009E73")
"""The seats' colours, red, blue, yellow and green as Okabe and Ito chose them for all kinds of sight."""

TILE_INK = "#1B1712"
"""What is drawn on the seats' colours, and what Lions lie on."""

SHAPES = ("circle", "square", "triangle", "diamond")
"""The seats' shapes, so that colour is never the only sign; in the Team game partners share one."""

SIGNS = {"circle": "●○", "square": "■□", "triangle": "▲△", "diamond": "◆◇"}
"""The shapes as characters, filled and hollow."""


def shape(seat: int, team_game: bool) -> tuple[str, bool]:
    """Return a seat's shape, and whether it is hollow, which tells partners apart."""
    return (SHAPES[seat % 2], seat >= 2) if team_game else (SHAPES[seat], False)


def sign(seat: int, team_game: bool) -> str:
    """Return a seat's shape as a character."""
    name, hollow = shape(seat, team_game)
    return SIGNS[name][hollow]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours around the tiles: of surfaces, from the page up, and of what is written on them."""

    page: str
    board: str
    space: str
    card: str
    mover: str
    ink: str
    dim: str
    faint: str
    heat: str


LIGHT = Theme(
    page="#FFFDF8",
    board="#E9DCC0",
    space="#F7EFDD",
    card="#F6F0E2",
    mover="#FFFFFF",
    ink="#241E16",
    dim="#655A48",
    faint="#C9B78F",
    heat="#D58BB5",
)
DARK = Theme(
    page="#17140F",
    board="#2F2819",
    space="#3F3724",
    card="#231F17",
    mover="#332D20",
    ink="#F5EEDF",
    dim="#BFB39B",
    faint="#6B5E43",
    heat="#8A3B6E",
)


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a text is written: its size in units of the picture, whether it is bold, and which point of it is placed."""

    size: float
    bold: bool = False
    anchor: str = "start"

    @property
    def attributes(self) -> str:
        """What a text of this kind says of itself, where `COMMON` says otherwise."""
        weight = "" if self.bold else ' font-weight="normal"'
        anchor = "" if self.anchor == "middle" else f' text-anchor="{self.anchor}"'
        size = "" if self.size == 12 else f' font-size="{self.size:g}"'
        return f"{size}{weight}{anchor}"


TEXTS = {
    "status": Lettering(27, bold=True),
    "about": Lettering(15, anchor="end"),
    "note": Lettering(13),
    "variant": Lettering(13, anchor="end"),
    "small": Lettering(12),
    "aside": Lettering(12, anchor="end"),
    "count": Lettering(13, bold=True),
    "worth": Lettering(13, bold=True, anchor="end"),
    "name": Lettering(17, bold=True),
    "score": Lettering(30, bold=True, anchor="end"),
    "axis": Lettering(14, anchor="middle"),
    "influence": Lettering(24, bold=True, anchor="end"),
    "share": Lettering(20, bold=True, anchor="middle"),
    "query": Lettering(22, bold=True, anchor="middle"),
    "sum": Lettering(17, bold=True, anchor="middle"),
    "so-far": Lettering(16, anchor="middle"),
    "gain": Lettering(12, bold=True, anchor="middle"),
    "tiny": Lettering(8, bold=True, anchor="middle"),
}
"""All that is written, from the turn down to a share of points."""


def coloured(theme: Theme) -> dict[str, dict[str, str]]:
    """Return the attributes of all that has other colours in another theme, by name."""
    fills = ("page", "board", "space", "card", "mover", "ink", "dim", "faint", "heat")
    return {name: {"fill": getattr(theme, name)} for name in fills} | {
        "edge": {"fill": "none", "stroke": theme.ink},
        "full": {"fill": theme.card, "stroke": theme.ink},
        "web": {"fill": "none", "stroke": theme.faint},
    }


@cache
def looks(theme: str) -> dict[str, str]:
    """Return what stands for each `class` that pieces are drawn with, in the theme "light", "dark" or "auto".

    These are attributes, which every program knows that draws SVG. Classes are left where `style` has another colour.
    """
    known = {name: it.attributes for name, it in TEXTS.items()} | {"tile": ""}
    for name, attributes in coloured(DARK if theme == "dark" else LIGHT).items():
        own = attributes | ({"class": f"sv-{name}"} if theme == "auto" else {})
        known[name] = "".join(f' {attribute}="{value}"' for attribute, value in own.items())
    for seat, colour in enumerate(SEAT_COLOURS):
        known[f"lion{seat}"] = f' fill="{colour}"'
        # With an edge, as yellow would be lost on a light page.
        known[f"seat{seat}"] = f' fill="{colour}" stroke="{TILE_INK}"'
    return known


def painted(drawn: str, theme: str) -> str:
    """Return what was drawn with every `class` spelled out as attributes; the theme of pages leaves classes."""
    if theme == PAGE_THEME:
        return CLASS.sub(_with_prefixes, drawn)
    known = looks(theme)
    return CLASS.sub(lambda found: "".join([known[name] for name in found[1].split()]), drawn)


def _with_prefixes(found: re.Match[str]) -> str:
    names = " ".join(f"sv-{name}" for name in found[1].split())
    return f' class="{names}"'


def style(theme: str) -> str:
    """Return the style sheet of a picture: only "auto" has one, with the colours for readers whose system is dark."""
    if theme != "auto":
        return ""
    rules = (f".sv-{name}{{{css(attributes)}}}" for name, attributes in coloured(DARK).items())
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


CLASS = re.compile(' class="([a-z0-9 -]+)"')

COMMON = f'fill="{TILE_INK}" stroke-width="1.2" font-size="12" font-weight="bold" text-anchor="middle"'
"""What holds for all that is drawn and does not say otherwise."""

THEMES = ("light", "dark", "auto")
"""The themes there are; "auto" is dark where the reader's system is."""

PAGE_THEME = "page"
"""Of pieces in a page whose style sheet has all colours."""


def sheet() -> str:
    """Return the style sheet for pieces with classes: light, or dark as the reader's system is.

    What is used twice lies below no `.picture` when it is styled, so all classes have a prefix of their own.
    """
    looks = {"picture": f"fill:{TILE_INK};stroke-width:1.2;font:bold 12px sans-serif;text-anchor:middle"}
    for name, it in TEXTS.items():
        weight = "bold" if it.bold else "normal"
        looks[name] = f"font-size:{it.size:g}px;font-weight:{weight};text-anchor:{it.anchor}"
    for seat, colour in enumerate(SEAT_COLOURS):
        looks[f"lion{seat}"] = f"fill:{colour}"
        looks[f"seat{seat}"] = f"fill:{colour};stroke:{TILE_INK}"
    light, dark = (
        "".join(f".sv-{name}{{{css(attributes)}}}" for name, attributes in coloured(theme).items())
        for theme in (LIGHT, DARK)
    )
    plain = "".join(f".sv-{name}{{{rules}}}" for name, rules in looks.items())
    return f"{plain}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def css(attributes: dict[str, str]) -> str:
    """Return attributes as declarations of CSS."""
    return ";".join(f"{name}:{value}" for name, value in attributes.items())
