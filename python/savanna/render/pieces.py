"""The parts that pictures are put together from: texts, seats' emblems, tiles. All are strings of SVG."""

import math
from html import escape

from savanna.render.facts import Tile, columns
from savanna.render.glyphs import GLYPHS
from savanna.render.theme import SEAT_COLOURS, TEXTS, TILE_INK, shape

PREFIX = "\0"
"""Stands at the start of every id until the picture is known; no name can hold it."""


def text(x: float, y: float, content: str, style: str, paint: str = "ink", room: float = math.inf) -> str:
    """Return a text with its baseline at y, in one of `theme.TEXTS` and in a colour of the theme.

    Where it may need more than its `room`, it is squeezed into that: fonts differ, and so do names.
    """
    widest = TEXTS[style].size * sum(em(sign) for sign in content)
    fit = "" if widest <= room else f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:g}" y="{y:g}" class="{style} {paint}"{fit}>{escape(content)}</text>'


def em(sign: str) -> float:
    """Return how wide a sign is in common fonts, in parts of the size of the letters."""
    if columns(sign) != 1:
        return columns(sign) / 2
    return 1.0 if sign in "MWmw@%…" else 0.4 if sign in " iljtfrI.,:;'!|()" else 0.75 if sign.isupper() else 0.66


def box(x: float, y: float, width: float, height: float, radius: float, paint: str) -> str:
    """Return a rectangle with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" {paint}/>'


def use(name: str, x: float, y: float, rest: str = "") -> str:
    """Return what is defined by a name, at a place."""
    return f'<use href="#{PREFIX}{name}" x="{x:g}" y="{y:g}"{rest and " " + rest}/>'


# ------------------------------------------------------------------------------------------------ seats and their tiles


def painted(seat: int) -> str:
    """Return the colours of a seat as attributes, for what is referred to: not all browsers look for its class."""
    return f'fill="{SEAT_COLOURS[seat]}" stroke="{TILE_INK}" stroke-width="1.2"'


def outline(name: str, x: float, y: float, r: float) -> str:
    """Return a shape of about the area of a disc of radius r around a point, as the course of a path."""
    if name == "circle":
        return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0z"
    if name == "square":
        half = round(r * 0.9, 2)
        return f"M{x - half:g} {y - half:g}h{2 * half:g}v{2 * half:g}h{-2 * half:g}z"
    if name == "triangle":
        return f"M{x:g} {y - 1.2 * r:g}l{1.2 * r:g} {2.1 * r:g}h{-2.4 * r:g}z"
    return f"M{x:g} {y - 1.25 * r:g}l{1.25 * r:g} {1.25 * r:g}l{-1.25 * r:g} {1.25 * r:g}l{-1.25 * r:g} {-1.25 * r:g}z"


def emblem(seat: int, team_game: bool, x: float, y: float, colour: str) -> str:
    """Return a seat's shape in a colour; it is a ring where it has to be hollow."""
    name, hollow = shape(seat, team_game)
    if hollow:
        return f'<path d="{outline(name, x, y, 5.8)}" fill="none" stroke="{colour}" stroke-width="3.4"/>'
    return f'<path d="{outline(name, x, y, 7.5)}" fill="{colour}"/>'


def tile_ground(seat: int, is_lion: bool, team_game: bool) -> str:
    """Return the ground of a tile with its owner's emblem, 92 by 92. A Lion lies on a dark one."""
    colour = SEAT_COLOURS[seat]
    ground = box(0, 0, 92, 92, 14, painted(seat))
    if is_lion:
        ground += box(4, 4, 84, 84, 11, f'fill="{TILE_INK}"')
    return ground + emblem(seat, team_game, 18, 19, colour if is_lion else TILE_INK)


def definition(name: str, team_game: bool) -> str:
    """Return what pictures refer to by a name: a drawing, the ground of a seat's tiles, a seat's chip."""
    whole = f'id="{PREFIX}{name}"'
    if name in GLYPHS:
        return f'<symbol {whole} viewBox="0 0 64 64">{GLYPHS[name]}</symbol>'
    kind, seat = name[:-1], int(name[-1])
    if kind == "chip":
        drawn, _ = shape(seat, team_game)
        return f'<path {whole} d="{outline(drawn, 0, 0, 8.5)}" {painted(seat)}/>'
    return f"<g {whole}>{tile_ground(seat, kind == 'lion', team_game)}</g>"


def chip(seat: int, team_game: bool, x: float, y: float, scale: float = 1, figure: str = "") -> str:
    """Return a seat's shape in its colour, whole, with a figure in it."""
    if scale == 1:
        drawn = use(f"chip{seat}", x, y)
    else:
        drawn = f'<use href="#{PREFIX}chip{seat}" transform="translate({x:g} {y:g})scale({scale:g})"/>'
    if not figure:
        return drawn
    style = "gain" if scale == 1 and len(figure) == 1 else "tiny"
    low = (0.36 * TEXTS[style].size) + (1.5 * scale if shape(seat, team_game)[0] == "triangle" else 0)
    return drawn + text(x, round(y + low, 2), figure, style, "tile")


def glyph(name: str, x: float, y: float, size: float, paint: str) -> str:
    """Return a drawing in a square, in a pair of colours of the theme: its own, and that of what it lies on."""
    return use(name, x, y, f'width="{size:g}" height="{size:g}" class="{paint}"')


def tile(it: Tile, x: float, y: float) -> str:
    """Return a tile of the board, 92 by 92: its owner's emblem, its influence, its animal or the Lion.

    A front is of its seat's colour. A Lion is dark, and holds a small sign of the animal under it if that is known.
    """
    front, paint = f"front{it.seat}", f"{'lion' if it.is_lion else 'front'}{it.seat}"
    parts = [use(f"{'lion' if it.is_lion else 'tile'}{it.seat}", x, y)]
    parts.append(text(x + 81, y + 28, str(it.influence), "influence", paint))
    parts.append(glyph("lion" if it.is_lion else str(it.animal), x + 16, y + 26, 60, paint))
    if it.is_lion and it.animal is not None:
        parts.append(f'<circle cx="{x + 75:g}" cy="{y + 75:g}" r="14" class="lion{it.seat}"/>')
        parts.append(glyph(it.animal, x + 65, y + 65, 20, front))
    return "".join(parts)


def small_tile(seat: int, animal: str | None, x: float, y: float, size: float, *, is_lion: bool = False) -> str:
    """Return a tile of a hand: its animal, or a question mark where it is not known."""
    ground = box(x, y, size, size, 8, f'class="seat{seat}"')
    if animal is None:
        return ground + text(x + size / 2, y + size / 2 + 8, "?", "query", "tile")
    inset = size * 0.1
    where = (x + inset, y + inset, round(size - 2 * inset, 1))
    if not is_lion:
        return ground + glyph(animal, *where, f"front{seat}")
    return ground + box(x + 2, y + 2, size - 4, size - 4, 6, 'class="tile"') + glyph("lion", *where, f"lion{seat}")
