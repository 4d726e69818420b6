"""The package with older versions of Gymnasium, which other packages pin."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(os.environ["GYM2600_OLD_GYMNASIUM"])

PROGRAM = """
import gymnasium, gym2600, numpy
assert gymnasium.__version__ == VERSION
environment = gymnasium.make("gym2600/Breakout-v5")
environment.reset(seed=1)
environment.step(1)
environment.close()
for batch in (
    gym2600.AtariVectorEnv("breakout", 2),
    gym2600.VectorEnv("breakout", 2, preset="labml", autoreset="SameStep"),
    gym2600.make("Breakout-v5", num_envs=2),
):
    batch.reset()
    batch.step(numpy.ones(2, int))
    batch.close()
"""


@pytest.mark.parametrize("version", ["0.29.1", "1.0.0"])
def test_an_older_gymnasium_plays(version):
    paths = [str(FOLDER / version), os.environ["PYTHONPATH"]]
    program = PROGRAM.replace("VERSION", repr(version))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
