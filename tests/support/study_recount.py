"""What a study counts, counted once more: game by game, by `savanna.reference` and exact fractions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from savanna import reference as ref

Key = tuple[str, str, str]  # table, row, column
Sample = tuple[int, Fraction]  # of how many cases in a game, and their sum

PAYMENT = ("at once", "to others", "in the end")


def kind_of(line: Sequence[str]) -> str:
    columns, ranks = ({space[at] for space in line} for at in (0, 1))
    if len(ranks) == 1:
        return "row"
    if len(columns) == 1:
        return "column"
    return "main diagonal" if set(line) & {"a5", "e5"} and len(line) == 4 else "short diagonal"


class Recount:
    """The samples of some games: for every figure, by game, of how many cases it is the sum of what."""

    def __init__(self, rules: str) -> None:
        self.rules = ref.Rules.parse(rules)
        self.samples: dict[Key, list[Sample]] = {}
        self._game: dict[Key, Sample] = {}

    def add(self, decks: Sequence[Sequence[str]], moves: Iterable[str]) -> None:
        """Play a game and count it."""
        self._game = {}
        position = ref.Position.from_decks(self.rules, decks)
        placed: dict[str, tuple[int, str]] = {}  # space -> team, tile
        earned: dict[str, Fraction] = {}
        for text in moves:
            move = ref.Move.parse(text)
            seat = position.seat
            assert seat is not None
            team = self.rules.team_of(seat)
            tile = f"{move.animal} lion" if move.face == "lion" else str(move.animal)
            placed[move.space] = team, tile
            own = others = 0
            for line in position.lines_filled(move):
                self._line(line, placed, earned)
                own += line.points[team]
                others += sum(line.points) - line.points[team]
            for name, row in (("spaces", move.space), ("animals", tile)):
                self._count(name, row, "at once", own)
                self._count(name, row, "to others", others)
            for row in ("all", f"seat {seat}", move.animal, f"turn {position.ply // self.rules.players + 1}"):
                self._count("lions", row, "share", move.face == "lion")
            position = position.play(move)
        for space, (_, tile) in placed.items():
            for name, row in (("spaces", space), ("animals", tile)):
                self._count(name, row, "in the end", earned.get(space, Fraction(0)))
        self._standing(position)
        self._close()

    def _line(self, line: ref.LineScore, placed: dict[str, tuple[int, str]], earned: dict[str, Fraction]) -> None:
        for row in (kind_of(line.spaces), "all"):
            self._count("lines", row, "below", line.total < self.rules.target)
            self._count("lines", row, "exact", line.total == self.rules.target)
            self._count("lines", row, "above", line.total > self.rules.target)
            self._count("lines", row, "points", sum(line.points))
        for team, points in enumerate(line.points):
            tiles = [space for space in line.spaces if placed[space][0] == team]
            for space in tiles:
                earned[space] = earned.get(space, Fraction(0)) + Fraction(points, len(tiles))

    def _standing(self, end: ref.Position) -> None:
        for team, score in enumerate(end.scores):
            row = f"seat {team}"
            if self.rules.team_game:
                row = ("team 0 (seats 0, 2)", "team 1 (seats 1, 3)")[team]
            best = max(score for other, score in enumerate(end.scores) if other != team)
            self._count("teams", row, "win share", Fraction(team in end.winners, len(end.winners)))
            self._count("teams", row, "score", score)
            self._count("teams", row, "lead", score - best)
        second, first = sorted(end.scores)[-2:]
        self._count("lead", "first over second", "points", first - second)
        self._count("endings", "equal points", "share", first == second)
        self._count("endings", "settled by Lions", "share", first == second and len(end.winners) == 1)
        self._count("endings", "shared win", "share", len(end.winners) > 1)

    def _count(self, table: str, row: str, column: str, value: Fraction | int) -> None:
        n, y = self._game.get((table, row, column), (0, Fraction(0)))
        self._game[table, row, column] = n + 1, y + value

    def _close(self) -> None:
        """Give every figure its sample of this game; one that has not come up before had none in the games so far."""
        games = max(map(len, self.samples.values()), default=0)
        for key in self._game:
            self.samples.setdefault(key, [(0, Fraction(0))] * games)
        for key, samples in self.samples.items():
            samples.append(self._game.get(key, (0, Fraction(0))))
