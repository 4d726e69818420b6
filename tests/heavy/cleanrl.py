"""Trains with the settings of CleanRL's `ppo_atari.py` in the environments of `gym2600 train`, and logs like it.

cleanrl.py GAME MINUTES FILE    writes a line of JSON after each update, and ends after some minutes of one processor
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import gym2600
import ppo
import torch

# The steps over which CleanRL's learning rate falls to 0.
TOTAL_STEPS = 10_000_000


def environments(game: str) -> gym2600.VectorEnv:
    """The preset `baselines` without its clipping of rewards, which the learner does."""
    preset = gym2600.VectorEnv(game, preset="baselines").description["spec"]["wrappers"]
    wrappers = [wrapper for wrapper in preset if wrapper["type"] not in ("AutoReset", "ClipReward")]
    # PyTorch has the frames of a stack first.
    wrappers = [{**wrapper, "axis": "first"} if wrapper["type"] == "QueueFrames" else wrapper for wrapper in wrappers]
    return gym2600.VectorEnv(game, ppo.NUM_ENVS, wrappers=wrappers, autoreset="SameStep", threads=1)


def main() -> None:
    """Trains."""
    game, minutes, log = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    torch.set_num_threads(1)
    run = ppo.Run(environments(game), seed=1)
    with log.open("w") as lines:
        while time.process_time() < minutes * 60:
            run.optimizer.param_groups[0]["lr"] = ppo.LEARNING_RATE * (1 - run.steps / TOTAL_STEPS)
            run.update()
            last = run.scores[-100:]
            reward = sum(last) / len(last) if last else None
            line = {"steps": run.steps, "episodes": len(run.scores), "reward": reward}
            print(json.dumps({**line, "seconds": round(time.process_time(), 1)}), file=lines, flush=True)


main()
