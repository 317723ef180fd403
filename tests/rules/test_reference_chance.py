"""What the reference engine draws: known numbers, fair shares, and nothing that contradicts what is known."""

import random
from collections import Counter
from typing import Any

import pytest

from savanna import reference as ref
from savanna.errors import SavannaError
from tests.support.both_engines import golden_games
from tests.support.reference_games import ABSENT, MICE, START, TEAMS, THREE, TWO


def test_xoshiro_known_vector() -> None:
    generator = ref.Xoshiro256PlusPlus((1, 2, 3, 4))
    assert [generator.next() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_below_keeps_to_its_range_evenly() -> None:
    generator = ref.Xoshiro256PlusPlus.seeded(0, "playout", index=3)
    counts = Counter(generator.below(3) for _ in range(3000))
    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 1000) < 120 for count in counts.values())
    assert all(0 <= generator.below(2**63 + 1) <= 2**63 for _ in range(100))


def test_generators_use_up_the_words_in_turn() -> None:
    states = [ref.Xoshiro256PlusPlus.seeded(9, "playout", index).next() for index in range(50)]
    assert len(set(states)) == 50
    assert ref.Xoshiro256PlusPlus.seeded(9, "deal").next() != ref.Xoshiro256PlusPlus.seeded(9, "sample").next()


def test_deals_are_fixed_by_their_seed() -> None:
    assert str(ref.Position.deal(TWO, seed=0)) == "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0"
    assert str(ref.Position.deal(TEAMS, seed=7)) == (
        "4p,mice,team ..../..../..../..../.... me/mu/mz/ze zmzug/zmgze/ezmgu/muzgm 0/0"
    )
    assert len({str(ref.Position.deal(TWO, seed=seed)) for seed in range(100)}) == 100
    assert ref.Position.deal(TWO) != ref.Position.deal(TWO)


@pytest.mark.parametrize(("seed", "error"), [(-1, SavannaError), (2**64, SavannaError), (True, TypeError),
                                             (1.0, TypeError), ("1", TypeError)])  # fmt: skip
def test_wrong_seeds(seed: Any, error: type[Exception]) -> None:
    position = ref.Position.deal(TWO, seed=2**64 - 1)
    with pytest.raises(error, match="seed must be"):
        ref.Position.deal(TWO, seed=seed)
    with pytest.raises(error, match="seed must be"):
        position.view(0).sample(seed=seed)


@pytest.mark.parametrize("game", golden_games()[::10])
def test_sample_keeps_what_the_view_knows(game: dict[str, Any]) -> None:
    position = ref.Position.from_decks(ref.Rules(**game["rules"]), game["decks"])
    for ply, played in enumerate(game["plies"]):
        view = position.view(ply % position.rules.players)
        sample = view.sample(seed=ply)
        sample.check()
        assert sample == view.sample(seed=ply)
        assert view.seat is not None
        assert sample.view(view.seat) == view
        for seat in range(position.rules.players):
            tiles = [tile.animal for tile in sample.board.values() if tile.seat == seat]
            assert Counter([*tiles, *sample.hands[seat], *sample.decks[seat]]) == Counter(position.rules.deck)
        position = position.play(ref.Move(played["animal"], played["face"], played["space"]))


def test_samples_are_uniform() -> None:
    # Nothing of seat 1 is known: its Lion is a monkey in four tenths of the deals, as in its deck.
    view = ref.Position.parse(START).play("monkey c4").play("giraffe lion a1").view(0)
    lions = Counter(view.sample(seed=seed).board["a1"].animal for seed in range(2000))
    for animal, share in (("monkey", 0.4), ("zebra", 0.3), ("giraffe", 0.2), ("elephant", 0.1)):
        assert abs(lions[animal] / 2000 - share) < 0.04  # more than 3.6 standard deviations


@pytest.mark.parametrize("rules", [TWO, MICE, THREE, ABSENT, TEAMS], ids=str)
def test_random_playouts_end_in_possible_positions(rules: ref.Rules) -> None:
    for seed in range(5):
        position = ref.random_playout(ref.Position.deal(rules, seed=seed), random.Random(seed))
        position.check()
        assert position.is_over
        assert position.winners
        again = ref.random_playout(ref.Position.deal(rules, seed=seed), random.Random(seed))
        assert again == position
