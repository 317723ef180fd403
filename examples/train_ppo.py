"""Teach a network two-player Savanna Ten by self-play, then let it play against Random and Greedy.

    pip install '.[train]'
    python examples/train_ppo.py --minutes 3

Random is a weak opponent: a player that only avoids Lions wins nine games of ten against it, and the network learns
that within seconds. Greedy is the better measure.

This is PPO (Schulman and others, 2017) in JAX, on `savanna.envs.BatchEnv`. Illegal actions have probability zero, in
the loss and in play (Huang and Ontañón, 2022). The program is short because all games have the same 20 plies: the games
of a batch begin and end together, the seats take turns, and one array of [20 plies, games] holds everything.
"""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import savanna as sv
from savanna.envs import ENV_VERSION, BatchEnv, Layout
from savanna.players import Greedy, Random

PLIES, ACTIONS, QUARTERS = 20, 200, 4
POINTS = 10.0  # rewards are divided by it, which brings the network's values near 1
IMPOSSIBLE = -1e9  # the logit of an action that is not legal

Floats = NDArray[np.float32]
Network = list[tuple[Any, Any]]  # weights and biases, layer by layer, as arrays of NumPy or of JAX


class Samples(NamedTuple):
    """Decisions to learn from, one row for each: what was seen, done and how it turned out."""

    seen: Any  # float32[..., layout.size], from 0 to 1
    legal: Any  # bool[..., 200]
    action: Any  # int32[...]
    logp: Any  # float32[...], of the action when it was chosen
    advantage: Any  # float32[...]
    returned: Any  # float32[...], what the value should have been


def new_network(rng: np.random.Generator, inputs: int, width: int) -> Network:
    """Return a random network with two hidden layers; its outputs are the logits of 200 actions and a value."""
    sizes = [inputs, width, width, ACTIONS + 1]
    scales = [2**0.5, 2**0.5, 0.01]  # the small last layer begins with an almost uniform policy
    weights = [
        rng.standard_normal(shape, np.float32) * np.float32(scale / shape[0] ** 0.5)
        for shape, scale in zip(pairwise(sizes), scales, strict=True)
    ]
    return [(weight, np.zeros(weight.shape[1], np.float32)) for weight in weights]


def forward(network: Network, seen: Any) -> tuple[Any, Any]:
    """Return logits [..., 200] and values [...]; NumPy's and JAX's arrays both know these methods."""
    for weight, bias in network[:-1]:
        seen = (seen @ weight + bias).clip(0)
    outputs = seen @ network[-1][0] + network[-1][1]
    return outputs[..., :ACTIONS], outputs[..., ACTIONS]


@jax.jit
def act(network: Network, key: Any, seen: Any, legal: Any) -> tuple[Any, Any, Any]:
    """Draw an action for each row; return it, the logarithm of its probability, and the value."""
    logits, value = forward(network, seen)
    logp = jax.nn.log_softmax(jnp.where(legal, logits, IMPOSSIBLE))
    action = jax.random.categorical(key, logp)
    return action, jnp.take_along_axis(logp, action[:, None], 1)[:, 0], value


class Seen(NamedTuple):
    """How the network sees games: scaled to 0 to 1, game `i` turned by `i % 4` quarters, since no side is special."""

    scale: Floats
    turned: NDArray[np.int64]
    turned_actions: NDArray[np.int64]

    @classmethod
    def of(cls, layout: Layout) -> "Seen":
        """Return how observations of this layout are seen."""
        quarters = range(QUARTERS)
        return cls(
            (1 / layout.high).astype(np.float32),
            np.array([layout.turned(quarter) for quarter in quarters]),
            np.array([Layout.turned_actions(quarter) for quarter in quarters]),
        )

    def __call__(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the network's inputs and what is legal, for rows of observations and masks."""
        quarters = np.arange(len(observations)) % QUARTERS
        scaled = observations * self.scale
        return (
            np.take_along_axis(scaled, self.turned[quarters], 1),
            np.take_along_axis(masks, self.turned_actions[quarters], 1) == 1,
        )

    def actions(self, chosen: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the actions, on the board as it lies, that were chosen on turned boards."""
        return self.turned_actions[np.arange(len(chosen)) % QUARTERS, chosen]


def play_games(env: BatchEnv, seen: Seen, network: Network, key: Any, gae: float) -> Samples:
    """Play every game of the batch once, from deal to end; the network plays all seats."""
    plies, step = [], env.now()
    for ply_key in jax.random.split(key, PLIES):
        inputs, legal = seen(step.observations, step.action_mask)
        action, logp, value = (np.asarray(array) for array in act(network, ply_key, inputs, legal))
        step = env.step(seen.actions(action))
        plies.append((inputs, legal, action, logp, value, step.rewards / POINTS))
    assert step.terminated.all()
    seens, legals, actions, logps, values, rewards = (np.array(arrays) for arrays in zip(*plies, strict=True))
    advantage = advantages(rewards, values, env.rules.players, gae)
    return Samples(seens, legals, actions, logps, advantage, advantage + values)


def advantages(rewards: Floats, values: Floats, players: int, gae: float) -> Floats:
    """Return how much better each decision turned out than its value (generalised advantage estimation).

    The seat that is to move at a ply moves again `players` plies later, and is paid for all that happens until then.
    """
    advantage = np.zeros_like(values)
    for ply in reversed(range(PLIES)):
        again = ply + players
        paid = rewards[ply:again, :, ply % players].sum(0)
        advantage[ply] = paid - values[ply]
        if again < PLIES:
            advantage[ply] += values[again] + gae * advantage[again]
    return advantage


class Learner:
    """The network, and the optimiser that makes it better by PPO's clipped objective."""

    def __init__(self, inputs: int, options: argparse.Namespace) -> None:
        """Begin with a random network."""
        self.options = options
        self.optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(eps=1e-5))
        self.network = jax.device_put(new_network(np.random.default_rng(options.seed), inputs, options.width))
        self.state = self.optimiser.init(self.network)
        self._learn = jax.jit(self._epoch)

    def loss(self, network: Network, some: Samples) -> Any:
        """Return PPO's loss: of the policy, of the value, and for being too sure too early."""
        logits, value = forward(network, some.seen)
        logps = jax.nn.log_softmax(jnp.where(some.legal, logits, IMPOSSIBLE))
        ratio = jnp.exp(jnp.take_along_axis(logps, some.action[:, None], 1)[:, 0] - some.logp)
        advantage = (some.advantage - some.advantage.mean()) / (some.advantage.std() + 1e-8)
        gain = jnp.minimum(ratio * advantage, ratio.clip(0.8, 1.2) * advantage).mean()
        entropy = -jnp.where(some.legal, jnp.exp(logps) * logps, 0).sum(1).mean()
        return ((value - some.returned) ** 2).mean() / 2 - gain - self.options.entropy * entropy

    def _epoch(self, network: Network, state: Any, samples: Samples, order: Any, rate: Any) -> tuple[Network, Any, Any]:
        def update(carry: tuple[Network, Any], rows: Any) -> tuple[tuple[Network, Any], Any]:
            network, state = carry
            some = jax.tree.map(lambda array: array[rows], samples)
            loss, gradient = jax.value_and_grad(self.loss)(network, some)
            change, state = self.optimiser.update(gradient, state, network)
            network = jax.tree.map(lambda old, way: old - rate * way, network, change)
            return (network, state), loss

        (network, state), losses = jax.lax.scan(update, (network, state), order)
        return network, state, losses.mean()

    def learn(self, samples: Samples, rng: np.random.Generator, rate: float) -> float:
        """Learn from all samples, several times and in random order; return the mean loss."""
        flat = Samples(*(array.reshape(-1, *array.shape[2:]) for array in samples))
        size = min(self.options.minibatch, len(flat.action))
        losses = []
        for _ in range(self.options.epochs):
            order = rng.permutation(len(flat.action))
            rows = order[: len(order) // size * size].reshape(-1, size)
            self.network, self.state, loss = self._learn(self.network, self.state, flat, rows, rate)
            losses.append(float(loss))
        return sum(losses) / len(losses)


class NetworkPlayer:
    """A player that plays the action to which the network, asked for all four turns of the board, gives most."""

    def __init__(self, network: Network, rules: sv.Rules) -> None:
        """Take the network as it is now."""
        self.network = [(np.asarray(weight), np.asarray(bias)) for weight, bias in network]
        self.layout = Layout(rules)
        self.seen = Seen.of(self.layout)

    @classmethod
    def load(cls, path: Path) -> "NetworkPlayer":
        """Return the player that was saved. Raises `ValueError` if observations meant something else to it."""
        with np.load(path) as saved:
            version, rules, *arrays = (saved[name] for name in saved.files)
        if version != ENV_VERSION:
            raise ValueError(f"{path} was learnt with ENV_VERSION {version}, and this is {ENV_VERSION}")
        return cls(list(zip(arrays[::2], arrays[1::2], strict=True)), sv.Rules.parse(str(rules)))

    def save(self, path: Path) -> None:
        """Write by numpy.savez what `load` reads: `ENV_VERSION`, the rules, then weights and biases, layer by layer."""
        arrays = [array for layer in self.network for array in layer]
        with path.open("wb") as file:
            np.savez(file, np.array(ENV_VERSION), np.array(str(self.layout.rules)), *arrays)

    def choose(self, view: sv.View) -> sv.Move:
        """Return a legal move."""
        mask = np.frombuffer(view.legal_mask(), np.int8)
        inputs, legal = self.seen(np.tile(self.layout.observe(view), (QUARTERS, 1)), np.tile(mask, (QUARTERS, 1)))
        logits, _ = forward(self.network, inputs)
        total = np.zeros(ACTIONS)
        for quarter in range(QUARTERS):
            total[self.seen.turned_actions[quarter]] += np.where(legal[quarter], logits[quarter], IMPOSSIBLE)
        return sv.Move.from_action(int(total.argmax()))


def train(learner: Learner, env: BatchEnv, options: argparse.Namespace, report: Any) -> None:
    """Let the network play itself and learn, for some updates or minutes; `report(done, text)` shows the progress."""
    rng, key, seen = np.random.default_rng(options.seed), jax.random.key(options.seed), Seen.of(env.layout)
    start, updates, done = time.monotonic(), 0, 0.0
    while done < 1:
        key, games_key = jax.random.split(key)
        samples = play_games(env, seen, learner.network, games_key, options.gae)
        loss = learner.learn(samples, rng, options.rate * (1 - done))
        if not np.isfinite(loss):
            raise ArithmeticError(f"the loss is {loss} after {updates * env.num_envs:,} games: lower --rate")
        updates += 1
        spent = (time.monotonic() - start) / 60
        done = min(updates / options.updates if options.updates else spent / options.minutes, 1.0)
        report(done, f"{updates * env.num_envs:,} games, loss {loss:.4f}")


def matches(player: NetworkPlayer, deals: int) -> Table:
    """Return a table of how the network plays against others, each deal from both sides."""
    table = Table("against", "games", "share of wins", "95 % interval", "mean margin")
    for opponent in (Random(), Greedy()):
        pair = sv.tournament({"network": player, "opponent": opponent}, deals=deals, threads=1).pairs[0]
        low, high = pair.interval
        table.add_row(
            repr(opponent), str(pair.games), f"{pair.share:.1%}", f"{low:.1%} to {high:.1%}", f"{pair.margin:+.2f}"
        )
    return table


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long to learn (default: %(default)s)")
    parser.add_argument("--updates", type=int, help="how many batches of games to learn from, in place of --minutes")
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    parser.add_argument("--envs", type=int, default=512, help="games side by side (default: %(default)s)")
    parser.add_argument("--width", type=int, default=256, help="of the hidden layers (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the start (default: %(default)s)")
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the entropy (default: %(default)s)")
    parser.add_argument("--gae", type=float, default=0.9, help="lambda of the advantages (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=2, help="over each batch of games (default: %(default)s)")
    parser.add_argument("--minibatch", type=int, default=1024, help="decisions an update (default: %(default)s)")
    parser.add_argument("--deals", type=int, default=200, help="of each match afterwards (default: %(default)s)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the network, which NetworkPlayer.load reads")
    options = parser.parse_args(words)
    for name in ("minutes", "updates", "envs", "width", "rate", "epochs", "minibatch", "deals"):
        if (value := getattr(options, name)) is not None and not value > 0:  # nor is it NaN
            parser.error(f"--{name} must be positive, got {value}")
    if options.seed < 0:
        parser.error(f"--seed must be 0 or more, got {options.seed}")
    if options.save and (options.save.is_dir() or not options.save.parent.is_dir()):
        parser.error(f"--save must be a file in a folder that there is, got {options.save}")
    return options


def main(words: list[str] | None = None) -> NetworkPlayer:
    """Learn, show what has been learnt, and return the player."""
    options, console = arguments(words), Console()
    env = BatchEnv(options.envs, sv.Rules(), seed=options.seed, reward="margin-change")
    learner = Learner(env.layout.size, options)
    columns = (BarColumn(), TextColumn("{task.percentage:.0f} %, {task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("compiling", total=1.0)
        train(learner, env, options, lambda done, text: progress.update(task, completed=done, description=text))
    player = NetworkPlayer(learner.network, env.rules)
    if options.save:
        player.save(options.save)
    console.print(matches(player, options.deals))
    return player


if __name__ == "__main__":
    main()
