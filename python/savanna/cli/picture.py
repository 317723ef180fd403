"""Pictures of positions and views: in characters that fit the terminal, and in files."""

from collections.abc import Sequence
from pathlib import Path

import savanna as sv
from savanna.cli.terminal import Terminal


def fitting(
    source: sv.Position | sv.View,
    terminal: Terminal,
    last: str | None = None,
    names: Sequence[str] | None = None,
    analysis: sv.Analysis | None = None,
    *,
    whole: bool = False,
) -> str:
    """Return a picture in characters, without what is least needed where the screen has no room for it.

    The table of lines goes first, then the heading.
    """
    from savanna import render

    picture = render.text(
        source, last=last, names=names, analysis=analysis, color=terminal.coloured, width=terminal.width
    ).rstrip("\n")
    if whole or terminal.has_room(picture):
        return picture
    heading, *parts = picture.split("\n\n")
    table = next((number for number, part in enumerate(parts) if "sum  points" in part), len(parts))
    board = "\n\n".join(parts[:table])
    with_heading = f"{heading}\n\n{board}"
    return with_heading if terminal.has_room(with_heading) else board


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
    from savanna import files, render

    picture = render.svg(source, last=last, names=names, analysis=analysis)
    with files.replacing(path) as write:
        write(picture.encode())
