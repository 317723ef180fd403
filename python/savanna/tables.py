"""Tables of results, as text and as HTML for notebooks: a row is a list of cells, and the first row has the heads."""

import html
from collections.abc import Iterable, Sequence

from savanna.characters import columns


def text_table(rows: Sequence[Sequence[str]], names: int) -> list[str]:
    """Return the lines of a table: the first `names` columns to the left, figures to the right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [cell + gap if i < names else gap + cell for i, (cell, gap) in enumerate(zip(row, gaps, strict=True))]
        lines.append("  ".join(cells).rstrip(" "))
    return [lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]


def html_table(rows: Sequence[Sequence[str]], caption: str | None = None) -> str:
    """Return a table as HTML, with everything in it escaped."""

    def cells(row: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

    head = "" if caption is None else f"<caption>{html.escape(caption)}</caption>"
    return f"<table>{head}{cells(rows[0], 'th')}{''.join(cells(row, 'td') for row in rows[1:])}</table>"
