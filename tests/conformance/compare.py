"""Compares a play of the console with ale-py, line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

from . import definitions, roms
from .ale_trace import Settings, Trace
from .ours import Program, ProgramFailed


@dataclass(frozen=True)
class State:
    """RAM and screen at a line of the trace."""

    ram: np.ndarray
    screen: np.ndarray


@dataclass(frozen=True)
class Difference:
    """The first line that differs, with both states."""

    line: int
    frame: int
    ours: str
    ale: str
    our_state: State | None
    ale_state: State
    ale_rgb: np.ndarray
    system: str = ""

    def summary(self) -> str:
        """The frame and the names of the values that differ."""
        try:
            mine, theirs = json.loads(self.ours), json.loads(self.ale)
        except ValueError:
            return f"frame {self.frame}: {self.ours.strip() or 'our output ended'}"
        keys = [key for key in theirs if mine.get(key) != theirs[key]]
        keys += [key for key in mine if key not in theirs]
        return f"frame {self.frame}: " + (", ".join(keys) or "the text of the line")


@dataclass(frozen=True)
class PlayResult:
    """The result of one play."""

    game: str
    settings: Settings
    frames: int
    episodes: int
    difference: Difference | None


def compare(game: str, actions: Sequence[int], settings: Settings, program: Program) -> PlayResult:
    """Plays a game of ale-py's wheel on both sides, up to the first difference."""
    with roms.for_ale(game) as file, definitions.for_ours(game) as definition:
        return compare_files(game, file, roms.path_of(game), definition, actions, settings, program)


def compare_files(
    game: str,
    ale_file: Path,
    our_file: Path,
    definition: Path | None,
    actions: Sequence[int],
    settings: Settings,
    program: Program,
) -> PlayResult:
    """As `compare`, with a file for each side."""
    trace = Trace(ale_file, settings)
    # The program runs ahead of ale-py; the pipe buffers its lines.
    ours = program.lines(our_file, actions, settings, definition)
    failure = b""

    def ours_until_failure():
        nonlocal failure
        try:
            yield from ours
        except ProgramFailed as error:
            failure = str(error).encode()

    frame = 0
    try:
        for number, (mine, theirs) in enumerate(
            zip_longest(ours_until_failure(), trace.lines(actions), fillvalue=b""), 1
        ):
            if mine != theirs:
                ale_state = State(trace.ram.copy(), trace.screen.copy())
                try:
                    our_state = _our_state(program, number, our_file, definition, actions, settings, ale_state)
                except ProgramFailed:
                    our_state = None
                frame = json.loads(theirs)["frame"] if theirs else frame
                difference = Difference(
                    line=number,
                    frame=frame,
                    ours=(mine or failure).decode(errors="replace"),
                    ale=theirs.decode(),
                    our_state=our_state,
                    ale_state=ale_state,
                    ale_rgb=trace.ale.getScreenRGB(),
                )
                return PlayResult(game, settings, frame, trace.episodes, difference)
    finally:
        ours.close()
    return PlayResult(game, settings, len(actions), trace.episodes, None)


def _our_state(
    program: Program,
    line: int,
    rom: Path,
    definition: Path | None,
    actions: Sequence[int],
    settings: Settings,
    like: State,
) -> State:
    ram, screen = program.dump(line, rom, actions, settings, definition)
    width = like.screen.shape[1]
    return State(np.frombuffer(ram, np.uint8), np.frombuffer(screen, np.uint8).reshape(-1, width))
