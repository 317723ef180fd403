"""Pictures: the board with its lines to the left, what each seat has to the right."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import SupportsIndex

from savanna._core import SPACES, Analysis, Move, Position, View
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError
from savanna.render.facts import Facts, Line, Tile, gather
from savanna.render.letters import fitted
from savanna.render.panel import footer, panel
from savanna.render.pieces import DEFINED, PREFIX, box, chip, definition, glyph, small_tile, text, tile
from savanna.render.theme import COMMON, THEMES, painted, style

WIDTH, HEIGHT = 960, 720

# Where the squares of the board begin, how far they are apart, and how large they are.
LEFT, TOP, PITCH, SQUARE = 74, 112, 100, 92

PAGE = 'class="page"'

OWN = "\1"
"""Stands at the start of the ids that are of one picture alone, as `PREFIX` does for drawings."""

HOLES = tuple(column + rank for rank in "54321" for column in "abcde" if column + rank not in SPACES)


def svg(
    source: Position | View,
    *,
    last: Move | str | None = None,
    analysis: Analysis | None = None,
    names: Sequence[str] | None = None,
    theme: str = "auto",
    size: SupportsIndex = WIDTH,
) -> str:
    """Return a picture of a position, or of what a seat sees of it, as a document of SVG.

    A `Position` is drawn as its host sees it, with the tiles in hands, decks and under Lions; a `View` shows what its
    seat knows. `last` (a move, its text, or a space) is marked; `analysis` shows the best move on every empty space
    and its share of wins; `names` are by seat. `theme` is "light", "dark", or "auto", which goes by the reader's
    system; `size` is the width in pixels, 100 to 10,000. The same arguments give the same text.

    Raises `SavannaError` for a last move that cannot have been one, an analysis of other moves, a wrong number of
    names, and for another theme or size; `NotationError` for a text that is not a move; `TypeError` for wrong types.
    """
    facts = gather(source, last, analysis, names)
    if not isinstance(theme, str):
        raise wrong_type("theme", "a str", theme)
    if theme not in THEMES:
        raise SavannaError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {theme[:40]!r}")
    width = integer("size", size, 100, 10_000, SavannaError)
    body = "".join([heading(facts), board(facts), *(tally(facts, line) for line in facts.lines)])
    body += panel(facts) + footer(facts)
    used = sorted(set(re.findall(f'#{PREFIX}([a-z]+[0-3]?)"', body)))
    defined = "".join(definition(name, facts.rules.team_game) for name in used)
    drawn = f"<defs>{defined}</defs>{box(0, 0, WIDTH, HEIGHT, 20, PAGE)}{body}"
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{round(width * HEIGHT / WIDTH)}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{OWN}title {OWN}desc" '
        f'font-family="sans-serif">'
        f'<title id="{OWN}title">{escape(title(facts))}</title><desc id="{OWN}desc">{escape(desc(facts))}</desc>'
        f"{style(theme)}<g {COMMON}>{painted(drawn, theme)}</g></svg>\n"
    )
    # Two pictures in one page share these ids only if they are the same, and drawings only where those are the same.
    return picture.replace(PREFIX, edition(facts.rules.team_game)).replace(OWN, f"s{digest(picture)[:8]}-")


@cache
def edition(team_game: bool) -> str:
    """Return what the ids of all drawings begin with: it changes with any of them, and with nothing else."""
    return f"s{digest(''.join(definition(name, team_game) for name in DEFINED))[:4]}-"


def digest(content: str) -> str:
    """Return a text's digest in hexadecimal digits."""
    return hashlib.sha256(content.encode()).hexdigest()


# ---------------------------------------------------------------------------------------------------------------- words


def title(facts: Facts) -> str:
    """Return what the picture is of, in a line."""
    return f"Savanna Ten, {' '.join(facts.status)}, {facts.ply} of 20 tiles placed"


def desc(facts: Facts) -> str:
    """Return what the picture shows, for those who do not see it."""
    scores = ", ".join(f"{facts.team_name(seat.team)} {seat.score}" for seat in facts.seats if seat.seat == seat.team)
    said = [f"Scores: {scores}"]
    for seat in facts.seats:
        tiles = [f"{space} {described(it)}" for space, it in facts.tiles.items() if it.seat == seat.seat]
        said.append(f"{seat.name}: {', '.join(tiles) or 'no tiles on the board'}")
    return f"{'; '.join(said)}."


def described(it: Tile) -> str:
    """Return what a tile is called."""
    if not it.is_lion:
        return str(it.animal)
    return "Lion" if it.animal is None else f"Lion with {it.animal} beneath"


def heading(facts: Facts) -> str:
    """Return what stands at the top: the turn or the end, and whose picture it is."""
    rules = facts.rules
    status = fitted(facts, lambda facts: " ".join(facts.status), "status", 500)
    about = fitted(facts, lambda facts: f"{facts.ply} of 20 tiles placed, {facts.perspective}", "about", 390)
    variant = f"{rules.players} players{', with Mice' * rules.mice}{', in teams' * rules.team_game}"
    return "".join(
        [
            text(28, 40, "SAVANNA TEN", "count", "dim"),
            text(28, 72, status, "status"),
            text(WIDTH - 28, 40, variant, "variant", "dim"),
            text(WIDTH - 28, 68, about, "about", "dim"),
        ]
    )


# ---------------------------------------------------------------------------------------------------------------- board


def grid(space: str) -> tuple[int, int]:
    """Return column and row of a space, from the left and from the top."""
    return "abcde".index(space[0]), "54321".index(space[1])


def corner(space: str) -> tuple[int, int]:
    """Return where the square of a space has its upper left corner."""
    column, row = grid(space)
    return LEFT + PITCH * column + 4, TOP + PITCH * row + 4


def board(facts: Facts) -> str:
    """Return the board: letters and digits, faint lines, acacias where nothing is placed, empty spaces and tiles."""
    middle = LEFT + PITCH // 2
    parts = ['<g class="axis dim">']
    parts += [f'<text x="{middle + PITCH * n}" y="{TOP - 13}">{letter}</text>' for n, letter in enumerate("abcde")]
    parts += [f'<text x="{LEFT - 15}" y="{TOP + 55 + PITCH * n}">{rank}</text>' for n, rank in enumerate("54321")]
    parts.append("</g>")
    parts.append(box(LEFT - 5, TOP - 5, 5 * PITCH + 10, 5 * PITCH + 10, 20, 'class="board"'))
    parts.append(f'<path class="web" stroke-width="2" d="{"".join(course(line.spaces) for line in facts.lines)}"/>')
    for hole in HOLES:
        x, y = corner(hole)
        ground = box(x, y, SQUARE, SQUARE, 14, 'class="board"')
        parts.append(ground + glyph("acacia", x + 14, y + 12, 64, "faint"))
    return "".join([*parts, *(square(facts, space) for space in SPACES)])


def square(facts: Facts, space: str) -> str:
    """Return a space as a group that says which it is."""
    return f'<g data-space="{space}">{content(facts, space)}</g>'


def content(facts: Facts, space: str) -> str:
    """Return a space with what lies on it, or what an analysis says of it."""
    x, y = corner(space)
    if space in facts.tiles:
        drawn = tile(facts.tiles[space], x, y)
        if space == facts.last:
            drawn = box(x - 3, y - 3, SQUARE + 6, SQUARE + 6, 17, 'class="edge" stroke-width="4"') + drawn
        return drawn
    ground = box(x, y, SQUARE, SQUARE, 14, 'class="space"')
    if facts.advice is None:
        return ground
    it = facts.advice.by_space[space]
    heat = box(x, y, SQUARE, SQUARE, 14, f'class="heat" fill-opacity="{0.06 + 0.94 * facts.advice.warmth(space):.2f}"')
    share = text(x + SQUARE / 2, y + 33, f"{100 * it.win_share:.0f} %", "share")
    mover = next(seat.seat for seat in facts.seats if seat.to_move)
    ghost = small_tile(mover, it.move.animal, x + 27, y + 44, 38, is_lion=it.move.face == "lion")
    if it is facts.advice.moves[0]:
        dashed = 'class="edge" stroke-width="3" stroke-dasharray="7 5"'
        return ground + heat + box(x + 2, y + 2, SQUARE - 4, SQUARE - 4, 12, dashed) + share + ghost
    return ground + heat + share + ghost


# ---------------------------------------------------------------------------------------------------------------- lines


def course(spaces: tuple[str, ...]) -> str:
    """Return the line from edge to edge of the board."""
    (x, y), (right, down) = end(spaces)
    column, row = grid(spaces[0])
    while 0 <= column - right < 5 and 0 <= row - down < 5:
        column, row = column - right, row - down
    start_x, start_y = column + 0.5 - right / 2, row + 0.5 - down / 2
    places = [LEFT + PITCH * start_x, TOP + PITCH * start_y, LEFT + PITCH * x, TOP + PITCH * y]
    return "M{:g} {:g}L{:g} {:g}".format(*places)


def end(spaces: tuple[str, ...]) -> tuple[tuple[float, float], tuple[int, int]]:
    """Return where a line leaves the board, in squares, and its direction: to the right or down."""
    (column, row), (second_column, second_row) = grid(spaces[0]), grid(spaces[-1])
    right = (second_column > column) - (second_column < column)
    down = (second_row > row) - (second_row < row)
    column, row = second_column, second_row
    while 0 <= column + right < 5 and 0 <= row + down < 5:
        column, row = column + right, row + down
    return (column + 0.5 + right / 2, row + 0.5 + down / 2), (right, down)


def tally(facts: Facts, line: Line) -> str:
    """Return what stands where a line leaves the board: its sum, and who has how much of it, or who got the points."""
    (x, y), _ = end(line.spaces)
    cx = LEFT + PITCH * x + (34 if x == 5 else -34 if x == 0 else 0)
    cy = TOP + PITCH * y + (31 if y == 5 else 0)
    if line.points is None:
        parts = [standing(facts, line, cx, cy)]
    else:
        exact = ' stroke-width="3"' if line.total == facts.rules.target else ""
        parts = [
            box(cx - 23, cy - 20, 46, 41, 9, f'class="full"{exact}'),
            text(cx, cy - 3.5, str(line.total), "sum"),
            points(facts, line, cx, cy + 9.5),
        ]
    return f'<g data-line="{" ".join(line.spaces)}">{"".join(parts)}</g>'


def standing(facts: Facts, line: Line, cx: float, cy: float) -> str:
    """Return the sum of a line that is not full, its leader, and a bar that is divided as the influence is."""
    if line.total == 0:
        return text(cx, cy + 5, "0", "axis", "dim")
    parts = []
    if line.leads is None:
        parts.append(text(cx, cy + 1, str(line.total), "so-far", "dim"))
    else:
        parts.append(chip(line.leads, facts.rules.team_game, cx - 13, cy - 5, 0.58))
        parts.append(text(cx + 6, cy + 1, str(line.total), "so-far", "dim"))
    x = cx - 19.0
    for team, influence in enumerate(line.sums):
        if influence:
            width = round(38 * influence / line.total, 2)
            parts.append(f'<path d="M{x:g} {cy + 7:g}h{width:g}v6h{-width:g}z" class="seat{team}"/>')
            x = round(x + width, 2)
    return "".join(parts)


def points(facts: Facts, line: Line, cx: float, cy: float) -> str:
    """Return a chip for each team that scored, with its points; a plain figure if it is not known who did."""
    if line.unclaimed:
        return text(cx, cy + 5, f"+{line.unclaimed}", "gain")
    scored = [(team, gained) for team, gained in enumerate(line.points or ()) if gained]
    scale = 1 if len(scored) < 3 else 0.62
    step = 20 * scale
    start = cx - step * (len(scored) - 1) / 2
    return "".join(
        chip(team, facts.rules.team_game, round(start + step * n, 2), cy, scale, str(gained))
        for n, (team, gained) in enumerate(scored)
    )
