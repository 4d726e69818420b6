"""Files that tell their cartridge format, and what ale-py says of them.

`detection.json` has the cases; the Rust tests read it too (crates/arcade/tests/detection.rs).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import roms

# Loads the files that its standard input names, with ale-py's log on the standard error.
_LOAD = """
import sys, ale_py
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Info)
ale = ale_py.ALEInterface()
for line in sys.stdin:
    ale.loadROM(line.strip())
"""


@dataclass(frozen=True)
class Case:
    """A file, and the name of its format in ale-py's log: `None` where ale-py ends the process."""

    text: str
    rom: bytes
    detected: str | None


def cases() -> list[Case]:
    """The cases of `detection.json`."""
    file = Path(__file__).with_suffix(".json")
    return [Case(json.dumps(case), _rom(case), case["detected"]) for case in json.loads(file.read_text())]


def _rom(case: dict) -> bytes:
    image = bytearray(at % 251 for at in range(case["size"]))
    for first, end in case.get("equal", []):
        image[first:end] = bytes([image[first]]) * (end - first)
    for at, part in case.get("bytes", {}).items():
        part = bytes.fromhex(part)
        image[int(at) : int(at) + len(part)] = part
    repeat = case.get("repeat", len(image))
    return bytes(image[at % repeat] for at in range(len(image)))


def detected_by_ale(images: Iterable[bytes]) -> list[str]:
    """The name of each image's format in ale-py's log."""
    with tempfile.TemporaryDirectory(prefix="gym2600-") as directory:
        paths = []
        for number, image in enumerate(images):
            folder = Path(directory) / str(number)
            folder.mkdir()
            paths.append(folder / f"{roms.STAND_IN}.bin")
            paths[-1].write_bytes(image)
        done = subprocess.run(
            [sys.executable, "-c", _LOAD],
            input="".join(f"{path}\n" for path in paths),
            capture_output=True,
            text=True,
            errors="replace",
            check=True,
        )
    return re.findall(r"Bankswitch Type: AUTO-DETECT ==> (\S+)", done.stderr)
