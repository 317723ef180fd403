"""Reads the fenced code blocks of a document. As a program it prints the Python ones as one module, for mypy.

The document is README.md, or that whose path is given.
"""

import sys
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).resolve().parent.parent / "README.md"
ENVIRONMENTS = README.parent / "docs" / "environments.md"


class Block(NamedTuple):
    """One fenced block: its language, its text, and the number of the text's first line in the file."""

    language: str
    text: str
    line: int


def read_blocks(path: Path = README) -> list[Block]:
    """Return the fenced blocks of a Markdown file in order; a fence that is never closed is an error."""
    blocks = []
    opened: Block | None = None
    lines: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if opened is None and line.startswith("```"):
            opened, lines = Block(line[3:].strip(), "", number + 1), []
        elif opened is not None and line.rstrip() == "```":
            blocks.append(opened._replace(text="\n".join(lines) + "\n"))
            opened = None
        else:
            lines.append(line)
    if opened is not None:
        raise ValueError(f"{path.name}, line {opened.line - 1}: the code block is never closed")
    return blocks


if __name__ == "__main__":
    document = Path(sys.argv[1]) if len(sys.argv) > 1 else README
    print("\n".join(block.text for block in read_blocks(document) if block.language == "python"), end="")
