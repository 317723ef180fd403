"""A game at one keyboard: whose turn it is, what they are shown, what they enter."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import savanna as sv
from savanna import files
from savanna.arguments import quoted
from savanna.characters import dangerous
from savanna.cli import parse_move
from savanna.cli.picture import fitting, last_space
from savanna.cli.seats import Occupant
from savanna.cli.terminal import Terminal
from savanna.game.record import as_file
from savanna.render.narrate import Narrator, move_text

HINT_ITERATIONS = 20_000
SHOWN_HINTS = 3

HELP = f"""\
{parse_move.HOW}
    hint        the best moves, and what speaks for them
    moves       what you can play, and what scores at once
    board       the board again, with all lines
    undo        take your last move back, with the answers of computers
    save FILE   write the game to a file, and again after each move
    quit        leave the game
    help        this text"""


class LeaveError(Exception):
    """Somebody wants to go."""


@dataclass
class Session:
    """A game, who plays it, the terminal they sit at, and the file that it is saved in.

    With several people at a terminal it is handed over: one is shown nothing before the one before has left.
    """

    game: sv.Game
    occupants: Sequence[Occupant]
    terminal: Terminal
    path: Path | None = None
    known: bytes | None = None  # what this program has read or written there
    told: int = field(init=False)

    def __post_init__(self) -> None:
        self.told = self.game.ply
        self.narrator = Narrator(self.game.rules, self.game.names)
        self.people = [seat for seat, it in enumerate(self.occupants) if it.is_person]
        self.alone = len(self.people) == 1
        self.hands_over = not self.alone and self.terminal.reads

    # ----------------------------------------------------------------------------------------------------- the course

    def play(self) -> None:
        """Play to the end, or until somebody leaves."""
        self.say(f"{self.welcome()}\nEnter 'help' to see what you can do; 'savanna rules' tells how the game goes.")
        try:
            with self.terminal.other_screen(self.hands_over):
                while not self.game.is_over:
                    self.turn()
            self.end()
        except LeaveError:
            self.say(self.parting())

    def welcome(self) -> str:
        """Return who plays whom."""
        called, and_list = self.narrator.seats, self.narrator.and_list
        people = [name for name, it in zip(called, self.occupants, strict=True) if it.is_person]
        others = [name for name, it in zip(called, self.occupants, strict=True) if not it.is_person]
        return f"You are {and_list(people)}{f', against {and_list(others)}' if others else ''}."

    def turn(self) -> None:
        """Let the seat to move do so."""
        seat = self.game.to_move
        assert seat is not None
        it = self.occupants[seat]
        if it.player is None:
            self.person(seat)
            return
        with self.terminal.meanwhile(f"{self.narrator.seats[seat]} is thinking ..."):
            move = it.player.choose(self.game.view(seat))
        self.played(move)

    def person(self, seat: int) -> None:
        """Ask a person until a move is played, or one is taken back."""
        if self.hands_over and not self.handed_over(seat):
            return
        if not self.hands_over:
            self.tell_news()
        self.show(seat)
        before = self.game.ply
        while self.game.ply == before:
            line = self.terminal.ask(self.prompt(seat))
            if line is None:
                raise LeaveError
            self.attempt(line, seat)
        if self.hands_over:
            self.terminal.clear()

    def prompt(self, seat: int) -> str:
        """Return the question to a person: who is asked, and what there is to play."""
        tiles = " or ".join(dict.fromkeys(self.game.view(seat).hand))
        return f"{self.narrator.seats[seat]}, play {tiles} ('help' tells how)> "

    def handed_over(self, seat: int) -> bool:
        """Wait until the person of a seat is alone with the screen; False if the move before has been taken back."""
        while True:
            self.terminal.clear()
            self.tell_since(seat)
            name = self.narrator.seats[seat]
            self.say(f"\nNow it is the turn of {name}; everybody else looks away.\n")
            self.terminal.forget_input()
            back = "" if self.last_ply(self.people) is None else " (or 'undo' the last move)"
            line = self.terminal.ask(f"{name}, press Enter to see your tiles{back}> ")
            if line is None:
                raise LeaveError
            word = parse_move.plain(line)
            if word in ("quit", "q", "exit"):
                self.attempt(line, seat)
            self.terminal.clear()
            if not line:
                self.tell_since(seat)
                return True
            if word == "undo" and self.taken_back():
                return False

    # ------------------------------------------------------------------------------------------------------- entering

    def attempt(self, line: str, seat: int) -> None:
        """Do what a line says, or say in one line what is wrong with it."""
        try:
            self.obey(line, seat)
        except sv.SavannaError as error:
            self.refuse(error)

    def obey(self, line: str, seat: int) -> None:
        """Do what a line says. Raises `SavannaError`, and then nothing has changed."""
        word, rest = parse_move.split_command(line)
        commands: dict[str, Callable[[int], None]] = {
            **dict.fromkeys(("help", "?", "h"), self.help),
            **dict.fromkeys(("quit", "q", "exit"), self.quit),
            "hint": self.hint,
            "moves": self.moves,
            "board": lambda seat: self.show(seat, whole=True),
            "undo": self.undo,
        }
        if not line:
            return
        if word == "save":
            self.save_as(parse_move.read_path(rest))
        elif word in commands and not rest:
            commands[word](seat)
        else:
            self.played(parse_move.read_move(line, self.game.view(seat)))

    def played(self, move: sv.Move | str) -> None:
        """Play a move, and save the game."""
        self.game.play(move)
        self.save()
        if not self.hands_over:
            self.tell_news()

    def help(self, seat: int) -> None:
        """Tell what can be entered, and how lines score."""
        rules = self.game.rules
        below, above, exact = rules.points
        self.say(HELP)
        self.say(f"A line scores when it is full: below {rules.target}, {below} for the most influence in it; above,")
        self.say(f"{above} for the least; at exactly {rules.target}, {exact} for the player who filled it.")

    def undo(self, seat: int) -> None:
        """Take back the last move of a seat, with what computers have answered."""
        game = self.game
        own = self.last_ply([seat])
        if own is None:
            raise sv.SavannaError("you have not moved yet")
        between = [position.seat for position in game.positions[own + 1 : game.ply]]
        if any(it is not None and self.occupants[it].is_person for it in between):
            raise sv.SavannaError("somebody else has moved since; a move is taken back before the next person looks")
        drawn = game.positions[own].decks[seat][:1]
        move, answers = game.moves[own], len(between)
        game.undo(game.ply - own)
        self.told = game.ply
        self.save()
        self.say(f"Taken back: {move}{f' and {answers} more' if answers else ''}.")
        known = [f"your next tile ({animal})" for animal in drawn] + ["how it was answered"] * bool(answers)
        if known:
            self.say(f"You now know what you should not: {self.narrator.and_list(known)}.")

    def taken_back(self) -> bool:
        """Take back the last move of any person, before the next one has seen anything; tell whether there was one."""
        ply = self.last_ply(self.people)
        if ply is None:
            return False
        self.game.undo(self.game.ply - ply)
        self.save()
        return True

    def last_ply(self, seats: Sequence[int]) -> int | None:
        """Return the last ply, from 0, on which one of the seats has moved in this game."""
        plies = range(self.game.ply)
        return next((ply for ply in reversed(plies) if self.game.positions[ply].seat in seats), None)

    def quit(self, seat: int) -> None:
        """Leave; on a terminal, ask once more if the game would be lost."""
        if self.terminal.talks and self.path is None and self.last_ply(self.people) is not None:
            answer = self.terminal.ask("The game is not saved. Enter leaves it, a file name saves it first> ")
            if answer:
                self.save_as(parse_move.read_path(answer))
        raise LeaveError

    # --------------------------------------------------------------------------------------------------------- saving

    def save_as(self, path: Path) -> None:
        """Save the game to another file, which must not be there yet, and from now on to that."""
        if path != self.path:
            check_new(path)
        self.write(path, self.known if path == self.path else None)
        self.path = path
        self.say(f"Saved to {in_shell(path)}, and from now on after each move.")

    def save(self) -> None:
        """Save the game if it has a file; what goes wrong is told, and the game goes on."""
        if self.path is not None:
            try:
                self.write(self.path, self.known)
            except files.ChangedError as error:
                self.say(f"The game could not be saved: {error}.")
                self.path = None
                self.save_elsewhere()
            except sv.RecordError as error:
                self.say(f"The game could not be saved: {error}.")

    def write(self, path: Path, known: bytes | None) -> None:
        """Write the game to a file that holds what is known of it, or is not there."""
        data = as_file(self.game)
        files.replace_known(path, data, known)
        self.known = data

    def save_elsewhere(self) -> None:
        """Offer another file to a person at a terminal; else say how one is given."""
        if not self.terminal.talks:
            self.say("It is not saved from now on, unless 'save FILE' gives it another file.")
        while self.terminal.talks and self.path is None:
            answer = self.terminal.ask("Enter goes on without saving, another file name saves the game there> ")
            if not answer:
                return
            self.try_save(answer)

    def try_save(self, answer: str) -> None:
        """Save the game to the file that a person has named, perhaps after the word `save`, or say what is wrong."""
        word, rest = parse_move.split_command(answer)
        try:
            self.save_as(parse_move.read_path(rest if word == "save" and rest else answer))
        except sv.SavannaError as error:
            self.refuse(error)

    # -------------------------------------------------------------------------------------------------------- showing

    def say(self, text: str) -> None:
        """Write text."""
        self.terminal.say(text)

    def refuse(self, error: sv.SavannaError) -> None:
        """Say in one line what is wrong with what was entered."""
        text = str(error)
        self.say(f"{text[:1].upper()}{text[1:]}.")

    def show(self, seat: int, whole: bool = False) -> None:
        """Show what a seat sees, without the table of lines where that would push the board off the screen."""
        self.say("")
        self.say(fitting(self.game.view(seat), self.terminal, last_space(self.game), self.game.names, whole=whole))

    def tell_news(self) -> None:
        """Tell what has happened since it was last told."""
        self.tell(self.told)

    def tell_since(self, seat: int) -> None:
        """Tell what has happened from the last move of a seat on."""
        own = self.last_ply([seat])
        self.tell(0 if own is None else own)

    def tell(self, first: int) -> None:
        """Tell what has happened after `ply` plies; where several people read, Lions are shown from above."""
        for ply in range(first, self.game.ply):
            before, move = self.game.positions[ply], self.game.moves[ply]
            assert before.seat is not None
            seen = move_text(move, knows=self.alone and self.occupants[before.seat].is_person)
            for line in self.narrator.ply(before.seat, seen, before.lines_filled(move)):
                self.say(line)
        self.told = self.game.ply

    def moves(self, seat: int) -> None:
        """Show what can be played, and what scores at once."""
        view, influence = self.game.view(seat), self.game.rules.influence
        tiles = [f"{animal} {influence[animal]}" for animal in dict.fromkeys(view.hand)]
        self.say(f"Tiles: {', '.join(tiles)}; with the Lion up, each is {influence['lion']}.")
        self.say(f"Spaces: {' '.join(space for space in sv.SPACES if space not in view.board)}")
        filling = [(move, self.game.position.lines_filled(move)) for move in view.legal_moves()]
        for move, lines in filling:
            if lines:
                self.say(f"    {move!s:<17} fills {self.narrator.sums(lines)}")
        if not any(lines for _, lines in filling):
            self.say("No move fills a line yet.")

    def hint(self, seat: int) -> None:
        """Show the best moves, and what speaks for them."""
        view = self.game.view(seat)
        with self.terminal.meanwhile("thinking ..."):
            analysis = sv.analyse(view, iterations=HINT_ITERATIONS)
        for number, it in enumerate(analysis.moves[:SHOWN_HINTS], start=1):
            share, error = 100 * it.win_share, 100 * it.stderr
            self.say(f"{number}. {it.move}: wins {share:.1f} % (error {error:.1f} %), margin {it.margin:+.1f} points")
            for line in self.game.position.lines_filled(it.move):
                self.say(f"     at once {self.narrator.line(line)}")
            if it.line:
                self.say(f"     then perhaps {', '.join(self.continuation(seat, it.line[:2]))}")

    def continuation(self, seat: int, line: Sequence[sv.Move]) -> Iterator[str]:
        """Yield how the game may go on after a move of a seat."""
        for number, move in enumerate(line, start=1):
            mover = (seat + number) % self.game.rules.players
            yield f"{self.narrator.seats[mover]} {move_text(move, knows=False)}"

    # -------------------------------------------------------------------------------------------------------- the end

    def end(self) -> None:
        """Tell the result, show what was hidden, and offer to save the game."""
        if self.hands_over:
            self.tell(max(self.game.ply - self.game.rules.players, 0))
        else:
            self.tell_news()
        self.say("")
        self.say(fitting(self.game.position, self.terminal, last_space(self.game), self.game.names))
        for line in self.narrator.result(self.game.position):
            self.say(line)
        if self.path is not None:
            self.say(self.parting())
        while self.path is None:
            answer = self.terminal.ask("Enter leaves, a file name saves the game (as --save FILE does)> ")
            if not answer or parse_move.plain(answer) in ("quit", "q"):
                return
            self.try_save(answer)

    def parting(self) -> str:
        """Return where the game is, for those who leave."""
        if self.path is None:
            return f"The game was left after {self.game.ply} of 20 plies, and is not saved."
        if self.game.is_over:
            return f"The game is saved; look at it again by: savanna replay {in_shell(self.path)}"
        return f"The game is saved; go on with it by: savanna play --load {in_shell(self.path)}"


def check_new(path: Path) -> None:
    """Check that there is no such file yet."""
    try:
        there = path.exists()
    except (OSError, ValueError) as error:
        raise sv.SavannaError(f"{quoted(str(path))}: {error}") from None
    if there:
        raise sv.SavannaError(f"{quoted(str(path))} is there already; choose another name, or go on with it by --load")


def in_shell(path: Path) -> str:
    """Return a path as a shell reads it, or what can be shown of it."""
    text = str(path)
    return ascii(text) if dangerous(text) else shlex.quote(text)
