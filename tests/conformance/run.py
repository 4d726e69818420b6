"""`scripts/conformance`: plays the ROMs of ale-py's wheel in this console and in ale-py and compares them."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import checkout
from limits import HANG_SECONDS

from . import ours, report, roms, table
from .ale_trace import Settings, load
from .compare import PlayResult, compare
from .play import random_actions

# Far more than a play takes on an idle machine.
SECONDS_PER_FRAME = 0.01


@dataclass(frozen=True)
class Task:
    """One play to compare."""

    game: str
    frames: int
    play_seed: object
    settings: Settings
    runner: str
    folder: Path


def run_task(task: Task) -> PlayResult:
    """Compares one play. Writes a report if it differs."""
    program = ours.Program(ours.command(task.runner))
    actions = random_actions(task.play_seed, task.frames)
    result = compare(task.game, actions, task.settings, program)
    if result.difference is not None:
        report.write(result, task.folder)
    return result


def modes_and_difficulties(game: str) -> list[tuple[int, int]]:
    """All combinations of ale-py for the game."""
    with roms.for_ale(game) as file:
        ale = load(file, Settings())
        return [(mode, level) for mode in ale.getAvailableModes() for level in ale.getAvailableDifficulties()]


def tasks(options: argparse.Namespace) -> list[Task]:
    """The plays that the options select."""
    found = []
    for game in options.games:
        combinations = modes_and_difficulties(game) if options.modes else [(None, None)]
        for number, (mode, level) in enumerate(combinations):
            # Each combination has a seed of its own, so that together they cover more.
            settings = Settings(options.seed + number, options.sticky, mode, level)
            play_seed = (options.seed, game, mode, level)
            found.append(Task(game, options.frames, play_seed, settings, options.runner, options.output))
    return found


class RunFailed(Exception):
    """A process died or hangs. The message has the name of the ROM and what the process said."""


def check_loads(game: str) -> None:
    """Loads a game's ROM in ale-py in a process of its own, because ale-py ends the process with a ROM that it refuses."""
    with roms.for_ale(game) as file:
        command = [sys.executable, "-m", "conformance.ale_trace", str(file), os.devnull]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    if done.returncode != 0:
        raise RunFailed(f"{game}: ale-py ends with status {done.returncode} when it loads the ROM:\n{done.stderr.strip()}")


def results_of(plays: Sequence[Task], jobs: int) -> Iterator[PlayResult]:
    """Compares the plays in several processes and yields each result as it comes."""
    longest = HANG_SECONDS + SECONDS_PER_FRAME * max((play.frames for play in plays), default=0)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(run_task, play): play for play in plays}
        try:
            while waiting:
                done, _ = wait(waiting, longest, FIRST_COMPLETED)
                if not done:
                    raise RunFailed(f"no play has ended for {longest:.0f} s")
                for future in done:
                    yield future.result()
                    del waiting[future]
        except BrokenExecutor:
            for game in dict.fromkeys(play.game for play in waiting.values()):
                check_loads(game)
            raise
        finally:
            for process in multiprocessing.active_children():
                process.kill()


def by_game(results: Sequence[PlayResult]) -> list[table.Row]:
    """One row of the table for each game."""
    rows: dict[str, table.Row] = {}
    for result in results:
        row = rows.setdefault(result.game, table.Row(result.game))
        row.plays += 1
        row.frames += result.frames
        row.episodes += result.episodes
        if result.difference is not None:
            row.differences.append(describe(result))
    return [rows[game] for game in sorted(rows)]


def describe(result: PlayResult) -> str:
    """The difference of a play in one line."""
    assert result.difference is not None
    where = result.difference.summary()
    if result.settings.mode is None:
        return where
    return f"mode {result.settings.mode}, difficulty {result.settings.difficulty}: {where}"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__)
    parser.add_argument("--frames", type=int, default=3000, help="actions to play in every game (3000)")
    parser.add_argument("--seed", type=int, help="seed of the actions and of the console (the date)")
    parser.add_argument("--sticky", type=float, default=0.25, help="probability of a sticky action (0.25)")
    parser.add_argument("--games", help="names of ROMs with commas between them (all)")
    parser.add_argument("--modes", action="store_true", help="play every mode with every difficulty")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (as many as processors)")
    parser.add_argument("--runner", choices=("native", "wasm"), default="native", help="the build to test (native)")
    parser.add_argument(
        "--output", type=Path, default=ours.ROOT / "target" / "conformance", help="where differences are written"
    )
    parser.add_argument("--write-table", type=Path, metavar="FILE", help="write the result between FILE's markers")
    options = parser.parse_args(arguments)
    known = roms.all_games()
    options.games = options.games.split(",") if options.games else known
    unknown = [game for game in options.games if game not in known]
    if unknown:
        parser.error(f"no ROM of ale-py's wheel: {', '.join(unknown)}")
    if options.seed is None:
        options.seed = int(time.strftime("%Y%m%d"))
    options.commit = checkout.commit()
    options.command_line = " ".join(["scripts/conformance", *arguments])
    return options


def main(arguments: Sequence[str]) -> int:
    """Runs the comparison. Returns 0 if nothing differs, 1 if something does, 2 if it cannot go on."""
    options = parse(arguments)
    ours.command(options.runner)  # fails here, and not in every process, if the program is missing
    shutil.rmtree(options.output, ignore_errors=True)
    plays = tasks(options)
    print(f"{len(plays)} plays of {options.frames} frames, seed {options.seed}, sticky {options.sticky}", flush=True)
    started = time.monotonic()
    results = []
    try:
        for result in results_of(plays, options.jobs):
            results.append(result)
            if result.difference is not None:
                print(f"{result.game}: {describe(result)}", flush=True)
    except RunFailed as failure:
        print(failure, file=sys.stderr)
        return 2
    rows = by_game(results)
    print(table.text(rows))
    print(table.total(rows), f"in {time.monotonic() - started:.0f} s")
    different = any(row.differences for row in rows)
    if different:
        print(f"pictures, RAM and beam position of the differences: {options.output}")
    if options.write_table:
        table.write(options.write_table, rows, options)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
