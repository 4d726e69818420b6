"""ALE's settings: their defaults, and what becomes of each."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Mapping
from ctypes import c_float
from typing import Any

from gym2600.checks import number, whole

#: ALE's settings with their defaults. They take effect when a ROM is loaded.
DEFAULTS: dict[str, int | float | bool | str] = {
    "random_seed": -1,
    "system_random_seed": 4_753_849,
    "repeat_action_probability": 0.25,
    "frame_skip": 1,
    "reward_min": -(2**31),
    "reward_max": 2**31 - 1,
    "max_num_frames": 0,
    "max_num_frames_per_episode": 0,
    "truncate_on_loss_of_life": False,
    "color_averaging": False,
    "display_screen": False,
    "sound_obs": False,
    "record_screen_dir": "",
    "record_sound_filename": "",
    "fragsize": 64,
    "cpu": "low",
    "freq": 31_400,
    "palette": "standard",
    "restricted_action_set": False,
    "rom_file": "",
    "run_length_encoding": True,
    "send_rgb": False,
    "sound": False,
    "tiafreq": 31_400,
    "volume": 100,
}

#: The settings that the console has, and its names for them.
CONSOLE_SETTINGS = {
    "system_random_seed": "systemRandomSeed",
    "repeat_action_probability": "repeatActionProbability",
    "frame_skip": "frameSkip",
    "reward_min": "rewardMin",
    "reward_max": "rewardMax",
    "max_num_frames_per_episode": "maxNumFramesPerEpisode",
    "truncate_on_loss_of_life": "truncateOnLossOfLife",
    "color_averaging": "colorAveraging",
    "sound_obs": "soundObs",
}

#: The settings with which ale-py shows, plays or records a game. gym2600 does nothing of it. Those that stand in neither list change
#: nothing in ale-py either.
UNSUPPORTED = ("display_screen", "record_screen_dir", "record_sound_filename", "sound")


def kept(key: str, value: Any, kind: type) -> Any:
    """The value of a setting as ale-py keeps it: text as text, a fraction with six digits in 32 bits.

    Raises:
        TypeError: It is of another kind. A bool is only that of Python, and a whole number has 32 bits.
    """
    name = f"the setting {key!r}"
    if kind is float:
        return c_float(float(f"{c_float(number(name, value)).value:g}")).value
    if kind is int:
        if not -(2**31) <= whole(name, value) < 2**31:
            raise TypeError(f"{name} is {value}; it has 32 bits")
        return operator.index(value)
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}; its type is {kind.__name__}")
    return value


def converted(value: int | float | bool | str, kind: type) -> Any:
    """A setting's value as another kind, by way of text as in ale-py."""
    if type(value) is kind:
        return value
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(int(value))
    if kind is str:
        return text
    if kind is bool:
        return text in ("1", "true")
    if kind is int:
        digits = re.match(r"\s*[+-]?\d+", text)
        return int(digits[0]) if digits else 0
    try:
        return c_float(float(text)).value
    except ValueError:
        return 0.0


def warn_of_unsupported(settings: Mapping[str, object]) -> None:
    """Warns of settings that have an effect in ale-py and none here."""
    for key in UNSUPPORTED:
        if settings[key] != DEFAULTS[key]:
            warnings.warn(f"the setting {key!r} is {settings[key]!r}, which has no effect in gym2600", stacklevel=3)
