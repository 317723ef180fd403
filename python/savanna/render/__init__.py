"""Positions and views as people want to see them: `svg` draws a picture, `text` writes for a terminal.

`parts` gives the picture in pieces, for pages that replace what has changed, `drawings` what these refer to, and
`sheet` their style sheet. All are pure functions: they look at no display, no terminal and no clock, and what they show
of a `View` is what its seat knows.
"""

from savanna.render.svg import drawings, parts, svg
from savanna.render.text import text
from savanna.render.theme import sheet

__all__ = ["drawings", "parts", "sheet", "svg", "text"]
