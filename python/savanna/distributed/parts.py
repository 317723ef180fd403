"""Long calls in numbered parts: each is played by one task, and what is finished can be kept on disk."""

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from savanna.arguments import integer
from savanna.distributed.cluster import connected
from savanna.distributed.pool import spread
from savanna.distributed.store import Store, opened
from savanna.errors import SavannaError
from savanna.workers import Pace, cores

R = TypeVar("R")

PARTS = 256
"""The number of parts, within sensible bounds, into which a call is cut if their size is not given."""


@dataclass(frozen=True)
class Part:
    """A part of a call: its number, which of the call's pieces it has, and how many games these are."""

    number: int
    pieces: range
    games: int


@dataclass(frozen=True)
class Cut:
    """How a call is cut: its games come in pieces of `each`, but for the last, and `size` pieces make a part."""

    games: int
    each: int
    size: int

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return -(-self.games // self.each)

    @property
    def count(self) -> int:
        """The number of parts."""
        return -(-self.pieces // self.size)

    def part(self, number: int) -> Part:
        """Return one of the parts."""
        first = number * self.size
        pieces = range(first, min(first + self.size, self.pieces))
        return Part(number, pieces, min(self.games, pieces.stop * self.each) - first * self.each)


def cut(games: int, each: int, chunk: object, least: int, most: int) -> Cut:
    """Return how a call is cut into parts of about `chunk` games: as many pieces as they fill.

    By default it makes `PARTS` parts, but of `least` to `most` pieces each.
    """
    if chunk is None:
        return Cut(games, each, min(max(-(-games // (each * PARTS)), least), most))
    return Cut(games, each, -(-integer("chunk", chunk, 1, 2**53, SavannaError) // each))


@dataclass(frozen=True)
class Crew:
    """How many tasks work at once (None: as many as there is room for), and on how many threads each of them."""

    workers: int | None
    threads: int = 1

    @property
    def places(self) -> int:
        """How many tasks a Ray must have room for that is started for them: by default as this machine has cores."""
        return max(1, cores() // self.threads) if self.workers is None else self.workers


def checked_crew(workers: object, threads: object = 1) -> Crew:
    """Return the crew of these arguments."""
    most = None if workers is None else integer("workers", workers, 1, 10**6, SavannaError)
    return Crew(most, integer("threads", threads, 1, 1024, SavannaError))


Directory: TypeAlias = str | os.PathLike[str]


def check_seed(seed: int | None, directory: Directory | None) -> None:
    """Refuse a directory for a call that cannot be begun again."""
    if seed is None and directory is not None:
        raise SavannaError("directory needs a seed, so that the same call can go on with it")


@dataclass(frozen=True)
class Job(Generic[R]):
    """A call whose parts are played by `play` and added up by `add`, on disk as JSON.

    `call` is all that decides the result, and `games` says how many games a result is of.
    """

    call: Mapping[str, Any]
    cut: Cut
    play: Callable[[Part], R]
    add: Callable[[R, R], R]
    games: Callable[[R], int]
    written: Callable[[R], Any]
    read: Callable[[Any], R]

    def run(self, crew: Crew, directory: Directory | None, pace: Pace) -> R:
        """Play all parts that are not in the directory yet, and return the sum of all."""
        total: R | None = None
        for _, result in telling(self._results(crew, directory), self.cut, pace):
            total = result if total is None else self.add(total, result)
        assert total is not None
        return total

    def _results(self, crew: Crew, directory: Directory | None) -> Iterator[tuple[Part, R]]:
        """Yield all parts and their results, in any order."""
        store = None if directory is None else opened(directory, "json", {**self.call, "size": self.cut.size})
        finished = set() if store is None else store.finished()
        for number in sorted(finished):
            assert store is not None
            part = self.cut.part(number)
            yield part, self._stored(store, part)
        with closing(played(self.cut, finished, self.play, crew)) as done:
            for part, result in done:
                if store is not None:
                    content = {**store.mark(part.number), "result": self.written(result)}
                    store.write(part.number, json.dumps(content).encode("ascii"))
                yield part, result

    def _stored(self, store: Store, part: Part) -> R:
        """Return the result of a part that is on disk."""

        def understood(content: Any) -> R:
            result = self.read(content)
            if not 0 < self.games(result) == part.games:
                raise ValueError("the part has fewer games than that")
            return result

        result: R = store.read(part.number, understood)
        return result


def telling(parts: Iterable[tuple[Part, R]], cut: Cut, pace: Pace) -> Iterator[tuple[Part, R]]:
    """Yield what becomes of parts, and tell how many games are done when each has been dealt with."""
    done = 0
    for part, result in parts:
        yield part, result
        done += part.games
        pace.tell(done, cut.games, is_last=done == cut.games)


def played(
    cut: Cut, finished: set[int], play: Callable[[Part], R], crew: Crew
) -> Generator[tuple[Part, R], None, None]:
    """Yield each part that is not finished yet with what `play` gives for it, in the order in which they are done."""
    left = cut.count - len(finished)
    if not left:
        return
    parts = (cut.part(number) for number in range(cut.count) if number not in finished)
    cpus = min(crew.places, left) * crew.threads  # a process is started for each, and should have something to do
    with connected(cpus), closing(spread(play, parts, crew.workers, crew.threads)) as done:
        yield from done
