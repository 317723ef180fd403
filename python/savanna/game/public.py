"""What spectators saw of a game, and nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self, SupportsIndex, overload

from savanna import fields
from savanna._core import Move, Position, Rules, View
from savanna.game import metadata, possible
from savanna.game.record import Record
from savanna.game.replay import replayed, start_and_moves
from savanna.records import LineScore

FORMAT = "savanna-ten public game"
VERSION = 2
_KEYS = ("format", "version", "rules", "names", "started", "start", "plies", "annotations", "revealed", "result")


class PublicPly(NamedTuple):
    """A ply as everybody saw it.

    `seat` placed a tile on `space` with `face` up ("front" or "lion"); `animal` is None under a Lion. `lines` are those
    that were filled, each a `LineScore`, `scores` the teams' scores after it.
    """

    seat: int
    space: str
    face: str
    animal: str | None
    lines: tuple[LineScore, ...]
    scores: tuple[int, ...]


class Revealed(NamedTuple):
    """What was hidden in a game that is over: the text of its `start` in full, and the texts of all `moves`."""

    start: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class PublicGame(Record):
    """A game as spectators saw it; `Game.public`, `load` and the like make it.

    `rules`, `names` and `started` are those of the game. `start` is the public `View` of the start, `plies` are all
    plies as `PublicPly` (so is `game[ply]`), `winners` the teams that have won. `annotations` (from ply to text) are
    empty unless they were asked for.

    Nothing in it depends on what is hidden: hands, decks, and animals under Lions. Only `revealed`, which has to be
    asked for and is None until the game is over, holds them all: the deal and the full moves.
    """

    rules: Rules
    names: tuple[str, ...]
    started: str | None
    start: View
    plies: tuple[PublicPly, ...]
    winners: tuple[int, ...]
    annotations: dict[int, str] = field(hash=False)
    revealed: Revealed | None

    def __len__(self) -> int:
        return len(self.plies)

    def __iter__(self) -> Iterator[PublicPly]:
        return iter(self.plies)

    @overload
    def __getitem__(self, ply: SupportsIndex) -> PublicPly: ...
    @overload
    def __getitem__(self, ply: slice) -> tuple[PublicPly, ...]: ...
    def __getitem__(self, ply: SupportsIndex | slice) -> PublicPly | tuple[PublicPly, ...]:
        return self.plies[ply]

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each team after the last ply."""
        return self.plies[-1].scores if self.plies else self.start.scores

    @property
    def is_over(self) -> bool:
        """Whether all spaces are filled."""
        return bool(self.winners)

    @classmethod
    def of(
        cls,
        positions: Sequence[Position],
        moves: Sequence[Move],
        names: tuple[str, ...],
        started: str | None,
        annotations: dict[int, str],
        revealed: Revealed | None,
    ) -> Self:
        """Return what is public of a game with these positions and moves; its arguments are not checked."""
        return cls(
            rules=positions[0].rules,
            names=names,
            started=started,
            start=positions[0].public(),
            plies=tuple(map(_seen, positions, moves, positions[1:])),
            winners=positions[-1].winners,
            annotations=annotations,
            revealed=revealed,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain dicts, lists, texts and numbers for JSON; `savanna.game.schema` describes it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": str(self.rules),
            "names": list(self.names),
            "started": self.started,
            "start": str(self.start),
            "plies": [_written(ply) for ply in self.plies],
            "annotations": metadata.written_annotations(self.annotations),
            "revealed": self.revealed and {"start": self.revealed.start, "moves": list(self.revealed.moves)},
            "result": {"scores": list(self.scores), "winners": list(self.winners)},
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Return the game of a record that `to_dict` gave. Raises `RecordError`, which names the field.

        A record is accepted exactly if there is a game of which this could have been seen.
        """
        fields.check_format(content, FORMAT, VERSION)
        given = fields.members("", content, _KEYS)
        revealed = None
        if given["revealed"] is None:
            placings = possible.placings(given["plies"])
            start, moves = possible.game(possible.read_start(given["start"]), placings)
            positions = replayed(start, moves, "plies")
        else:
            shown = fields.members("revealed", given["revealed"], Revealed._fields)
            start, moves = start_and_moves("revealed.", shown["start"], shown["moves"])
            positions = replayed(start, moves, "revealed.moves")
            if not positions[-1].is_over:
                raise fields.error("revealed", "must be null, since the game is not over")
            revealed = Revealed(str(start), tuple(map(str, moves)))
        names, started = metadata.read_names(given["names"], start.rules.players), metadata.read_time(given["started"])
        annotations = metadata.read_annotations(given["annotations"], len(moves))
        game = cls.of(positions, moves, names, started, annotations, revealed)
        fields.check_same("", {**given, "started": started}, game.to_dict())
        return game


# ----------------------------------------------------------------------------------------------------- what can be seen


def _seen(before: Position, move: Move, after: Position) -> PublicPly:
    """Return what is seen of a ply."""
    seen = after.public()
    tile = seen.board[move.space]
    return PublicPly(tile.seat, move.space, tile.face, tile.animal, before.lines_filled(move), seen.scores)


def _written(ply: PublicPly) -> dict[str, Any]:
    """Return a ply as it stands in a record."""
    lines = [{"spaces": list(it.spaces), "total": it.total, "points": list(it.points)} for it in ply.lines]
    return {**ply._asdict(), "lines": lines, "scores": list(ply.scores)}
