"""What the environments for Gymnasium and for PettingZoo show alike: a box of numbers, and text. It needs Gymnasium."""

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from savanna._core import Layout, View
from savanna.errors import SavannaError
from savanna.render import svg, text

RenderMode: TypeAlias = Literal["human", "ansi", "rgb_array"]

RENDERING: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}
"""What the metadata of an environment say about rendering."""


def observation_box(layout: Layout, dtype: str) -> "spaces.Box[Any]":
    """Return the space of observations: each number from 0 to the greatest that can stand in its place."""
    # Its type stands in quotes, since a Box of Gymnasium 1.1 takes none when it runs.
    kind = np.dtype(dtype)
    return spaces.Box(np.zeros(layout.size, kind), layout.high.astype(kind), dtype=kind.type)


def checked_mode(render_mode: str | None) -> str | None:
    """Return a mode of rendering, or None. Raises `SavannaError` for another, `ImportError` if it lacks a library."""
    if render_mode not in (None, *RENDERING["render_modes"]):
        raise SavannaError(f"render_mode must be None, 'human', 'ansi' or 'rgb_array', got {render_mode!r}")
    if render_mode == "rgb_array":
        try:
            for name in ("resvg_py", "PIL"):
                import_module(name)
        except ImportError as error:
            wanted = "render_mode 'rgb_array' needs resvg and Pillow: pip install 'savanna-core[frames]'"
            raise ImportError(f"{wanted} ({error})") from error
    return render_mode


def frame(view: View) -> NDArray[np.uint8]:
    """Return the picture of a view on white as pixels: uint8[720, 960, 3]. Letters are those of the system's fonts."""
    image = import_module("PIL.Image")
    png = import_module("resvg_py").svg_to_bytes(svg_string=svg(view, theme="light"))
    picture = image.open(io.BytesIO(bytes(png))).convert("RGBA")
    white = image.new("RGBA", picture.size, "white")
    return np.array(image.alpha_composite(white, picture).convert("RGB"))


def render(render_mode: str | None, views: Sequence[View]) -> tuple[Any, ...] | None:
    """Return texts of views by "ansi" and pixels by "rgb_array", print pictures by "human"; warn if no mode was set."""
    if render_mode == "ansi":
        return tuple(map(str, views))
    if render_mode == "rgb_array":
        return tuple(map(frame, views))
    if render_mode is None:
        logger.warn("render() shows nothing: the environment was made without a render_mode")
    else:
        print(*map(text, views), sep="\n")
    return None
