"""The errors that the package raises: one family, every member a ``ValueError``.

Wrong types raise the built-in ``TypeError``; everything else that a caller can get wrong raises one of these, with a
text that says what, where and with which value. Nothing is changed by a call that raises.
"""


class SavannaError(ValueError):
    """Base of every error that savanna raises about a value (a seed, a seat, a number of games, ...)."""


class RulesError(SavannaError):
    """An option of `Rules` is out of range, options contradict each other, or decks do not fit the rules."""


class NotationError(SavannaError):
    """A text is not the notation of a move, a position or a view, or it describes an impossible state."""


class IllegalMoveError(SavannaError):
    """The move, or action id, may not be played here."""


class GameOverError(IllegalMoveError):
    """The game is over, so no move can be played."""


class RecordError(SavannaError):
    """A file of games, a log or a directory of results cannot be read or written, or it is not what it should be.

    The text names the file, and where there are any, line and field.
    """
