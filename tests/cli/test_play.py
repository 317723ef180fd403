"""The command `savanna play` for one person: whole games at a keyboard and from a pipe, what is told, what is kept."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import savanna as sv
from savanna import reference as ref
from savanna.cli.parse_move import read_move
from tests.rules.test_hidden import truths, twin
from tests.support.command import START
from tests.support.keyboard import CLEAR, FIRST_SCREEN, HOW, OTHER_SCREEN, keyboard, piped

pytestmark = pytest.mark.thin(4)

MINE = "Red, play "


def game_against(player: sv.players.Player, rules: sv.Rules, deal: int, seed: int, seat: int = 0) -> list[sv.Position]:
    """Return the positions of a game between a player and someone in a seat who draws moves by chance."""
    rng, positions = random.Random(seed), [sv.Position.deal(rules, deal)]
    while not positions[-1].is_over:
        position = positions[-1]
        assert position.seat is not None
        mine = position.seat == seat
        move = rng.choice(position.legal_moves()) if mine else player.choose(position.view(position.seat))
        positions.append(position.play(move))
    return positions


def moves_of(positions: list[sv.Position], seat: int) -> list[str]:
    """Return the moves of a seat, as far as boards tell them."""
    return [text for text, mover in all_moves(positions) if mover == seat]


def all_moves(positions: list[sv.Position]) -> Iterator[tuple[str, int]]:
    """Yield all moves and who made them, by what is new on each board."""
    for before, after in pairwise(positions):
        (space,) = set(after.board) - set(before.board)
        tile = after.board[space]
        assert before.seat is not None
        yield str(sv.Move(str(tile.animal), tile.face, space)), before.seat


def points_told(text: str, names: list[str]) -> list[int]:
    """Return how many points each name was said to have got from lines."""
    told = re.findall(r"^    \S+(?: \S)? = \d+, (?:below|above|exactly) \d+: (.*)$", text, re.M)
    assert told
    return [sum(int(points) for line in told for points in re.findall(rf"{name} \+(\d+)", line)) for name in names]


# ------------------------------------------------------------------------------------------------- one against others


def test_a_whole_game_at_a_keyboard(tmp_path: Path) -> None:
    positions = game_against(sv.players.Greedy(), sv.Rules(), deal=3, seed=1)
    path = tmp_path / "game.json"
    with keyboard("play", "greedy", "--seed", "3", "--save", str(path)) as person:
        told = ""
        for number, move in enumerate(moves_of(positions, 0)):
            told += person.wait(HOW)
            assert len(sv.Game.load(path)) == 2 * number  # on the disk before the next move is asked for
            person.press(f"{move}\n")
        rest, code = person.end()
        assert (code, person.termios()) == (0, person.settings)
    game = sv.Game.load(path)
    assert (list(game.positions), game.names) == (positions, ("Red", "greedy"))
    scores = positions[-1].scores
    assert points_told(told + rest, ["Red", "greedy"]) == list(scores)
    (winner,) = positions[-1].winners
    assert f"The game is over: {['Red', 'greedy'][winner]} wins.\n" in rest
    assert f"    Red: {scores[0]} points, " in rest
    assert "20 of 20 tiles placed, all tiles shown" in rest
    assert f"savanna replay {path}" in "".join(rest.split("\n"))
    assert b"\x1b[?1049" not in person.seen
    assert CLEAR not in person.seen  # who plays alone keeps what can be scrolled back to


def test_a_whole_game_from_a_pipe_is_the_same(tmp_path: Path) -> None:
    positions = game_against(sv.players.Greedy(), sv.Rules(), deal=3, seed=1)
    path = tmp_path / "game.json"
    result = piped(moves_of(positions, 0), "greedy", "--seed", "3", "--save", str(path))
    assert (result.returncode, result.stderr) == (0, "")
    assert list(sv.Game.load(path).positions) == positions
    assert points_told(result.stdout, ["Red", "greedy"]) == list(positions[-1].scores)
    assert "\x1b" not in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if str(path) not in line) <= 80


@pytest.mark.parametrize(
    ("arguments", "rules", "seat"),
    [
        (["greedy", "--players", "3", "--mice", "--seat", "2"], sv.Rules(players=3, mice=True), 2),
        (["greedy", "greedy", "greedy", "--team-game", "--seat", "1"], sv.Rules(players=4, team_game=True), 1),
        (["greedy", "--rules", "2p,target=12"], sv.Rules(target=12), 0),
        (["greedy", "human:Zoë", "greedy"], sv.Rules(players=3), 1),
    ],
)
def test_seats_and_rules_are_as_asked_for(arguments: list[str], rules: sv.Rules, seat: int, tmp_path: Path) -> None:
    positions = game_against(sv.players.Greedy(), rules, deal=9, seed=2, seat=seat)
    path = tmp_path / "game.json"
    result = piped([*moves_of(positions, seat), str(path)], *arguments, "--seed", "9")
    assert (result.returncode, result.stderr) == (0, "")
    game = sv.Game.load(path)
    assert list(game.positions) == positions
    names = list(dict.fromkeys(game.names))
    bonus = [rules.last_seat_bonus * (team == rules.team_of(rules.players - 1)) for team in range(rules.teams)]
    by_seat = points_told(result.stdout, [re.escape(name) + r"(?: & [^,+]+)?" for name in names])
    if not rules.team_game:
        assert by_seat == [score - extra for score, extra in zip(positions[-1].scores, bonus, strict=True)]


def test_it_begins_where_a_position_says() -> None:
    position = sv.Position.parse(START).play("monkey lion c4")
    result = piped([], "greedy", "--position", str(position), "--seat", "1")
    assert (result.returncode, result.stderr) == (0, "")
    assert "Savanna Ten, 2 players, 1 of 20 tiles placed, as Blue sees it" in result.stdout
    assert "Blue, play zebra or giraffe ('help' tells how)> \n" in result.stdout
    assert "monkey" not in result.stdout.split("no space")[0]


MOUSE = sv.Position.parse("2p,mice ..../..../..../..../.... mu/ze mmmzzzgge/mmmmzzggu 0/0").view(0)
ALIKE = sv.Position.parse(START).view(0)
SHORT = [
    (MOUSE, "mon c4", "monkey c4"),
    (MOUSE, "u c4", "mouse c4"),
    (MOUSE, "MONKEY Lion C4", "monkey lion c4"),
    (MOUSE, "c4 l mon", "monkey lion c4"),
    (MOUSE, "mouc4", "mouse c4"),
    (MOUSE, "front, mouse, c4", "mouse c4"),
    (MOUSE, "m c4", "'m' may be monkey or mouse"),
    (MOUSE, "lion mo c4", "'mo' may be monkey or mouse"),
    (MOUSE, "lion c4", "which tile? your hand holds monkey and mouse"),
    (ALIKE, "m c4", "monkey c4"),
    (ALIKE, "c4", "monkey c4"),
    (ALIKE, "lc4", "monkey lion c4"),
    (ALIKE, "l m c4", "monkey lion c4"),
    (ALIKE, "mouse c4", "there is no mouse in your hand, only monkey"),
]


@pytest.mark.parametrize(("view", "words", "move"), SHORT, ids=[words for _, words, _ in SHORT])
def test_moves_can_be_shortened(view: sv.View, words: str, move: str) -> None:
    try:
        told = str(read_move(words, view))
    except sv.SavannaError as error:
        told = str(error)
    assert told == move


def test_every_legal_move_can_be_entered_as_it_is_written() -> None:
    rng, position, seen = random.Random(6), sv.Position.deal(sv.Rules(players=4, mice=True), 6), 0
    while not position.is_over:
        assert position.seat is not None
        view = position.view(position.seat)
        for move in view.legal_moves():
            assert read_move(str(move), view) == move
            seen += 1
        position = position.play(rng.choice(view.legal_moves()))
    assert seen > 500


BAD_LINES = [
    ("z c4", "There is no zebra in your hand, only monkey."),
    ("m", "'m' is not a move: it names no space, such as c4; 'help' says more."),
    ("m e4", "There is no space e4."),
    ("m c4 d4", "'m c4 d4' names more than one space."),
    ("lion front m c4", "'lion front m c4' says two things at once."),
    ("horse c4", "'horse' is neither a tile nor a space; 'help' says what can be entered."),
    ("\u00e9\u202e c4", "'é\\u202e' is neither a tile nor a space; 'help' says what can be entered."),
    ("undo", "You have not moved yet."),
    ("save", "Save needs the name of a file, as in: save game.json."),
    ("save /nowhere/game.json", "/nowhere/game.json: No such file or directory."),
    ("save /", "'/' is there already; choose another name, or go on with it by --load."),
    ("help me", "'help me' is not a move: it names no space, such as c4; 'help' says more."),
    ("m c4" + " c4" * 900, None),
]


def test_bad_input_is_answered_by_one_line_and_changes_nothing(tmp_path: Path) -> None:
    with keyboard("play", "greedy", "--position", START) as person:
        for line, answer in [*BAD_LINES, ("", "")]:
            person.enter(line, HOW)
            told = person.wait(MINE).split("\n")
            assert len(told) == (2 if answer == "" else 3), told
            if answer is not None:
                assert told[1] == answer
            assert len(told[1]) <= 100
        person.enter(f"save {tmp_path / 'game.json'}", HOW)
        person.wait(MINE)
    game = sv.Game.load(tmp_path / "game.json")
    assert (len(game), game.start) == (0, sv.Position.parse(START))


def test_a_taken_space_and_a_choice_of_tiles() -> None:
    told = piped(["zebra a5", "lion c4"], "greedy", "--position", MIDDLE).stdout
    assert "A5 is taken." in told
    assert "Which tile? your hand holds zebra and giraffe." in told


def test_what_is_told_depends_on_nothing_hidden() -> None:
    """Before a move, all answers are the same for twins, which differ in what the person cannot know."""
    rng, seen = random.Random(3), 0
    for truth in truths("3p,mice", 1)[4:19:7]:
        seat = ref.Position.parse(truth).seat
        assert seat is not None
        other = twin(truth, seat, rng)
        assert other != truth
        lines = ["hint", "moves", "board", "help", "undo", "e c4 d4", "elephant c9", "mouse c1 x"]
        told = [piped(lines, "greedy", "--position", text, "--seat", str(seat)).stdout for text in (truth, other)]
        assert told[0] == told[1]
        assert told[0].count(HOW) == len(lines) + 1
        seen += 1
    assert seen == 3


MIDDLE = "2p 0z1m../0E1Z../..../..../.... zg/ze mmmmgz/mmmggz 0/0"


def test_moves_says_what_scores() -> None:
    rng, seen = random.Random(4), 0
    for deal in range(2):
        position = ref.Position.deal(ref.Rules(), deal)
        while position.ply < 15 + deal:
            position = position.play(rng.choice(position.legal_moves()))
        told = piped(["moves"], "greedy", "--position", str(position), "--seat", str(position.seat)).stdout
        expected = {}
        for move in position.legal_moves():
            lines = position.lines_filled(move)
            gained = [sum(line.points[team] for line in lines) for team in range(2)]
            if lines:
                expected[str(move)] = (len(lines), gained)
        names = ["Red", "greedy"] if position.seat == 0 else ["greedy", "Blue"]
        rows = re.findall(r"^    (\w+(?: lion)? \w\d) +fills (\d) lines?: (.*)$", told, re.M)
        shown = {}
        for move, number, scored in rows:
            points = dict(re.findall(r"(\w+) \+(\d+)", scored))
            shown[move] = (int(number), [int(points.get(name, 0)) for name in names])
        assert shown == expected
        seen += len(shown)
    assert seen > 10


def test_a_hint_is_the_analysis() -> None:
    position = sv.Position.parse(MIDDLE)
    told = piped(["hint"], "greedy", "--position", MIDDLE).stdout
    analysis = sv.analyse(position.view(0), iterations=20_000)
    rows = re.findall(r"^(?:Red.*> hint\n)?(\d)\. (.*): wins (.*) % \(error (.*) %\), margin (.*) points$", told, re.M)
    assert len(rows) == 3
    for number, (row, it) in enumerate(zip(rows, analysis.moves, strict=False), start=1):
        figures = (f"{100 * it.win_share:.1f}", f"{100 * it.stderr:.1f}", f"{it.margin:+.1f}")
        assert row == (str(number), str(it.move), *figures)
    assert "     then perhaps greedy " in told


def test_undo_goes_back_to_ones_own_last_turn(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    positions = game_against(sv.players.Greedy(), sv.Rules(players=3), deal=5, seed=5)
    first, second = moves_of(positions, 0)[:2]
    lone = ("greedy", "--players", "3", "--seed", "5")
    result = piped([first, second, "undo", "undo", "undo", f"save {path}"], *lone)
    assert (result.returncode, result.stderr) == (0, "")
    game = sv.Game.load(path)
    assert (len(game), game.start) == (0, positions[0])
    told = result.stdout
    back = [f"Taken back: {second} and 2 more.", f"Taken back: {first} and 2 more.", "You have not moved yet."]
    assert [told.index(text) for text in back] == sorted(told.index(text) for text in back)
    drawn = positions[0].decks[0][:2]
    for animal in drawn:
        assert f"You now know what you should not: your next tile ({animal}) and how it was answered." in told
    path = tmp_path / "again.json"
    assert piped([first, second, "undo", second], *lone, "--save", str(path)).returncode == 0
    assert list(sv.Game.load(path).positions) == positions[:7]


def test_undo_is_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert piped(["lion c4", "undo"], "greedy", "--position", START, "--save", str(path)).returncode == 0
    assert len(sv.Game.load(path)) == 0


# ------------------------------------------------------------------------------------------------------ kept and left


def test_a_game_that_was_saved_goes_on(tmp_path: Path) -> None:
    positions = game_against(sv.players.Greedy(), sv.Rules(mice=True), deal=8, seed=8)
    moves, path = moves_of(positions, 0), tmp_path / "a game.json"
    first = piped([*moves[:4], f"save {path}", moves[4]], "greedy", "--mice", "--seed", "8")
    assert f"The game is saved; go on with it by: savanna play --load '{path}'\n" in first.stdout
    assert len(sv.Game.load(path)) == 10
    with keyboard("play", "--load", str(path)) as person:
        for move in moves[5:]:
            person.enter(move, HOW)
        _, code = person.end()
        assert code == 0
    assert list(sv.Game.load(path).positions) == positions
    again = piped([], "--load", str(path))
    assert again.returncode == 0
    assert "The game is over: " in again.stdout


def test_other_players_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    piped(["lion c4"], "greedy", "--position", START, "--save", str(path))
    before = sv.Game.load(path)
    result = piped([], "random", "human:Bo", "--load", str(path))
    assert result.returncode == 0
    game = sv.Game.load(path)
    assert (game.names, game.started) == (("random", "Bo"), before.started)
    assert (len(game), game.moves[:2]) == (3, before.moves)


def test_leaving_asks_once_if_the_game_would_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with keyboard("play", "greedy", "--position", START) as person:
        person.enter("lion c4", HOW)
        person.enter("quit", HOW)
        person.enter(str(path), "Enter leaves it, a file name saves it first> ")
        rest, code = person.end()
    assert (code, len(sv.Game.load(path))) == (0, 2)
    assert "The game is saved" in rest


def test_the_end_of_input_ends_it() -> None:
    with keyboard("play", "greedy", "--position", START) as person:
        person.enter("lion c4", HOW)
        person.wait(HOW)
        person.press("\x04")
        rest, code = person.end()
        assert (code, person.termios()) == (0, person.settings)
    assert rest.splitlines()[-1] == "The game was left after 2 of 20 plies, and is not saved."
    result = piped(["lion c4"], "greedy", "--position", START)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("The game was left after 2 of 20 plies, and is not saved.\n")


@pytest.mark.parametrize("players", [["greedy"], ["human:Ann", "human:Bo"]])
def test_ctrl_c_is_130_and_leaves_the_terminal_as_it_was(players: list[str]) -> None:
    with keyboard("play", *players, "--position", START, plain=False) as person:
        if len(players) == 2:
            person.enter("", "tiles> ")
        person.wait(HOW)
        person.press("lion c\x03")
        rest, code = person.end()
        assert (code, person.termios()) == (130, person.settings)
    assert rest.endswith("savanna: interrupted\n")
    assert person.seen.count(OTHER_SCREEN) == person.seen.count(FIRST_SCREEN) == len(players) - 1
    if len(players) == 2:
        assert person.seen.partition(CLEAR + FIRST_SCREEN)[2].strip() == b"savanna: interrupted"


def test_ctrl_c_while_a_computer_thinks() -> None:
    with keyboard("play", "champion:1000s", "--position", START) as person:
        person.enter("lion c4", HOW)
        person.wait("champion:1000s is thinking ...")
        person.press("\x03")
        _, code = person.end()
        assert (code, person.termios()) == (130, person.settings)
