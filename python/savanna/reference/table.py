"""What a whole position and a seat's view of it share: how they are asked, checked, written and read."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from savanna.errors import GameOverError, IllegalMoveError, NotationError
from savanna.records import LineScore, LineState, Placed
from savanna.reference.board import LINES, LINES_THROUGH, SPACES, Space
from savanna.reference.moves import ACTIONS, MOVES, Move
from savanna.reference.notation import Reader, Value, cell, pile, read_cell, read_pile
from savanna.reference.rules import Rules, turns
from savanna.reference.score import is_full, last_seat_points, line_states, points_by_filler, score_line, sums
from savanna.reference.tile import ANIMALS, HIDDEN, LION, Animal, counted, in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Table(Value):
    """Tiles on the board by space, in hands and decks by seat; HIDDEN stands for those that are not known."""

    rules: Rules
    scores: tuple[int, ...]
    _board: Mapping[Space, Placed]
    _hands: Sequence[Sequence[Animal]]
    _decks: Sequence[Sequence[Animal]]

    @property
    def ply(self) -> int:
        """The number of tiles placed so far, 0..20."""
        return len(self._board)

    @property
    def is_over(self) -> bool:
        """Whether all spaces are full."""
        return self.ply == len(SPACES)

    @property
    def _turn(self) -> int:
        """The seat to move as long as there is a move left."""
        return self.ply % self.rules.players

    @property
    def board(self) -> dict[Space, Placed]:
        """The placed tiles in reading order; in a View, the animal under another seat's Lion is None."""
        tiles = {space: self._board[space] for space in SPACES if space in self._board}
        return {space: tile._replace(animal=None) if tile.animal == HIDDEN else tile for space, tile in tiles.items()}

    @property
    def lions(self) -> tuple[int, ...]:
        """How many of its own tiles lie Lion face up, by team."""
        lions = [self.rules.team_of(tile.seat) for tile in self._board.values() if tile.face == LION]
        return tuple(lions.count(team) for team in range(self.rules.teams))

    @property
    def winners(self) -> tuple[int, ...]:
        """The teams that have won, several if they share it; () while the game goes on."""
        # The highest score comes first; among equal scores, the fewest Lions.
        rank = [(-score, lions) for score, lions in zip(self.scores, self.lions, strict=True)]
        return tuple(team for team in range(self.rules.teams) if rank[team] == min(rank)) if self.is_over else ()

    @property
    def lines(self) -> tuple[LineState, ...]:
        """The lines as they stand, in the order of `LINES`."""
        bonus = last_seat_points(self.rules) if self.is_over else (0,) * self.rules.teams
        return line_states(self.rules, self._board, tuple(map(operator.sub, self.scores, bonus)))

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in ascending action id; none when the game is over or, in a View, for another seat."""
        hand = self._hands[self._turn]  # of HIDDEN tiles only if it is not the viewer's
        held = [animal for animal in ANIMALS if animal in hand]
        return [move for animal in held for move in MOVES[animal] if move.space not in self._board]

    def legal_mask(self) -> bytes:
        """Return 200 bytes, 1 where the move with that action id is in `legal_moves`, else 0."""
        legal = {move.action for move in self.legal_moves()}
        return bytes(action in legal for action in range(ACTIONS))

    def action_mask(self) -> "NDArray[np.int8]":
        """Return `legal_mask` as an array: int8[200]."""
        import numpy as np  # here, so that the rules themselves need nothing but Python

        return np.array(list(self.legal_mask()), np.int8)

    def preview(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return the lines that a legal move fills, in the order of `LINES`; it raises what `play` raises."""
        legal = self._legal(move)
        return self._filled(self._with(legal), legal.space)

    def _legal(self, move: object) -> Move:
        """Return the move if it may be played here."""
        if self.is_over:
            raise GameOverError(f"the game is over after {self.ply} plies")
        if isinstance(move, str):
            move = Move.parse(move)
        if not isinstance(move, Move):
            raise TypeError(f"a move is a Move or its text, not {type(move).__name__}")
        self._check_turn()
        if move.space in self._board:
            raise IllegalMoveError(f"{move.space} is already taken")
        if move.animal not in self._hands[self._turn]:
            raise IllegalMoveError(f"seat {self._turn} holds no {move.animal}")
        return move

    def _check_turn(self) -> None:
        """Raise `IllegalMoveError` if this is not for the seat to move."""

    def _with(self, move: Move) -> dict[Space, Placed]:
        """Return the board with the tile of a move on it."""
        return {**self._board, move.space: Placed(self._turn, move.animal, move.face)}

    def _filled(self, board: Mapping[Space, Placed], last: Space) -> tuple[LineScore, ...]:
        """Return the full lines through the space that was filled last."""
        full = [line for line in LINES_THROUGH[last] if is_full(line, board)]
        return tuple(score_line(self.rules, line, board, last) for line in full)

    def _in_sight(self, seat: int) -> list[Animal]:
        """Return the seat's tiles on the board and in the hand."""
        return [str(tile.animal) for tile in self._board.values() if tile.seat == seat] + list(self._hands[seat])

    def _check(self) -> None:
        """Raise `NotationError`, naming the field, unless a game can have come to this."""
        for seat in range(self.rules.players):
            self._check_tiles(seat)
        self._check_scores()

    def _check_tiles(self, seat: int) -> None:
        size = sum(self.rules.deck.values())
        had = turns(seat, self.ply, self.rules.players)
        for where, count, right in (
            ("board", sum(tile.seat == seat for tile in self._board.values()), had),
            ("hands", len(self._hands[seat]), min(2, size - had)),
            ("decks", len(self._decks[seat]), max(0, size - had - 2)),
        ):
            if count != right:
                raise NotationError(f"{where}: seat {seat} has {count} tiles there, not {right}, after {had} turns")
        tiles = [*self._in_sight(seat), *self._decks[seat]]
        for animal, right in self.rules.deck.items():
            if tiles.count(animal) > right:
                has = counted(tiles.count(animal), animal)
                raise NotationError(f"tiles: seat {seat} has {has}; the rules allow {right}")

    def _check_scores(self) -> None:
        """Check that the full lines can have given these scores.

        The board does not tell who filled a line, which matters for the exact ones: any seat in it may have done it.
        """
        full = [line for line in LINES if is_full(line, self._board)]
        choices = [points_by_filler(self.rules, line, self._board).values() for line in full]
        ends = [[last_seat_points(self.rules)]] if self.is_over else []
        if self.scores not in sums([*ends, *choices], self.scores):
            scores = "/".join(map(str, self.scores))
            raise NotationError(f"scores: the lines on the board cannot have given {scores}")

    def __str__(self) -> str:
        cells = [cell(self._board.get(space)) for space in SPACES]
        ranks = ["".join(cells[start : start + 4]) for start in range(0, len(SPACES), 4)]
        hands, decks = [pile(in_order(hand)) for hand in self._hands], map(pile, self._decks)
        fields = (ranks, hands, decks, map(str, self.scores))
        return " ".join([str(self.rules), *("/".join(field) for field in fields)])

    @classmethod
    def _read_fields(cls, reader: Reader, viewers: Sequence[int] | None, **other_fields: Any) -> Self:
        """Read the five fields, with '?' for what none of the viewers knows; None knows everything."""
        rules = Rules._read(reader)
        seats = range(rules.players)
        for viewer in viewers or ():
            if viewer not in seats:
                reader.at = len("seat=")  # where the text names it; what can stand there, the rules said only now
                raise reader.error(f"seat must be 0 to {rules.players - 1}, got {viewer}")
        hidden = [viewers is not None and seat not in viewers for seat in seats]

        def field(count: int, read: Callable[[int], T]) -> list[T]:
            reader.take_text(" ")
            return reader.several(count, "/", read)

        ranks = field(5, lambda _: [read_cell(reader, hidden) for _ in range(4)])
        hands = field(len(seats), lambda seat: read_pile(reader, hidden[seat]))
        decks = field(len(seats), lambda _: read_pile(reader, viewers is not None))
        scores = field(rules.teams, lambda _: reader.number())
        reader.end()
        tiles = [tile for rank in ranks for tile in rank]
        board = {space: tile for space, tile in zip(SPACES, tiles, strict=True) if tile}
        table = cls(rules=rules, scores=tuple(scores), _board=board, _hands=hands, _decks=decks, **other_fields)
        table._check()
        return table
