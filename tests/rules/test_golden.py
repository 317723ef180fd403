"""The compiled engine replays games that were written down independently of it, to every point and every Lion."""

from collections import Counter
from typing import Any

import pytest

import savanna as sv
from tests.support.both_engines import check_golden_game, golden_games

GOLDEN = golden_games()


@pytest.mark.parametrize("game", GOLDEN, ids=range(len(GOLDEN)))
def test_golden_game(game: dict[str, Any]) -> None:
    check_golden_game(sv, game)


def test_golden_games_show_every_case() -> None:
    variants: Counter[tuple[Any, ...]] = Counter()
    cases: Counter[str] = Counter()
    for game in GOLDEN:
        rules = game["rules"]
        variants[rules["players"], rules["mice"], rules["team_game"]] += 1
        cases["shared win"] += len(game["winners"]) > 1
        cases["won by fewer Lions"] += game["final_score"].count(max(game["final_score"])) > len(game["winners"])
        for played in game["plies"]:
            for line in played["lines"]:
                cases["exact"] += line["total"] == 10
                cases["below"] += line["total"] < 10
                cases["above"] += line["total"] > 10
                cases["tie in a line"] += len(line["points"]) > 1
                cases["exact with a Mouse"] += line["total"] == 10 and max(line["points"].values()) > 3
    assert len(variants) == 8
    assert min(cases.values()) > 0
