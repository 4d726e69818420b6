"""Plays ale-py's AtariVectorEnv and prints a JSON object for the reset and for every step, with checksums of the observations.

The standard input is a JSON object: the game, the seed, and a list of actions for every step.
"""

import json
import sys
import zlib

import ale_py
import numpy as np

play = json.load(sys.stdin)
lanes = len(play["actions"][0])
envs = ale_py.vector_env.AtariVectorEnv(play["game"], num_envs=lanes)


def tell(observations, info, rewards, terminated, truncated):
    """Prints a line, in the order of the lanes."""
    order = np.argsort(info["env_id"])
    lists = {
        "obs": [f"{zlib.crc32(observations[lane].tobytes()):08x}" for lane in order],
        "lives": info["lives"][order].tolist(),
        "reward": rewards[order].tolist(),
        "terminated": terminated[order].tolist(),
        "truncated": truncated[order].tolist(),
    }
    print(json.dumps(lists))


no = np.zeros(lanes, bool)
tell(*envs.reset(seed=play["seed"]), np.zeros(lanes), no, no)
for actions in play["actions"]:
    observations, rewards, terminated, truncated, info = envs.step(np.array(actions))
    tell(observations, info, rewards, terminated, truncated)
