"""`savanna play`: people against players and each other."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import savanna as sv
from savanna.cli.app import app, examples
from savanna.cli.options import MICE, TEAM_GAME, from_file, rules_given, whole_number

if TYPE_CHECKING:
    from savanna.cli.seats import Occupant


@app.command(
    help="Play against the computer, or with others at one keyboard, who are asked to look away in turn.\n\n"
    "Enter moves such as 'zebra c4' or 'lion z c4'; 'hint' says what the strongest player would do, "
    "'help' lists the rest. A game that was loaded goes on being saved in its file. Input may come from a "
    "file or a pipe: then nobody is asked to look away, and the game is left where the input ends.",
    short_help="Play against the computer, or with others at one keyboard.",
    epilog=examples(
        "savanna play",
        "savanna play greedy --mice --save game.json",
        "savanna play human:Ann human:Bo",
        "savanna play human greedy human champion:1s --team-game",
        "savanna play --load game.json",
    ),
)
def play(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYERS]",
            help="Whom to play against: random, greedy, flat:2000, soft-greedy, ismcts, champion:0.5s and so on, as "
            "for 'savanna tournament'; one name stands for all others. Or all seats in turn, with a human (or "
            "human:NAME) among them.  [default: champion:0.5s]",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            parser=whole_number, metavar="N", help="Number of players, 2 to 4.  [default: as many as are named]"
        ),
    ] = None,
    mice: Annotated[bool, MICE] = False,
    team_game: Annotated[bool, TEAM_GAME] = False,
    rules: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Rules with any options, as str(Rules(...)) gives them: 2p,mice,target=11."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Your seat; seat 0 begins.  [default: 0]"),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="Seed of the deal.  [default: one by chance]"),
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Start from this position instead of a fresh deal.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the game to a new file, again after each move.")
    ] = None,
    load: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Go on with a saved game, with the same players unless others are named."),
    ] = None,
) -> None:
    """Do what `savanna play` does."""
    from savanna import files
    from savanna.cli.session import Session
    from savanna.cli.terminal import Terminal

    texts = names or []
    _no_clash({"--load": load, "--position": position, "--rules": rules}, players, mice, team_game, seed)
    known = None
    if load is not None:
        path = files.checked_path(load)
        known = files.content(path)
        with files.named(files.where(path)):
            record = sv.Game.from_json(known)
        game, occupants = _continued(record, texts, seat)
    else:
        game, occupants = _begun(_start(texts, players, mice, team_game, rules, seed, position), texts, seat)
    if sys.stdin is None:
        raise sv.SavannaError("standard input is closed")
    terminal = Terminal()
    if terminal.reads and not terminal.clears and sum(it.is_person for it in occupants) > 1:
        raise sv.SavannaError("several people need a terminal that can be cleared, as hands could not be hidden")
    session = Session(game, occupants, terminal, None if load is None else Path(load), known)
    if save is not None:
        session.save_as(Path(save))
    session.play()


def _no_clash(
    sources: dict[str, str | None], players: int | None, mice: bool, team_game: bool, seed: int | None
) -> None:
    """Check that nothing is said twice."""
    given = [option for option, text in sources.items() if text is not None]
    if len(given) > 1:
        raise sv.SavannaError(f"{given[0]} brings its own rules, leave out {given[1]}")
    clash = rules_given(players, mice, team_game)
    clash += ["--seed"] if seed is not None and given != ["--rules"] else []
    if given and clash:
        what = "rules" if given == ["--rules"] else "deal"
        raise sv.SavannaError(f"{given[0]} brings its own {what}, leave out {' and '.join(clash)}")


def _start(
    texts: list[str],
    players: int | None,
    mice: bool,
    team_game: bool,
    rules: str | None,
    seed: int | None,
    position: str | None,
) -> sv.Position:
    """Return what the game starts from."""
    from savanna.cli.seats import assign_seats

    if position is not None:
        return sv.Position.parse(from_file(position))
    if rules is not None:
        return sv.Position.deal(sv.Rules.parse(from_file(rules)), seed)
    if players is None:
        players = 4 if team_game and len(texts) < 2 else len(assign_seats(texts, None, None))
    return sv.Position.deal(sv.Rules(players=players, mice=mice, team_game=team_game), seed)


def _begun(start: sv.Position, texts: list[str], seat: int | None) -> "tuple[sv.Game, list[Occupant]]":
    """Return a new game, and who plays it."""
    from savanna.cli import seats
    from savanna.game import metadata

    seated = seats.assign_seats(texts, start.rules.players, seat)
    return sv.Game(start, seats.seat_names(seated), started=metadata.now()), seated


def _continued(game: sv.Game, texts: list[str], seat: int | None) -> "tuple[sv.Game, list[Occupant]]":
    """Return a game that was saved, and who plays it: those who did, or others."""
    from savanna.cli import seats

    if not texts and seat is None:
        seated = [seats.occupant_from_record(name) for name in game.names]
        if any(it.is_person for it in seated):
            return game, seated
        raise sv.SavannaError("no seat of this game is a person's; name the players, such as: human greedy")
    seated = seats.assign_seats(texts, game.rules.players, seat)
    return sv.Game.from_dict({**game.to_dict(), "names": seats.seat_names(seated)}), seated
