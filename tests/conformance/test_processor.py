"""Programs that try every opcode, every sum in decimal mode and every port with many values give the same bytes as on ale-py."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .fuzz_program import FRAME_COUNTER, JAMS, MODE, TABLE, WSYNC, Block, Program
from .test_programs import COLUBK, absolute, check

CLC, SEC, CLD, SED, PHP, PLP, PHA, PLA, TXA, TYA, TSX, TXS = b"\x18\x38\xd8\xf8\x08\x28\x48\x68\x8a\x98\xba\x9a"
ASL, INX = 0x0A, 0xE8
FLOW = (0x00, 0x20, 0x40, 0x60, 0x4C, 0x6C, 0x08, 0x28, 0x48, 0x68, 0x9A)
OF_STACK = (0x9B, 0xBB)
OPCODES = [code for code in range(256) if code not in (*JAMS, *FLOW) and MODE[code] != "rel"]
# Instructions of the first part write to RAM from 0x80 on. Results are folded into the cells after them, before the pointers.
CELLS, POINTERS = 0xB8, 0xF0
# RAM in the console's mirrors. The high byte of the address, plus one, is in what the unstable stores write.
RAM_MIRROR = 0xED80


def fold(cell: int) -> bytes:
    """EOR cell; STA cell."""
    return bytes((0x45, cell, 0x85, cell))


def operand(code: int, pick: random.Random) -> tuple[bytes, bytes]:
    """The operand of an opcode, and code that sets X and Y, which differ in each frame where an address allows it."""
    mode = MODE[code]
    any_index = bytes((0xA6, FRAME_COUNTER, 0xA5, FRAME_COUNTER, 0x49, pick.randrange(256), 0xA8))  # LDX; LDA; EOR; TAY
    low_index = bytes((0xA5, FRAME_COUNTER, 0x29, 0x0F, 0xAA, 0x49, pick.randrange(16), 0xA8))  # LDA; AND #15; TAX; EOR; TAY
    to_ram = pick.randrange(0x80, 0xA0)
    if mode == "imp":
        return b"", any_index
    if mode == "imm":
        return bytes((pick.randrange(256),)), any_index
    if mode == "zp":
        return bytes((to_ram,)), any_index
    if mode == "indx":
        index = pick.randrange(256)
        return bytes((POINTERS - index & 0xFF,)), bytes((0xA2, index, 0xA4, FRAME_COUNTER))
    if mode == "indy":
        return bytes((POINTERS,)), low_index
    if mode in ("zpx", "zpy"):
        return bytes((to_ram,)), low_index
    # Opcodes that only load may cross a page of the table.
    if code >> 5 == 5 or code >> 6 in (0, 1, 3) and code & 3 == 1:
        address = TABLE + pick.randrange(0x100)
        return bytes((address & 0xFF, address >> 8)), any_index
    address = RAM_MIRROR + pick.randrange(0x20)
    return bytes((address & 0xFF, address >> 8)), low_index


def trial(code: int, cell: int, pick: random.Random) -> bytes:
    """Runs an opcode with registers that differ in each frame. Folds the registers and flags into RAM, and shows A when it is done."""
    parameters, indices = operand(code, pick)
    flags = pick.randrange(256) & ~0x04
    set_a = bytes((0xA5, FRAME_COUNTER, 0x49, pick.randrange(256)))
    if code in OF_STACK:
        stack = bytes((0xA2, pick.randrange(256), TXS))
        results = fold(cell) + bytes((TXA,)) + fold(cell + 1) + bytes((TSX, TXA)) + fold(cell + 2) + bytes((0xA2, 0xFF, TXS))
        return stack + indices + set_a + bytes((code,)) + parameters + results
    restore = bytes((0xA9, flags, PHA)) + set_a + bytes((PLP, code)) + parameters
    results = bytes((PHP, CLD)) + fold(cell) + bytes((PLA,)) + fold(cell + 1)
    rest = bytes((TXA,)) + fold(cell + 2) + bytes((TYA,)) + fold(cell + 3) + bytes((0x85, COLUBK))
    return indices + restore + results + rest


@pytest.mark.parametrize("part", range(8))
def test_every_opcode_equals_ale(part: int, tmp_path: Path) -> None:
    pick = random.Random(part)
    # 0xA4 in the mirror of RAM, for the opcodes with a pointer.
    pointers = b"".join(bytes((0xA9, byte, 0x85, POINTERS + place)) for place, byte in enumerate((0xA4, RAM_MIRROR >> 8)))
    codes = [*OPCODES, *pick.sample(OPCODES, len(OPCODES))][part::8]
    cells = [CELLS + 4 * place for place in range((POINTERS - CELLS) // 4)]
    trials = tuple(trial(code, pick.choice(cells), pick) for code in codes)
    wsync = (bytes((0x85, WSYNC)),)
    lines = (Block(40, wsync), Block(1, (pointers, *trials)), Block(90, wsync))
    check(f"opcodes-{part}", Program(lines, pick.randbytes(0x1F0)), tmp_path)


@pytest.mark.parametrize("carry", [CLC, SEC])
@pytest.mark.parametrize(
    ("name", "instruction"),
    [("adc", "6582"), ("sbc", "e582"), ("rra", "6782"), ("isb", "e782"), ("arr", "6bff")],
)
def test_every_sum_in_decimal_mode_equals_ale(name: str, instruction: str, carry: int, tmp_path: Path) -> None:
    # The operand in RAM is the frame's number, and A runs over all values. Two sums of the results and the flags depend on their order.
    operand, value, flags = 0x82, 0x80, 0x81
    rotate = bytes((ASL, 0x69, 0))
    # ADC folds: differences that repeat with a digit of A would cancel each other in EOR.
    result = bytes((PHP, CLD, 0x65, value, *rotate, 0x85, value, PLA, 0x65, flags, *rotate, 0x85, flags, INX))
    loop = bytes((SED, carry, TXA)) + bytes.fromhex(instruction) + result
    start = bytes((0xA5, FRAME_COUNTER, 0x85, operand, 0xA2, 0))
    sums = start + loop + bytes((0xD0, -len(loop) - 2 & 0xFF))
    lines = (Block(1, (sums,)), Block(60, (bytes((0x85, WSYNC)),)))
    check(f"{name}-{carry:x}", Program(lines, b""), tmp_path, frames=256)


@pytest.mark.parametrize("part", range(4))
def test_every_address_of_the_ports_and_the_timer_equals_ale(part: int, tmp_path: Path) -> None:
    pick = random.Random(part)
    addresses = [0x280 + offset | pick.choice((0, 0x2000, 0xC40)) for offset in range(0x20)]
    pick.shuffle(addresses)
    cells = range(0x80, FRAME_COUNTER)
    writes = tuple(
        bytes((0xA5, FRAME_COUNTER, 0x49, pick.randrange(256)))
        + absolute(0x8D, address)
        + b"".join(absolute(0xAD, 0x280 + pick.randrange(8)) + fold(pick.choice(cells)) for _ in range(5))
        for address in addresses
    )
    wsync = (bytes((0x85, WSYNC)),)
    check(f"ports-{part}", Program((Block(40, wsync), Block(1, writes), Block(150, wsync)), b""), tmp_path)
