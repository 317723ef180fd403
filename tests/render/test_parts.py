"""Pictures in pieces: together they are the picture, and a move changes few of them."""

import re

import pytest

import savanna as sv
from savanna import render
from savanna.render.svg import GROUPS
from tests.support.both_engines import PRINTED_VARIANTS, random_game

RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_picture_is_made_of_its_parts(rules: sv.Rules, theme: str) -> None:
    """All pieces stand in the picture in their order, with the groups that say where they belong and nothing else."""
    for position in random_game(sv.Position.deal(rules, 5), 5)[::3]:
        for source in (position, position.public(), position.view(1)):
            parts = render.parts(source, theme=theme)
            picture = render.svg(source, theme=theme)
            body = picture[picture.index("</defs>") + 7 : picture.index("</g></svg>")]
            body = body[body.index("/>") + 2 :]  # the page below all
            rest = body
            for key, piece in parts.items():
                before, found, rest = rest.partition(piece) if piece else ("", "", rest)
                assert found == piece, key
                assert re.fullmatch(r"(</g>)?(<g data-(space|line|seat)=\"[^\"]*\">)?", before), (key, before)
            assert rest == ""
            assert set(GROUPS) & set(parts)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_move_changes_little(rules: sv.Rules) -> None:
    sizes = []
    for seed in range(5):
        before: dict[str, str] = {}
        placed: set[str] = set()
        for ply, position in enumerate(random_game(sv.Position.deal(rules, seed), seed)):
            board = position.public().board
            last = next(iter(set(board) - placed), None)
            placed = set(board)
            parts = render.parts(position.public(), last=last, theme="page")
            if 1 < ply < 20:
                changed = {key for key, piece in parts.items() if before[key] != piece}
                sizes.append(sum(len(parts[key].encode()) for key in changed))
                assert {key for key in changed if key.startswith("space:")} == {f"space:{last}"}
            before = parts
    assert sum(sizes) / len(sizes) < 2000
    assert max(sizes) < 3000


def test_references_of_parts_are_defined() -> None:
    for rules in RULES:
        defined = set(re.findall(r' id="([^"]+)"', render.drawings(rules, theme="page")))
        for position in random_game(sv.Position.deal(rules, 2), 2)[::6]:
            used = set(re.findall(r'href="#([^"]+)"', "".join(render.parts(position, theme="page").values())))
            assert used <= defined


def test_the_sheet_has_every_class() -> None:
    sheet, used = render.sheet(), set[str]()
    for rules in RULES:
        for position in random_game(sv.Position.deal(rules, 2), 2)[::6]:
            source = position.public()
            for piece in (*render.parts(source, theme="page").values(), render.drawings(rules, theme="page")):
                used |= {name for names in re.findall(r' class="([^"]+)"', piece) for name in names.split()}
    assert {name for name in used if f".{name}{{" not in sheet} == {"sv-tile"}  # the colour that all begin with
