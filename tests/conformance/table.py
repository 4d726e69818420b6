"""The result of a run as a table: on the terminal, and between two markers of a Markdown file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

BEGIN = "<!-- conformance: begin (written by scripts/conformance --write-table) -->"
END = "<!-- conformance: end -->"


@dataclass
class Row:
    """What was found in one game."""

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
    """The sum of it in a sentence."""
    equal = sum(not row.differences for row in rows)
    frames = sum(row.frames for row in rows)
    episodes = sum(row.episodes for row in rows)
    return f"{equal} of {len(rows)} ROMs equal over {frames:,} frames and {episodes:,} ended episodes"


def markdown(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The table for the README: a line for all that is equal, and one for each game that is not."""
    scope = "every mode and difficulty" if options.modes else "default mode"
    lines = [
        "| ROMs | plays | frames | ended episodes | compared with ale-py 0.12.1 |",
        "|---|---|---|---|---|",
    ]
    equal = [row for row in rows if not row.differences]
    if equal:
        lines.append(_markdown_row(f"{len(equal)} of {len(rows)}", equal, "every byte equal"))
    lines += [_markdown_row(row.game, [row], row.result()) for row in rows if row.differences]
    return "\n".join([*lines, "", f"`{options.command_line}` ({options.runner} build, {scope}, seed {options.seed})"])


def _markdown_row(name: str, rows: Sequence[Row], result: str) -> str:
    plays, frames = sum(row.plays for row in rows), sum(row.frames for row in rows)
    return f"| {name} | {plays} | {frames:,} | {sum(row.episodes for row in rows):,} | {result} |"


def write(path: Path, rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Replaces what is between the markers of a file."""
    before, begin, rest = path.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks the lines {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n{markdown(rows, options)}\n{END}{after}")
