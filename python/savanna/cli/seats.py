"""Who sits where: people and built-in players, by the texts that the command line and records name them with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import savanna as sv
from savanna.arguments import quoted
from savanna.names import checked_name

PERSON = "human"
USUAL_OPPONENT = "champion:0.5s"


@dataclass(frozen=True)
class Occupant:
    """A player in a seat, or a person if `player` is None. A person may go without a name."""

    name: str | None
    player: sv.players.Player | None

    @property
    def is_person(self) -> bool:
        """Whether somebody has to be asked."""
        return self.player is None


def parse_occupant(text: str) -> Occupant:
    """Return who is meant by "human", "human:Ann", or the text of a built-in player."""
    kind, colon, name = text.partition(":")
    if kind != PERSON:
        try:
            return Occupant(text, sv.players.parse(text))
        except sv.SavannaError as error:
            more = f", {PERSON}" if ", known are " in str(error) else ""
            raise sv.SavannaError(f"{error}{more}") from None
    if not colon:
        return Occupant(None, None)
    if occupant_from_record(checked_name(name)).player is not None or name == PERSON:
        raise sv.SavannaError(f"a person cannot be called {quoted(name)}, as that is a player")
    return Occupant(name, None)


def occupant_from_record(name: str) -> Occupant:
    """Return who had a seat in a game that was saved: a built-in player if it is called so, else a person."""
    try:
        return Occupant(name, sv.players.parse(re.sub(r" #[0-9]+$", "", name)))
    except sv.SavannaError:
        return Occupant(name, None)


def assign_seats(texts: Sequence[str], players: int | None, seat: int | None) -> list[Occupant]:
    """Return an occupant for each seat.

    With several people, or a person among players, the texts are all seats in turn. Else they are the others, one text
    standing for all of them, and the one person has `seat` (by default 0). Without a number of players, there are as
    many as the texts say.
    """
    given = [parse_occupant(text) for text in texts[:5]]
    alone = not any(it.is_person for it in given)
    if len(given) > 4 - alone:
        raise sv.SavannaError(f"there are at most 4 players, got {len(texts) + alone}")
    if alone or len(given) == 1:
        person = Occupant(None, None) if alone else given[0]
        return _around(person, given if given and alone else [parse_occupant(USUAL_OPPONENT)], players, seat)
    if seat is not None:
        raise sv.SavannaError(f"--seat is for one person against others; with {PERSON} among them, names are by seat")
    if players is not None and len(given) != players:
        raise sv.SavannaError(f"{players} players need {players} names, one for each seat, got {len(given)}")
    return given


def _around(person: Occupant, others: list[Occupant], players: int | None, seat: int | None) -> list[Occupant]:
    """Return the occupants of all seats: the person in one, the others in the rest."""
    number = len(others) + 1 if players is None else sv.Rules(players=players).players
    if len(others) not in (1, number - 1):
        raise sv.SavannaError(f"{number - 1} opponents are needed, or one name for all of them, got {len(others)}")
    own = 0 if seat is None else seat
    if not 0 <= own < number:
        raise sv.SavannaError(f"--seat must be 0 to {number - 1}, got {own}")
    rest = others * (number - 1) if len(others) == 1 else others
    return [*rest[:own], person, *rest[own:]]


def seat_names(occupants: Sequence[Occupant]) -> list[str]:
    """Return what the seats are called in a game: nobody without a name, and no name twice."""
    from savanna.render.facts import NAMES

    called: list[str] = []
    for seat, it in enumerate(occupants):
        name, number = it.name or NAMES[seat], 1
        while name in called:
            number += 1
            name = f"{it.name or NAMES[seat]} #{number}"
        called.append(name)
    return called
