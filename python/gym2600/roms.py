"""Finds ROMs: as bytes, as files, in the folders of `GYM2600_ROMS` and `ALE_ROMS_DIR`, and in installed packages that carry them.

A game of the catalogue is found by its content, so a file of another game is never taken for it, whatever the file's name is. WALLOP comes
with this package. No other game does.
"""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
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


#: Environment variables with folders of ROMs: ours, with several, and ale-py's, with one.
VARIABLES = ("GYM2600_ROMS", "ALE_ROMS_DIR")

#: How files of ROMs end, in small letters. A zip file has one ROM inside.
SUFFIXES = (".bin", ".a26", ".rom", ".zip")

#: No cartridge is larger, so larger files are not read.
LARGEST_ROM = 1 << 20


def folders() -> list[Path]:
    """The folders in which games are looked up by name, in order."""
    ours, theirs = (os.environ.get(variable, "") for variable in VARIABLES)
    return [Path(name) for name in [*ours.split(os.pathsep), theirs] if name] + list(_carried())


@cache
def _read_game(path: Path, _size: int, _time: int) -> str | None:
    """The name of the game in a file, or None. A changed file has another size or time."""
    return _gym2600.identify(path.read_bytes())


def game_of(path: Path) -> str | None:
    """The name of the game in a file, or None."""
    status = path.stat()
    return _read_game(path, status.st_size, status.st_mtime_ns) if status.st_size <= LARGEST_ROM else None


def _files(name: str = "") -> Iterator[Path]:
    """The ROMs of all folders. In each folder those of a name are first. A folder that does not exist gives a warning."""
    for folder in folders():
        if not folder.is_dir():
            warnings.warn(f"ROMs are searched in {folder}, which is no folder: see {' and '.join(VARIABLES)}", stacklevel=2)
            continue
        for path in sorted(folder.iterdir(), key=lambda path: (path.stem != name, path.name)):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                yield path


def get_all_rom_ids() -> list[str]:
    """The names of all games that can be found."""
    return sorted({game for game in map(game_of, _files()) if game} | {"wallop"})


def get_rom_path(name: str) -> Path | None:
    """The file of a game, or None. WALLOP has no file.

    Args:
        name: The name of a game such as "breakout". One of the catalogue is found whatever its file's name is, others by it.
    """
    known = name in _known()
    return next((path for path in _files(name) if (game_of(path) if known else path.stem) == name), None)


def _known() -> list[str]:
    """The games of the catalogue."""
    return [rom for rom, _, _, _ in _gym2600.games()]


def find(rom: str | os.PathLike[str]) -> Path | None:
    """The file of a ROM, or None for WALLOP.

    Args:
        rom: The name of a game or a path. Text without a separator and a suffix is a name first, and then a path.

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
    if name not in _known() and (close := get_close_matches(name.lower(), _known(), 1)):
        raise FileNotFoundError(f"no game {name!r}: did you mean {close[0]!r}?")
    searched = ", ".join(map(str, folders())) or "none"
    others = "".join(f"{path} has this name, but it is {game_of(path) or 'no known game'}. " for path in _files(name) if path.stem == name)
    raise FileNotFoundError(
        f"no ROM {name!r}: it is neither a file nor a game in a folder that was searched ({searched}). {others}Games belong to their "
        "owners, so gym2600 carries only its own, 'wallop'. Give bytes or the path of a file, name a folder in the environment "
        "variable GYM2600_ROMS, or install ale-py, which carries the ROMs of ALE's games: pip install ale-py"
    )


def load(rom: Rom) -> bytes:
    """The bytes of a ROM.

    Args:
        rom: The name of a game, a path, or the bytes themselves.

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
        if path is not None and error.code in ("unknown-rom", "bad-rom-size", "unplayable-rom"):
            error.args = (f"{error} (the ROM was read from {path.absolute()})",)
        raise
