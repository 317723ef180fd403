"""Which characters a text from people may have, and how wide they are.

The tables are fixed, so what can be read and what is drawn depends on no version of Python: a character that Unicode
will add tomorrow is welcome today. As in RFC 8266, "Preparation, Enforcement, and Comparison of Internationalized
Strings Representing Nicknames", people write their names as they are used to.
"""

import re

from wcwidth import wcswidth

_CONTROLS = r"\u0000-\u001f\u007f-\u009f"  # line ends and tabs are among them
_SEPARATORS = r"\u2028\u2029"  # of lines and of paragraphs
_DIRECTIONS = r"\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates of the direction of writing
_SURROGATES = r"\ud800-\udfff"
_OTHERS = r"\ufff9-\ufffb\ufffe\uffff"  # annotations and noncharacters, some of which XML refuses

DANGEROUS = _CONTROLS + _SEPARATORS + _DIRECTIONS + _SURROGATES + _OTHERS
"""What no name may have, as the inside of brackets in a regular expression of Python and of JSON Schema."""

_SPACES = r"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"

INVISIBLE = _SPACES + (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff0-\ufff8" + "\U000e0000-\U000e0fff"
)
"""What leaves no trace on paper, in the same form: spaces, and what Unicode calls default ignorable, two small ranges
of musical and shorthand signs aside. A name has other characters, too."""

_DANGEROUS = re.compile(f"[{DANGEROUS}]")
_VISIBLE = re.compile(f"[^{DANGEROUS}{INVISIBLE}]")
_GAP = re.compile(f"[{_SPACES}{_SEPARATORS}\\t-\\r]+")
_KINDS = {
    "a control character": _CONTROLS,
    "a separator of lines": _SEPARATORS,
    "a control of the direction of writing": _DIRECTIONS,
    "half of a surrogate pair": _SURROGATES,
    "not a character of text": _OTHERS,
}


def is_visible(text: str) -> bool:
    """Tell whether a text has anything to see."""
    return _VISIBLE.search(text) is not None


def dangerous(text: str, allowed: str = "") -> str | None:
    """Return which character of a text is dangerous, where and why; None if there is none beside those allowed."""
    for match in _DANGEROUS.finditer(text):
        sign = match[0]
        if sign not in allowed:
            kind = next(kind for kind, signs in _KINDS.items() if re.match(f"[{signs}]", sign))
            return f"U+{ord(sign):04X} at place {match.start()}, {kind}"
    return None


def without_dangers(text: str) -> str:
    """Return a text in one line: runs of spaces and line ends become one space, what is dangerous is left out."""
    return _DANGEROUS.sub("", _GAP.sub(" ", text)).strip(" ")


def escaped(text: str) -> str:
    """Return text from outside with what is dangerous to print escaped."""
    return _DANGEROUS.sub(lambda match: ascii(match[0])[1:-1], text)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text without control characters takes."""
    return wcswidth(text)
