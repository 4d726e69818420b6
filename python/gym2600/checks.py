"""Checks of arguments. A value of a wrong kind is a TypeError, one out of its range a ValueError, and both name the argument."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

#: The greatest number of frames, pixels and the like. ALE's numbers have as many bits.
GREATEST = 2**31 - 1


def whole(name: str, value: Any) -> int:
    """A whole number, of Python or NumPy."""
    try:
        return int(operator.index(value))
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it is a whole number") from None


def counts(least: int = 0, **arguments: Any) -> None:
    """Checks that arguments are whole numbers from `least` on. True and False are none."""
    for name, value in arguments.items():
        if isinstance(value, bool):
            raise TypeError(f"{name} is {value}; it is a whole number")
        if not least <= whole(name, value) <= GREATEST:
            raise ValueError(f"{name} is {value}; it is from {least} to 2**31 - 1")


def number(name: str, value: Any) -> float:
    """A number. Text is none."""
    try:
        if isinstance(value, SupportsFloat | SupportsIndex):
            return float(value)
    except (TypeError, OverflowError):
        pass
    raise TypeError(f"{name} is {value!r}; it is a number")


def finite(name: str, value: Any) -> None:
    """Checks that an argument is a finite number."""
    if not math.isfinite(number(name, value)):
        raise ValueError(f"{name} is {value}; it is finite")


def probability(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    if not 0.0 <= number(name, value) <= 1.0:
        raise ValueError(f"{name} is {value}; it is from 0 to 1")
    return float(value)


def flags(**arguments: Any) -> None:
    """Checks that arguments are True or False, or their numbers."""
    for name, value in arguments.items():
        if not isinstance(value, int | np.integer | np.bool_) or value not in (0, 1):
            raise TypeError(f"{name} is {value!r}; it is True or False")


def sequence(name: str, value: Any) -> None:
    """Checks that an argument is a list or the like. Text is none."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise TypeError(f"{name} is {value!r}; it is a list")


def instance(name: str, value: Any, kinds: tuple[type[Any], ...], what: str) -> None:
    """Checks that an argument is of some types, of which `what` tells."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} is {value!r}; it is {what}")


def choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Checks that an argument is one of some values."""
    if not any(value is known or (isinstance(value, str) and value == known) for known in choices):
        raise ValueError(f"{name} is {value!r}; it is one of {', '.join(map(repr, choices))}")


def reset_options(options: Any) -> dict[str, Any]:
    """The options of a reset, which may be None."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise TypeError(f"options is {options!r}; it is a dictionary or None")
    return options
