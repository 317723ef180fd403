"""Pictures: what they show is true, well-formed, the same every time, and no more than who looks may know."""

import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

import savanna as sv
from savanna import reference as ref
from savanna import render
from savanna.render.facts import gather
from tests.rules.test_hidden import VARIANTS, seen_by, truths, twin
from tests.support import pictures
from tests.support.full import count
from tests.support.paths import ROOT

pytestmark = pytest.mark.thin(5)

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
LIMIT = 30_000
"""How many bytes a picture may have."""

ODD = sv.Rules(
    players=3,
    deck={"monkey": 9, "zebra": 5, "giraffe": 2, "elephant": 2},
    influence={"monkey": 0, "lion": 15},
    target=20,
    points=(0, 100, 7),
    absent_can_be_least=True,
)
RULES = [*VARIANTS, str(ODD)]
GAMES = {rules: pictures.game(rules, seed) for seed, rules in enumerate(RULES)}


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def words(element: ElementTree.Element) -> list[str]:
    """Return all texts in an element that are drawn."""
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def referred(element: ElementTree.Element) -> list[str]:
    """Return the names of all drawings that are put into an element."""
    return [use.attrib[HREF].partition("-")[2] for use in element.iter(f"{SVG}use")]


def marked(root: ElementTree.Element, name: str) -> dict[str, ElementTree.Element]:
    """Return the groups that say by such an attribute what they are of."""
    return {group.attrib[name]: group for group in root.iter(f"{SVG}g") if name in group.attrib}


def positions(rules: str) -> Iterator[tuple[sv.Position, sv.Move | None]]:
    """Yield the positions of a game with the moves that led to them."""
    played, moves = GAMES[rules]
    yield from zip(played, (None, *moves), strict=True)


def perspectives(position: sv.Position) -> list[sv.Position | sv.View]:
    return [position, position.public(), *(position.view(seat) for seat in range(position.rules.players))]


# --------------------------------------------------------------------------------------------------------- what is kept


def test_kept_pictures_are_drawn_again() -> None:
    """After a change that is wanted, `python -m tests.support.pictures --write` writes them anew."""
    for folder, expected in ((pictures.FOLDER, pictures.files()), (pictures.SHOWN, pictures.documented())):
        if folder == pictures.SHOWN:
            kept = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("middle*.svg")}
        else:
            kept = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        assert sorted(kept) == sorted(expected)
        assert [name for name in expected if kept[name] != expected[name]] == []
    assert len(pictures.files()) == 19


def digest_of_all() -> str:
    shown = [case for kind in pictures.KINDS for case in pictures.cases(kind)]
    drawn = "".join(case.svg() + case.text() + case.text(color=True) for case in shown)
    return hashlib.sha256(drawn.encode()).hexdigest()


def test_nothing_around_changes_a_picture() -> None:
    """Neither the hashes of strings, nor the terminal, a display, the language or what is read of colours elsewhere."""
    around = {
        "PYTHONHASHSEED": "1",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "FORCE_COLOR": "1",
        "COLUMNS": "20",
        "LC_ALL": "C",
    }
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(
        [sys.executable, "-c", "from tests.render import test_pictures; print(test_pictures.digest_of_all())"],
        cwd=ROOT,
        env=kept | around,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert result.stdout.strip() == digest_of_all()


def test_drawing_changes_nothing() -> None:
    position, last = pictures.game("4p,team")[0][9], pictures.game("4p,team")[1][8]
    for source in perspectives(position):
        before, state = (str(source), hash(source)), random.getstate()
        assert render.svg(source, last=last) == render.svg(source, last=last)
        assert render.text(source, last=last) == render.text(source, last=last)
        assert (str(source), hash(source), random.getstate()) == (*before, state)


def test_neither_rich_nor_numpy_is_loaded_without_need() -> None:
    loaded = "print({'rich', 'numpy'} & set(sys.modules))"
    program = f"""import sys, savanna as sv
position = sv.Position.deal(sv.Rules(), 1)
assert "savanna.render" not in sys.modules
sv.render.svg(position), sv.render.text(position); {loaded}
sv.render.text(position, color=True); {loaded}"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "set()\n{'rich'}\n"


# --------------------------------------------------------------------------------------------------------- what is true


@pytest.mark.parametrize("rules", RULES)
def test_every_tile_is_drawn_where_it_lies(rules: str) -> None:
    counted = 0
    for position, last in positions(rules):
        for source in perspectives(position):
            spaces = marked(parsed(render.svg(source, last=last)), "data-space")
            assert tuple(spaces) == sv.SPACES
            influence = source.rules.influence
            for space, group in spaces.items():
                it = source.board.get(space)
                if it is None:
                    assert (referred(group), words(group)) == ([], [])
                    continue
                counted += 1
                if it.face == "lion":
                    shown = [f"lion{it.seat}", "lion"] + ([it.animal] if it.animal else [])
                    assert words(group) == [str(influence["lion"])]
                else:
                    shown = [f"tile{it.seat}", str(it.animal)]
                    assert words(group) == [str(influence[str(it.animal)])]
                assert referred(group) == shown
            rings = [
                space for space, group in spaces.items() if 'stroke-width="4"' in ElementTree.tostring(group).decode()
            ]
            assert rings == ([last.space] if last else [])
    assert counted == 210 * (position.rules.players + 2)


def truth_of_lines(position: sv.Position, gained: dict[tuple[str, ...], tuple[int, ...]]) -> dict[str, Any]:
    """Return for each line the sums by team, and the points that it gave on the way, all by the reference engine."""
    plain, lines = ref.Position.parse(str(position)), {}
    influence = plain.rules.influence
    for line in ref.LINES:
        sums = [0] * plain.rules.teams
        for space in line:
            if space in plain.board:
                seat, animal, face = plain.board[space]
                sums[plain.rules.team_of(seat)] += influence["lion" if face == "lion" else str(animal)]
        lines[" ".join(line)] = (sums, gained.get(line))
    return lines


def histories(rules: str) -> Iterator[tuple[sv.Position, sv.Move | None, dict[str, Any]]]:
    """Yield positions, the moves that led to them, and the truth of their lines."""
    gained: dict[tuple[str, ...], tuple[int, ...]] = {}
    plain = ref.Position.parse(str(GAMES[rules][0][0]))
    for position, last in positions(rules):
        if last is not None:
            move = ref.Move.parse(str(last))
            gained |= {line.spaces: line.points for line in plain.lines_filled(move)}
            plain = plain.play(move)
            assert str(plain) == str(position)
        yield position, last, truth_of_lines(position, gained)


@pytest.mark.parametrize("rules", RULES)
def test_sums_scores_and_points_are_those_of_the_reference(rules: str) -> None:
    full = 0
    for position, last, lines in histories(rules):
        exact = position.rules.points[2]
        for source in perspectives(position)[:2]:
            root = parsed(render.svg(source, last=last))
            tallies = marked(root, "data-line")
            assert set(tallies) == set(lines)
            for name, (sums, points) in lines.items():
                chips, (total, *figures) = referred(tallies[name]), words(tallies[name])
                assert total == str(sum(sums))
                if points is None:
                    assert figures == []
                    widths = re.findall(r'd="M[^"]*?h([\d.]+)v6', ElementTree.tostring(tallies[name]).decode())
                    expected = [38 * part / sum(sums) for part in sums if part]
                    assert [float(width) for width in widths] == pytest.approx(expected, abs=0.01)
                    leads = [f"chip{team}" for team, part in enumerate(sums) if part == max(sums)]
                    assert chips == (leads if len(leads) == 1 else [])
                elif figures == [f"+{exact}"] and not chips:
                    assert sum(sums) == position.rules.target
                else:
                    scored = [(f"chip{team}", str(part)) for team, part in enumerate(points) if part]
                    assert list(zip(chips, figures, strict=True)) == scored
                    full += 1
            cards = marked(root, "data-seat")
            for seat, card in cards.items():
                assert words(card)[2] == str(position.scores[position.rules.team_of(int(seat))])
            assert len(cards) == position.rules.players
    assert full > 20


def points_in(picture: str, line: str) -> tuple[list[str], list[str]]:
    """Return the chips and the figures of a full line, without its sum."""
    tally = marked(parsed(picture), "data-line")[line]
    return referred(tally), words(tally)[1:]


def test_exact_lines_go_to_who_filled_them_as_far_as_that_can_be_told() -> None:
    deck = ["giraffe", "monkey", "giraffe", *["monkey"] * 3, *["zebra"] * 3, "elephant"]
    position = sv.Position.from_decks(sv.Rules(), [deck, deck])
    for move in ("giraffe c5", "giraffe b4", "monkey a3"):
        position = position.play(move)
    first, second = "c5 b4 a3", "a4 b3 c2"
    # Seat 0 has filled the line, and has all points.
    assert position.scores == (3, 0)
    assert points_in(render.svg(position), first) == (["chip0"], ["3"])
    for move in ("monkey a4", "giraffe b3", "giraffe c2"):
        position = position.play(move)
    # Seat 1 has filled another: who got which cannot be told, unless the last move is.
    assert position.scores == (3, 3)
    unknown = render.svg(position.view(0))
    assert [points_in(unknown, line) for line in (first, second)] == [([], ["+3"])] * 2
    for last in ("c2", "giraffe c2", sv.Move("giraffe", "front", "c2")):
        known = render.svg(position.view(0), last=last)
        assert [points_in(known, line) for line in (first, second)] == [(["chip0"], ["3"]), (["chip1"], ["3"])]


def test_lines_at_the_target_are_never_given_to_the_wrong_team() -> None:
    """Games where lines are often at the target, and where such a line gives something for Mice alone."""
    told = untold = 0
    for rules, seed in product(["4p,mice,points=1.1.0", "4p,mice", "3p", "2p,target=8"], range(12)):
        played, moves = pictures.game(rules, seed)
        gained: dict[tuple[str, ...], tuple[int, ...]] = {}
        for before, move, after in zip(played[:-1], moves, played[1:], strict=True):
            gained |= {line.spaces: line.points for line in ref.Position.parse(str(before)).lines_filled(str(move))}
            plain, marked_last = gather(after.public()).lines, gather(after.public(), last=move).lines
            for without, line in zip(plain, marked_last, strict=True):
                if line.points is None:
                    continue
                if line.total != after.rules.target or any(line.points):
                    assert (line.points, line.unclaimed) == (gained[line.spaces], 0)
                    told += line != without
                else:
                    assert line.unclaimed == after.rules.points[2]
                    untold += line.unclaimed > 0
    assert told > 5
    assert untold > 5


def called(line: tuple[str, ...]) -> str:
    """Return what a line is called in a text."""
    if len({space[1] for space in line}) == 1:
        return f"row {line[0][1]}"
    return f"col {line[0][0]}" if len({space[0] for space in line}) == 1 else f"{line[0]}-{line[-1]}"


@pytest.mark.parametrize("rules", RULES)
def test_text_says_what_the_reference_says(rules: str) -> None:
    for position, last, lines in histories(rules):
        columns = rf"(row \d|col \w|\w\d-\w\d)((?:\s+(?:\d+|\.)){{{position.rules.teams + 1}}})  (.*?)(?=\s\s|$)"
        for source in perspectives(position)[:2]:
            text = render.text(source, last=last)
            assert max(map(len, text.splitlines())) <= 80
            found: dict[str, tuple[list[int], int, str]] = {}
            for row in text.splitlines():
                for name, numbers, points in re.findall(columns, row):
                    *sums, total = (0 if number == "." else int(number) for number in numbers.split())
                    found[name] = (sums, total, points)
            assert len(found) == 20
            for spaces, (sums, points) in lines.items():
                line = tuple(spaces.split())
                assert found[called(line)][:2] == (sums, sum(sums))
                said = found[called(line)][2]
                if points is None:
                    assert said == f"{sum(space not in position.board for space in line)} empty"
                elif said != f"+{position.rules.points[2]} last":
                    expected = [("●■▲◆"[team], str(part)) for team, part in enumerate(points) if part]
                    assert re.findall(r"(\S)\+(\d+)", said) == expected
            teams = [position.rules.team_of(seat) for seat in range(position.rules.players)]
            scores = re.findall(r"(?:score|team \d) +(\d+)  (\d+) Lion", text)
            assert scores == [(str(position.scores[team]), str(position.lions[team])) for team in teams]
            assert len(re.findall(r"[●■▲◆○□] \d +\d+ ", text)) == len(position.board)
            assert text.count("<") == (2 if last else 0)


def test_hands_decks_and_unseen_tiles() -> None:
    for rules in VARIANTS:
        for position, last in list(positions(rules))[::3]:
            for source in perspectives(position):
                root = parsed(render.svg(source, last=last))
                for seat, card in marked(root, "data-seat").items():
                    number = int(seat)
                    shown, said = referred(card), words(card)
                    if isinstance(source, sv.Position):
                        assert shown == [*source.hands[number], *source.decks[number]]
                        assert "?" not in said
                        continue
                    unseen = {animal: count for animal, count in source.unseen[number].items() if count}
                    own = number == source.seat
                    hand = list(source.hand) if own else []
                    assert sorted(shown) == sorted([*hand, *unseen])
                    assert said.count("?") == (0 if own else source.hand_sizes[number])
                    counts = said[said.index("unseen") + 1 :] if unseen else []
                    assert dict(zip(shown[len(hand) :], map(int, counts), strict=True)) == unseen
                    if source.deck_sizes[number]:
                        assert str(source.deck_sizes[number]) in said


# ------------------------------------------------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("rules", RULES)
def test_twins_look_the_same_to_the_byte(rules: str) -> None:
    """To each seat and to spectators, whether the last move is marked or not."""
    rng, pairs = random.Random(f"{rules} pictures"), 0
    for truth in truths(rules, 1)[:: count(5, 2)]:
        for seat in (None, *range(int(rules[0]))):
            other = twin(truth, seat, rng)
            if other == truth:
                continue
            one, two = (sv.Position.parse(text) for text in (truth, other))
            pairs += 1
            views = [seen_by(position, seat) for position in (one, two)]
            mover = (one.ply - 1) % one.rules.players
            placed = [space for space, tile in one.board.items() if tile.seat == mover]
            for last in (None, *placed[:2]):
                for draw in (render.svg, render.text):
                    drawn = [draw(view, last=last).encode() for view in views]
                    assert drawn[0] == drawn[1]
                    # The host sees the difference, so the test sees differences at all.
                    assert draw(one, last=last) != draw(two, last=last)
            assert views[0]._repr_svg_() == views[1]._repr_svg_()
    assert pairs > count(8, 20)


def test_a_picture_says_who_looks() -> None:
    position = pictures.game("3p")[0][9]
    said = ["all tiles shown", "as everybody sees it", *(f"as {name} sees it" for name in ("Red", "Blue", "Yellow"))]
    for source, words_of_it in zip(perspectives(position), said, strict=True):
        for picture in (render.svg(source), render.text(source)):
            assert [it for it in said if it in picture] == [words_of_it]


@pytest.mark.parametrize("rules", RULES)
def test_spectators_see_what_two_seats_agree_on(rules: str) -> None:
    """On the board a spectator sees the tiles that everybody sees: those that no seat sees alone."""
    hidden = 0
    for position, last in list(positions(rules))[::3]:
        _, public, *seats = (
            {
                space: referred(group)
                for space, group in marked(parsed(render.svg(source, last=last)), "data-space").items()
            }
            for source in perspectives(position)
        )
        for space, shown in public.items():
            assert shown == min((seat[space] for seat in seats), key=len)
            hidden += shown != max((seat[space] for seat in seats), key=len)
    assert hidden > 2


def test_no_hidden_animal_is_in_the_source() -> None:
    tiles = ["elephant", "monkey", "monkey", "monkey", "monkey", "zebra", "zebra", "zebra", "giraffe", "giraffe"]
    position = sv.Position.from_decks(sv.Rules(), [tiles, tiles]).play("elephant lion a5")
    mine, theirs = (render.svg(position.view(seat), last="a5") for seat in (0, 1))
    for picture, shown in ((mine, ["lion0", "lion", "elephant"]), (theirs, ["lion0", "lion"])):
        assert referred(marked(parsed(picture), "data-space")["a5"]) == shown
    assert "Lion with elephant beneath" in mine
    assert "beneath" not in theirs
    assert "Lion:ele" in render.text(position.view(0))
    assert "Lion:" not in render.text(position.view(1))


# ------------------------------------------------------------------------------------------------------ what is written


@pytest.mark.parametrize("rules", RULES)
def test_pictures_are_small_and_their_ids_their_own(rules: str) -> None:
    seen: dict[str, str] = {}
    for position, last in positions(rules):
        for source in perspectives(position):
            picture = render.svg(source, last=last, names=pictures.NAMES[: position.rules.players])
            assert len(picture.encode()) < LIMIT
            root = parsed(picture)
            assert root.tag == f"{SVG}svg"
            assert (root.attrib["role"], root[0].tag, root[1].tag) == ("img", f"{SVG}title", f"{SVG}desc")
            ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
            assert len(ids) == len(set(ids))
            used = {use.attrib[HREF].removeprefix("#") for use in root.iter(f"{SVG}use")}
            own = set(root.attrib["aria-labelledby"].split())
            assert used | own == set(ids)
            # Two pictures in one page share the ids of drawings that are the same, and their own only if they are.
            assert all(seen.setdefault(name, picture) == picture for name in own)
            for element in root.iter():
                if element.attrib.get("id") in used:
                    drawing = ElementTree.tostring(element).decode()
                    assert seen.setdefault(element.attrib["id"], drawing) == drawing
    assert len({name for name in seen if name.endswith("-title")}) > 40


def test_what_stays_the_same_is_drawn_the_same() -> None:
    """A move changes the groups of what it concerns and no other, so that a page can exchange these alone."""
    played, moves = GAMES["2p"]
    for before, after, move in zip(played[:-1], played[1:], moves, strict=True):
        one, two = (marked(parsed(render.svg(position)), "data-space") for position in (before, after))
        changed = [space for space in sv.SPACES if ElementTree.tostring(one[space]) != ElementTree.tostring(two[space])]
        assert changed == [move.space]


def test_drawings_of_other_kinds_have_other_ids() -> None:
    """A chip of the Team game has another shape: nothing that is shared in a page may be taken for it."""
    single, team = (render.svg(sv.Position.deal(sv.Rules.parse(rules), 1)) for rules in ("4p", "4p,team"))
    ids = [{use.attrib[HREF] for use in parsed(picture).iter(f"{SVG}use")} for picture in (single, team)]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_styles_stay_in_their_picture(theme: str) -> None:
    picture = render.svg(sv.Position.deal(sv.Rules(), 1), theme=theme, size=480)
    root = parsed(picture)
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("480", "360", "0 0 960 720")
    sheet, classes = root.find(f"{SVG}style"), {element.attrib.get("class") for element in root.iter()} - {None}
    if theme != "auto":
        assert (sheet, classes) == (None, set())
        return
    assert sheet is not None
    inner = re.fullmatch(r"@media \(prefers-color-scheme:dark\)\{(.*)\}", sheet.text or "")
    assert inner
    rules = re.findall(r"\.(sv-[a-z]+)\{[^{}]*\}", inner[1])
    assert len("".join(re.findall(r"\.sv-[a-z]+\{[^{}]*\}", inner[1]))) == len(inner[1])
    assert len(rules) == len(set(rules)) >= 12
    assert 6 < len(classes) <= len(rules)
    assert classes <= set(rules)


def test_the_sheet_of_auto_turns_it_into_the_dark_picture() -> None:
    position = pictures.game("3p")[0][11]
    light, dark, auto = (parsed(render.svg(position, theme=theme)) for theme in ("light", "dark", "auto"))
    sheet = auto.find(f"{SVG}style")
    assert sheet is not None
    rules = dict(re.findall(r"\.(sv-[a-z]+)\{([^{}]*)\}", sheet.text or ""))
    auto.remove(sheet)
    for one, two, both in zip(light.iter(), dark.iter(), auto.iter(), strict=True):
        plain = both.attrib | {"class": ""}
        for attribute in ("aria-labelledby", "id"):
            one.attrib.pop(attribute, "")
            two.attrib.pop(attribute, "")
            plain.pop(attribute, "")
        plain.pop("class")
        assert plain == one.attrib
        turned = dict(rule.split(":") for rule in rules.get(both.attrib.get("class", ""), "").split(";") if rule)
        assert plain | turned == two.attrib


def test_the_end_names_the_winners() -> None:
    ends = [GAMES[rules][0][-1] for rules in RULES]
    ends.append(next(end for seed in range(1000) if len((end := pictures.game("3p", seed)[0][-1]).winners) == 2))
    for position in ends:
        names = pictures.NAMES[: position.rules.players]
        status = words(parsed(render.svg(position, names=names)))[1]
        winners = [names[seat] for seat in range(len(names)) if position.rules.team_of(seat) in position.winners]
        together = " & " if position.rules.team_game else ", "
        assert re.sub(" (wins?|share the win)$", "", status) == together.join(winners)
        assert status.endswith("share the win") is (len(position.winners) > 1)
        assert render.text(position, names=names).startswith(f"{status}\n")


# ------------------------------------------------------------------------------------------------------ what is advised


def test_an_analysis_lies_on_the_empty_spaces() -> None:
    positions, moves = pictures.game("3p,mice", seed=8)
    for ply in (4, 12, 19):
        position = positions[ply]
        view, last = position.view(ply % 3), moves[ply - 1]
        analysis = sv.players.SoftGreedy(2000, seed=1).analyse(view)
        best: dict[str, sv.MoveAnalysis] = {}
        for it in analysis.moves:
            best.setdefault(it.move.space, it)
        for source in (position, view):
            picture = render.svg(source, last=last, analysis=analysis)
            assert len(picture.encode()) < LIMIT
            root = parsed(picture)
            shares = [it.win_share for it in best.values()]
            for space, group in marked(root, "data-space").items():
                if space in position.board:
                    continue
                it = best[space]
                assert words(group) == [f"{100 * it.win_share:.0f} %"]
                assert referred(group) == ["lion" if it.move.face == "lion" else it.move.animal]
                heat = next(box for box in group.iter(f"{SVG}rect") if "fill-opacity" in box.attrib)
                warmth = (it.win_share - min(shares)) / (max(shares) - min(shares)) if len(shares) > 1 else 0
                assert float(heat.attrib["fill-opacity"]) == pytest.approx(0.06 + 0.94 * warmth, abs=0.006)
                ghosts = [box for box in group.iter(f"{SVG}rect") if "stroke-dasharray" in box.attrib]
                assert len(ghosts) == (it.move == analysis.best)
            text = render.text(source, last=last, analysis=analysis)
            for it in best.values():
                assert f"{100 * it.win_share:.1f} %" in text
            assert f"1. {analysis.best}" in text
            assert max(map(len, text.splitlines())) <= 80


# -------------------------------------------------------------------------------------------------------- for notebooks


def test_notebooks_show_the_picture() -> None:
    position = pictures.game("2p")[0][7]
    assert position._repr_svg_() == render.svg(position)
    assert position.view(1)._repr_svg_() == render.svg(position.view(1))
