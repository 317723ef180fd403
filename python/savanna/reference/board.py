"""The board: spaces around five holes, and the lines that score."""

from collections import defaultdict
from typing import TypeAlias

Space: TypeAlias = str
Line: TypeAlias = tuple[Space, ...]

PICTURE = """
    .#...
    ....#
    ..#..
    #....
    ...#.
"""

SPACES: tuple[Space, ...] = tuple(
    letter + rank
    for rank, row in zip("54321", PICTURE.split(), strict=True)
    for letter, square in zip("abcde", row, strict=True)
    if square != "#"
)
"""The 20 spaces in reading order: the column's letter from the left, the rank's digit from the bottom."""


def straight_lines() -> tuple[Line, ...]:
    """Return the straight lines with three spaces or more; a hole does not interrupt a line."""
    lines = defaultdict(list)
    for space in SPACES:
        column, row = "abcde".index(space[0]), "54321".index(space[1])
        for direction, number in enumerate((row, column, column - row, column + row)):
            lines[direction, number].append(space)
    return tuple(tuple(lines[line]) for line in sorted(lines) if len(lines[line]) >= 3)


LINES: tuple[Line, ...] = straight_lines()
"""The 20 scoring lines: rows, columns, falling and rising diagonals, each with its spaces in reading order."""

LINES_THROUGH: dict[Space, list[Line]] = {space: [line for line in LINES if space in line] for space in SPACES}
"""The lines that a space lies in."""
