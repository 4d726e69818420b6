"""The checkout that a script runs in."""

from __future__ import annotations

import subprocess
from pathlib import Path


def commit() -> str:
    """The short hash of the commit, with `-dirty` if tracked files differ from it."""
    command = ("git", "describe", "--always", "--dirty")
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    return done.stdout.strip()
