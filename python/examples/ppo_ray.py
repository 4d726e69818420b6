"""The learner of ppo_gpu.py with games on other machines: copy both files and change them.

    ray start --head                                                  # on the machine with the card
    ray start --address=HEAD:6379                                     # on each other machine
    python ppo_ray.py --game pong --batches 4 --num-envs 1024 --threads 8

With `pip install gym2600 "ray[default]" torch safetensors tensorboard`. Without a cluster it starts Ray on this machine:

    python ppo_ray.py --device cpu --num-envs 8 --num-steps 16 --minibatch 64 --threads 1 --total-steps 10000

Each batch is an actor, an env runner, which takes `--threads` processors of a machine that has them free, one by default. It plays games and sends
their newest pictures, rewards and ends. The learner's process makes the stacks, decides and learns on its card, and sends actions. So weights do not travel,
and a runner needs no PyTorch. While the pictures of one batch travel, other batches play: have at least two for each machine.

ROMs travel as bytes, so only the learner's machine needs the file. The options, the files and the results are those of ppo_gpu.py.
"""

from __future__ import annotations

import contextlib
from typing import Any

import gym2600
import numpy as np
import ppo_gpu
import ray

#: The games as ppo_gpu.py has them: the learner stacks their pictures.
PRESET: dict[str, Any] = {"preset": "ale-vector", "autoreset": "SameStep", "stacked": False}


@ray.remote
class EnvRunner:
    """A batch of games, in a process of its own on any machine."""

    def __init__(self, rom: bytes, count: int, threads: int) -> None:
        self.envs = gym2600.VectorEnv(rom, count, threads=threads, **PRESET)

    def reset(self, seed: int) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Starts an episode in each game."""
        return self.envs.reset(seed=seed)

    def step(self, actions: np.ndarray) -> tuple[Any, ...]:
        """Plays an action in each game. Of the infos the learner needs the scores alone."""
        *results, infos = self.envs.step(actions)
        return *results, {key: infos[key] for key in ("episode", "_episode") if key in infos}


class RemoteBatch:
    """The games of an env runner, with the calls of a batch here."""

    def __init__(self, game: str, count: int, threads: int) -> None:
        rom = gym2600.roms.load(game)
        self.num_envs = count
        # One game says what all look like. None is played here.
        with contextlib.closing(gym2600.VectorEnv(rom, 1, threads=1, **PRESET)) as one:
            self.single_action_space, self.newest = one.single_action_space, one.newest
        self.runner = EnvRunner.options(num_cpus=threads).remote(rom, count, threads)

    def reset(self, *, seed: int, out: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode in each game, and writes the pictures to `out`."""
        observations, infos = ray.get(self.runner.reset.remote(seed))
        return self._landed(observations, out), infos

    def step(self, actions: np.ndarray, *, out: dict[str, Any]) -> tuple[Any, ...]:
        """Plays an action in each game, and writes the pictures to `out`."""
        observations, *results = ray.get(self.runner.step.remote(actions))
        return self._landed(observations, out), *results

    def _landed(self, observations: dict[str, np.ndarray], out: dict[str, Any]) -> dict[str, Any]:
        for key, value in observations.items():
            out[key].numpy()[...] = value
        return out

    def close(self) -> None:
        """Ends the process of the games."""
        ray.kill(self.runner)


class RemotePlayer(ppo_gpu.Player):
    """A player whose games are an env runner's."""

    def batch(self, count: int) -> Any:
        """The games, in a process of their own."""
        return RemoteBatch(self.settings.game, count, max(1, self.settings.threads))


class Run(ppo_gpu.Run):
    """A training run whose games are env runners'."""

    player = RemotePlayer


if __name__ == "__main__":
    settings = ppo_gpu.Settings.parse()
    ray.init()
    Run(settings).train()
    ray.shutdown()
