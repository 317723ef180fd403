"""Savanna Ten as a game of OpenSpiel: `pyspiel.load_game("savanna_ten(players=2,mice=False,team_game=False)")`.

Importing this module registers the game. Its actions are the ids of `Move`, its observations are those of `Layout`, and
a player of `savanna.players` can play in it: `player.choose(state.view(seat)).action`.

Chance comes first: each deck is dealt tile by tile in draw order, seat after seat, and an outcome is the index of an
animal. Every tile is dealt in this way, since every tile is drawn in every game, be it for a hand that is left over.
Then the seats decide 20 times, and nothing else is random. Nobody sees anything until all is dealt.

A player's return is (share * teams - 1) / (teams - 1), where a team that wins alone has a share of 1 and teams that win
together have equal shares: 1 for a win, -1 (two teams), -1/2 (three) or -1/3 (four) for a loss, 0 if all share. The sum
is always 0; players of one team have the same return.

The bot that searches is `open_spiel.python.algorithms.ismcts.ISMCTSBot`. `pyspiel.ISMCTSBot`, in C++, cannot play this
game, nor any other that is written in Python: OpenSpiel 2.0.2 does not pass `resample_from_infostate` on to Python, and
its `step` can end the process.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import compress
from typing import Any, Self

import numpy as np

from savanna._core import ACTIONS, ANIMALS, SPACES, Episode, Layout, Move, Position, Rules, View
from savanna.errors import SavannaError

try:
    import pyspiel
except ImportError as _error:
    raise ImportError("savanna.envs.openspiel needs OpenSpiel: pip install 'savanna-core[openspiel]'") from _error

__all__ = ["GAME_TYPE", "Observer", "SavannaGame", "SavannaState", "Table"]

_MOVES = [Move.from_action(action) for action in range(ACTIONS)]
_TEXTS = [str(move) for move in _MOVES]
# What a move looks like to the other seats.
_SEEN_TEXTS = [f"? lion {move.space}" if move.face == "lion" else str(move) for move in _MOVES]
_INDEX = {animal: index for index, animal in enumerate(ANIMALS)}
_LETTERS = "mzgeu"  # of the animals, as in the text of a position

_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_PARAMETERS = {"players": 2, "mice": False, "team_game": False, "rules": ""}

GAME_TYPE = pyspiel.GameType(
    short_name="savanna_ten",
    long_name="Savanna Ten",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_PARAMETERS,
)
"""What OpenSpiel knows of the game, for all parameters."""


def _rules(parameters: dict[str, Any]) -> Rules:
    """Return the rules of parameters."""
    text, printed = parameters["rules"], {name: parameters[name] for name in ("players", "mice", "team_game")}
    if not text:
        return Rules(**printed)
    if clash := [name for name, value in printed.items() if value != _PARAMETERS[name]]:
        raise SavannaError(f"rules says it all, leave out {' and '.join(clash)}")
    return Rules.parse(text.replace(";", ",").replace(":", "="))


@cache
def _deck(rules: Rules) -> tuple[int, ...]:
    """Return how many tiles of each animal a seat has."""
    return tuple(rules.deck.get(animal, 0) for animal in ANIMALS)


class Table:
    """The tiles that are dealt and the moves that are played, as an immutable value that copies of a state share.

    `rules` are the rules, `tiles` the animal indices dealt so far, seat after seat in draw order, `actions` the action
    ids played so far, and `episode` the game, None until all tiles are dealt.
    """

    __slots__ = ("_counts", "_legal", "actions", "episode", "player", "rules", "tiles")

    def __init__(self, rules: Rules, tiles: bytes = b"", actions: bytes = b"", episode: Episode | None = None) -> None:
        self.rules, self.tiles, self.actions, self.episode = rules, tiles, actions, episode
        self._counts = _deck(rules)
        if episode is None and len(tiles) == rules.players * self.deck_size:
            start = Position.from_decks(rules, [[ANIMALS[tile] for tile in deck] for deck in self.decks()])
            self.episode = Episode.replay(start, [_MOVES[action] for action in actions])
        seat = _CHANCE if self.episode is None else self.episode.position.seat
        self.player: int = _TERMINAL if seat is None else seat
        self._legal: list[int] | None = None

    @property
    def deck_size(self) -> int:
        """How many tiles each seat has."""
        return sum(self._counts)

    def decks(self) -> list[bytes]:
        """Return the tiles that each seat has been dealt, in draw order."""
        size = self.deck_size
        return [self.tiles[seat * size : (seat + 1) * size] for seat in range(self.rules.players)]

    def left(self) -> list[int]:
        """Return how many tiles of each animal are left in the deck that is being dealt."""
        begun = self.tiles[len(self.tiles) // self.deck_size * self.deck_size :]
        return [count - begun.count(animal) for animal, count in enumerate(self._counts)]

    def dealt(self, animal: int) -> Self:
        """Return the table with one more tile. Raises `SavannaError` if there is none of this animal in the deck."""
        left = self.left()
        if not (0 <= animal < len(left) and left[animal]):
            seat, place = divmod(len(self.tiles), self.deck_size)
            raise SavannaError(f"tile {place} of seat {seat}: no animal with the index {animal} is left in its deck")
        return type(self)(self.rules, self.tiles + bytes([animal]))

    def played(self, action: int) -> Self:
        """Return the table after one more move. Raises `SavannaError` if it is not legal."""
        if self.episode is None:
            raise SavannaError("no move can be played before all tiles are dealt")
        episode = self.episode.play(Move.from_action(action))
        return type(self)(self.rules, self.tiles, self.actions + bytes([action]), episode)

    def legal(self) -> list[int]:
        """Return the legal action ids of the seat to move, in ascending order."""
        if self._legal is None:
            mask = self.episode.position.legal_mask() if self.episode else b""
            self._legal = list(compress(range(ACTIONS), mask))
        return self._legal

    def redrawn(self, seat: int, random: Callable[[], float]) -> tuple[bytes, bytes]:
        """Return tiles and actions that look the same to a seat, all deals of what is hidden now equally likely.

        The seat's own tiles came as they did. What the others drew before now is the simplest that lets them play what
        they did: the tiles in the order in which they were placed, then those of the hand. `random` gives numbers from
        0 on, below 1.
        """
        if self.episode is None:
            return self._redealt(random), b""
        world = self.episode.view(seat).sample(int(random() * 2**53))
        board, players = world.board, self.rules.players
        piles: list[list[str]] = [[] for _ in range(players)]
        actions = bytearray()
        own = self.decks()[seat]
        for ply, action in enumerate(self.actions):
            animal = board[SPACES[action % 20]].animal
            assert animal is not None, "a position knows every tile"
            piles[ply % players].append(animal)
            actions.append(_INDEX[animal] * 40 + action % 40)
        tiles = bytearray()
        for other, (pile, hand, deck) in enumerate(zip(piles, world.hands, world.decks, strict=True)):
            drawn = bytes(_INDEX[animal] for animal in (*pile, *hand))
            tiles += own[: len(drawn)] if other == seat else drawn
            tiles += bytes(_INDEX[animal] for animal in deck)
        return bytes(tiles), bytes(actions)

    def _redealt(self, random: Callable[[], float]) -> bytes:
        """Return as many tiles as are dealt so far, dealt anew."""
        table = type(self)(self.rules)
        while len(table.tiles) < len(self.tiles):
            left = table.left()
            rest = [animal for animal, count in enumerate(left) for _ in range(count)]
            table = table.dealt(rest[int(random() * len(rest))])
        return table.tiles

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rules, self.tiles, self.actions)

    def __str__(self) -> str:
        decks = "/".join("".join(_LETTERS[tile] for tile in deck) or "-" for deck in self.decks())
        if self.episode is None:
            return f"{self.rules} dealing {decks}"
        moves = ", ".join(_TEXTS[action] for action in self.actions) or "-"
        return f"{self.episode.position}\ndealt {decks}\nplayed {moves}"


class SavannaGame(pyspiel.Game):
    """The game for OpenSpiel, made by `pyspiel.load_game`. `rules` are its rules.

    The parameter `rules` is their text instead of the three others, with ";" for "," and ":" for "=", since OpenSpiel
    reads these itself: "savanna_ten(rules=3p;mice;target:12)". Raises `RulesError` or `NotationError` for parameters
    that the rules do not allow.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = {**_PARAMETERS, **(params or {})}
        rules = _rules(parameters)
        animals = [animal for animal in ANIMALS if rules.deck.get(animal, 0)]
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=len(animals),
            num_players=rules.players,
            min_utility=_utility(0.0, rules.teams),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=len(SPACES),
        )
        super().__init__(GAME_TYPE, info, {name: it for name, it in parameters.items() if it != ""})
        self.rules = rules
        self._start = Table(rules)

    def new_initial_state(self) -> "SavannaState":
        """Return a state before the first tile is dealt."""
        return SavannaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many tiles are dealt."""
        return self.rules.players * self._start.deck_size

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "Observer":
        """Return an observer; see there."""
        return Observer(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SavannaState(pyspiel.State):
    """A moment of the game for OpenSpiel. `table` holds the full truth; agents must be given `view` or observations."""

    def __init__(self, game: SavannaGame) -> None:
        super().__init__(game)
        # The only attribute: OpenSpiel copies all of them with every clone.
        self.table = game._start

    def view(self, player: int) -> View:
        """Return what a seat knows now. Raises `SavannaError` before all tiles are dealt."""
        if self.table.episode is None:
            raise SavannaError("nobody has a view before all tiles are dealt")
        return self.table.episode.view(player)

    def current_player(self) -> int:
        """Return the seat to move, or the ids of OpenSpiel for chance and the end."""
        return self.table.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the animals that the next tile can be, by index, with their probabilities."""
        left = self.table.left()
        total = sum(left)
        return [(animal, count / total) for animal, count in enumerate(left) if count]

    def _apply_action(self, action: int) -> None:
        table = self.table
        self.table = table.dealt(action) if table.player == _CHANCE else table.played(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return ANIMALS[action] if player == _CHANCE else str(Move.from_action(action))

    def is_terminal(self) -> bool:
        """Return whether all spaces are filled."""
        return self.table.player == _TERMINAL

    def returns(self) -> list[float]:
        """Return what each player has won in the end; nobody has anything before."""
        rules = self.table.rules
        winners = self.table.episode.position.winners if self.table.episode else ()
        if not winners:
            return [0.0] * rules.players
        teams = map(rules.team_of, range(rules.players))
        return [_utility(1 / len(winners) if team in winners else 0.0, rules.teams) for team in teams]

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "SavannaState":
        """Return a state in which the player has the same information, by its history as well as now.

        All deals that are consistent with what the player knows now are equally likely; see `Table.redrawn` for what
        the others drew before. All chance comes from `probability_sampler`, which returns numbers from 0 on,
        below 1.
        """
        tiles, actions = self.table.redrawn(player, probability_sampler)
        state: SavannaState = self.get_game().new_initial_state()
        for action in (*tiles, *actions):
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        return str(self.table)


class Observer:
    """What a player sees, as OpenSpiel wants to have it: `tensor` (float32), parts of it by name in `dict`, and text.

    The numbers are those of `Layout`, with `recall` if perfect recall is asked for; the text is that of the view, or
    the story of all that the player has ever seen. If only public information is asked for, it is what all players see:
    the public view, its numbers seated as by seat 0. If only private, it is the rest: the own hand, the animals under
    the own Lions, the own draws, and the tiles that are unseen. Before all tiles are dealt all numbers are 0.

    Raises `SavannaError` if the private information of all players is asked for, or for parameters, as there are none.
    """

    _PRIVATE = frozenset({"animal", "hand", "unseen", "first_hand", "draws"})

    def __init__(self, rules: Rules, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise SavannaError(f"an observer of savanna_ten has no parameters, got {params}")
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise SavannaError("an observer of savanna_ten sees for one player, not the private_info of ALL_PLAYERS")
        self._public = bool(iig_obs_type.public_info)
        self._private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(iig_obs_type.perfect_recall)
        self._rules, self._layout = rules, Layout(rules, recall=self._recall)
        self._at = {part.name: slice(part.start, part.start + np.prod(part.shape)) for part in self._layout.sections}
        parts = [part for part in self._layout.sections if self._shows(part.name)]
        chosen = [np.arange(self._layout.size)[self._at[part.name]] for part in parts]
        self._chosen = np.concatenate(chosen) if chosen else np.empty(0, np.intp)
        self.tensor = np.zeros(len(self._chosen), np.float32)
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        start = 0
        for part, places in zip(parts, chosen, strict=True):
            self.dict[part.name] = self.tensor[start : start + len(places)].reshape(part.shape)
            start += len(places)

    def _shows(self, section: str) -> bool:
        """Tell whether a section is asked for. The animals are public, but for those under Lions."""
        return (self._private and section in self._PRIVATE) or (
            self._public and (section == "animal" or section not in self._PRIVATE)
        )

    def set_from(self, state: SavannaState, player: int) -> None:
        """Write what a player sees in a state to `tensor`, and so to `dict`."""
        episode = state.table.episode
        if episode is None:
            self.tensor.fill(0)
        elif self._public and self._private:
            self.tensor[:] = episode.observe(self._layout, player)
        else:
            seen = episode.observe(self._layout, player if self._private else 0)
            lion, mine = seen[self._at["lion"]], seen[self._at["owner"]][: len(SPACES)]
            seen[self._at["animal"]].reshape(-1, len(SPACES))[:] *= lion * mine if self._private else 1 - lion
            self.tensor[:] = seen[self._chosen]

    def string_from(self, state: SavannaState, player: int) -> str:
        """Return what a player sees in a state as text."""
        table = state.table
        if not (self._public or self._private):
            return ""
        if table.episode is None:
            return f"{self._rules} dealing"
        if self._recall:
            story = ", ".join(self._story(table, player))
            return f"seat={player} {self._rules} {story}" if self._private else f"{self._rules} {story or '-'}"
        if not self._private:
            return str(table.episode.position.public())
        view = table.episode.view(player)
        return str(view) if self._public else _private_text(view)

    def _story(self, table: Table, player: int) -> Iterable[str]:
        """Yield what happened, in order: the first hand, then what was placed, and what the player drew."""
        mine, players = table.decks()[player], self._rules.players
        if self._private:
            yield "".join(_LETTERS[tile] for tile in sorted(mine[:2]))
        for ply, action in enumerate(table.actions):
            turn, mover = divmod(ply, players)
            own = self._private and mover == player
            text = (_TEXTS if own else _SEEN_TEXTS)[action]
            drawn = _LETTERS[mine[turn + 2]] if own and turn + 2 < len(mine) else ""
            if self._public:
                yield f"{mover}: {text} {drawn}" if drawn else f"{mover}: {text}"
            elif own:
                yield f"{text} {drawn}" if drawn else text


def _utility(share: float, teams: int) -> float:
    """Return what a player wins whose team has this share of the win."""
    return (share * teams - 1) / (teams - 1)


def _private_text(view: View) -> str:
    """Return what only this seat sees: its hand and the animals under its Lions."""
    own = [(space, tile.animal) for space, tile in view.board.items() if tile.seat == view.seat and tile.face == "lion"]
    lions = ",".join(f"{space}:{animal}" for space, animal in own) or "-"
    return f"seat={view.seat} hand={','.join(view.hand) or '-'} lions={lions}"


pyspiel.register_game(GAME_TYPE, SavannaGame)
