"""Pictures for every eye, whatever people are called; and errors for what cannot be drawn."""

import math
import re
import unicodedata
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna import reference, render
from savanna.render import letters, theme
from tests.render.test_pictures import HREF, LIMIT, SVG, marked, parsed, words
from tests.support import pictures
from tests.support.refusals import refused

# -------------------------------------------------------------------------------------------------------------- colours

THEMES = {"light": theme.LIGHT, "dark": theme.DARK}

# What people see who lack one kind of cones: matrices for linear RGB by Machado, Oliveira and Fernandes (2009).
SIGHT = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(colour: str) -> Any:
    """Return the amounts of red, green and blue light, 0 to 1."""
    values = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of the Web Content Accessibility Guidelines, 1 to 21."""
    dark, bright = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def lab(light: Any) -> Any:
    """Return a colour's place in CIELAB, where equal distances look about equal."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (math.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in to_xyz @ light / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_the_measures_themselves() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert lab(linear("#FF0000")) == pytest.approx([53.2, 80.1, 67.2], abs=0.2)


@pytest.mark.parametrize("name", THEMES)
def test_texts_can_be_read(name: str) -> None:
    it = THEMES[name]
    surfaces = (it.page, it.space, it.card, it.mover, it.board)
    assert min(contrast(it.ink, surface) for surface in surfaces) >= 7
    assert min(contrast(it.dim, surface) for surface in (it.page, it.card, it.mover)) >= 4.5
    assert contrast(it.ink, it.heat) >= 4.5
    assert min(contrast(theme.TILE_INK, colour) for colour in theme.SEAT_COLOURS) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_tiles_stand_out_by_their_colour_or_by_the_edge_around_it(name: str) -> None:
    """At the ratio of 3 that the guidelines ask of graphics."""
    it = THEMES[name]
    for colour, surface in product(theme.SEAT_COLOURS, (it.page, it.board, it.space, it.card, it.mover)):
        assert max(contrast(colour, surface), contrast(theme.TILE_INK, surface)) >= 3


@pytest.mark.parametrize("sight", SIGHT)
def test_seats_can_be_told_apart_by_every_kind_of_sight(sight: str) -> None:
    for one, other in combinations(theme.SEAT_COLOURS, 2):
        places = [lab(np.clip(SIGHT[sight] @ linear(colour), 0, 1)) for colour in (one, other)]
        assert float(np.linalg.norm(places[0] - places[1])) > 15


def test_seats_can_be_told_apart_without_colour() -> None:
    assert len({theme.shape(seat, False)[0] for seat in range(4)}) == 4
    partners = [theme.shape(seat, True) for seat in range(4)]
    assert len(set(partners)) == 4
    assert [shape for shape, _ in partners[:2]] == [shape for shape, _ in partners[2:]]
    assert partners[0][0] != partners[1][0]
    assert (
        len({theme.sign(seat, True) for seat in range(4)}) == len({theme.sign(seat, False) for seat in range(4)}) == 4
    )


# --------------------------------------------------------------------------------------------------------------- places


def test_everything_lies_in_the_picture() -> None:
    """No text begins outside, and tiles, tallies and cards do not lie on each other."""
    for case in (case for kind in pictures.KINDS for case in pictures.cases(kind)):
        root, boxes = parsed(case.svg()), []
        for text in root.iter(f"{SVG}text"):
            assert 14 < float(text.attrib["x"]) < 946
            assert 14 < float(text.attrib["y"]) < 706
        for group in (
            group for name in ("data-space", "data-line", "data-seat") for group in marked(root, name).values()
        ):
            first = next(iter(group))
            if first.tag == f"{SVG}rect" and first.attrib.get("stroke-width") != "4":
                boxes.append([float(first.attrib[side]) for side in ("x", "y", "width", "height")])
            elif first.attrib.get(HREF, "")[:-1].endswith(("tile", "lion")):
                x, y = re.findall(r"[\d.]+", first.attrib["transform"])
                boxes.append([float(x), float(y), 92, 92])
        assert len(boxes) >= 21
        for (x, y, width, height), (left, top, wide, high) in combinations(boxes, 2):
            assert x + width <= left or left + wide <= x or y + height <= top or top + high <= y


def test_colours_of_a_terminal_are_all_that_color_adds() -> None:
    for case in pictures.cases("team"):
        plain, coloured = case.text(), case.text(color=True)
        assert len(re.findall(r"\x1b\[[0-9;]*m", coloured)) > 20
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert [row.rstrip() for row in stripped.splitlines()] == plain.splitlines()
        assert case.text(color=False) == render.text(case.source, last=case.last, names=case.names) == plain


@pytest.mark.parametrize("width", [60, 77, 78, 80, 120, 1000])
def test_texts_keep_to_the_width(width: int) -> None:
    for case in (case for kind in pictures.KINDS for case in pictures.cases(kind)):
        rows = render.text(case.source, last=case.last, width=width).splitlines()
        assert max(map(len, rows)) <= width
        assert all(row == row.rstrip() for row in rows)
        # In 80 columns there are seats beside the board, and two columns of lines: it fits 36 rows.
        assert width < 80 or len(rows) < 36


# ---------------------------------------------------------------------------------------------------------------- names

HOSTILE = {
    "<script>alert(1)</script>": "<script>alert(1…",
    "\"'&<>]]>": "\"'&<>]]>",
    "\x1b[31mred\x07\x00": "[31mred",
    "\u202eabc\u2066": "abc",
    "שלום": "שלום",
    "a\n\tb\u2028c": "a b c",
    "\ud800x\ufffe": "x",
    " \x00 ": "Yellow",
    "\u200b\u3000\u200d": "Yellow",
    "日本語日本語日本語": "日本語日本語日…",
    "e\u0301" * 40: "e\u0301" * 15 + "…",
}


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text if not unicodedata.combining(sign))


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_names_are_shown_and_nothing_else_comes_of_them(name: str) -> None:
    position = pictures.game("4p,team")[0][9]
    names = ["Ann", "Bo", name, "&amp;"]
    picture, text = render.svg(position, names=names), render.text(position, names=names)
    root, plain = parsed(picture), parsed(render.svg(position, names=["Ann", "Bo", "Cy", "Di"]))
    assert [element.tag for element in root.iter()] == [element.tag for element in plain.iter()]
    assert len(picture.encode()) < LIMIT
    cards = marked(root, "data-seat")
    first, second, third, fourth = (words(cards[seat])[0] for seat in "0123")
    assert (first, second, fourth) == ("Ann", "Bo", "&amp;")
    # Beside the score there may be less room than in a terminal.
    assert third == HOSTILE[name] or (third[-1] == "…" and HOSTILE[name].startswith(third[:-1]) and len(third) > 12)
    assert f"○ 2 {HOSTILE[name]}\n" in text
    assert all(sign.isprintable() for sign in text.replace("\n", ""))
    assert max(map(columns, text.splitlines())) <= 80


@pytest.mark.parametrize("style", ["regular", "bold"])
def test_letters_need_no_more_than_they_may(style: str) -> None:
    """By the font that Matplotlib brings along, which is wider than most."""
    from matplotlib import font_manager, ft2font

    weight = "bold" if style == "bold" else "normal"
    path = font_manager.findfont(font_manager.FontProperties(family="DejaVu Sans", weight=weight))
    font, measured = ft2font.FT2Font(path), 0
    font.set_size(100, 72)
    known = font.get_charmap()
    for sign in map(chr, [*range(0x20, 0x7F), *range(0xA1, 0x180), *range(0x386, 0x3CF), *range(0x400, 0x460)]):
        if ord(sign) in known and sign.isprintable():
            measured += 1
            needed = font.load_char(ord(sign)).linearHoriAdvance / 65536 / 100
            assert needed <= letters.em(sign) + 0.005, sign
    assert measured > 450


def test_wide_names_end_before_the_score() -> None:
    position = pictures.game("4p,team")[0][9]
    for name in ("W" * 20, "日本語" * 7, "😀" * 20, "﷽" * 20, "Maximilian Mustermann", "Ж" * 20):
        root = parsed(render.svg(position, names=[name] * 4))
        for card in marked(root, "data-seat").values():
            named, _, score = list(card.iter(f"{SVG}text"))[:3]
            end = float(named.attrib["x"]) + letters.width(named.text or "", "name")
            assert end < float(score.attrib["x"]) - letters.width(score.text or "", "score")
            assert (named.text or "").endswith("…")
        title, status, _, about = list(root.iter(f"{SVG}text"))[:4]
        assert title.text == "SAVANNA TEN"
        ends = 28 + letters.width(status.text or "", "status"), 932 - letters.width(about.text or "", "about")
        assert ends[0] < ends[1]


def test_names_stand_in_the_description() -> None:
    root = parsed(render.svg(pictures.game("2p")[0][3].view(0), names=["<Ann>", "Bo"]))
    assert root.findtext(f"{SVG}title") == "Savanna Ten, Bo to move, 3 of 20 tiles placed"
    assert (root.findtext(f"{SVG}desc") or "").startswith("Scores: <Ann> 0, Bo 0; <Ann>: ")


# --------------------------------------------------------------------------------------------------------------- errors

POSITION, MOVES = pictures.game("2p")[0][6], pictures.game("2p")[1]
VIEW, LAST = POSITION.view(0), MOVES[5]
TURNED = sv.Move(LAST.animal, "lion" if LAST.face == "front" else "front", LAST.space)
ANALYSIS = sv.players.SoftGreedy(200).analyse(VIEW)
OTHER = sv.players.SoftGreedy(200).analyse(pictures.game("2p")[0][4].view(0))
EMPTY = next(space for space in sv.SPACES if space not in POSITION.board)
DRAWN = ("svg", "text")

WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "an empty space": ({"last": EMPTY}, sv.SavannaError, f"last: there is no tile on {EMPTY}"),
    "an earlier move": ({"last": MOVES[4].space}, sv.SavannaError, f"last: {MOVES[4].space} of seat 0, but seat 1"),
    "the other face": ({"last": TURNED}, sv.SavannaError, f"last: {TURNED} was not played, on {LAST.space}"),
    "no move": ({"last": "zebra z9"}, sv.NotationError, "z9"),
    "no text": ({"last": 7}, TypeError, "last must be a Move or a str, not int"),
    "few names": ({"names": ["Ann"]}, sv.SavannaError, "names must be 2, one for each seat, got 1"),
    "many names": ({"names": ["Ann"] * 3}, sv.SavannaError, "names must be 2, one for each seat, got 3"),
    "one name": ({"names": "Ann"}, TypeError, "names must be a sequence of str, not str"),
    "a number of names": ({"names": 5}, TypeError, "names must be a sequence of str, not int"),
    "no name": ({"names": ["Ann", None]}, TypeError, "names[1] must be a str, not NoneType"),
    "another analysis": ({"analysis": OTHER}, sv.SavannaError, "analysis is of another position"),
    "no analysis": ({"analysis": "best"}, TypeError, "analysis must be an Analysis, not str"),
}


@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_belong_to_the_position(draw: str, case: str) -> None:
    arguments, error, fragments = WRONG[case]
    for source in (POSITION, VIEW):
        refused(error, fragments, getattr(render, draw), source, **arguments)


@pytest.mark.parametrize("draw", DRAWN)
def test_sources_that_are_none(draw: str) -> None:
    for source in (None, "2p", sv.Rules(), str(POSITION), reference.Position.parse(str(POSITION))):
        named = f"source must be a Position or a View, not {type(source).__name__}"
        refused(TypeError, named, getattr(render, draw), source)


def test_options_of_pictures() -> None:
    for name in ("", "Light", "blue", "auto "):
        fragments = f"theme must be one of 'light', 'dark', 'auto', got {name!r}"
        refused(sv.SavannaError, fragments, render.svg, VIEW, theme=name)
    refused(TypeError, "theme must be a str, not None", render.svg, VIEW, theme=None)
    for size in (99, 10_001, -1):
        refused(sv.SavannaError, f"size must be 100 to 10000, got {size}", render.svg, VIEW, size=size)
    refused(TypeError, "size must be an int, not float", render.svg, VIEW, size=480.0)
    for width in (59, 1001):
        refused(sv.SavannaError, f"width must be 60 to 1000, got {width}", render.text, VIEW, width=width)
    refused(TypeError, "color must be a bool, not int", render.text, VIEW, color=1)


def test_an_analysis_fits_only_whose_turn_it_is() -> None:
    assert render.svg(VIEW, analysis=ANALYSIS) != render.svg(VIEW)
    over = pictures.game("2p")[0][-1]
    for source in (POSITION.view(1), over, over.view(0)):
        refused(sv.SavannaError, "analysis is of another position", render.svg, source, analysis=ANALYSIS)


def test_an_error_says_nothing_of_a_hidden_tile() -> None:
    """Whoever sees a Lion may say of it what they like: a true guess and a false one come to the same."""
    tiles = ["elephant", "monkey", "monkey", "monkey", "monkey", "zebra", "zebra", "zebra", "giraffe", "giraffe"]
    position = sv.Position.from_decks(sv.Rules(), [tiles, tiles]).play("elephant lion a5")
    assert len({render.svg(position.view(1), last=f"{animal} lion a5") for animal in ("elephant", "zebra")}) == 1
    refused(sv.SavannaError, "was not played, on a5", render.svg, position.view(0), last="zebra lion a5")
