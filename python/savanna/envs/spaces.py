"""What the environments for Gymnasium and for PettingZoo show alike: a box of numbers, and text. It needs Gymnasium."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import logger, spaces

from savanna._core import Layout, View
from savanna.errors import SavannaError
from savanna.render import text

RENDERING: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}
"""What the metadata of an environment say about rendering."""


def observation_box(layout: Layout, dtype: str) -> "spaces.Box[Any]":
    """Return the space of observations: each number from 0 to the greatest that can stand in its place."""
    # Its type stands in quotes, since a Box of Gymnasium 1.1 takes none when it runs.
    kind = np.dtype(dtype)
    return spaces.Box(np.zeros(layout.size, kind), layout.high.astype(kind), dtype=kind.type)


def checked_mode(render_mode: str | None) -> str | None:
    """Return a way of rendering that there is, or None. Raises `SavannaError` for another."""
    if render_mode not in (None, *RENDERING["render_modes"]):
        raise SavannaError(f"render_mode must be None, 'human' or 'ansi', got {render_mode!r}")
    return render_mode


def render(render_mode: str | None, views: Sequence[View]) -> tuple[str, ...] | None:
    """Return the texts of views by "ansi", print pictures by "human", and warn where no way of rendering was chosen."""
    if render_mode == "ansi":
        return tuple(map(str, views))
    if render_mode is None:
        logger.warn("render() shows nothing: the environment was made without a render_mode")
    else:
        print(*map(text, views), sep="\n")
    return None
