"""Which tables a study has, and how they are read: rows, columns, units."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from savanna._core import ANIMALS, SPACES, Rules
from savanna.studies.estimates import Estimate, estimate
from savanna.studies.tally import KINDS, TWELVE, Tally


@dataclass(frozen=True)
class Column:
    """A column: in how many parts of one it is counted, and whether it is a share, which is shown in per cent."""

    unit: int = 1
    is_share: bool = False

    def text(self, figure: Estimate) -> str:
        """Return a figure with the reach of its interval."""
        if figure.cases == 0:
            return "-"
        factor, digits, sign = (100, 2, " %") if self.is_share else (1, 3, "")
        error = "?" if math.isnan(figure.error) else f"{factor * figure.error:.{digits}f}"
        return f"{factor * figure.value:.{digits}f} ± {error}{sign}"


@dataclass(frozen=True)
class Table:
    """A table: what it is about, what a row is called, its columns by name, and its rows."""

    title: str
    head: str
    columns: Mapping[str, Column]
    rows: Callable[[Rules, Sequence[str]], list[str]]


def _teams(rules: Rules, _players: Sequence[str]) -> list[str]:
    if not rules.team_game:
        return [f"seat {seat}" for seat in range(rules.players)]
    return ["team 0 (seats 0, 2)", "team 1 (seats 1, 3)"]


def _lions(rules: Rules, _players: Sequence[str]) -> list[str]:
    seats = [f"seat {seat}" for seat in range(rules.players)]
    turns = [f"turn {turn}" for turn in range(1, -(-len(SPACES) // rules.players) + 1)]
    return ["all", *seats, *ANIMALS, *turns]


_SHARE = Column(is_share=True)
_PAYMENT = {"at once": Column(), "to others": Column(), "in the end": Column(TWELVE)}

TABLES = {
    "teams": Table(
        "Who wins",
        "",
        {"win share": Column(TWELVE, is_share=True), "score": Column(), "lead": Column()},
        _teams,
    ),
    "players": Table(
        "Who plays best",
        "player",
        {"win share": Column(TWELVE, is_share=True)},
        lambda _, players: list(players) if len(players) > 1 else [],
    ),
    "endings": Table(
        "How games end",
        "",
        {"share": _SHARE},
        lambda *_: ["equal points", "settled by Lions", "shared win"],
    ),
    "lead": Table("Points between first and second", "", {"points": Column()}, lambda *_: ["first over second"]),
    "lines": Table(
        "How lines of 4 (short diagonals: 3) end, and what they pay to all teams",
        "line",
        {"below": _SHARE, "exact": _SHARE, "above": _SHARE, "points": Column()},
        lambda *_: [*KINDS, "all"],
    ),
    "spaces": Table("What a tile earns, by space", "space", _PAYMENT, lambda *_: list(SPACES)),
    "animals": Table(
        "What a tile earns, by animal and face",
        "tile",
        _PAYMENT,
        lambda *_: [f"{animal}{face}" for animal in ANIMALS for face in ("", " lion")],
    ),
    "lions": Table("Tiles that are placed Lion up", "", {"share": _SHARE}, _lions),
}
"""All tables, in the order of reading."""


def figures(rules: Rules, players: Sequence[str], tally: Tally, name: str) -> dict[str, dict[str, Estimate]]:
    """Return a table: by row and column its figures. Rows of which nothing was counted are left out."""
    table = TABLES[name]
    rows = {}
    for number, row in enumerate(table.rows(rules, players)):
        cells = {
            column: estimate(tally.sums[name, column][:, number], its.unit, its.is_share)
            for column, its in table.columns.items()
        }
        if any(cell.cases for cell in cells.values()):
            rows[row] = cells
    return rows


def text_rows(name: str, rows: Mapping[str, Mapping[str, Estimate]]) -> list[list[str]]:
    """Return a table's cells as text, with the row of heads."""
    table = TABLES[name]
    body = [[row, *(table.columns[column].text(cell) for column, cell in cells.items())] for row, cells in rows.items()]
    return [[table.head, *table.columns], *body]
