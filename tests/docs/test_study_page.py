"""docs/study.md has the tables that examples/study.py makes; that its Python runs is in test_pages.py."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import study as example
from tests.support.paths import DOCS

FIGURE = re.compile(r"-?[0-9]+\.[0-9]+ ± [0-9]+\.[0-9]+( %)?")


def tables(text: str) -> dict[str, list[list[str]]]:
    """Return the cells of the tables that have a name."""
    found = {}
    for name, table in re.findall(r"<!-- (\w+) -->\n((?:\|.*\n)*)", text):
        found[name] = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    return found


@pytest.mark.rare
def test_tables_are_those_of_the_example(tmp_path: Path) -> None:
    """Playing all games takes minutes; with few, all but the figures has to be the same, and two runs wholly."""
    runs = []
    for run in ("one", "two"):
        folder = tmp_path / run
        folder.mkdir()
        document = folder / "study.md"
        document.write_text((DOCS / "study.md").read_text(encoding="utf-8"), encoding="utf-8")
        example.main(["--into", str(document), "--pictures", str(folder), "--share", "0.0005"])
        runs.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert runs[0] == runs[1]
    assert set(runs[0]) == {"study.md", "bonus.svg", "lion.svg"}
    made, kept = tables(runs[0]["study.md"].decode()), tables((DOCS / "study.md").read_text(encoding="utf-8"))
    assert set(made) == set(kept) == set(example.QUESTIONS)
    figures = 0
    for name, rows in kept.items():
        assert rows[:2] == made[name][:2]
        assert [row[:2] for row in rows] == [row[:2] for row in made[name]]
        for row in rows[2:]:
            play = row[0]
            games = dict.fromkeys(map(str, example.FAST), example.GAMES)
            games |= {player: number for player, (_, number) in example.QUESTIONS[name].strong.items()}
            assert row[2] == f"{games[play]:,}"
            assert all(FIGURE.fullmatch(cell) for cell in row[3:] if cell)
            figures += sum(map(bool, row[3:]))
    assert figures > 200


@pytest.mark.parametrize("name", ["bonus.svg", "lion.svg"])
def test_pictures_are_there_and_shown(name: str) -> None:
    path = (DOCS / "study.md").parent / "pictures" / name
    assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert path.stat().st_size < 100_000
    assert f"(pictures/{name})" in (DOCS / "study.md").read_text(encoding="utf-8")


def test_a_table_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="there must be one place for the table 'bonus'"):
        example.filled("nothing", "bonus", "| |\n")
