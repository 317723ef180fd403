"""Names of players: what can stand in a table, in a log and in the record of a game."""

from savanna.arguments import quoted, wrong_type
from savanna.errors import SavannaError

LONGEST_NAME = 100


def is_name(text: str) -> bool:
    """Tell whether a text can stand as a name in a table."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_NAME


def checked_name(name: object) -> str:
    """Return the name if it can stand in a table."""
    if not isinstance(name, str):
        raise wrong_type("a player's name", "a str", name)
    if not is_name(name):
        raise SavannaError(f"a player's name must be 1 to {LONGEST_NAME} printable characters, got {quoted(name)}")
    return name
