"""A game at one moment: the whole truth in a `Position`, and in a `View` what one seat knows of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from savanna.arguments import integer, items, word, wrong_type
from savanna.errors import IllegalMoveError, NotationError, RulesError, SavannaError
from savanna.records import LineScore
from savanna.reference.board import SPACES
from savanna.reference.moves import Move
from savanna.reference.notation import Reader
from savanna.reference.rng import Xoshiro256PlusPlus
from savanna.reference.rules import MAX_DECK, Rules
from savanna.reference.score import add, last_seat_points
from savanna.reference.table import Table
from savanna.reference.tile import ANIMALS, HIDDEN, LION, Animal, counted, in_order


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Position(Table):
    """A game at one moment, with all that is hidden; made by `deal`, `from_decks`, `parse` and `play` only.

    `rules` are the game's options, `scores` the points by team (after the last ply, with the last seat's bonus).
    Positions are equal if rules, board, hands, decks in draw order and scores are.
    """

    @classmethod
    def deal(cls, rules: Rules, seed: int | None = None) -> Self:
        """Shuffle a deck for each seat and draw two tiles each.

        `seed` is 0 to 2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        decks = [list(Counter(rules.deck).elements()) for _ in range(checked_rules(rules).players)]
        generator = Xoshiro256PlusPlus.seeded(seed, "deal")
        for deck in decks:
            generator.shuffle(deck)
        return cls.from_decks(rules, decks)

    @classmethod
    def from_decks(cls, rules: Rules, decks: Sequence[Sequence[Animal]]) -> Self:
        """Start with a known draw order for each seat; the first two tiles are the hand.

        `RulesError` unless every deck has exactly the tiles of the rules, `TypeError` for a str in place of a deck.
        """
        players = checked_rules(rules).players
        given = [checked_animals(f"deck of seat {seat}", deck) for seat, deck in enumerate(items("decks", decks, 4))]
        if len(given) != players:
            raise RulesError(f"{players} decks are needed, one for each seat, got {len(given)}")
        for seat, deck in enumerate(given):
            for animal, count in rules.deck.items():
                if (has := deck.count(animal)) != count:
                    raise RulesError(f"deck of seat {seat} has {counted(has, animal)}; the rules allow {count}")
        hands, rest = [deck[:2] for deck in given], [deck[2:] for deck in given]
        return cls(rules=rules, scores=(0,) * rules.teams, _board={}, _hands=hands, _decks=rest)

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else self._turn

    @property
    def seat(self) -> int | None:
        """The same as `to_move`; in a View, `seat` is the seat that sees it."""
        return self.to_move

    @property
    def hands(self) -> tuple[tuple[Animal, ...], ...]:
        """The hand of each seat, sorted in the order of `ANIMALS`."""
        return tuple(map(in_order, self._hands))

    @property
    def decks(self) -> tuple[tuple[Animal, ...], ...]:
        """The deck of each seat, the next tile first."""
        return tuple(map(tuple, self._decks))

    def play(self, move: Move | str) -> Self:
        """Return the position after a move: a tile is placed, the lines that it fills score, a tile is drawn.

        Raises `GameOverError`, `NotationError` (a text that is not a move), `IllegalMoveError` or `TypeError`.
        """
        legal, seat = self._legal(move), self._turn
        board = self._with(legal)
        points = [line.points for line in self._filled(board, legal.space)]
        if len(board) == len(SPACES):
            points.append(last_seat_points(self.rules))

        hands, decks = [list(hand) for hand in self._hands], [list(deck) for deck in self._decks]
        hands[seat].remove(legal.animal)
        if decks[seat]:
            hands[seat].append(decks[seat].pop(0))
        scores = add(self.scores, *points)
        return replace(self, scores=scores, _board=board, _hands=hands, _decks=decks)

    def lines_filled(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return the lines that a legal move fills, in the order of `LINES`; it raises what `play` raises."""
        return self.preview(move)

    def check(self) -> None:
        """Raise `NotationError`, naming the field, unless a game can have come to this."""
        self._check()

    def view(self, seat: int) -> "View":
        """Return what the player in a seat knows; `SavannaError` if there is no such seat."""
        return self._seen_by(integer("seat", seat, 0, self.rules.players - 1, SavannaError))

    def public(self) -> "View":
        """Return what everybody knows: a view without a seat."""
        return self._seen_by(None)

    def _seen_by(self, viewer: int | None) -> "View":
        board = {
            space: tile._replace(animal=HIDDEN) if tile.face == LION and tile.seat != viewer else tile
            for space, tile in self._board.items()
        }
        hands = [hand if owner == viewer else [HIDDEN] * len(hand) for owner, hand in enumerate(self._hands)]
        decks = [[HIDDEN] * len(deck) for deck in self._decks]
        return View(seat=viewer, rules=self.rules, scores=self.scores, _board=board, _hands=hands, _decks=decks)

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        return cls._read_fields(reader, None)


def checked_rules(rules: object) -> Rules:
    """Return the rules if that is what they are."""
    if not isinstance(rules, Rules):
        raise wrong_type("rules", "Rules", rules)
    return rules


def checked_animals(name: str, deck: Iterable[Animal]) -> list[Animal]:
    """Return the tiles of a deck, which may still be too many or too few."""
    try:
        return [word("animal", animal, ANIMALS) for animal in items(name, deck, MAX_DECK)]
    except NotationError as error:
        raise RulesError(f"{name}: {error}") from error


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class View(Table):
    """What the player in `seat` knows of a game, or everybody if that is None.

    Made by `Position.view`, `Position.public` and `parse` only. Hidden are the other hands, the order of all decks (the
    own one, too) and the animals under the others' Lions. `rules` are the game's options, `scores` the points by team.
    """

    seat: int | None

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else self._turn

    @property
    def hand(self) -> tuple[Animal, ...]:
        """The viewer's hand, sorted in the order of `ANIMALS`; () without a seat."""
        return () if self.seat is None else in_order(self._hands[self.seat])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many tiles each seat holds."""
        return tuple(map(len, self._hands))

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """How many tiles are left in each seat's deck."""
        return tuple(map(len, self._decks))

    @property
    def unseen(self) -> tuple[dict[Animal, int], ...]:
        """By seat, how many tiles of each animal are somewhere out of the viewer's sight."""
        sights = [self._in_sight(seat) for seat in range(self.rules.players)]
        return tuple({animal: n - sight.count(animal) for animal, n in self.rules.deck.items()} for sight in sights)

    def sample(self, seed: int | None = None) -> Position:
        """Return a position drawn uniformly out of all deals that agree with the view.

        `seed` is 0 to 2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        generator = Xoshiro256PlusPlus.seeded(seed, "sample")
        board, hands, decks = self.board, [], []
        for seat, unseen in enumerate(self.unseen):
            pool = list(Counter(unseen).elements())
            generator.shuffle(pool)
            tiles = iter(pool)
            hands.append(revealed(self._hands[seat], tiles))
            decks.append(revealed(self._decks[seat], tiles))
            for space, tile in board.items():
                if tile.seat == seat and tile.animal is None:
                    board[space] = tile._replace(animal=next(tiles))
        return Position(rules=self.rules, scores=self.scores, _board=board, _hands=hands, _decks=decks)

    def _check_turn(self) -> None:
        if self.seat is None:
            raise IllegalMoveError("a public view has no seat to move for")
        if self.seat != self._turn:
            raise IllegalMoveError(f"view is that of seat {self.seat}, but seat {self._turn} is to move")

    def __str__(self) -> str:
        return f"seat={'-' if self.seat is None else self.seat} {super().__str__()}"

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        reader.take_text("seat=")
        digit = reader.take("[0-3-]", "a seat digit or '-'")
        seat = None if digit == "-" else int(digit)
        reader.take_text(" ")
        return cls._read_fields(reader, [] if seat is None else [seat], seat=seat)


def revealed(tiles: Iterable[Animal], unseen: Iterator[Animal]) -> list[Animal]:
    """Return the tiles with the next unseen one in each hidden place."""
    return [next(unseen) if animal == HIDDEN else animal for animal in tiles]
