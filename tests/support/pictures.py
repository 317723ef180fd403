"""The pictures that tests compare with: `python -m tests.support.pictures --write` draws them anew.

Of two players' games there is every picture as SVG, of others what the host sees in the middle; the digests of all
pictures are in one file, and all that is written for terminals is in a file for each kind of game.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import savanna as sv
from savanna import render
from tests.support.paths import DATA, DOCS

FOLDER = DATA / "pictures"
SHOWN = DOCS / "pictures"

KINDS = {"2p": "2p", "3p": "3p", "4p": "4p", "team": "4p,team", "mice": "4p,mice"}
STAGES = {"start": 0, "middle": 11, "end": 20}
NAMES = ("Ann", "Bo", "Cy", "Dee")


class Case(NamedTuple):
    """A picture that is kept: its name, what is drawn, the last move, and the names of all seats."""

    name: str
    source: sv.Position | sv.View
    last: sv.Move | None
    names: tuple[str, ...]

    def svg(self, theme: str = "auto") -> str:
        return render.svg(self.source, last=self.last, names=self.names, theme=theme)

    def text(self, color: bool = False) -> str:
        return render.text(self.source, last=self.last, names=self.names, color=color)


@cache
def game(rules: str, seed: int = 5) -> tuple[tuple[sv.Position, ...], tuple[sv.Move, ...]]:
    """Return the positions and the moves of a random game in which fronts are three times as likely as Lions."""
    rng, positions, moves = random.Random(seed), [sv.Position.deal(sv.Rules.parse(rules), seed)], list[sv.Move]()
    while not positions[-1].is_over:
        legal = positions[-1].legal_moves()
        moves.append(rng.choices(legal, [3 if move.face == "front" else 1 for move in legal])[0])
        positions.append(positions[-1].play(moves[-1]))
    return tuple(positions), tuple(moves)


def cases(kind: str) -> Iterator[Case]:
    """Yield the pictures of a kind of game: what the host and what each seat sees, at three times."""
    positions, moves = game(KINDS[kind])
    for stage, ply in STAGES.items():
        position, last = positions[ply], moves[ply - 1] if ply else None
        names = NAMES[: position.rules.players]
        yield Case(f"{kind}-{stage}-position", position, last, names)
        for seat in range(position.rules.players):
            yield Case(f"{kind}-{stage}-seat{seat}", position.view(seat), last, names)


def files() -> dict[str, str]:
    """Return what the kept files have to hold, by name."""
    kept, digests = {}, []
    for kind in KINDS:
        shown = list(cases(kind))
        kept[f"{kind}.txt"] = "\n".join(f"== {case.name}\n{case.text()}" for case in shown)
        for case in shown:
            digests.append(f"{hashlib.sha256(case.svg().encode()).hexdigest()}  {case.name}\n")
            if kind == "2p" or case.name.endswith("middle-position"):
                kept[f"{case.name}.svg"] = case.svg()
    return {**kept, "digests.txt": "".join(digests)}


def documented() -> dict[str, str]:
    """Return the pictures in the documentation, by name: one position, light, dark and by the reader's system."""
    positions, moves = game("2p", seed=7)
    case = Case("middle", positions[13].view(1), moves[12], NAMES[:2])
    themes = {"middle": "auto", "middle-light": "light", "middle-dark": "dark"}
    return {f"{name}.svg": case.svg(theme) for name, theme in themes.items()}


def main() -> None:
    """Write all files, if asked to."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.support.pictures --write")
    for folder, content in ((FOLDER, files()), (SHOWN, documented())):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in content.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{len(content)} files in {folder}")


if __name__ == "__main__":
    main()
