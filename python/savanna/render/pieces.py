"""The parts that pictures are put together from: texts, seats' emblems, tiles. All are strings of SVG."""

from html import escape

from savanna.render.facts import Tile
from savanna.render.glyphs import GLYPHS, SIDE
from savanna.render.theme import SEAT_COLOURS, TEXTS, TILE_INK, shape

PREFIX = "\0"
"""Stands at the start of the ids of drawings until the picture is put together; no name can hold it."""


def text(x: float, y: float, content: str, style: str, paint: str = "ink") -> str:
    """Return a text with its baseline at y, in one of `theme.TEXTS` and in a colour of the theme."""
    return f'<text x="{x:g}" y="{y:g}" class="{style} {paint}">{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, radius: float, paint: str) -> str:
    """Return a rectangle with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" {paint}/>'


def use(name: str, x: float, y: float, scale: float = 1, rest: str = "") -> str:
    """Return what is defined by a name, at a place and scaled. Not every program obeys a width and a height here."""
    scaled = "" if scale == 1 else f"scale({scale:.3g})".replace("(0", "(")
    return f'<use xlink:href="#{PREFIX}{name}" transform="translate({x:g} {y:g}){scaled}"{rest and " " + rest}/>'


# ------------------------------------------------------------------------------------------------ seats and their tiles


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
    ground = box(0, 0, 92, 92, 14, f'class="seat{seat}"')
    if is_lion:
        ground += box(4, 4, 84, 84, 11, f'fill="{TILE_INK}"')
    return ground + emblem(seat, team_game, 18, 19, colour if is_lion else TILE_INK)


DEFINED = (*GLYPHS, *(f"{kind}{seat}" for kind in ("tile", "lion", "chip") for seat in range(len(SEAT_COLOURS))))
"""The names of all that pictures may refer to."""


def definition(name: str, team_game: bool) -> str:
    """Return what pictures refer to by a name: a drawing, the ground of a seat's tiles, a seat's chip."""
    whole = f'id="{PREFIX}{name}"'
    if name in GLYPHS:
        return f'<path {whole} d="{GLYPHS[name]}"/>'
    kind, seat = name[:-1], int(name[-1])
    if kind == "chip":
        drawn, _ = shape(seat, team_game)
        return f'<path {whole} d="{outline(drawn, 0, 0, 8.5)}" class="seat{seat}"/>'
    return f"<g {whole}>{tile_ground(seat, kind == 'lion', team_game)}</g>"


def chip(seat: int, team_game: bool, x: float, y: float, scale: float = 1, figure: str = "") -> str:
    """Return a seat's shape in its colour, whole, with a figure in it."""
    drawn = use(f"chip{seat}", x, y, scale)
    if not figure:
        return drawn
    style = "gain" if scale == 1 and len(figure) == 1 else "tiny"
    low = (0.36 * TEXTS[style].size) + (1.5 * scale if shape(seat, team_game)[0] == "triangle" else 0)
    return drawn + text(x, round(y + low, 2), figure, style, "tile")


def glyph(name: str, x: float, y: float, size: float, paint: str) -> str:
    """Return a drawing in a square, in a colour; what is cut out of it shows what it lies on."""
    return use(name, x, y, size / SIDE, f'class="{paint}"')


def tile(it: Tile, x: float, y: float) -> str:
    """Return a tile of the board, 92 by 92: its owner's emblem, its influence, its animal or the Lion.

    A front is of its seat's colour. A Lion is dark, and holds a small sign of the animal under it if that is known.
    """
    paint = f"lion{it.seat}" if it.is_lion else "tile"
    parts = [use(f"{'lion' if it.is_lion else 'tile'}{it.seat}", x, y)]
    parts.append(text(x + 81, y + 28, str(it.influence), "influence", paint))
    parts.append(glyph("lion" if it.is_lion else str(it.animal), x + 16, y + 26, 60, paint))
    if it.is_lion and it.animal is not None:
        parts.append(f'<circle cx="{x + 75:g}" cy="{y + 75:g}" r="14" class="lion{it.seat}"/>')
        parts.append(glyph(it.animal, x + 65, y + 65, 20, "tile"))
    return "".join(parts)


def small_tile(seat: int, animal: str | None, x: float, y: float, size: float, *, is_lion: bool = False) -> str:
    """Return a tile of a hand: its animal, or a question mark where it is not known."""
    ground = box(x, y, size, size, 8, f'class="seat{seat}"')
    if animal is None:
        return ground + text(x + size / 2, y + size / 2 + 8, "?", "query", "tile")
    inset = size * 0.1
    where = (x + inset, y + inset, round(size - 2 * inset, 1))
    if not is_lion:
        return ground + glyph(animal, *where, "tile")
    return ground + box(x + 2, y + 2, size - 4, size - 4, 6, 'class="tile"') + glyph("lion", *where, f"lion{seat}")
