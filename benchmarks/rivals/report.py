"""The results of a race as text, Markdown, JSON and a picture."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median


@dataclass
class Result:
    """What was measured of one contender."""

    name: str
    rival: bool
    skipped: str = ""  # why it was not measured
    start_up: float = 0.0  # seconds for import, compilation and the first games
    rates: list[float] = field(default_factory=list)  # games per second, by round
    busy: list[float] = field(default_factory=list)  # cores kept busy, by round

    @property
    def rate(self) -> float:
        """The median rate."""
        return median(self.rates) if self.rates else 0.0

    @property
    def rate_of_core(self) -> float:
        """The median rate by processor time, which other processes disturb less."""
        return median(rate / busy for rate, busy in zip(self.rates, self.busy, strict=True))


def strongest(results: list[Result]) -> Result | None:
    """Return the fastest rival."""
    return max((result for result in results if result.rival and result.rates), key=lambda r: r.rate, default=None)


def rows(results: list[Result]) -> list[list[str]]:
    """Return the table, its head first."""
    best = strongest(results)
    name = f"times {best.name}" if best else "ratio"
    table = [["player", "games/s (median)", "min", "max", name, "per core-second", "cores busy", "start-up, s"]]
    for result in sorted(results, key=lambda r: -r.rate):
        if result.rates:
            ratio = f"{result.rate / best.rate:.3g}" if best else "-"
            numbers = [f"{value:,.0f}" for value in (result.rate, min(result.rates), max(result.rates))]
            busy = [f"{result.rate_of_core:,.0f}", f"{median(result.busy):.2f}"]
            table.append([result.name, *numbers, ratio, *busy, f"{result.start_up:.1f}"])
        else:
            table.append([result.name, result.skipped, *[""] * (len(table[0]) - 2)])
    return table


def text(table: list[list[str]]) -> str:
    """Return a table in columns; what is not measured may run on."""
    widths = [max(len(row[i]) for row in table if row[-1]) for i in range(len(table[0]))]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def markdown(table: list[list[str]], facts: dict[str, str]) -> str:
    """Return a table and the facts about its making as Markdown."""
    head, *body = table
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in body]
    return "\n".join([*lines, "", *(f"- {label}: {fact}" for label, fact in facts.items()), ""])


def as_json(results: list[Result], facts: dict[str, str]) -> str:
    """Return all that was measured as JSON."""
    return json.dumps(
        {"facts": facts, "results": [vars(result) | {"rate": result.rate} for result in results]}, indent=1
    )


def short(rate: float) -> str:
    """Return a rate in three digits, such as 1.23 million."""
    for size, word in (1e6, " million"), (1, ""):
        if rate >= size:
            return f"{float(f'{rate / size:.3g}'):,g}{word}"
    return f"{rate:.3g}"


def plot(results: list[Result], facts: dict[str, str], path: Path) -> None:
    """Draw the rates as bars on a logarithmic scale."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    shown = sorted((result for result in results if result.rates), key=lambda r: r.rate)
    rates = [result.rate for result in shown]
    spread = [[r.rate - min(r.rates) for r in shown], [max(r.rates) - r.rate for r in shown]]
    figure, axes = pyplot.subplots(figsize=(9, 0.45 * len(shown) + 1.6), layout="constrained")
    colours = ["#7a869a" if result.rival else "#d9822b" for result in shown]
    bars = axes.barh([r.name for r in shown], rates, xerr=spread, color=colours, ecolor="#333333", capsize=3)
    axes.bar_label(bars, list(map(short, rates)), padding=6)
    axes.set_xscale("log")
    axes.set_xlim(min(rates) / 3, max(rates) * 6)
    axes.set_xlabel("random two-player games per second (logarithmic; median, min and max)")
    axes.set_title(f"savanna against alternatives\n{facts['processor']}; {facts['extensions']}", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
