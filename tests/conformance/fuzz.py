"""Runs random programs on both sides and reduces those that differ.

    PYTHONPATH=tests python -m conformance.fuzz [--programs N] [--seed S] [--profiles objects,motion] [--frames N]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import definitions, ours, report, roms
from .ale_trace import Settings
from .compare import PlayResult, compare_files
from .fuzz_program import PROFILES, Program, generate, without
from .play import random_actions


@dataclass(frozen=True)
class Task:
    """A program to compare, given by its profile and seed."""

    profile: str
    seed: int
    frames: int
    folder: Path
    runner: str | None = None

    @property
    def name(self) -> str:
        """The program's name, for the report."""
        return f"{self.profile}-{self.seed}"


def play(program: Program, task: Task) -> PlayResult:
    """Runs a program on both sides, as the same game."""
    rom = program.rom()
    actions = random_actions(task.seed, task.frames)
    runner = ours.Program(ours.command(task.runner))
    with roms.disguised(rom) as file, definitions.stand_in() as definition:
        return compare_files(task.name, file, file, definition, actions, Settings(sticky=0.25), runner)


def run_task(task: Task) -> PlayResult:
    """Compares one program. If it differs, writes the smallest part that still differs."""
    program = generate(task.profile, task.seed)
    result = play(program, task)
    if result.difference is None:
        return result
    smaller = reduce(program, task)
    reduced = play(smaller, task)
    if reduced.difference is None:
        smaller, reduced = program, result
    target = report.write(reduced, task.folder)
    (target / "program.bin").write_bytes(smaller.rom())
    (target / "program.txt").write_text(smaller.listing() + "\n")
    return reduced


def reduce(program: Program, task: Task) -> Program:
    """Removes pieces that the difference does not need: halves of blocks first, then smaller parts."""
    deadline = time.monotonic() + 60
    for block in range(len(program.blocks)):
        size = len(program.blocks[block].pieces)
        while size >= 1 and time.monotonic() < deadline:
            first = 0
            while first < len(program.blocks[block].pieces):
                candidate = without(program, block, first, first + size)
                if play(candidate, task).difference is not None:
                    program = candidate
                else:
                    first += size
            size //= 2
    return program


def tasks(profiles: Sequence[str], seeds: range, frames: int, folder: Path, runner: str | None = None) -> list[Task]:
    """A program of every profile for every seed."""
    return [Task(profile, seed, frames, folder, runner) for seed in seeds for profile in profiles]


def main(arguments: Sequence[str]) -> int:
    """Compares the programs. Returns 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, help="programs of each profile (100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first program (0)")
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--profiles", default=",".join(PROFILES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--runner", choices=("native", "wasm"), default="native")
    parser.add_argument("--output", type=Path, default=Path(tempfile.gettempdir()) / "gym2600-fuzz")
    options = parser.parse_args(arguments)
    seeds = range(options.seed, options.seed + options.programs)
    plays = tasks(options.profiles.split(","), seeds, options.frames, options.output, options.runner)
    different = 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for result in pool.imap_unordered(run_task, plays):
            if result.difference is not None:
                different += 1
                print(f"{result.game}: {result.difference.summary()}", flush=True)
    print(f"{len(plays) - different} of {len(plays)} programs equal over {options.frames} frames each")
    if different:
        print(f"the programs that differ, reduced: {options.output}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
