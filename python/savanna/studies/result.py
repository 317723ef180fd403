"""What a study came to, and how that is shown."""

import html
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from savanna._core import Rules
from savanna.arguments import quoted, wrong_type
from savanna.errors import SavannaError
from savanna.studies.estimates import Estimate
from savanna.studies.layout import TABLES, figures, text_rows
from savanna.studies.tally import KINDS, Tally, most_points
from savanna.tables import html_table, text_table

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas as pd


class Study:
    """What many games came to: who wins, how lines end, which spaces and animals pay, and where Lions are used.

    `study` makes it. Each figure is an `Estimate` with an interval. In the tables of what a tile earns, "at once" is
    what the placement brought its team by the lines that it filled, "to others" what it brought other teams, and "in
    the end" the tile's part of all that its team got for lines with the tile in them, each line's points divided
    evenly among the team's tiles in it.

    Studies are equal if they counted the same, by whomever.

    A study is read like a dict of its tables: `study["teams"]` is `study.table("teams")`.
    """

    def __init__(self, rules: Rules, players: tuple[str, ...], policy: str | None, seed: int, tally: Tally) -> None:
        self._rules = rules
        self._players = players
        self._policy = policy
        self._seed = seed
        self._tally = tally

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self._rules

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names; none if moves were chosen by a policy."""
        return self._players

    @property
    def policy(self) -> str | None:
        """The policy by which moves were chosen; None if players chose them."""
        return self._policy

    @property
    def seed(self) -> int:
        """The seed of the games."""
        return self._seed

    @property
    def games(self) -> int:
        """How many games were played."""
        return self._tally.games

    @property
    def deals(self) -> int:
        """How many deals they were; with several players, each is played in all seatings."""
        return self._tally.deals

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables, in the order of reading; that of players is there if there are several."""
        return tuple(name for name in TABLES if name != "players" or len(self._players) > 1)

    def table(self, name: str) -> dict[str, dict[str, Estimate]]:
        """Return one of the `tables`: for each row, a dict from column to `Estimate(value, low, high, cases)`.

        Raises `SavannaError` for another name.
        """
        if not isinstance(name, str):
            raise wrong_type("table", "a str", name)
        if name not in self.tables:
            raise SavannaError(f"unknown table {quoted(name)}, there are {', '.join(self.tables)}")
        return figures(self._rules, self._players, self._tally, name)

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __getitem__(self, name: str) -> dict[str, dict[str, Estimate]]:
        if name not in self.tables:
            raise KeyError(name)
        return self.table(name)

    @property
    def score_histogram(self) -> NDArray[np.int64]:
        """How many games each team ended with a score of 0, 1, 2, ...: int64[teams, K].

        K - 1 is a bound on scores that depends on the rules alone.
        """
        return self._tally.histograms["scores"].copy()

    @property
    def lead_histogram(self) -> NDArray[np.int64]:
        """How many games each team ended so far above the best other one: int64[teams, 2 * K - 1].

        The leads go from -(K - 1) to K - 1, with K as in `score_histogram`.
        """
        return self._tally.histograms["leads"].copy()

    @property
    def total_histogram(self) -> NDArray[np.int64]:
        """How many lines came to a total influence of 0, 1, 2, ..., 60: int64[4, 61].

        The rows are rows, columns, main diagonals and short diagonals.
        """
        return self._tally.histograms["totals"].copy()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and lists for JSON; what is unknown is None.

        "tables" has for each table, row and column a dict with "value", "low", "high" and "cases". "scores", "leads"
        (by team) and "totals" (by kind of line) have, for each value that came up, how often: [[value, count], ...].
        """
        lowest = {"scores": 0, "leads": -most_points(self._rules), "totals": 0}
        counted = {
            name: [_pairs(row, lowest[name]) for row in counts] for name, counts in self._tally.histograms.items()
        }
        counted["totals"] = dict(zip(KINDS, counted["totals"], strict=True))  # type: ignore[assignment]
        return {
            "rules": str(self._rules),
            "players": list(self._players),
            "policy": self._policy,
            "seed": self._seed,
            "games": self.games,
            "deals": self.deals,
            "tables": {
                name: {
                    row: {column: _plain(cell) for column, cell in cells.items()}
                    for row, cells in self.table(name).items()
                }
                for name in self.tables
            },
            **counted,
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return all figures of all tables as a Pandas data frame, one in a row.

        Its columns are "table", "row", "column", "value", "low", "high" and "cases". Raises `ImportError` without
        Pandas: ``pip install 'savanna-core[frame]'``.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame needs Pandas: pip install 'savanna-core[frame]'") from error
        rows = [
            (name, row, column, *cell)
            for name in self.tables
            for row, cells in self.table(name).items()
            for column, cell in cells.items()
        ]
        return pd.DataFrame(rows, columns=["table", "row", "column", *Estimate._fields])

    def plot(self, kind: str = "all") -> "matplotlib.figure.Figure":
        """Draw a Matplotlib figure; its method `savefig` writes it to a file, and no display is needed.

        `kind` is one of "teams", "scores", "leads", "lines", "totals", "spaces", "animals" and "lions", or "all" of
        them. Raises `SavannaError` for another, `ImportError` without Matplotlib: ``pip install 'savanna-core[plot]'``.
        """
        from savanna.studies import plots

        return plots.draw(self, kind)

    def headline(self) -> str:
        """Return one line that says which games these are."""
        by = f"{self._policy} play" if self._policy else _listed(self._players)
        return f"Savanna Ten, rules {self._rules}, {self.games:,} games by {by}, seed {self._seed}"

    def __eq__(self, other: object) -> bool:
        return self._counts() == other._counts() if isinstance(other, Study) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._counts())

    def _counts(self) -> tuple[object, ...]:
        """Return all that has been counted, as a value that can be compared."""
        tally = self._tally
        arrays: Mapping[Any, Any] = {**tally.sums, **tally.histograms}
        return (self._rules, tally.games, tally.deals, *((key, it.tobytes()) for key, it in arrays.items()))

    def __repr__(self) -> str:
        return (
            f"<Study rules={str(self._rules)!r} players={self._players!r} policy={self._policy!r} seed={self._seed} "
            f"games={self.games}>"
        )

    def __str__(self) -> str:
        parts = [self.headline()]
        for name in self.tables:
            lines = text_table(text_rows(name, self.table(name)), names=1)
            parts.append("\n".join([TABLES[name].title, "", *lines]))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        tables = "".join(
            f"<h4>{html.escape(TABLES[name].title)}</h4>{html_table(text_rows(name, self.table(name)))}"
            for name in self.tables
        )
        return f"<p>{html.escape(self.headline())}</p>{tables}"


def _listed(players: tuple[str, ...]) -> str:
    """Return the names in words."""
    return players[0] if len(players) == 1 else f"{', '.join(players[:-1])} and {players[-1]}"


def _pairs(counts: NDArray[np.int64], lowest: int) -> list[list[int]]:
    """Return [value, count] for every value that came up."""
    return [[int(at) + lowest, int(counts[at])] for at in np.flatnonzero(counts)]


def _plain(cell: Estimate) -> dict[str, float | int | None]:
    """Return a figure as JSON can hold it."""
    return {name: None if math.isnan(value) else value for name, value in cell._asdict().items()}
