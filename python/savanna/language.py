"""What people read, in their language.

The code has the English texts; `words/` has the others, as catalogues of gettext. A text has its values between braces.
"""

import gettext
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from savanna.arguments import quoted, wrong_type
from savanna.errors import SavannaError

LANGUAGES = {"en": "English", "es": "Español", "ja": "日本語"}
"""The languages by their codes, each as it calls itself."""

WORDS = Path(__file__).parent / "words"
"""Where the catalogues are: `words/es/LC_MESSAGES/savanna.po`, and `.mo` beside it, which is read."""


def marked(text: str) -> str:
    """Return a text as it is: a sign for the translators that `say` will be asked for it elsewhere."""
    return text


class Language:
    """A language: it says texts of the code with their values in them. Two of one code are equal."""

    def __init__(self, code: str) -> None:
        self.code = code
        """The code of the language, such as "en"."""
        self._texts = (
            gettext.NullTranslations() if code == "en" else gettext.translation("savanna", WORDS, languages=[code])
        )

    def say(self, text: str, **values: object) -> str:
        """Return a text in this language, with its values."""
        return self._texts.gettext(text).format(**values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """Return a text that depends on a number, which is its `{number}`, with its values."""
        return self._texts.ngettext(one, many, number).format(number=number, **values)

    def listed(self, items: Iterable[str]) -> str:
        """Return items as a list in a sentence, without an "and"."""
        return self.say(", ").join(items)

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Language) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Language({self.code!r})"


ENGLISH = Language("en")


@cache
def _known(code: str) -> Language:
    return Language(code)


def language(code: str) -> Language:
    """Return the language of a code, one of `LANGUAGES`. Raises `SavannaError` for another."""
    if not isinstance(code, str):
        raise wrong_type("language", "a str", code)
    if code not in LANGUAGES:
        raise SavannaError(f"language must be one of {', '.join(map(repr, LANGUAGES))}, got {quoted(code)}")
    return _known(code)
