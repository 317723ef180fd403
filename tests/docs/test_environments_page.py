"""docs/environments.md tells how observations are laid out as they are; that its Python runs is in test_pages.py."""

import numpy as np
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Layout
from tests.support.layout_tables import DOCUMENT, GAMES, TABLES, written


def test_tables_are_those_of_the_code() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == written(text), "run python -m tests.support.layout_tables"


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_not_up_to_date_is_seen(name: str) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    row = TABLES[name]().splitlines()[-1]
    assert text.count(row) == 1
    assert written(text.replace(row, row.replace("|", "| 7", 1))) == text
    assert written(text.replace(row + "\n", "")) == text


def test_a_table_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="the table 'layout' is there 0 times"):
        written("nothing")


def test_rows_stand_for_what_the_text_says() -> None:
    """Seats are four in both games of four players, teams two in one of them, and the rest does not depend on them."""
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    kinds = {(4, 4): "the seats", (4, 2): "the teams"}
    rows = [{part.name: part.shape[0] for part in Layout(GAMES[name]).sections} for name in ("4 players", "Team game")]
    for counts, kind in kinds.items():
        names = ", ".join(f"`{name}`" for name in rows[0] if (rows[0][name], rows[1][name]) == counts)
        assert f"{kind} ({names})" in text


def test_rewards_up_to_the_next_turn_are_what_a_decision_brought() -> None:
    """With what came before a seat's first turn, the text's recipe for credit adds up to the margin."""
    env = BatchEnv(32, sv.Rules(players=3), seed=5, reward="margin-change")
    steps = np.array([env.step(env.sample_actions()).rewards for _ in range(20)])
    ends = env.final_observations(0)
    start = {part.name: part.start for part in env.layout.sections}["score"]
    scores = ends[:, start : start + 3]
    for seat in range(3):
        brought = sum(steps[ply : ply + 3, :, seat].sum(0) for ply in range(seat, 20, 3))
        others = (scores.sum(1) - scores[:, seat]) / 2
        np.testing.assert_allclose(brought + steps[:seat, :, seat].sum(0), scores[:, seat] - others, atol=1e-5)
