"""Pictures: the board with its lines to the left, what each seat has to the right."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from typing import SupportsIndex

from savanna._core import LINES, SPACES, Analysis, Move, Position, Rules, View
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError
from savanna.language import Language
from savanna.language import language as known_language
from savanna.render.facts import Facts, Line, Tile, gather
from savanna.render.letters import fitted
from savanna.render.narrate import variant
from savanna.render.panel import card, card_keys, footer, key
from savanna.render.pieces import DEFINED, PREFIX, box, chip, definition, glyph, small_tile, text, tile
from savanna.render.theme import COMMON, PAGE_THEME, THEMES, painted, style

WIDTH, HEIGHT = 960, 720

# Where the squares of the board begin, how far they are apart, and how large they are.
LEFT, TOP, PITCH, SQUARE = 74, 112, 100, 92

PAGE = 'class="page"'

SQUARES = tuple((space, f"mark:{space}", f"space:{space}") for space in SPACES)
"""The spaces with the keys of their pieces."""

LINE_KEYS = {spaces: f"line:{spaces[0]}-{spaces[-1]}" for spaces in LINES}
"""The keys of the pieces that stand at the ends of lines."""

GROUPS = {key: f'data-space="{space}"' for space, *keys in SQUARES for key in keys}
GROUPS |= {key: f'data-line="{" ".join(spaces)}"' for spaces, key in LINE_KEYS.items()}
GROUPS |= {key: f'data-seat="{seat}"' for seat in range(4) for key in card_keys(seat)}
"""In `svg`, the group that a piece lies in, if it is not alone."""

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
    language: str = "en",
) -> str:
    """Return a picture of a position, or of what a seat sees of it, as a document of SVG.

    A `Position` is drawn as its host sees it, with the tiles in hands, decks and under Lions; a `View` shows what its
    seat knows. `last` (a move, its text, or a space) is marked; `analysis` shows the best move on every empty space
    and its share of wins; `names` are by seat. `theme` is "light", "dark", or "auto", which goes by the reader's
    system; `size` is the width in pixels, 100 to 10,000; `language` is "en", "es" or "ja". The same arguments give the
    same text.

    Raises `SavannaError` for a last move that cannot have been one, an analysis of other moves, a wrong number of
    names, and for another theme, size or language; `NotationError` for a text that is not a move; `TypeError` for wrong
    types.
    """
    facts = gather(source, last, analysis, names, known_language(language))
    check_theme(theme)
    width = integer("size", size, 100, 10_000, SavannaError)
    body = together(pieces(facts, theme))
    used = sorted(set(re.findall(f'#{PREFIX}([a-z]+[0-3]?)"', body)))
    drawn = f"{defined(used, facts.rules.team_game, theme)}{painted(box(0, 0, WIDTH, HEIGHT, 20, PAGE), theme)}{body}"
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{round(width * HEIGHT / WIDTH)}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{OWN}title {OWN}desc" '
        f'font-family="sans-serif">'
        f'<title id="{OWN}title">{escape(title(facts))}</title><desc id="{OWN}desc">{escape(desc(facts))}</desc>'
        f"{style(theme)}<g {COMMON}>{drawn}</g></svg>\n"
    )
    # Two pictures in one page share these ids only if they are the same, and drawings only where those are the same.
    return picture.replace(PREFIX, edition(facts.rules.team_game)).replace(OWN, f"s{digest(picture)[:8]}-")


def parts(
    source: Position | View,
    *,
    last: Move | str | None = None,
    analysis: Analysis | None = None,
    names: Sequence[str] | None = None,
    theme: str = "auto",
    language: str = "en",
) -> dict[str, str]:
    """Return the pieces that `svg` puts together, by their keys, so that a page can replace those that have changed.

    In the order of drawing: "game", "status", "rules" and "about" at the top; "board", what lies below the tiles;
    for each space "mark:c4", the frame of the last tile, and "space:c4"; for each line "line:a5-e5", by its two ends;
    for each seat "seat:0" (the ground of its card), "name:0", "lions:0", "score:0", "hand:0", "deck:0", "left:0",
    "unseen:0" and "unseen:0:zebra" and so on; "key", what tiles and lines are worth, in games of two; "note", the line
    at the bottom. Each is a text of SVG elements, perhaps an empty
    one, for an `svg` of 960 by 720 with what `drawings` defines.

    With `theme="page"` the pieces have classes for the style sheet that `sheet` returns, and no colours of their own.
    Other arguments, and what is raised, are those of `svg`.
    """
    facts = gather(source, last, analysis, names, known_language(language))
    check_theme(theme, (*THEMES, PAGE_THEME))
    prefix = edition(facts.rules.team_game)
    return {key: with_ids(piece, prefix) for key, piece in pieces(facts, theme).items()}


@lru_cache(maxsize=8192)
def with_ids(piece: str, prefix: str) -> str:
    """Return a piece with the ids of its edition: the same object each time, as pictures share most of their pieces."""
    return piece.replace(PREFIX, prefix)


def drawings(rules: Rules, *, theme: str = "auto") -> str:
    """Return the definitions that `parts` of any position by these rules refer to, as an element of SVG.

    Raises `SavannaError` for another theme, `TypeError` for wrong types.
    """
    if not isinstance(rules, Rules):
        raise wrong_type("rules", "Rules", rules)
    check_theme(theme, (*THEMES, PAGE_THEME))
    return defined(sorted(DEFINED), rules.team_game, theme).replace(PREFIX, edition(rules.team_game))


def check_theme(theme: str, themes: Sequence[str] = THEMES) -> None:
    """Refuse what is not a theme."""
    if not isinstance(theme, str):
        raise wrong_type("theme", "a str", theme)
    if theme not in themes:
        raise SavannaError(f"theme must be one of {', '.join(map(repr, themes))}, got {theme[:40]!r}")


def defined(names: Sequence[str], team_game: bool, theme: str) -> str:
    """Return the definitions of these names."""
    return painted(f"<defs>{''.join(definition(name, team_game) for name in names)}</defs>", theme)


def pieces(facts: Facts, theme: str) -> dict[str, str]:
    """Return all that is drawn on the page, by keys and in the order of drawing; ids are without their edition.

    Most pieces of a picture are those of the picture before, so they are kept.
    """
    rules, team_game, said = facts.rules, facts.rules.team_game, facts.language
    drawn = {key: painted(piece, theme) for key, piece in heading(facts).items()}
    drawn["board"] = ground(theme)
    tiles, last = facts.tiles, facts.last
    for space, its_mark, its_square in SQUARES:
        drawn[its_mark] = mark(space, theme) if space == last else ""
        if facts.advice is None or space in tiles:
            drawn[its_square] = square(space, tiles.get(space), theme)
        else:
            drawn[its_square] = painted(advised(facts, space), theme)
    for line in facts.lines:
        drawn[LINE_KEYS[line.spaces]] = tally(line, rules.target, team_game, theme)
    for seat in facts.seats:
        drawn |= card(seat, rules, said, theme)
    if rules.players == 2:
        drawn["key"] = key(rules, said, theme)
    return drawn | {"note": painted(footer(facts), theme)}


def together(drawn: dict[str, str]) -> str:
    """Return the pieces of a picture as one text, with what belongs to a space, a line or a seat in a group."""
    texts = []
    for group, keys in groupby(drawn, GROUPS.get):
        content = "".join([drawn[key] for key in keys])
        texts.append(f"<g {group}>{content}</g>" if group else content)
    return "".join(texts)


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
    return f"Savanna Ten, {facts.status()}, {facts.progress}"


def desc(facts: Facts) -> str:
    """Return what the picture shows, for those who do not see it."""
    say, listed = facts.language.say, facts.language.listed
    scores = (f"{facts.team_name(seat.team)} {seat.score}" for seat in facts.seats if seat.seat == seat.team)
    said = [say("Scores: {scores}", scores=listed(scores))]
    for seat in facts.seats:
        tiles = [
            f"{space} {described(it, facts.language)}" for space, it in facts.tiles.items() if it.seat == seat.seat
        ]
        shown = listed(tiles) or say("no tiles on the board")
        said.append(f"{seat.name}: {shown}")
    return f"{'; '.join(said)}."


def described(it: Tile, language: Language) -> str:
    """Return what a tile is called."""
    if not it.is_lion:
        return language.say(str(it.animal))
    if it.animal is None:
        return language.say("Lion")
    return language.say("Lion with {animal} beneath", animal=language.say(it.animal))


def heading(facts: Facts) -> dict[str, str]:
    """Return what stands at the top in pieces: the turn or the end, the kind of game, and whose picture it is."""
    rules, said, names = facts.rules, facts.language, facts.names
    status = fitted(names, facts.status, "status", 500)
    about = fitted(names, lambda names: said.listed([facts.progress, facts.perspective(names)]), "about", 390)
    return {
        "game": text(28, 40, "SAVANNA TEN", "count", "dim"),
        "status": text(28, 72, status, "status"),
        "rules": text(WIDTH - 28, 40, said.listed(variant(rules, said)), "variant", "dim"),
        "about": text(WIDTH - 28, 68, about, "about", "dim"),
    }


# ---------------------------------------------------------------------------------------------------------------- board


def grid(space: str) -> tuple[int, int]:
    """Return column and row of a space, from the left and from the top."""
    return "abcde".index(space[0]), "54321".index(space[1])


def corner(space: str) -> tuple[int, int]:
    """Return where the square of a space has its upper left corner."""
    column, row = grid(space)
    return LEFT + PITCH * column + 4, TOP + PITCH * row + 4


@cache
def ground(theme: str) -> str:
    """Return what lies below the tiles: letters and digits, faint lines, acacias where nothing is placed."""
    middle = LEFT + PITCH // 2
    parts = ['<g class="axis dim">']
    parts += [f'<text x="{middle + PITCH * n}" y="{TOP - 13}">{letter}</text>' for n, letter in enumerate("abcde")]
    parts += [f'<text x="{LEFT - 15}" y="{TOP + 55 + PITCH * n}">{rank}</text>' for n, rank in enumerate("54321")]
    parts.append("</g>")
    parts.append(box(LEFT - 5, TOP - 5, 5 * PITCH + 10, 5 * PITCH + 10, 20, 'class="board"'))
    parts.append(f'<path class="web" stroke-width="2" d="{"".join(map(course, LINES))}"/>')
    for hole in HOLES:
        x, y = corner(hole)
        ground = box(x, y, SQUARE, SQUARE, 14, 'class="board"')
        parts.append(ground + glyph("acacia", x + 14, y + 12, 64, "faint"))
    return painted("".join(parts), theme)


@lru_cache(maxsize=4096)
def square(space: str, it: Tile | None, theme: str) -> str:
    """Return a space with the tile on it, if there is one."""
    x, y = corner(space)
    return painted(box(x, y, SQUARE, SQUARE, 14, 'class="space"') if it is None else tile(it, x, y), theme)


@cache
def mark(space: str, theme: str) -> str:
    """Return the frame around the last tile."""
    x, y = corner(space)
    return painted(box(x - 3, y - 3, SQUARE + 6, SQUARE + 6, 17, 'class="edge" stroke-width="4"'), theme)


def advised(facts: Facts, space: str) -> str:
    """Return an empty space with what an analysis says of it."""
    assert facts.advice is not None
    x, y = corner(space)
    ground = box(x, y, SQUARE, SQUARE, 14, 'class="space"')
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


@lru_cache(maxsize=4096)
def tally(line: Line, target: int, team_game: bool, theme: str) -> str:
    """Return what stands where a line leaves the board: its sum, and who has how much of it, or who got the points."""
    (x, y), _ = end(line.spaces)
    cx = LEFT + PITCH * x + (34 if x == 5 else -34 if x == 0 else 0)
    cy = TOP + PITCH * y + (31 if y == 5 else 0)
    if line.points is None:
        parts = [standing(line, team_game, cx, cy)]
    else:
        exact = ' stroke-width="3"' if line.total == target else ""
        parts = [
            box(cx - 23, cy - 20, 46, 41, 9, f'class="full"{exact}'),
            text(cx, cy - 3.5, str(line.total), "sum"),
            points(line, team_game, cx, cy + 9.5),
        ]
    return painted("".join(parts), theme)


def standing(line: Line, team_game: bool, cx: float, cy: float) -> str:
    """Return the sum of a line that is not full, its leader, and a bar that is divided as the influence is."""
    if line.total == 0:
        return text(cx, cy + 5, "0", "axis", "dim")
    parts = []
    if line.leads is None:
        parts.append(text(cx, cy + 1, str(line.total), "so-far", "dim"))
    else:
        parts.append(chip(line.leads, team_game, cx - 13, cy - 5, 0.58))
        parts.append(text(cx + 6, cy + 1, str(line.total), "so-far", "dim"))
    x = cx - 19.0
    for team, influence in enumerate(line.sums):
        if influence:
            width = round(38 * influence / line.total, 2)
            parts.append(f'<path d="M{x:g} {cy + 7:g}h{width:g}v6h{-width:g}z" class="seat{team}"/>')
            x = round(x + width, 2)
    return "".join(parts)


def points(line: Line, team_game: bool, cx: float, cy: float) -> str:
    """Return a chip for each team that scored, with its points; a plain figure if it is not known who did."""
    if line.unclaimed:
        return text(cx, cy + 5, f"+{line.unclaimed}", "gain")
    scored = [(team, gained) for team, gained in enumerate(line.points or ()) if gained]
    scale = 1 if len(scored) < 3 else 0.62
    step = 20 * scale
    start = cx - step * (len(scored) - 1) / 2
    return "".join(
        chip(team, team_game, round(start + step * n, 2), cy, scale, str(gained))
        for n, (team, gained) in enumerate(scored)
    )
