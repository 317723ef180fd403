"""Pictures in characters: the board with the seats beside it, and all lines beneath."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import SupportsIndex, TypeAlias

from savanna._core import SPACES, Analysis, Move, Position, View
from savanna.arguments import boolean, integer
from savanna.characters import columns
from savanna.errors import SavannaError
from savanna.render.facts import Facts, Line, Seat, gather, line_name, shortened
from savanna.render.theme import SEAT_COLOURS, TILE_INK, sign

Span: TypeAlias = tuple[str, str]
"""A piece of text and its style, in the words of Rich; an empty one is plain."""

Row: TypeAlias = list[Span]

CELL, BOARD, GAP, NARROWEST = 9, 54, 2, 60
SHORT = {"mouse": "mou", "monkey": "mon", "zebra": "zeb", "giraffe": "gir", "elephant": "ele", None: "?"}
INITIAL = {"mouse": "u", "monkey": "m", "zebra": "z", "giraffe": "g", "elephant": "e"}
LAST = "<"
DIM = "bright_black"

HEAT = (236, 53, 90, 126)
"""From cold to hot, as numbers of the 256 colours."""


def text(
    source: Position | View,
    *,
    last: Move | str | None = None,
    analysis: Analysis | None = None,
    names: Sequence[str] | None = None,
    color: bool | None = None,
    width: SupportsIndex = 80,
) -> str:
    """Return a position, or what a seat sees of it, for a terminal.

    A `Position` is written as its host sees it, with the tiles in hands, decks and under Lions; a `View` shows what
    its seat knows. `last` (a move, its text, or a space) is marked; `analysis` shows the best move on every empty space
    and its share of wins; `names` are by seat. With `color`, there are ANSI sequences of 256 colours in it; no terminal
    is looked at, so None means without. No line is wider than `width`, which is 60 to 1000 columns.

    Raises `SavannaError` for a last move that cannot have been one, an analysis of other moves, a wrong number of
    names, and for another width; `NotationError` for a text that is not a move; `TypeError` for wrong types.
    """
    facts = gather(source, last, analysis, names)
    coloured = color is not None and boolean("color", color)
    width = integer("width", width, NARROWEST, 1000, SavannaError)
    left, right = board(facts), [row for seat in facts.seats for row in seat_rows(facts, seat)]
    rows = heading(facts, width)
    if width >= BOARD + GAP + max(map(length, right)):
        nothing: Row = []
        for one, other in zip_longest(left, right, fillvalue=nothing):
            rows.append([*one, (" " * (BOARD + GAP - length(one)), ""), *other] if other else one)
    else:
        rows += [*left, [], *right]
    rows += [*signs(facts, width), [], *table(facts, width), *advice(facts)]
    return "\n".join(written(row, coloured) for row in rows) + "\n"


def length(row: Row) -> int:
    """Return how many columns a row takes."""
    return sum(columns(content) for content, _ in row)


def written(row: Row, coloured: bool) -> str:
    """Return a row as text, without blanks at its end."""
    spans = [(content, style) for content, style in row if content]
    while spans and not spans[-1][1] and not spans[-1][0].strip(" "):
        spans.pop()
    if not coloured:
        return "".join(content for content, _ in spans).rstrip(" ")
    from rich.color import ColorSystem
    from rich.style import Style

    return "".join(Style.parse(style).render(content, color_system=ColorSystem.EIGHT_BIT) for content, style in spans)


def on_seat(seat: int) -> str:
    """Return the style of what is written on a seat's colour."""
    return f"bold {TILE_INK} on {SEAT_COLOURS[seat]}"


def heading(facts: Facts, width: int) -> list[Row]:
    """Return the two lines at the top."""
    rules = facts.rules
    variant = f"{rules.players} players{', Mice' * rules.mice}{', teams' * rules.team_game}"
    status = shortened(facts.status(), width)
    about = shortened(f"Savanna Ten, {variant}, {facts.progress}, {facts.perspective()}", width)
    return [[(status, "bold")], [(about, DIM)], []]


# ---------------------------------------------------------------------------------------------------------------- board


def board(facts: Facts) -> list[Row]:
    """Return the board: two rows of text to each square, letters above and below, digits at the left."""
    letters: Row = [("    " + "".join(letter.center(CELL + 1) for letter in "abcde").rstrip(), DIM)]
    rows = [letters, ruled("┌┬┐")]
    for rank in "54321":
        squares = [square(facts, column + rank) for column in "abcde"]
        for n, edge in enumerate((rank, " ")):
            row: Row = [(f" {edge} ", DIM), ("│", DIM)]
            for content in squares:
                row += [content[n], ("│", DIM)]
            rows.append(row)
        rows.append(ruled("└┴┘" if rank == "1" else "├┼┤"))
    return rows


def ruled(corners: str) -> Row:
    """Return a line between the squares."""
    return [("   " + corners[0] + corners[1].join(["─" * CELL] * 5) + corners[2], DIM)]


def square(facts: Facts, space: str) -> tuple[Span, Span]:
    """Return the two rows of a square: owner and influence, then the face; or what an analysis says."""
    if space not in SPACES:
        return ("░" * CELL, DIM), ("░" * CELL, DIM)
    if space in facts.tiles:
        it = facts.tiles[space]
        mark = sign(it.seat, facts.rules.team_game)
        colour = SEAT_COLOURS[it.seat]
        style = f"bold {colour} on {TILE_INK}" if it.is_lion else on_seat(it.seat)
        face = str(it.animal).capitalize()
        if it.is_lion:
            face = f"Lion:{SHORT[it.animal]}" if it.animal else "Lion"
        face = face.ljust(CELL - 1) + (LAST if space == facts.last else " ")
        return (f"{mark} {it.seat}{it.influence:>{CELL - 4}} ", style), (face, style)
    if facts.advice is None:
        return (" " * CELL, ""), (" " * CELL, "")
    best = facts.advice.by_space[space]
    is_best = best is facts.advice.moves[0]
    move = f"Lion:{SHORT[best.move.animal]}" if best.move.face == "lion" else best.move.animal
    share = f"{100 * best.win_share:.1f} %".rjust(7)
    heat = HEAT[round((len(HEAT) - 1) * facts.advice.warmth(space))]
    style = f"{'bold ' * is_best}color(255) on color({heat})"
    return (f"{'>' * is_best or ' '}{share}".ljust(CELL), style), (f" {move}".ljust(CELL), style)


def signs(facts: Facts, width: int) -> list[Row]:
    """Return what those signs on the board mean that do not say so themselves."""
    said = [f"{LAST} last move"] if facts.last is not None else []
    under = next((it.animal for it in facts.tiles.values() if it.is_lion and it.animal), None)
    said += [f"Lion:{SHORT[under]} a Lion, {under} beneath"] if under is not None else []
    said += ["> best move"] if facts.advice is not None else []
    rows = [""]
    for what in [*said, "░ no space"]:
        if len(rows[-1]) + 3 + len(what) > width:
            rows.append("")
        rows[-1] += f"{'   ' if rows[-1] else '    '}{what}"
    return [[(row, DIM)] for row in rows]


# ---------------------------------------------------------------------------------------------------------------- seats


def seat_rows(facts: Facts, it: Seat) -> list[Row]:
    """Return what a seat has, in four rows."""
    mark = sign(it.seat, facts.rules.team_game)
    doing = ">" if it.to_move else "*" if it.wins else " "
    hand = " ".join(SHORT[animal] for animal in it.hand) or "empty"
    lions = f"{it.lions} Lion{'s' * (it.lions != 1)}"
    score = f"team {it.team}" if facts.rules.team_game else "score"
    return [
        [(doing, "bold"), (f"{mark} {it.seat}", on_seat(it.seat)), (f" {it.name}", "bold")],
        [(f"  {score} {it.score:2}", "bold"), (f"  {lions}", "")],
        [(f"  hand {hand}", ""), (f"  deck {len(it.deck)}", "")],
        [(shortened(f"  {rest(it)}", 80 - BOARD - GAP), DIM)],
    ]


def rest(it: Seat) -> str:
    """Return the tiles that are not seen by number, or, where nothing is hidden, the deck as it will be drawn."""
    if it.unseen is not None:
        unseen = [f"{count}{INITIAL[animal]}" for animal, count in it.unseen if count]
        return f"unseen {' '.join(unseen) or 'none'}"
    return f"draws {''.join(INITIAL[str(animal)] for animal in it.deck) or 'none'}"


# ---------------------------------------------------------------------------------------------------------------- lines


def table(facts: Facts, width: int) -> list[Row]:
    """Return all lines with their sums by team, in two columns where these fit."""
    rows = [line_row(facts, line) for line in facts.lines]
    widest = max(length(row) for row in [title_row(facts), *rows])
    if 2 * widest + 3 > width:
        return [title_row(facts), *rows]
    pairs = [(title_row(facts), title_row(facts)), *zip(rows[:10], rows[10:], strict=True)]
    return [[*one, (" " * (widest + 3 - length(one)), ""), *other] for one, other in pairs]


def title_row(facts: Facts) -> Row:
    """Return the heads of the table's columns."""
    teams = "".join(f"{sign(team, facts.rules.team_game)}{team}".rjust(4) for team in range(facts.rules.teams))
    return [(f"{'line':5}{teams}  sum  points", DIM)]


def line_row(facts: Facts, line: Line) -> Row:
    """Return a line: its name, the sums by team, their sum, and who scored or how many spaces are empty."""
    row: Row = [(f"{line_name(line.spaces):5}", "")]
    for team, influence in enumerate(line.sums):
        figure = str(influence or ".")
        row += [(" " * (4 - len(figure)), ""), (figure, on_seat(team) if team == line.leads else "")]
    full = line.points is not None
    row.append((f"{line.total:5}  ", "bold" if full else DIM))
    row.append((gains(facts, line), "bold" if full else DIM))
    return row


def gains(facts: Facts, line: Line) -> str:
    """Return who scored in a line, or how many of its spaces are empty."""
    if line.points is None:
        return f"{line.empty} empty"
    if line.unclaimed:
        return f"+{line.unclaimed} last"
    scored = [(team, gained) for team, gained in enumerate(line.points) if gained]
    return " ".join(f"{sign(team, facts.rules.team_game)}+{gained}" for team, gained in scored) or "none"


def advice(facts: Facts) -> Iterable[Row]:
    """Yield the best moves of an analysis."""
    if facts.advice is None:
        return
    yield []
    yield [(f"best moves by {facts.advice.iterations:,} iterations", DIM)]
    for n, it in enumerate(facts.advice.moves[:5], start=1):
        share = f"{100 * it.win_share:5.1f} % ± {100 * it.stderr:.1f} %"
        yield [(f"{n}. {it.move!s:17}", "bold" if n == 1 else ""), (share, ""), (f"{it.visits:12,} visits", DIM)]
