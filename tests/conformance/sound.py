"""Compares the sound of `gym2600 trace --sound` with ale-py's `getAudio`.

    PYTHONPATH=tests python -m conformance.sound [--frames N] [--seed N] [GAME ...]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import ale_py

from . import ale_trace, definitions, ours, roms
from .ale_trace import Settings
from .fuzz_program import TABLE, WSYNC, Block, Program
from .play import random_actions

# Samples of an action.
SAMPLES = 512

# The registers AUDC0, AUDC1, AUDF0, AUDF1, AUDV0, AUDV1.
SOUND_REGISTERS = range(0x15, 0x1B)


class SoundSettings(Settings):
    """Settings of a trace with sound."""

    def arguments(self) -> list[str]:
        return [*super().arguments(), "--sound"]


@dataclass(frozen=True)
class SoundResult:
    """The result of a play."""

    acts: int
    # Actions with sound in ale-py.
    audible: int
    # The first action whose samples differ. 0 is the reset.
    first_difference: int | None


def load(rom: Path, settings: Settings) -> ale_py.ALEInterface:
    """As `ale_trace.load`, with sound."""
    ale = ale_trace.load(rom, settings)
    # The setting applies to the next load.
    ale.setBool("sound_obs", True)
    ale.loadROM(str(rom))
    if settings.mode is not None:
        ale.setMode(settings.mode)
    if settings.difficulty is not None:
        ale.setDifficulty(settings.difficulty)
    return ale


def ale_checksums(rom: Path, actions: Sequence[int], settings: Settings) -> Iterator[tuple[int, bool]]:
    """Yields the checksum of ale-py's samples and whether they are audible, for each line of a trace."""
    ale = load(rom, settings)

    def line() -> tuple[int, bool]:
        samples = ale.getAudio()
        if samples.size != SAMPLES:
            raise ValueError(f"{samples.size} samples")
        return zlib.crc32(samples.tobytes()), int(samples.max()) != int(samples.min())

    ale.reset_game()
    yield line()
    for action in actions:
        ale.act(action)
        yield line()
        if ale.game_over():
            ale.reset_game()
            yield line()


def compare_files(
    ale_file: Path,
    our_file: Path,
    definition: Path | None,
    actions: Sequence[int],
    settings: SoundSettings,
    program: ours.Program,
) -> SoundResult:
    """Plays on both sides, up to the first difference."""
    lines = program.lines(our_file, actions, settings, definition)
    audible = 0
    act = 0
    try:
        for mine, theirs in zip_longest(lines, ale_checksums(ale_file, actions, settings)):
            fields = json.loads(mine) if mine else {}
            act = fields.get("frame", act + 1)
            if theirs is None or fields.get("sound") != f"{theirs[0]:08x}":
                return SoundResult(act, audible, act)
            audible += theirs[1]
    finally:
        lines.close()
    return SoundResult(act, audible, None)


def compare(game: str, frames: int, settings: SoundSettings, program: ours.Program) -> SoundResult:
    """Compares a random play of a game of the wheel."""
    actions = random_actions((settings.seed, game, "sound"), frames)
    with roms.for_ale(game) as file, definitions.for_ours(game) as definition:
        return compare_files(file, roms.path_of(game), definition, actions, settings, program)


def noise_program(seed: object) -> Program:
    """A program that writes random values to all six registers in every frame."""
    table = random.Random(str(seed)).randbytes(256)
    place = 0x80
    pieces = tuple(
        # INC place; LDX place; LDA TABLE,X; STA register
        bytes((0xE6, place, 0xA6, place, 0xBD, TABLE & 0xFF, TABLE >> 8, 0x85, register))
        for register in SOUND_REGISTERS
    )
    lines = bytes((0x85, WSYNC))
    return Program((Block(1, pieces), Block(255, (lines,))), table)


def compare_noise(seed: object, frames: int, program: ours.Program) -> SoundResult:
    """Compares the sound of a `noise_program`."""
    with roms.disguised(noise_program(seed).rom()) as file, definitions.stand_in() as definition:
        return compare_files(file, file, definition, [0] * frames, SoundSettings(), program)


def main() -> int:
    """Compares the games of the command line, or all. Returns 0 if nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m conformance.sound", description=__doc__)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("games", nargs="*", metavar="GAME")
    options = parser.parse_args()
    program = ours.Program(ours.command())
    different = 0
    for game in options.games or roms.all_games():
        result = compare(game, options.frames, SoundSettings(options.seed, 0.25), program)
        different += result.first_difference is not None
        verdict = "equal" if result.first_difference is None else f"differs from act {result.first_difference} on"
        print(f"{game:24} {result.acts} acts, {result.audible} audible: {verdict}", flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
