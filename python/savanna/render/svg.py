"""Pictures: the board with its lines to the left, what each seat has to the right."""

import hashlib
import re
from collections.abc import Sequence
from html import escape
from typing import SupportsIndex

from savanna._core import SPACES, Analysis, Move, Position, View
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError
from savanna.render.facts import Facts, Line, Tile, gather
from savanna.render.panel import footer, panel
from savanna.render.pieces import PREFIX, box, chip, definition, small_tile, text, tile, use
from savanna.render.theme import THEMES, style

WIDTH, HEIGHT = 960, 720

# Where the squares of the board begin, how far they are apart, and how large they are.
LEFT, TOP, PITCH, SQUARE = 74, 112, 100, 92

PAGE = 'class="page"'

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
    used = sorted(set(re.findall(f'href="#{PREFIX}([a-z]+[0-3]?)"', body)))
    defined = "".join(definition(name, facts.rules.team_game) for name in used)
    about = f"{PREFIX}title {PREFIX}desc"
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{round(width * HEIGHT / WIDTH)}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" class="sv-{theme}" role="img" aria-labelledby="{about}" '
        f'font-family="sans-serif">'
        f'<title id="{PREFIX}title">{escape(title(facts))}</title><desc id="{PREFIX}desc">{escape(desc(facts))}</desc>'
        f"<style>{style(theme)}</style><defs>{defined}</defs>"
        f"{box(0, 0, WIDTH, HEIGHT, 20, PAGE)}{body}</svg>\n"
    )
    # Ids are numbered by all that is shown: two pictures in one page share one only if they are the same.
    digest = hashlib.sha256(picture.encode()).hexdigest()[:8]
    return picture.replace(PREFIX, f"s{digest}-")


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
    status = " ".join(facts.status)
    rules = facts.rules
    variant = f"{rules.players} players{', with Mice' * rules.mice}{', in teams' * rules.team_game}"
    return "".join(
        [
            text(28, 40, "SAVANNA TEN", "count", "dim"),
            text(28, 72, status, "status", room=500),
            text(WIDTH - 28, 40, variant, "note", "dim end"),
            text(WIDTH - 28, 68, f"{facts.ply} of 20 tiles placed, {facts.perspective}", "about", "dim end", room=390),
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
    parts = [text(middle + PITCH * n, TOP - 13, letter, "axis", "dim") for n, letter in enumerate("abcde")]
    parts += [text(LEFT - 15, TOP + 55 + PITCH * n, digit, "axis", "dim") for n, digit in enumerate("54321")]
    parts.append(box(LEFT - 5, TOP - 5, 5 * PITCH + 10, 5 * PITCH + 10, 20, 'class="board"'))
    parts.append(f'<path class="web" stroke-width="2" d="{"".join(course(line.spaces) for line in facts.lines)}"/>')
    for hole in HOLES:
        x, y = corner(hole)
        ground = box(x, y, SQUARE, SQUARE, 14, 'class="board"')
        parts.append(ground + use("acacia", x + 14, y + 12, 'width="64" height="64" class="faint"'))
    for space in SPACES:
        parts.append(f'<g data-space="{space}">{square(facts, space)}</g>')
    return "".join(parts)


def square(facts: Facts, space: str) -> str:
    """Return a space with what lies on it, or what an analysis says of it."""
    x, y = corner(space)
    if space in facts.tiles:
        drawn = tile(facts.tiles[space], x, y)
        if space == facts.last:
            drawn = box(x - 3, y - 3, SQUARE + 6, SQUARE + 6, 17, 'class="edge last" stroke-width="4"') + drawn
        return drawn
    ground = box(x, y, SQUARE, SQUARE, 14, 'class="space"')
    if facts.advice is None:
        return ground
    it = facts.advice.by_space[space]
    heat = box(x, y, SQUARE, SQUARE, 14, f'class="heat" opacity="{0.06 + 0.94 * facts.advice.warmth(space):.2f}"')
    share = text(x + SQUARE / 2, y + 33, f"{100 * it.win_share:.0f} %", "share")
    mover = next(seat.seat for seat in facts.seats if seat.to_move)
    ghost = small_tile(mover, it.move.animal, x + 27, y + 44, 38, is_lion=it.move.face == "lion")
    if it is facts.advice.moves[0]:
        edge = box(
            x + 2, y + 2, SQUARE - 4, SQUARE - 4, 12, 'class="edge best" stroke-width="3" stroke-dasharray="7 5"'
        )
        return f'{ground}{heat}{edge}{share}<g class="ghost">{ghost}</g>'
    return f'{ground}{heat}{share}<g opacity="0.75">{ghost}</g>'


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
