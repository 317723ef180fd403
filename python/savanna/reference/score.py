"""What a full line gives, and what the end of the game does."""

from collections import Counter
from collections.abc import Mapping

from savanna.records import LineScore, Placed
from savanna.reference.board import Line, Space
from savanna.reference.rules import Rules
from savanna.reference.tile import FRONT, LION


def is_full(line: Line, board: Mapping[Space, Placed]) -> bool:
    """Tell whether there is a tile on every space of the line."""
    return all(space in board for space in line)


def score_line(rules: Rules, line: Line, board: Mapping[Space, Placed], last: Space) -> LineScore:
    """Return the score of a full line, in which the tile on the space `last` was placed last."""
    influence_of = rules.influence
    present: dict[int, int] = {}  # the influence of each team that has a tile in the line
    mice: Counter[int] = Counter()
    for space in line:
        seat, animal, face = board[space]
        team = rules.team_of(seat)
        present[team] = present.get(team, 0) + influence_of[LION if face == LION else str(animal)]
        mice[team] += animal == "mouse" and face == FRONT

    total = sum(present.values())
    below, above, exact = rules.points
    if total < rules.target:
        most = max(present.values())
        scoring, points = [team for team in present if present[team] == most], below
    elif total > rules.target:
        absent = dict.fromkeys(range(rules.teams), 0) if rules.absent_can_be_least else {}
        rivals = {**absent, **present}
        least = min(rivals.values())
        scoring, points = [team for team in rivals if rivals[team] == least], above
    else:
        scoring, points = [rules.team_of(board[last].seat)], exact
    return LineScore(line, total, tuple(points + mice[t] if t in scoring else 0 for t in range(rules.teams)))


def last_seat_points(rules: Rules) -> tuple[int, ...]:
    """Return the points by team that the end of the game gives."""
    last_team = rules.team_of(rules.players - 1)
    return tuple(rules.last_seat_bonus if team == last_team else 0 for team in range(rules.teams))


def add(*points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sums by team."""
    return tuple(map(sum, zip(*points, strict=True)))
