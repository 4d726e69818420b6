"""`scripts/conformance` ends when ale-py refuses a ROM."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from limits import HANG_SECONDS

from . import ours, roms


def test_a_rom_that_ale_py_refuses_ends_the_run_with_its_name(tmp_path: Path) -> None:
    for game in ("boxing", "pong"):
        shutil.copy(roms.path_of(game), tmp_path)
    (tmp_path / "bounce.bin").write_bytes(bytes(range(256)) * 16)
    command = [sys.executable, "-m", "conformance.run", "--frames", "60", "--jobs", "2", "--output", str(tmp_path / "out")]
    environment = os.environ | {"GYM2600_ROMS": str(tmp_path), "PYTHONPATH": str(ours.ROOT / "tests")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "bounce: ale-py ends with status 1 when it loads the ROM:" in done.stderr
