"""Libraries that train take our environments for ale-py's, and end in the same parameters."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings

import ale_py
import gym2600
import gymnasium as gym
import ppo
import pytest
import torch
from examples import example
from limits import HANG_SECONDS
from ray.rllib.env.wrappers.atari_wrappers import is_atari
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_atari_env
from stable_baselines3.common.vec_env import SubprocVecEnv, VecFrameStack
from torchrl.envs import GymWrapper
from torchrl.envs.utils import check_env_specs

gym.register_envs(ale_py)
torch.set_num_threads(1)

GAMES = ["Breakout", "Seaquest"]


def same(ours: dict[str, torch.Tensor], theirs: dict[str, torch.Tensor]) -> None:
    """Compares parameters, to the last bit."""
    assert list(ours) == list(theirs)
    for name, value in theirs.items():
        assert torch.equal(ours[name], value), name


@pytest.mark.parametrize("game", GAMES)
def test_ppo_in_the_style_of_cleanrl_ends_in_the_same_parameters(game, seed):
    (theirs, expected), (ours, total) = (ppo.train(f"{namespace}/{game}-v5", seed) for namespace in ("ALE", "gym2600"))
    same(ours, theirs)
    assert total == expected
    assert any(not torch.equal(ours[name], value) for name, value in ppo.train(f"gym2600/{game}-v5", seed, updates=1)[0].items())


def learn(env_id: str, seed: int, **options) -> tuple[dict[str, torch.Tensor], list]:
    """The parameters of Stable-Baselines3's PPO after 2,048 steps, and the episodes it saw."""
    envs = VecFrameStack(make_atari_env(env_id, n_envs=4, seed=seed, env_kwargs={"frameskip": 1}, **options), 4)
    model = PPO("CnnPolicy", envs, n_steps=128, batch_size=128, n_epochs=2, seed=seed, device="cpu")
    model.learn(2048)
    envs.close()
    return model.policy.state_dict(), [(episode["r"], episode["l"]) for episode in model.ep_info_buffer]


@pytest.mark.parametrize("game", GAMES)
def test_ppo_of_stable_baselines3_ends_in_the_same_parameters(game, seed):
    (theirs, expected), (ours, episodes) = (learn(f"{namespace}/{game}-v5", seed) for namespace in ("ALE", "gym2600"))
    same(ours, theirs)
    assert episodes == expected


def test_processes_of_stable_baselines3_play_the_same(seed):
    here, _ = learn("gym2600:gym2600/Breakout-v5", seed)
    options = {"vec_env_cls": SubprocVecEnv, "vec_env_kwargs": {"start_method": "spawn"}}
    there, _ = learn("gym2600:gym2600/Breakout-v5", seed, **options)
    same(there, here)


@pytest.mark.parametrize("name", ["gym2600/Wallop-v0", "gym2600/Breakout-v5"])
@pytest.mark.parametrize("options", [{}, {"obs_type": "grayscale"}, {"obs_type": "ram"}, {"continuous": True}])
def test_the_check_of_stable_baselines3_passes(name, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It advises one range for all actions, and ale-py's stick has others.
        warnings.filterwarnings("ignore", "We recommend you to use a symmetric")
        # It advises a wrapper for pictures without an axis of channels.
        warnings.filterwarnings("ignore", "Your observation .* has an unconventional shape")
        check_env(gym.make(name, **options).unwrapped)


@pytest.mark.parametrize(
    "make",
    [
        lambda package: package.AtariEnv("breakout"),
        lambda package: package.AtariVectorEnv("breakout", 4, autoreset_mode="SameStep"),
    ],
    ids=["one environment", "a batch"],
)
def test_the_wrapper_of_torchrl_gives_the_same_tensors(make, seed):
    ours, theirs = GymWrapper(make(gym2600)), GymWrapper(make(ale_py))
    check_env_specs(ours)
    rollouts = []
    for env in (ours, theirs):
        env.set_seed(seed)
        torch.manual_seed(seed)
        # Several games, whatever the seed is.
        rollouts.append(env.rollout(1000, break_when_any_done=False))
    mine, expected = rollouts
    assert expected["next", "done"].any()
    assert sorted(map(str, mine.keys(True, True))) == sorted(map(str, expected.keys(True, True)))
    for key in expected.keys(True, True):
        assert torch.equal(mine[key], expected[key]), key


def test_the_wrapper_of_torchrl_takes_a_batch_of_wrappers(seed):
    envs = GymWrapper(gym2600.VectorEnv("wallop", 4, preset="labml"))
    check_env_specs(envs)
    envs.set_seed(seed)
    rollout = envs.rollout(300, break_when_any_done=False)
    assert rollout.batch_size == (4, 300)
    assert rollout["next", "done"].any()


@pytest.mark.parametrize("name", ["gym2600/Breakout-v5", "gym2600/BreakoutNoFrameskip-v4", "gym2600/Wallop-v0"])
def test_rllib_takes_our_ids_for_atari(name):
    assert is_atari(gym.make(name))


def test_the_example_of_stable_baselines3_trains_evaluates_and_records(tmp_path):
    code = example("docs/python/gymnasium.md", "evaluate_policy")
    for long, short in (("300_000", "1024"), ("n_eval_episodes=10", "n_eval_episodes=2")):
        assert long in code
        code = code.replace(long, short)
    command = [sys.executable, "-c", code]
    played = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=True, timeout=2 * HANG_SECONDS)
    assert re.search(r"^score -?\d+\.\d \+- \d+\.\d$", played.stdout, re.MULTILINE), played.stdout
    assert (tmp_path / "pong.zip").stat().st_size > 1_000_000
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.stat().st_size > 1000
    # The saved policy plays, in a window of no screen: pygame is none of the packages here.
    code = example("docs/python/gymnasium.md", "PPO.load").replace('"human"', '"rgb_array"').replace("range(1000)", "range(20)")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=HANG_SECONDS)


def test_the_example_of_torchrl_runs():
    code = example("docs/python/torchrl.md", "GymWrapper")
    played = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, timeout=HANG_SECONDS)
    # TorchRL logs to the standard output too.
    assert played.stdout.splitlines()[-1] == "torch.Size([4, 100, 4, 84, 84])"
