"""`RamSearch`: a search in the console's memory for what a person sees, and the definition of a game that it leads to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from gym2600 import _gym2600, roms
from gym2600.batch import plain
from gym2600.checks import choice, counts, instance, whole
from gym2600.interface import RAM_SIZE

#: How a number compares with that of the look or mark before.
Change: TypeAlias = Literal["changed", "unchanged", "larger", "smaller"]

#: No screen shows a larger number.
GREATEST_NUMBER = 99_999_999


class Candidate(NamedTuple):
    """A place in memory that agrees with every look."""

    expression: str
    """How a definition's rules read it, such as `bcd(0x85, 0x84, 0x83)`."""
    value: int | None
    """Its value in the memory that was given; None where none was, or where the bytes hold no such number."""


class RamSearch:
    """A search in the console's 128 bytes of RAM for one thing that a person sees, as memory editors do it.

    Each look leaves the places that agree with what is seen. The memory comes from `ALEInterface.getRAM`, or from an observation "ram":

        ale = gym2600.ALEInterface()
        ale.loadROM("wallop")
        lives = gym2600.RamSearch()
        lives.look(ale.getRAM(), number=5)
        while ale.lives() == 5:
            ale.act(gym2600.Action.FIRE)
        lives.look(ale.getRAM(), "smaller")
        lives.candidates()[0].expression  # ram[0x82]
    """

    def __init__(self) -> None:
        self._native = _gym2600.RamSearch()

    def mark(self, ram: ArrayLike) -> None:
        """Marks a moment that the next look is compared with.

        Args:
            ram: The console's memory, 128 bytes.
        """
        self._native.mark(_memory(ram))

    def look(
        self, ram: ArrayLike, change: Change | None = None, *, number: int | str | None = None, state: bool | None = None
    ) -> None:
        """Keeps the places that agree with what is seen now, which is one of three things.

        Args:
            ram: The console's memory, 128 bytes.
            change: How the number compares with the look or mark before: "changed", "unchanged", "larger" or "smaller".
            number: The number, up to 99,999,999. A text keeps its leading zeros, which say how many digits the screen shows.
            state: Whether something is so now, such as that the game is over.

        Raises:
            TypeError: None or several of the three are given.
            ValueError: No screen shows such a number, or there is no earlier look to compare with. The search is as before.
        """
        if [change, number, state].count(None) != 2:
            raise TypeError(f"change is {change!r}, number {number!r} and state {state!r}; one of them is given")
        memory = _memory(ram)
        if number is not None:
            digits = _digits(number)
            self._native.look_at_number(memory, int(digits), len(digits))
        elif state is not None:
            instance("state", state, (bool, np.bool_), "True or False")
            self._native.look_at_state(memory, bool(state))
        elif change is not None:
            choice("change", change, get_args(Change))
            self._native.look_at_change(memory, change)

    def undo(self) -> bool:
        """Takes the last look or mark back. False if there is none."""
        return self._native.undo()

    @property
    def looks(self) -> int:
        """How many looks and marks there were."""
        return self._native.looks()

    @property
    def size(self) -> int:
        """How many places agree with every look."""
        return self._native.candidates(0)[1]

    def candidates(self, limit: int = 10, *, ram: ArrayLike | None = None) -> list[Candidate]:
        """The places that agree with every look, the likeliest first.

        Args:
            limit: The most candidates that are given.
            ram: The memory that their values are read from.
        """
        counts(limit=limit)
        memory = None if ram is None else _memory(ram)
        return [Candidate(*found) for found in self._native.candidates(limit, memory)[0]]


def define_game(
    rom: roms.Rom,
    name: str,
    *,
    title: str | None = None,
    score: str | None = None,
    lives: str | None = None,
    over: str | None = None,
    cells: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Makes the definition of a ROM from what was found: rules that give the change of the score as reward, the lives, and the end; and the
    controllers and actions that matter, which it finds by trying them. That takes a second or two.

    Args:
        rom: A path or the bytes of a ROM, or the name of a game.
        name: The name of the game, such as "mine".
        title: The name on the box; `name` unless given.
        score: The expression of the score, as candidates have it. Without one there is no reward.
        lives: The expression of the lives left.
        over: The expression that is true when the game is over; unless given, that no lives are left.
        cells: Expressions of other values by name, which infos have as `labels`.

    Returns:
        The argument `definition` of `VectorEnv`. `write_definition` writes it as text.

    Raises:
        RefusedError: The ROM cannot be played, an expression has a mistake, or a cell has the name of a variable of the rules.
    """
    found = {"name": name, "title": title, "score": score, "lives": lives, "over": over, "cells": None if cells is None else dict(cells)}
    with roms.named(rom):
        definition: dict[str, Any] = _without_none(json.loads(_gym2600.define_game(roms.load(rom), json.dumps(found))))
    return definition


def write_definition(definition: Mapping[str, Any]) -> str:
    """Writes a definition as TOML, for the programs and other languages. `tomllib.loads` reads it.

    Args:
        definition: The definition, as `define_game` gives it.

    Raises:
        RefusedError: It is no definition.
    """
    return _gym2600.write_definition(json.dumps(dict(definition), default=plain))


def _memory(ram: ArrayLike) -> bytes:
    """The bytes of a console's memory."""
    array = np.asarray(ram)
    if array.dtype != np.uint8:
        raise TypeError(f"ram has the type {array.dtype}; it is bytes, uint8")
    if array.shape != (RAM_SIZE,):
        raise ValueError(f"ram has the shape {array.shape}; it is ({RAM_SIZE},)")
    return array.tobytes()


def _digits(number: int | str) -> str:
    """The digits of a number that a screen shows."""
    if isinstance(number, bool):
        raise TypeError(f"number is {number}; it is a whole number or its digits")
    digits = number if isinstance(number, str) else str(whole("number", number))
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(GREATEST_NUMBER))):
        raise ValueError(f"number is {number!r}; it is a whole number from 0 to {GREATEST_NUMBER:,}")
    return digits


def _without_none(value: Any) -> Any:
    """Plain data without the keys that have no value."""
    if isinstance(value, list):
        return [_without_none(one) for one in value]
    if isinstance(value, dict):
        return {key: _without_none(one) for key, one in value.items() if one is not None}
    return value
