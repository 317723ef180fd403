"""Analyses as values, as plain data, and as people see them; what they say is tested with the players."""

import copy
import json
import pickle
from html.parser import HTMLParser

import pytest

import savanna as sv
from savanna.players import FlatMonteCarlo, SoftGreedy
from tests.support.both_engines import PRINTED_VARIANTS, views

RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_analyses_are_values(rules: sv.Rules) -> None:
    for view in views(rules)[::7]:
        analysis = SoftGreedy(3000).analyse(view)
        again = SoftGreedy(3000, threads=2).analyse(view)
        assert (analysis, hash(analysis)) == (again, hash(again))
        assert (analysis.threads, again.threads) == (1, 2)
        twins = [pickle.loads(pickle.dumps(analysis, protocol)) for protocol in range(6)]
        for twin in [*twins, copy.copy(analysis), copy.deepcopy(analysis)]:
            assert type(twin) is sv.Analysis
            assert (twin, hash(twin), repr(twin)) == (analysis, hash(analysis), repr(analysis))
            assert (twin.seconds, twin.threads, twin.moves) == (analysis.seconds, analysis.threads, analysis.moves)
        assert analysis != SoftGreedy(3000, seed=1).analyse(view)
        assert all(type(it) is sv.MoveAnalysis and len(it.scores) == rules.teams for it in analysis.moves)


def test_an_analysis_is_written_for_programs() -> None:
    analysis = FlatMonteCarlo(1000).analyse(views(RULES[2])[4])
    written = json.loads(json.dumps(analysis.to_dict()))
    assert sorted(written) == ["iterations", "moves"]
    assert written["iterations"] == analysis.iterations
    assert len(written["moves"]) == len(analysis.moves)
    for row, it in zip(written["moves"], analysis.moves, strict=True):
        assert row == it._asdict() | {"move": str(it.move), "scores": list(it.scores), "line": []}


class Cells(HTMLParser):
    """The texts of a table's cells, and whether all that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.cells.append(data)


def test_an_analysis_is_shown_to_people() -> None:
    for view in (views(RULES[0])[2], views(RULES[0])[18]):
        analysis = SoftGreedy(2000).analyse(view)
        title, head, *rows = repr(analysis).removeprefix("<Analysis: ").removesuffix(">").splitlines()
        assert title == f"{analysis.iterations} iterations, best of {len(analysis.moves)} moves"
        assert len({len(row) for row in (head, *rows)}) == 1
        shown = [
            [str(it.move), str(it.visits), f"{it.win_share:.4f}", f"{it.stderr:.4f}", f"{it.margin:+.2f}"]
            for it in analysis.moves[:5]
        ]
        assert [row.split() for row in rows] == [" ".join(row).split() for row in shown]
        html = Cells(analysis._repr_html_())
        assert html.open == []
        assert html.cells == [
            "move",
            "visits",
            "win share",
            "error",
            "margin",
            *(cell for row in shown for cell in row),
        ]


def test_an_analysis_cannot_be_forged() -> None:
    restore, parts = FlatMonteCarlo(100).analyse(views(RULES[0])[9]).__reduce__()
    teams, rows, iterations, seconds, threads = parts
    nan = rows[0]._replace(win_share=float("nan"))
    for wrong in (
        (teams, (), iterations, seconds, threads),
        (3, rows, iterations, seconds, threads),
        (9, rows, iterations, seconds, threads),
        (teams, (nan,), iterations, seconds, threads),
        (teams, rows, iterations, -1.0, threads),
    ):
        with pytest.raises(sv.SavannaError, match=r"^pickled analysis: these numbers cannot be$"):
            restore(*wrong)


def test_it_is_a_sequence_of_its_moves() -> None:
    analysis = FlatMonteCarlo(100).analyse(views(RULES[0])[9])
    moves = analysis.moves
    assert tuple(analysis) == moves
    assert len(analysis) == len(moves) > 3
    assert (analysis[0], analysis[-1], analysis[1:3]) == (moves[0], moves[-1], moves[1:3])
    assert analysis[0].move == analysis.best
    with pytest.raises(IndexError):
        analysis[len(moves)]
