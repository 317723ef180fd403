"""The options that several commands share, and how numbers are read."""

import math
import re
from collections.abc import Sequence

import typer

import savanna as sv
from savanna.arguments import quoted

_NOTATION = re.compile(r"seat=|[0-9]+p[ ,]")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")


def whole_number(value: str | int) -> int:
    """Read a whole number in plain decimal digits, with underscores between them if wanted (``1_000_000``).

    Typer passes an option's default, a number already, through the same door.
    """
    text = str(value)
    if not _WHOLE_NUMBER.fullmatch(text):
        raise typer.BadParameter(f"{text!r} is not a whole number")
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"a number of {len(text)} digits is too long") from None


def positive_number(value: str | float) -> float:
    """Read a positive number in plain decimal digits."""
    text = str(value)
    number = float(text) if _NUMBER.fullmatch(text) else 0.0
    if not 0 < number < math.inf:
        raise typer.BadParameter(f"{text!r} is not a positive number")
    return number


def is_notation(text: str) -> bool:
    """Tell whether a text begins as that of a position or a view does."""
    return _NOTATION.match(from_file(text)) is not None


def from_file(text: str) -> str:
    """Return an argument that a shell may have taken from a file, without that file's byte order mark and line end."""
    return text.removeprefix("\ufeff").removesuffix("\r")


def position_or_view(text: str) -> sv.Position | sv.View:
    """Read the text of a position, or of a view, which begins with its seat."""
    text = from_file(text)
    return sv.View.parse(text) if text.startswith("seat=") else sv.Position.parse(text)


def view_to_move(source: sv.Position | sv.View) -> sv.View:
    """Return a view as it is, and of a position what its seat to move sees; seat 0 when the game is over."""
    return source if isinstance(source, sv.View) else source.view(0 if source.seat is None else source.seat)


def rules_given(players: int | None, mice: bool, team_game: bool, rules: str | None = None) -> list[str]:
    """Return which of the options that choose rules were given, for sources with rules of their own."""
    given = {"--players": players is not None, "--mice": mice, "--team-game": team_game, "--rules": rules is not None}
    return [option for option, is_given in given.items() if is_given]


def _rules_of_text(text: str) -> sv.Rules:
    """Read the rules of ``--rules``, and say which of them are wrong."""
    try:
        return sv.Rules.parse(from_file(text))
    except sv.NotationError as error:
        raise sv.SavannaError(f"--rules {quoted(text)}: {error} (what is as printed is left out)") from None


def rules_asked_for(texts: Sequence[str], players: int | None, mice: bool, team_game: bool) -> list[sv.Rules]:
    """Return the rules of each ``--rules``, or else those of a printed game; both together are refused."""
    read = [_rules_of_text(text) for text in texts]
    if read and (clash := rules_given(players, mice, team_game)):
        raise sv.SavannaError(f"--rules says it all, leave out {' and '.join(clash)}")
    return read or [sv.Rules(players=2 if players is None else players, mice=mice, team_game=team_game)]


def rules_of_options(text: str | None, players: int | None, mice: bool, team_game: bool) -> sv.Rules:
    """Return the rules of ``--rules``, or else those of a printed game; both together are refused."""
    (rules,) = rules_asked_for([] if text is None else [text], players, mice, team_game)
    return rules


MICE = typer.Option("--mice", help="Play with the Mice variant.")
TEAM_GAME = typer.Option("--team-game", help="Play in two teams (4 players).")
RULES = typer.Option(metavar="TEXT", help="Rules as for 'savanna study', instead of the three above.")
SEATS = typer.Option(parser=whole_number, metavar="N", help="Number of seats, 2 to 4.  [default: 2]")
POLICY = typer.Option(
    metavar="NAME", help="How moves are chosen: uniform, soft-greedy or keen-greedy.  [default: uniform]"
)
PLAYER = typer.Option(
    metavar="NAME",
    help="A player instead, as for 'savanna tournament'; it has all seats. Give it again for several, who are seated "
    "in all orders.",
    show_default=False,
)
STUDIED_GAMES = typer.Option(
    parser=whole_number,
    metavar="N",
    help="Number of games, filled up to whole deals.  [default: 100,000, or 1,000 by players]",
)
SEED = typer.Option(parser=whole_number, metavar="N", help="Seed: the same seed gives the same numbers.")
THREADS = typer.Option(parser=whole_number, metavar="N", help="Number of threads.  [default: one for each core]")
JSON = typer.Option("--json", help="Print one JSON object instead of a table.")
