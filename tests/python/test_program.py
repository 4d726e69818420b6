"""The program that the wheel has: `python -m gym2600`, and the console script `gym2600`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import gym2600

FEW = ["--envs", "4", "--steps", "64", "--num-steps", "16", "--minibatches", "1", "--epochs", "1"]


def program(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "gym2600", *arguments], capture_output=True, text=True, cwd=cwd, check=False)


def test_it_prints_the_bytes_of_the_native_program():
    for arguments in (["games"], ["describe", "--json"], ["train", "--help"], ["train", "--dance"]):
        native = subprocess.run([os.environ["GYM2600_BIN"], *arguments], capture_output=True, text=True, check=False)
        ours = program(*arguments)
        assert (ours.returncode, ours.stdout, ours.stderr) == (native.returncode, native.stdout, native.stderr)


def test_it_trains_a_policy_for_python(tmp_path):
    trained = program("train", *FEW, "--json", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["steps"] == 64
    (checkpoint,) = tmp_path.iterdir()
    assert checkpoint.name == "wallop-ppo-0.checkpoint"
    assert checkpoint.name in trained.stderr
    origin = gym2600.Policy(checkpoint).origin
    assert (origin["steps"], origin["hyper_parameters"]["rollout"]) == (64, 16)


def test_the_wheel_has_a_console_script():
    text = (Path(__file__).parents[2] / "python/pyproject.toml").read_text()
    assert 'gym2600 = "gym2600.__main__:main"' in text
