"""`Policy`: weights at play, the environment that fits them, and the example of docs/learning.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import gym2600
import numpy as np
import pytest
from examples import example
from limits import HANG_SECONDS

SETTINGS = ["--envs", "4", "--steps", "64", "--set", "rollout=16", "--set", "minibatches=1", "--set", "epochs=1"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> Path:
    """Weights of one update."""
    path = tmp_path_factory.mktemp("weights") / "wallop.safetensors"
    subprocess.run([os.environ["GYM2600_BIN"], "train", *SETTINGS, "--weights", path], check=True, capture_output=True)
    return path


def test_a_policy_plays_in_the_environment_of_its_training(weights):
    policy = gym2600.Policy(weights)
    assert policy.shape == (4, 84, 84)
    assert (policy.origin["game"], policy.origin["net"], policy.origin["steps"]) == ("wallop", "tiny", 64)
    arguments = policy.environment("wallop")
    assert [wrapper["type"] for wrapper in arguments["wrappers"]][-1] == "QueueFrames"
    envs = gym2600.VectorEnv("wallop", 2, **arguments)
    assert envs.single_observation_space.shape == policy.shape
    observations, _ = envs.reset(seed=1)
    for _ in range(20):
        decisions = [policy.act(observation, seed=5) for observation in observations]
        assert all(decision.probabilities.sum() == pytest.approx(1) for decision in decisions)
        observations, *_ = envs.step([decision.action for decision in decisions])
    envs.close()


def test_a_policy_decides_greedily_or_by_a_seed_and_takes_bytes_or_a_path(weights):
    observation = np.random.default_rng(3).integers(0, 256, (4, 84, 84), np.uint8)
    decision = gym2600.Policy(str(weights)).act(observation)
    assert decision.action == int(np.argmax(decision.logits))
    ours, again = gym2600.Policy(weights.read_bytes()), gym2600.Policy(weights)
    # A view with another order in memory.
    turned = np.ascontiguousarray(observation.transpose(1, 2, 0)).transpose(2, 0, 1)
    assert [ours.act(observation, seed=1).action for _ in range(9)] == [again.act(turned, seed=1).action for _ in range(9)]


@pytest.mark.parametrize("shape", [(84, 84, 4), (84, 4, 84), (1, 4, 84, 84), (4, 84), (4 * 84 * 84,)])
def test_an_observation_of_another_shape_is_refused_and_the_environment_named(weights, shape):
    with pytest.raises(gym2600.RefusedError, match=r"4 x 84 x 84 bytes.*policy\.environment\(rom\)") as refused:
        gym2600.Policy(weights).act(np.zeros(shape, np.uint8))
    assert refused.value.code == "bad-option"


def test_other_numbers_files_and_games_are_refused(weights):
    policy = gym2600.Policy(weights)
    with pytest.raises(TypeError, match="float32"):
        policy.act(np.zeros((4, 84, 84), np.float32))
    with pytest.raises(ValueError, match="seed"):
        policy.act(np.zeros((4, 84, 84), np.uint8), seed=-1)
    with pytest.raises(TypeError, match="a path or the bytes"):
        gym2600.Policy(5)
    with pytest.raises(gym2600.RefusedError) as refused:
        gym2600.Policy(weights.read_bytes()[:-1])
    assert refused.value.code == "bad-weights"
    with pytest.raises(gym2600.RefusedError, match="weights are of game") as refused:
        policy.environment("breakout")
    assert refused.value.code == "bad-weights"


def test_the_example_of_learning_md_runs(weights, monkeypatch):
    monkeypatch.chdir(weights.parent)
    exec(example("docs/learning.md", "gym2600.Policy"), {})
    assert json.loads(gym2600._gym2600.Policy(weights.read_bytes()).origin())["game"] == "wallop"


#: Has policies until there is no memory for another one, and decides on.
LITTLE_MEMORY = """
import resource
import sys
import gym2600
import numpy as np

first = gym2600.Policy(sys.argv[1])
observation = np.zeros(first.shape, np.uint8)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (100 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
policies = [first]
try:
    while True:
        policies.append(gym2600.Policy(sys.argv[1]))
except MemoryError:
    print("decides", len(policies) > 10)
for policy in policies:
    policy.act(observation)
"""


def test_a_policy_without_memory_is_a_memory_error_and_the_others_decide_on(weights):
    done = subprocess.run([sys.executable, "-c", LITTLE_MEMORY, weights], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert (done.returncode, done.stdout) == (0, "decides True\n"), done.stderr
