"""What a study shows: tables, HTML, JSON, frames, pictures; and what it says of arguments that make no sense."""

import copy
import json
import pickle
import re
import subprocess
import sys
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest

import savanna as sv
from savanna.players import Greedy, Random
from savanna.studies import Comparison, Estimate, compare
from tests.support.both_engines import assert_equal_by_text, assert_one_value

pytestmark = pytest.mark.thin(3)

KINDS = ("teams", "scores", "leads", "lines", "totals", "spaces", "animals", "lions")
RULES = [
    sv.Rules(),
    sv.Rules(players=3, mice=True, points=(20, 10, 30)),
    sv.Rules(players=4, absent_can_be_least=True),
    sv.Rules(players=4, team_game=True),
]
STUDIES = [sv.study(rules, games=300, seed=3) for rules in RULES]
NAMED = sv.study(sv.Rules(), players={"<Ann & co>": Greedy(), "Bo": Random()}, games=20)
LONE = sv.study(games=1)
EVERY = [*STUDIES, NAMED, LONE]


@pytest.mark.parametrize("study", EVERY, ids=lambda study: study.headline())
def test_tables_fit_a_terminal_and_hold_every_figure(study: sv.Study) -> None:
    text = str(study)
    assert repr(study).startswith(f"<Study rules={str(study.rules)!r} players={study.players!r} policy=")
    assert list(study) == list(study.tables)
    assert all(repr(study[name]) == repr(study.table(name)) for name in study)  # NaN is not equal to itself
    assert len(study) == len(study.tables)
    with pytest.raises(KeyError, match="'none'"):
        study["none"]
    assert max(map(len, text.splitlines()[1:])) <= 80
    assert text.startswith(f"Savanna Ten, rules {study.rules}, {study.games:,} games by ")
    for name in study.tables:
        for row, cells in study.table(name).items():
            shown = [line for line in text.splitlines() if line.startswith(f"{row} ")]
            values = [f"{100 * cell.value:.2f} ±" for cell in cells.values()]
            plain = [f"{cell.value:.3f} ±" for cell in cells.values()]
            assert any(all(a in line or b in line for a, b in zip(values, plain, strict=True)) for line in shown), (
                name,
                row,
            )


def test_one_game_says_what_it_does_not_know() -> None:
    assert "± ?" in str(LONE)
    assert "nan" not in str(LONE) + str(LONE.to_dict())
    assert LONE.to_dict()["tables"]["spaces"]["a5"]["at once"]["low"] is None


@pytest.mark.parametrize("shown", [*EVERY, compare(EVERY)], ids=lambda shown: type(shown).__name__)
def test_html_is_well_formed_and_escaped(shown: sv.Study | Comparison) -> None:
    tree = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
    cells = [cell.text or "" for cell in tree.iter("td")]
    text = str(shown)
    assert len(cells) > 10
    assert [cell for cell in cells if cell not in text] == []
    if shown is NAMED:
        assert "<Ann & co>" in cells


@pytest.mark.parametrize("study", EVERY, ids=lambda study: study.headline())
def test_dict_and_frame_hold_the_same(study: sv.Study) -> None:
    facts = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert (facts["rules"], facts["seed"], facts["games"], facts["deals"]) == (
        *(str(study.rules), study.seed),
        *(study.games, study.deals),
    )
    assert sum(count for _, count in facts["scores"][0]) == study.games
    assert sum(value * count for value, count in facts["leads"][0]) == pytest.approx(
        study.games * study.table("teams")[next(iter(study.table("teams")))]["lead"].value
    )
    assert sum(count for counted in facts["totals"].values() for _, count in counted) == 20 * study.games
    frame = study.to_frame()
    assert list(frame.columns) == ["table", "row", "column", *Estimate._fields]
    seen = 0
    for name, row, column, *cell in frame.itertuples(index=False):
        wanted = facts["tables"][name][row][column]
        assert [None if value != value else value for value in cell] == list(wanted.values())
        seen += 1
    assert seen == sum(len(cells) for table in facts["tables"].values() for cells in table.values())


@pytest.mark.parametrize("kind", [*KINDS, "all"])
def test_pictures_are_drawn(kind: str) -> None:
    study = {"spaces": LONE, "teams": NAMED, "lions": STUDIES[2], "scores": STUDIES[3]}.get(kind, STUDIES[1])
    figure = study.plot(kind)
    assert len(figure.axes) == (len(KINDS) if kind == "all" else 1)
    assert all(axes.get_title() for axes in figure.axes)
    file = BytesIO()
    figure.savefig(file, format="svg")
    tree = ElementTree.fromstring(file.getvalue())
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}path"))) > 10


def patches(study: sv.Study, kind: str) -> list[Any]:
    return list(study.plot(kind).axes[0].patches)


def test_pictures_show_the_figures() -> None:
    study = STUDIES[1]
    bars = [bar.get_height() for bar in patches(study, "teams")]
    assert bars == pytest.approx([100 * cells["win share"].value for cells in study.table("teams").values()])
    heights = [bar.get_height() for bar in patches(study, "animals")]
    front = [cells["in the end"].value for row, cells in study.table("animals").items() if "lion" not in row]
    assert heights[:5] == pytest.approx(front)
    board = study.plot("spaces").axes[0]
    assert [label.get_text() for label in board.get_xticklabels()] == list("abcde")
    assert [label.get_text() for label in board.get_yticklabels()] == list("54321")  # rank 5 is on top
    shown = {}
    for text in board.texts:
        column, row = text.get_position()
        shown["abcde"[int(column)] + "54321"[int(row)]] = text.get_text()
    assert board.yaxis_inverted()
    assert shown == {space: f"{cells['in the end'].value:.2f}" for space, cells in study.table("spaces").items()}


def test_a_comparison_shows_each_study_in_a_row() -> None:
    comparison = compare(STUDIES)
    assert comparison.studies == tuple(STUDIES)
    text = str(comparison)
    assert max(map(len, text.splitlines()[4:])) <= 80
    rows = comparison.rows()
    assert [list(row)[:-5] for row in rows] == [list(study.table("teams")) for study in STUDIES]
    for number, (study, row) in enumerate(zip(STUDIES, rows, strict=True), start=1):
        assert f"{number}  {study.headline()}" in text
        assert row["Lions"] == study.table("lions")["all"]["share"]
        assert row["exact"] == study.table("lines")["all"]["exact"]
        assert row["lead"] == study.table("lead")["first over second"]["points"]
        win = f"{100 * next(iter(row.values())).value:.2f} ±"
        assert re.search(rf"^{number} +{re.escape(win)}", text, re.MULTILINE)
    assert comparison.to_dict() == {"studies": [study.to_dict() for study in STUDIES]}


def test_copies_are_equal_and_arrays_are_the_callers() -> None:
    for study in (STUDIES[0], NAMED):
        for copied in (copy.copy(study), copy.deepcopy(study), pickle.loads(pickle.dumps(study))):
            assert_one_value(study, copied)
        assert_equal_by_text(study, sv.study(study.rules, games=77))
    study = STUDIES[0]
    before = study.to_dict()
    for name in ("score_histogram", "lead_histogram", "total_histogram"):
        getattr(study, name)[:] = 0
    assert study.to_dict() == before


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [
        ("pandas", "frame", "study.to_frame()"),
        ("matplotlib", "plot", "study.plot()"),
    ],
)
def test_without_an_extra_the_error_says_which(module: str, extra: str, call: str) -> None:
    program = (
        f"import sys; sys.modules[{module!r}] = None; import savanna as sv; study = sv.study(games=5)\n"
        f"try: {call}\nexcept ImportError as error: print(error)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert f"pip install 'savanna-core[{extra}]'" in result.stdout


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    program = (
        "import sys, savanna as sv; print('numpy' in sys.modules); sv.study(games=5)\n"
        "print({'pandas', 'matplotlib', 'rich'} & {*sys.modules})\n"
        "sv.study(games=5).plot(); print('matplotlib.pyplot' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout.split("\n")[:3] == ["False", "set()", "False"]


class Cheat:
    """Plays what it may not."""

    def choose(self, view: sv.View) -> str:
        return "mouse a5"


class Broken:
    """Raises something."""

    def choose(self, view: sv.View) -> str:
        raise RuntimeError("no idea")


BAD: list[tuple[type[Exception], str, dict[str, Any]]] = [
    (TypeError, "rules must be Rules, not str", {"rules": "3p"}),
    (TypeError, "players must be a dict or a sequence of players, not str", {"players": "greedy"}),
    (TypeError, "player '3' must have a method choose, got int", {"players": 3}),
    (TypeError, "a player must be an object, not a class: Random(...) instead of Random", {"players": Random}),
    (sv.SavannaError, "players must be 1 to 100 of different names, got 0", {"players": []}),
    (sv.SavannaError, "policy must be one of uniform, soft-greedy, keen-greedy, got 'clever'", {"policy": "clever"}),
    (TypeError, "policy", {"policy": 3}),
    (sv.SavannaError, "by players or by a policy", {"policy": "uniform", "players": Random()}),
    (sv.SavannaError, "game 0 of the study, deal 0: Cheat in seat 0 did not play on: illegal", {"players": Cheat()}),
    (
        sv.SavannaError,
        "game 0 of the study, deal 0: Broken in seat 1 did not play on: exception: RuntimeError: no idea",
        {"players": [Random(), Broken()]},
    ),
    (TypeError, "progress must be a function, not int", {"progress": 3}),
    (TypeError, "games must be an int, not float", {"games": 2.5}),
    (sv.SavannaError, "games must be 1 to 9007199254740992, got 0", {"games": 0}),
    (sv.SavannaError, "threads must be 1 to 1024, got 0", {"threads": 0}),
    (sv.SavannaError, "seed must be 0 to 18446744073709551615, got -1", {"seed": -1}),
]


@pytest.mark.parametrize(("kind", "words", "options"), BAD, ids=lambda value: repr(value)[:40])
def test_bad_arguments(kind: type[Exception], words: str, options: dict[str, Any]) -> None:
    with pytest.raises(kind, match=re.escape(words)) as caught:
        sv.study(**{"games": 10, "threads": 1, **options})
    assert "\n" not in str(caught.value)


def test_bad_questions() -> None:
    study: Any = STUDIES[0]
    with pytest.raises(sv.SavannaError, match="unknown table 'players', there are teams, endings"):
        study.table("players")
    with pytest.raises(TypeError, match="table must be a str, not int"):
        study.table(3)
    with pytest.raises(sv.SavannaError, match="unknown kind of plot 'pie', known are teams"):
        study.plot("pie")
    with pytest.raises(TypeError, match="kind must be a str, not NoneType"):
        study.plot(None)
    with pytest.raises(sv.SavannaError, match="need at least one study"):
        compare([])
    bad: Any
    for bad in (study, "studies", [3], None):
        with pytest.raises(TypeError):
            compare(bad)


@pytest.mark.parametrize("options", [{"games": 70_000}, {"games": 60, "players": [Random(), Greedy()]}])
def test_progress_is_told_and_can_stop_it(options: dict[str, Any]) -> None:
    calls: list[tuple[int, int]] = []
    sv.study(**options, threads=2, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (options["games"],) * 2
    assert calls == sorted(set(calls))

    def stop(_done: int, _total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sv.study(**options, threads=2, progress=stop)
