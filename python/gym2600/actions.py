"""ALE's numbers of actions and of logger modes."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Named(IntEnum):
    """Numbers that are shown by their names, as in ale-py."""

    __str__ = __repr__ = Enum.__str__

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)


class Action(Named):
    """What a player can do in a frame, numbered as in ALE."""

    NOOP = 0
    FIRE = 1
    UP = 2
    RIGHT = 3
    LEFT = 4
    DOWN = 5
    UPRIGHT = 6
    UPLEFT = 7
    DOWNRIGHT = 8
    DOWNLEFT = 9
    UPFIRE = 10
    RIGHTFIRE = 11
    LEFTFIRE = 12
    DOWNFIRE = 13
    UPRIGHTFIRE = 14
    UPLEFTFIRE = 15
    DOWNRIGHTFIRE = 16
    DOWNLEFTFIRE = 17


#: The action by its direction on the stick: horizontal and vertical, each -1, 0 or 1 (right and up are 1), and the button, 0 or 1.
BY_STICK: dict[tuple[int, int, int], Action] = {
    (
        ("RIGHT" in action.name) - ("LEFT" in action.name),
        ("UP" in action.name) - ("DOWN" in action.name),
        int("FIRE" in action.name),
    ): action
    for action in Action
}


def positions(actions: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Positions of sticks, each a distance from the centre, an angle and the button.

    Raises:
        TypeError: They are no numbers.
        ValueError: They have another shape, or a distance is not from 0 to 1, or another number is not finite.
    """
    given = np.asarray(actions)
    if given.dtype.kind not in "iuf":
        raise TypeError(f"actions are {actions!r}; a stick has a distance, an angle and the button, which are numbers")
    if given.shape != shape:
        raise ValueError(f"actions have the shape {given.shape}; it is {shape}: a distance, an angle and the button of each stick")
    given = given.astype(np.float32)
    if not (np.isfinite(given).all() and (given[..., 0] >= 0).all() and (given[..., 0] <= 1).all()):
        raise ValueError(f"actions are {actions!r}; a stick is pushed by 0 to 1, and all numbers are finite")
    return given


class LoggerMode(Named):
    """The least severity of messages that are printed. gym2600 raises errors and prints no messages."""

    Info = 0
    Warning = 1
    Error = 2
