"""Checks of arguments, and errors that name what is wrong with a value without being longer than a line."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from savanna.errors import NotationError, RulesError, SavannaError

T = TypeVar("T")


def wrong_type(name: str, wanted: str, value: object) -> TypeError:
    """Return the error for a value of the wrong type, with its module where its name alone would say nothing.

    So it is of NumPy's bool where a bool is wanted, and of the plain engine's Rules.
    """
    given = type(value)
    is_misleading = given.__name__ in wanted.split() and given.__module__ != "builtins"
    return TypeError(f"{name} must be {wanted}, not {f'{given.__module__}.' if is_misleading else ''}{given.__name__}")


def quoted(text: str) -> str:
    """Return text from outside, safe to show: in quotes, escaped, and cut when long."""
    return repr(text[:40] + "..." * (len(text) > 40))


def digits(number: int) -> str:
    """Return a number as text, cut when long; Python itself refuses to write the longest."""
    try:
        text = str(number)
    except ValueError:
        return "a number of more than 4300 digits"
    return text if len(text) <= 100 else f"{text[:40]}..."


def integer(name: str, value: object, low: int, high: int, error: type[SavannaError]) -> int:
    """Return `value` as an int from low to high; NumPy's integers are welcome, a bool is a mistake."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise wrong_type(name, "an int", value)
    number = operator.index(value)
    if not low <= number <= high:
        raise error(f"{name} must be {low} to {high}, got {digits(number)}")
    return number


def boolean(name: str, value: object) -> bool:
    """Return the bool; a number is a mistake."""
    if not isinstance(value, bool):
        raise wrong_type(name, "a bool", value)
    return value


def items(name: str, value: Iterable[T], most: int) -> list[T]:
    """Return the items of what may be endless; a str has items, too, but they are never what is meant."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise wrong_type(name, "a sequence", value)
    taken = list(islice(value, most + 1))
    if len(taken) > most:
        raise RulesError(f"{name} has more than {most} items")
    return taken


def word(kind: str, value: object, words: Sequence[str]) -> str:
    """Return the one of the words that `value` is."""
    if not isinstance(value, str):
        raise wrong_type(kind, "a str", value)
    if value not in words:
        raise NotationError(f"unknown {kind} {quoted(value)}")
    return words[words.index(value)]  # the plain str for a str of some subclass


def numbers(name: str, given: object, defaults: Mapping[str, int], high: int) -> dict[str, int]:
    """Return the numbers, each 0 to high, of a mapping in the order of `defaults`, which fills in what is left out."""
    if not isinstance(given, Mapping):
        raise wrong_type(name, "a mapping", given)
    complete = dict(defaults)
    for key, value in given.items():
        if not isinstance(key, str):
            raise wrong_type(f"a key of {name}", "a str", key)
        if key not in defaults:
            raise RulesError(f"{name} has no {quoted(key)}, only {', '.join(defaults)}")
        complete[key] = integer(f"{name} of {key}", value, 0, high, RulesError)
    return complete
