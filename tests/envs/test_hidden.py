"""What agents are given follows from what their seat may know: no less with recall, and never more."""

import itertools
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Episode, Layout
from tests.support.env_layout import RULES
from tests.support.env_twins import twin_episode, twin_starts

pytestmark = pytest.mark.thin(3)

PRINTED = RULES[:8]


def random_episode(rules: sv.Rules, seed: int, plies: int, rng: random.Random, spaces: int = 20) -> Episode:
    """Play some plies at random, on the first so many spaces."""
    episode = Episode.deal(rules, seed)
    for _ in range(plies):
        legal = [move for move in episode.position.legal_moves() if sv.SPACES.index(move.space) < spaces]
        episode = episode.play(rng.choice(legal))
    return episode


def history(episode: Episode, seat: int) -> Any:
    """Return all that a seat has seen of a game, and when: its first hand, its draws, and what was laid in the open."""
    start, seats = episode.start, episode.start.rules.players
    public = tuple(
        (move.space, move.face, move.animal if move.face == "front" or ply % seats == seat else None)
        for ply, move in enumerate(episode.moves)
    )
    drawn = start.decks[seat][: len(start.decks[seat]) - len(episode.position.decks[seat])]
    return start.hands[seat], drawn, public


def shown(episode: Episode, layouts: list[Layout], seat: int) -> list[bytes]:
    """Return all that an agent in a seat is given, byte for byte."""
    arrays: list[np.ndarray[Any, Any]] = [episode.action_mask(seat), layouts[0].observe(episode.view(seat))]
    for layout in layouts:
        arrays += [episode.observe(layout, seat, dtype="float32"), episode.observe(layout, seat, dtype="uint8")]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_twin_looks_the_same(rules: sv.Rules) -> None:
    rng, changed, cases = random.Random(f"{rules} twins"), 0, 0
    layouts = [Layout(rules, recall=recall) for recall in (False, True)]
    for seed, plies in itertools.product(range(3), range(21)):
        episode = random_episode(rules, seed, plies, rng)
        for seat in range(rules.players):
            twin = twin_episode(episode, seat, rng)
            assert shown(twin, layouts, seat) == shown(episode, layouts, seat)
            for layout in layouts:
                for rows, same in zip(twin.turns(layout), episode.turns(layout), strict=True):
                    assert rows[seat :: rules.players].tobytes() == same[seat :: rules.players].tobytes()
            assert history(twin, seat) == history(episode, seat)
            cases, changed = cases + 1, changed + (twin != episode)
    # Where all tiles are of one kind, nothing is hidden.
    kinds = sum(count > 0 for count in rules.deck.values())
    assert changed > 0.9 * cases if kinds > 2 else kinds > 1 or changed == 0


@pytest.mark.parametrize("rules", PRINTED, ids=str)
def test_others_see_what_is_laid_in_the_open(rules: sv.Rules) -> None:
    """The test above could not pass for observations that tell nothing: other moves and other own tiles show."""
    rng = random.Random(f"{rules} open")
    layouts = [Layout(rules, recall=recall) for recall in (False, True)]
    told = 0
    for seed, plies in itertools.product(range(4), range(1, 21)):
        episode = random_episode(rules, seed, plies, rng)
        other = random_episode(rules, seed, plies, rng)
        for seat in range(rules.players):
            different = history(other, seat) != history(episode, seat)
            told += different
            same = [one == two for one, two in zip(shown(episode, layouts, seat), shown(other, layouts, seat))]  # noqa: B905
            assert same[4:] == [not different] * 2
    assert told > 60 * rules.players


@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("rules", PRINTED[:6], ids=str)
def test_twins_in_a_batch_look_the_same(rules: sv.Rules, recall: bool) -> None:
    """A seat is dealt the same tiles in two games and plays the same moves; others lay Lions on the same spaces."""
    games, viewer = 6000, rules.players - 1
    one = BatchEnv(games, rules, seed=1, recall=recall, reward="margin-change", autoreset="same-step")
    pairs = twin_starts([one.episode(game).start for game in range(games)], viewer, 40)
    left, right = (np.array(side) for side in zip(*pairs, strict=True))
    hidden = 0
    for ply in range(20):
        now, actions = one.now(), one.sample_actions()
        if ply % rules.players != viewer:
            # A Lion, on the first space that is free: by the first tile of the hand.
            lions = now.action_mask.reshape(games, 5, 2, 20)[:, :, 1].reshape(games, 100)
            first = lions.argmax(axis=1)
            actions = (first // 20 * 40 + 20 + first % 20).astype(np.uint8)
            hidden += int((actions[left] != actions[right]).sum())
        else:
            assert now.observations[left].tobytes() == now.observations[right].tobytes()
            assert now.action_mask[left].tobytes() == now.action_mask[right].tobytes()
            front = now.action_mask.argmax(axis=1).astype(np.uint8)
            actions = np.where(now.action_mask[np.arange(games), 199 - ply] == 1, 199 - ply, front).astype(np.uint8)
        told = one.step(actions)
        if ply < 19:
            assert one.observe(viewer)[left].tobytes() == one.observe(viewer)[right].tobytes()
            assert told.rewards[left].tobytes() == told.rewards[right].tobytes()
    assert hidden > 40
    ends = one.final_observations(viewer)
    assert ends[left].tobytes() == ends[right].tobytes()
    others = np.hstack([one.final_observations(seat) for seat in range(viewer)])
    assert (others[left] != others[right]).any(axis=1).all()


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_recall_tells_all_that_was_seen_and_nothing_else(rules: sv.Rules) -> None:
    """One observation for each history, and one history for each observation, over games that are much alike."""
    rng, layouts = random.Random(f"{rules} recall"), [Layout(rules, recall=recall) for recall in (False, True)]
    histories: list[dict[bytes, set[Any]]] = [defaultdict(set), defaultdict(set)]
    observations: list[dict[Any, set[bytes]]] = [defaultdict(set), defaultdict(set)]
    cases = 0
    for number in range(800):
        # Few seeds, plies and spaces, so that games often come to the same in another way.
        plies = rng.randrange(1, 7)
        episode = random_episode(rules, rng.randrange(6), plies, rng, spaces=max(3, plies))
        for it in (episode, twin_episode(episode, number % rules.players, rng)):
            for seat in range(rules.players):
                cases += 1
                for layout, by_seen, by_history in zip(layouts, histories, observations, strict=True):
                    seen, key = it.observe(layout, seat, dtype="uint8").tobytes(), (seat, history(it, seat))
                    by_seen[bytes([seat]) + seen].add(key)
                    by_history[key].add(seen)
    for by_history in observations:
        assert all(len(it) == 1 for it in by_history.values())
    assert all(len(it) == 1 for it in histories[1].values())
    # Without recall different histories do look the same; and some histories have come more than once.
    assert max(map(len, histories[0].values())) > 1
    assert len(observations[1]) < 0.9 * cases


def test_seats_do_not_see_each_others_hands() -> None:
    """By hand: a Lion of seat 0 on a5, seen from both sides."""
    decks = [["elephant", *["monkey"] * 4, *["zebra"] * 3, *["giraffe"] * 2]] * 2
    episode = Episode.replay(sv.Position.from_decks(sv.Rules(), decks), ["elephant lion a5"])
    layout = Layout(sv.Rules(), recall=True)
    at = {part.name: part.start for part in layout.sections}
    mine, theirs = (episode.observe(layout, seat, dtype="uint8") for seat in range(2))
    elephant = 3
    assert (mine[at["owner"]], theirs[at["owner"]]) == (1, 0)
    assert (mine[at["owner"] + 20], theirs[at["owner"] + 20]) == (0, 1)
    assert (mine[at["animal"] + 20 * elephant], theirs[at["animal"] + 20 * elephant]) == (1, 0)
    assert (mine[at["lion"]], theirs[at["lion"]]) == (1, 1)
    # The own elephant is seen, the other's may be anywhere.
    assert mine[at["unseen"] :][:10].tolist() == [2, 3, 2, 0, 0, 4, 3, 2, 1, 0]
    assert theirs[at["unseen"] :][:10].tolist() == [3, 3, 2, 0, 0, 4, 3, 2, 1, 0]
    assert mine[at["hand"] :][:5].tolist() == [2, 0, 0, 0, 0]
    assert theirs[at["hand"] :][:5].tolist() == [1, 0, 0, 1, 0]
    assert mine[at["draws"] :][:5].tolist() == [1, 0, 0, 0, 0]
    assert not theirs[at["draws"] :].any()
    assert mine[at["deck_size"] :][:2].tolist() == [7, 8]
    assert theirs[at["deck_size"] :][:2].tolist() == [8, 7]
    assert mine[at["first_hand"] :][:5].tolist() == theirs[at["first_hand"] :][:5].tolist() == [1, 0, 0, 1, 0]
    assert (mine[at["order"]], theirs[at["order"]]) == (1, 1)
    influence = [mine[at["influence"] :][:40], theirs[at["influence"] :][:40]]
    assert [it.sum() for it in influence] == [6 * 3, 6 * 3]  # a corner lies on three lines
    assert not influence[0][20:].any()
    assert not influence[1][:20].any()
