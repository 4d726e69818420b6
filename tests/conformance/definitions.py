"""Reads and combines game definitions of crates/arcade/games/."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import roms
from .ours import ROOT

GAMES = ROOT / "crates/arcade/games"

# The keys of a definition that identify the cartridge, and the sections with the game's rules.
_IDENTITY = {"md5", "size", "mapper"}
_RULES = {"actions", "modes", "rules"}


def first_line(game: str) -> int:
    """The scanline of the picture's first row. A ROM without a definition has the default, 34."""
    file = GAMES / f"{game}.toml"
    if not file.is_file():
        return 34
    return tomllib.loads(file.read_text()).get("picture", {}).get("first_line", 34)


@contextmanager
def for_ours(game: str) -> Iterator[Path | None]:
    """The definition to run a ROM of the wheel with, or `None` where the catalogue has rules.

    A ROM without rules gets those of `roms.STAND_IN`, as ale-py gives it, and keeps the rest of its own definition.
    """
    if game not in roms.WITHOUT_RULES:
        yield None
        return
    own, stand_in = _sections(game), _sections(roms.STAND_IN)
    parts = [text for name, text in own.items() if name not in _RULES]
    parts += [text for name, text in stand_in.items() if name in _RULES]
    with _file(parts) as path:
        yield path


@contextmanager
def stand_in() -> Iterator[Path]:
    """The definition for a ROM that ale-py does not know: that of `roms.STAND_IN`, without the cartridge's identity."""
    sections = _sections(roms.STAND_IN)
    top = sections[""].splitlines()
    sections[""] = "\n".join(line for line in top if line.partition("=")[0].strip() not in _IDENTITY)
    with _file(sections.values()) as path:
        yield path


def _sections(game: str) -> dict[str, str]:
    """The text of a definition's sections by name. The text before the first section has the name ""."""
    sections: dict[str, list[str]] = {"": []}
    name = ""
    for line in (GAMES / f"{game}.toml").read_text().splitlines():
        if line.startswith("["):
            name = line.strip("[] ")
            sections[name] = []
        sections[name].append(line)
    return {name: "\n".join(lines) for name, lines in sections.items()}


@contextmanager
def _file(parts: Iterator[str] | list[str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gym2600-") as directory:
        path = Path(directory) / "game.toml"
        path.write_text("\n".join(parts) + "\n")
        yield path
