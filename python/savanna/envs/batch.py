"""Thousands of games stepped by one call."""

from typing import Any, Literal, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from savanna._core import ACTIONS, Batch, Episode, Layout, Rules, View
from savanna.envs.records import Step
from savanna.errors import SavannaError

WAIT = 255
"""In place of an action: this game is left as it is."""

_DTYPES = {"float32": np.float32, "uint8": np.uint8}


def check_dtype(dtype: object) -> None:
    """Refuse what observations are not made of."""
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise SavannaError(f"dtype must be one of {', '.join(_DTYPES)}, got {repr(dtype)[:40]}")


def rules_from(rules: Rules | str | None) -> Rules:
    """Return rules that may be given by their text; None are those of the printed game of two players."""
    return Rules() if rules is None else Rules.parse(rules) if isinstance(rules, str) else rules


class BatchEnv:
    """Many games of the same rules, side by side. A seat that is to move gets what its view shows, and nothing else.

    `num_envs` is how many games there are (1 to 2**20), and `seed` deals them: game `i` is the same for a seed, however
    many others and threads there are. `dtype` is what observations are made of, "float32" or "uint8"; the numbers are
    the same. `rules` may be a text, such as "3p,mice". `layout` says how they are laid out, `recall` asks for all that
    a seat has ever seen.

    `reward` is what seats are paid: "win", the share of the win, or "margin", by how much the score of their team
    exceeds the mean of the others', both at the end; or "margin-change", by how much that has changed, after every
    move. `illegal` is what follows an action that is not legal: "raise" raises `IllegalMoveError` and changes nothing;
    by "loss" the game ends as lost for the mover's team, and the others share the win, or the most points that the
    rules can give. `autoreset` says when the next game begins in the place of one that is over, as Gymnasium's
    `AutoresetMode`: "same-step" (see `final_observations`), "next-step", whose action is ignored, or "disabled", only
    by `reset`.

    Every array that is returned is fresh, unless `out` gives the arrays to be written, as `buffers` makes them. A batch
    can be copied and pickled in the midst of its games.
    """

    def __init__(
        self,
        num_envs: SupportsIndex,
        rules: Rules | str | None = None,
        *,
        seed: SupportsIndex | None = None,
        dtype: Literal["float32", "uint8"] = "float32",
        recall: bool = False,
        reward: Literal["win", "margin", "margin-change"] = "win",
        illegal: Literal["raise", "loss"] = "raise",
        autoreset: Literal["same-step", "next-step", "disabled"] = "same-step",
        threads: SupportsIndex | None = 1,
    ) -> None:
        batch = Batch(
            rules_from(rules),
            num_envs,
            seed=seed,
            recall=recall,
            reward=reward,
            illegal=illegal,
            autoreset=autoreset,
            threads=threads,
        )
        self._set(batch, dtype)

    def _set(self, batch: Batch, dtype: str) -> None:
        check_dtype(dtype)
        self._batch, self._dtype = batch, dtype
        self._layout = batch.layout

    @property
    def num_envs(self) -> int:
        """How many games there are."""
        return len(self._batch)

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return self._layout.rules

    @property
    def layout(self) -> Layout:
        """How observations are laid out."""
        return self._layout

    @property
    def seed(self) -> int:
        """The seed that deals the games."""
        return self._batch.seed

    def buffers(self) -> Step:
        """Return arrays of the right shapes and types, to be given as `out`. What is in them is not defined."""
        games, players, size = self.num_envs, self.rules.players, self.layout.size
        return Step(
            np.empty((games, size), _DTYPES[self._dtype]),
            np.empty((games, ACTIONS), np.int8),
            np.empty((games, players), np.float32),
            np.empty(games, np.bool_),
            np.empty(games, np.uint8),
        )

    def reset(
        self, *, seed: SupportsIndex | None = None, where: ArrayLike | None = None, out: Step | None = None
    ) -> Step:
        """Begin the next game in every place, or only `where` an array of bools says so; nobody is paid.

        With a `seed`, all games begin anew, as in a batch that was made with it; there can be no `where` then.
        """
        if where is not None and seed is not None:
            raise SavannaError("a seed deals all games, so there can be no where with it")
        places = np.ones(self.num_envs, np.bool_) if where is None else as_array(where, "where")
        if places.dtype != np.bool_ or places.shape != (self.num_envs,):
            raise SavannaError(f"where must be {self.num_envs} bools, got {places.dtype} of shape {places.shape}")
        if out is not None:
            self.now(out=out)  # whether they fit is seen before anything changes
        self._batch.reset(np.ascontiguousarray(places), seed)
        return self.now(out=out)

    def now(self, *, out: Step | None = None) -> Step:
        """Return the games as they are; nobody is paid, and no game has just ended."""
        out = self._checked(out)
        self._batch.show(out)
        return out

    def _checked(self, out: Step | None) -> Step:
        """Return the arrays to be written. Their shapes and places in memory are looked at later."""
        if out is None:
            return self.buffers()
        if not (isinstance(out, tuple) and len(out) == 5):
            raise TypeError("out must be five arrays, as `buffers` makes them")
        if isinstance(out[0], np.ndarray) and out[0].dtype != _DTYPES[self._dtype]:
            raise SavannaError(f"observations must be an array of {self._dtype}, not of {out[0].dtype}")
        return out

    def step(self, actions: ArrayLike, *, out: Step | None = None) -> Step:
        """Play one action in each game: an array of action ids, or `WAIT` (255) where a game is left as it is.

        Raises `IllegalMoveError` for the first action that is not legal, or `GameOverError` where the game is over, and
        changes nothing then; see `illegal` and `autoreset`.
        """
        chosen = as_array(actions, "actions")
        if chosen.dtype != np.uint8:
            chosen = _as_actions(chosen)
        if chosen.ndim > 1:
            raise SavannaError(f"actions must have one axis, got shape {chosen.shape}")
        out = self._checked(out)
        self._batch.step(np.ascontiguousarray(chosen), out)
        return out

    def sample_actions(self) -> NDArray[np.uint8]:
        """Draw a uniformly random legal action for each game, `WAIT` where it is over: uint8[num_envs].

        The random numbers belong to the batch: the same seed and the same calls give the same actions.
        """
        return self._batch.sample()

    def observe(self, seat: SupportsIndex) -> NDArray[Any]:
        """Return what a seat sees in each game, to move or not: [num_envs, layout.size]."""
        return self._seen(seat, ends=False)

    def final_observations(self, seat: SupportsIndex) -> NDArray[Any]:
        """Return what a seat saw at the end of the last game in each place: [num_envs, layout.size].

        All numbers are 0 where no game has ended. They are kept only with autoreset="same-step".
        """
        if self._batch.options[3] != "same-step":
            raise SavannaError('final observations are kept only with autoreset="same-step"')
        return self._seen(seat, ends=True)

    def _seen(self, seat: SupportsIndex, *, ends: bool) -> NDArray[Any]:
        seen = np.empty((self.num_envs, self.layout.size), _DTYPES[self._dtype])
        self._batch.observe(seat, ends, seen)
        return seen

    def view(self, index: SupportsIndex, seat: SupportsIndex | None = None) -> View:
        """Return what a seat, by default the one whose turn it is, knows in a game; any player can choose by it."""
        episode = self._batch.episode(index)
        return episode.view(episode.position.ply % self.rules.players if seat is None else seat)

    def episode(self, index: SupportsIndex) -> Episode:
        """Return a game from its deal on. It holds the full truth, which no agent may see."""
        return self._batch.episode(index)

    def save(self) -> bytes:
        """Return the whole batch as bytes: games, random numbers, options."""
        return b"%s %d\n" % (self._dtype.encode(), self._batch.threads) + self._batch.save()

    @classmethod
    def restore(cls, data: bytes) -> Self:
        """Return the batch that was saved. Raises `SavannaError` for bytes that no `save` of this version gave."""
        head, _, rest = bytes(data).partition(b"\n")
        dtype, _, threads = head.decode("ascii", "replace").partition(" ")
        if not (threads.isdecimal() and len(threads) < 6):
            raise SavannaError("saved batch: it does not begin with a dtype and a number of threads")
        env = cls.__new__(cls)
        env._set(Batch.restore(rest, int(threads)), dtype)
        return env

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).restore, (self.save(),)

    def __repr__(self) -> str:
        _, reward, illegal, autoreset = self._batch.options
        recall = ", recall=True" if self.layout.recall else ""
        return (
            f"BatchEnv({self.num_envs}, {self.rules!r}, seed={self.seed}, dtype={self._dtype!r}{recall}, "
            f"reward={reward!r}, illegal={illegal!r}, autoreset={autoreset!r})"
        )


def as_array(values: object, what: str) -> NDArray[Any]:
    """Return values as an array."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise SavannaError(f"{what} must be an array: {error}") from None


def _as_actions(chosen: NDArray[Any]) -> NDArray[np.uint8]:
    """Return whole numbers from 0 to 255 as uint8."""
    if chosen.dtype.kind not in "iu":
        raise SavannaError(f"actions must be whole numbers, got {chosen.dtype}")
    outside = np.flatnonzero((chosen < 0) | (chosen > WAIT))
    if outside.size:
        game = int(outside[0])
        raise SavannaError(
            f"action of game {game} must be 0 to {ACTIONS - 1}, or {WAIT} to wait, got {chosen.flat[game]}"
        )
    return chosen.astype(np.uint8)
