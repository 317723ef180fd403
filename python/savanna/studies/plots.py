"""Studies as pictures, by Matplotlib; without its `pyplot`, so that nothing global changes and no display is needed."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from savanna._core import ANIMALS, Rules
from savanna.arguments import quoted, wrong_type
from savanna.errors import SavannaError
from savanna.studies.estimates import Estimate
from savanna.studies.layout import TABLES
from savanna.studies.tally import KINDS, most_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES = (4.4, 3.3)  # of one picture
_COLUMNS = 4


class Counts(Protocol):
    """The parts of a `Study` that plots show."""

    @property
    def rules(self) -> Rules: ...  # noqa: D102
    @property
    def score_histogram(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def lead_histogram(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def total_histogram(self) -> NDArray[np.int64]: ...  # noqa: D102
    def table(self, name: str) -> dict[str, dict[str, Estimate]]: ...  # noqa: D102
    def headline(self) -> str: ...  # noqa: D102


def draw(study: Counts, kind: str) -> "Figure":
    """Return the figure of one kind, or with all of them."""
    if not isinstance(kind, str):
        raise wrong_type("kind", "a str", kind)
    if kind not in (*_KINDS, "all"):
        raise SavannaError(f"unknown kind of plot {quoted(kind)}, known are {', '.join(_KINDS)} and all")
    figure_of = require()
    kinds = list(_KINDS) if kind == "all" else [kind]
    across = min(len(kinds), _COLUMNS)
    down = -(-len(kinds) // across)
    figure = figure_of(figsize=(_INCHES[0] * across, _INCHES[1] * down), layout="constrained")
    for axes, name in zip(figure.subplots(down, across, squeeze=False).flat, kinds, strict=True):
        _KINDS[name](study, axes)
    if kind == "all":
        figure.suptitle(study.headline())
    return figure


def require() -> "Callable[..., Figure]":
    """Return Matplotlib's class of figures. Raises `ImportError` without Matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plots need Matplotlib: pip install 'savanna-core[plot]'") from error
    return Figure


def _bars(axes: "Axes", rows: Sequence[str], cells: Sequence[Estimate], factor: float = 1) -> None:
    """Draw a bar for each figure, with its interval."""
    values = np.array([factor * cell.value for cell in cells])
    reach = np.array([[cell.value - cell.low for cell in cells], [cell.high - cell.value for cell in cells]])
    axes.bar(range(len(rows)), values, yerr=factor * reach, capsize=3, color="C0")
    axes.set_xticks(range(len(rows)), rows)


def _steps(axes: "Axes", counts: NDArray[np.int64], lowest: int, names: Iterable[str]) -> None:
    """Draw distributions as steps, only as far as anything came up."""
    seen = np.flatnonzero(counts.sum(axis=0))
    first, last = seen[0], seen[-1] + 1
    for row, name in zip(counts, names, strict=True):
        edges = np.arange(first, last + 1) + lowest - 0.5
        axes.stairs(100 * row[first:last] / max(row.sum(), 1), edges, label=name)
    axes.legend(fontsize="small")


def _labels(axes: "Axes", title: str, x: str, y: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _teams(study: Counts, axes: "Axes") -> None:
    table = study.table("teams")
    _bars(axes, list(table), [cells["win share"] for cells in table.values()], factor=100)
    axes.axhline(100 / len(table), color="0.4", linestyle="--")
    _labels(axes, "Who wins (dashed: equal chances)", "", "win share, %")


def _scores(study: Counts, axes: "Axes") -> None:
    _steps(axes, study.score_histogram, 0, study.table("teams"))
    _labels(axes, "Final scores", "points", "games, %")


def _leads(study: Counts, axes: "Axes") -> None:
    _steps(axes, study.lead_histogram, -most_points(study.rules), study.table("teams"))
    _labels(axes, "Leads over the best other team", "points", "games, %")


def _lines(study: Counts, axes: "Axes") -> None:
    table = study.table("lines")
    base = np.zeros(len(table))
    for column in ("below", "exact", "above"):
        values = np.array([100 * cells[column].value for cells in table.values()])
        axes.bar(range(len(table)), values, bottom=base, label=column)
        base += values
    axes.set_xticks(range(len(table)), [row.replace(" ", "\n") for row in table])
    axes.legend(fontsize="small", loc="lower right")
    _labels(axes, f"How lines end, target {study.rules.target}", "", "lines, %")


def _totals(study: Counts, axes: "Axes") -> None:
    _steps(axes, study.total_histogram, 0, KINDS)
    axes.axvline(study.rules.target, color="0.4", linestyle="--")
    _labels(axes, "Totals of lines (dashed: target)", "influence", "lines, %")


def _spaces(study: Counts, axes: "Axes") -> None:
    board = np.full((5, 5), np.nan)
    table = study.table("spaces")
    for space, cells in table.items():
        at = (5 - int(space[1]), "abcde".index(space[0]))
        board[at] = cells["in the end"].value
        axes.text(at[1], at[0], f"{board[at]:.2f}", ha="center", va="center", color="black", fontsize="small")
    axes.imshow(board, cmap="YlGn", alpha=0.6)
    axes.set_xticks(range(5), list("abcde"))
    axes.set_yticks(range(5), list("54321"))
    _labels(axes, f"{TABLES['spaces'].title}, in the end", "", "")


def _animals(study: Counts, axes: "Axes") -> None:
    table = study.table("animals")
    animals = [animal for animal in ANIMALS if animal in table or f"{animal} lion" in table]
    for shift, face in ((-0.2, ""), (0.2, " lion")):
        there = [
            (at, table[animal + face]["in the end"]) for at, animal in enumerate(animals) if animal + face in table
        ]
        reach = np.array([[it.value - it.low, it.high - it.value] for _, it in there]).T
        axes.bar(
            [at + shift for at, _ in there],
            [it.value for _, it in there],
            width=0.4,
            yerr=reach,
            capsize=3,
            label="Lion" if face else "front",
        )
    axes.set_xticks(range(len(animals)), animals)
    axes.legend(fontsize="small")
    _labels(axes, "What a tile earns, in the end", "", "points")


def _lions(study: Counts, axes: "Axes") -> None:
    table = study.table("lions")
    turns = {row.removeprefix("turn "): cells["share"] for row, cells in table.items() if row.startswith("turn ")}
    _bars(axes, list(turns), list(turns.values()), factor=100)
    _labels(axes, "Tiles placed Lion up, by turn of the seat", "turn", "Lions, %")


_KINDS: dict[str, Callable[[Any, Any], None]] = {
    "teams": _teams,
    "scores": _scores,
    "leads": _leads,
    "lines": _lines,
    "totals": _totals,
    "spaces": _spaces,
    "animals": _animals,
    "lions": _lions,
}
