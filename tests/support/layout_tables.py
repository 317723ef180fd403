"""The tables of docs/environments.md, made from the layout. As a program it writes them into the document."""

import re

import savanna as sv
from savanna.envs import Layout
from tests.support.paths import DOCS

DOCUMENT = DOCS / "environments.md"

GAMES = {
    "2 players": sv.Rules(),
    "3 players": sv.Rules(players=3),
    "4 players": sv.Rules(players=4),
    "Team game": sv.Rules(players=4, team_game=True),
}


def layout_table() -> str:
    """Return a line for each section of a game of two."""
    lines = ["| section | from | rows × columns | most | what the numbers say |", "|---|---:|---:|---:|---|"]
    for name, start, (rows, columns), high, meaning in Layout(sv.Rules(), recall=True).sections:
        lines.append(f"| `{name}` | {start} | {rows} × {columns} | {high} | {meaning} |")
    return "\n".join(lines)


def size_table() -> str:
    """Return how many numbers an observation has, by rules and recall."""
    lines = ["| | " + " | ".join(GAMES) + " |", "|---|" + "---:|" * len(GAMES)]
    for label, recall in (("size", False), ("with `recall`", True)):
        sizes = (str(Layout(rules, recall=recall).size) for rules in GAMES.values())
        lines.append(f"| {label} | " + " | ".join(sizes) + " |")
    return "\n".join(lines)


TABLES = {"layout": layout_table, "sizes": size_table}


def written(text: str) -> str:
    """Return a document with each table, old or new, below the comment that names it."""
    for name, table in TABLES.items():
        found = re.findall(rf"<!-- {name}: [^>]*-->\n(?:\n(?:\|.*\n)+)?", text)
        if len(found) != 1:
            raise ValueError(f"the comment that names the table {name!r} is there {len(found)} times, not once")
        comment = found[0].splitlines()[0]
        text = text.replace(found[0], f"{comment}\n\n{table()}\n")
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
