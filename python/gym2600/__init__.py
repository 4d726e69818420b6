"""Atari 2600 environments with the bytes of the Arcade Learning Environment.

Importing this package registers `gym2600/Breakout-v5` and the other games with Gymnasium.
"""

from gym2600 import roms
from gym2600._gym2600 import __version__
from gym2600.actions import Action, LoggerMode
from gym2600.env import AtariEnv
from gym2600.interface import ALEInterface, ALEState
from gym2600.pool import make
from gym2600.registration import register as _register
from gym2600.registration import register_ale_ids
from gym2600.vector import VectorEnv
from gym2600.vector_env import AtariVectorEnv

__all__ = [
    "ALEInterface",
    "ALEState",
    "Action",
    "AtariEnv",
    "AtariVectorEnv",
    "LoggerMode",
    "VectorEnv",
    "__version__",
    "make",
    "register_ale_ids",
    "roms",
]

_register()
