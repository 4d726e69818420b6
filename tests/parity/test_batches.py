"""Batches give the bytes of the native vector environments, lane by lane. Lanes have consecutive seeds."""

import random
import zlib

import ale_py
import numpy as np
import pytest
from ale_py import roms
from limits import LONG
from ours import rollout
from references import env_name

LANES = 3
STEPS = 600 if LONG else 250
# With four picture heights and sets of actions, the last two without NOOP.
GAMES = ("breakout", "seaquest", "freeway", "klax", "backgammon", "video_checkers")


def ale_vector(game, seed):
    """ale-py's AtariVectorEnv, the result of its first reset, and its number of actions."""
    envs = ale_py.vector_env.AtariVectorEnv(game, num_envs=LANES)
    return envs, envs.reset(seed=seed), envs.single_action_space.n


def envpool(game, seed):
    """EnvPool's environments, the result of their first reset, and their number of actions."""
    import envpool as package

    envs = package.make(f"{env_name(game)}-v5", env_type="gymnasium", num_envs=LANES, seed=seed)
    return envs, envs.reset(), envs.action_space.n


def by_lane(observations, info):
    """Checksums, lives and positions in the order of the lanes. EnvPool returns lanes in the order in which they finish."""
    order = np.argsort(info["env_id"])
    return [f"{zlib.crc32(observations[lane].tobytes()):08x}" for lane in order], info["lives"][order].tolist(), order


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("preset", "make"), [("ale-vector", ale_vector), ("envpool", envpool)])
def test_a_batch_gives_the_bytes_of_the_native_vector_environment(preset, make, game, tmp_path):
    envs, (observations, info), count = make(game, 5)
    chooser = random.Random(game)
    actions = [[chooser.randrange(count) for _ in range(LANES)] for _ in range(STEPS)]
    dealt = [action for step in actions for action in step]
    ours = rollout(roms.get_rom_path(game), dealt, tmp_path, preset=preset, seed=5, envs=LANES)
    checksums, lives, _ = by_lane(observations, info)
    first = next(ours)
    assert (first["obs"], first["lives"]) == (checksums, lives)
    for number, step in enumerate(actions, 1):
        observations, rewards, terminated, truncated, info = envs.step(np.array(step))
        checksums, lives, order = by_lane(observations, info)
        mine = next(ours)
        assert mine["obs"] == checksums, f"{preset} {game}, step {number}"
        assert mine["lives"] == lives
        assert mine["reward"] == rewards[order].tolist()
        assert mine["terminated"] == terminated[order].tolist()
        assert mine["truncated"] == truncated[order].tolist()
    assert next(ours, None) is None
