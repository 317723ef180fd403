"""What seats are paid in one game, in plain Python; a `BatchEnv` pays the same.

"win" is the share of the win and "margin" by how much the score of a team exceeds the mean of the others', both at the
end; "margin-change" is, after every move, by how much the margin has changed.
"""

from savanna._core import Layout, Position


class Rewards:
    """The rewards of games with a layout's rules, always a list of floats with one for each seat."""

    def __init__(self, layout: Layout, reward: str) -> None:
        self._teams = [layout.rules.team_of(seat) for seat in range(layout.rules.players)]
        self._others = layout.rules.teams - 1
        self._most = float(next(section.high for section in layout.sections if section.name == "score"))
        self._reward = reward

    def after_move(self, before: Position, after: Position) -> list[float] | None:
        """Return what a legal move pays, None if nobody is paid: but for "margin-change", the last move alone pays."""
        if self._reward == "margin-change":
            return self._change(before, self._margins(after))
        if not after.is_over:
            return None
        return self._by_seat(self._margins(after) if self._reward == "margin" else self._shares(after.winners))

    def after_forfeit(self, before: Position, seat: int) -> list[float]:
        """Return what an illegal action of a seat pays, which ends the game.

        The others share the win; by margins, its team is as far behind as if they had all points that the rules give.
        """
        loser = self._teams[seat]
        if self._reward == "win":
            return self._by_seat(self._shares([team for team in range(self._others + 1) if team != loser]))
        margins = [-self._most if team == loser else self._most / self._others for team in range(self._others + 1)]
        return self._by_seat(margins) if self._reward == "margin" else self._change(before, margins)

    def _by_seat(self, by_team: list[float]) -> list[float]:
        return [by_team[team] for team in self._teams]

    def _shares(self, winners: tuple[int, ...] | list[int]) -> list[float]:
        return [1 / len(winners) if team in winners else 0.0 for team in range(self._others + 1)]

    def _margins(self, position: Position) -> list[float]:
        total = sum(position.scores)
        return [score - (total - score) / self._others for score in position.scores]

    def _change(self, before: Position, margins: list[float]) -> list[float]:
        return self._by_seat([new - old for new, old in zip(margins, self._margins(before), strict=True)])
