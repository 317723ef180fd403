"""Positions and views as people want to see them: `svg` draws a picture, `text` writes for a terminal.

Both are pure functions: they look at no display, no terminal and no clock, and what they show of a `View` is what its
seat knows.
"""

from savanna.render.svg import svg
from savanna.render.text import text

__all__ = ["svg", "text"]
