"""Finds the pages of the manual and reads their code. As a program it writes each page's Python as a module, for mypy.

Every page of docs/ is found by its name alone, so a new one is checked without being listed anywhere.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import DOCS, README, ROOT

# Pages that may do without an example, and why. Those of docs/api and docs/design are made of text kept elsewhere.
WITHOUT_EXAMPLES = {
    "docs/serve.md": "a server runs until it is ended; tests/serve starts it",
    "docs/api.md": "leads to the pages that are made of docstrings",
    "docs/embedding.md": "shows examples/embed.rs and embed.c, which `make rust-test` and tests/capi run",
    "docs/glossary.md": "explains words",
    "docs/index.md": "is the entrance: it leads to the other pages",
    "docs/performance.md": "tells figures that were measured by the programs in benchmarks/",
    "docs/strength.md": "tells figures that were measured by the programs in benchmarks/",
}


class Block(NamedTuple):
    """One block of code: its language, its text, and the number of the text's first line in the file."""

    language: str
    text: str
    line: int


def pages() -> list[Path]:
    """Return the pages whose code is run: README.md, those of docs/ itself and the notebooks."""
    return [README, *sorted(DOCS.glob("*.md")), *sorted((DOCS / "notebooks").glob("*.ipynb"))]


def name_of(page: Path) -> str:
    """Return the path of a page as it stands in `WITHOUT_EXAMPLES` and in reports."""
    return page.relative_to(ROOT).as_posix()


def read_blocks(path: Path = README) -> list[Block]:
    """Return the code of a page in order: fenced blocks of Markdown, or the code cells of a notebook."""
    text = path.read_text(encoding="utf-8")
    return _cells(text) if path.suffix == ".ipynb" else _fenced(text, path.name)


def _cells(text: str) -> list[Block]:
    """Return the code cells of a notebook; lines are counted in each cell from 1."""
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return [Block("python", "".join(cell["source"]).rstrip("\n") + "\n", 1) for cell in cells]


def _fenced(text: str, name: str) -> list[Block]:
    """Return the fenced blocks of a Markdown text; a fence that is never closed is an error."""
    blocks = []
    opened: Block | None = None
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if opened is None and line.startswith("```"):
            opened, lines = Block(line[3:].strip(), "", number + 1), []
        elif opened is not None and line.rstrip() == "```":
            blocks.append(opened._replace(text="\n".join(lines) + "\n"))
            opened = None
        else:
            lines.append(line)
    if opened is not None:
        raise ValueError(f"{name}, line {opened.line - 1}: the code block is never closed")
    return blocks


def write_modules(directory: Path) -> None:
    """Write the Python of every page that has some into a module of its own, named after the page."""
    for page in pages():
        code = [block.text for block in read_blocks(page) if block.language == "python"]
        if code:
            name = f"page_{page.stem.lower().replace('-', '_')}.py"
            with (directory / name).open("x", encoding="utf-8") as module:
                module.write("\n".join(code))


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
