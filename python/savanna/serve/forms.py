"""What people send: a form, or the same fields as JSON, read field by field."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from savanna import jsontext
from savanna._core import Rules
from savanna.characters import without_dangers
from savanna.errors import SavannaError
from savanna.language import marked
from savanna.names import is_name
from savanna.serve.refusal import Refusal
from savanna.serve.table import Chair

LONGEST_NAME = 40
"""How many characters a name has here; more would push other things off a page."""

Fields = Mapping[str, str]


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form, or of an object of JSON whose values are texts, numbers and truth values."""
    body = await request.body()
    if wants_json(request):
        return _json_fields(body)
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=60, errors="strict")
    except ValueError:
        raise Refusal(422, marked("This is not a form in UTF-8.")) from None
    return dict(pairs)


def wants_json(request: Request) -> bool:
    """Tell whether a request is made by a program, which is answered by JSON."""
    kind = request.headers.get("content-type", "") if request.method == "POST" else request.headers.get("accept", "")
    return kind.split(";")[0].strip().lower() == "application/json"


def _json_fields(body: bytes) -> dict[str, str]:
    try:
        content: Any = jsontext.parsed(body, "object")
    except SavannaError:
        raise Refusal(422, marked("This is not JSON.")) from None
    if not isinstance(content, dict) or not all(isinstance(it, str | int | None) for it in content.values()):
        raise Refusal(422, marked("This must be an object whose values are texts, numbers and truth values."))
    return {name: _text(it) for name, it in content.items()}


def _text(value: object) -> str:
    """Return a value of JSON as it would stand in a form."""
    if value is None or value is False:
        return ""
    return "on" if value is True else str(value)


def name_in(fields: Fields, usual: str = "") -> str:
    """Return a name that somebody wants to have here."""
    name = without_dangers(fields.get("name", "")[: 4 * LONGEST_NAME]) or usual
    if not name:
        raise Refusal(422, marked("Enter a name."))
    if len(name) > LONGEST_NAME or not is_name(name):
        raise Refusal(422, marked("A name has 1 to {most} characters that can be seen."), most=LONGEST_NAME)
    return name


def number_in(fields: Fields, key: str, low: int, high: int, usual: int | None = None) -> int:
    """Return a whole number, or what is usual where there is none."""
    given = fields.get(key, "").strip()
    if not given and usual is not None:
        return usual
    return whole_number(key, given, low, high)


def whole_number(field: str, given: str, low: int, high: int) -> int:
    """Return the number that a field holds in plain digits."""
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and low <= int(given) <= high):
        raise Refusal(422, marked("{field} must be a number, {low} to {high}."), field=field, low=low, high=high)
    return int(given)


def rules_in(fields: Fields) -> Rules:
    """Return the rules that a form describes; an option that is left empty is as printed."""
    players = number_in(fields, "players", 2, 4, 2)
    mice, team_game = bool(fields.get("mice")), bool(fields.get("team_game"))
    try:
        usual = Rules(players=players, mice=mice, team_game=team_game)
        points = zip(("below", "above", "exact"), usual.points, strict=True)
        return usual.replace(
            target=number_in(fields, "target", 1, 99, usual.target),
            points=tuple(number_in(fields, f"points_{name}", 0, 99, it) for name, it in points),
            last_seat_bonus=number_in(fields, "bonus", 0, 99, usual.last_seat_bonus),
            absent_can_be_least=bool(fields.get("absent")),
            deck={it: number_in(fields, f"deck_{it}", 0, 99, count) for it, count in usual.deck.items()},
            influence={it: number_in(fields, f"influence_{it}", 0, 99, worth) for it, worth in usual.influence.items()},
        )
    except SavannaError as error:
        raise Refusal(422, marked("These rules cannot be played: {reason}"), reason=str(error)) from None


def chairs_in(fields: Fields, players: int) -> list[Chair]:
    """Return who is to have the seats: an empty field is an open one, any other the strength of a bot."""
    return [Chair.for_bot(fields.get(f"seat_{seat}", "")) for seat in range(players)]


def move_in(fields: Fields) -> str:
    """Return the text of a move: that of a tile with its face, and a space."""
    if "move" in fields:
        return fields["move"][:40]
    return f"{fields.get('tile', '')[:30]} {fields.get('space', '')[:10]}"
