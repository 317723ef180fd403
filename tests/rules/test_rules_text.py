"""The rules in words say what the engine plays: its tables, numbers and the board are read from the text."""

import re
from importlib.resources import files

import pytest

import savanna as sv
from savanna import reference

TEXT = files("savanna").joinpath("rules.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())
ANIMALS = ("monkey", "zebra", "giraffe", "elephant")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_decks_and_turns(players: int) -> None:
    (row,) = re.findall(rf"^\| {players} \| (.*) \|$", TEXT, flags=re.MULTILINE)
    *counts, tiles, turns = row.split(" | ")
    deck = sv.Rules(players=players).deck
    assert [int(count) for count in counts] == [deck[animal] for animal in ANIMALS]
    assert int(tiles) == sum(deck.values())
    placed = [int(number) for number in turns.partition(" (")[0].split(", ")]
    assert placed == [len(range(seat, 20, players)) for seat in range(players)]
    assert ("one tile is never played" in turns) == (placed[0] < sum(deck.values()))


def test_influence() -> None:
    (listed,) = re.findall(r"\*\*influence\*\*: ([^.]*)\.", WORDS)
    said = {name.lower(): int(number) for name, number in (item.split() for item in listed.split(", "))}
    assert said == sv.Rules().influence


def test_points_and_target() -> None:
    said = re.findall(r"\*\*(below|above|exactly) (\d+):\*\* [^;.]* scores? (\d+)", WORDS)
    rules = sv.Rules()
    kinds = ("below", "above", "exactly")
    assert said == [(kind, str(rules.target), str(points)) for kind, points in zip(kinds, rules.points, strict=True)]
    assert f"then gets {sv.Rules(players=3).last_seat_bonus} points" in WORDS


def test_the_board_and_its_lines() -> None:
    """The picture has every space in its place, and the text counts lines as the plain engine finds them."""
    (picture,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    assert tuple(re.findall(r"\b[a-e][1-5]\b", picture)) == reference.SPACES
    for line in picture.splitlines():
        rank, *cells = line.split()
        assert [cell for cell in cells if cell != "--"] == [
            f"{column}{rank}" for column, cell in zip("abcde", cells, strict=True) if cell != "--"
        ]
    lengths = sorted(len(line) for line in reference.LINES)
    assert lengths == [3] * 8 + [4] * 12
    on = [sum(space in line for line in reference.LINES) for space in reference.SPACES]
    assert f"{on.count(4)} spaces lie on four lines, {on.count(3)} on three" in WORDS


def test_the_text_says_what_is_assumed() -> None:
    assert "## What is published, and what is assumed" in TEXT
    for part in (
        "**Published in the summary:**",
        "**Published elsewhere:**",
        "**Assumed, because the summary is silent:**",
    ):
        assert part in TEXT
