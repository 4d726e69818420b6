"""Scores are the same in Rust, JavaScript and Python, and those that WALLOP's RAM has.

A random agent and a policy play a game, and a game goes on from a state that the Rust program has saved. The preset clips rewards and ends
episodes with a life. `crates/learn/examples/scores.rs` and `scores.mjs` play the same games.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import gym2600

ROOT = Path(__file__).resolve().parents[2]
WALLOP = ROOT / "crates/arcade/games/wallop.bin"
SEED = 7
STEPS_BEFORE = 60
SETTINGS = ["--envs", "4", "--steps", "64", "--set", "rollout=16", "--set", "minibatches=1", "--set", "epochs=1", "--seed", "3"]


def lines(*command) -> list[dict]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def played(name, envs, observations, decide) -> dict:
    """Plays a game from observations on to its end."""
    while True:
        observations, _, terminated, truncated, infos = envs.step([decide(observations[0])])
        if "episode" in infos:
            break
        if terminated[0] or truncated[0]:
            assert not infos["real_done"][0]
            observations, _ = envs.reset()
    # Six decimal digits, the highest first, two in each byte.
    ram = int(envs._batch.ram()[0, 3:6].tobytes().hex())
    episode = {key: values[0].item() for key, values in infos["episode"].items()}
    return {"game": name, "score": episode["r"], "steps": episode["l"], "frames": episode["frames"], "ram": ram}


def python(weights: Path, actions: list[int], state: bytes) -> list[dict]:
    """The games in Python."""
    games = []
    envs = gym2600.VectorEnv(WALLOP, preset="nature-dqn", autoreset="Disabled")
    agent = iter(actions)
    games.append(played("random", envs, envs.reset(seed=SEED)[0], lambda _: next(agent)))
    policy = gym2600.Policy(weights)
    its = gym2600.VectorEnv(WALLOP, **policy.environment(WALLOP) | {"autoreset": "Disabled"})
    games.append(played("policy", its, its.reset(seed=SEED)[0], lambda observation: policy.act(observation, seed=SEED).action))
    restored = gym2600.VectorEnv(WALLOP, preset="nature-dqn", autoreset="Disabled")
    restored.reset(seed=SEED)
    agent = iter(actions[STEPS_BEFORE:])
    games.append(played("restored", restored, restored.restore([state]), lambda _: next(agent)))
    return games


def test_scores_are_those_of_the_ram_in_three_languages(tmp_path):
    chooser = random.Random(SEED)
    actions = [chooser.randrange(4) for _ in range(20_000)]
    file, weights, state = tmp_path / "actions", tmp_path / "wallop.safetensors", tmp_path / "state"
    file.write_text("".join(f"{action}\n" for action in actions))
    subprocess.run([os.environ["GYM2600_BIN"], "train", *SETTINGS, "--weights", weights], check=True, capture_output=True)
    rust = lines(os.environ["GYM2600_SCORES"], weights, file, state)
    assert [game["game"] for game in rust] == ["random", "policy", "restored"]
    assert all(game["score"] == game["ram"] > 0 for game in rust), rust
    # A game that was restored ends as the one that was not.
    assert rust[2] | {"game": "random"} == rust[0]
    assert lines("node", ROOT / "tests/parity/scores.mjs", WALLOP, weights, file, state) == rust
    assert python(weights, actions, state.read_bytes()) == rust
