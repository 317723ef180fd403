"""A game written for OpenSpiel in Python, played at random through OpenSpiel's calls."""

import random
from typing import Any

import numpy as np
import pyspiel

from rivals import Outcomes
from rivals.board import DECK, LINES, LINES_OF, LION

BATCH = 1

# A move is (face * 4 + kind of tile) * 20 + space; a draw is the influence of the tile.
FACES, SPACES = 2, 20
KINDS = sorted(set(DECK))

TYPE = pyspiel.GameType(
    short_name="python_savanna_race",
    long_name="Savanna Ten for two, in Python",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=len(KINDS) * FACES * SPACES,
    max_chance_outcomes=len(KINDS),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=20,
)


class SavannaGame(pyspiel.Game):
    """The game; the base class keeps its type and size."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> "SavannaState":
        """Return a state before the deal."""
        return SavannaState(self)


class SavannaState(pyspiel.State):
    """A position. Chance nodes draw the tiles, each when it is needed: both hands, then one after a ply."""

    def __init__(self, game: SavannaGame) -> None:
        super().__init__(game)
        self.empty = list(range(SPACES))
        self.decks = [dict.fromkeys(KINDS, 0) for _ in (0, 1)]
        for deck in self.decks:
            for tile in DECK:
                deck[tile] += 1
        self.left = [len(DECK), len(DECK)]
        self.hands: list[list[int]] = [[], []]
        self.lines = [[0, 0] for _ in LINES]
        self.filled = [0 for _ in LINES]
        self.scores = [0, 0]
        self.lions = [0, 0]
        self.exact = 0

    def drawing(self) -> int | None:
        """Return the seat that is to draw a tile."""
        for seat in 0, 1:
            if len(self.hands[seat]) < 2 and self.left[seat]:
                return seat
        return None

    def current_player(self) -> int:
        """Return the seat to move, or that chance is, or that the game is over."""
        if self.drawing() is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return len(self.empty) % 2 if self.empty else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the board is full."""
        return not self.empty

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the tiles that can be drawn, with their probabilities."""
        seat = self.drawing()
        assert seat is not None
        return [(tile, count / self.left[seat]) for tile, count in self.decks[seat].items() if count]

    def _legal_actions(self, player: int) -> list[int]:
        tiles = sorted(set(self.hands[player]))
        tiles += [tile + len(KINDS) for tile in tiles]
        empty = sorted(self.empty)
        return [(tile - KINDS[0]) * SPACES + space for tile in tiles for space in empty]

    def _apply_action(self, action: int) -> None:
        drawing = self.drawing()
        if drawing is not None:
            self.decks[drawing][action] -= 1
            self.left[drawing] -= 1
            self.hands[drawing].append(action)
            return
        seat = len(self.empty) % 2
        face, tile = divmod(action // SPACES, len(KINDS))
        space = action % SPACES
        self.hands[seat].remove(tile + KINDS[0])
        self.empty.remove(space)
        self.lions[seat] += face
        for line in LINES_OF[space]:
            self.lines[line][seat] += LION if face else tile + KINDS[0]
            self.filled[line] += 1
            if self.filled[line] == len(LINES[line]):
                self.score_line(self.lines[line], seat)

    def score_line(self, influence: list[int], placer: int) -> None:
        """Give the points of a line that has just been filled."""
        total = sum(influence)
        if total == 10:
            self.scores[placer] += 3
            self.exact += 1
            return
        present = [seat for seat in (0, 1) if influence[seat]]
        wanted = max(influence) if total < 10 else min(influence[seat] for seat in present)
        for seat in present:
            if influence[seat] == wanted:
                self.scores[seat] += 2 if total < 10 else 1

    def returns(self) -> list[float]:
        """Return who has won: a tie in points goes to the seat with fewer Lions."""
        if self.empty:
            return [0.0, 0.0]
        margin = (self.scores[0] - self.scores[1]) or (self.lions[1] - self.lions[0])
        value = float((margin > 0) - (margin < 0))
        return [value, -value]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"


pyspiel.register_game(TYPE, SavannaGame)


def play(games: int, seed: int) -> Outcomes:
    """Play games at random through legal_actions, chance_outcomes and apply_action."""
    rnd, game = random.Random(seed), pyspiel.load_game(TYPE.short_name)
    outcomes = []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                tiles, chances = zip(*state.chance_outcomes(), strict=True)
                action = rnd.choices(tiles, chances)[0]
            else:
                action = rnd.choice(state.legal_actions())
            state.apply_action(action)
        outcomes.append((*state.scores, *state.lions, state.exact))
    return np.array(outcomes, np.uint8).T
