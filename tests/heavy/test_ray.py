"""The examples of docs/beyond-one-machine.md run on Ray: they collect the bytes and learn the weights that a batch gives here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import gym2600
import numpy as np
import pyarrow.parquet as pq
import torch
from examples import ROOT, example, examples
from limits import HANG_SECONDS
from safetensors.torch import load_file


def run(words: str, folder: Path) -> str:
    """The output of an example."""
    code = example("docs/beyond-one-machine.md", words)
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True, check=True, timeout=2 * HANG_SECONDS)
    return done.stdout


def replay(rows: dict[str, np.ndarray], seed: int) -> int:
    """Plays the actions of a file here, compares, and gives the number of episodes that ended."""
    envs = gym2600.VectorEnv("wallop", num_envs=4, preset="gym2600")
    observations, _ = envs.reset(seed=seed)
    next_row, ended, episodes = 0, np.zeros(4, bool), 0
    while next_row < len(rows["env"]):
        lanes = np.flatnonzero(~ended)
        here = slice(next_row, next_row + len(lanes))
        next_row = here.stop
        assert rows["env"][here].tolist() == lanes.tolist()
        assert rows["observation"][here].tolist() == [observations[lane].tobytes() for lane in lanes]
        actions = np.zeros(4, int)
        actions[lanes] = rows["action"][here]
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        for name, values in (("reward", rewards), ("terminated", terminated), ("truncated", truncated)):
            assert rows[name][here].tolist() == values[lanes].tolist(), name
        ended = terminated | truncated
        episodes += int(ended.sum())
    return episodes


def test_actors_collect_episodes(tmp_path):
    counts = re.findall(r"\d+", run("class Collector", tmp_path))
    for number, count in enumerate(counts):
        table = pq.read_table(tmp_path / f"episodes-{number}.parquet")
        assert len(table) == int(count)
        rows = {name: np.array(table[name].to_pylist(), object) for name in table.column_names}
        replay(rows, 100 * number)
    assert len(counts) == 2


def test_rllib_trains_on_two_env_runners(tmp_path):
    lines = re.findall(r"^(\d+) steps, mean return (\S+)$", run("PPOConfig", tmp_path), re.MULTILINE)
    steps = [int(played) for played, _ in lines]
    assert len(steps) == 2
    assert 1024 <= steps[0] < steps[1]
    # Episodes have ended, so their returns are numbers.
    assert all(np.isfinite(float(mean)) for _, mean in lines)


def learned(program: str, folder: Path, arguments: list[str]) -> dict[str, torch.Tensor]:
    """The weights of a program of python/examples after a short training on a CPU."""
    command = [sys.executable, ROOT / "python/examples" / program, *arguments, "--run", folder]
    # One thread adds in one order.
    threads = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(command, env=threads, check=True, timeout=2 * HANG_SECONDS)
    return load_file(folder / "weights.safetensors")


def test_one_learner_with_env_runners_in_two_processes_learns_as_with_games_of_its_own(tmp_path):
    (commands,) = examples("docs/beyond-one-machine.md", "sh")
    (command,) = [line for line in commands.splitlines() if "ppo_ray.py" in line]
    small = [*command.replace("10000", "512").split()[2:], "--game", "wallop", "--warm-up", "2"]
    here, there = (learned(program, tmp_path / program, small) for program in ("ppo_gpu.py", "ppo_ray.py"))
    assert list(here) == list(there)
    assert all(torch.equal(here[name], there[name]) for name in here)
