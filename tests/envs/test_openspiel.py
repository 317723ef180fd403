"""The game for OpenSpiel: its own checkers, chance by hand, moves and returns of the plain engine, and bots."""

import pickle
import random
import subprocess
import sys
from math import factorial, prod
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import savanna as sv
from savanna import reference as ref
from tests.support.full import count
from tests.support.spiel_states import ANIMALS, GAMES, advance, dealt, load, played, replayed, seen, told

pytestmark = pytest.mark.thin(2)

# ----------------------------------------------------------------------------------------------- OpenSpiel's own checks


@pytest.mark.parametrize("parameters", GAMES)
def test_random_sims(parameters: str) -> None:
    sims = 10 if "mice" in parameters else count(20, 100)
    pyspiel.random_sim_test(load(parameters), num_sims=sims, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("parameters", GAMES[::3])
def test_copies_at_many_plies(parameters: str) -> None:
    """As in OpenSpiel's test of all its games: pickle, serialize, and clone, and let clones go their own way."""
    game, rng = load(parameters), random.Random(parameters)
    assert pickle.loads(pickle.dumps(game)).get_parameters() == game.get_parameters()
    assert pickle.loads(pickle.dumps(game.get_type())) == game.get_type()
    state, checks = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.move_number() & (state.move_number() - 1) == 0:
            assert state.clone().table is state.table  # it never changes, so there is nothing to copy
            text = pyspiel.serialize_game_and_state(game, state)
            for other in (
                state.clone(),
                pickle.loads(pickle.dumps(state)),
                pyspiel.deserialize_game_and_state(text)[1],
            ):
                assert (str(other), other.history()) == (str(state), state.history())
                assert other.move_number() == state.move_number()
                assert [seen(other, player) for player in range(game.num_players())] == [
                    seen(state, player) for player in range(game.num_players())
                ]
                before, actions = str(state), rng.sample(state.legal_actions(), 2)
                twin = state.child(actions[0])
                other.apply_action(actions[1])
                assert str(state) == before != str(other) != str(twin)
                checks += 1
        advance(state, rng)
    assert checks == 3 * 7  # before the moves 0, 1, 2, 4, 8, 16, 32


@pytest.mark.parametrize(("parameters", "tiles", "least"), [("", 20, -1), ("players=3", 21, -1 / 2)])
def test_what_the_game_says_of_itself(parameters: str, tiles: int, least: float) -> None:
    game = load(parameters)
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (20, tiles)
    assert game.max_history_length() == 20 + tiles
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (least, 1, 0)
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (200, 4)
    assert game.new_initial_state().get_game() is game
    assert game.rules == sv.Rules(players=game.num_players())
    assert str(game) == f"savanna_ten(mice=False,players={game.num_players()},team_game=False)"
    assert load("mice=True").max_chance_nodes_in_history() == 22
    assert load("mice=True").max_chance_outcomes() == 5
    assert load("players=4,team_game=True").min_utility() == -1
    assert load("players=4").min_utility() == pytest.approx(-1 / 3)


# ----------------------------------------------------------------------------------------------------- chance and moves


def test_chance_by_hand() -> None:
    state = load("").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]
    for _ in range(4):
        state.apply_action(0)
    assert state.chance_outcomes() == [(1, 3 / 6), (2, 2 / 6), (3, 1 / 6)]
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["zebra", "giraffe", "elephant"]
    for action in (3, 2, 2, 1, 1):
        state.apply_action(action)
    assert state.chance_outcomes() == [(1, 1.0)]
    state.apply_action(1)
    assert state.chance_outcomes() == [(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]
    # The third of three seats has 3 monkeys, 2 zebras, a giraffe, an elephant and a mouse.
    state = load("players=3,mice=True").new_initial_state()
    for action in [0, 0, 0, 1, 1, 2, 3, 4] * 2 + [4, 0]:
        state.apply_action(action)
    assert state.chance_outcomes() == [(0, 2 / 6), (1, 2 / 6), (2, 1 / 6), (3, 1 / 6)]


@pytest.mark.parametrize("parameters", GAMES)
def test_every_deal_is_equally_likely(parameters: str) -> None:
    game, rng = load(parameters), random.Random(parameters)
    counts = game.rules.deck.values()
    orders = factorial(sum(counts)) // prod(map(factorial, counts))
    state, chance = game.new_initial_state(), 1.0
    while state.is_chance_node():
        outcomes = dict(state.chance_outcomes())
        assert sum(outcomes.values()) == pytest.approx(1)
        action = rng.choice(list(outcomes))
        chance *= outcomes[action]
        state.apply_action(action)
    assert chance == pytest.approx(float(orders) ** -game.num_players())
    assert all(sorted(deck) == sorted(told(state)[0][0]) for deck in told(state)[0])


@pytest.mark.parametrize("parameters", GAMES)
def test_moves_are_those_of_the_plain_engine(parameters: str) -> None:
    game, rng = load(parameters), random.Random(parameters)
    state = dealt(game, rng)
    decks = [[ANIMALS[tile] for tile in deck] for deck in told(state)[0]]
    position = ref.Position.from_decks(ref.Rules(**game.get_parameters()), decks)
    while not state.is_terminal():
        assert state.current_player() == position.seat
        actions = [move.action for move in position.legal_moves()]
        assert state.legal_actions() == actions
        texts = [state.action_to_string(action) for action in actions]
        assert [ref.Move.parse(text).action for text in texts] == actions
        assert [state.string_to_action(text) for text in texts] == actions
        assert state.returns() == [0.0] * game.num_players()
        action = rng.choice(actions)
        state.apply_action(action)
        position = position.play(ref.Move.from_action(action))
        for seat in range(game.num_players()):
            assert str(state.view(seat)) == state.observation_string(seat) == str(position.view(seat))
    assert position.is_over
    assert state.legal_actions() == []


# By the number of teams and of those that win together: what a winner and what a loser gets.
RETURNS = {(2, 1): (1, -1), (3, 1): (1, -1 / 2), (3, 2): (1 / 4, -1 / 2), (4, 1): (1, -1 / 3)}
RETURNS |= {(4, 2): (1 / 3, -1 / 3), (4, 3): (1 / 9, -1 / 3)}


@pytest.mark.parametrize(("parameters", "most"), [("", 2), ("players=3", 3), ("players=4", 4), (GAMES[6], 2)])
def test_returns_of_every_kind_of_win(parameters: str, most: int) -> None:
    game = load(parameters)
    rules = ref.Rules(**game.get_parameters())
    plays = sv.playouts(game.rules, games=50_000, seed=1)
    sizes = np.array([team_set.bit_count() for team_set in plays.winners.tolist()])
    for size in range(1, most + 1):
        won, lost = RETURNS.get((rules.teams, size), (0, None))
        for index in np.flatnonzero(sizes == size)[:5]:
            state = replayed(game, plays.decks[index].tolist(), plays.actions[index].tolist())
            decks = [[ANIMALS[tile] for tile in deck] for deck in plays.decks[index]]
            position = ref.Position.from_decks(rules, decks)
            for action in plays.actions[index].tolist():
                position = position.play(ref.Move.from_action(action))
            assert len(position.winners) == size
            expected = [won if rules.team_of(seat) in position.winners else lost for seat in range(rules.players)]
            assert state.returns() == pytest.approx(expected)
            assert state.rewards() == state.returns()
            assert sum(state.returns()) == pytest.approx(0)
    assert set(sizes) == set(range(1, most + 1))


# ----------------------------------------------------------------------------------------------------------------- bots


@pytest.mark.parametrize("parameters", GAMES[::3])
def test_uniform_bots_play(parameters: str) -> None:
    game = load(parameters)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    results = {tuple(pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)) for seed in range(30)}
    assert all(sum(result) == pytest.approx(0) for result in results)
    assert len(results) > 1


def searcher(game: Any, simulations: int) -> Any:
    """Return a bot for information sets whose chance is pinned."""
    draws = np.random.RandomState(simulations)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, draws), 1.0, simulations, random_state=draws)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, draws.random_sample))
    return bot


@pytest.mark.parametrize("parameters", ["", "players=3,mice=True", "players=4,team_game=True"])
def test_the_bot_for_information_sets_plays(parameters: str) -> None:
    game = load(parameters)
    state, bot = dealt(game, random.Random(1)), searcher(game, simulations=10)
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert len(told(state)[1]) == 20


def test_the_bot_for_information_sets_finds_a_win() -> None:
    """With one space left some moves win and some do not; which, every redrawn history tells alike."""
    game, found = load(""), 0
    bot = searcher(game, simulations=60)
    for seed in range(60):
        state = played(game, seed, 19)
        results = {action: state.child(action).returns()[1] for action in state.legal_actions()}
        if len(set(results.values())) > 1:
            assert results[bot.step(state)] == max(results.values())
            found += 1
    assert found >= 5


def test_players_of_savanna_play() -> None:
    game = load("players=3")
    state, players = dealt(game, random.Random(2)), [sv.players.Greedy(seed=seat) for seat in range(3)]
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action_with_legality_check(players[seat].choose(state.view(seat)).action)
    assert sum(state.returns()) == pytest.approx(0)


# ------------------------------------------------------------------------------------------------------------ bad input


def test_bad_parameters() -> None:
    with pytest.raises(sv.RulesError, match=r"players must be 2 to 4, got 5"):
        load("players=5")
    with pytest.raises(sv.RulesError, match="team_game needs 4 players, got 3"):
        load("players=3,team_game=True")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'mouse'"):
        load("mouse=True")


def test_a_refused_action_changes_nothing() -> None:
    state = load("").new_initial_state()
    with pytest.raises(sv.SavannaError, match="tile 0 of seat 0: no animal with the index 4 is left in its deck"):
        state.apply_action(4)
    state.apply_action(3)
    with pytest.raises(sv.SavannaError, match="tile 1 of seat 0: no animal with the index 3 is left in its deck"):
        state.apply_action(3)
    with pytest.raises(sv.SavannaError, match="nobody has a view before all tiles are dealt"):
        state.view(0)
    assert state.history() == [3]
    state = played(load(""), 1, 19)
    before = str(state), state.history()
    taken = next(action for action in range(200) if action not in state.legal_actions())
    with pytest.raises(sv.IllegalMoveError):
        state.apply_action(taken)
    with pytest.raises(sv.SavannaError, match="200"):
        state.apply_action(200)
    assert (str(state), state.history()) == before
    state.apply_action(state.legal_actions()[0])
    before = str(state), state.history()
    with pytest.raises(sv.GameOverError):
        state.apply_action(before[1][-1])
    assert (str(state), state.history()) == before


def test_without_openspiel() -> None:
    program = (
        "import sys, savanna.envs; print('pyspiel' in sys.modules)\n"
        "sys.modules['pyspiel'] = None\n"
        "try:\n    import savanna.envs.openspiel\nexcept ImportError as error:\n    print(error)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    needs = "savanna.envs.openspiel needs OpenSpiel: pip install 'savanna-core[openspiel]'"
    assert result.stdout.splitlines() == ["False", needs]
