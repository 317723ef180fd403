"""The rules of Savanna Ten once more, in plain Python: slow, literal, to be read beside the rule book.

Nothing here comes from the compiled engine: the board is a picture, the lines are found by looking at it, and every
rule is one short function. Names and behaviour are those of `savanna` itself, so that the two can be compared.
"""

import operator
import random
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import total_ordering
from typing import Any, Self, TypeAlias, TypeVar

from savanna.errors import GameOverError, IllegalMoveError, NotationError, RulesError, SavannaError
from savanna.records import LineScore, Placed

__all__ = ["ANIMALS", "FACES", "LINES", "RULES_VERSION", "SPACES", "LineScore", "Move", "Placed", "Position", "Rules"]
__all__ += ["View", "Xoshiro256PlusPlus", "perft", "random_playout"]

Animal: TypeAlias = str
Face: TypeAlias = str
Space: TypeAlias = str
T = TypeVar("T")

RULES_VERSION = 1
"""Goes up when the same moves of a game would give another result."""

# ------------------------------------------------------------------------------------------------- the board, the tiles

PICTURE = """
    .#...
    ....#
    ..#..
    #....
    ...#.
"""

SPACES: tuple[Space, ...] = tuple(
    letter + rank
    for rank, row in zip("54321", PICTURE.split(), strict=True)
    for letter, square in zip("abcde", row, strict=True)
    if square != "#"
)
"""The 20 spaces in reading order: the column's letter from the left, the rank's digit from the bottom."""


def _lines() -> tuple[tuple[Space, ...], ...]:
    """Return the straight lines with three spaces or more; a hole does not interrupt a line."""
    lines = defaultdict(list)
    for space in SPACES:
        column, row = "abcde".index(space[0]), "54321".index(space[1])
        for direction, number in enumerate((row, column, column - row, column + row)):
            lines[direction, number].append(space)
    return tuple(tuple(lines[line]) for line in sorted(lines) if len(lines[line]) >= 3)


LINES: tuple[tuple[Space, ...], ...] = _lines()
"""The 20 scoring lines: rows, columns, falling and rising diagonals, each with its spaces in reading order."""

ANIMALS: tuple[Animal, ...] = ("monkey", "zebra", "giraffe", "elephant", "mouse")
"""What is on the front of a tile."""

FRONT, LION = "front", "lion"
FACES: tuple[Face, ...] = (FRONT, LION)
"""The two sides of a tile."""

ACTIONS = len(ANIMALS) * len(FACES) * len(SPACES)

INFLUENCE = {"monkey": 2, "zebra": 3, "giraffe": 4, "elephant": 5, "mouse": 1, "lion": 6}
DECKS = {
    2: {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1},
    3: {"monkey": 3, "zebra": 2, "giraffe": 1, "elephant": 1},
    4: {"monkey": 2, "zebra": 2, "giraffe": 1, "elephant": 1},
}

HIDDEN = "?"  # in a View, stands for an animal that the viewer does not know
LETTERS = {"monkey": "m", "zebra": "z", "giraffe": "g", "elephant": "e", "mouse": "u", HIDDEN: "?"}
WORDS = {letter: animal for animal, letter in LETTERS.items()}

# ------------------------------------------------------------------------------------------------- checks of arguments


def _wrong_type(name: str, wanted: str, value: object) -> TypeError:
    return TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


def _integer(name: str, value: object, low: int, high: int, error: type[SavannaError]) -> int:
    """Return `value` as an int of low..high; NumPy's integers are welcome, a bool is a mistake."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _wrong_type(name, "an int", value)
    number = operator.index(value)
    if not low <= number <= high:
        raise error(f"{name} must be {low}..{high}, got {number}")
    return number


def _boolean(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong_type(name, "a bool", value)
    return value


def _sequence(name: str, value: Iterable[T]) -> list[T]:
    """Return a list of the items; a str has items, too, but they are never what is meant."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _wrong_type(name, "a sequence", value)
    return list(value)


def _word(kind: str, word: object, words: Sequence[str]) -> str:
    if not isinstance(word, str):
        raise _wrong_type(kind, "a str", word)
    if word not in words:
        raise NotationError(f"unknown {kind} {str(word)!r}")
    return words[words.index(word)]


def _numbers(name: str, given: object, defaults: Mapping[str, int], high: int, label: str) -> dict[str, int]:
    """Return the numbers 0..high of a mapping in the order of `defaults`, which fills in what is left out."""
    if not isinstance(given, Mapping):
        raise _wrong_type(name, "a mapping", given)
    for word in given:
        if word not in defaults:
            raise RulesError(f"{name} has no {word!r}, only {', '.join(defaults)}")
    numbers = {**defaults, **given}
    return {word: _integer(label.format(word), numbers[word], 0, high, RulesError) for word in defaults}


# ------------------------------------------------------------------------------------------------ values and their text


class _Reader:
    """Reads a text from left to right; where it does not go on as expected, that place is in the error."""

    def __init__(self, what: str, text: str) -> None:
        self.what, self.text, self.at = what, text, 0

    def error(self, message: str) -> NotationError:
        """Return an error about the place that the reader has come to."""
        return NotationError(f"{self.what}, character {self.at}: {message}")

    def take(self, pattern: str, expected: str) -> str:
        """Read what matches the regular expression."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
            raise self.error(f"expected {expected}, found {found}")
        self.at = match.end()
        return match[0]

    def take_text(self, text: str) -> None:
        """Read exactly this text; nothing but the end for ""."""
        self.take(re.escape(text) if text else r"\Z", repr(text) if text else "the end")

    def number(self) -> int:
        """Read a decimal number 0..9999 without leading zeros."""
        return int(self.take("0|[1-9][0-9]{0,3}", "a number"))

    def several(self, count: int, separator: str, read: Callable[[int], T]) -> list[T]:
        """Call `read` for 0, 1, .. count - 1, with a separator between any two."""
        items: list[T] = []
        for index in range(count):
            if index:
                self.take_text(separator)
            items.append(read(index))
        return items


class _Value:
    """A value that its text gives completely: equality, pickles and copies all go by `str` and `parse`."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the value that has exactly this `str`.

        Raises `NotationError`, which names the first wrong character (counted from 0) or the impossible field, and
        `TypeError` for what is no str.
        """
        what = f"{cls.__name__.lower()} text"
        if not isinstance(text, str):
            raise _wrong_type(what, "a str", text)
        reader = _Reader(what, text)
        value = cls._read(reader)
        # Every value is written in one way only: read again and stop where the text leaves that way.
        reader.at = 0
        for letter in str(value):
            reader.take_text(letter)
        reader.take_text("")
        return value

    @classmethod
    def _read(cls, reader: _Reader) -> Self:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Callable[[str], Self], tuple[str]]:
        return type(self).parse, (str(self),)


# ------------------------------------------------------------------------------------------------- the rules of a game

# How an option is written, its name, and how many numbers follow (a flag has none).
NOTATION = {
    "mice": ("mice", 0),
    "team": ("team_game", 0),
    "deck=": ("deck", len(ANIMALS)),
    "influence=": ("influence", len(INFLUENCE)),
    "target=": ("target", 1),
    "points=": ("points", 3),
    "bonus=": ("last_seat_bonus", 1),
    "absent": ("absent_can_be_least", 0),
}


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Rules(_Value):
    """The options of a game; the defaults are the printed rules for two players.

    `players` (2..4 seats); `mice` and `team_game`, the two variants; `target`, the total influence (0..100) that
    scores best; `points` (0..100 each) of a line below, above and exactly at the target; `last_seat_bonus` (0..100
    points); `absent_can_be_least`, whether a team without a tile in a line above the target counts as 0 there.
    """

    players: int
    mice: bool
    team_game: bool
    target: int
    points: tuple[int, ...]
    last_seat_bonus: int
    absent_can_be_least: bool
    _deck: dict[Animal, int]
    _influence: dict[str, int]

    def __init__(
        self,
        *,
        players: int = 2,
        mice: bool = False,
        team_game: bool = False,
        deck: Mapping[str, int] | None = None,
        influence: Mapping[str, int] | None = None,
        target: int = 10,
        points: Iterable[int] = (2, 1, 3),
        last_seat_bonus: int | None = None,
        absent_can_be_least: bool = False,
    ) -> None:
        """Check the options: `RulesError` for a value out of range or a contradiction, `TypeError` for a wrong type.

        `deck` counts each animal in the deck of a seat; what is left out counts 0, but the mouse 1 in the Mice
        variant. `influence` (0..15 each, "lion" too) keeps the default of what is left out. None means the printed
        deck, the default influence, and a bonus of 2 for three players, else 0.
        """
        players = _integer("players", players, 2, 4, RulesError)
        if _boolean("team_game", team_game) and players != 4:
            raise RulesError(f"team_game needs 4 players, got {players}")
        if last_seat_bonus is None:
            last_seat_bonus = 2 if players == 3 else 0
        # A frozen dataclass can be filled by way of `vars` only.
        vars(self).update(
            players=players,
            mice=_boolean("mice", mice),
            team_game=team_game,
            target=_integer("target", target, 0, 100, RulesError),
            points=_checked_points(_sequence("points", points)),
            last_seat_bonus=_integer("last_seat_bonus", last_seat_bonus, 0, 100, RulesError),
            absent_can_be_least=_boolean("absent_can_be_least", absent_can_be_least),
            _deck=_checked_deck(DECKS[players] if deck is None else deck, players, mice),
            _influence=_numbers("influence", {} if influence is None else influence, INFLUENCE, 15, "influence of {}"),
        )

    @property
    def deck(self) -> dict[Animal, int]:
        """How many tiles of each animal every seat starts with."""
        return dict(self._deck)

    @property
    def influence(self) -> dict[str, int]:
        """The influence of each animal lying front up, and of a "lion"."""
        return dict(self._influence)

    @property
    def teams(self) -> int:
        """The number of teams."""
        return 2 if self.team_game else self.players

    def team_of(self, seat: int) -> int:
        """Return the team of a seat; `SavannaError` if there is no such seat."""
        return _integer("seat", seat, 0, self.players - 1, SavannaError) % self.teams

    def _changed(self) -> dict[str, Any]:
        """Return the options that are not the defaults for these players and variants."""
        defaults = Rules(players=self.players, mice=self.mice, team_game=self.team_game)
        options = {name: getattr(self, name) for name, _ in NOTATION.values()}
        return {name: value for name, value in options.items() if value is True or value != getattr(defaults, name)}

    def __repr__(self) -> str:
        options = {"players": self.players, "mice": self.mice, "team_game": self.team_game, **self._changed()}
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in options.items())})"

    def __str__(self) -> str:
        changed = self._changed()
        words = [word + _dotted(changed[name]) for word, (name, _) in NOTATION.items() if name in changed]
        return ",".join([f"{self.players}p", *words])

    @classmethod
    def _read(cls, reader: _Reader) -> Self:
        options: dict[str, Any] = {"players": int(reader.take("[2-4]", "2, 3 or 4 players"))}
        reader.take_text("p")
        while reader.text.startswith(",", reader.at):
            reader.take_text(",")
            name, count = NOTATION[reader.take("|".join(NOTATION), "an option of the rules")]
            numbers = reader.several(count, ".", lambda _: reader.number())
            if name in ("deck", "influence"):
                options[name] = dict(zip(INFLUENCE, numbers, strict=False))  # a deck has no lions
            else:
                options[name] = numbers if count > 1 else numbers[0] if numbers else True
        try:
            return cls(**options)
        except RulesError as error:
            raise reader.error(str(error)) from error


def _dotted(option: object) -> str:
    """Write the numbers of an option."""
    if isinstance(option, bool):
        return ""
    numbers = option.values() if isinstance(option, dict) else option if isinstance(option, tuple) else [option]
    return ".".join(map(str, numbers))


def _checked_deck(deck: object, players: int, mice: bool) -> dict[Animal, int]:
    """Return a complete deck that lasts for the turns of seat 0, who has the most."""
    counts = _numbers("deck", deck, {**dict.fromkeys(ANIMALS, 0), "mouse": int(mice)}, 20, "deck's {}")
    if counts["mouse"] and not mice:
        raise RulesError(f"deck has {counts['mouse']} mouse, but mice is off")
    _integer("tiles in the deck", sum(counts.values()), _turns(0, len(SPACES), players), 20, RulesError)
    return counts


def _checked_points(points: Sequence[object]) -> tuple[int, ...]:
    if len(points) != 3:
        raise RulesError(f"points must be 3 numbers, got {len(points)}")
    names = ("points below", "points above", "points exact")
    return tuple(_integer(name, value, 0, 100, RulesError) for name, value in zip(names, points, strict=True))


def _turns(seat: int, plies: int, players: int) -> int:
    """Return how many of the first `plies` turns are the seat's: its first one, and then each `players` later."""
    return len(range(seat, plies, players))


def _score_line(rules: Rules, tiles: Sequence[Placed], last_seat: int) -> tuple[int, tuple[int, ...]]:
    """Return the total influence of a full line, whose last tile `last_seat` placed, and its points by team."""
    teams = range(rules.teams)
    own = [[tile for tile in tiles if rules.team_of(tile.seat) == team] for team in teams]
    influence = [sum(_influence(rules, tile) for tile in own[team]) for team in teams]
    present = [team for team in teams if own[team]]
    below, above, exact = rules.points

    total = sum(influence)
    if total < rules.target:
        most = max(influence[team] for team in present)
        scoring, points = [team for team in present if influence[team] == most], below
    elif total > rules.target:
        rivals = list(teams) if rules.absent_can_be_least else present
        least = min(influence[team] for team in rivals)
        scoring, points = [team for team in rivals if influence[team] == least], above
    else:
        scoring, points = [rules.team_of(last_seat)], exact

    mice = [sum(tile.animal == "mouse" and tile.face == FRONT for tile in own[team]) for team in teams]
    return total, tuple(points + mice[team] if team in scoring else 0 for team in teams)


def _influence(rules: Rules, tile: Placed) -> int:
    """Return the influence of the face that shows."""
    return rules._influence["lion" if tile.face == LION else str(tile.animal)]


def _last_seat_bonus(rules: Rules) -> tuple[int, ...]:
    """Return the points by team that the end of the game gives."""
    last_team = rules.team_of(rules.players - 1)
    return tuple(rules.last_seat_bonus if team == last_team else 0 for team in range(rules.teams))


def _add(scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(operator.add, scores, points))


# -------------------------------------------------------------------------------------------------------------- a move


@total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class Move(_Value):
    """A tile's `animal`, the `face` that it shows and the `space` where it goes; written `zebra c4`, `zebra lion c4`.

    An unknown word raises `NotationError`, what is no str `TypeError`. Moves are in the order of their action ids.
    """

    animal: Animal
    face: Face
    space: Space

    def __post_init__(self) -> None:
        """Check the words; a frozen dataclass can be changed by way of `vars` only."""
        vars(self).update(animal=_word("animal", self.animal, ANIMALS))
        vars(self).update(face=_word("face", self.face, FACES), space=_word("space", self.space, SPACES))

    @property
    def action(self) -> int:
        """The action id, 0..199."""
        tile = ANIMALS.index(self.animal) * len(FACES) + FACES.index(self.face)
        return tile * len(SPACES) + SPACES.index(self.space)

    @classmethod
    def from_action(cls, action: int) -> Self:
        """Return the move with an action id; `IllegalMoveError` outside 0..199, `TypeError` if it is no int."""
        tile, space = divmod(_integer("action id", action, 0, ACTIONS - 1, IllegalMoveError), len(SPACES))
        animal, face = divmod(tile, len(FACES))
        return cls(ANIMALS[animal], FACES[face], SPACES[space])

    def __lt__(self, other: object) -> bool:
        return self.action < other.action if isinstance(other, Move) else NotImplemented

    def __repr__(self) -> str:
        return f"Move('{self.animal}', '{self.face}', '{self.space}')"

    def __str__(self) -> str:
        return f"{self.animal} {self.space}" if self.face == FRONT else f"{self.animal} {self.face} {self.space}"

    @classmethod
    def _read(cls, reader: _Reader) -> Self:
        match reader.text.split(" "):
            case [animal, space]:
                return cls(animal, FRONT, space)
            case [animal, face, space]:
                return cls(animal, face, space)
        raise NotationError(f"a move is like 'zebra c4' or 'zebra lion c4', got {reader.text!r}")


# ----------------------------------------------------------------------------------------------------- a game's moment


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class _Table(_Value):
    """What Position and View share: tiles on the board by space, in hands and decks by seat; HIDDEN if not known."""

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

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in ascending action id; none when the game is over or, in a View, for another seat."""
        if self.is_over:
            return []
        hand = self._hands[self.ply % self.rules.players]  # of HIDDEN tiles only if it is not the viewer's
        empty = [space for space in SPACES if space not in self._board]
        return [Move(animal, face, space) for animal in ANIMALS if animal in hand for face in FACES for space in empty]

    def legal_mask(self) -> bytes:
        """Return 200 bytes, 1 where the move with that action id is in `legal_moves`, else 0."""
        legal = {move.action for move in self.legal_moves()}
        return bytes(action in legal for action in range(ACTIONS))

    def check(self) -> None:
        """Raise `NotationError`, naming the field, unless a game can have come to this."""
        for seat in range(self.rules.players):
            self._check_tiles(seat)
        self._check_scores()

    def _to_move(self) -> int | None:
        return None if self.is_over else self.ply % self.rules.players

    def _in_sight(self, seat: int) -> list[Animal]:
        """Return the seat's tiles on the board and in the hand."""
        return [str(tile.animal) for tile in self._board.values() if tile.seat == seat] + list(self._hands[seat])

    def _check_tiles(self, seat: int) -> None:
        size = sum(self.rules.deck.values())
        turns = _turns(seat, self.ply, self.rules.players)
        tiles = [*self._in_sight(seat), *self._decks[seat]]
        for where, count, right in (
            ("board", sum(tile.seat == seat for tile in self._board.values()), turns),
            ("hands", len(self._hands[seat]), min(2, size - turns)),
            ("decks", len(self._decks[seat]), max(0, size - turns - 2)),
        ):
            if count != right:
                raise NotationError(f"{where}: seat {seat} has {count} tiles there, not {right}, after {turns} turns")
        for animal, right in self.rules.deck.items():
            if tiles.count(animal) > right:
                raise NotationError(f"tiles: seat {seat} has {tiles.count(animal)} {animal}, the rules give {right}")

    def _check_scores(self) -> None:
        """Check that the full lines can have given these scores.

        The board does not tell who filled a line, which matters for the exact ones: any seat in it may have done it.
        """
        possible = {(0,) * self.rules.teams}
        for line in LINES:
            if all(space in self._board for space in line):
                tiles = [self._board[space] for space in line]
                outcomes = {_score_line(self.rules, tiles, last.seat)[1] for last in tiles}
                sums = {_add(scores, points) for scores in possible for points in outcomes}
                possible = {scores for scores in sums if all(map(operator.le, scores, self.scores))}
        if self.is_over:
            possible = {_add(scores, _last_seat_bonus(self.rules)) for scores in possible}
        if self.scores not in possible:
            raise NotationError(f"scores: the lines on the board cannot have given {_join('/', self.scores)}")

    def __str__(self) -> str:
        cells = [_cell(self._board.get(space)) for space in SPACES]
        ranks = ["".join(cells[start : start + 4]) for start in range(0, len(SPACES), 4)]
        hands = [_letters(_sorted(hand)) for hand in self._hands]
        decks = [_letters(deck) for deck in self._decks]
        fields = (ranks, hands, decks, self.scores)
        return " ".join([str(self.rules), *(_join("/", field) for field in fields)])

    @classmethod
    def _read_fields(cls, reader: _Reader, viewer: int | None, **other_fields: Any) -> Self:
        """Read the five fields, with '?' for what the viewer does not know; None knows everything."""
        rules = Rules._read(reader)
        seats = range(rules.players)
        if viewer is not None and viewer not in seats:
            raise reader.error(f"seat must be 0..{rules.players - 1}, got {viewer}")
        hidden = [viewer not in (None, seat) for seat in seats]

        def field(count: int, read: Callable[[int], T]) -> list[T]:
            reader.take_text(" ")
            return reader.several(count, "/", read)

        ranks = field(5, lambda _: [_read_cell(reader, hidden) for _ in range(4)])
        hands = field(len(seats), lambda seat: _read_tiles(reader, hidden[seat]))
        decks = field(len(seats), lambda _: _read_tiles(reader, viewer is not None))
        scores = field(rules.teams, lambda _: reader.number())
        reader.take_text("")
        tiles = [tile for rank in ranks for tile in rank]
        board = {space: tile for space, tile in zip(SPACES, tiles, strict=True) if tile}
        table = cls(rules=rules, scores=tuple(scores), _board=board, _hands=hands, _decks=decks, **other_fields)
        table.check()
        return table


def _sorted(hand: Iterable[Animal]) -> tuple[Animal, ...]:
    return tuple(sorted(hand, key=list(LETTERS).index))


def _join(separator: str, items: Iterable[object]) -> str:
    return separator.join(map(str, items))


def _letters(tiles: Sequence[Animal]) -> str:
    return "".join(LETTERS[animal] for animal in tiles) or "-"


def _read_tiles(reader: _Reader, hidden: bool) -> list[Animal]:
    letters = reader.take(r"\?+|-", "'?' or '-'") if hidden else reader.take("[mzgeu]+|-", "letters of tiles or '-'")
    return [WORDS[letter] for letter in letters.strip("-")]


def _cell(tile: Placed | None) -> str:
    """Write a space: a dot, or the seat and the animal's letter, a capital under a Lion."""
    if tile is None:
        return "."
    letter = LETTERS[str(tile.animal)]
    return f"{tile.seat}{letter.upper() if tile.face == LION else letter}"


def _read_cell(reader: _Reader, hidden: Sequence[bool]) -> Placed | None:
    """Read a space; the animals under the Lions of some seats are hidden."""
    digit = reader.take(f"[0-{len(hidden) - 1}.]", "a seat digit or '.'")
    if digit == ".":
        return None
    letter = reader.take("[mzgeu?]" if hidden[int(digit)] else "[mzgeuMZGEU]", "the letter of a tile")
    return Placed(int(digit), WORDS[letter.lower()], FRONT if letter.islower() else LION)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Position(_Table):
    """A game at one moment, with all that is hidden; made by `deal`, `from_decks`, `parse` and `play` only.

    `rules` are the game's options, `scores` the points by team (after the last ply, with the last seat's bonus).
    Positions are equal if rules, board, hands, decks in draw order and scores are.
    """

    @classmethod
    def deal(cls, rules: Rules, seed: int | None = None) -> Self:
        """Shuffle a deck for each seat and draw two tiles each.

        `seed` is 0..2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        decks = [_tiles(rules.deck) for _ in range(_checked_rules(rules).players)]
        generator = Xoshiro256PlusPlus.seeded(seed, "deal")
        for deck in decks:
            generator.shuffle(deck)
        return cls.from_decks(rules, decks)

    @classmethod
    def from_decks(cls, rules: Rules, decks: Sequence[Sequence[Animal]]) -> Self:
        """Start with a known draw order for each seat; the first two tiles are the hand.

        `RulesError` unless every deck has exactly the tiles of the rules, `TypeError` for a str in place of a deck.
        """
        given = _sequence("decks", decks)
        if len(given) != _checked_rules(rules).players:
            raise RulesError(f"{rules.players} decks are needed, one for each seat, got {len(given)}")
        tiles = [_checked_tiles(rules, f"deck of seat {seat}", deck) for seat, deck in enumerate(given)]
        hands, rest = [deck[:2] for deck in tiles], [deck[2:] for deck in tiles]
        return cls(rules=rules, scores=(0,) * rules.teams, _board={}, _hands=hands, _decks=rest)

    @property
    def seat(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self._to_move()

    @property
    def hands(self) -> tuple[tuple[Animal, ...], ...]:
        """The hand of each seat, sorted in the order of `ANIMALS`."""
        return tuple(map(_sorted, self._hands))

    @property
    def decks(self) -> tuple[tuple[Animal, ...], ...]:
        """The deck of each seat, the next tile first."""
        return tuple(map(tuple, self._decks))

    def play(self, move: Move | str) -> Self:
        """Return the position after a move: a tile is placed, the lines that it fills score, a tile is drawn.

        Raises `GameOverError`, `NotationError` (a text that is no move), `IllegalMoveError` or `TypeError`.
        """
        legal = self._legal(move)
        seat = self.ply % self.rules.players
        hands, decks = [list(hand) for hand in self._hands], [list(deck) for deck in self._decks]
        hands[seat].remove(legal.animal)
        if decks[seat]:
            hands[seat].append(decks[seat].pop(0))

        scores = self.scores
        for line in self.lines_filled(legal):
            scores = _add(scores, line.points)
        board = self._with(legal)
        if len(board) == len(SPACES):
            scores = _add(scores, _last_seat_bonus(self.rules))
        return replace(self, scores=scores, _board=board, _hands=hands, _decks=decks)

    def lines_filled(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return the lines that a legal move fills, in the order of `LINES`; it raises what `play` raises."""
        legal = self._legal(move)
        board = self._with(legal)
        filled = []
        for line in LINES:
            if legal.space in line and all(space in board for space in line):
                total, points = _score_line(self.rules, [board[space] for space in line], board[legal.space].seat)
                filled.append(LineScore(line, total, points))
        return tuple(filled)

    def view(self, seat: int) -> "View":
        """Return what the player in a seat knows; `SavannaError` if there is no such seat."""
        viewer = _integer("seat", seat, 0, self.rules.players - 1, SavannaError)
        board = {
            space: tile._replace(animal=HIDDEN) if tile.face == LION and tile.seat != viewer else tile
            for space, tile in self._board.items()
        }
        hands = [hand if owner == viewer else [HIDDEN] * len(hand) for owner, hand in enumerate(self._hands)]
        decks = [[HIDDEN] * len(deck) for deck in self._decks]
        return View(seat=viewer, rules=self.rules, scores=self.scores, _board=board, _hands=hands, _decks=decks)

    def _legal(self, move: object) -> Move:
        """Return the move if it may be played here."""
        if self.is_over:
            raise GameOverError(f"the game is over after {self.ply} plies")
        if isinstance(move, str):
            move = Move.parse(move)
        if not isinstance(move, Move):
            raise TypeError(f"a move is a Move or its text, not {type(move).__name__}")
        seat = self.ply % self.rules.players
        if move.space in self._board:
            raise IllegalMoveError(f"{move.space} is already taken")
        if move.animal not in self._hands[seat]:
            raise IllegalMoveError(f"seat {seat} holds no {move.animal}")
        return move

    def _with(self, move: Move) -> dict[Space, Placed]:
        """Return the board with the tile of a move on it."""
        return {**self._board, move.space: Placed(self.ply % self.rules.players, move.animal, move.face)}

    @classmethod
    def _read(cls, reader: _Reader) -> Self:
        return cls._read_fields(reader, None)


def _checked_rules(rules: object) -> Rules:
    if not isinstance(rules, Rules):
        raise _wrong_type("rules", "Rules", rules)
    return rules


def _checked_tiles(rules: Rules, name: str, deck: Sequence[Animal]) -> list[Animal]:
    """Return the deck if it has exactly the tiles of the rules."""
    try:
        tiles = [_word("animal", animal, ANIMALS) for animal in _sequence(name, deck)]
    except NotationError as error:
        raise RulesError(f"{name}: {error}") from error
    for animal, count in rules.deck.items():
        if tiles.count(animal) != count:
            raise RulesError(f"{name} has {tiles.count(animal)} {animal}, the rules give {count}")
    return tiles


def _tiles(counts: Mapping[Animal, int]) -> list[Animal]:
    """Return that many tiles of each animal."""
    return [animal for animal, count in counts.items() for _ in range(count)]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class View(_Table):
    """What the player in `seat` knows of a game; made by `Position.view` and `parse` only.

    Hidden are the other hands, the order of all decks (the own one, too) and the animals under the others' Lions.
    `rules` are the game's options, `scores` the points by team.
    """

    seat: int

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self._to_move()

    @property
    def hand(self) -> tuple[Animal, ...]:
        """The viewer's hand, sorted in the order of `ANIMALS`."""
        return _sorted(self._hands[self.seat])

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

        `seed` is 0..2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        generator = Xoshiro256PlusPlus.seeded(seed, "sample")
        board, hands, decks = self.board, [], []
        for seat, unseen in enumerate(self.unseen):
            pool = _tiles(unseen)
            generator.shuffle(pool)
            tiles = iter(pool)
            hands.append(_reveal(self._hands[seat], tiles))
            decks.append(_reveal(self._decks[seat], tiles))
            for space, tile in board.items():
                if tile.seat == seat and tile.animal is None:
                    board[space] = tile._replace(animal=next(tiles))
        return Position(rules=self.rules, scores=self.scores, _board=board, _hands=hands, _decks=decks)

    def __str__(self) -> str:
        return f"seat={self.seat} {super().__str__()}"

    @classmethod
    def _read(cls, reader: _Reader) -> Self:
        reader.take_text("seat=")
        seat = int(reader.take("[0-3]", "a seat digit"))
        reader.take_text(" ")
        return cls._read_fields(reader, seat, seat=seat)


def _reveal(tiles: Iterable[Animal], unseen: Iterator[Animal]) -> list[Animal]:
    """Return the tiles with the next unseen one in each hidden place."""
    return [next(unseen) if animal == HIDDEN else animal for animal in tiles]


# ----------------------------------------------------------------------------------------------------------- randomness

MASK = 2**64 - 1


def _mix(z: int) -> int:
    """Return SplitMix64's finaliser (Steele, Lea and Flood 2014) of a 64-bit number."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def _rotate_left(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & MASK


class Xoshiro256PlusPlus:
    """The generator xoshiro256++ (Blackman and Vigna 2019), which other engines, in other languages, can repeat."""

    def __init__(self, state: Sequence[int]) -> None:
        """Start from four 64-bit numbers, not all of them zero."""
        self._state = tuple(state)

    @classmethod
    def seeded(cls, seed: int | None, purpose: str, index: int = 0) -> Self:
        """Return generator `index` (from 0) of a seed and a purpose: "deal", "sample" or "playout".

        Its state is four words of SplitMix64; the generators of a seed and purpose take them in turn. `seed` is
        0..2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        number = secrets.randbits(64) if seed is None else _integer("seed", seed, 0, MASK, SavannaError)
        start = _mix(_mix(number) ^ int.from_bytes(purpose.encode("ascii"), "big"))
        words = range(4 * index + 1, 4 * index + 5)
        return cls([_mix((start + word * 0x9E3779B97F4A7C15) & MASK) for word in words])

    def next(self) -> int:
        """Return the next number of 0..2**64 - 1."""
        s0, s1, s2, s3 = self._state
        result = (_rotate_left((s0 + s3) & MASK, 23) + s0) & MASK
        s2, s3 = s2 ^ s0, s3 ^ s1
        self._state = (s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17) & MASK, _rotate_left(s3, 45))
        return result

    def below(self, n: int) -> int:
        """Return a number of 0..n - 1, all equally likely, for n of 1..2**64 (Lemire 2019)."""
        while True:
            product = self.next() * n
            # The products with a smaller low half are those that would make some numbers likelier than others.
            if (product & MASK) >= 2**64 % n:
                return product >> 64

    def shuffle(self, items: list[Any]) -> None:
        """Put the items in a random order, all orders equally likely (Fisher and Yates)."""
        for i in range(len(items) - 1):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]


# ---------------------------------------------------------------------------------------------------------- whole games


def random_playout(position: Position, rng: random.Random) -> Position:
    """Return the end of a game in which every move is drawn uniformly out of the legal ones."""
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from here (1 for depth 0)."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())
