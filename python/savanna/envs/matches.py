"""Games of an agent against players: the others are asked for their moves until the agent is to move again."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from savanna._core import ACTIONS, Layout, Random, Rules, View
from savanna.envs.batch import WAIT, BatchEnv, as_array
from savanna.envs.records import Step
from savanna.envs.seeding import draw_seed
from savanna.errors import GameOverError, SavannaError
from savanna.players import Player, parse, written

Opponent: TypeAlias = Player | str | Sequence[Player | str]
"""Who plays the other seats: a player or its text, such as "champion:100", or one of these for each seat."""


def as_text(value: object) -> object:
    """Return the text that stands for rules or players, or the value itself where there is none."""
    if isinstance(value, Rules):
        return str(value)
    if isinstance(value, list | tuple):
        return [as_text(it) for it in value]
    text = written(value)
    return value if text is None else text


class Matches:
    """Games side by side, in each of which the agent has one seat and players have the others.

    `opponent` is one player for all other seats, or a sequence with one for each: the first sits next after the agent,
    and so on in turn order; None is `Random`. Players may be given by their texts, and get views only. `Random` ignores
    its own seed and draws from the random numbers of the batch. `seat` is the agent's, or None: then it is drawn for
    every game.

    An opponent that fails raises its error, and breaks all games off: they must be dealt anew.
    """

    def __init__(
        self,
        games: int,
        rules: Rules | str | None,
        opponent: Opponent | None,
        seat: int | None,
        *,
        reward: Literal["win", "margin", "margin-change"],
        illegal: Literal["loss", "raise"],
        recall: bool,
        dtype: Literal["float32", "uint8"],
        threads: int | None = 1,
    ) -> None:
        self._batch = BatchEnv(
            games,
            rules,
            seed=0,
            dtype=dtype,
            recall=recall,
            reward=reward,
            illegal=illegal,
            autoreset="disabled",
            threads=threads,
        )
        self._players = _seated("random" if opponent is None else opponent, self._batch.rules.players - 1)
        self._random = np.array([isinstance(player, Random) for player in self._players])
        self._seat = _checked_seat(seat, self._batch.rules.players)
        self.seats: NDArray[np.uint8] = np.full(self._batch.num_envs, self._seat or 0, np.uint8)
        """The agent's seat in each game."""
        self.over = np.ones(self._batch.num_envs, np.bool_)
        """Which games are over."""
        self._owed = np.zeros(self._batch.num_envs)
        self._now: Step | None = None

    @property
    def layout(self) -> Layout:
        """How observations are laid out."""
        return self._batch.layout

    def deal(self, generator: Generator) -> None:
        """Begin new games everywhere, by a seed from the generator; it also draws seats."""
        now = self._batch.reset(seed=draw_seed(generator))
        self._begin(now, np.ones(self._batch.num_envs, np.bool_), generator)

    def deal_next(self, where: NDArray[np.bool_], generator: Generator) -> None:
        """Begin the next game in these places; the generator only draws seats."""
        self._current()
        self._begin(self._batch.reset(where=where), where, generator)

    def play(self, actions: ArrayLike, where: NDArray[np.bool_] | None = None) -> None:
        """Play an action in each game, or only where the array says so, then let the others answer.

        Raises what `BatchEnv.step` does, and `GameOverError` if a game is over; nothing is changed then.
        """
        self._current()
        where = np.ones(self._batch.num_envs, np.bool_) if where is None else where
        chosen = _as_actions(actions, where)
        if (where & self.over).any():
            game = int(np.flatnonzero(where & self.over)[0])
            raise GameOverError(f"game {game} is over: reset it")
        self._follow(self._batch.step(np.where(where, chosen, WAIT).astype(np.uint8)))
        self._answer()

    def collect(self) -> NDArray[np.float64]:
        """Return what the agent has been paid in each game since this was last asked: float64[games]."""
        paid, self._owed = self._owed, np.zeros_like(self._owed)
        return paid

    def observations(self) -> NDArray[Any]:
        """Return what the agent sees in each game: [games, layout.size]. To be asked for once after each call."""
        seen = self._current().observations
        for seat in np.unique(self.seats[self.over]):
            # The row of a game that is over shows what another seat sees.
            mine = self.over & (self.seats == seat)
            seen[mine] = self._batch.observe(int(seat))[mine]
        return seen

    def action_masks(self) -> NDArray[np.int8]:
        """Return a 1 for each action that is legal for the agent, none when the game is over: int8[games, 200]."""
        return self._current().action_mask.copy()

    def view(self, game: int) -> View:
        """Return what the agent knows in a game."""
        self._current()
        return self._batch.view(game, int(self.seats[game]))

    def _begin(self, now: Step, where: NDArray[np.bool_], generator: Generator) -> None:
        if self._seat is None:
            self.seats[where] = generator.integers(self._batch.rules.players, size=int(where.sum()))
        self.over[where] = False
        self._owed[where] = 0.0
        self._now = now
        self._answer()

    def _current(self) -> Step:
        if self._now is None:
            raise SavannaError("no games have been dealt, or an opponent has failed: reset the environment first")
        return self._now

    def _follow(self, step: Step) -> None:
        self._now = step
        self.over |= step.terminated
        self._owed += step.rewards[np.arange(len(self.seats)), self.seats]

    def _answer(self) -> None:
        """Let the others move until it is the agent's turn in every game that goes on."""
        now = self._current()
        while (waiting := ~self.over & (now.seats != self.seats)).any():
            self._now = None  # until all have answered
            answers = self._answers(now, waiting)
            self._follow(now := self._batch.step(answers))

    def _answers(self, now: Step, waiting: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Ask the player to move, where it is not the agent; everywhere else wait."""
        players = (now.seats.astype(np.int64) - self.seats - 1) % self._batch.rules.players
        players[~waiting] = 0
        answers = np.full(len(waiting), WAIT, np.uint8)
        drawn = waiting & self._random[players]
        if drawn.any():
            answers[drawn] = self._batch.sample_actions()[drawn]
        for game in np.flatnonzero(waiting & ~drawn).tolist():
            answers[game] = self._asked(game, self._players[players[game]], int(now.seats[game]))
        return answers

    def _asked(self, game: int, player: Player, seat: int) -> int:
        """Return the action that a player chooses, after it was tried."""
        episode = self._batch.episode(game)
        answer = player.choose(episode.view(seat))
        try:
            return episode.play(answer).moves[-1].action
        except (SavannaError, TypeError) as error:
            raise type(error)(f"opponent in seat {seat} of game {game}, {type(player).__name__}: {error}") from error


def _seated(opponent: Opponent, count: int) -> tuple[Player, ...]:
    """Return the players of the other seats, from the one next after the agent on."""
    given: tuple[Player | str, ...]
    if isinstance(opponent, Sequence) and not isinstance(opponent, Player | str):
        given = tuple(opponent)
    else:
        given = (opponent,) * count
    players = tuple(parse(player) if isinstance(player, str) else player for player in given)
    for player in players:
        # A class has the method, too, but what is meant is a player of this class.
        if not isinstance(player, Player) or isinstance(player, type):
            got = f"the class {player.__name__}" if isinstance(player, type) else type(player).__name__
            raise TypeError(f"opponent must have a method choose(view), or be a sequence of such players, got {got}")
    if len(players) != count:
        raise SavannaError(f"opponent must be one player, or {count}, one for each other seat, got {len(players)}")
    return players


def _checked_seat(seat: int | None, players: int) -> int | None:
    if seat is None:
        return None
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool):
        raise TypeError(f"seat must be an int or None, got {type(seat).__name__}")
    if not 0 <= seat < players:
        raise SavannaError(f"seat must be 0 to {players - 1}, or None to draw it, got {seat}")
    return int(seat)


def _as_actions(actions: ArrayLike, where: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the agent's actions, all of them action ids where they count."""
    chosen = as_array(actions, "actions")
    if chosen.dtype.kind not in "iu" or chosen.shape != where.shape:
        numbers = "one whole number" if len(where) == 1 else f"{len(where)} whole numbers"
        raise SavannaError(f"actions must be {numbers}, got {chosen.dtype} of shape {chosen.shape}")
    outside = np.flatnonzero(where & ((chosen < 0) | (chosen >= ACTIONS)))
    if outside.size:
        game = int(outside[0])
        raise SavannaError(f"action of game {game} must be 0 to {ACTIONS - 1}, got {cast(int, chosen[game])}")
    return chosen
