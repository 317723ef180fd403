"""Redrawing what a view hides, and dealing: consistent, reproducible, and by the exact law of chance."""

import random
from collections import Counter
from itertools import chain, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import savanna as sv
from savanna import reference as ref

pytestmark = pytest.mark.thin(4)

VARIANTS = ["2p", "3p", "4p", "2p,mice", "3p,mice", "4p,mice", "4p,team", "4p,mice,team"]
ENGINES = [sv, ref]
P_VALUE = 1e-4
SEEDS = [0, 1, 2**63, 2**64 - 1]


def game(rules: str, seed: int, lion_chance: float = 0.5) -> list[str]:
    """Return the text of the position at every ply of a random game."""
    rng, position = random.Random(seed), ref.Position.deal(ref.Rules.parse(rules), seed)
    texts = [str(position)]
    while not position.is_over:
        face = "lion" if rng.random() < lion_chance else "front"
        position = position.play(rng.choice([move for move in position.legal_moves() if move.face == face]))
        texts.append(str(position))
    return texts


def hidden(position: Any, seat: int, viewer: int) -> tuple[list[str], list[str], list[str]]:
    """Return a seat's tiles in the hand, in the deck and under Lions, as far as the viewer cannot know them."""
    mine = seat == viewer
    lions = [tile.animal for tile in position.board.values() if tile.seat == seat and tile.face == "lion"]
    return [] if mine else list(position.hands[seat]), list(position.decks[seat]), [] if mine else lions


def orders(tiles: dict[str, int]) -> int:
    """Return in how many different orders such tiles can come."""
    return factorial(sum(tiles.values())) // prod(map(factorial, tiles.values()))


def deals(position: Any, viewer: int) -> Counter[Any]:
    """Return how many ways there are for every deal that the viewer cannot tell from this one.

    The law: each seat's unseen tiles are dealt to its hand (of others), its deck and its Lions (of others), all orders
    equally likely; in a hand, the order does not matter.
    """
    by_seat = []
    for seat in range(position.rules.players):
        hand, deck, lions = hidden(position, seat, viewer)
        held, drawn = len(hand), len(hand) + len(deck)
        ways: Counter[Any] = Counter()
        for tiles in permutations([*hand, *deck, *lions]):
            ways[tuple(sorted(tiles[:held])), tiles[held:drawn], tiles[drawn:]] += 1
        by_seat.append(ways)
    return Counter(
        {
            tuple(deal for deal, _ in choice): prod(count for _, count in choice)
            for choice in product(*(ways.items() for ways in by_seat))
        }
    )


def deal_of(position: Any, viewer: int) -> Any:
    """Return the hidden tiles in the form that `deals` counts."""
    seats = (hidden(position, seat, viewer) for seat in range(position.rules.players))
    return tuple((tuple(sorted(hand)), tuple(deck), tuple(lions)) for hand, deck, lions in seats)


def assert_follows(counts: Counter[Any], weights: dict[Any, int]) -> None:
    """Check by a chi-square test that what was counted has the probabilities that the weights give."""
    assert set(counts) <= set(weights)
    total, sample = sum(weights.values()), sum(counts.values())
    expected = [sample * weight / total for weight in weights.values()]
    assert min(expected) >= 5
    assert chisquare([counts[key] for key in weights], expected).pvalue > P_VALUE


@pytest.mark.parametrize("engine", ENGINES, ids=["savanna", "reference"])
@pytest.mark.parametrize("rules", VARIANTS)
def test_samples_agree_with_the_view(engine: Any, rules: str) -> None:
    several = 0
    for truth in game(rules, 3):
        position = engine.Position.parse(truth)
        for seat in range(position.rules.players):
            view = position.view(seat)
            samples = [view.sample(seed) for seed in range(8)]
            for sample in samples:
                assert sample.view(seat) == view
                assert str(sample.view(seat)) == str(view)
                # Reading the text counts the tiles of every seat, and the scores.
                assert engine.Position.parse(str(sample)) == sample
                assert ref.Position.parse(str(sample)).rules.deck == sample.rules.deck
            assert samples == [engine.View.parse(str(view)).sample(seed) for seed in range(8)]
            arrangements = prod(map(orders, view.unseen))
            if arrangements > 1000:
                several += 1
                # Eight draws out of more than a thousand: with the fixed seeds, they do not all coincide.
                assert len({str(sample) for sample in samples}) > 4
                assert any(sample != position for sample in samples)
            elif arrangements == 1:
                assert samples == [position] * 8
    assert several >= 5 * position.rules.players


@pytest.mark.parametrize("rules", VARIANTS)
def test_both_engines_sample_and_deal_alike(rules: str) -> None:
    for seed in SEEDS:
        mine = sv.Position.deal(sv.Rules.parse(rules), seed)
        assert str(mine) == str(ref.Position.deal(ref.Rules.parse(rules), seed))
        for truth in game(rules, 5)[::3]:
            for seat in range(mine.rules.players):
                views = [engine.Position.parse(truth).view(seat) for engine in ENGINES]
                assert len({str(view.sample(seed)) for view in views}) == 1


# Late positions with few hidden tiles: the rules and the plies played.
LATE = [("2p", 17), ("2p", 16), ("3p", 17), ("3p", 16), ("2p,mice", 16), ("3p,mice", 17), ("4p", 17), ("4p,team", 16)]
LATE += [("4p,mice", 18), ("4p,mice,team", 17)]


@pytest.mark.parametrize(("rules", "ply"), LATE)
def test_samples_follow_the_exact_law(rules: str, ply: int) -> None:
    tested = 0
    for seed in range(60):
        truth = ref.Position.parse(game(rules, seed, lion_chance=0.15)[ply])
        viewer = seed % truth.rules.players
        pools = [Counter(chain(*hidden(truth, seat, viewer))) for seat in range(truth.rules.players)]
        if max(pool.total() for pool in pools) > 7 or prod(map(orders, pools)) > 1000:
            continue
        law = deals(truth, viewer)
        lions = sum(len(deal[2]) for deal in next(iter(law)))
        if not 8 <= len(law) <= 600 or not lions or 60 * len(law) * min(law.values()) < 5 * sum(law.values()):
            continue
        view = sv.Position.parse(str(truth)).view(viewer)
        counts = Counter(deal_of(view.sample(draw), viewer) for draw in range(60 * len(law)))
        assert set(counts) == set(law)
        assert counts[deal_of(truth, viewer)] < sum(counts.values()) / 2
        assert_follows(counts, law)
        tested += 1
        if tested == 3:
            break
    assert tested == 3


@pytest.mark.parametrize("rules", VARIANTS)
def test_deals_follow_the_law_of_shuffled_decks(rules: str) -> None:
    options = sv.Rules.parse(rules)
    deck = [animal for animal, count in options.deck.items() for _ in range(count)]
    starts = [sv.Position.deal(options, seed) for seed in range(20_000)]
    # The hand and the next tile: sampling without replacement. The last tile of a deck: each tile equally likely.
    weights: Counter[Any] = Counter()
    for first, second, third in permutations(range(len(deck)), 3):
        weights[tuple(sorted((deck[first], deck[second]))), deck[third]] += 1
    rare = {key for key, weight in weights.items() if 20_000 * weight / weights.total() < 5}
    assert not rare
    for seat in range(options.players):
        assert_follows(Counter((tuple(sorted(s.hands[seat])), s.decks[seat][0]) for s in starts), dict(weights))
        assert_follows(Counter(s.decks[seat][-1] for s in starts), dict(Counter(deck)))
    # The decks of two seats have nothing to do with each other.
    pairs = {(one, two): m * n for one, m in Counter(deck).items() for two, n in Counter(deck).items()}
    assert_follows(Counter((s.decks[0][0], s.decks[1][0]) for s in starts), pairs)


@pytest.mark.parametrize("engine", ENGINES, ids=["savanna", "reference"])
def test_seeds(engine: Any) -> None:
    rules = engine.Rules()
    view = engine.Position.deal(rules, 1).view(0)
    for draw in (lambda seed: engine.Position.deal(rules, seed), view.sample):
        assert len({str(draw(seed)) for seed in (*SEEDS, *range(2, 60))}) > 50
        for seed in SEEDS:
            assert draw(seed) == draw(seed) == draw(np.uint64(seed))
        # None asks the system; forty equal deals, or seed 0 forty times, would be a wonder.
        assert len({str(draw(None)) for _ in range(40)}) > 20
        for wrong in (-1, 2**64, 2**200):
            with pytest.raises(sv.SavannaError, match=r"seed must be 0 to 18446744073709551615"):
                draw(wrong)
        for mistake in (True, 1.0, "1", b"1"):
            with pytest.raises(TypeError, match="seed must be an int"):
                draw(mistake)


def test_the_seed_may_be_left_out() -> None:
    for engine in ENGINES:
        rules: Any = engine.Rules()
        assert len({str(engine.Position.deal(rules)) for _ in range(40)}) > 20
        assert len({str(engine.Position.deal(rules, seed=7).view(1).sample()) for _ in range(40)}) > 20


def test_global_randomness_is_neither_read_nor_changed() -> None:
    rules = sv.Rules(players=3)
    results = []
    for noise in (1, 2):
        random.seed(noise)
        np.random.seed(noise)  # noqa: NPY002
        before = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
        start = sv.Position.deal(rules, seed=4)
        results.append((start, start.view(2).sample(seed=4), sv.rollout(rules, games=100, seed=4)))
        assert sv.Position.deal(rules) != start or sv.Position.deal(rules) != start
        assert (random.getstate(), repr(np.random.get_state())) == before  # noqa: NPY002
    assert results[0] == results[1]


def test_deals_samples_and_playouts_of_a_seed_are_unrelated() -> None:
    """Shuffles of one deck by one seed for three purposes: their tiles agree as often as those of two strangers."""
    rules, seeds = sv.Rules(), range(4000)
    order = {animal: index for index, animal in enumerate(rules.deck)}
    view = sv.Position.deal(rules, seed=0).view(1)  # seat 0's deck is the first that is shuffled

    def undrawn(start: sv.Position) -> list[int]:
        return [order[tile] for tile in start.decks[0]]

    decks = {
        "deal": np.array([undrawn(sv.Position.deal(rules, seed)) for seed in seeds]),
        "next deal": np.array([undrawn(sv.Position.deal(rules, seed + 1)) for seed in seeds]),
        "sample": np.array([undrawn(view.sample(seed)) for seed in seeds]),
        "playout": np.array([undrawn(sv.playouts(rules, games=1, seed=seed).start(0)) for seed in seeds]),
        "playout of the view": np.array([undrawn(sv.playouts(view, games=1, seed=seed).start(0)) for seed in seeds]),
    }
    by_chance = sum((count / 10) ** 2 for count in rules.deck.values())
    for one in decks:
        for two in decks:
            # Both kinds of playout use the stream alike, as the written order of draws has it.
            same_stream = one.startswith("playout") and two.startswith("playout")
            if one < two and not same_stream:
                agree = (decks[one] == decks[two]).mean(axis=1)
                assert abs(agree.mean() - by_chance) < 4 * agree.std() / len(seeds) ** 0.5, (one, two)
    assert (decks["playout"] == decks["playout of the view"]).mean() > 0.9
