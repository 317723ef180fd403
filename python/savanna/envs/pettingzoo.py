"""Savanna Ten for PettingZoo: seats take turns, and each is an agent that gets what its seat's view shows.

Agents that play at random::

    from savanna.envs.pettingzoo import env

    game = env(Rules(players=3))
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        action = None if terminated else game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

`pip install 'savanna-core[rl]'` brings what it needs.
"""

from copy import deepcopy
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from savanna._core import ANIMALS, ENV_VERSION, Episode, Move, Rules, View, check_batch
from savanna.envs.batch import check_dtype, rules_from
from savanna.envs.rewards import Rewards
from savanna.envs.seeding import checked_seed, draw_seed
from savanna.errors import GameOverError, IllegalMoveError, SavannaError

try:
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils.env import AECIterable

    from savanna.envs.spaces import RENDERING, RenderMode, checked_mode, observation_box, render
except ImportError as _error:
    _WANTED = "savanna.envs.pettingzoo needs PettingZoo: pip install 'savanna-core[rl]'"
    raise ImportError(f"{_WANTED} ({_error})") from _error

__all__ = ["env", "raw_env"]

_METADATA: dict[str, Any] = {
    **RENDERING,
    "name": f"savanna_ten_v{ENV_VERSION - 1}",  # PettingZoo counts from 0, ENV_VERSION from 1
    "is_parallelizable": False,
}


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801 (what PettingZoo calls it everywhere)
    """A game of Savanna Ten; `env` makes it. The agents are "player_0", "player_1", ... in turn order.

    An observation is a dict: "observation" (float32 or uint8, [layout.size]; see `savanna.envs.Layout`) and
    "action_mask" (int8, [200]), a 1 for each legal action, all 0 for agents that are not to move. Arrays are fresh at
    every call. An action is an action id, 0 to 199; see `savanna.Move`. `state()` is what nobody knows but the host,
    for critics in training; `public_view` is what everybody knows.

    The seed of a deal is drawn from a generator that `reset(seed=...)` makes and `reset()` goes on with. Games can be
    pickled and copied (`copy.deepcopy`) at any time; a copy deals the same games from there on.
    """

    metadata = _METADATA

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        render_mode: RenderMode | None = None,
        illegal: Literal["loss", "raise"] = "loss",
        reward: Literal["win", "margin", "margin-change"] = "win",
        recall: bool = False,
        dtype: Literal["float32", "uint8"] = "float32",
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        layout = check_batch(rules_from(rules), recall, reward, illegal, "disabled")
        check_dtype(dtype)
        self._layout, self._dtype, self._illegal = layout, dtype, illegal
        self._rewards = Rewards(layout, reward)
        self._generator: Generator | None = None
        self._episode: Episode | None = None
        self._over = False
        self.possible_agents = [f"player_{seat}" for seat in range(layout.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(200) for agent in self.possible_agents}
        mask: spaces.Box[Any] = spaces.Box(0, 1, shape=(200,), dtype=np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_box(layout, dtype), "action_mask": deepcopy(mask)})
            for agent in self.possible_agents
        }
        self.agents = []
        self.agent_selection = self.possible_agents[0]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object; sample from it with the mask."""
        self._seat(agent)
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game. A seed, 0 or more, decides over this deal and those that follow; `options` are ignored."""
        number = checked_seed(seed)
        if number is not None or self._generator is None:
            self._generator, _ = np_random(number)
        self._episode, self._over = Episode.deal(self._layout.rules, draw_seed(self._generator)), False
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo does itself
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Return an iterator over the agents whose turn it is, until all have left the game, at most `max_iter` times.

        Raises `SavannaError` before the first `reset`.
        """
        self._now()
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees now, whether it is to move or not."""
        episode, seat = self._now(), self._seat(agent)
        return {
            "observation": episode.observe(self._layout, seat, dtype=self._dtype),
            "action_mask": np.zeros(200, np.int8) if self._over else episode.action_mask(seat),
        }

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is; when the game is over, None, by which the agent leaves.

        An action that is not legal loses the game for the agent's team, or raises `IllegalMoveError` and changes
        nothing, as `illegal` says; a number that is not an action id raises it in any case.
        """
        episode, agent = self._now(), self.agent_selection
        if self._over:
            if not self.agents:
                raise GameOverError("the game is over and all agents have left it: reset it")
            self._was_dead_step(action)
            return
        move, before = _move(action, agent), episode.position
        try:
            self._episode = after = episode.play(move)
        except IllegalMoveError:
            if self._illegal == "raise":
                raise
            paid: list[float] | None = self._rewards.after_forfeit(before, self._seats[agent])
            self._over = True
        else:
            paid = self._rewards.after_move(before, after.position)
            self._over = after.position.is_over
        self._cumulative_rewards[agent] = 0.0
        if paid is not None:
            self.rewards = dict(zip(self.agents, paid, strict=True))
            self._accumulate_rewards()
        if self._over:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[(self._seats[agent] + 1) % len(self.agents)]
        if self.render_mode == "human":
            self.render()

    @property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state()`."""
        kind, players = np.dtype(self._dtype), len(self._seats)
        high = np.concatenate(
            [np.tile(self._layout.high, players), np.full(players * self._longest_deck, len(ANIMALS))]
        )
        return spaces.Box(np.zeros(len(high), kind), high.astype(kind), dtype=kind.type)

    def state(self) -> NDArray[Any]:
        """Return the truth that only the host has, hands, Lions and decks of all: for a critic, never for a player.

        It is what each seat sees, one after the other ([players * layout.size]), and then each seat's deck in draw
        order: 1 and on for each animal by its index, 0 where nothing is left. Its type is that of observations.
        """
        episode = self._now()
        seen = [episode.observe(self._layout, seat, dtype=self._dtype) for seat in self._seats.values()]
        decks = np.zeros((len(seen), self._longest_deck), self._dtype)
        for row, deck in zip(decks, episode.position.decks, strict=True):
            row[: len(deck)] = [1 + ANIMALS.index(animal) for animal in deck]
        return np.concatenate([*seen, decks.ravel()])

    @property
    def _longest_deck(self) -> int:
        """How many tiles a seat has still to draw at the start."""
        return max(0, sum(self._layout.rules.deck.values()) - 2)

    def render(self) -> Any:
        """Show what the agent to move knows: return the view's text ("ansi") or picture, or print it ("human").

        When the game is over, it is the agent that `last` tells about it.
        """
        shown = render(self.render_mode, [self._now().view(self._seats[self.agent_selection])])
        return None if shown is None else shown[0]

    def public_view(self) -> View:
        """Return what everybody sees now, for spectators: a view without a seat."""
        return self._now().position.public()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _now(self) -> Episode:
        if self._episode is None:
            raise SavannaError("no game has been dealt: reset the environment first")
        return self._episode

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise SavannaError(f"agent must be one of {', '.join(self.possible_agents)}, got {agent!r}")
        return self._seats[agent]


def _move(action: Any, agent: str) -> Move:
    """Return the move of an action id. Raises `TypeError` for other types, `IllegalMoveError` if it is out of range."""
    try:
        return Move.from_action(action)
    except TypeError:
        got = "None: it is still in the game" if action is None else type(action).__name__
        raise TypeError(f"action of {agent} must be an int from 0 to 199, got {got}") from None


def env(
    rules: Rules | str | None = None,
    *,
    render_mode: RenderMode | None = None,
    illegal: Literal["loss", "raise"] = "loss",
    reward: Literal["win", "margin", "margin-change"] = "win",
    recall: bool = False,
    dtype: Literal["float32", "uint8"] = "float32",
) -> raw_env:
    """Return a game for PettingZoo, by default of two players with printed rules. It checks itself and is not wrapped.

    `illegal` is what follows an action that is not legal: by "loss" the game ends as lost for the agent's team, and the
    others share the win; "raise" raises `IllegalMoveError` and changes nothing. `reward`, `recall` and `dtype` are
    those of `BatchEnv`. With `render_mode` "ansi", `render` returns a view's text; with "human", every `reset` and
    `step` prints the board; with "rgb_array" it returns the picture (uint8[720, 960, 3]; `pip install
    'savanna-core[frames]'`).
    """
    return raw_env(rules, render_mode=render_mode, illegal=illegal, reward=reward, recall=recall, dtype=dtype)
