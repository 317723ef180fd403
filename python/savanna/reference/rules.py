"""Every option of the game, checked once; after that, `Rules` cannot be wrong."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from savanna.arguments import boolean, integer, items, numbers
from savanna.errors import RulesError, SavannaError
from savanna.reference.board import SPACES
from savanna.reference.notation import Reader, Value
from savanna.reference.tile import ANIMALS, Animal

RULES_VERSION = 1
"""Goes up when the same moves of a game would give another result."""

MAX_DECK = 20
INFLUENCE = {"monkey": 2, "zebra": 3, "giraffe": 4, "elephant": 5, "mouse": 1, "lion": 6}
DECKS = {
    2: {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1},
    3: {"monkey": 3, "zebra": 2, "giraffe": 1, "elephant": 1},
    4: {"monkey": 2, "zebra": 2, "giraffe": 1, "elephant": 1},
}

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
class Rules(Value):
    """The options of a game; the defaults are the printed rules for two players.

    `players` (2 to 4 seats); `mice` and `team_game`, the two variants; `target`, the total influence (0 to 100) that
    scores best; `points` (0 to 100 each) of a line below, above and exactly at the target; `last_seat_bonus` (0 to 100
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
        variant. `influence` (0 to 15 each, "lion" too) keeps the default of what is left out. None means the printed
        deck, the default influence, and a bonus of 2 for three players, else 0.
        """
        players = integer("players", players, 2, 4, RulesError)
        if last_seat_bonus is None:
            last_seat_bonus = 2 if players == 3 else 0
        # A frozen dataclass can be filled by way of `vars` only.
        vars(self).update(
            players=players,
            mice=boolean("mice", mice),
            team_game=boolean("team_game", team_game),
            _deck=checked_deck(DECKS[players] if deck is None else deck, players, mice),
            _influence=numbers("influence", {} if influence is None else influence, INFLUENCE, 15),
            target=integer("target", target, 0, 100, RulesError),
            points=checked_points(points),
            last_seat_bonus=integer("last_seat_bonus", last_seat_bonus, 0, 100, RulesError),
            absent_can_be_least=boolean("absent_can_be_least", absent_can_be_least),
        )
        if team_game and players != 4:
            raise RulesError(f"team_game needs 4 players, got {players}")

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

    @property
    def max_score(self) -> int:
        """The most that a team could score: 20 lines at the best rate, its Mice in four lines each, and the bonus."""
        mice = self._deck["mouse"] * self.players // self.teams if self.mice else 0
        return 20 * max(self.points) + 4 * min(mice, 20) + self.last_seat_bonus

    def team_of(self, seat: int) -> int:
        """Return the team of a seat; `SavannaError` if there is no such seat."""
        return integer("seat", seat, 0, self.players - 1, SavannaError) % self.teams

    def _changed(self) -> dict[str, Any]:
        """Return the options that are not the printed ones for these players and variants, by their words."""
        default = _printed(self.players, self.mice, self.team_game)
        options = {word: (getattr(self, name), getattr(default, name)) for word, (name, _) in NOTATION.items()}
        return {word: value for word, (value, usual) in options.items() if value is True or value != usual}

    def replace(self, **options: Any) -> Self:
        """Return these rules with other options; one that is as printed stays as printed."""
        return type(self)(**{**self._options(), **options})

    __replace__ = replace

    def _options(self) -> dict[str, Any]:
        """Return the arguments that make these rules: the variant, and what differs from what is printed for it."""
        variant: dict[str, Any] = {"players": self.players, "mice": self.mice, "team_game": self.team_game}
        return variant | {NOTATION[word][0]: value for word, value in self._changed().items()}

    def __repr__(self) -> str:
        options = self._options()
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in options.items())})"

    def __str__(self) -> str:
        # After its word come the numbers in the value of an option, be it one, a tuple or a dict.
        words = [word + ".".join(re.findall("[0-9]+", str(value))) for word, value in self._changed().items()]
        return ",".join([f"{self.players}p", *words])

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        options: dict[str, Any] = {"players": int(reader.take("[2-4]", "2, 3 or 4 players"))}
        reader.take_text("p")
        while reader.text.startswith(",", reader.at):
            reader.take_text(",")
            name, count = NOTATION[reader.take("|".join(NOTATION), "an option of the rules")]
            values = reader.several(count, ".", lambda _: reader.number())
            if name in ("deck", "influence"):
                options[name] = dict(zip(INFLUENCE, values, strict=False))  # a deck has no lions
            else:
                options[name] = values if count > 1 else values[0] if values else True
        try:
            return cls(**options)
        except RulesError as error:
            raise reader.error(str(error)) from error


def _printed(players: int, mice: bool, team_game: bool) -> Rules:
    """Return the printed rules of a variant."""
    return Rules(players=players, mice=mice, team_game=team_game)


def checked_deck(deck: object, players: int, mice: bool) -> dict[Animal, int]:
    """Return a complete deck that lasts for the turns of seat 0, who has the most."""
    counts = numbers("deck", deck, {**dict.fromkeys(ANIMALS, 0), "mouse": int(mice)}, MAX_DECK)
    if counts["mouse"] and not mice:
        raise RulesError(f"deck has {counts['mouse']} mouse, but mice is off")
    integer("tiles in the deck", sum(counts.values()), turns(0, len(SPACES), players), MAX_DECK, RulesError)
    return counts


def checked_points(points: Iterable[int]) -> tuple[int, ...]:
    """Return the points of a line below, above and exactly at the target."""
    checked = [integer("each of points", value, 0, 100, RulesError) for value in items("points", points, 3)]
    if len(checked) < 3:
        raise RulesError("points must be three numbers: below, above, exact")
    return tuple(checked)


def turns(seat: int, plies: int, players: int) -> int:
    """Return how many of the first `plies` turns are the seat's: its first one, and then each `players` later."""
    return len(range(seat, plies, players))
