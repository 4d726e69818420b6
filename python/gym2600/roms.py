"""Finds ROMs: as bytes, as files, in the folders of `GYM2600_ROMS`, and in installed packages that carry them.

WALLOP comes with this package. No other game does.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeAlias

from gym2600 import _gym2600
from gym2600.errors import RefusedError

#: Bytes of a ROM, a path of a file, or the name of a game such as "space_invaders".
Rom: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str]

#: Installed packages that carry ROMs, and the folder in each. Versions of envpool_assets differ.
CARRIERS = (
    ("ale_py", "roms"),
    ("AutoROM", "roms"),
    ("envpool_assets", "atari/roms"),
    ("envpool_assets", "atari/roms/atari/roms"),
)


@cache
def _carried() -> tuple[Path, ...]:
    """The folders of ROMs in installed packages. The packages are not imported."""
    found = []
    for package, folder in CARRIERS:
        spec = importlib.util.find_spec(package)
        for place in (spec and spec.submodule_search_locations) or ():
            path = Path(place) / folder
            if path.is_dir():
                found.append(path)
    return tuple(found)


def folders() -> list[Path]:
    """The folders in which games are looked up by name, in order."""
    named = os.environ.get("GYM2600_ROMS", "").split(os.pathsep)
    return [Path(name) for name in named if name] + list(_carried())


def get_all_rom_ids() -> list[str]:
    """The names of all games that can be found."""
    known = {rom for rom, _, _, _ in _gym2600.games()}
    files = {path.stem for folder in folders() if folder.is_dir() for path in folder.glob("*.bin")}
    return sorted((known & files) | {"wallop"})


def get_rom_path(name: str) -> Path | None:
    """The file of a game, or None. WALLOP has no file."""
    for folder in folders():
        path = folder / f"{name}.bin"
        if path.is_file():
            return path
    return None


def find(rom: str | os.PathLike[str]) -> Path | None:
    """The file of a ROM, or None for WALLOP. Text without a separator and a suffix is the name of a game first, and then a path.

    Raises:
        FileNotFoundError: There is no such file, and no game of this name is found.
        TypeError: It is neither text nor a path.
    """
    if not isinstance(rom, str | os.PathLike):
        raise TypeError(f"a game is {rom!r}; it is a name, a path or the bytes of a ROM")
    name = os.fspath(rom)
    path = Path(name)
    is_name = path.name == name and not path.suffix
    # An object such as Path is a path first.
    if not (is_name and isinstance(rom, str)) and path.is_file():
        return path
    if name == "wallop":
        return None
    found = get_rom_path(name) if is_name else None
    if found is None and path.is_file():
        found = path
    if found is not None:
        return found
    if not is_name:
        what = "it is a folder" if path.is_dir() else "there is no such file"
        raise FileNotFoundError(f"no ROM {name!r}: {what}. A game is a name such as 'breakout', the path of a file, or bytes")
    searched = ", ".join(str(folder) for folder in folders()) or "none"
    raise FileNotFoundError(
        f"no ROM {name!r}: it is neither a file nor found as {name}.bin (folders searched: {searched}). Games belong to their "
        "owners, so gym2600 carries only its own, 'wallop'. Give bytes or the path of a file, name a folder in the environment "
        "variable GYM2600_ROMS, or install ale-py, which carries the ROMs of ALE's games: pip install ale-py"
    )


def load(rom: Rom) -> bytes:
    """The bytes of a ROM.

    Raises:
        FileNotFoundError: There is no such file, and no game of this name is found.
    """
    if isinstance(rom, bytes | bytearray | memoryview):
        return bytes(rom)
    path = find(rom)
    return _gym2600.wallop() if path is None else path.read_bytes()


@contextmanager
def named(rom: Rom) -> Iterator[None]:
    """Names the file from which a ROM was read in the error of a program that is unknown."""
    try:
        yield
    except RefusedError as error:
        path = None if isinstance(rom, bytes | bytearray | memoryview) else find(rom)
        if path is not None and error.code in ("unknown-rom", "bad-rom-size"):
            error.args = (f"{error} (the ROM was read from {path.absolute()})",)
        raise
