"""Moves as people enter them: `z c4`, `lion z c4`, `zebra lion c4`, `zc4`."""

import re
import unicodedata
from pathlib import Path

import savanna as sv
from savanna.arguments import quoted

HOW = """\
A move is a tile and a space, with the word 'lion' if the Lion is to lie up:
    zebra c4, zebra lion c4, or shorter: z c4, lion z c4, l z c4, zc4;
    lion c4 will do if all tiles in your hand are alike."""


_GLUED = re.compile(r"([a-z]+)([a-e][1-5])")
_SPACE = re.compile(r"[a-z][0-9]")


def split_command(line: str) -> tuple[str, str]:
    """Return the first word of a line in plain small letters, and the rest as it was entered."""
    word, *rest = line.split(maxsplit=1) or [""]
    return plain(word), "".join(rest).strip()


def plain(text: str) -> str:
    """Return text in small letters, with the usual ones for full-width letters, digits and spaces."""
    return unicodedata.normalize("NFKC", text).lower()


_QUOTES = ('""', "''", "“”", "„“", "‘’", "«»", "「」")


def read_path(text: str) -> Path:
    """Return the path that a person means: without quotes around it, and with their home folder for ~."""
    if len(text) > 1 and text[0] + text[-1] in _QUOTES:
        text = text[1:-1]
    if not text:
        raise sv.SavannaError("save needs the name of a file, as in: save game.json")
    try:
        return Path(text).expanduser()
    except RuntimeError:  # there is no such home folder
        return Path(text)


def read_move(text: str, view: sv.View) -> sv.Move:
    """Return the legal move that a line means to the seat of a view, which is to move.

    Raises `SavannaError` with what is wrong, in one short line.
    """
    words = _words(text)
    space = _space([word for word in words if _SPACE.fullmatch(word)], text, view)
    faces, animals = set(), set()
    for word in words:
        if _SPACE.fullmatch(word):
            continue
        face, animal = _face(word), _animal(word, view)
        if animal is not None and animal in view.hand:
            animals.add(animal)
        elif face is not None:
            faces.add(face)
        elif animal is not None:
            raise sv.SavannaError(f"there is no {animal} in your hand, only {_hand(view)}")
        else:
            raise sv.SavannaError(f"{quoted(word)} is neither a tile nor a space; 'help' says what can be entered")
    if len(faces) > 1 or len(animals) > 1:
        raise sv.SavannaError(f"{quoted(text)} says two things at once")
    if not animals and len(set(view.hand)) > 1:
        raise sv.SavannaError(f"which tile? your hand holds {_hand(view)}")
    animal = animals.pop() if animals else view.hand[0]
    return sv.Move(animal, faces.pop() if faces else "front", space)


def _words(text: str) -> list[str]:
    """Return the words of a line in small letters, with a space that is glued to a word apart."""
    words: list[str] = []
    for word in plain(text).replace(",", " ").replace(":", " ").split():
        glued = _GLUED.fullmatch(word)
        words += glued.groups() if glued and not _SPACE.fullmatch(word) else [word]
    return words


def _space(spaces: list[str], text: str, view: sv.View) -> str:
    """Return the one empty space that is named."""
    if not spaces:
        raise sv.SavannaError(f"{quoted(text)} is not a move: it names no space, such as c4; 'help' says more")
    if len(spaces) > 1:
        raise sv.SavannaError(f"{quoted(text)} names more than one space")
    (space,) = spaces
    if space not in sv.SPACES:
        raise sv.SavannaError(f"there is no space {space}")
    if space in view.board:
        raise sv.SavannaError(f"{space} is taken")
    return space


def _face(word: str) -> str | None:
    """Return the face that a word begins."""
    return next((face for face in sv.FACES if face.startswith(word)), None)


def _animal(word: str, view: sv.View) -> str | None:
    """Return the animal that a word begins: one in the hand, if there is one; `u` is a mouse, as in positions."""
    if word == "u":
        return "mouse"
    known = [animal for animal in sv.ANIMALS if animal.startswith(word)]
    held = [animal for animal in known if animal in view.hand]
    if len(held) > 1:
        raise sv.SavannaError(f"{quoted(word)} may be {' or '.join(held)}")
    return next(iter(held or known), None)


def _hand(view: sv.View) -> str:
    """Return the tiles of a hand in words."""
    return " and ".join(dict.fromkeys(view.hand))
