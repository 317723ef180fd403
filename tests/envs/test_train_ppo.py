"""examples/train_ppo.py learns: in seconds it stops losing to Random, and its arithmetic is that of the definitions."""

from pathlib import Path

import numpy as np
import pytest

import savanna as sv
import train_ppo
from savanna.envs import ENV_VERSION, BatchEnv, Layout
from savanna.players import Random

SHORT = ["--envs", "128", "--width", "64", "--minibatch", "256", "--deals", "10", "--seed", "3"]


def share(player: train_ppo.NetworkPlayer) -> float:
    """Return the player's share of wins against Random; every game has to be played by legal moves to its end."""
    result = sv.tournament({"network": player, "random": Random()}, deals=100, seed=1, threads=1)
    assert {game.reason for game in result.games} == {"played"}
    return result.pairs[0].share


@pytest.mark.rare
def test_a_short_run_learns_shows_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An untrained network wins less than half; one that has only learnt not to lay Lions wins nine games of ten."""
    path = tmp_path / "weights.npz"
    player = train_ppo.main(["--updates", "10", "--save", str(path), *SHORT])
    untrained = train_ppo.new_network(np.random.default_rng(3), player.layout.size, 64)
    before = share(train_ppo.NetworkPlayer(untrained, sv.Rules()))
    assert before < 0.65
    assert share(player) > 0.85
    printed = capsys.readouterr().out
    assert "1,280 games" in printed
    assert "Greedy" in printed
    again = train_ppo.NetworkPlayer.load(path)
    for layer, same in zip(player.network, again.network, strict=True):
        for array, other in zip(layer, same, strict=True):
            assert np.isfinite(array).all()
            np.testing.assert_array_equal(array, other)
    assert again.layout.rules == sv.Rules()
    assert share(again) == share(player)


def test_a_network_that_reads_other_observations_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "weights.npz"
    network = train_ppo.new_network(np.random.default_rng(0), Layout(sv.Rules()).size, 8)
    train_ppo.NetworkPlayer(network, sv.Rules()).save(path)
    monkeypatch.setattr(train_ppo, "ENV_VERSION", ENV_VERSION + 1)
    with pytest.raises(ValueError, match=f"learnt with ENV_VERSION {ENV_VERSION}, and this is {ENV_VERSION + 1}$"):
        train_ppo.NetworkPlayer.load(path)


@pytest.mark.rare
def test_the_same_seed_learns_the_same() -> None:
    first, again = (train_ppo.main(["--updates", "2", *SHORT]).network for _ in range(2))
    for layer, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(layer[0], other[0])


@pytest.mark.rare
def test_a_loss_that_is_not_finite_is_an_error() -> None:
    with pytest.raises(ArithmeticError, match=r"the loss is (nan|inf) after .* games: lower --rate"):
        train_ppo.main(["--updates", "4", "--rate", "1e30", *SHORT])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--minutes 0", "--minutes must be positive, got 0"),
        ("--envs 0", "--envs must be positive, got 0"),
        ("--rate nan", "--rate must be positive, got nan"),
        ("--seed -1", "--seed must be 0 or more, got -1"),
        ("--save .", "--save must be a file in a folder that there is, got ."),
        ("--save missing/x.npz", "--save must be a file in a folder that there is, got missing/x.npz"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_learnt(
    words: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        train_ppo.main(["--updates", "1", *words.split()])
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("players", [2, 3, 4])
def test_advantages_are_sums_of_discounted_errors(players: int) -> None:
    """Each seat's decisions, rewards and values are picked out and summed up by the definition."""
    rng, gae = np.random.default_rng(players), 0.7
    rewards = rng.standard_normal((20, 5, players)).astype(np.float32)
    values = rng.standard_normal((20, 5)).astype(np.float32)
    advantage = train_ppo.advantages(rewards, values, players, gae)
    for seat in range(players):
        turns = list(range(seat, 20, players))
        paid = [sum(rewards[ply, :, seat] for ply in range(turn, min(turn + players, 20))) for turn in turns]
        later = [*(values[turn] for turn in turns[1:]), np.zeros(5, np.float32)]
        errors = [now + after - values[turn] for now, after, turn in zip(paid, later, turns, strict=True)]
        for number, turn in enumerate(turns):
            expected = sum(gae**k * error for k, error in enumerate(errors[number:]))
            np.testing.assert_allclose(advantage[turn], expected, atol=1e-4)


def test_turned_games_are_played_by_the_actions_that_were_meant() -> None:
    """What is legal on the turned board is legal on the board as it lies, and nothing else is."""
    env = BatchEnv(8, seed=2)
    seen = train_ppo.Seen.of(env.layout)
    for _ in range(5):
        now = env.step(env.sample_actions())
    inputs, legal = seen(now.observations, now.action_mask)
    assert 0 <= inputs.min() < inputs.max() <= 1
    for game in range(8):
        chosen = np.flatnonzero(legal[game])
        back = [int(seen.actions(np.full(8, action))[game]) for action in chosen]
        assert sorted(back) == list(np.flatnonzero(now.action_mask[game]))
        turned = now.observations[game, env.layout.turned(game % 4)]
        np.testing.assert_allclose(inputs[game] * env.layout.high, turned, atol=1e-5)


def test_the_player_does_the_same_on_a_turned_board() -> None:
    """It adds up all four turns of the board, so it has no favourite side."""
    network = train_ppo.new_network(np.random.default_rng(0), Layout(sv.Rules()).size, 32)
    player = train_ppo.NetworkPlayer(network, sv.Rules())
    for quarters in (1, 2, 3):
        turned_id = np.argsort(Layout.turned_actions(quarters))  # of each action, on the turned board
        position = other = sv.Position.deal(sv.Rules(), seed=4)
        first = position.legal_moves()[0]  # on an empty board, four moves that are each other's turns are equally good
        position, other = position.play(first), other.play(sv.Move.from_action(int(turned_id[first.action])))
        while position.seat is not None:
            move, same = player.choose(position.view(position.seat)), player.choose(other.view(position.seat))
            assert same.action == turned_id[move.action]
            position, other = position.play(move), other.play(same)
