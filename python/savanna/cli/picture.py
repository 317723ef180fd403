"""Pictures of positions and views: in characters that fit the terminal, and in files."""

from collections.abc import Sequence
from pathlib import Path

import savanna as sv
from savanna.cli.terminal import Terminal

_ROWS_BESIDE = 8  # that are left to what is said around a picture


def fitting(
    source: sv.Position | sv.View,
    terminal: Terminal,
    last: str | None = None,
    names: Sequence[str] | None = None,
    analysis: sv.Analysis | None = None,
    *,
    whole: bool = False,
) -> str:
    """Return a picture in characters, without the table of lines if the board would be pushed off the screen."""
    from savanna import render

    picture = render.text(
        source, last=last, names=names, analysis=analysis, color=terminal.coloured, width=terminal.width
    ).rstrip("\n")
    if whole or terminal.rows is None or picture.count("\n") + _ROWS_BESIDE <= terminal.rows:
        return picture
    parts = picture.split("\n\n")
    table = next((number for number, part in enumerate(parts) if "sum  points" in part), len(parts))
    return "\n\n".join(parts[:table])


def last_space(game: sv.Game) -> str | None:
    """Return where the last tile before the cursor of a game was placed."""
    return game.moves[game.ply - 1].space if game.ply else None


def write_svg(
    path: Path,
    source: sv.Position | sv.View,
    last: str | None = None,
    names: Sequence[str] | None = None,
    analysis: sv.Analysis | None = None,
) -> None:
    """Write a picture to a file, in place of an old one when all of it is there."""
    from savanna import render
    from savanna.game import files

    picture = render.svg(source, last=last, names=names, analysis=analysis)
    with files.replacing(path) as write:
        write(picture.encode())
