"""Programs that draw SVG, each as a function from a picture to its pixels; Chromium draws all pictures at one start."""

import base64
import io
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.tools import require_library, require_tool

WIDTH, HEIGHT = 960, 720

EXTRA = "pictures"
"""The extra of the package that brings the libraries."""

OTHERS = ("cairosvg", "resvg", "qt", "svglib", "librsvg")
"""The renderers that are compared with Chromium."""


def pixels(png: bytes) -> Any:
    """Return a PNG on white as an array of rows, columns and colours."""
    Image = require_library("PIL.Image", EXTRA)  # noqa: N806 (as Pillow calls it)
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB"), dtype=float)


def draw(renderer: str, picture: str) -> Any:
    """Return a picture as a renderer other than Chromium draws it."""
    return pixels({"qt": by_qt, "svglib": by_svglib}.get(renderer, by_command)(renderer, picture))


def by_command(renderer: str, picture: str) -> bytes:
    """Return the PNG of those that make one by a single call."""
    if renderer == "cairosvg":
        return bytes(require_library("cairosvg", EXTRA).svg2png(bytestring=picture.encode()))
    if renderer == "resvg":
        return bytes(require_library("resvg_py", EXTRA).svg_to_bytes(svg_string=picture))
    command = [require_tool("rsvg-convert")]
    return subprocess.run(command, input=picture.encode(), capture_output=True, check=True, timeout=60).stdout


def by_qt(_: str, picture: str) -> bytes:
    """Return the PNG of Qt, which needs an application without a screen."""
    core, gui, svg = (require_library(f"PySide6.{name}", EXTRA) for name in ("QtCore", "QtGui", "QtSvg"))
    application = gui.QGuiApplication.instance() or gui.QGuiApplication(["", "-platform", "offscreen"])
    image = gui.QImage(WIDTH, HEIGHT, gui.QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = gui.QPainter(image)
    svg.QSvgRenderer(core.QByteArray(picture.encode())).render(painter)
    painter.end()
    buffer = core.QBuffer()
    buffer.open(core.QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    assert application is not None
    return bytes(buffer.data())


def by_svglib(_: str, picture: str) -> bytes:
    """Return the PNG of the page of PDF that svglib makes."""
    drawing = require_library("svglib.svglib", EXTRA).svg2rlg(io.BytesIO(picture.encode()))
    page = require_library("reportlab.graphics.renderPDF", EXTRA).drawToString(drawing)
    image = require_library("pypdfium2", EXTRA).PdfDocument(page)[0].render(scale=WIDTH / drawing.width).to_pil()
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def by_chromium(pictures: Sequence[str], folder: Path, schemes: Sequence[str]) -> list[Any]:
    """Return pictures as Chromium draws them, one below the other in one page.

    The `schemes`, "light" or "dark", are what a reader prefers.
    """
    sources = (base64.b64encode(picture.encode()).decode() for picture in pictures)
    images = (
        f'<img src="data:image/svg+xml;base64,{source}" style="display:block;color-scheme:{colours}">'
        for source, colours in zip(sources, schemes, strict=True)
    )
    (folder / "page.html").write_text(f'<!DOCTYPE html><body style="margin:0">{"".join(images)}', encoding="utf-8")
    shot = folder / "page.png"
    options = ["--no-sandbox", "--headless", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}"]
    size = f"--window-size={WIDTH},{HEIGHT * len(pictures)}"
    command = [require_tool("chromium"), *options, size, f"--screenshot={shot}", (folder / "page.html").as_uri()]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    page = pixels(shot.read_bytes())
    return [page[HEIGHT * n : HEIGHT * (n + 1)] for n in range(len(pictures))]


def difference(one: Any, other: Any, block: int = 16) -> Any:
    """Return by how much the mean colours of all blocks differ, 0 to 255, the largest of red, green and blue."""
    rows, columns = HEIGHT // block, WIDTH // block
    means = (image.reshape(rows, block, columns, block, 3).mean(axis=(1, 3)) for image in (one, other))
    return np.abs(next(means) - next(means)).max(axis=2)
