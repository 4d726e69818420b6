"""The ROMs of ale-py's wheel, and a way for ale-py to run the four without rules."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# ROMs of the wheel without rules in ale-py. It ends the process when it loads one.
WITHOUT_RULES = ("combat", "joust", "maze_craze", "warlords")

# ale-py chooses the rules by the MD5 of the ROM, or else by the name of the file. It runs any ROM under this name.
STAND_IN = "krull"

# Games of different kinds: paddles, both mappers with extra hardware, swapped ports, a tall bottom border.
FIRST_GAMES = (
    "breakout",
    "pong",
    "space_invaders",
    "seaquest",
    "qbert",
    "montezuma_revenge",
    "pitfall2",
    "surround",
)


def folder() -> Path:
    """The folder of the ROMs: GYM2600_ROMS, or that of the ale_py package."""
    named = os.environ.get("GYM2600_ROMS")
    if named:
        return Path(named)
    import ale_py

    return Path(ale_py.__file__).parent / "roms"


def path_of(game: str) -> Path:
    """The ROM file of a game of the wheel."""
    path = folder() / f"{game}.bin"
    if not path.is_file():
        raise FileNotFoundError(f"no ROM {path}: unpack ale-py's wheel there or set GYM2600_ROMS")
    return path


def all_games() -> list[str]:
    """The names of all ROMs of the wheel, sorted."""
    return sorted(path.stem for path in folder().glob("*.bin"))


@contextmanager
def for_ale(game: str) -> Iterator[Path]:
    """A file of the game that ale-py loads: the ROM itself, or a copy named after `STAND_IN`."""
    if game not in WITHOUT_RULES:
        yield path_of(game)
        return
    with disguised(path_of(game).read_bytes()) as path:
        yield path


@contextmanager
def disguised(rom: bytes) -> Iterator[Path]:
    """The ROM in a file named after `STAND_IN`, so that ale-py uses the rules of that game."""
    directory = Path(tempfile.mkdtemp(prefix="gym2600-"))
    try:
        path = directory / f"{STAND_IN}.bin"
        path.write_bytes(rom)
        yield path
    finally:
        shutil.rmtree(directory)
