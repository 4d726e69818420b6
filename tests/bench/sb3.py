"""The whole loop of a run that learns: PPO of Stable-Baselines3 on the CPU. Its packages are those of scripts/test-heavy."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import gymnasium
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_atari_env
from stable_baselines3.common.vec_env import VecFrameStack

if TYPE_CHECKING:
    from bench.stacks import Sum

# The hyperparameters of rl-baselines3-zoo for Atari.
HYPERPARAMETERS = {
    "n_steps": 128,
    "n_epochs": 4,
    "batch_size": 256,
    "learning_rate": 2.5e-4,
    "clip_range": 0.1,
    "vf_coef": 0.5,
    "ent_coef": 0.01,
}


class Loop:
    """A run. Both packages have the bytes of `{namespace}/Breakout-v5`, so both runs play and learn the same."""

    def __init__(self, namespace: str, package: ModuleType, game: str, envs: int) -> None:
        gymnasium.register_envs(package)
        torch.set_num_threads(1)
        name = "".join(word.capitalize() for word in game.split("_"))
        made = make_atari_env(f"{namespace}/{name}-v5", n_envs=envs, seed=0, env_kwargs={"frameskip": 1})
        self.model = PPO("CnnPolicy", VecFrameStack(made, 4), seed=0, device="cpu", **HYPERPARAMETERS)
        self.steps = envs * HYPERPARAMETERS["n_steps"]
        # The set-up of a run is no part of the loop.
        self.model.learn(self.steps)

    def play(self, total: Sum) -> None:
        """Makes an update."""
        self.model.learn(self.steps, reset_num_timesteps=False)
        rollout = self.model.rollout_buffer
        total.watch(rollout.observations)
        total.done += self.steps
        total.reward += float(rollout.rewards.sum())
        total.episodes += int(rollout.episode_starts.sum())
