"""What a full line gives, and what the end of the game does."""

import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from savanna.records import LineScore, LineState, Placed
from savanna.reference.board import LINES, Line, Space
from savanna.reference.rules import Rules
from savanna.reference.tile import FRONT, LION

Points: TypeAlias = tuple[int, ...]
"""Points by team."""


def is_full(line: Line, board: Mapping[Space, Placed]) -> bool:
    """Tell whether there is a tile on every space of the line."""
    return all(space in board for space in line)


def score_line(rules: Rules, line: Line, board: Mapping[Space, Placed], last: Space) -> LineScore:
    """Return the score of a full line, in which the tile on the space `last` was placed last."""
    present: dict[int, int] = {}  # the influence of each team that has a tile in the line
    mice: Counter[int] = Counter()
    for space in line:
        tile = board[space]
        team = rules.team_of(tile.seat)
        present[team] = present.get(team, 0) + influence_of(rules, tile)
        mice[team] += tile.animal == "mouse" and tile.face == FRONT

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


def points_by_filler(rules: Rules, line: Line, board: Mapping[Space, Placed]) -> dict[int, Points]:
    """Return what a full line has given if this or that team filled it, for all with a tile in it."""
    return {rules.team_of(board[last].seat): score_line(rules, line, board, last).points for last in line}


def sums(choices: Iterable[Iterable[Points]], most: Points) -> set[Points]:
    """Return all sums of one item of each choice that exceed `most` for no team."""
    reached = {(0,) * len(most)}
    for choice in choices:
        longer = {add(scores, points) for scores in reached for points in set(choice)}
        reached = {scores for scores in longer if all(map(operator.le, scores, most))}
    return reached


def line_states(rules: Rules, board: Mapping[Space, Placed], from_lines: Points) -> tuple[LineState, ...]:
    """Return the lines as they stand when all that are full have given these points together."""
    full = {line: points_by_filler(rules, line, board) for line in LINES if is_full(line, board)}

    def may_have_filled(team: int, line: Line) -> bool:
        others = [points.values() for other, points in full.items() if other != line]
        return from_lines in sums([[full[line][team]], *others], from_lines)

    def state(line: Line) -> LineState:
        tiles = [tile for space in line if (tile := board.get(space))]
        placed, influence = [0] * rules.teams, [0] * rules.teams
        for tile in tiles:
            placed[rules.team_of(tile.seat)] += 1
            influence[rules.team_of(tile.seat)] += influence_of(rules, tile)
        total, empty = sum(influence), len(line) - len(tiles)
        points, scorer, unclaimed = None, None, 0
        if line in full and total == rules.target:
            fillers = [team for team in full[line] if may_have_filled(team, line)]
            scorer = fillers[0] if len(fillers) == 1 else None
            points = (0,) * rules.teams if scorer is None else full[line][scorer]
            unclaimed = rules.points[2] if scorer is None else 0
        elif line in full:
            points = next(iter(full[line].values()))  # the same for every team that may have filled it
            scoring = [team for team in range(rules.teams) if points[team]]
            scorer = scoring[0] if len(scoring) == 1 else None
        return LineState(line, tuple(placed), tuple(influence), total, empty, points, scorer, unclaimed)

    return tuple(map(state, LINES))


def influence_of(rules: Rules, tile: Placed) -> int:
    """Return the influence of a tile as it lies."""
    return rules.influence[LION if tile.face == LION else str(tile.animal)]


def last_seat_points(rules: Rules) -> Points:
    """Return the points by team that the end of the game gives."""
    last_team = rules.team_of(rules.players - 1)
    return tuple(rules.last_seat_bonus if team == last_team else 0 for team in range(rules.teams))


def add(*points: Points) -> Points:
    """Return the sums by team."""
    return tuple(map(sum, zip(*points, strict=True)))
