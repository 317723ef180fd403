"""The greatest width that a text may need in any font.

The fonts of the reader are not known, and not every program squeezes a text when told to, so names are cut by the
width that their letters may need.
"""

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from savanna.characters import columns
from savanna.render.facts import LONGEST_NAME, shortened
from savanna.render.theme import TEXTS

WIDTHS = {
    0.43: " '\\/ijl|,-.:;ιіјӏ·‘’‚",
    0.58: '´I!()[]ft"r*J_ªº¡°¨¯¸ľΐίεгѓґ',
    0.68: "aceksvxyzL?çζξςλτυχΓзстэуЃГавекхьєѕґĸ“”",
    0.73: "$0123456789EFSTZbdghnopqu{}đðþŋßøαβγδηθκνορбийпрчђџΕΖΣΤΥЕЗТЅ",
    0.83: "ABCDGKPRUVXYΒΡΧμΑΔΛΚπσφψБВРСУХЬЭЯЄАКЛЧлцъћдмÞЎħΈ",
    0.93: "ΈHNOQ#&+<=>^~ŁĐØŊΗΘΝΟΠΦΨΩωЋЏИЙНОПДЦыЂ",
    1.08: "w@Mmæ…—©®ΜМФжфљњЫшюΉΎ",
    1.4: "%ЖШЩЮщ",
}
"""Widths in parts of the size of the letters, those of bold and wide fonts, and the signs that fit in them."""

EM = {sign: width for width, signs in WIDTHS.items() for sign in signs}

OTHER, EMOJI = 1.18, 1.4


def em(sign: str) -> float:
    """Return the greatest width of a sign, in parts of the size of the letters."""
    if columns(sign) == 2:
        return EMOJI if sign >= "\U0001f000" or "\u2300" <= sign < "\u2e80" else 1
    # Most letters with accents are as wide as those without, and what stands for several letters as wide as they are.
    # Unicode promises that letters up to here, which are all there, will always be taken apart as they are today.
    parts = unicodedata.normalize("NFKD", sign) if sign not in EM and sign < "\u0530" else sign
    return sum(EM.get(part, OTHER) for part in parts if columns(part))


@lru_cache(maxsize=1024)
def width(content: str, style: str) -> float:
    """Return how wide a text in one of `theme.TEXTS` may be, in units of the picture."""
    return TEXTS[style].size * sum(em(sign) for sign in content)


def fitted(names: Sequence[str], say: Callable[[Sequence[str]], str], style: str, room: float) -> str:
    """Return what is said of names, which are cut as far as the room asks for it."""
    said, longest = say(names), min(LONGEST_NAME, max(map(columns, names)))
    while width(said, style) > room and longest > 1:
        longest -= 1
        said = say([shortened(name, longest) for name in names])
    return said
