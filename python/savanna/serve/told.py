"""What somebody who looks at a room is told of it. This is the only way from a `Table` to the wire.

Of two rooms that differ only in what a perspective cannot know, it is told the same, to the last byte.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from savanna._core import Position, Rules, View
from savanna.language import Language, marked
from savanna.render.facts import NAMES
from savanna.render.narrate import Narrator, move_text
from savanna.serve import event as kinds
from savanna.serve.perspective import Perspective
from savanna.serve.table import BOT, OVER, PERSON, PLAYING, STRENGTHS, Table


@dataclass(frozen=True, slots=True)
class SeatTold:
    """What everybody is told of a seat; `is_mine` only its owner."""

    seat: int
    name: str
    kind: str
    strength: str
    has_resigned: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A tile with a face up that the reader may place: `value` is its text in a form, `influence` what it is worth."""

    value: str
    animal: str
    face: str
    influence: int


@dataclass(frozen=True, slots=True)
class Told:
    """All that a page, a frame or a record may say to a perspective.

    `source` is the view of a seat, the public view, or the position itself once the game is over; `last` the space of
    the last move. `choices` and `spaces` are for the seat to move alone. `log` is the whole story, the newest last:
    of each event a sentence, and of a move the lines that it filled.
    """

    number: int
    status: str
    rules: Rules
    source: Position | View
    ply: int
    plies: int
    last: str | None
    seats: tuple[SeatTold, ...]
    my_seat: int | None
    is_my_turn: bool
    choices: tuple[Choice, ...]
    spaces: tuple[str, ...]
    log: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names by seat, none of them twice."""
        return [it.name for it in self.seats]


def told(table: Table, perspective: Perspective, language: Language, ply: int | None = None) -> Told:
    """Return what a perspective is told, now or, of a game that is over, after a number of plies."""
    at = table.ply if ply is None or table.status != OVER else max(0, min(ply, table.ply))
    source = seen(table.positions[at], perspective)
    seats = tuple(seats_told(table, perspective, language))
    mine = perspective.seat if table.status == PLAYING and perspective.seat == table.turn else None
    is_my_turn = mine is not None and not table.chairs[mine].has_resigned
    narrator = Narrator(table.rules, [it.name for it in seats], language)
    return Told(
        number=table.number,
        status=table.status,
        rules=table.rules,
        source=source,
        ply=at,
        plies=table.ply,
        last=table.moves[at - 1].space if at else None,
        seats=seats,
        my_seat=perspective.seat,
        is_my_turn=is_my_turn,
        choices=choices(source) if is_my_turn and isinstance(source, View) else (),
        spaces=spaces(source) if is_my_turn else (),
        log=tuple(log(table, perspective, narrator, at if ply is not None else None)),
        result=tuple(result(table, narrator)) if table.status == OVER and at == table.ply else (),
    )


def seen(position: Position, perspective: Perspective) -> Position | View:
    """Return a position as it is seen."""
    if perspective.sees_all:
        return position
    return position.public() if perspective.seat is None else position.view(perspective.seat)


def seats_told(table: Table, perspective: Perspective, language: Language) -> Iterator[SeatTold]:
    """Yield what is told of each seat. A name that comes again has a number behind it."""
    taken: list[str] = []
    for seat, chair in enumerate(table.chairs):
        if chair.kind == PERSON:
            name = chair.name
        elif chair.kind == BOT:
            name = language.say("{strength} bot", strength=language.say(STRENGTHS[chair.strength][1]))
        else:
            name = language.say(NAMES[seat])
        called, count = name, 1
        while called in taken:
            count += 1
            called = f"{name} #{count}"
        taken.append(called)
        yield SeatTold(seat, called, chair.kind, chair.strength, chair.has_resigned, seat == perspective.seat)


def choices(view: View) -> tuple[Choice, ...]:
    """Return the tiles of the hand with either face up, equal ones once."""
    influence = view.rules.influence
    found: dict[tuple[str, str], Choice] = {}
    for move in view.legal_moves():
        key = (move.animal, move.face)
        worth = influence["lion" if move.face == "lion" else move.animal]
        tile = str(move).removesuffix(f" {move.space}")
        found.setdefault(key, Choice(tile, move.animal, move.face, worth))
    return tuple(found.values())


def spaces(source: Position | View) -> tuple[str, ...]:
    """Return the empty spaces."""
    return tuple(dict.fromkeys(move.space for move in source.legal_moves()))


def log(table: Table, perspective: Perspective, narrator: Narrator, plies: int | None) -> Iterator[tuple[str, ...]]:
    """Yield what has happened, event by event in sentences; with `plies`, only what was played until then."""
    ply = 0
    for event in table.events:
        if event.kind == kinds.MOVED:
            if ply == plies:
                return
            yield tuple(line.strip() for line in told_move(table, perspective, narrator, ply))
            ply += 1
        elif plies is None and event.kind in _SENTENCES:
            name = "" if event.seat is None else narrator.seats[event.seat]
            yield (narrator.language.say(_SENTENCES[event.kind], name=event.data.get("name", name)),)


_SENTENCES = {
    kinds.SAT: marked("{name} sat down."),
    kinds.STARTED: marked("The game began."),
    kinds.RESIGNED: marked("{name} resigned."),
}


def told_move(table: Table, perspective: Perspective, narrator: Narrator, ply: int) -> Iterator[str]:
    """Yield a move as it is seen, and the lines that it filled."""
    before, after, move = table.positions[ply], table.positions[ply + 1], table.moves[ply]
    tile = seen(after, perspective).board[move.space]
    words = move_text(move, narrator.language, knows=tile.animal is not None)
    assert before.seat is not None
    yield from narrator.ply(before.seat, words, before.lines_filled(move))


def result(table: Table, narrator: Narrator) -> Sequence[str]:
    """Return how the game ended."""
    say = narrator.language.say
    if table.position.is_over:
        return tuple(narrator.result(table.position))
    names = narrator.language.listed(narrator.team(team) for team in table.winners)
    return (say("The game is over: {names} win, as the others have resigned.", names=names),)
