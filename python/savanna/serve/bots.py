"""Bots think beside the server: on threads of their own, and not longer for one than for another as far as is seen."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

from savanna import players
from savanna._core import Move, View

LEAST, MOST = 0.6, 1.2
"""How long a bot seems to think, in seconds: by the room's secret seed, not by how long it thinks."""


class Bots:
    """A number of threads on which bots choose their moves, one after the other where there are more bots."""

    def __init__(self, threads: int, pace: float = 1.0) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="savanna-bot")
        self._pace = pace

    async def move(self, view: View, player: str, seed: int, number: int) -> Move:
        """Return the move of a player by its text. View and seed decide it; the number of the event only the time."""
        loop = asyncio.get_running_loop()
        delay = random.Random(f"{seed} {number}").uniform(LEAST, MOST) * self._pace
        chosen = loop.run_in_executor(self._pool, choose, view, player, seed)
        move, _ = await asyncio.gather(chosen, asyncio.sleep(delay))
        return move

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def choose(view: View, player: str, seed: int) -> Move:
    """Return what a player chooses, on this thread."""
    it = players.parse(player)
    seeded = it.with_seed(seed)  # type: ignore[attr-defined]
    move = seeded.choose(view)
    assert isinstance(move, Move)
    return move
