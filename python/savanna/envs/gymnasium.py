"""Savanna Ten for Gymnasium: an agent plays one seat, and players of your choice play the others.

An agent that plays at random::

    import gymnasium
    import savanna.envs.gymnasium

    game = gymnasium.make("Savanna-v0", opponent=savanna.players.Greedy())
    observation, info = game.reset(seed=1)
    action = game.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = game.step(action)

    games = gymnasium.make_vec("Savanna-v0", num_envs=1024)

`pip install 'savanna-core[rl]'` brings what it needs.
"""

from dataclasses import replace
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from savanna._core import ACTIONS, ENV_VERSION, Layout, Rules
from savanna.envs.batch import as_array
from savanna.envs.matches import Matches, Opponent, as_text
from savanna.envs.seeding import checked_seed
from savanna.errors import SavannaError

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.envs.registration import EnvSpec
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from savanna.envs.spaces import RENDERING, RenderMode, checked_mode, observation_box, render
except ImportError as _error:
    raise ImportError(f"savanna.envs.gymnasium needs Gymnasium: pip install 'savanna-core[rl]' ({_error})") from _error

__all__ = ["ENV_ID", "SavannaEnv", "SavannaVectorEnv"]

ENV_ID = f"Savanna-v{ENV_VERSION - 1}"
"""By this name `gymnasium.make` and `make_vec` know the environment. Gymnasium counts from 0, `ENV_VERSION` from 1."""


class _Spec:
    """The spec that Gymnasium gives an environment, with the texts of rules and players, so that `to_json` keeps it."""

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """How the environment was made; None unless `gymnasium.make` or `make_vec` made it."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None:
            kwargs = {name: as_text(it) if name in ("opponent", "rules") else it for name, it in spec.kwargs.items()}
            spec = replace(spec, kwargs=kwargs)
        self._spec = spec


class SavannaEnv(_Spec, gymnasium.Env[NDArray[Any], SupportsIndex]):
    """One game, by default of two players with printed rules, in which the agent plays one seat.

    An observation is what the agent's view shows (float32 or uint8 by `dtype`, [layout.size]; see
    `savanna.envs.Layout`), an action an action id, 0 to 199; see `savanna.Move`. `action_masks()` and
    `info["action_mask"]` (int8, [200]) have a 1 for each legal action. All arrays are fresh.

    `opponent` is any player with `choose(view)`, or a sequence with one for each other seat, in turn order from the
    agent on, partners included; `Random` ignores its own seed and draws from numbers that `reset(seed=...)` decides.
    `seat` is the agent's, or None to draw it for each game. `rules` and players may be given by their texts, "3p,mice"
    and "greedy" (see `players.parse`), and `spec` holds these texts; only a player that no text stands for is kept as
    it is, and then `spec.to_json()` raises Gymnasium's error. An illegal answer of an opponent raises
    `IllegalMoveError`.

    `illegal` is what follows an action of the agent that is not legal: by "loss" the game ends as lost for its team;
    "raise" raises `IllegalMoveError` and changes nothing. `reward` and `recall` are those of `BatchEnv`; what
    "margin-change" pays before the agent's first move comes with the reward of that move. With `render_mode` "ansi",
    `render` returns a view's text; with "human", every `reset` and `step` prints the board; with "rgb_array" it returns
    the picture (uint8[720, 960, 3]; `pip install 'savanna-core[frames]'`).
    """

    metadata = RENDERING

    def __init__(
        self,
        opponent: Opponent | None = None,
        rules: Rules | str | None = None,
        seat: int | None = 0,
        *,
        reward: Literal["win", "margin", "margin-change"] = "win",
        illegal: Literal["loss", "raise"] = "loss",
        recall: bool = False,
        dtype: Literal["float32", "uint8"] = "float32",
        render_mode: RenderMode | None = None,
    ) -> None:
        self._games = Matches(1, rules, opponent, seat, reward=reward, illegal=illegal, recall=recall, dtype=dtype)
        self.render_mode = checked_mode(render_mode)
        self.observation_space = observation_box(self._games.layout, dtype)
        self.action_space = spaces.Discrete(ACTIONS)

    @property
    def layout(self) -> Layout:
        """How observations are laid out."""
        return self._games.layout

    @property
    def seat(self) -> int:
        """The agent's seat in this game."""
        return int(self._games.seats[0])

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal a game and let those move who come before the agent.

        A seed, 0 or more, decides over this deal and those that follow; `options` are ignored.
        """
        super().reset(seed=checked_seed(seed))
        self._games.deal(self.np_random)
        return self._seen()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action and let the others answer; return observation, reward, terminated, truncated (never) and info.

        Raises `GameOverError` when the game is over; see `illegal` for actions that are not legal.
        """
        self._games.play(as_array(action, "action").reshape(-1))
        observation, info = self._seen()
        return observation, float(self._games.collect()[0]), bool(self._games.over[0]), False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return a 1 for each action that is legal now, none when the game is over: int8[200]."""
        mask: NDArray[np.int8] = self._games.action_masks()[0]
        return mask

    def render(self) -> Any:
        """Show what the agent knows: return the text of the view ("ansi") or its picture, or print it ("human")."""
        shown = render(self.render_mode, [self._games.view(0)])
        return None if shown is None else shown[0]

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return self._games.observations()[0], {"action_mask": self.action_masks()}


class SavannaVectorEnv(_Spec, VectorEnv[NDArray[Any], ArrayLike, NDArray[Any]]):
    """Many games at once, in each of which the agent plays one seat: `gymnasium.make_vec("Savanna-v0", num_envs=...)`.

    Options are those of `SavannaEnv`, for every game; `threads` that of `BatchEnv`. Observations are [num_envs,
    layout.size], actions [num_envs], `action_masks()` and `infos["action_mask"]` int8[num_envs, 200].

    `autoreset_mode` says when the next game begins in the place of one that is over. `AutoresetMode.SAME_STEP`: in the
    step that ends it; the last observation and info are in `infos["final_obs"]` and `infos["final_info"]`.
    `NEXT_STEP`: in the step after, whose action is ignored there. `DISABLED`: when `reset(options={"reset_mask": ...})`
    asks for it.

    `max_episode_steps` is refused, as every game ends after 20 plies. An opponent of your own is asked game by game,
    `Random` for all games by one call.
    """

    metadata = RENDERING

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Opponent | None = None,
        rules: Rules | str | None = None,
        seat: int | None = 0,
        *,
        reward: Literal["win", "margin", "margin-change"] = "win",
        illegal: Literal["loss", "raise"] = "loss",
        recall: bool = False,
        dtype: Literal["float32", "uint8"] = "float32",
        render_mode: RenderMode | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        threads: int | None = 1,
        max_episode_steps: None = None,
    ) -> None:
        if max_episode_steps is not None:
            raise SavannaError("max_episode_steps cannot be set for games side by side: each ends after 20 plies")
        self._games = Matches(
            num_envs, rules, opponent, seat, reward=reward, illegal=illegal, recall=recall, dtype=dtype, threads=threads
        )
        try:
            self._autoreset = AutoresetMode(autoreset_mode)
        except ValueError:
            names = ", ".join(mode.value for mode in AutoresetMode)
            raise SavannaError(f"autoreset_mode must be one of {names}, got {autoreset_mode!r}") from None
        self.metadata = {**RENDERING, "autoreset_mode": self._autoreset}
        self.num_envs = len(self._games.seats)
        self.render_mode = checked_mode(render_mode)
        self.single_observation_space = observation_box(self._games.layout, dtype)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def layout(self) -> Layout:
        """How observations are laid out."""
        return self._games.layout

    @property
    def seats(self) -> NDArray[np.uint8]:
        """The agent's seat in each game: uint8[num_envs]."""
        return self._games.seats.copy()

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal all games, by a seed that decides over all that follow.

        With `options={"reset_mask": ...}`, an array of bools, the next games begin where it says so, and all others
        stay as they are; there can be no seed then. Other options are ignored.
        """
        mask = (options or {}).get("reset_mask")
        if mask is None:
            super().reset(seed=checked_seed(seed))
            self._games.deal(self.np_random)
        else:
            self._games.deal_next(self._checked_mask(mask, seed), self.np_random)
        return self._seen()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action in each game and let the others answer.

        Returns observations, rewards (float64), terminations, truncations (all False) and infos. Raises
        `GameOverError` with autoreset disabled where a game is over; see `illegal` for actions that are not legal. If
        one action raises, no game is changed.
        """
        games, begins = self._games, self._games.over.copy()
        if self._autoreset is AutoresetMode.NEXT_STEP:
            games.play(actions, ~begins)
            ended, rewards = games.over & ~begins, games.collect()
            if begins.any():
                games.deal_next(begins, self.np_random)
        else:
            games.play(actions)
            ended, rewards = games.over.copy(), games.collect()
        finals: dict[str, Any] = {}
        if self._autoreset is AutoresetMode.SAME_STEP and ended.any():
            finals = self._finals(ended)
            games.deal_next(ended, self.np_random)
        observations, infos = self._seen()
        return observations, rewards, ended, np.zeros(self.num_envs, np.bool_), infos | finals

    def action_masks(self) -> NDArray[np.int8]:
        """Return a 1 for each action that is legal now, none where a game is over: int8[num_envs, 200]."""
        return self._games.action_masks()

    def render(self) -> tuple[Any, ...] | None:
        """Show what the agent knows in each game, as `SavannaEnv.render` does."""
        return render(self.render_mode, [self._games.view(game) for game in range(self.num_envs)])

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return self._games.observations(), _infos(self.action_masks(), np.ones(self.num_envs, np.bool_))

    def _finals(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what Gymnasium wants to be told of the games that have just ended: items of infos."""
        last = np.full(self.num_envs, None, dtype=object)
        seen = self._games.observations()
        for game in np.flatnonzero(ended).tolist():
            last[game] = seen[game].copy()  # keeping it does not keep all of them
        info = _infos(np.zeros((self.num_envs, ACTIONS), np.int8), ended.copy())
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def _checked_mask(self, mask: object, seed: object) -> NDArray[np.bool_]:
        if seed is not None:
            raise SavannaError("a seed deals all games, so there can be no reset_mask with it")
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            got = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise SavannaError(f"options['reset_mask'] must be an array of {self.num_envs} bools, got {got}")
        return mask


def _infos(masks: NDArray[np.int8], whose: NDArray[np.bool_]) -> dict[str, Any]:
    """Return infos in Gymnasium's form: to each array belongs another that says for which games it holds."""
    return {"action_mask": masks, "_action_mask": whose}


gymnasium.register(ENV_ID, entry_point=f"{__name__}:SavannaEnv", vector_entry_point=f"{__name__}:SavannaVectorEnv")
