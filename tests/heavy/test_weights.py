"""Weights of PyTorch here, and ours there: the same logits, values and greedy actions.

References: CleanRL's `ppo_atari.py` and Stable-Baselines3's `CnnPolicy`, in ale-py's games under Gymnasium's wrappers.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import ale_py
import cv2
import gymnasium as gym
import numpy as np
import onnxruntime
import pytest
import torch
from agents import Agent, balance, train_briefly
from examples import example
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation
from safetensors.torch import save_file
from stable_baselines3 import PPO

ROOT = Path(__file__).parents[2]
ROMS = Path(os.environ["GYM2600_ROMS"])
WALLOP = ROOT / "crates/arcade/games/wallop.bin"
STEPS = int(os.environ.get("GYM2600_HEAVY_STEPS", "10000"))
BATCH = 100
# Logits that differ by less are a tie.
TIE = 1e-6
GAMES = ["pong", "breakout", "seaquest"]

gym.register_envs(ale_py)
cv2.setNumThreads(1)
torch.set_num_threads(1)


def environment(game: str):
    """The environment of the preset `gymnasium`."""
    env = gym.make(f"ALE/{game.title()}-v5", frameskip=1, disable_env_checker=True)
    return FrameStackObservation(AtariPreprocessing(env), 4)


def played(weights: Path, rom: Path, options: dict, shape: tuple[int, ...], *onnx: Path) -> Iterator[np.ndarray]:
    """The steps of play.mjs, in batches. It writes the policy to the file `onnx` first."""
    command = ["node", ROOT / "tests/heavy/play.mjs", weights, rom, json.dumps(options), str(STEPS), *onnx]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        actions = int.from_bytes(process.stdout.read(4), "little")
        step = np.dtype(
            [("observation", "u1", shape), ("action", "<u4"), ("logits", "<f4", (actions,)), ("value", "<f4")]
        )
        for _ in range(STEPS // BATCH):
            yield np.frombuffer(process.stdout.read(step.itemsize * BATCH), step)
    assert process.returncode == 0


def compare(theirs, ours: np.ndarray) -> None:
    """Compares the outputs for the observations of a batch, and the greedy actions.

    Both add up in another order, so that the last bits of logits differ. Where two actions are equal but for these, either may be taken.
    """
    with torch.no_grad():
        logits, values = theirs(torch.tensor(ours["observation"], dtype=torch.float32))
    np.testing.assert_allclose(ours["logits"], logits.numpy(), atol=1e-4, rtol=0)
    np.testing.assert_allclose(ours["value"], values[:, 0].numpy(), atol=1e-4, rtol=0)
    taken = logits.numpy()[np.arange(len(ours)), ours["action"]]
    np.testing.assert_allclose(taken, logits.max(1).values.numpy(), atol=TIE, rtol=0)
    # A tie is rare.
    assert np.sum(ours["action"] != logits.argmax(1).numpy()) <= 1


def play_both(theirs, weights: Path, game: str, seed: int) -> None:
    """Plays in both machines and compares every observation and decision.

    The reference takes our actions, which are those that it would have taken itself: they are compared as well.
    """
    env = environment(game)
    observation, _ = env.reset(seed=seed)
    options = {"preset": "gymnasium", "seed": seed}
    for ours in played(weights, ROMS / f"{game}.bin", options, (4, 84, 84)):
        compare(theirs, ours)
        for step in ours:
            np.testing.assert_array_equal(step["observation"], observation)
            observation, _, terminated, truncated, _ = env.step(int(step["action"]))
            if terminated or truncated:
                observation, _ = env.reset()


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_of_cleanrl_decides_the_same_here(game, tmp_path, seed):
    torch.manual_seed(seed)
    env = environment(game)
    agent = Agent("nature", env.action_space.n)
    observations = train_briefly(agent, env, seed)
    balance(agent, agent.actor, observations)
    save_file(agent.state_dict(), tmp_path / "agent.safetensors")
    play_both(agent, tmp_path / "agent.safetensors", game, seed)


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_of_stable_baselines3_decides_the_same_here(game, tmp_path, seed, monkeypatch):
    env = environment(game)
    model = PPO("CnnPolicy", env, n_steps=128, batch_size=64, n_epochs=2, learning_rate=1e-3, seed=seed, device="cpu")
    model.learn(256)
    policy = model.policy

    def outputs(observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        latent = policy.mlp_extractor(policy.extract_features(observations))
        return policy.action_net(latent[0]), policy.value_net(latent[1])

    balance(outputs, policy.action_net, torch.as_tensor(model.rollout_buffer.observations).reshape(-1, 4, 84, 84))
    monkeypatch.chdir(tmp_path)
    model.save("model.zip")
    exec(compile(example("docs/learning.md", "stable_baselines3"), "docs/learning.md", "exec"), {})
    play_both(outputs, tmp_path / "model.safetensors", game, seed)


@pytest.mark.parametrize("game", GAMES)
def test_our_onnx_file_decides_the_same_under_onnxruntime(game, tmp_path, seed):
    """With weights of an agent of CleanRL, whose decisions are compared above."""
    torch.manual_seed(seed)
    env = environment(game)
    agent = Agent("nature", env.action_space.n)
    balance(agent, agent.actor, train_briefly(agent, env, seed))
    weights, onnx = tmp_path / "agent.safetensors", tmp_path / "agent.onnx"
    save_file(agent.state_dict(), weights)
    session = None

    def outputs(observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        nonlocal session
        session = session or onnxruntime.InferenceSession(onnx)
        logits, value = session.run(["logits", "value"], {"observation": observations.numpy().astype(np.uint8)})
        return torch.as_tensor(logits), torch.as_tensor(value)

    for ours in played(weights, ROMS / f"{game}.bin", {"preset": "gymnasium", "seed": seed}, (4, 84, 84), onnx):
        compare(outputs, ours)


@pytest.mark.parametrize("net", ["tiny", "a3c", "nature"])
def test_our_weights_decide_the_same_in_an_agent_of_cleanrl(net, tmp_path, seed, monkeypatch):
    weights = tmp_path / "wallop.safetensors"
    train = ["train", "--net", net, "--steps", "2048", "--seed", str(seed), "--preset", "gymnasium", "--weights", weights]
    subprocess.run(["node", ROOT / "packages/gym2600/dist/cli.js", *train, "--set", "epochs=1"], check=True)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(example("docs/learning.md", "load_file"), "docs/learning.md", "exec"), names)
    reference = Agent(net, 4)
    reference.load_state_dict(names["agent"].state_dict())
    for ours in played(weights, WALLOP, {"preset": "gymnasium", "seed": seed}, (4, 84, 84)):
        compare(reference, ours)
        compare(names["agent"], ours)
