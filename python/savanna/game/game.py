"""A game as people play it: the positions so far, and what is told about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, SupportsIndex, overload

from savanna import fields
from savanna._core import Move, Position, Rules, View
from savanna.arguments import integer, wrong_type
from savanna.errors import SavannaError
from savanna.game import metadata
from savanna.game.public import PublicGame, Revealed
from savanna.game.record import Record
from savanna.game.replay import MOST_PLIES, replayed, start_and_moves
from savanna.records import LineScore

FORMAT = "savanna-ten game"
VERSION = 1
_KEYS = ("format", "version", "rules", "names", "started", "start", "moves", "annotations", "result")


@dataclass(frozen=True, slots=True)
class _Course:
    """All of a game that changes. It is replaced as a whole, so no reader ever sees half of a change."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    ply: int
    annotations: dict[int, str]

    def cut(self, ply: int) -> "_Course":
        """Return the course up to a ply, with the cursor there."""
        kept = {at: text for at, text in self.annotations.items() if at <= ply}
        return _Course(self.positions[: ply + 1], self.moves[:ply], ply, kept)


class Game(Record):
    """A game that people play, keep and replay: a start, the moves, and a cursor that can be put anywhere.

    `start` is the `Position` it begins with, `names` has a name for each seat (1 to 100 printable characters; None:
    "Seat 0" and so on), and `started` is a time such as "2026-11-30T18:05:00Z", or None if it is not known; any
    other time of RFC 3339 is brought to that form, in UTC.

    Plies count the moves of this game: ply 0 is the start, even if tiles lie on its board. `position`, `seat`, `scores`
    and so on are those at the cursor, which follows the last move played.

    A game is a sequence of its moves: `len(game)` is their number, `game[ply]` is the one played at a ply.

    A game holds the full truth. Players are given `view`, spectators `public_view` and `public`. Games are equal if
    start, names, time, moves and annotations are, wherever their cursors stand. They are not hashable, as they change.
    Several threads may look at a game while one changes it.

    Raises `SavannaError` for names or a time that are none, `TypeError` for wrong types.
    """

    def __init__(self, start: Position, names: Iterable[str] | None = None, *, started: str | None = None) -> None:
        if not isinstance(start, Position):
            raise wrong_type("start", "Position", start)
        self._names = metadata.checked_names(names, start.rules.players)
        self._started = metadata.checked_time(started)
        self._course = _Course((start,), (), 0, {})

    @classmethod
    def deal(
        cls,
        rules: Rules,
        seed: SupportsIndex | None = None,
        *,
        names: Iterable[str] | None = None,
        started: str | None = None,
    ) -> Self:
        """Start a game. The seed decides how the decks are shuffled, as in `Position.deal`; it is not kept.

        Without `started`, the game starts now by the clock.
        """
        return cls(Position.deal(rules, seed), names, started=metadata.now() if started is None else started)

    # ------------------------------------------------------------------------------------------------- what it holds

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return self._names

    @property
    def started(self) -> str | None:
        """When the game was started, in UTC, as in "2026-11-30T18:05:00Z"; None if that is not known."""
        return self._started

    @property
    def start(self) -> Position:
        """The position at the start."""
        return self._course.positions[0]

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions that are recorded, from the start on: one more than moves."""
        return self._course.positions

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that are recorded, those after the cursor included."""
        return self._course.moves

    @property
    def lines(self) -> tuple[tuple[LineScore, ...], ...]:
        """For each of the moves the lines that it filled, as `Position.lines_filled` gives them."""
        course = self._course
        return tuple(
            position.lines_filled(move) for position, move in zip(course.positions, course.moves, strict=False)
        )

    def __len__(self) -> int:
        return len(self._course.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._course.moves)

    @overload
    def __getitem__(self, ply: SupportsIndex) -> Move: ...
    @overload
    def __getitem__(self, ply: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, ply: SupportsIndex | slice) -> Move | tuple[Move, ...]:
        return self._course.moves[ply]

    @property
    def annotations(self) -> dict[int, str]:
        """The annotations: a dict from ply to text, in ascending order; a copy."""
        return dict(self._course.annotations)

    # ----------------------------------------------------------------------------------------------------- the cursor

    @property
    def ply(self) -> int:
        """Where the cursor is: after how many moves, 0 to `len(game)`."""
        return self._course.ply

    @property
    def position(self) -> Position:
        """The position at the cursor. Players must be given `view`, never this."""
        course = self._course
        return course.positions[course.ply]

    @property
    def to_move(self) -> int | None:
        """The seat to move at the cursor; None when the game is over there."""
        return self.position.seat

    @property
    def seat(self) -> int | None:
        """The same as `to_move`."""
        return self.to_move

    @property
    def is_over(self) -> bool:
        """Whether all spaces are filled at the cursor."""
        return self.position.is_over

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each team at the cursor."""
        return self.position.scores

    @property
    def winners(self) -> tuple[int, ...]:
        """The teams that have won, in ascending order; () unless the game is over at the cursor."""
        return self.position.winners

    def view(self, seat: SupportsIndex) -> View:
        """Return what a seat knows at the cursor. Raises `SavannaError` for a seat that does not play."""
        return self.position.view(seat)

    def public_view(self, ply: SupportsIndex | None = None) -> View:
        """Return what everybody knows after a number of moves, 0 to `len(game)`; None means at the cursor.

        Raises `SavannaError` for another number.
        """
        course = self._course
        at = course.ply if ply is None else integer("ply", ply, 0, len(course.moves), SavannaError)
        return course.positions[at].public()

    def goto(self, ply: SupportsIndex) -> None:
        """Put the cursor after a number of moves, 0 to `len(game)`; nothing is dropped. Raises `SavannaError` else."""
        course = self._course
        self._course = replace(course, ply=integer("ply", ply, 0, len(course.moves), SavannaError))

    # -------------------------------------------------------------------------------------------------------- changes

    def play(self, move: Move | str) -> Position:
        """Play a `Move` or its text at the cursor and return the position after it.

        Moves after the cursor are dropped, with their annotations. Raises what `Position.play` raises, and then nothing
        has changed.
        """
        before = self._course
        course = before.cut(before.ply)
        position = course.positions[-1].play(move)
        played = Move.parse(move) if isinstance(move, str) else move
        self._course = _Course(
            (*course.positions, position), (*course.moves, played), course.ply + 1, course.annotations
        )
        return position

    def undo(self, plies: SupportsIndex = 1) -> Position:
        """Take back moves before the cursor and return the position before them.

        All later moves and their annotations are dropped, too. Raises `SavannaError` for more than have been played.
        """
        course = self._course
        number = integer("plies", plies, 1, MOST_PLIES, SavannaError)
        if number > course.ply:
            raise SavannaError(f"only {course.ply} plies can be taken back, not {number}")
        self._course = course.cut(course.ply - number)
        return self.position

    def annotate(self, ply: SupportsIndex, text: str) -> None:
        """Put a remark on a ply, 0 (the start) to `len(game)`, in place of an earlier one; an empty text takes it away.

        Raises `SavannaError` for another ply, for more than 2,000 characters, and for control characters other than
        line ends and tabs.
        """
        course = self._course
        at = integer("ply", ply, 0, len(course.moves), SavannaError)
        annotations = {**course.annotations, at: metadata.checked_annotation(text, at)}
        kept = {number: remark for number, remark in sorted(annotations.items()) if remark}
        self._course = replace(course, annotations=kept)

    # -------------------------------------------------------------------------------------------------------- records

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain dicts, lists, texts and numbers for JSON; `savanna.game.schema` describes it.

        It holds all moves, and nothing of the cursor.
        """
        course = self._course
        end = course.positions[-1]
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": str(end.rules),
            "names": list(self._names),
            "started": self._started,
            "start": str(course.positions[0]),
            "moves": list(map(str, course.moves)),
            "annotations": metadata.written_annotations(course.annotations),
            "result": {"scores": list(end.scores), "winners": list(end.winners)},
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Return the game of a record that `to_dict` gave, with the cursor at its end.

        It is played again, and rules and result have to be what comes of that. Raises `RecordError`, which names the
        field.
        """
        fields.check_format(content, FORMAT, VERSION)
        given = fields.members("", content, _KEYS)
        start, moves = start_and_moves("", given["start"], given["moves"])
        positions = replayed(start, moves, "moves")
        names, started = metadata.read_names(given["names"], start.rules.players), metadata.read_time(given["started"])
        annotations = metadata.read_annotations(given["annotations"], len(moves))
        game = cls(start, names, started=started)
        game._course = _Course(tuple(positions), tuple(moves), len(moves), annotations)
        fields.check_same("", {**given, "started": started}, game.to_dict())
        return game

    def public(self, *, annotations: bool = False, reveal: bool = False) -> PublicGame:
        """Return what spectators saw of all moves that are recorded.

        There is nothing hidden in it: no deal, no hand, no deck, no animal under a Lion. Annotations are private, and
        left out unless asked for. With `reveal`, which only a game that is over allows (else `SavannaError` is raised),
        the deal and the full moves are in it, too.
        """
        course = self._course
        if reveal and not course.positions[-1].is_over:
            raise SavannaError(f"a game is revealed when it is over, this one is after {len(course.moves)} plies")
        shown = Revealed(str(course.positions[0]), tuple(map(str, course.moves))) if reveal else None
        remarks = dict(course.annotations) if annotations else {}
        return PublicGame.of(course.positions, course.moves, self._names, self._started, remarks, shown)

    # --------------------------------------------------------------------------------------------------------- values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._facts() == other._facts()

    def _facts(self) -> tuple[Sequence[object] | object, ...]:
        """Return all that makes two games equal."""
        course = self._course
        return course.positions[0], course.moves, self._names, self._started, course.annotations

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        course = self._course
        return (
            f"<Game rules={str(self.rules)!r} names={self._names!r} ply={course.ply} plies={len(course.moves)} "
            f"scores={self.scores!r}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.to_json(), self.ply)


def _restored(cls: type[Game], text: str, ply: int) -> Game:
    """Return the game of a pickle or a copy."""
    game = cls.from_json(text)
    game.goto(ply)
    return game
