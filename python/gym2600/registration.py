"""Gymnasium's ids of the games."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import gymnasium

from gym2600 import _gym2600

ENTRY_POINT = "gym2600.env:AtariEnv"
VECTOR_ENTRY_POINT = "gym2600.vector:make_vector_env"
HALF_HOUR = 108_000

#: The settings of ids of version 5, and of WALLOP's.
SETTINGS: dict[str, Any] = {
    "repeat_action_probability": 0.25,
    "full_action_space": False,
    "frameskip": 4,
    "max_num_frames_per_episode": HALF_HOUR,
}

#: The games that have ids of the versions 0 and 4.
LEGACY_GAMES = """
    adventure air_raid alien amidar assault asterix asteroids atlantis bank_heist battle_zone beam_rider berzerk bowling
    boxing breakout carnival centipede chopper_command crazy_climber defender demon_attack double_dunk elevator_action
    enduro fishing_derby freeway frostbite gopher gravitar hero ice_hockey jamesbond journey_escape kangaroo krull
    kung_fu_master montezuma_revenge ms_pacman name_this_game phoenix pitfall pong pooyan private_eye qbert riverraid
    road_runner robotank seaquest skiing solaris space_invaders star_gunner tennis time_pilot tutankham up_n_down venture
    video_pinball wizard_of_wor yars_revenge zaxxon
""".split()


def _register(id: str, game: str, vector_entry_point: str | None = VECTOR_ENTRY_POINT, **kwargs: object) -> None:
    gymnasium.registry.pop(id, None)
    gymnasium.register(
        id,
        entry_point=ENTRY_POINT,
        vector_entry_point=vector_entry_point,
        kwargs={"game": game, **kwargs},
    )


def _register_v5(namespace: str) -> None:
    for rom, _, env_id, _ in _gym2600.games():
        if env_id is not None:
            name = env_id.rpartition("/")[2]
            _register(f"{namespace}/{name}", rom, **SETTINGS)


def register() -> None:
    """Registers `gym2600/Breakout-v5`, `gym2600/BreakoutNoFrameskip-v4` and so on for all games of ALE and for WALLOP."""
    _register_v5("gym2600")
    _register_legacy("gym2600/")
    _register("gym2600/Wallop-v0", "wallop", **SETTINGS)
    _register("gym2600/WallopNoFrameskip-v4", "wallop", vector_entry_point=None, **(SETTINGS | {"repeat_action_probability": 0.0, "frameskip": 1}))


def register_ale_ids() -> None:
    """Registers gym2600 under ale-py's ids: `ALE/Breakout-v5`, `BreakoutNoFrameskip-v4` and so on. Those of ale-py are replaced.

    An import of ale-py registers its own. So ale-py is imported here, if it is installed: a later import then changes nothing. A worker
    process that only gets an id registers nothing: there `gym2600.ale_ids:ALE/Breakout-v5` is an id that does.
    """
    _import_ale_py()
    _register_v5("ALE")
    _register_legacy("")


def register_v5_envs() -> None:
    """`register_ale_ids` for the ids of version 5 alone."""
    _import_ale_py()
    _register_v5("ALE")


def _import_ale_py() -> None:
    if importlib.util.find_spec("ale_py") is not None:
        importlib.import_module("ale_py")


def _register_legacy(prefix: str) -> None:
    names = {rom: env_id for rom, _, env_id, _ in _gym2600.games() if env_id is not None}
    for rom in LEGACY_GAMES:
        name = names[rom].rpartition("/")[2].removesuffix("-v5")
        for version, probability in (("v0", 0.25), ("v4", 0.0)):
            for suffix, frameskip in (("", (2, 5)), ("NoFrameskip", 1)):
                # As in ale-py `make_vec` makes a batch of single environments, with their observations.
                _register(
                    f"{prefix}{name}{suffix}-{version}",
                    rom,
                    vector_entry_point=None,
                    repeat_action_probability=probability,
                    full_action_space=False,
                    frameskip=frameskip,
                    max_num_frames_per_episode=HALF_HOUR,
                )
