"""The programs of python/examples train on a CPU with small sizes. Stacks and videos need packages that the other tests of Python lack."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import gym2600
import gymnasium
import numpy as np
import pytest
import torch
from examples import example, examples, run
from gym2600._gym2600 import presets
from gymnasium.wrappers.vector import RecordVideo
from limits import HANG_SECONDS
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

ROOT = Path(__file__).parents[2]
SMALL = ["--game", "wallop", "--device", "cpu", "--num-envs", "4", "--num-steps", "32"]


def trained(program: str, folder: Path, *arguments: str) -> str:
    """What a program of python/examples prints."""
    command = [sys.executable, ROOT / "python/examples" / program, *SMALL, "--run", folder / "run", *arguments]
    threads = {**os.environ, "OMP_NUM_THREADS": "1"}
    played = subprocess.run(command, cwd=folder, env=threads, stdout=subprocess.PIPE, text=True, check=True, timeout=HANG_SECONDS)
    return played.stdout


def scalars(folder: Path) -> set[str]:
    """The names of the numbers in a log of TensorBoard."""
    log = EventAccumulator(str(folder / "run"))
    log.Reload()
    return set(log.Tags()["scalars"])


def test_ppo_on_one_card_trains_on_a_cpu_and_goes_on(tmp_path):
    small = ("--minibatch", "64", "--threads", "1", "--epochs", "2", "--warm-up", "2")
    # An odd number of updates, so the rollout under way is the second of two.
    printed = trained("ppo_gpu.py", tmp_path, *small, "--total-steps", "384")
    assert "384 steps" in printed
    expected = {"losses/policy", "losses/value", "losses/entropy", "losses/approx_kl", "charts/dead_units", "charts/learning_rate", "charts/SPS"}
    assert expected <= scalars(tmp_path)
    run = tmp_path / "run"
    before = load_file(run / "weights.safetensors")
    again = trained("ppo_gpu.py", tmp_path, *small, "--total-steps", "768", "--resume", str(run / "checkpoint.pt"))
    assert "768 steps" in again and "384 steps" not in again.splitlines()[0]
    after = load_file(run / "weights.safetensors")
    assert list(after) == list(before)
    assert any(not torch.equal(after[name], value) for name, value in before.items())
    state = torch.load(run / "checkpoint.pt", weights_only=True)
    assert state["update"] == 6
    assert all(torch.equal(state["agent"][name], value) for name, value in after.items())


@pytest.mark.parametrize("update", [0, 1])
def test_a_run_on_one_card_learns_from_the_rollout_that_it_played(update, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python/examples"))
    program = importlib.import_module("ppo_gpu")
    small = {"game": "wallop", "device": "cpu", "num_envs": 2, "num_steps": 4, "minibatch": 8, "threads": 1, "total_steps": 24}
    run = program.Run(program.Settings(**small, run=str(tmp_path)))
    run.update = update
    learned = []
    monkeypatch.setattr(run.learner, "learn", lambda rollout: learned.append(rollout.observations.any().item()))
    monkeypatch.setattr(run, "_log", lambda: None)
    run.train()
    assert learned == [True] * (3 - update)


def test_weights_of_ppo_on_one_card_play_here_and_in_both_programs(tmp_path):
    trained("ppo_gpu.py", tmp_path, "--minibatch", "128", "--total-steps", "128", "--threads", "1")
    weights = tmp_path / "run/weights.safetensors"
    policy = gym2600.Policy(weights)
    envs = gym2600.VectorEnv("wallop", 2, preset="ale-vector")
    decision = policy.act(envs.reset(seed=1)[0][0])
    assert len(decision.logits) == envs.single_action_space.n
    for program in ([sys.executable, "-m", "gym2600"], ["node", ROOT / "packages/gym2600/dist/cli.js"]):
        command = [*program, "evaluate", "--weights", weights, "--preset", "ale-vector", "--episodes", "1"]
        played = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=HANG_SECONDS)
        assert re.search(r"\d", played.stdout), played.stdout


def test_a_run_on_one_card_ends_at_its_score_and_warms_up_its_learning_rate(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python/examples"))
    program = importlib.import_module("ppo_gpu")
    small = {"game": "wallop", "device": "cpu", "num_envs": 2, "num_steps": 4, "minibatch": 8, "threads": 1, "total_steps": 800}
    run = program.Run(program.Settings(**small, until=5.0, warm_up=10, learning_rate=1e-3, run=str(tmp_path)))
    play = run.players[0].scores.put
    reached = []
    for score in [6.0] * 99 + [5.0] + [4.0] * 100:
        play((score, 1))
        reached.append(run._note_scores())
    assert reached.index(True) == 99
    # A hundred games are needed, and the mean of the last ones is above 5 for the first half alone.
    assert reached[99:149] == [True] * 50 and not any(reached[149:])
    rates = []
    for run.update in range(101):
        rates.append(run._rate())
    assert rates[0] == 0 and max(rates) == rates[10] and rates == [*sorted(rates[:11]), *sorted(rates[11:], reverse=True)]
    assert rates[100] == pytest.approx(1e-4)
    run._close()
    wrong = subprocess.run([sys.executable, program.__file__, "--num-envs", "9"], stderr=subprocess.PIPE, text=True)
    assert wrong.returncode == 2 and "batches divides num_envs" in wrong.stderr


def test_ppo_in_cleanrls_way_trains_on_a_cpu(tmp_path):
    assert "256 steps" in trained("ppo_cleanrl.py", tmp_path, "--total-steps", "256")
    assert {"losses/loss", "charts/SPS"} <= scalars(tmp_path)
    changed = [line for line in (ROOT / "python/examples/ppo_cleanrl.py").read_text().splitlines() if "  # gym2600" in line]
    assert len(changed) == 3


@pytest.mark.parametrize("word", ["rollout =", "TorchStack"])
def test_the_examples_of_the_page_run(word):
    run(example("docs/train-on-one-card.md", word))


def test_the_commands_of_the_page_name_the_program_and_its_options():
    (commands,) = examples("docs/train-on-one-card.md", "sh")
    assert "python ppo_gpu.py --game pong --until 18" in commands
    help = subprocess.run([sys.executable, ROOT / "python/examples/ppo_gpu.py", "--help"], stdout=subprocess.PIPE, text=True, check=True)
    for option in re.findall(r"--[a-z][a-z-]+", (ROOT / "docs/train-on-one-card.md").read_text().partition("## In CleanRL")[0]):
        assert option in help.stdout or option in ("--logdir", "--preset", "--weights"), option


@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep"])
@pytest.mark.parametrize("preset", presets())
def test_stacks_on_a_device_are_those_of_the_batch(preset, autoreset):
    stacked, envs = (gym2600.VectorEnv("wallop", 3, preset=preset, autoreset=autoreset, stacked=each) for each in (True, False))
    stacks = gym2600.TorchStack(envs, "cpu")
    out = {"picture": torch.zeros((3, 84, 84), dtype=torch.uint8), "reset": torch.zeros(3, dtype=torch.uint8)}
    envs.reset(seed=1, out=out)
    expected, _ = stacked.reset(seed=1)
    assert np.array_equal(stacks.reset(out).numpy(), expected)
    for number in range(150):
        actions = (np.arange(3) * 3 + number * 7) % 4
        envs.step(actions, out=out)
        expected, _, terminated, truncated, _ = stacked.step(actions)
        assert np.array_equal(stacks.step(out).numpy(), expected)
        if number == 75:
            some = {"reset_mask": np.array([True, False, True])}
            envs.reset(options=some, out=out)
            assert np.array_equal(stacks.reset(out).numpy(), stacked.reset(options=some)[0])
    with pytest.raises(ValueError, match="stacked=False"):
        gym2600.TorchStack(stacked)


def test_tensors_are_filled_in_place():
    envs, other = (gym2600.AtariVectorEnv("wallop", 2) for _ in range(2))
    slot = torch.zeros((2, 4, 84, 84), dtype=torch.uint8)
    envs.reset(seed=1, out=slot)
    assert np.array_equal(slot.numpy(), other.reset(seed=1)[0])
    for wrong in (slot.to("meta"), slot.float(), slot.transpose(2, 3), slot[:1], slot.float().requires_grad_()):
        with pytest.raises((TypeError, ValueError), match="out "):
            envs.step(np.zeros(2, int), out=wrong)
    envs.step(np.zeros(2, int), out=slot)
    assert np.array_equal(slot.numpy(), other.step(np.zeros(2, int))[0])


@pytest.mark.parametrize("options", [{}, {"preset": "labml"}], ids=["AtariVectorEnv", "VectorEnv"])
def test_the_recorder_of_videos_takes_a_batch(options, tmp_path, monkeypatch):
    envs = gymnasium.make_vec("gym2600/Wallop-v0", 2, render_mode="rgb_array", **options)
    if options:
        monkeypatch.setattr(gymnasium.logger, "warn", lambda *_, **__: None)
    envs = RecordVideo(envs, str(tmp_path / "videos"), step_trigger=lambda step: step == 0, episode_trigger=lambda _: False, video_length=20)
    envs.reset(seed=1)
    for _ in range(25):
        envs.step(np.zeros(2, int))
    envs.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.stat().st_size > 1000
