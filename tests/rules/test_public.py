"""Public views: what everybody sees, and what needs a seat."""

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

import savanna as sv
from savanna import players
from savanna import reference as ref
from savanna.envs import Layout
from savanna.types import Policy
from tests.support.both_engines import PRINTED_VARIANTS, in_other_engine, random_game

ENGINES = [sv, ref]
ENGINE_NAMES = ["savanna", "reference"]
TRUTH = "2p ..../..0G./..../..../.... mm/me gzezmmz/gzmgzzmm 0/0"
TEXT = "seat=- 2p ..../..0?./..../..../.... ??/?? ???????/???????? 0/0"


@pytest.mark.parametrize("engine", ENGINES, ids=ENGINE_NAMES)
def test_a_public_view_by_hand(engine: Any) -> None:
    position = engine.Position.parse(TRUTH)
    view = position.public()
    assert str(view) == TEXT
    assert repr(view) == f"View.parse({TEXT!r})"
    assert (view.seat, view.to_move, view.hand) == (None, 1, ())
    assert (view.hand_sizes, view.deck_sizes) == ((2, 2), (7, 8))
    assert view.board == {"c4": (0, None, "lion")}
    deck = {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1, "mouse": 0}
    assert view.unseen == (deck, deck)
    assert view.legal_moves() == []
    assert view.legal_mask() == bytes(200)
    for twin in (engine.View.parse(TEXT), pickle.loads(pickle.dumps(view)), copy.copy(view), copy.deepcopy(view)):
        assert twin == view
        assert hash(twin) == hash(view)
        assert str(twin) == TEXT
    assert view not in (position.view(0), position.view(1))
    assert in_other_engine(in_other_engine(view)) == view


@pytest.mark.parametrize(
    ("wrong", "savanna", "reference"),
    [
        (
            TEXT.replace("=-", "=x"),
            "character 5: expected a seat that plays",
            "character 5: expected a seat digit or '-'",
        ),
        (TEXT.replace("=-", "=2"), "character 5: expected a seat that plays", "character 5: seat must be 0 to 1"),
        (TEXT.replace("=-", "=-1"), "character 6: expected ' '", "character 6: expected ' '"),
        (TEXT.replace("=-", "="), "character 5: expected", "character 5: expected"),
        (
            TEXT.replace("0?", "0G"),
            "character 18: expected '?', found 'G'",
            "character 18: expected the letter of a tile",
        ),
        (TEXT.replace("??/??", "mm/??"), "character 36: expected '?', found 'm'", "character 36: expected '?' or '-'"),
        (
            TEXT.replace("??/??", "??/?"),
            "character 40: expected '?', found ' '",
            "hands: seat 1 has 1 tiles there, not 2",
        ),
        (TEXT.replace(" 0/0", " 3/0"), "the lines on the board cannot give these scores", "cannot have given 3/0"),
    ],
)
def test_texts_are_read_strictly(wrong: str, savanna: str, reference: str) -> None:
    for engine, problem in ((sv, savanna), (ref, reference)):
        with pytest.raises(sv.NotationError, match=re.escape(problem)):
            engine.View.parse(wrong)


@pytest.mark.parametrize("options", PRINTED_VARIANTS, ids=str)
def test_samples_and_playouts_keep_the_view(options: dict[str, Any]) -> None:
    rules = sv.Rules(**options)
    for seed, position in enumerate(random_game(sv.Position.deal(rules, 5), 5)):
        view = position.public()
        sample = view.sample(seed)
        sample.check()
        assert sample.public() == view
        assert str(sample) == str(in_other_engine(view).sample(seed))
        assert sample != position or position.ply > 15
        plays = sv.playouts(view, games=20, seed=seed)
        assert {plays.start(game).public() for game in range(20)} == {view}
        stats = sv.rollout(view, games=20, seed=seed)
        assert [sum(plays.scores[:, team].tolist()) for team in range(rules.teams)] == [
            sum(score * int(games) for score, games in enumerate(histogram)) for histogram in stats.score_histogram
        ]
        assert view.ply == position.ply


@pytest.mark.parametrize("options", PRINTED_VARIANTS, ids=str)
@pytest.mark.parametrize("policy", ["uniform", "soft-greedy", "keen-greedy"])
def test_before_the_first_move_all_deals_fit(options: dict[str, Any], policy: Policy) -> None:
    """Everything is hidden then, so that the games are those of the rules, to the last bit."""
    rules = sv.Rules(**options)
    view = sv.Position.deal(rules, 1).public()
    assert view == sv.Position.deal(rules, 2).public()
    same = [sv.rollout(source, games=2000, seed=9, policy=policy) for source in (view, rules)]
    assert same[0] == same[1]


NO_SEAT = "a public view has no seat to move for"
REFUSED: dict[str, tuple[Callable[[sv.View], object], str]] = {
    "random": (lambda view: players.Random(seed=1).choose(view), NO_SEAT),
    "greedy": (lambda view: players.Greedy(seed=1).choose(view), NO_SEAT),
    "flat": (lambda view: players.FlatMonteCarlo(100).choose(view), NO_SEAT),
    "soft": (lambda view: players.SoftGreedy(100).analyse(view), NO_SEAT),
    "ismcts": (lambda view: players.Ismcts(100).analyse(view), NO_SEAT),
    "champion": (lambda view: players.Champion(100).choose(view), NO_SEAT),
    "analyse": (lambda view: sv.analyse(view, iterations=100), NO_SEAT),
    "rank": (lambda view: sv.rank_moves(view, games=100), "source must be a Position, or a View of the seat to move"),
    "observe": (lambda view: Layout(view.rules).observe(view), "a public view has no seat to observe for"),
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_needs_a_seat_is_refused(call: str) -> None:
    function, text = REFUSED[call]
    for options in PRINTED_VARIANTS:
        # The last plies have another way to be searched.
        for position in random_game(sv.Position.deal(sv.Rules(**options), 3), 3)[:20:6]:
            with pytest.raises(sv.SavannaError, match=f"^{text}$"):
                function(position.public())


def test_a_solver_takes_no_view() -> None:
    with pytest.raises(TypeError, match=r"Position"):
        sv.solve(sv.View.parse(TEXT))  # type: ignore[arg-type]


def test_a_picture_of_a_public_view_says_so() -> None:
    view = sv.View.parse(TEXT)
    assert "as everybody sees it" in sv.render.text(view)
    assert "as everybody sees it" in sv.render.svg(view)
    assert "all tiles shown" in sv.render.text(sv.Position.parse(TRUTH))
