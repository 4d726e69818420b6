"""The lines of `gym2600 trace`, made by ale-py: the reference of the conformance suite.

It is also a program, to compare by hand:

    PYTHONPATH=tests python -m conformance.ale_trace ROM ACTIONS [--seed N] [--sticky P] [--mode M] [--difficulty D]
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import ale_py
import numpy as np

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)


@dataclass(frozen=True)
class Settings:
    """The settings of a trace."""

    seed: int = 0
    sticky: float = 0.0
    mode: int | None = None
    difficulty: int | None = None

    def arguments(self) -> list[str]:
        """The settings as options of `gym2600 trace`."""
        options = ["--seed", str(self.seed), "--sticky", str(self.sticky)]
        if self.mode is not None:
            options += ["--mode", str(self.mode)]
        if self.difficulty is not None:
            options += ["--difficulty", str(self.difficulty)]
        return options


def load(rom: Path, settings: Settings) -> ale_py.ALEInterface:
    """A new console with the ROM, mode and difficulty, before the first `reset_game`."""
    ale = ale_py.ALEInterface()
    # ALE keeps the seed as a signed number of 32 bits.
    ale.setInt("random_seed", settings.seed - (1 << 32) if settings.seed >= 1 << 31 else settings.seed)
    ale.setFloat("repeat_action_probability", settings.sticky)
    ale.loadROM(str(rom))
    if settings.mode is not None:
        ale.setMode(settings.mode)
    if settings.difficulty is not None:
        ale.setDifficulty(settings.difficulty)
    return ale


class Trace:
    """The lines of a trace. The console, its RAM and its screen can be read after each line."""

    def __init__(self, rom: Path, settings: Settings) -> None:
        self.ale = load(rom, settings)
        self.episodes = 0
        self.ram = np.zeros(self.ale.getRAMSize(), np.uint8)
        self.screen = np.zeros(self.ale.getScreenDims(), np.uint8)

    def lines(self, actions: Iterable[int]) -> Iterator[bytes]:
        """Plays the actions and yields the lines, each with its line feed."""
        ale = self.ale
        ale.reset_game()
        yield self._line(0, 0, b',"reset":true')
        for frame, action in enumerate(actions, 1):
            reward = ale.act(action)
            yield self._line(frame, reward, b"")
            if ale.game_over():
                self.episodes += 1
                ale.reset_game()
                yield self._line(frame, 0, b',"reset":true')

    def _line(self, frame: int, reward: int, reset: bytes) -> bytes:
        ale = self.ale
        ale.getRAM(self.ram)
        ale.getScreen(self.screen)
        return b'{"frame":%d,"reward":%d,"lives":%d,"over":%s,"ram":"%08x","screen":"%08x"%s}\n' % (
            frame,
            reward,
            ale.lives(),
            b"true" if ale.game_over() else b"false",
            zlib.crc32(self.ram),
            zlib.crc32(self.screen),
            reset,
        )


def main() -> None:
    """Prints the trace of the command line's arguments."""
    parser = argparse.ArgumentParser(description="the lines of `gym2600 trace`, from ale-py")
    parser.add_argument("rom", type=Path)
    parser.add_argument("actions", type=Path, help="ALE's action numbers, one a line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sticky", type=float, default=0.0)
    parser.add_argument("--mode", type=int)
    parser.add_argument("--difficulty", type=int)
    options = parser.parse_args()
    settings = Settings(options.seed, options.sticky, options.mode, options.difficulty)
    actions = [int(line) for line in options.actions.read_text().split()]
    for line in Trace(options.rom, settings).lines(actions):
        sys.stdout.buffer.write(line)


if __name__ == "__main__":
    main()
