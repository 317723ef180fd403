"""Other programs draw the same picture as Chromium does: compared by the mean colours of blocks of 16 by 16 pixels.

Where letters are drawn, blocks differ as much as fonts do. Without texts only edges do, by less than 12 of
255 levels. Small drawings that were put in place by width and height, which QtSvg and svglib overlook, and cut out in
`currentColor`, which QtSvg draws black, made some 180 blocks differ by more than 25, up to 240.
"""

import re
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from savanna import render
from tests.support import pictures
from tests.support.renderers import OTHERS, by_chromium, difference, draw

pytestmark = pytest.mark.rare

SHAPES, LETTERS, ON_AVERAGE, BLOCKS = 20, 25, 2.0, 40
"""How much blocks may differ without texts; how many blocks may differ by how much with them, and how much all do."""


def drawn() -> dict[str, str]:
    """Return the pictures that are compared, by what they show and their theme."""
    positions, moves = pictures.game("4p,team", seed=8)
    view = positions[6].view(2)
    analysis = sv.players.SoftGreedy(2000, seed=1).analyse(view)
    names = ("W" * 16, "Maximilian Mustermann", "Bo", "Cy")
    pictured = {
        f"analysis {theme}": render.svg(view, last=moves[5], analysis=analysis, names=names, theme=theme)
        for theme in ("light", "dark")
    }
    for kind, ply, theme in (("3p", 11, "light"), ("3p", 11, "dark"), ("4p,mice", 20, "light")):
        played, moves = pictures.game(kind)
        pictured[f"{kind} {theme}"] = render.svg(played[ply], last=moves[ply - 1], theme=theme)
    return pictured


PICTURES = drawn()


def without_texts(picture: str) -> str:
    return re.sub("<text.*?</text>", "", picture)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return how Chromium draws each picture with and without texts, and "auto" for readers of either kind."""
    auto = render.svg(pictures.game("3p")[0][11], last=pictures.game("3p")[1][10])
    everything = {**PICTURES, **{f"{name}, shapes": without_texts(it) for name, it in PICTURES.items()}}
    everything |= {"auto light": auto, "auto dark": auto}
    schemes = ["dark" if name == "auto dark" else "light" for name in everything]
    folder: Path = tmp_path_factory.mktemp("chromium")
    return dict(zip(everything, by_chromium(list(everything.values()), folder, schemes), strict=True))


@pytest.mark.parametrize("renderer", OTHERS)
def test_all_draw_the_same(renderer: str, chromium: dict[str, Any]) -> None:
    for name, picture in PICTURES.items():
        shapes = difference(draw(renderer, without_texts(picture)), chromium[f"{name}, shapes"])
        assert shapes.max() < SHAPES, name
        whole = difference(draw(renderer, picture), chromium[name])
        assert whole.mean() < ON_AVERAGE, name
        assert (whole > LETTERS).sum() < BLOCKS, name


def test_readers_get_the_theme_that_they_prefer(chromium: dict[str, Any]) -> None:
    for scheme in ("light", "dark"):
        assert difference(chromium[f"auto {scheme}"], chromium[f"3p {scheme}"]).max() < 2


@pytest.mark.parametrize("renderer", OTHERS)
def test_auto_is_light_where_nobody_asks(renderer: str) -> None:
    position = pictures.game("3p")[0][11]
    auto, light = (draw(renderer, render.svg(position, theme=theme)) for theme in ("auto", "light"))
    assert (auto == light).all()
