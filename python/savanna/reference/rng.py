"""Randomness that other engines, in other languages, can repeat: a named generator and what is drawn with it."""

import secrets
from collections.abc import Sequence
from typing import Any, Self

from savanna.arguments import integer
from savanna.errors import SavannaError

MASK = 2**64 - 1


def mix(z: int) -> int:
    """Return SplitMix64's finaliser (Steele, Lea and Flood 2014) of a 64-bit number."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def rotate_left(word: int, bits: int) -> int:
    """Return the 64 bits of a word moved to the left in a circle."""
    return (word << bits | word >> (64 - bits)) & MASK


class Xoshiro256PlusPlus:
    """The generator xoshiro256++ (Blackman and Vigna 2019)."""

    def __init__(self, state: Sequence[int]) -> None:
        """Start from four 64-bit numbers, not all of them zero."""
        self._state = tuple(state)

    @classmethod
    def seeded(cls, seed: int | None, purpose: str, index: int = 0) -> Self:
        """Return generator `index` (from 0) of a seed and a purpose: "deal", "sample", "playout" or "choose".

        Its state is four words of SplitMix64; the generators of a seed and purpose take them in turn. `seed` is
        0 to 2**64 - 1, or None for the system's entropy; others raise `SavannaError` or `TypeError`.
        """
        number = secrets.randbits(64) if seed is None else integer("seed", seed, 0, MASK, SavannaError)
        start = mix(mix(number) ^ int.from_bytes(purpose.encode("ascii"), "big"))
        words = range(4 * index + 1, 4 * index + 5)
        return cls([mix((start + word * 0x9E3779B97F4A7C15) & MASK) for word in words])

    def next(self) -> int:
        """Return the next number from 0 to 2**64 - 1."""
        s0, s1, s2, s3 = self._state
        result = (rotate_left((s0 + s3) & MASK, 23) + s0) & MASK
        s2, s3 = s2 ^ s0, s3 ^ s1
        self._state = (s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17) & MASK, rotate_left(s3, 45))
        return result

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, all equally likely, for n from 1 to 2**64 (Lemire 2019)."""
        while True:
            product = self.next() * n
            # The products with a smaller low half are those that would make some numbers likelier than others.
            if (product & MASK) >= 2**64 % n:
                return product >> 64

    def shuffle(self, items: list[Any]) -> None:
        """Put the items in a random order, all orders equally likely (Fisher and Yates)."""
        for i in range(len(items) - 1):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
