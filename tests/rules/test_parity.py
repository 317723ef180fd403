"""The compiled engine and the plain Python one play the same games in step and must agree on all there is to see.

About 1,300 plies are played by default, 3,000 with `--full`, and more than 100,000 with
`pytest --full --hypothesis-profile=full tests/rules/test_parity.py`. The end of the run tells how many there were.
"""

import math
import random
from typing import Any

import pytest
from hypothesis import seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

import savanna as sv
from savanna import reference as ref
from tests.support.both_engines import (
    PLAYED,
    assert_equal_by_text,
    assert_one_value,
    assert_same,
    in_other_engine,
    notation,
)
from tests.support.full import count
from tests.support.strategies import VARIANTS, rules_options, seeds

RUST_MOVES = [sv.Move.from_action(action) for action in range(200)]
PYTHON_MOVES = [ref.Move.from_action(action) for action in range(200)]
GAMES_PER_EXAMPLE = 2
PLIES_PER_EXAMPLE = 20 * GAMES_PER_EXAMPLE


def name(variant: dict[str, Any]) -> str:
    words = [word for word in ("mice", "team_game", "absent_can_be_least") if variant[word]]
    return " ".join([f"{variant['players']} players", *words])


def refusal(position: Any, move: Any) -> tuple[type[Exception], str] | None:
    """Play a move; return the exception and its text, None if there is none."""
    try:
        position.play(move)
    except sv.SavannaError as error:
        return type(error), str(error)
    return None


def seen_by(position: Any, seat: int | None) -> Any:
    """Return the view of a seat, or of everybody."""
    return position.public() if seat is None else position.view(seat)


class InStep(RuleBasedStateMachine):
    """One game of a variant after the other, in both engines at once."""

    variant: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self.rust: Any = None
        self.python: Any = None

    @precondition(lambda self: self.rust is None or self.rust.is_over)
    @rule(data=st.data(), seed=seeds, explicit_decks=st.booleans())
    def deal(self, data: st.DataObject, seed: int, explicit_decks: bool) -> None:
        options = data.draw(rules_options(self.variant), "options")
        rules, same_rules = sv.Rules(**options), ref.Rules(**options)
        assert_same(rules, same_rules)
        assert_one_value(rules, in_other_engine(same_rules))
        assert_one_value(same_rules, in_other_engine(rules))
        assert_one_value(rules, eval(repr(same_rules), {"Rules": sv.Rules}))
        if explicit_decks:
            tiles, rng = [animal for animal, count in rules.deck.items() for _ in range(count)], random.Random(seed)
            decks = [rng.sample(tiles, len(tiles)) for _ in range(rules.players)]
            self.rust, self.python = sv.Position.from_decks(rules, decks), ref.Position.from_decks(same_rules, decks)
        else:
            self.rust, self.python = sv.Position.deal(rules, seed=seed), ref.Position.deal(same_rules, seed=seed)
        PLAYED["games with other options than the variant's"] += len(options) > len(self.variant)
        PLAYED["games with an odd deck"] += "deck" in options
        self.compare(random.Random(seed))

    @precondition(lambda self: self.rust is not None and not self.rust.is_over)
    @rule(data=st.data(), seed=seeds)
    def play(self, data: st.DataObject, seed: int) -> None:
        before, rng = self.rust, random.Random(seed)
        legal = [str(move) for move in self.python.legal_moves()]
        move = data.draw(st.sampled_from(legal), "move")
        lines = self.lines_filled(move)
        for other in rng.sample(legal, min(3, len(legal))):
            self.lines_filled(other)
        self.rust, self.python = self.rust.play(move), self.python.play(move)
        self.check_gain(before.scores, lines)
        assert_one_value(self.rust, before.play(sv.Move.parse(move)))
        assert_equal_by_text(before, self.rust)
        self.compare(rng)
        self.count(lines)

    def lines_filled(self, move: str) -> tuple[sv.LineScore, ...]:
        """Return the lines that a move fills, the same in both engines."""
        lines: tuple[sv.LineScore, ...] = self.rust.lines_filled(move)
        view = self.rust.view(self.rust.seat)
        previews = [it.preview(move) for it in (self.rust, self.python, view, in_other_engine(view))]
        assert previews == [lines] * 4 == [self.python.lines_filled(move)] * 4
        return lines

    def check_gain(self, scores: tuple[int, ...], lines: tuple[sv.LineScore, ...]) -> None:
        """Check that a ply gave the points of its lines and, if it was the last one, the bonus."""
        rules, gain = self.rust.rules, [0] * len(scores)
        for line in lines:
            gain = [points + more for points, more in zip(gain, line.points, strict=True)]
        if self.rust.is_over:
            gain[rules.team_of(rules.players - 1)] += rules.last_seat_bonus
        assert self.rust.scores == tuple(points + more for points, more in zip(scores, gain, strict=True))

    def compare(self, rng: random.Random) -> None:
        """Check all that can be asked of the present position."""
        rust, python = self.rust, self.python
        again = in_other_engine(python)
        assert_same(python, rust, again)
        assert_one_value(rust, again)
        assert in_other_engine(rust) == python != rust
        assert str(rust) == notation(rust)
        rust.check()
        self.compare_actions(rng)
        for seat in (None, *range(rust.rules.players)):
            self.compare_views(seat, seed=rng.getrandbits(64))

    def compare_actions(self, rng: random.Random) -> None:
        """Check for all action ids that the masks say what `play` does, and that a refusal changes nothing."""
        text, mask = str(self.rust), self.rust.legal_mask()
        assert [move.action for move in self.rust.legal_moves()] == [action for action in range(200) if mask[action]]
        for action in range(200):
            refused = refusal(self.rust, RUST_MOVES[action])
            assert mask[action] == (refused is None)
            assert refused == refusal(self.python, PYTHON_MOVES[action])
        assert text == str(self.rust) == str(self.python)
        for move in rng.sample(self.rust.legal_moves(), min(3, sum(mask))):
            assert str(self.rust.play(move)) == str(self.python.play(str(move)))

    def compare_views(self, seat: int | None, seed: int) -> None:
        """Check what a seat, or everybody, knows, and how the tiles that it does not know are dealt to it."""
        view, same_view = (seen_by(it, seat) for it in (self.rust, self.python))
        assert_same(same_view, view)
        assert_one_value(view, in_other_engine(same_view))
        assert str(view) == notation(view)
        assert view.legal_moves() == (self.rust.legal_moves() if seat == self.rust.seat else [])
        assert view.lines == self.rust.lines
        sample, same_sample = view.sample(seed=seed), same_view.sample(seed=seed)
        assert str(sample) == str(same_sample)
        assert_one_value(view, seen_by(sample, seat))
        sample.check()
        assert_equal_by_text(sample, self.rust)

    def count(self, lines: tuple[sv.LineScore, ...]) -> None:
        """Keep the books: plies by variant, lines by how they came out."""
        PLAYED["plies"] += 1
        PLAYED[f"plies of {name(self.variant)}"] += 1
        PLAYED["games to the end"] += self.rust.is_over
        PLAYED["games with several winners"] += len(self.rust.winners) > 1
        for line in lines:
            target = self.rust.rules.target
            case = "above" if line.total > target else "below" if line.total < target else "exactly at"
            PLAYED[f"lines {case} the target"] += 1


@pytest.mark.parametrize("variant", VARIANTS, ids=name)
def test_engines_agree_at_every_ply(variant: dict[str, Any]) -> None:
    counter = f"plies of {name(variant)}"
    goal = PLIES_PER_EXAMPLE * (settings().max_examples // len(VARIANTS) // count(2, 1))
    # Some examples end early; further rounds make up for them.
    for turn in range(10):
        examples = math.ceil((goal - PLAYED[counter]) / PLIES_PER_EXAMPLE)
        if examples > 0:
            machine = seed(10 * VARIANTS.index(variant) + turn)(type("InStep", (InStep,), {"variant": variant}))
            # Each step deals or plays a ply.
            limits = settings(max_examples=examples, stateful_step_count=PLIES_PER_EXAMPLE + GAMES_PER_EXAMPLE)
            run_state_machine_as_test(machine, settings=limits)
    assert PLAYED[counter] >= goal
