"""`EpisodeStatistics` writes what the notebook's `TFSummaries` writes over `nature_dqn_env`, singly and in a batch.

The notebook's class is ported here, with a list in the place of its writer. In a single environment it is the innermost wrapper. In a batch it
is around the batch, whose environments clip no rewards.
"""

import json
import pathlib
import random
import secrets
import subprocess
from collections import deque

import gymnasium as gym
import numpy as np
import pytest
from ale_py import roms
from references import EpisodicLife, RandomStart, SkipFrames, no_frameskip, with_fire

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = 5000
GAMES = ("breakout", "pong")


class TFSummaries(gym.Wrapper):
    """Writes summaries when every environment has ended a game. `step_number` is the notebook's global step."""

    def __init__(self, env, envs=1):
        super().__init__(env)
        self.written = []
        self.step_number = 0
        self.rewards = np.zeros(envs)
        self.lengths = np.zeros(envs)
        self.ended = np.zeros(envs, bool)
        self.queues = [deque(maxlen=100) for _ in range(envs)]

    def reset(self, **kwargs):
        self.rewards[:], self.lengths[:], self.ended[:] = 0, 0, False
        return self.env.reset(**kwargs)

    def step(self, action):
        result = _, reward, terminated, truncated, info = self.env.step(action)
        self.rewards += reward
        self.lengths[~self.ended] += 1
        infos = [info] if isinstance(info, dict) else info
        dones = np.atleast_1d(np.logical_or(terminated, truncated))
        for lane, (done, each) in enumerate(zip(dones, infos, strict=True)):
            if each.get("real_done", done):
                self.ended[lane] = True
                self.queues[lane].append(self.rewards[lane])
                self.rewards[lane] = 0
        if self.ended.all():
            self.write()
        return result

    def write(self):
        latest = [queue[-1] for queue in self.queues]
        values = {
            "total_reward": np.mean(latest),
            "reward_mean_100": np.mean([np.mean(queue) for queue in self.queues]),
            "episode_length": np.mean(self.lengths),
        }
        if len(latest) > 1:
            values |= {"min_reward": min(latest), "max_reward": max(latest)}
        self.written += [(name, self.step_number, float(value)) for name, value in values.items()]
        self.lengths[:], self.ended[:] = 0, False


def nature_dqn(game, seed, innermost=lambda env: env):
    """`nature_dqn_env` without the wrappers of pictures and without `ClipReward`, and the wrapper that was put next to the game."""
    env = no_frameskip(game)
    env.unwrapped.seed_game(seed)
    env.unwrapped.load_game()
    np.random.seed(seed)
    env.action_space.seed(seed)
    inner = innermost(env)
    return SkipFrames(RandomStart(with_fire(EpisodicLife(inner)))), inner


def single(game, seed, actions):
    """The summaries of a single environment."""
    env, summaries = nature_dqn(game, seed, TFSummaries)
    env.reset()
    for number, action in enumerate(actions, 1):
        summaries.step_number = number
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return summaries.written


class Recorded(gym.Env):
    """A batch that has been played: a step gives the results of all its environments."""

    def __init__(self, lanes):
        self.steps = iter(zip(*lanes, strict=True))

    def reset(self, **_):
        return None, {}

    def step(self, _):
        rewards, dones, infos = zip(*next(self.steps), strict=True)
        return None, np.array(rewards), np.array(dones), np.zeros(len(dones), bool), list(infos)


def lane(game, seed, actions):
    """Reward, end and info of each step of an environment. It is reset in the step that ends an episode, as the notebook's batches do."""
    # Every environment of the notebook has a process, and so NumPy's generator, of its own.
    env, _ = nature_dqn(game, seed)
    env.reset()
    for action in actions:
        _, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
        yield reward, ended, info
        if ended:
            env.reset()


def batch(game, seed, actions, envs):
    """The summaries of a batch. All its environments have the same seed."""
    lanes = [list(lane(game, seed, actions[number::envs])) for number in range(envs)]
    summaries = TFSummaries(Recorded(lanes), envs)
    summaries.reset()
    for number in range(1, len(actions) // envs + 1):
        summaries.step_number = number * envs
        summaries.step(None)
    return summaries.written


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("envs", [0, 8])
def test_summaries_are_those_of_the_notebook(game, envs, tmp_path):
    seed = secrets.randbelow(2**31)
    chooser = random.Random(seed)
    actions = [chooser.randrange(4) for _ in range(STEPS * max(1, envs))]
    expected = batch(game, seed, actions, envs) if envs else single(game, seed, actions)
    file = tmp_path / "actions"
    file.write_text("".join(f"{action}\n" for action in actions))
    call = ["node", str(ROOT / "tests/parity/summaries.mjs"), roms.get_rom_path(game), str(file), str(seed), str(envs)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    ours = [json.loads(text) for text in done.stdout.splitlines()]
    names = {name for name, *_ in expected}
    ours = [tuple(value) for value in ours if value[0] in names]
    assert len(expected) > 5, f"{game}, seed {seed}: {len(expected)} values"
    assert [value[:2] for value in ours] == [value[:2] for value in expected], f"{game}, seed {seed}"
    assert [value[2] for value in ours] == pytest.approx([value[2] for value in expected], rel=1e-12), f"{game}, seed {seed}"
