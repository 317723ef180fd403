"""What a tournament came to, and how that is shown."""

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from types import ModuleType
from typing import Any, Self, SupportsIndex, overload

import savanna
from savanna._core import Rules
from savanna.arena import log
from savanna.arena.counted import tables
from savanna.arena.course import shares_by_deal
from savanna.arena.games import GameRecord
from savanna.arena.pairs import PairResult, pair_results
from savanna.arena.ratings import Rating, rate
from savanna.arena.schedule import Plan
from savanna.arena.sprt import SprtResult
from savanna.arguments import integer
from savanna.characters import escaped
from savanna.errors import SavannaError
from savanna.tables import html_table, text_table


@dataclass(frozen=True, repr=False)
class Tournament:
    """A tournament that has been played, or as much of it as a log holds.

    `rules`, `players` (their names), `seed` and `deals` (how many were asked for) are its arguments, `games` all games
    in their order; `len(tournament)`, iteration and `tournament[game]` are those of `games`. The rest counts complete
    deals alone: `pairs`, a `PairResult` for each two players, `ratings`, a `Rating` for each player, best first, and
    `sprt`, where the sequential test ended (None without one). Tournaments are equal if arguments, names and games are.
    """

    rules: Rules
    players: tuple[str, ...]
    seed: int
    deals: int
    games: tuple[GameRecord, ...]
    # These two follow from the games; a NaN in them, equal to nothing, would make copies unequal.
    pairs: tuple[PairResult, ...] = field(compare=False)
    ratings: tuple[Rating, ...] = field(compare=False)
    sprt: SprtResult | None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the tournament of a log, finished or not; every game is played again to check it.

        Raises `RecordError` for what is not a log, and for a game that cannot have been played so.
        """
        content = log.read(log.log_path(path))
        return cls.of(content.course.plan, content.course.games)

    @classmethod
    def of(cls, plan: Plan, games: Sequence[GameRecord]) -> Self:
        """Return what the games of a plan, given in their order, come to."""
        complete = games[: len(games) - len(games) % len(plan.seatings)]
        return cls(
            rules=plan.rules,
            players=plan.names,
            seed=plan.seed,
            deals=plan.deals,
            games=tuple(games),
            pairs=pair_results(plan, complete),
            ratings=rate(
                plan.names, tables((plan.by_team(number), game.winners) for number, game in enumerate(complete))
            ),
            sprt=None if plan.sprt is None else plan.sprt.judge(shares_by_deal(plan, complete)),
        )

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[GameRecord]:
        return iter(self.games)

    @overload
    def __getitem__(self, game: SupportsIndex) -> GameRecord: ...
    @overload
    def __getitem__(self, game: slice) -> tuple[GameRecord, ...]: ...
    def __getitem__(self, game: SupportsIndex | slice) -> GameRecord | tuple[GameRecord, ...]:
        return self.games[game]

    def replay(self, game: SupportsIndex, engine: ModuleType | None = None) -> list[Any]:
        """Return all positions of a game (0 to the number of games - 1), from the deal to its end.

        `engine` is the module that plays them: `savanna`, the default, or `savanna.reference`. Raises `IndexError` for
        another number.
        """
        played_by: Any = savanna if engine is None else engine
        record = self.games[checked_index("game", game, len(self.games))]
        positions = [played_by.Position.parse(str(record.start))]
        for move in record.moves:
            positions.append(positions[-1].play(str(move)))
        return positions

    def to_dict(self) -> dict[str, Any]:
        """Return all but the single games, of which only the number is in it, as plain numbers and lists for JSON."""
        return {
            "rules": str(self.rules),
            "players": list(self.players),
            "seed": self.seed,
            "deals": self.deals,
            "games": len(self.games),
            "failures": len(self._failures()),
            "pairs": [_plain(asdict(pair)) for pair in self.pairs],
            "ratings": [_plain(asdict(rating)) for rating in self.ratings],
            "sprt": None if self.sprt is None else _plain(asdict(self.sprt)),
        }

    def _failures(self) -> list[GameRecord]:
        """Return the games that were lost otherwise than by the score."""
        return [game for game in self.games if game.failed is not None]

    def _headline(self) -> str:
        return (
            f"Savanna Ten, rules {self.rules}, {len(self.players)} players, {len(self.games):,} games, "
            f"{self.deals:,} deals asked for, seed {self.seed}"
        )

    def _remarks(self) -> list[str]:
        """Return the lines below the tables."""
        lines = []
        if self.sprt is not None:
            test, (lower, upper) = self.sprt.test, self.sprt.test.bounds
            lines.append(
                f"Sequential test of {test.elo0:g} against {test.elo1:g} points: {self.sprt.verdict} after "
                f"{self.sprt.deals:,} deals, log-likelihood ratio {self.sprt.llr:.3f} ({lower:.3f} to {upper:.3f})"
            )
        failures = self._failures()
        counts, first = Counter(map(_fault, failures)), {_fault(game): game.reason for game in reversed(failures)}
        for fault, count in sorted(counts.items()):
            detail = first[fault].partition(": ")[2]
            lines.append(f"Lost by {fault}: {count:,} games{detail and f', first: {escaped(detail)}'}")
        return lines

    def __repr__(self) -> str:
        return (
            f"<Tournament rules={str(self.rules)!r} players={self.players!r} seed={self.seed} deals={self.deals} "
            f"games={len(self.games)}>"
        )

    def __str__(self) -> str:
        parts = [
            [self._headline()],
            text_table(self._pair_rows(), names=2),
            text_table(self._rating_rows(), names=1),
            self._remarks(),
        ]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in self._remarks())
        return (
            f"<p>{html.escape(self._headline())}</p>{html_table(self._pair_rows())}"
            f"{html_table(self._rating_rows())}{lines}"
        )

    def _pair_rows(self) -> list[list[str]]:
        heads = ["player", "against", "games", "wins", "ties", "losses", "share", "95 % interval", "even", "margin"]
        return [
            heads,
            *(
                [
                    pair.first,
                    pair.second,
                    *(f"{count:,}" for count in (pair.games, pair.wins, pair.ties, pair.losses)),
                    _percent(pair.share),
                    " to ".join(map(_percent, pair.interval)),
                    _percent(pair.even),
                    f"{_number(pair.margin, '+.2f')} +/- {_number(pair.margin_stderr, '.2f')}",
                ]
                for pair in self.pairs
            ),
        ]

    def _rating_rows(self) -> list[list[str]]:
        heads = ["player", "Elo", "std. error", "games", "win share"]
        return [
            heads,
            *(
                [
                    rating.name,
                    f"{rating.elo:+.0f}",
                    f"{rating.stderr:.0f}",
                    f"{rating.games:,}",
                    _percent(rating.win_share),
                ]
                for rating in self.ratings
            ),
        ]


def checked_index(name: str, value: object, length: int) -> int:
    """Return a number from 0 to length - 1."""
    try:
        return integer(name, value, 0, length - 1, SavannaError)
    except SavannaError as error:
        raise IndexError(str(error)) from None


def _fault(game: GameRecord) -> str:
    """Return by whose fault of which kind a game was lost."""
    assert game.failed is not None
    return f"{game.reason.partition(':')[0]} of {game.seats[game.failed]}"


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: lists for tuples, None for NaN."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _percent(share: float) -> str:
    return _number(100 * share, ".1f") + " %" * (not math.isnan(share))


def _number(value: float, form: str) -> str:
    """Return a number as text, a question mark for NaN."""
    return "?" if math.isnan(value) else format(value, form)
