"""The compiled engine of savanna; `import savanna` gives all of it."""

# `make stubs` copies the docstrings from the extension module; the rest is written by hand. Arguments that are animals,
# faces or spaces are of type `str`, as they are in the records and as keys of dicts; results that can be nothing else
# say so.

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, Self, SupportsFloat, SupportsIndex, TypeAlias, Unpack, final, overload

import numpy as np
from numpy.typing import NDArray

from savanna.envs.records import Section
from savanna.records import LineScore, LineState, MoveAnalysis, Placed, Playout, RankedMove
from savanna.types import Animal, Backend, Face, Objective, Policy, RulesOptions

__all__ = [
    "ACTIONS",
    "ANIMALS",
    "BATCH",
    "ENV_VERSION",
    "FACES",
    "LINES",
    "MAX_GAMES",
    "MAX_THREADS",
    "OBJECTIVES",
    "POLICIES",
    "RULES_VERSION",
    "SPACES",
    "Analysis",
    "Batch",
    "Champion",
    "Episode",
    "FlatMonteCarlo",
    "Greedy",
    "Ismcts",
    "Layout",
    "Move",
    "Playouts",
    "Position",
    "Random",
    "Rules",
    "SoftGreedy",
    "Solution",
    "Stats",
    "View",
    "__version__",
    "analyse",
    "backends",
    "check_batch",
    "check_rollout",
    "check_search",
    "moves_to_rank",
    "playouts",
    "rank_moves",
    "rank_stats",
    "rollout",
    "rollout_many",
    "solve",
]

__version__: Final[str]
"""The version of the package."""

BATCH: Final[int]
"""Games per random stream (16,384); `first` must be a multiple of it."""

ENV_VERSION: Final[int]
"""Goes up when observations, rewards or random numbers of environments change."""

RULES_VERSION: Final[int]
"""Goes up when the same moves of a game would give another result."""

SPACES: Final[tuple[str, ...]]
"""The 20 spaces in reading order: the column's letter from the left, the rank's digit from the bottom."""

LINES: Final[tuple[tuple[str, ...], ...]]
"""The 20 scoring lines: rows, columns, falling and rising diagonals, each with its spaces in reading order."""

ANIMALS: Final[tuple[str, ...]]
"""The names of the five animals, in index order."""

FACES: Final[tuple[str, ...]]
"""The names of the two faces, in index order."""

ACTIONS: Final[int]
"""The number of action ids, 200: (animal * 2 + face) * 20 + space, each by its index."""

POLICIES: Final[tuple[Policy, ...]]
"""The names of the policies by which playouts choose moves."""

OBJECTIVES: Final[tuple[Objective, ...]]
"""The names of what `solve` can solve for."""

MAX_GAMES: Final[int]
"""The most games of a call, and of statistics: 2**53."""

MAX_THREADS: Final[int]
"""The most threads of a call: 1024."""

@final
class Rules:
    """The rules of one game: every option, checked once. Options left out keep what is printed on the box.

    `players` is 2 to 4; `mice` and `team_game` (for 4 players) are the variants. `deck` maps animals to how many tiles
    of each every seat starts with; an animal left out counts 0, except that a mouse left out counts 1 with `mice`.
    `influence` maps animals and "lion" to 0 to 15; an omitted one keeps its default. `points` (0 to 100 each) are those
    for a line below, above and exactly at `target` (0 to 100). `last_seat_bonus` (0 to 100) goes to the last seat's
    team when the game ends; None means 2 for three players, else 0. With `absent_can_be_least`, a team without a tile
    in a line above the target counts as 0 there, and so is the least.

    Raises `RulesError` for options that are out of range or contradict each other, `TypeError` for wrong types.
    """

    def __new__(
        cls,
        *,
        players: SupportsIndex = 2,
        mice: bool = False,
        team_game: bool = False,
        deck: Mapping[str, SupportsIndex] | None = None,
        influence: Mapping[str, SupportsIndex] | None = None,
        target: SupportsIndex = 10,
        points: Iterable[SupportsIndex] = (2, 1, 3),
        last_seat_bonus: SupportsIndex | None = None,
        absent_can_be_least: bool = False,
    ) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` gives, such as "2p,mice". Raises `NotationError` for any other."""

    @property
    def players(self) -> int:
        """Number of seats, 2 to 4."""

    @property
    def mice(self) -> bool:
        """Whether each deck has a Mouse, and Mice earn points."""

    @property
    def team_game(self) -> bool:
        """Whether seats 0 and 2 play against seats 1 and 3."""

    @property
    def deck(self) -> dict[str, int]:
        """Number of tiles of each animal that every seat starts with: all five, in index order."""

    @property
    def influence(self) -> dict[str, int]:
        """Influence of each animal lying front up, and of "lion"."""

    @property
    def target(self) -> int:
        """The total influence that lines are compared with."""

    @property
    def points(self) -> tuple[int, int, int]:
        """Points for a line below, above and exactly at the target."""

    @property
    def last_seat_bonus(self) -> int:
        """Points that the last seat's team gets when the game ends."""

    @property
    def absent_can_be_least(self) -> bool:
        """Whether a team without a tile in a line above the target counts as 0 there, and so is the least."""

    @property
    def teams(self) -> int:
        """Number of teams: one for each seat, or two in the Team game."""

    @property
    def max_score(self) -> int:
        """The most points that a team could have in the end: a bound, which need not be reached.

        Every line counts the best of `points`, each Mouse of the team's four lines, at most 20 of them, and the last
        seat's bonus is added.
        """

    def team_of(self, seat: SupportsIndex) -> int:
        """Return the team that a seat plays for. Raises `SavannaError` for a seat that does not play."""

    def replace(self, **options: Unpack[RulesOptions]) -> Rules:
        """Return these rules with other options, which the constructor takes and checks.

        An option that is as printed stays as printed: `Rules().replace(players=3)` has the deck for three players.
        """

    def __replace__(self, **options: Unpack[RulesOptions]) -> Rules: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[str], Rules], tuple[str]]: ...

@final
class Move:
    """A placement: which animal, which face up ("front" or "lion"), on which space ("a5").

    Its text is "zebra c4", or "zebra lion c4" with the Lion up. Moves are ordered by `action`. Raises `NotationError`
    for words that name nothing.
    """

    def __new__(cls, animal: str, face: str, space: str) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` gives. Raises `NotationError` for any other."""

    @classmethod
    def from_action(cls, action: SupportsIndex) -> Self:
        """Return the move of an action id, 0..199. Raises `IllegalMoveError` for another number."""

    @property
    def animal(self) -> Animal:
        """The animal on the tile's front, whichever face lies up."""

    @property
    def face(self) -> Face:
        """The side that lies up: "front" or "lion"."""

    @property
    def space(self) -> str:
        """The space where the tile is placed, one of `SPACES`."""

    @property
    def action(self) -> int:
        """The action id, 0 to 199: (animal * 2 + face) * 20 + space, each by its index."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, value: Move, /) -> bool: ...
    def __le__(self, value: Move, /) -> bool: ...
    def __gt__(self, value: Move, /) -> bool: ...
    def __ge__(self, value: Move, /) -> bool: ...
    def __reduce__(self) -> tuple[type[Move], tuple[str, str, str]]: ...

@final
class Position:
    """Everything there is to know about a game at one moment, hidden tiles included.

    It never changes: a move makes a new position. Begin with `Position.deal`, `Position.from_decks` or
    `Position.parse`; the class itself cannot be called.

    Players must be given `position.view(seat)`, never the position itself.
    """

    @classmethod
    def deal(cls, rules: Rules, seed: SupportsIndex | None = None) -> Self:
        """Start a game. The seed decides how the decks are shuffled.

        It is 0 to 2**64 - 1, else `SavannaError` is raised; None asks the system for one.
        """

    @classmethod
    def from_decks(cls, rules: Rules, decks: Iterable[Iterable[str]]) -> Self:
        """Start a game with these decks: for each seat its animals in draw order.

        The first two of a deck are the hand. Raises `RulesError` unless each deck is made of the tiles of the rules.
        """

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` gives. Raises `NotationError` if it is malformed or no game can come to this."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def ply(self) -> int:
        """How many tiles have been placed, 0 to 20."""

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""

    @property
    def seat(self) -> int | None:
        """The seat to move, the same as `to_move`; the `seat` of a `View` is the seat that sees it."""

    @property
    def board(self) -> dict[str, Placed]:
        """The placed tiles: a dict from space to `Placed(seat, animal, face)`, in reading order."""

    @property
    def hands(self) -> tuple[tuple[Animal, ...], ...]:
        """Every seat's hand: a tuple of animals in index order."""

    @property
    def decks(self) -> tuple[tuple[Animal, ...], ...]:
        """Every seat's deck: a tuple of animals in draw order."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each team; when the game is over, the last seat's bonus is in it."""

    @property
    def lions(self) -> tuple[int, ...]:
        """How many tiles of each team lie Lion face up."""

    @property
    def is_over(self) -> bool:
        """Whether all spaces are filled."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The teams that have won, in ascending order; () before the end."""

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in ascending order of action id; none when the game is over."""

    def legal_mask(self) -> bytes:
        """Return 200 bytes: 1 for each action id that is legal, else 0."""

    def action_mask(self) -> NDArray[np.int8]:
        """Return `legal_mask` as an array: int8[200]."""

    def play(self, move: Move | str) -> Position:
        """Return the position after a move, given as `Move` or as its text.

        Raises `IllegalMoveError`, `GameOverError` or `NotationError`, and then nothing has changed.
        """

    def lines_filled(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return the lines that a legal move would fill, each as `LineScore(spaces, total, points)`.

        Points are by team; the last seat's bonus belongs to no line. Raises what `play` raises.
        """

    def preview(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return what `lines_filled` returns; a `View` has it by this name, too."""

    @property
    def lines(self) -> tuple[LineState, ...]:
        """The 20 lines as they stand, in the order of `LINES`, each as a `LineState`."""

    def view(self, seat: SupportsIndex) -> View:
        """Return what a seat knows. Raises `SavannaError` for a seat that does not play."""

    def public(self) -> View:
        """Return what everybody knows, those who have no seat too: a `View` whose seat is None."""

    def check(self) -> None:
        """Recompute from scratch all that must hold; raises `SavannaError` for what does not."""

    def _repr_svg_(self) -> str:
        """Return the picture that `savanna.render.svg` draws of all there is, for notebooks."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[str], Position], tuple[str]]: ...

@final
class View:
    """All that one seat knows: the board, its own hand and Lions, the sizes of hands and decks, the scores.

    A public view has no seat: it knows what everybody sees, neither hands nor animals under Lions. Positions that
    look the same have equal views. `Position.view`, `Position.public` and `View.parse` make them; the class itself
    cannot be called.
    """

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` gives. Raises `NotationError` if it is malformed or no position looks like this."""

    @property
    def seat(self) -> int | None:
        """The seat that sees this; None in a public view."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def ply(self) -> int:
        """How many tiles have been placed, 0 to 20."""

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""

    @property
    def board(self) -> dict[str, Placed]:
        """The placed tiles: a dict from space to `Placed(seat, animal, face)`, in reading order.

        The animal is None under another seat's Lion, in a public view under every Lion.
        """

    @property
    def hand(self) -> tuple[Animal, ...]:
        """This seat's hand: a tuple of animals in index order; () in a public view."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many tiles each seat holds."""

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """How many tiles each seat has still to draw."""

    @property
    def unseen(self) -> tuple[dict[str, int], ...]:
        """For each seat, how many tiles of each animal this view does not show.

        They are in another's hand, in a deck, or under another's Lions; in a public view, in any hand and under any
        Lion, too. Each dict has all five animals.
        """

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each team; when the game is over, the last seat's bonus is in it."""

    @property
    def lions(self) -> tuple[int, ...]:
        """How many tiles of each team lie Lion face up."""

    @property
    def is_over(self) -> bool:
        """Whether all spaces are filled."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The teams that have won, in ascending order; () before the end."""

    @property
    def lines(self) -> tuple[LineState, ...]:
        """The 20 lines as they stand, as `Position.lines` has them: nothing that is hidden counts in a line."""

    def preview(self, move: Move | str) -> tuple[LineScore, ...]:
        """Return the lines that a move of this seat would fill, each as `LineScore(spaces, total, points)`.

        Points are by team; the last seat's bonus belongs to no line. Raises what `Position.play` raises, and
        `IllegalMoveError` unless this is the view of the seat to move.
        """

    def legal_moves(self) -> list[Move]:
        """Return the legal moves of this seat in ascending order of action id; none unless it is to move."""

    def legal_mask(self) -> bytes:
        """Return 200 bytes: 1 for each action id that is legal for this seat now, else 0."""

    def action_mask(self) -> NDArray[np.int8]:
        """Return `legal_mask` as an array: int8[200]."""

    def sample(self, seed: SupportsIndex | None = None) -> Position:
        """Draw a position that is consistent with all that this view shows.

        All ways in which the unseen tiles can lie are equally likely. The seed, 0 to 2**64 - 1, decides which it is,
        else `SavannaError` is raised; None asks the system for one.
        """

    def _repr_svg_(self) -> str:
        """Return the picture that `savanna.render.svg` draws of what this view shows, for notebooks."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[str], View], tuple[str]]: ...

_Source: TypeAlias = Rules | Position | View

@final
class Stats:
    """What many playouts came to; `rollout` makes them.

    Statistics are equal if the games were; time, backend and threads do not count. Arrays are fresh each time.
    """

    @property
    def games(self) -> int:
        """How many games were played."""

    @property
    def rules(self) -> Rules:
        """The rules of the games."""

    @property
    def win_share(self) -> NDArray[np.float64]:
        """The share of games that each team won: float64[teams]. A win shared among k teams counts 1/k for each."""

    @property
    def win_stderr(self) -> NDArray[np.float64]:
        """The standard error of `win_share`: float64[teams].

        Two imaginary games count for it, one won and one lost, so that it is not 0 if all games were won.
        """

    @property
    def mean_score(self) -> NDArray[np.float64]:
        """Each team's mean final score, the last seat's bonus included: float64[teams]."""

    @property
    def score_sd(self) -> NDArray[np.float64]:
        """The standard deviation of each team's final score over the games played: float64[teams]."""

    @property
    def score_histogram(self) -> NDArray[np.int64]:
        """How many games each team ended with a score of 0, 1, 2, ...: int64[teams, K].

        K - 1 is `rules.max_score`.
        """

    @property
    def exact_lines_per_game(self) -> float:
        """The mean number of lines per game that came out exactly at the target."""

    @property
    def exact_tens(self) -> float:
        """The same as `exact_lines_per_game`, by the name that fits a target of 10."""

    @property
    def lines_below(self) -> int:
        """How many lines came out below the target, over all games."""

    @property
    def lines_exact(self) -> int:
        """How many lines came out exactly at the target, over all games."""

    @property
    def lines_above(self) -> int:
        """How many lines came out above the target, over all games."""

    @property
    def seconds(self) -> float:
        """How long the playouts took, in seconds."""

    @property
    def backend(self) -> Backend:
        """What played them: one of `backends()`."""

    @property
    def threads(self) -> int:
        """How many threads played them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON, without rules, timing, backend and threads: plain numbers and lists.

        The keys are the attributes' names; of the two names for one figure it has "exact_tens".
        """

    def to_counts(self) -> dict[str, Any]:
        """Return all counts as plain numbers and lists for JSON, from which `from_counts` makes the same statistics.

        The keys are attributes' names, and "wins": for each team the number of games that it won alone, with one other,
        with two, with three.
        """

    @staticmethod
    def from_counts(rules: Rules, counts: dict[str, Any]) -> Stats:
        """Make the statistics of some counts by these rules, as `to_counts` gives them.

        Raises `SavannaError` for a count that is missing, and for counts that no games by these rules have.
        """

    def __add__(self, value: Stats, /) -> Stats: ...
    def __radd__(self, value: Stats, /) -> Stats: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Stats], tuple[Any, ...]]: ...

@final
class Playouts:
    """Games that were played out and written down; one row of each array is one game. `playouts` makes them.

    It is a sequence of its games, each as `Playout(start, moves, scores, winners)`.
    """

    @property
    def actions(self) -> NDArray[np.uint8]:
        """The moves as played, as action ids: uint8[games, plies], where plies is how many the source has left."""

    @property
    def scores(self) -> NDArray[np.int16]:
        """The final scores: int16[games, teams]."""

    @property
    def winners(self) -> NDArray[np.uint8]:
        """The winners as a bit set, team 0 lowest, so 5 are teams 0 and 2: uint8[games].

        A game by its number has them as a tuple of teams, as a `Position` has: `playouts[game].winners`.
        """

    @property
    def decks(self) -> NDArray[np.uint8]:
        """Every seat's tiles at the start, as animal indices: uint8[games, seats, tiles].

        First those on the board in reading order, then the hand, then the deck in draw order; so from a fresh deal a
        row is a deck in draw order.
        """

    def start(self, game: SupportsIndex) -> Position:
        """Return the position from which a game (0 to `len` - 1) was played, every hidden tile included.

        Raises `IndexError` for another number, `SavannaError` if `decks` was changed to something impossible.
        """

    def moves(self, game: SupportsIndex) -> list[Move]:
        """Return the moves of a game (0 to `len` - 1) in the order of play. Raises `IndexError` for another number."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: SupportsIndex, /) -> Playout: ...
    def __iter__(self) -> Iterator[Playout]: ...
    def __reduce__(self) -> tuple[Callable[..., Playouts], tuple[Any, ...]]: ...

@final
class Analysis:
    """What a search thinks of every move in a view; a player's `analyse` makes it. It is a sequence of its `moves`.

    Analyses are equal if they say the same, however long they took and on however many threads.
    """

    @property
    def best(self) -> Move:
        """The best move."""

    @property
    def moves(self) -> tuple[MoveAnalysis, ...]:
        """All legal moves as `MoveAnalysis(move, visits, win_share, stderr, margin, scores, line)`, best first."""

    @property
    def iterations(self) -> int:
        """How many iterations were made; for a player that goes by playouts, they are those."""

    @property
    def seconds(self) -> float:
        """How long they took, in seconds."""

    @property
    def threads(self) -> int:
        """On how many threads they were made."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> MoveAnalysis: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[MoveAnalysis, ...]: ...
    def __iter__(self) -> Iterator[MoveAnalysis]: ...
    def to_dict(self) -> dict[str, Any]:
        """Return all but how it was come by, as plain numbers and lists for JSON; moves are their texts.

        The keys are "iterations" and "moves", and in each of the moves those of its record.
        """

    def _repr_html_(self) -> str:
        """Return the table of `repr` as HTML, for notebooks."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Analysis], tuple[Any, ...]]: ...

@final
class Solution:
    """What a position is worth when everybody plays as well as can be, and the best moves; `solve` makes it.

    Solutions are equal if they say the same of positions of as many teams.
    """

    @property
    def objective(self) -> Objective:
        """What everybody plays for: "win" or "margin"."""

    @property
    def value(self) -> int | tuple[int, ...] | tuple[float, ...]:
        """What the position is worth.

        With two teams it is an integer, seen by the team to move: 1 for a win, 0 for a shared one and -1 for a loss, or
        the margin of the final scores. With more it is a tuple by team: shares of the win, or final scores.
        """

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves that give the team to move its best value, in ascending order of action id."""

    @property
    def nodes(self) -> int:
        """How many positions the solver looked at."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Solution], tuple[Any, ...]]: ...

@final
class Layout:
    """How observations of a game of these rules are laid out: `sections`, one after the other.

    All numbers are counts or flags from 0 to `high`, so they are the same as uint8 and as float32. Seats and teams
    stand in turn order from the observing one on. With `recall`, an observation tells all that its seat has ever seen,
    and when; else it tells what its view does. Raises `RulesError` for rules by which a score can exceed 255.
    """

    def __new__(cls, rules: Rules, recall: bool | None = None) -> Self: ...
    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def recall(self) -> bool:
        """Whether observations tell all that a seat has ever seen."""

    @property
    def size(self) -> int:
        """How many numbers an observation has."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The parts of an observation: a tuple of `Section(name, start, shape, high, meaning)`."""

    @property
    def high(self) -> NDArray[np.uint8]:
        """The greatest number that can stand in each place: uint8[size]. The least is 0."""

    def observe(self, view: View, *, dtype: Literal["float32", "uint8"] | None = None) -> NDArray[Any]:
        """Return what a view shows, as numbers: float32[size] or uint8[size], by `dtype`.

        A layout with `recall` says more than a view knows: ask an `Episode` or a `BatchEnv`. Raises `SavannaError` for
        a public view, which has no seat to observe for.
        """

    def turned(self, quarters: SupportsIndex) -> NDArray[np.int64]:
        """Return how observations turn with the board: int64[size].

        `observation[..., turned(1)]` is the observation of the board turned clockwise by a quarter.
        """

    @staticmethod
    def turned_actions(quarters: SupportsIndex) -> NDArray[np.int64]:
        """Return how action masks turn with the board: int64[200].

        `mask[..., turned_actions(1)]` is the mask of the board turned clockwise by a quarter; an action `a` of it is
        `turned_actions(1)[a]` on the board as it lay before.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Self], tuple[Rules, bool]]: ...

@final
class Episode:
    """One game from its deal to the present moment. It never changes: a move makes a new one.

    It holds the full truth, as a `Position` does, and beyond it what was played in which order; so it can tell what a
    seat has ever seen. Begin with `Episode.deal` or `Episode.replay`; the class itself cannot be called.
    """

    @classmethod
    def deal(cls, rules: Rules, seed: SupportsIndex | None = None) -> Self:
        """Start a game. The seed decides how the decks are shuffled, as in `Position.deal`."""

    @classmethod
    def replay(cls, start: Position, moves: Iterable[Move | str] | None = None) -> Self:
        """Play moves, or their texts, from a position with an empty board.

        Raises `SavannaError` if there are tiles on the board and `IllegalMoveError` if a move is not legal.
        """

    @property
    def start(self) -> Position:
        """The position at the start."""

    @property
    def position(self) -> Position:
        """The position now. Agents must be given `view`, `observe` and `action_mask`, never this."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, a tuple."""

    def play(self, move: Move | str) -> Episode:
        """Play a `Move` or its text. Raises `IllegalMoveError` if it is not legal here."""

    def view(self, seat: SupportsIndex) -> View:
        """Return what a seat knows now."""

    def observe(
        self, layout: Layout, seat: SupportsIndex, *, dtype: Literal["float32", "uint8"] | None = None
    ) -> NDArray[Any]:
        """Return what a seat sees, or has ever seen: float32[layout.size] or uint8[layout.size], by `dtype`."""

    def action_mask(self, seat: SupportsIndex) -> NDArray[np.int8]:
        """Mark each legal action id of a seat with a 1: int8[200]. It is all 0 unless the seat is to move."""

    def turns(
        self, layout: Layout, *, dtype: Literal["float32", "uint8"] | None = None
    ) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return what the seat to move saw and could play before each move so far: observations and masks, row by row.

        The observations are float32[plies, layout.size] or uint8[plies, layout.size], by `dtype`, the masks
        int8[plies, 200]: what `observe` and `action_mask` gave that seat then.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Episode], tuple[Any, ...]]: ...

@final
class Batch:
    """Many games, stepped by one call that writes into arrays; `savanna.envs.BatchEnv` is made of it."""

    def __new__(
        cls,
        rules: Rules,
        num_envs: SupportsIndex,
        *,
        seed: SupportsIndex | None,
        recall: bool,
        reward: str,
        illegal: str,
        autoreset: str,
        threads: SupportsIndex | None,
    ) -> Self: ...
    def __len__(self) -> int: ...
    @property
    def seed(self) -> int:
        """The seed that deals the games."""

    @property
    def threads(self) -> int:
        """On how many threads a step works."""

    @property
    def layout(self) -> Layout:
        """How observations are laid out."""

    @property
    def options(self) -> tuple[bool, str, str, str]:
        """The options that have names: recall, reward, illegal and autoreset."""

    def reset(self, places: NDArray[np.bool_], seed: SupportsIndex | None) -> None:
        """Begin the next game where `places`, an array of bools, is true. With a seed, all games begin as at first."""

    def step(self, actions: NDArray[np.uint8], out: tuple[NDArray[Any], ...]) -> None:
        """Play an action in each game and write what comes of it into the arrays of `out`."""

    def show(self, out: tuple[NDArray[Any], ...]) -> None:
        """Write the games as they are."""

    def sample(self) -> NDArray[np.uint8]:
        """Draw a uniformly random legal action for each game, 255 where it is over: uint8[num_envs]."""

    def observe(self, seat: SupportsIndex, ends: bool, out: NDArray[Any]) -> None:
        """Write what a seat sees in each game, or saw at the end of the one before."""

    def episode(self, index: SupportsIndex) -> Episode:
        """Return the game in a place, from its deal on, with the full truth in it."""

    def save(self) -> bytes:
        """Return the whole batch as bytes."""

    @classmethod
    def restore(cls, data: bytes, threads: SupportsIndex | None) -> Self:
        """Return the batch that was saved. Raises `SavannaError` for any other bytes."""

@final
class Random:
    """Chooses among the legal moves, all equally likely. `seed` is 0 to 2**64 - 1; None asks the system for one.

    The view and the seed decide the move; other views of one game have other random numbers.
    """

    def __new__(cls, *, seed: SupportsIndex | None = 0) -> Self: ...
    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def name(self) -> str:
        """What tables of results call it; the seed is not in it."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[int], Random], tuple[int]]: ...

@final
class Greedy:
    """Chooses a move after which the margin of its team has grown most; equally good ones are equally likely.

    The margin is by how much the team's score exceeds the mean of the others. What comes later does not concern it.
    `seed` is 0 to 2**64 - 1; None asks the system for one. The view and the seed decide the move.
    """

    def __new__(cls, *, seed: SupportsIndex | None = 0) -> Self: ...
    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def name(self) -> str:
        """What tables of results call it; the seed is not in it."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[[int], Greedy], tuple[int]]: ...

@final
class FlatMonteCarlo:
    """Chooses the move that uniformly random playouts after it say is best: by win share + 0.01 * margin.

    The `playouts` (20,000 unless `seconds` is given instead) are spread evenly over the moves; any remainder is
    dropped, and each move gets at least one. All moves are played with the same random numbers, and each playout
    starts from a new determinization: what the view hides is redrawn. With `seconds`, all moves get 128 playouts
    more until that time has passed. View, `seed` (0 to 2**64 - 1, None asks the system for one) and playouts decide
    the move; `threads` (None means one for each core) does not affect it. Raises `SavannaError` for a number out of
    range, and when both budgets are given.
    """

    def __new__(
        cls,
        playouts: SupportsIndex | None = None,
        *,
        seconds: SupportsFloat | SupportsIndex | None = None,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = 1,
    ) -> Self: ...
    @property
    def playouts(self) -> int | None:
        """How many it makes for one move; None if it goes by time."""

    @property
    def seconds(self) -> float | None:
        """How long it thinks about one move; None if it does not go by time."""

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def threads(self) -> int:
        """On how many threads it works."""

    @property
    def name(self) -> str:
        """What tables of results call it: its kind and budget, without seed and threads."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move: the best of `analyse`.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def analyse(self, view: View) -> Analysis:
        """Return what it thinks of every move in a view of the seat to move. Raises what `choose` does."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., FlatMonteCarlo], tuple[Any, ...]]: ...

@final
class SoftGreedy:
    """Sequential halving on epsilon-greedy playouts with epsilon 3/8.

    The playouts follow the policy "soft-greedy": a random move with probability 3/8, else one with the greatest
    immediate gain. As many rounds as it takes to halve all moves down to one share the `playouts` (20,000 unless
    `seconds` is given instead), or the time, equally. A round spreads its part over the moves still in the race, as
    `FlatMonteCarlo` does over all moves; then the worse half, by win share + 0.01 * margin over all their playouts
    so far, leaves the race. `seed`, `threads` and errors are as for `FlatMonteCarlo`.
    """

    def __new__(
        cls,
        playouts: SupportsIndex | None = None,
        *,
        seconds: SupportsFloat | SupportsIndex | None = None,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = 1,
    ) -> Self: ...
    @property
    def playouts(self) -> int | None:
        """How many it makes for one move; None if it goes by time."""

    @property
    def seconds(self) -> float | None:
        """How long it thinks about one move; None if it does not go by time."""

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def threads(self) -> int:
        """On how many threads it works."""

    @property
    def name(self) -> str:
        """What tables of results call it: its kind and budget, without seed and threads."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move: the best of `analyse`.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def analyse(self, view: View) -> Analysis:
        """Return what it thinks of every move in a view of the seat to move. Raises what `choose` does."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., SoftGreedy], tuple[Any, ...]]: ...

@final
class Ismcts:
    """Information-set Monte Carlo tree search (ISMCTS) with random playouts, as published for one observer.

    Each of the `iterations` (10,000 unless `seconds` is given instead) draws a determinization, walks down the tree
    by upper confidence bounds that count how often a move was available, and ends in a uniformly random playout. For
    each 65,536 iterations there is a tree, at most 16; their visits are added up. The move that was tried most is
    the best. `seed`, `threads` and errors are as for `FlatMonteCarlo`; with `seconds`, each thread grows a tree.
    """

    def __new__(
        cls,
        iterations: SupportsIndex | None = None,
        *,
        seconds: SupportsFloat | SupportsIndex | None = None,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = 1,
    ) -> Self: ...
    @property
    def iterations(self) -> int | None:
        """How many it makes for one move; None if it goes by time."""

    @property
    def seconds(self) -> float | None:
        """How long it thinks about one move; None if it does not go by time."""

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def threads(self) -> int:
        """On how many threads it works."""

    @property
    def name(self) -> str:
        """What tables of results call it: its kind and budget, without seed and threads."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move: the best of `analyse`.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def analyse(self, view: View) -> Analysis:
        """Return what it thinks of every move in a view of the seat to move. Raises what `choose` does."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Ismcts], tuple[Any, ...]]: ...

@final
class Champion:
    """The strongest player here, in all games.

    In the printed games of two teams, it searches as `Ismcts` does, guided by a value function learnt by self-play:
    the values of the positions after each move are the priors of the search and replace playouts. In other games it
    chooses as `SoftGreedy` does (with four teams by playouts with epsilon 1/8), and iterations are playouts. It makes
    40,000 iterations unless `iterations` or `seconds` is given. In all games of two teams, with at most six empty
    spaces and at most 300 determinizations, it solves each of these instead, for any budget; an iteration is a move
    of one. `seed`, `threads` and errors are as for `FlatMonteCarlo`.
    """

    def __new__(
        cls,
        iterations: SupportsIndex | None = None,
        *,
        seconds: SupportsFloat | SupportsIndex | None = None,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = 1,
    ) -> Self: ...
    @property
    def iterations(self) -> int | None:
        """How many it makes for one move; None if it goes by time."""

    @property
    def seconds(self) -> float | None:
        """How long it thinks about one move; None if it does not go by time."""

    @property
    def seed(self) -> int:
        """The seed of its random numbers."""

    @property
    def threads(self) -> int:
        """On how many threads it works."""

    @property
    def name(self) -> str:
        """What tables of results call it: its kind and budget, without seed and threads."""

    def with_seed(self, seed: SupportsIndex | None) -> Self:
        """Return the same player with another seed; None asks the system for one."""

    def choose(self, view: View) -> Move:
        """Return the move that it makes in a view of the seat to move: the best of `analyse`.

        Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
        """

    def analyse(self, view: View) -> Analysis:
        """Return what it thinks of every move in a view of the seat to move. Raises what `choose` does."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Champion], tuple[Any, ...]]: ...

def analyse(
    view: View,
    iterations: SupportsIndex | None = None,
    *,
    seconds: SupportsFloat | SupportsIndex | None = None,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    progress: Callable[[int], object] | None = None,
) -> Analysis:
    """Return what the `Champion` thinks of every move in a view of the seat to move, best first.

    It searches for `iterations` (40,000 unless `seconds` is given instead) on `threads` threads (None means one per
    core). Under a budget of iterations, the view and the seed (0 to 2**64 - 1; None asks the system for one) decide the
    result; the number of threads does not. `progress`, if given, is called with the number of iterations so far a few
    times a second, and with all of them at the end; an exception that it raises stops the search. Raises
    `GameOverError` when the game is over, `SavannaError` if another seat is to move, for a number that is out of range,
    and for both budgets.
    """

def rollout(
    source: _Source,
    games: SupportsIndex = 1_000_000,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    first: SupportsIndex = 0,
    progress: Callable[[int], object] | None = None,
) -> Stats:
    """Play random games to the end and count how they come out.

    `source` is Rules (a fresh deal for every game), a Position (its true hidden tiles) or a View (the tiles that it
    hides are redrawn for every game). With the source, `seed` (0 to 2**64 - 1) decides every game; `threads`
    (1 to 1024, by default one for each core) and `backend` do not. None asks the system for a seed. `backend` is one of
    `backends()`; by default it is what the environment variable SAVANNA_BACKEND names, else the first of them.
    `progress`, if given, is called with the number of games so far a few times a second, and with all of them at the
    end; what it raises stops the games.

    `policy` says how moves are chosen. "uniform" plays a random legal move. "soft-greedy" plays a random move with
    probability 3/8, else one with the greatest immediate gain; "keen-greedy" does so with probability 1/8. (They are
    epsilon-greedy playouts.) Among equally good moves each is equally likely. The gain of a move is what the lines
    that it fills give its team, times the number of other teams, less what they give those teams. Probabilities are
    exact for "uniform", and correct to one part in 800 for the others.

    Games are numbered from `first` on, a multiple of `BATCH`. So the games of a long call can be played in parts, with
    the same seed, by as many machines as you like: adding up the parts gives the statistics of the whole, to the last
    bit. No number may reach 2**53.

    Raises `SavannaError` for a number that is out of range, an unknown backend or an unknown policy.
    """

def rollout_many(
    sources: Iterable[_Source],
    games: SupportsIndex = 1000,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    first: SupportsIndex = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Stats]:
    """Return what `rollout` returns for each of many sources, with `games` games from each.

    One call for many short rollouts costs less than many calls, and the threads share all of them. `seconds` is the
    time of the whole call. Takes and raises what `rollout` does.
    """

def rank_moves(
    source: Position | View,
    games: SupportsIndex = 10_000,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    first: SupportsIndex = 0,
    progress: Callable[[int], object] | None = None,
) -> list[RankedMove]:
    """Return the legal moves as `RankedMove(move, win_share, stderr, stats)`, best first, by `games` games after each.

    `source` is a Position, or a View of the seat to move; for a View, all that it hides is redrawn for every game, and
    so is the tile that the seat draws after the move. Moves are ranked by the win share of its team, then by how
    far its mean score exceeds the best other. All moves are played with the same random numbers, so that differences
    between them are known better than `stderr` says. Raises `GameOverError` when no move is left, `SavannaError` for
    another source, and what `rollout` raises.
    """

def moves_to_rank(source: Position | View) -> list[Move]:
    """Return the legal moves that `rank_moves` would rank, in ascending order of action, without playing a game.

    Raises what `rank_moves` raises for its source.
    """

def check_rollout(
    source: _Source,
    games: SupportsIndex = 1,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    first: SupportsIndex = 0,
) -> None:
    """Check the arguments of `rollout`, `rollout_many`, `rank_moves` or `playouts` without playing a game.

    Takes and raises what `rollout` does.
    """

def check_search(
    iterations: SupportsIndex | None = None,
    *,
    seconds: SupportsFloat | None = None,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
) -> int | None:
    """Check the budget, seed and threads of a player that searches, without making one.

    Returns how many iterations it would make for one move, None if it goes by time; 40,000 when neither is given, as of
    the `Champion`. Raises what that does.
    """

def check_batch(rules: Rules, recall: bool, reward: str, illegal: str, autoreset: str) -> Layout:
    """Check the options of a batch and return its layout, without dealing a game. Raises what `BatchEnv` does."""

def rank_stats(source: Position | View, stats: Iterable[Stats]) -> list[RankedMove]:
    """Return what `rank_moves` returns, from what the playouts after each legal move came to.

    `source` is what `rank_moves` took, and `stats` has one `Stats` for each legal move, in ascending order of action,
    which may be sums of several calls. Raises `SavannaError` for another number of them, or for other rules, and what
    `rank_moves` raises for its source.
    """

def playouts(
    source: _Source,
    games: SupportsIndex = 1000,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = None,
    backend: Backend | None = None,
    policy: Policy = "uniform",
    first: SupportsIndex = 0,
    progress: Callable[[int], object] | None = None,
    out: Playouts | None = None,
) -> Playouts:
    """Play the games of `rollout` with the same source, seed and policy, and write each of them out.

    `out`, if given, is an earlier result of the same shape: its arrays are written over instead of making new ones.
    Takes and raises what `rollout` does, and raises `SavannaError` for an `out` that does not fit or is in use,
    `MemoryError` if there is no room for the arrays.
    """

def solve(position: Position, *, objective: Objective = "win") -> Solution:
    """Return the exact value of a position near its end, and all best moves, when everybody knows all tiles.

    `objective` says what everybody plays for. "win": with two teams, to win (1), else to share (0); with more, each
    team for its own share of the win. "margin": with two teams, for the difference of the final scores; with more, each
    team for its own score less the mean of the others. With three or four teams, the team to move takes of moves that
    it likes equally the one with the smallest action id, which can matter to the others; the value is what comes of
    this.

    At most 14 spaces may be empty with two teams, 8 with more; that can take minutes, and Ctrl-C stops it. Raises
    `GameOverError` when the game is over, `SavannaError` for more empty spaces or an unknown objective.
    """

def backends() -> tuple[Backend, ...]:
    """Return the backends that this machine can run, best first."""
