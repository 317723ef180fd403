"""Studies side by side: what changes with the rules, or with who plays."""

import html
from collections.abc import Iterable, Mapping
from typing import Any

from savanna.arguments import items, wrong_type
from savanna.errors import SavannaError
from savanna.studies.estimates import Estimate
from savanna.studies.layout import TABLES
from savanna.studies.result import Study
from savanna.tables import html_table, text_table

_MOST = 1000
_GAMES = {
    "lead": ("lead", "first over second", "points"),
    "shared": ("endings", "shared win", "share"),
    "below": ("lines", "all", "below"),
    "exact": ("lines", "all", "exact"),
    "Lions": ("lions", "all", "share"),
}
"""What is shown of all games of a study, by its head, and where a study has it: table, row, column."""


class Comparison:
    """The main figures of some `studies` side by side; it is what `compare` returns.

    They are the win share of each team, the "lead" of the first over the second in points, how many wins are "shared",
    how many lines end "below" the target and "exact"ly at it, and how many tiles are "Lions".
    """

    def __init__(self, studies: tuple[Study, ...]) -> None:
        self._studies = studies

    @property
    def studies(self) -> tuple[Study, ...]:
        """The studies, in the order in which they were given."""
        return self._studies

    def rows(self) -> list[dict[str, Estimate]]:
        """Return the figures of each study: a dict by the row of the team, then by "lead", "shared" and so on."""
        return [{**_wins(study), **_games(study)} for study in self._studies]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole studies as plain numbers and lists for JSON."""
        return {"studies": [study.to_dict() for study in self._studies]}

    def _legend(self) -> list[str]:
        return [f"{number}  {study.headline()}" for number, study in enumerate(self._studies, start=1)]

    def _blocks(self) -> list[tuple[str, list[list[str]]]]:
        """Return two tables with their titles: who wins, and the rest."""
        teams = max((list(_wins(study)) for study in self._studies), key=len)
        return [
            ("Win shares in per cent", _cells(teams, [list(_wins(study).values()) for study in self._studies])),
            (
                "Lead in points; shared wins, lines below and at the target, Lions in per cent",
                _cells(list(_GAMES), [list(_games(study).values()) for study in self._studies]),
            ),
        ]

    def __repr__(self) -> str:
        return f"<Comparison studies={len(self._studies)}>"

    def __str__(self) -> str:
        blocks = ["\n".join([title, "", *text_table(rows, names=1)]) for title, rows in self._blocks()]
        return "\n\n".join(["\n".join(self._legend()), *blocks])

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        legend = "<br/>".join(map(html.escape, self._legend()))
        blocks = "".join(f"<h4>{html.escape(title)}</h4>{html_table(rows)}" for title, rows in self._blocks())
        return f"<p>{legend}</p>{blocks}"


def compare(studies: Iterable[Study]) -> Comparison:
    """Put studies side by side. Raises `SavannaError` if there are none, `TypeError` for what is not a study."""
    given = items("studies", studies, _MOST)
    for study in given:
        if not isinstance(study, Study):
            raise wrong_type("a study", "a Study", study)
    if not given:
        raise SavannaError("need at least one study")
    return Comparison(tuple(given))


def _wins(study: Study) -> dict[str, Estimate]:
    return {row: cells["win share"] for row, cells in study.table("teams").items()}


def _games(study: Study) -> dict[str, Estimate]:
    tables: Mapping[str, Mapping[str, Mapping[str, Estimate]]] = {name: study.table(name) for name in study.tables}
    return {head: tables[table][row][column] for head, (table, row, column) in _GAMES.items()}


def _cells(heads: list[str], studies: list[list[Estimate]]) -> list[list[str]]:
    """Return a table's cells as text, numbered by study, with the row of heads."""
    columns = [TABLES["lead"].columns["points"].text if head == "lead" else _percent for head in heads]
    body = [
        [str(number), *(text(cell) for text, cell in zip(columns, cells, strict=False))]
        for number, cells in enumerate(studies, start=1)
    ]
    return [["", *heads], *([*row, *[""] * (len(heads) + 1 - len(row))] for row in body)]


def _percent(figure: Estimate) -> str:
    return TABLES["teams"].columns["win share"].text(figure).removesuffix(" %")
