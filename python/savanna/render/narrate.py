"""What happens in a game, in words: moves, the lines that they fill, the result."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from savanna._core import Move, Position, Rules, View
from savanna.language import ENGLISH, Language, marked
from savanna.records import LineScore
from savanna.render.facts import line_name, names_of

ANIMALS = (marked("mouse"), marked("monkey"), marked("zebra"), marked("giraffe"), marked("elephant"))
FACES = (marked("lion"),)


def move_text(move: Move, language: Language = ENGLISH, *, knows: bool = True) -> str:
    """Return a move as it is seen by someone who does, or does not, know what lies under its Lion."""
    animal, space = language.say(move.animal), move.space
    if move.face == "front":
        return language.say("{animal} {space}", animal=animal, space=space)
    if knows:
        return language.say("{animal} lion {space}", animal=animal, space=space)
    return language.say("lion {space}", space=space)


def variant(rules: Rules, language: Language) -> list[str]:
    """Return what kind of game it is: how many play, with Mice or without, and whether in teams."""
    said = [language.say("{players} players", players=rules.players)]
    return said + [language.say("with Mice")] * rules.mice + [language.say("in teams")] * rules.team_game


class Narrator:
    """Tells of a game by these rules, whose players have these names."""

    def __init__(self, rules: Rules, names: Sequence[str], language: Language = ENGLISH) -> None:
        self.rules = rules
        self.language = language
        self._names = names

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """What each seat is called, in signs that can be shown, and not too many of them."""
        return names_of(self._names, self.rules.players, self.language)

    def team(self, team: int) -> str:
        """Return the names of all who play for a team."""
        return " & ".join(name for seat, name in enumerate(self.seats) if self.rules.team_of(seat) == team)

    def ply(self, seat: int, move: str, lines: Sequence[LineScore]) -> Iterator[str]:
        """Yield what happened on a ply: the move in words, and each line that it filled."""
        if lines:
            yield self.language.say("{name}: {move}", name=self.seats[seat], move=move)
        else:
            yield self.language.say("{name}: {move}, no line filled", name=self.seats[seat], move=move)
        for line in lines:
            yield f"    {self.line(line)}"

    def line(self, line: LineScore) -> str:
        """Return a line that a move fills: its name, its sum, and who scores how much."""
        say, target = self.language.say, self.rules.target
        if line.total == target:
            case = say("exactly {target}", target=target)
        else:
            case = say("below {target}", target=target) if line.total < target else say("above {target}", target=target)
        return say(
            "{line} = {total}, {case}: {gains}",
            line=line_name(line.spaces, self.language),
            total=line.total,
            case=case,
            gains=self._gains(line.points),
        )

    def sums(self, lines: Sequence[LineScore]) -> str:
        """Return how many lines a move fills, and what each team scores in all."""
        sums = [sum(line.points[team] for line in lines) for team in range(self.rules.teams)]
        return self.language.count(
            "{number} line: {gains}", "{number} lines: {gains}", len(lines), gains=self._gains(sums)
        )

    def _gains(self, points: Sequence[int]) -> str:
        scored = [f"{self.team(team)} +{gained}" for team, gained in enumerate(points) if gained]
        return self.language.listed(scored) or self.language.say("nobody scores")

    def result(self, end: Position | View) -> Iterator[str]:
        """Yield who has won, by what, and the final scores."""
        yield self.language.say("The game is over: {how}.", how=self._how(end))
        for team in range(self.rules.teams):
            yield f"    {self.score(team, end)}"

    def _how(self, end: Position | View) -> str:
        say, winners = self.language.say, [self.team(team) for team in end.winners]
        if len(winners) > 1:
            return say("{names} share the win", names=self.and_list(winners))
        (name,), team_game = winners, self.rules.team_game
        if end.scores.count(max(end.scores)) > 1:
            if team_game:
                return say("{names} win by having fewer Lions", names=name)
            return say("{name} wins by having fewer Lions", name=name)
        return say("{names} win", names=name) if team_game else say("{name} wins", name=name)

    def score(self, team: int, end: Position | View) -> str:
        """Return what a team has at the end: its points, and how many Lions."""
        said, rules = self.language, self.rules
        points = said.count("{number} point", "{number} points", end.scores[team])
        if rules.last_seat_bonus and team == rules.team_of(rules.players - 1):
            points = said.say("{points} (with {bonus} for the last seat)", points=points, bonus=rules.last_seat_bonus)
        lions = said.count("{number} Lion", "{number} Lions", end.lions[team])
        return said.say("{name}: {points}, {lions}", name=self.team(team), points=points, lions=lions)

    def and_list(self, words: Sequence[str]) -> str:
        """Return words as a sentence lists them."""
        if len(words) == 1:
            return words[0]
        return self.language.say("{words} and {last}", words=self.language.listed(words[:-1]), last=words[-1])
