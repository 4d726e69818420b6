"""The result of a run as a table: on the terminal, and between the markers of a Markdown file."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import marked

from . import definitions

MARKERS = marked.markers("conformance", "scripts/conformance")


@dataclass
class Row:
    """The result of one game."""

    game: str
    plays: int = 0
    frames: int = 0
    episodes: int = 0
    differences: list[str] = field(default_factory=list)

    def result(self) -> str:
        """`equal`, or the first difference and how many there are."""
        if not self.differences:
            return "equal"
        more = f" (and {len(self.differences) - 1} more)" if len(self.differences) > 1 else ""
        return f"DIFFERENT: {self.differences[0]}{more}"


def text(rows: Sequence[Row]) -> str:
    """The table for a terminal."""
    lines = [f"{'game':<20} {'plays':>5} {'frames':>8} {'episodes':>8}  result"]
    lines += [f"{row.game:<20} {row.plays:>5} {row.frames:>8} {row.episodes:>8}  {row.result()}" for row in rows]
    return "\n".join(lines)


def total(rows: Sequence[Row]) -> str:
    """The totals in a sentence."""
    equal = sum(not row.differences for row in rows)
    frames = sum(row.frames for row in rows)
    episodes = sum(row.episodes for row in rows)
    return f"{equal} of {len(rows)} ROMs equal over {frames:,} frames and {episodes:,} ended episodes"


def markdown(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The table for docs/conformance.md: a line for each kind of cartridge with its equal ROMs, and one for each other ROM."""
    scope = "every mode and difficulty" if options.modes else "default mode"
    lines = [
        f"{total(rows)}: `{options.command_line}`",
        f"(commit {options.commit}, {options.runner} build, {scope}, seed {options.seed}, sticky actions {options.sticky}).",
        "",
        "| cartridge | ROMs | frames of each | ended episodes | different frames |",
        "|---|---|---|---|---|",
    ]
    equal: dict[str, list[Row]] = {}
    for row in rows:
        if not row.differences:
            equal.setdefault(cartridge(row.game), []).append(row)
    lines += [_markdown_row(kind, group, "0") for kind, group in sorted(equal.items())]
    lines += [_markdown_row(cartridge(row.game), [row], row.result()) for row in rows if row.differences]
    return "\n".join(lines)


def cartridge(game: str) -> str:
    """The mapper of a game's cartridge, from its definition."""
    return str(tomllib.loads((definitions.GAMES / f"{game}.toml").read_text())["mapper"])


def _markdown_row(kind: str, rows: Sequence[Row], result: str) -> str:
    lengths = sorted({row.frames for row in rows})
    if len(lengths) == 1:
        names, frames = ", ".join(row.game for row in rows), f"{lengths[0]:,}"
    else:
        names = ", ".join(f"{row.game} ({row.frames:,})" for row in rows)
        frames = f"{lengths[0]:,} to {lengths[-1]:,}"
    return f"| {kind} | {len(rows)}: {names} | {frames} | {sum(row.episodes for row in rows):,} | {result} |"


def write(path: Path, rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Replaces the table between the markers of a file."""
    marked.write(path, {MARKERS: markdown(rows, options)})
