"""A recorded game as it is shown: ply by ply, on a screen that keys lead through, or in pictures."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import savanna as sv
from savanna import files
from savanna.characters import without_dangers
from savanna.cli.picture import fitting, last_space, write_svg
from savanna.cli.terminal import Terminal
from savanna.render.narrate import Narrator, move_text

NEXT, BACK, QUIT, ERASE = "n \n\r", "pb", "q\x04", "\x7f\x08"


@dataclass
class Viewer:
    """A game that is shown ply by ply, all of it or what one seat saw."""

    game: sv.Game
    seat: int | None
    terminal: Terminal

    def source(self) -> sv.Position | sv.View:
        """Return what is shown at the cursor."""
        return self.game.position if self.seat is None else self.game.view(self.seat)

    def lines(self, ply: int) -> Iterator[str]:
        """Yield all that is shown of a ply."""
        self.game.goto(ply)
        yield f"Ply {ply} of {len(self.game)}"
        if ply:
            yield from ply_lines(self.game, ply, self.seat)
        remark = self.game.annotations.get(ply)
        if remark is not None:
            yield from (f"    | {without_dangers(line)}" for line in remark.splitlines())
        yield ""
        yield fitting(self.source(), self.terminal, last_space(self.game), self.game.names)
        if self.game.is_over:
            yield from Narrator(self.game.rules, self.game.names).result(self.game.position)

    def step(self, ply: int, keys: Iterator[str]) -> None:
        """Go where the keys lead, beginning at a ply."""
        self.show(ply)
        number = ""
        for key in keys:
            if key in QUIT:
                return
            if key.isdigit() or key in ERASE:
                number = f"{number}{key}"[-4:] if key.isdigit() else number[:-1]
                self.ask(ply, number)
                continue
            if key in "\n\r" and number:
                ply = int(number)
            elif key in NEXT:
                ply += 1
            elif key in BACK:
                ply -= 1
            number, ply = "", min(max(ply, 0), len(self.game))
            self.show(ply)

    def show(self, ply: int) -> None:
        """Show a ply on a screen of its own, and ask where to go."""
        self.terminal.clear()
        self.terminal.say("\n".join(self.lines(ply)))
        self.ask(ply, "")

    def ask(self, ply: int, number: str) -> None:
        """Write what can be pressed, and the number that has been so far."""
        self.terminal.prompt(
            f"[{ply}/{len(self.game)}] Enter: on, p: back, number and Enter: go there, q: end {number}"
        )

    def write(self, folder: Path, first: int) -> None:
        """Write a picture of each ply to a folder, which is made if it is not there."""
        with files.named(files.where(folder)), contextlib.suppress(FileExistsError):
            folder.mkdir()
        for ply in range(first, len(self.game) + 1):
            self.game.goto(ply)
            write_svg(folder / f"ply-{ply:02}.svg", self.source(), last_space(self.game), self.game.names)


def ply_lines(game: sv.Game, ply: int, seat: int | None) -> Iterator[str]:
    """Yield what happened on a ply, 1 to `len(game)`, as its seat and who sees all know it, or else another seat."""
    before, move = game.positions[ply - 1], game.moves[ply - 1]
    assert before.seat is not None
    seen = move_text(move, knows=seat in (None, before.seat))
    yield from Narrator(game.rules, game.names).ply(before.seat, seen, before.lines_filled(move))
