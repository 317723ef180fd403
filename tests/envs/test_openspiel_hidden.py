"""What a player of the game for OpenSpiel can see: all that the seat knows, and no more; the rest is redrawn fairly."""

import random
from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation
from scipy.stats import chisquare

import savanna as sv
from tests.support.env_twins import in_reference
from tests.support.spiel_states import GAMES, KINDS, NONE, ONE, advance, load, played, replayed, seen, told

pytestmark = pytest.mark.thin(6)


def redealt(state: Any, viewer: int | None, rng: random.Random) -> Any:
    """Deal the tiles that a viewer does not know anew, by trial, until the others could have played what was seen."""
    decks, actions = told(state)
    players = len(decks)
    turns = [actions[seat::players] for seat in range(players)]
    for seat, deck in enumerate(decks):
        if seat == viewer:
            rest = deck[len(turns[seat]) + 2 :]
            deck[len(turns[seat]) + 2 :] = rng.sample(rest, len(rest))
            continue
        while True:
            deck = rng.sample(deck, len(deck))
            hand, draws, tries = deck[:2], deck[2:], []
            for action in turns[seat]:
                lion = action // 20 % 2
                tile = rng.choice(hand) if lion else action // 40
                if tile not in hand:
                    break
                hand.remove(tile)
                hand += [draws.pop(0)] if draws else []
                tries.append(tile * 40 + action % 40)
            else:
                break
        decks[seat], actions[seat::players] = deck, tries
    return replayed(state.get_game(), decks, actions)


@pytest.mark.parametrize("parameters", GAMES)
def test_a_twin_looks_the_same(parameters: str) -> None:
    game, rng, changed = load(parameters), random.Random(parameters), Counter[str]()
    for seed in range(3):
        for plies in (0, 3, 7, 13, 20):
            state = played(game, f"{parameters} {seed}", plies, lion_chance=0.8)
            for viewer in range(game.num_players()):
                twin = redealt(state, viewer, rng)
                assert seen(twin, viewer) == seen(state, viewer)
                changed["deal"] += told(twin)[0] != told(state)[0]
                changed["lions"] += told(twin)[1] != told(state)[1]
                changed["another's sight"] += any(
                    seen(twin, other) != seen(state, other) for other in range(game.num_players()) if other != viewer
                )
    assert min(changed.values()) >= 10
    assert len(changed) == 3


def public_parts(state: Any) -> list[Any]:
    """Return what everybody sees, as numbers and as text, now and with perfect recall, asked for by each player."""
    out = []
    for kind in (kind for kind in KINDS if kind.public_info and kind.private_info == NONE):
        for player in range(state.num_players()):
            observation = make_observation(state.get_game(), kind)
            observation.set_from(state, player)
            out += [observation.tensor.tobytes(), observation.string_from(state, player)]
    return out


@pytest.mark.parametrize("parameters", GAMES)
def test_spectators_cannot_tell_twins_apart(parameters: str) -> None:
    game, rng, changed = load(parameters), random.Random(parameters), Counter[str]()
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=NONE)
    for seed in range(3):
        for plies in (0, 3, 7, 13, 20):
            state = played(game, f"{parameters} {seed}", plies, lion_chance=0.8)
            twin = redealt(state, None, rng)
            assert public_parts(twin) == public_parts(state)
            assert make_observation(game, public).string_from(state, 0) == str(
                in_reference(state.table.episode.position).public()
            )
            changed["deal"] += told(twin)[0] != told(state)[0]
            changed["lions"] += told(twin)[1] != told(state)[1]
            changed["sight"] += any(seen(twin, player) != seen(state, player) for player in range(game.num_players()))
    assert min(changed.values()) >= 10
    assert len(changed) == 3


@pytest.mark.parametrize("parameters", GAMES)
def test_information_states_differ_in_text_exactly_if_in_numbers(parameters: str) -> None:
    """Look at the children of states that are alike: from few deals, by few moves, some in another order."""
    game, rng = load(parameters), random.Random(parameters)
    players = game.num_players()
    numbers: list[dict[str, bytes]] = [{} for _ in range(players)]
    texts: list[dict[bytes, str]] = [{} for _ in range(players)]
    met: Counter[bool] = Counter()

    def meet(state: Any) -> None:
        for player in range(players):
            text = state.information_state_string(player)
            tensor = np.array(state.information_state_tensor(player)).tobytes()
            met[text in numbers[player]] += 1
            assert numbers[player].setdefault(text, tensor) == tensor
            assert texts[player].setdefault(tensor, text) == text

    starts = [played(game, seed, 0) for seed in range(3)]
    starts += [redealt(start, 0, rng) for start in starts]
    for _ in range(40 // players):
        state = rng.choice(starts).clone()
        while not state.is_terminal():
            for action in rng.sample(state.legal_actions(), min(3, len(state.legal_actions()))):
                meet(state.child(action))
            state.apply_action(rng.choice(state.legal_actions()[::11]))
        meet(state)
    assert met[False] > 1000
    assert met[True] > 20


def test_perfect_recall_knows_the_order_and_the_view_does_not() -> None:
    game = load("")
    decks = [[0, 1, 2, 0, 0, 0, 1, 1, 2, 3]] * 2
    moves = [sv.Move.parse(text).action for text in ("monkey a5", "zebra lion c5", "zebra e1", "monkey b1")]
    one = replayed(game, decks, moves)
    other = replayed(game, decks, [moves[2], moves[1], moves[0], moves[3]])
    assert (
        one.observation_string(0)
        == other.observation_string(0)
        == "seat=0 2p 0m1?../..../..../..../.1m.0z mg/?? ??????/?????? 0/0"
    )
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    told = "seat=0 2p mz, 0: monkey a5 g, 1: ? lion c5, 0: zebra e1 m, 1: monkey b1"
    assert one.information_state_string(0) == told
    assert one.information_state_string(1) == (
        "seat=1 2p mz, 0: monkey a5, 1: zebra lion c5 g, 0: zebra e1, 1: monkey b1 m"
    )


def test_nothing_is_seen_before_all_is_dealt() -> None:
    state = load("players=3").new_initial_state()
    before = [seen(state, player)[:2] + seen(state, player)[3:] for player in range(3)]
    assert before[0] == before[1] == before[2]
    assert not any(state.information_state_tensor(0))
    while state.is_chance_node():
        assert [seen(state, player)[:2] + seen(state, player)[3:] for player in range(3)] == before
        advance(state, random.Random(1))
    assert seen(state, 0) != seen(state, 1)


def test_public_and_private_parts() -> None:
    """The public part is the same for all; the private one is what another seat's public part lacks."""
    game = load("players=4,mice=True")
    state = played(game, 5, 13)
    sections = {
        (True, ONE, False): "owner animal lion missing influence hand hand_size deck_size unseen score lions to_move",
        (True, NONE, False): "owner animal lion missing influence hand_size deck_size score lions to_move",
        (False, ONE, False): "animal hand unseen",
        (True, NONE, True): "owner animal lion missing influence order hand_size deck_size score lions to_move",
        (False, ONE, True): "animal hand unseen first_hand draws",
        (False, NONE, True): "",
    }
    parts: dict[Any, list[Any]] = {}
    for (public, private, recall), names in sections.items():
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        for player in range(4):
            observation = make_observation(game, kind)
            observation.set_from(state, player)
            assert " ".join(observation.dict) == names
            assert sum(part.size for part in observation.dict.values()) == observation.tensor.size
            parts.setdefault((public, private, recall), []).append(
                ({name: part.copy() for name, part in observation.dict.items()}, observation.string_from(state, player))
            )
    for recall in (False, True):
        by_player = parts[True, NONE, recall]
        assert {text for _, text in by_player} == {by_player[0][1]}
        for numbers, _ in by_player:
            assert all((numbers[name] == part).all() for name, part in by_player[0][0].items())
    lion = parts[True, ONE, False][0][0]["lion"][0]
    assert lion.sum() >= 4
    for player in range(4):
        whole, private = parts[True, ONE, False][player][0], parts[False, ONE, False][player][0]
        own = whole["owner"][0] * lion
        assert (whole["animal"] == private["animal"] + parts[True, NONE, False][0][0]["animal"]).all()
        assert (private["animal"].sum(axis=0) == own).all()
        assert (private["hand"] == whole["hand"]).all()
        assert parts[False, ONE, False][player][1] == private_text(state, player)
    assert parts[False, NONE, True][0] == ({}, "")
    assert parts[True, NONE, True][0][1].count("? lion") == lion.sum()


def private_text(state: Any, player: int) -> str:
    tiles = state.table.episode.position
    hand = ",".join(tiles.hands[player])
    lions = [f"{space}:{tile.animal}" for space, tile in tiles.board.items() if tile[::2] == (player, "lion")]
    return f"seat={player} hand={hand or '-'} lions={','.join(lions) or '-'}"


def test_observers_that_are_not_offered() -> None:
    game = load("")
    everyone = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(sv.SavannaError, match="not the private_info of ALL_PLAYERS"):
        make_observation(game, everyone)
    with pytest.raises(sv.SavannaError, match=r"has no parameters, got \{'planes': 3\}"):
        make_observation(game, KINDS[0], {"planes": 3})


# ------------------------------------------------------------------------------------------------------------ redrawing


@pytest.mark.parametrize("parameters", GAMES)
def test_a_redrawn_history_looks_the_same_and_is_another(parameters: str) -> None:
    game, draws, same, total = load(parameters), random.Random(parameters), 0, 0
    tiles = sorted(told(played(game, 1, 0))[0][0])
    for plies in (0, 1, 4, 9, 14, 19, 20):
        state = played(game, f"{parameters} {plies}", plies)
        for player in range(game.num_players()):
            redrawn = [state.resample_from_infostate(player, draws.random) for _ in range(4)]
            for other in redrawn:
                assert seen(other, player) == seen(state, player)
                assert other.current_player() == state.current_player()
                assert other.returns() == state.returns()
                assert all(sorted(deck) == tiles for deck in told(other)[0])
                same += other.history() == state.history()
                total += 1
            if plies < 9:
                assert len({tuple(other.history()) for other in redrawn}) > 1
    assert total == 7 * 4 * game.num_players()
    assert same < total / 4


def global_state() -> tuple[Any, str]:
    return random.getstate(), repr(np.random.get_state())  # noqa: NPY002 (the legacy state is what must not move)


def test_redrawing_uses_only_the_given_chance() -> None:
    state = played(load("players=4"), 1, 6)
    before = global_state(), str(state)

    def redrawn(seed: int) -> list[int]:
        return list(state.resample_from_infostate(2, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)).history())

    assert redrawn(1) == redrawn(1)
    assert len({tuple(redrawn(seed)) for seed in range(20)}) == 20
    assert (global_state(), str(state)) == before
    with pytest.raises(sv.SavannaError, match="4"):
        state.resample_from_infostate(4, random.Random(1).random)


def test_redrawing_in_the_midst_of_the_deal() -> None:
    state, draws = load("mice=True").new_initial_state(), random.Random(1)
    for _ in range(14):
        advance(state, draws)
    redrawn = [state.resample_from_infostate(0, draws.random) for _ in range(2000)]
    assert all(len(other.history()) == 14 and other.is_chance_node() for other in redrawn)
    assert all(sorted(other.history()[:11]) == sorted(state.history()[:11]) for other in redrawn)
    # One of the other seat's three tiles is the mouse in 3 of 11 deals.
    mice = sum(4 in other.history()[11:] for other in redrawn)
    assert chisquare([mice, 2000 - mice], [2000 * 3 / 11, 2000 * 8 / 11]).pvalue > 1e-4


def hidden(state: Any, viewer: int) -> Any:
    """Return what a viewer cannot know of a state, by its history: hands, decks, and the animals under Lions."""
    decks, actions = told(state)
    players, found = len(decks), []
    for seat, deck in enumerate(decks):
        turns = actions[seat::players]
        hand = deck[: len(turns) + 2]
        for action in turns:
            hand.remove(action // 40)
        lions = [action // 40 for action in turns if action // 20 % 2]
        rest = tuple(deck[len(turns) + 2 :])
        found.append(((), rest, ()) if seat == viewer else (tuple(sorted(hand)), rest, tuple(lions)))
    return tuple(found)


def laws(state: Any, viewer: int) -> Counter[Any]:
    """Return in how many ways each deal comes about, if a seat's unseen tiles lie in any order with equal chances."""
    by_seat = []
    for hand, deck, lions in hidden(state, viewer):
        ways: Counter[Any] = Counter()
        held, drawn = len(hand), len(hand) + len(deck)
        for tiles in permutations([*hand, *deck, *lions]):
            ways[tuple(sorted(tiles[:held])), tiles[held:drawn], tiles[drawn:]] += 1
        by_seat.append(ways)
    chosen = product(*(ways.items() for ways in by_seat))
    return Counter({tuple(deal for deal, _ in choice): int(np.prod([ways for _, ways in choice])) for choice in chosen})


@pytest.mark.parametrize(
    ("parameters", "plies", "viewer"), [("", 17, 0), ("", 14, 1), ("mice=True", 15, 0), ("players=3", 17, 2)]
)
def test_the_law_of_redrawing(parameters: str, plies: int, viewer: int) -> None:
    game, draws = load(parameters), random.Random(f"{parameters} {plies}")
    states = (played(game, f"law {seed}", plies) for seed in range(1000))
    few = (state for state in states if all(len(sum(tiles, ())) <= 6 for tiles in hidden(state, viewer)))
    state, weights = next((state, law) for state in few if 20 <= len(law := laws(state, viewer)) <= 100)
    counts = Counter(hidden(state.resample_from_infostate(viewer, draws.random), viewer) for _ in range(3000))
    expected = {deal: 3000 * ways / weights.total() for deal, ways in weights.items()}
    assert set(counts) <= set(expected)
    assert min(expected.values()) >= 5
    assert chisquare([counts[deal] for deal in expected], list(expected.values())).pvalue > 1e-4
