"""WALLOP is learned on a graphics card as on the CPU. Software that stands for a card takes three quarters of an hour of a processor for a run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from limits import HANG_SECONDS

# Pictures of 44 x 44 take a quarter of the time, and with a larger learning rate 300,000 steps show that something learns.
OPTIONS = {
    "wrappers": [
        {"type": "SkipFrames", "n": 4},
        "EpisodicLife",
        {"type": "ImagePreprocessing", "width": 44, "height": 44},
        {"type": "QueueFrames", "n": 4},
    ]
}
SETTINGS = ["--options", json.dumps(OPTIONS), "--set", "learning_rate=0.002", "--steps", "300000"]

#: The median on the CPU, of 35.9, 34.7 and 13.2 with the seeds 0, 1 and 2: the mean score of the last 100 games after these steps. Random play has 13.
CPU = 34.7

RUN_SECONDS = 24 * HANG_SECONDS


def score(seed: int) -> float:
    """The mean score of the last 100 games after a run on a card."""
    command = [sys.executable, "-m", "gym2600", "train", "--device", "gpu", "--no-save", "--json", "--seed", str(seed), *SETTINGS]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=RUN_SECONDS).stdout
    return json.loads(output.splitlines()[-1])["reward"]


@pytest.mark.timeout(3 * RUN_SECONDS)
def test_wallop_on_a_card_passes_what_the_cpu_has_after_300_000_steps():
    # Each driver has numbers of its own, so on another one a seed may fail that learns here, as on the CPU one of three does.
    assert any(score(seed) >= CPU for seed in range(3))
