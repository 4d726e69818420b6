"""Atari 2600 environments with the bytes of the Arcade Learning Environment.

Importing this package registers `gym2600/Breakout-v5` and the other games with Gymnasium.
"""

import os as _os

from gym2600 import _gym2600, roms, wrappers
from gym2600._gym2600 import EnvironmentLostError, GameState, __version__
from gym2600.actions import Action, LoggerMode
from gym2600.env import AtariEnv, AtariEnvStepMetadata
from gym2600.errors import RefusedError
from gym2600.interface import ALEInterface, ALEState
from gym2600.policy import Decision, Policy
from gym2600.pool import list_all_envs, make, make_gymnasium, make_spec
from gym2600.registration import register as _register
from gym2600.registration import register_ale_ids, register_v5_envs
from gym2600.search import Candidate, RamSearch, define_game, write_definition
from gym2600.stacks import TorchStack
from gym2600.vector import VectorEnv
from gym2600.vector_env import AtariVectorEnv
from gym2600.vector_interface import VectorInterface as ALEVectorInterface

__all__ = [
    "ALEInterface",
    "ALEState",
    "ALEVectorInterface",
    "Action",
    "AtariEnv",
    "AtariEnvStepMetadata",
    "AtariVectorEnv",
    "Candidate",
    "Decision",
    "EnvironmentLostError",
    "GameState",
    "LoggerMode",
    "Policy",
    "RamSearch",
    "RefusedError",
    "SDL_SUPPORT",
    "TorchStack",
    "VectorEnv",
    "__version__",
    "define_game",
    "list_all_envs",
    "make",
    "make_gymnasium",
    "make_spec",
    "register_ale_ids",
    "register_v5_envs",
    "roms",
    "wrappers",
    "write_definition",
]

#: Whether settings show pictures and play sounds, as in ale-py. The window of render mode "human" does not need it.
SDL_SUPPORT = False

_register()

# A child has none of the threads that play or compile, so it is made while they rest.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_gym2600.before_fork, after_in_parent=_gym2600.after_fork, after_in_child=_gym2600.after_fork
    )
