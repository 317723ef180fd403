"""What happens in a game, in words: moves, the lines that they fill, the result."""

from collections.abc import Iterator, Sequence

import savanna as sv
from savanna.render.facts import line_name, names_of


def move_text(move: sv.Move, *, knows: bool) -> str:
    """Return a move as it is seen by someone who does, or does not, know what lies under its Lion."""
    return str(move) if knows or move.face == "front" else f"lion {move.space}"


def ply_lines(game: sv.Game, ply: int, *, knows: bool) -> Iterator[str]:
    """Yield what happened on a ply, 1 to `plies`: the move, and each line that it filled."""
    before, move = game.positions[ply - 1], game.moves[ply - 1]
    assert before.seat is not None
    lines = before.lines_filled(move)
    yield f"{seat_name(game, before.seat)}: {move_text(move, knows=knows)}{'' if lines else ', no line filled'}"
    for line in lines:
        yield f"    {score_text(game, line)}"


def score_text(game: sv.Game, line: sv.LineScore) -> str:
    """Return a line that a move fills: its name, its sum, and who scores how much."""
    target = game.rules.target
    case = "exactly" if line.total == target else "below" if line.total < target else "above"
    scored = [f"{team_name(game, team)} +{points}" for team, points in enumerate(line.points) if points]
    return f"{line_name(line.spaces)} = {line.total}, {case} {target}: {', '.join(scored) or 'nobody scores'}"


def sums_text(game: sv.Game, lines: Sequence[sv.LineScore]) -> str:
    """Return how many lines a move fills, and what each team scores in all."""
    sums = [sum(line.points[team] for line in lines) for team in range(game.rules.teams)]
    scored = [f"{team_name(game, team)} +{points}" for team, points in enumerate(sums) if points]
    return f"{len(lines)} {'line' if len(lines) == 1 else 'lines'}: {', '.join(scored) or 'nobody scores'}"


def result_lines(game: sv.Game) -> Iterator[str]:
    """Yield who has won, by what, and the final scores."""
    end, rules = game.positions[-1], game.rules
    winners = [team_name(game, team) for team in end.winners]
    level = [team for team, score in enumerate(end.scores) if score == max(end.scores)]
    if len(winners) > 1:
        how = f"{' and '.join(winners)} share the win"
    else:
        how = f"{winners[0]} {'win' if rules.team_game else 'wins'}"
        how += " by having fewer Lions" if len(level) > 1 else ""
    yield f"The game is over: {how}."
    for team, (score, lions) in enumerate(zip(end.scores, end.lions, strict=True)):
        bonus = rules.last_seat_bonus if team == rules.team_of(rules.players - 1) else 0
        extra = f" (with {bonus} for the last seat)" if bonus else ""
        yield f"    {team_name(game, team)}: {score} points{extra}, {lions} {'Lion' if lions == 1 else 'Lions'}"


def seat_name(game: sv.Game, seat: int) -> str:
    """Return what a seat is called, in signs that can be shown, and not too many of them."""
    return names_of(game.names, game.rules.players)[seat]


def team_name(game: sv.Game, team: int) -> str:
    """Return the names of all who play for a team."""
    seats = [seat for seat in range(game.rules.players) if game.rules.team_of(seat) == team]
    return " & ".join(seat_name(game, seat) for seat in seats)


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence lists them."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
