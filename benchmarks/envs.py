"""Measure plies per second of environments that random agents step from Python, all on one core.

    pip install '.[bench]'
    taskset -c 0 python benchmarks/envs.py --markdown envs.md

`savanna.envs.BatchEnv` with 4,096 games draws its legal actions, plays them, begins new games, and writes every
observation, mask, reward and end into the same arrays. Pgx does the same for 4,096 games of Connect Four, in the
fastest way that we found to step it from Python: `act_randomly`, `auto_reset` and the splitting of keys are compiled
into one function, which donates its state and whose results are waited for. Another row has fifty steps compiled into
one call, where no agent could choose. OpenSpiel's games in Python are played one at a time by `legal_actions` and
`apply_action`, without observations. Environments for PettingZoo are stepped as users step them, by `agent_iter` and
`last`; the step in which an agent leaves a finished game is not counted.

The games differ, so this compares environments, not rules: a ply here writes 245 numbers (310 with recall, 345 with
four players) and a mask of 200, a ply of Connect Four 84 bits and 7. One of the games for OpenSpiel is also Savanna
Ten. All contenders take turns, round after round, so that other processes disturb all of them alike. Ratios are taken
within a round, and their medians are shown.
"""

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Literal

import savanna as sv
from rivals import machine
from savanna.envs import BatchEnv

GAMES = 4096
STEPS = 20  # of a batch between two looks at the clock: a whole game of Savanna Ten
Turn = Callable[[], int]  # plays a little and returns how many plies


@dataclass
class Contender:
    """One whose plies are counted: `make` returns what plays them, or raises ImportError."""

    name: str
    make: Callable[[], Turn]
    package: str | None = None
    rates: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    turn: Turn | None = None

    def take_turn(self, seconds: float) -> None:
        """Play for at least the given time, and note the plies per second and how busy the core was."""
        assert self.turn is not None
        plies, elapsed, start, start_busy = 0, 0.0, time.perf_counter(), time.process_time()
        while elapsed < seconds:
            plies += self.turn()
            elapsed = time.perf_counter() - start
        self.rates.append(plies / elapsed)
        self.busy.append((time.process_time() - start_busy) / elapsed)


def batch(rules: sv.Rules, dtype: Literal["uint8", "float32"], *, recall: bool = False) -> Turn:
    """Return what steps a batch of games by random legal actions, everything written into the same arrays."""
    env = BatchEnv(GAMES, rules, seed=0, dtype=dtype, recall=recall)
    out = env.reset(out=env.buffers())

    def turn() -> int:
        for _ in range(STEPS):
            env.step(env.sample_actions(), out=out)
        if not out.terminated.all():
            raise SystemExit("a game has not ended after 20 plies")
        return STEPS * GAMES

    return turn


def pgx_batch(steps: int) -> Turn:
    """Return what steps a batch of Connect Four by random legal actions, with the given steps per call."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make("connect_four")
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        key, for_actions, for_games = jax.random.split(key, 3)
        actions = act_randomly(for_actions, state.legal_action_mask)
        after = step_all(state, actions, jax.random.split(for_games, GAMES))
        return after, key

    def some_steps(state: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, steps, lambda _, both: step(*both), (state, key))

    stepped = jax.jit(step if steps == 1 else some_steps, donate_argnums=(0, 1))
    now = stepped(jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), GAMES)), jax.random.key(1))

    def turn() -> int:
        nonlocal now
        for _ in range(max(STEPS // steps, 1)):
            now = stepped(*now)
            jax.block_until_ready(now)
        return max(STEPS // steps, 1) * steps * GAMES

    for _ in range(5):  # longer than the longest game: now games begin and end at all times
        turn()
    if not now[0].observation.any() or now[0].legal_action_mask.sum() < GAMES:
        raise SystemExit("Pgx does not step its games")
    return turn


def openspiel(name: str) -> Turn:
    """Return what plays random games of OpenSpiel, one at a time. Chance nodes take time, but are not counted."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401, which registers them

    from rivals import openspiel_game  # noqa: F401, likewise

    game, rnd = pyspiel.load_game(name), random.Random(0)

    def turn() -> int:
        plies = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                plies += not state.is_chance_node()
                state.apply_action(rnd.choice(state.legal_actions()))
        return plies

    return turn


def agents_in_turn(make: Callable[[], Any]) -> Turn:
    """Return what plays whole random games of an environment for PettingZoo."""
    env, rng = make(), random.Random(1)

    def turn() -> int:
        plies = 0
        for _ in range(5):
            env.reset(seed=rng.getrandbits(30))
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(rng.random() * len(legal))]))
                plies += 1
        return plies

    return turn


def for_pettingzoo(rules: sv.Rules) -> Turn:
    """Return what plays the environment of `savanna.envs.pettingzoo`."""
    from savanna.envs import pettingzoo

    return agents_in_turn(lambda: pettingzoo.env(rules))


def connect_four(name: Literal["env", "raw_env"]) -> Turn:
    """Return what plays PettingZoo's own Connect Four, with its checks or without."""
    from pettingzoo.classic import connect_four_v3

    return agents_in_turn(getattr(connect_four_v3, name))


PGX, OPEN_SPIEL, ZOO = "Pgx connect_four", "OpenSpiel python_tic_tac_toe", "PettingZoo connect_four_v3"
TWO, FOUR = sv.Rules(), sv.Rules(players=4)
CONTENDERS = [
    Contender("BatchEnv, uint8", partial(batch, TWO, "uint8")),
    Contender("BatchEnv, float32", partial(batch, TWO, "float32")),
    Contender("BatchEnv, uint8, recall", partial(batch, TWO, "uint8", recall=True)),
    Contender("BatchEnv, uint8, 4 players", partial(batch, FOUR, "uint8")),
    Contender(PGX, partial(pgx_batch, 1), "pgx"),
    Contender(f"{PGX}, 50 steps per call", partial(pgx_batch, 50), "pgx"),
    Contender(OPEN_SPIEL, partial(openspiel, "python_tic_tac_toe"), "open_spiel"),
    Contender("OpenSpiel python_kuhn_poker", partial(openspiel, "python_kuhn_poker"), "open_spiel"),
    Contender("OpenSpiel, Savanna Ten in Python", partial(openspiel, "python_savanna_race"), "open_spiel"),
    Contender("savanna for PettingZoo", partial(for_pettingzoo, TWO), "pettingzoo"),
    Contender("savanna for PettingZoo, 4 players", partial(for_pettingzoo, FOUR), "pettingzoo"),
    Contender(ZOO, partial(connect_four, "env"), "pettingzoo pygame"),
    Contender(f"{ZOO}, its checks left off", partial(connect_four, "raw_env"), "pettingzoo pygame"),
]


def ratio(mine: list[float], other: list[float]) -> str:
    """Return the median over the rounds of how many times as fast it is, or a dash without the other."""
    return f"{median(a / b for a, b in zip(mine, other, strict=True)):,.3g}" if other else "-"


def table(contenders: list[Contender]) -> str:
    """Return a Markdown table of those that were measured, and the names of those that were not."""
    by_name = {contender.name: contender.rates for contender in contenders}
    head = (
        "environment",
        "plies/s",
        "least and most",
        *(f"times {name}" for name in (PGX, OPEN_SPIEL, ZOO)),
        "core busy",
    )
    lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 1)]
    for contender in contenders:
        rates = contender.rates
        if not rates:
            lines.append(f"| {contender.name} | left out: pip install {contender.package} |{' |' * (len(head) - 2)}")
            continue
        ratios = " | ".join(ratio(rates, by_name[name]) for name in (PGX, OPEN_SPIEL, ZOO))
        spread, busy = f"{min(rates):,.0f} to {max(rates):,.0f}", f"{median(contender.busy):.2f}"
        lines.append(f"| {contender.name} | {median(rates):,.0f} | {spread} | {ratios} | {busy} |")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11, help="rounds (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table to a file")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    return options


def main() -> None:
    """Measure and print."""
    options = arguments()
    facts = machine.description(machine.cores())
    machine.keep_to_one_core()
    before = machine.load()
    for contender in CONTENDERS:
        try:
            contender.turn = contender.make()
        except ImportError:
            if contender.package is None:
                raise
    measured = [contender for contender in CONTENDERS if contender.turn is not None]
    for number in range(options.rounds + 1):  # the first warms up
        for contender in measured:
            contender.take_turn(options.seconds)
            if number == 0:
                contender.rates.clear()
                contender.busy.clear()
    facts["method"] = (
        f"median of {options.rounds} interleaved rounds, {options.seconds:g} s each, one process bound to one core; "
        f"{GAMES:,} games per batch; drawing random legal actions is included"
    )
    facts["core busy"] = "processor time over time: below 1, another process used the core"
    facts["load"] = f"{before} before, {machine.load()} after, of which this is 1"
    text = "\n".join([table(CONTENDERS), "", *(f"- {label}: {fact}" for label, fact in facts.items()), ""])
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
