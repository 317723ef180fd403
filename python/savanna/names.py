"""Names of players: what can stand in a table, in a log and in the record of a game."""

from savanna.arguments import quoted, wrong_type
from savanna.characters import dangerous, is_visible
from savanna.errors import SavannaError

LONGEST_NAME = 100


def is_name(text: str) -> bool:
    """Tell whether a text can stand as a name in a table."""
    return _fault(text) is None


def _fault(text: str) -> str | None:
    """Return why a text is not a name; None if it is one."""
    if not 0 < len(text) <= LONGEST_NAME:
        return f"must have 1 to {LONGEST_NAME} characters"
    if wrong := dangerous(text):
        return f"must not have {wrong}"
    return None if is_visible(text) else "must have a character that can be seen"


def checked_name(name: object) -> str:
    """Return the name if it can stand in a table."""
    if not isinstance(name, str):
        raise wrong_type("a player's name", "a str", name)
    if fault := _fault(name):
        raise SavannaError(f"a player's name {fault}, got {quoted(name)}")
    return name
