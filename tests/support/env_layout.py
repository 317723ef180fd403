"""Observations written by hand, in plain Python, from what the reference engine says, and games to compare them on."""

from typing import Any

import savanna as sv
from savanna import reference as ref
from tests.support.both_engines import PRINTED_VARIANTS
from tests.support.strategies import ANIMALS

# As far from the printed game as observations go: their scores must stay below 256.
ODD_VARIANTS: list[dict[str, Any]] = [
    {"mice": True, "influence": {"lion": 0, "mouse": 15, "zebra": 7}, "target": 21, "points": (8, 0, 7)},
    {"players": 3, "mice": True, "absent_can_be_least": True, "last_seat_bonus": 90, "deck": {"monkey": 9}},
    {"players": 4, "mice": True, "team_game": True, "deck": {"mouse": 20, **dict.fromkeys(ANIMALS[:4], 0)}},
    {"players": 4, "deck": {"zebra": 2, "monkey": 3, "giraffe": 0, "elephant": 0}, "target": 0, "points": (0, 12, 0)},
    {"deck": {"elephant": 20, "zebra": 0, "monkey": 0, "giraffe": 0}, "influence": {"elephant": 0}, "target": 100},
]
RULES = [sv.Rules(**options) for options in PRINTED_VARIANTS + ODD_VARIANTS]

Table = list[list[int]]


class Record:
    """A game of the reference engine, with all positions and moves since its deal."""

    def __init__(self, start: sv.Position | ref.Position) -> None:
        self.positions = [ref.Position.parse(str(start))]
        self.moves: list[ref.Move] = []

    @property
    def now(self) -> ref.Position:
        return self.positions[-1]

    @property
    def turn(self) -> int:
        """The seat to move, or that would be next."""
        return len(self.moves) % self.now.rules.players

    def play(self, action: int) -> None:
        self.moves.append(ref.Move.from_action(action))
        self.positions.append(self.now.play(self.moves[-1]))

    def mask(self) -> list[int]:
        legal = {move.action for move in self.now.legal_moves()}
        return [int(action in legal) for action in range(200)]

    def tables(self, seat: int, recall: bool) -> dict[str, Table]:
        """Return the sections of an observation by name, as tables, by the words that describe them."""
        view, rules = self.now.view(seat), self.now.rules
        seats = [(seat + i) % rules.players for i in range(rules.players)]
        teams = [(rules.team_of(seat) + i) % rules.teams for i in range(rules.teams)]
        placed = view.board
        board = [placed.get(space) for space in ref.SPACES]

        def strength(team: int, line: tuple[str, ...]) -> int:
            tiles = [placed[space] for space in line if space in placed]
            tiles = [tile for tile in tiles if rules.team_of(tile.seat) == team]
            return sum(rules.influence["lion" if tile.face == "lion" else str(tile.animal)] for tile in tiles)

        start, turns = self.positions[0], len(self.moves[seat :: rules.players])
        order, drawn = {move.space: ply for ply, move in enumerate(self.moves, 1)}, start.decks[seat]
        tables = {
            "owner": [[int(tile is not None and tile.seat == other) for tile in board] for other in seats],
            "animal": [[int(tile is not None and tile.animal == animal) for tile in board] for animal in ANIMALS],
            "lion": [[int(tile is not None and tile.face == "lion") for tile in board]],
            "missing": [[sum(space not in placed for space in line) for line in ref.LINES]],
            "influence": [[strength(team, line) for line in ref.LINES] for team in teams],
            "order": [[order.get(space, 0) for space in ref.SPACES]],
            "hand": [[view.hand.count(animal) for animal in ANIMALS]],
            "hand_size": [[view.hand_sizes[other]] for other in seats],
            "deck_size": [[view.deck_sizes[other]] for other in seats],
            "unseen": [[view.unseen[other][animal] for animal in ANIMALS] for other in seats],
            "score": [[view.scores[team]] for team in teams],
            "lions": [[view.lions[team]] for team in teams],
            "to_move": [[int(view.to_move == other)] for other in seats],
            "first_hand": [[start.hands[seat].count(animal) for animal in ANIMALS]],
            "draws": [
                [int(turn < turns and drawn[turn] == animal) for animal in ANIMALS]
                for turn in range(min(-(-20 // rules.players), len(drawn)))
            ],
        }
        remembered = () if recall else ("order", "first_hand", "draws")
        return {name: table for name, table in tables.items() if name not in remembered}

    def numbers(self, seat: int, recall: bool) -> list[int]:
        """Return an observation."""
        return [number for table in self.tables(seat, recall).values() for row in table for number in row]


def greatest(rules: Any) -> dict[str, int]:
    """Return the greatest number that can stand in each section, by hand."""
    strongest, mice = max(rules.influence.values()), rules.deck["mouse"] * (rules.players // rules.teams)
    # All lines at the best rate, a point for each line that a Mouse lies on, of at most 20 Mice, and the bonus.
    score = 20 * max(rules.points) + 4 * min(mice, 20) + rules.last_seat_bonus
    return {
        **dict.fromkeys(("owner", "animal", "lion", "to_move", "draws"), 1),
        **dict.fromkeys(("hand", "hand_size", "first_hand"), 2),
        "deck_size": sum(rules.deck.values()) - 2,
        "unseen": max(rules.deck.values()),
        "score": score,
        "lions": 20,
        "missing": 4,
        "influence": 4 * strongest,
        "order": 20,
    }
