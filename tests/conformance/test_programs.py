"""Small programs, each for a behaviour that games hardly reach, give the same bytes as on ale-py."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import definitions, ours, report, roms
from .ale_trace import Settings
from .compare import compare_files
from .fuzz_program import CYCLES_PER_LINE, HMOVE, NOP, RETURN, WSYNC, Block, Program

COLUBK, NUSIZ0, GRP0, ENAM0, ENABL, HMP0 = 0x09, 0x04, 0x1B, 0x1D, 0x1F, 0x20
INTIM, TIMINT, TIM1T, TIM8T, TIM64T = 0x284, 0x285, 0x294, 0x295, 0x296
# Cycles of a store to page 0. The store is at its end.
STORE = 3


def check(name: str, program: Program, folder: Path) -> None:
    """Fails with the description of the first difference."""
    with roms.disguised(program.rom()) as file, definitions.stand_in() as definition:
        runner = ours.Program(ours.command())
        result = compare_files(name, file, file, definition, [0] * 20, Settings(), runner)
    if result.difference is not None:
        target = report.write(result, folder)
        pytest.fail(f"{(target / 'difference.txt').read_text()}pictures and RAM: {target}", pytrace=False)


def store(register: int, value: int) -> bytes:
    """LDA #value; STA register."""
    return bytes((0xA9, value, 0x85, register))


def wait(cycles: int) -> bytes:
    """Code of so many cycles, 0 or at least 2."""
    calls, rest = divmod(cycles, 12)
    if rest == 1:
        calls, rest = calls - 1, rest + 12
    code = bytes((0x20, RETURN & 0xFF, RETURN >> 8)) * calls  # JSR to an RTS
    if rest % 2 == 1:
        code, rest = code + b"\x24\x80", rest - 3  # BIT $80
    return code + NOP * (rest // 2)


@pytest.mark.parametrize("motion", [0x00, 0x10, 0x70, 0x80, 0xF0])
def test_an_hmove_at_each_cycle_of_a_line_equals_ale(motion: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    objects = [(COLUBK, 0x44), (NUSIZ0, 0x20), (GRP0, 0x81), (GRP0 + 1, 0xFF), (ENAM0, 2), (ENAM0 + 1, 2), (ENABL, 2)]
    motions = [(HMP0 + object, motion) for object in range(5)]
    setup = tuple(store(register, value) for register, value in objects + motions)
    # A wait of one cycle does not exist.
    waits = [0, *range(2, CYCLES_PER_LINE - STORE)]
    strobes = tuple(wsync + wait(cycles) + bytes((0x85, HMOVE)) for cycles in waits)
    lines = (Block(40, (wsync,)), Block(1, setup), Block(1, strobes), Block(140, (wsync,)))
    check(f"hmove-{motion:02x}", Program(lines, b""), tmp_path)


def absolute(opcode: int, address: int) -> bytes:
    """An instruction with an absolute address."""
    return bytes((opcode, address & 0xFF, address >> 8))


@pytest.mark.parametrize(("register", "interval"), [(TIM1T, 1), (TIM8T, 8), (TIM64T, 64)])
@pytest.mark.parametrize("first", [INTIM, TIMINT])
def test_a_timer_that_is_read_around_its_end_equals_ale(first: int, register: int, interval: int, tmp_path: Path) -> None:
    lda, sta = 0xAD, 0x8D
    # Two intervals, then three reads of which the first is at another cycle each time.
    rounds = tuple(
        bytes((0xA9, 2))
        + absolute(sta, register)
        + wait(cycles)
        + b"".join(
            absolute(lda, read) + bytes((0x85, COLUBK)) + absolute(sta, 0x80 + 3 * number + place)
            for place, read in enumerate((first, INTIM, TIMINT))
        )
        for number, cycles in enumerate(range(max(2, 2 * interval - 6), 2 * interval + 14))
    )
    lines = (Block(40, (bytes((0x85, WSYNC)),)), Block(1, rounds), Block(120, (bytes((0x85, WSYNC)),)))
    check(f"timer-{register:x}-{first:x}", Program(lines, b""), tmp_path)
