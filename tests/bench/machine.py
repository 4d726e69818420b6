"""The machine and the versions that figures belong to."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

import checkout


def _said(*command: str) -> str:
    """The first line that a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.partition("\n")[0].strip()


def processor() -> str:
    """The CPU's model."""
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except FileNotFoundError:
        found = None
    return found[1] if found else platform.processor()


def describe() -> dict[str, str]:
    """The processor, the system and all versions."""
    packages = {name: version(name) for name in ("ale-py", "envpool", "gymnasium", "opencv-python-headless")}
    return {
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "commit": checkout.commit(),
        "node": _said("node", "--version"),
        "chromium": _said(os.environ.get("CHROME", "/usr/bin/chromium"), "--version"),
        "rustc": _said("rustc", "--version"),
        "python": platform.python_version(),
        **packages,
    }
