"""Broken notation: refused by `NotationError` with the place, or read as what `str` gives back, in both engines."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import savanna
from savanna import NotationError, reference

pytestmark = pytest.mark.thin(2)

SIGNS = (*"019 ./-?,=pmeM", "\n", "\0", "é", "٣", "\u2028", "😀", "\ud800")


def game(plies: int, **options: Any) -> savanna.Position:
    """Play a fixed game for so many plies, with Lions among its tiles."""
    position = savanna.Position.deal(savanna.Rules(**options), seed=12)
    for ply in range(plies):
        legal = position.legal_moves()
        position = position.play(legal[7 * ply % len(legal)])
    return position


MIDDLE = game(9)
END = game(20, players=3, mice=True)
TEAMS = game(11, players=4, team_game=True, target=11, deck={"monkey": 5, "elephant": 2})
TEXTS = {
    "Move": ["zebra c4", "zebra lion c4", "mouse a5"],
    "Rules": [
        "2p",
        "3p,mice,points=0.1.100",
        "4p,mice,team,deck=3.2.1.1.1,target=11,bonus=3,absent",
        "2p,influence=2.3.4.5.1.15",
    ],
    "Position": [str(MIDDLE), str(END), str(TEAMS)],
    "View": [str(MIDDLE.view(1)), str(TEAMS.view(0))],
}
CASES = [(kind, text) for kind, texts in TEXTS.items() for text in texts]
each_case = pytest.mark.parametrize(("kind", "text"), CASES, ids=[f"{kind} {text[:12]}" for kind, text in CASES])


def outcome(engine: Any, kind: str, text: str) -> tuple[str | None, int | None]:
    """Return the text of what is read or None, and the character that an error names."""
    try:
        value = getattr(engine, kind).parse(text)
    except Exception as raised:
        error = raised
    else:
        assert str(value) == text
        return text, None
    message = str(error)
    assert type(error) is NotationError, message[:300]
    assert len(message) < 300, f"{message[:300]}..."
    assert len(message.splitlines()) == 1, message
    place = re.search(r"character (\d+): ", message)
    assert place is None or int(place[1]) <= len(text)
    return None, place and int(place[1])


def accepted_by_both(kind: str, text: str) -> bool:
    compiled, plain = outcome(savanna, kind, text), outcome(reference, kind, text)
    assert compiled[0] == plain[0], text[:300]
    return compiled[0] is not None


def mangled(text: str) -> Iterator[tuple[int, str]]:
    """Yield where and how the text is cut off, or loses, gets or changes a character."""
    for at in range(len(text)):
        yield at, text[:at]
        yield at, text[:at] + text[at + 1 :]
        yield at, text[:at] + text[at].swapcase() + text[at + 1 :]
        for sign in SIGNS:
            yield at, text[:at] + sign + text[at + 1 :]
            yield at, text[:at] + sign + text[at:]
    for sign in SIGNS:
        yield len(text), text + sign


@each_case
def test_every_character_counts(kind: str, text: str) -> None:
    assert accepted_by_both(kind, text)
    rules_end = re.match(r"(seat=\d )?\S*", text)
    assert rules_end
    refusals = 0
    for at, other in mangled(text):
        results = [outcome(engine, kind, other) for engine in (savanna, reference)]
        assert results[0][0] == results[1][0], other
        for read, place in results:
            refusals += read is None
            # What stands before the change is right. Only the rules may make what stands before wrong.
            if place is not None and at >= rules_end.end():
                assert place >= at, (other, place)
    assert refusals > 30 * len(text)


@each_case
def test_very_long_texts(kind: str, text: str) -> None:
    many = 10**6
    middle = len(text) // 2
    for long in (
        text + " " * many,
        " " * many + text,
        text[:middle] + text[middle] * many + text[middle:],
        text * 10**5,
    ):
        assert not accepted_by_both(kind, long)
    for sign in (*"0159 ./-?,=m", "😀", "\ud800", "\0"):
        assert not accepted_by_both(kind, text + sign * many)
        assert not accepted_by_both(kind, sign * many)


@pytest.mark.parametrize("engine", [savanna, reference], ids=["compiled", "reference"])
@pytest.mark.parametrize(
    ("kind", "text", "place"),
    [
        ("Position", "2p ..x./..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0", 5),
        ("Position", "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0 ", 55),
        ("Position", "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/00", 55),
        ("Position", "2p ..../..../..../..../.... mm/gz mmzzzgge/mmmmzzge 0/0", 31),
        ("Position", "2p,target=10 ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0", 2),
        ("View", "seat=x 2p", 5),
        ("View", "seat=2 2p ..../..../..../..../.... mm/?? ????????/???????? 0/0", 5),
        ("View", "seat=0 2p ..../..../..../..../.... mm/zg ????????/???????? 0/0", 38),
        ("Rules", "2p,", 3),
        ("Rules", "2p,miced", 7),
        ("Rules", "2p,target=12é", 12),
        ("Rules", "", 0),
    ],
)
def test_errors_name_the_character(engine: Any, kind: str, text: str, place: int) -> None:
    assert outcome(engine, kind, text) == (None, place)


def spliced(texts: list[str]) -> st.SearchStrategy[str]:
    """Build texts out of pieces of the right ones, which are wrong in other ways than single characters are."""
    pieces = st.tuples(st.sampled_from(texts), st.integers(0, 90), st.integers(0, 90)).map(
        lambda it: it[0][it[1] : it[2]]
    )
    fields = st.sampled_from([field for text in texts for field in text.split(" ")])
    return st.one_of(
        st.lists(pieces, min_size=1, max_size=4).map("".join),
        st.lists(fields, min_size=1, max_size=6).map(" ".join),
        st.tuples(st.sampled_from(texts), st.integers(0, 90), st.text(max_size=3)).map(
            lambda it: it[0][: it[1]] + it[2] + it[0][it[1] + len(it[2]) :]
        ),
    )


@pytest.mark.parametrize("kind", TEXTS)
def test_fuzz(kind: str) -> None:
    @settings(max_examples=400, derandomize=True, database=None, deadline=None)
    @given(st.one_of(st.text(), spliced(TEXTS[kind])))
    def judged_alike(text: str) -> None:
        accepted_by_both(kind, text)

    judged_alike()
