"""Rust, Python, C and the engine process give the same answers about the same views."""

import json
from pathlib import Path
from typing import Any

import pytest

import savanna as sv
from tests.support.both_engines import views_of_all_games
from tests.support.capi_library import Library, build, run
from tests.support.engine_process import Engine
from tests.support.paths import ROOT

GAMES, ITERATIONS = 300, 60
Answers = list[Any]
"""Legal action ids; the sum of scores of each team; lines below, at and above the target; total, empty spaces and
scorer of each line, which the engine process leaves out; the best action id, -1 where the seat is not to move."""


@pytest.fixture(scope="module")
def views() -> list[sv.View]:
    """Return 200 views of seats to move, and for every fifth of them the public view of such a position."""
    views = views_of_all_games()
    return views + [view.sample(seed).public() for seed, view in enumerate(views[::5])]


def summed(histogram: list[list[int]]) -> list[int]:
    """Return the sum of each team's scores."""
    return [sum(score * games for score, games in enumerate(row)) for row in histogram]


def by_python(views: list[sv.View]) -> list[Answers]:
    answers = []
    for seed, view in enumerate(views):
        stats = sv.rollout(view, GAMES, seed=seed)
        scores = summed(stats.score_histogram.tolist())
        lines = [stats.lines_below, stats.lines_above, stats.lines_exact]
        stand = [[it.total, it.empty, -1 if it.scorer is None else it.scorer] for it in view.lines]
        legal = [move.action for move in view.legal_moves()]
        best = sv.players.Champion(iterations=ITERATIONS, seed=seed).choose(view).action if legal else -1
        answers.append([legal, scores, lines, stand, best])
    return answers


def by_rust(views: list[sv.View], folder: Path) -> list[Answers]:
    """Link the example with the crate as it was built for C, rather than build that once more."""
    crate, program = build() / "libsavanna_core.rlib", folder / "answers"
    source = ROOT / "examples" / "answers.rs"
    command = ["rustc", "--edition=2024", "-Copt-level=1", "--extern", f"savanna_core={crate}"]
    run([*command, str(source), "-o", str(program)])
    result = run([str(program), str(GAMES), str(ITERATIONS)], input="".join(f"{view}\n" for view in views))
    return [json.loads(line) for line in result.stdout.splitlines()]


def by_c(views: list[sv.View]) -> list[Answers]:
    library, answers = Library(build() / "libsavanna_core.so"), []
    for seed, view in enumerate(views):
        handle = library.parse("view", str(view))
        tally = library.rollout("view", handle, library.options(games=GAMES, seed=seed, threads=1))
        scores = list(tally.scores)[: view.rules.teams]
        stand = [[it.total, it.empty, it.scorer] for it in library.lines("view", handle)]
        legal, effort = library.legal("view", handle), library.effort(iterations=ITERATIONS, seed=seed, threads=1)
        best = library.analyse(handle, effort)[0] if legal else -1
        answers.append([legal, scores, list(tally.lines), stand, best])
    library.close()
    return answers


def by_the_engine_process(views: list[sv.View]) -> list[Answers]:
    answers = []
    with Engine() as engine:
        for seed, view in enumerate(views):
            engine.look_at(view)
            legal = [move["action"] for move in engine.ask("legalMoves")["moves"]]
            said = engine.ask("rollout", games=GAMES, seed=seed, threads=2)
            scores = summed(said["score_histogram"])
            lines = [said["lines_below"], said["lines_above"], said["lines_exact"]]
            best = engine.ask("bestMove", iterations=ITERATIONS, seed=seed)["action"] if legal else -1
            answers.append([legal, scores, lines, best])
    return answers


def test_everybody_gives_the_same_answers(views: list[sv.View], tmp_path: Path) -> None:
    build()  # or skip, before anything else is done
    expected = by_python(views)
    assert len(expected) == len({json.dumps(answers) for answers in expected}) == 240
    assert by_rust(views, tmp_path) == expected
    assert by_c(views) == expected
    assert by_the_engine_process(views) == [[*it[:3], it[-1]] for it in expected]
