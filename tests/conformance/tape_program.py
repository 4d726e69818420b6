"""Tapes of the Supercharger: programs with random bank switches, which load each other.

The code is at the same place of all three banks of RAM and is seen at the lower half of the addresses. The rest is
random bytes. No program reads the Supercharger's ROM, whose bytes are ale-py's own.
"""

from __future__ import annotations

import random

from .banked_program import LINES, VSYNC, WSYNC

VBLANK, COLUBK = 0x01, 0x09
BANK, BANKS, PAGE = 2048, 3, 256
FRAME_COUNTER = 0xF4
# Where the code is in a bank: behind the page whose accesses keep a byte, and before one of random bytes.
CODE, CODE_END = 0x100, 0x700
# Control bytes by their bits 4 to 2: RAM at both halves, and the ROM at the upper one.
RAM_ONLY, WITH_ROM = (2, 3, 6, 7), (0, 1, 4, 5)
KEEP, SELECT, LOAD = 0xF000, 0xFFF8, 0xF800
# The number of no load. It leaves the RAM as it is, and is taken for the control byte: it shows RAM too.
MISSING = 0x1C
# Program frames between two loads.
PERIOD = 32


def tape(loads: int, seed: int) -> bytes:
    """A tape of some loads. The first to start is the one with the number 0, which is the last of the file."""
    pick = random.Random(f"AR {loads} {seed}")
    return b"".join(_load(number, loads, pick) for number in reversed(range(loads)))


def _load(number: int, loads: int, pick: random.Random) -> bytes:
    banks = [bytearray(pick.randbytes(BANK)) for _ in range(BANKS)]
    code = _code(pick.choice((*range(loads), MISSING)), pick)
    for bank in banks:
        bank[CODE : CODE + len(code)] = code
    places = [page << 2 | bank for page in range(BANK // PAGE) for bank in range(BANKS)]
    pick.shuffle(places)
    pages = [banks[place & 3][(place >> 2) * PAGE :][:PAGE] for place in places]
    start = KEEP + CODE
    header = bytearray((start & 0xFF, start >> 8, _control(RAM_ONLY, pick), len(pages), 0, number, 0x42, 0x02))
    header[4] = (0x55 - sum(header)) & 0xFF
    sums = bytes((0x55 - sum(page) - place) & 0xFF for page, place in zip(pages, places, strict=True))
    header = (header.ljust(16, b"\0") + bytes(places)).ljust(64, b"\0") + sums
    return (b"".join(pages).ljust(4 * BANK, b"\0") + header).ljust(8448, b"\0")


def _control(banks: tuple[int, ...], pick: random.Random) -> int:
    """A control byte that shows these banks, with writes enabled or not."""
    return pick.randrange(8) << 5 | pick.choice(banks) << 2 | pick.randrange(4)


def _absolute(opcode: int, address: int) -> bytes:
    return bytes((opcode, address & 0xFF, address >> 8))


def _code(next_load: int, pick: random.Random) -> bytes:
    start = KEEP + CODE
    # What a load leaves is stored first: A, X, Y, the timer, and a byte of the lower bank.
    # The upper half may show the ROM until banks are selected.
    code = bytearray((0x85, 0xA0, 0x86, 0xA1, 0x84, 0xA2, 0xAD, 0x84, 0x02, 0x85, 0xA3, 0xD8, 0xA9, 0x36, 0x85, COLUBK))
    code += _absolute(0xAD, KEEP + CODE_END) + bytes((0x85, 0xF5)) + _absolute(0xCD, SELECT)
    code += _absolute(0xCD, KEEP | _control(RAM_ONLY, pick)) + _absolute(0xCD, SELECT)
    frame = start + len(code)
    code += bytes((0xE6, FRAME_COUNTER, 0xA9, 2, 0x85, VSYNC))
    code += bytes((0x85, WSYNC)) * 3
    code += bytes((0xA9, 0, 0x85, VSYNC, 0x85, VBLANK))
    # The pieces come behind a load, so that it comes at any cycle of a line.
    jump = bytes((0xA9, next_load, 0x85, 0xFA)) + _absolute(0xCD, SELECT)
    jump += _absolute(0xCD, KEEP | _control(WITH_ROM, pick)) + _absolute(0xCD, SELECT) + _absolute(0x4C, LOAD)
    lines = pick.randrange(20, LINES - 40)
    tail = bytes((0xA2, lines, 0x85, WSYNC, 0xCA, 0xD0, 0xFB, 0xA5, FRAME_COUNTER, 0x29, PERIOD - 1, 0xD0, len(jump)))
    tail += jump + bytes((0xA2, LINES - 40 - lines, 0x85, WSYNC, 0xCA, 0xD0, 0xFB)) + _absolute(0x4C, frame)
    while len(code) + 16 + len(tail) < CODE_END - CODE:
        code += _piece(pick)
    return bytes(code + tail)


def _piece(pick: random.Random) -> bytes:
    """An access: one that keeps a byte, one that selects banks, a read or a write."""
    opcode = pick.choice((0xAD, 0x8D, 0x2C, 0xCD))
    cell = pick.randrange(0xA4, 0xF4)
    match pick.choice(("keep", "keep", "select", "read", "read", "write")):
        case "keep":
            return _absolute(opcode, KEEP | _control(RAM_ONLY, pick))
        case "select":
            return _absolute(opcode, SELECT)
        case "write":
            return _absolute(0x8D, pick.randrange(KEEP + CODE, 0x10000))
    fold = bytes((0x45, cell, 0x85, cell))  # EOR cell; STA cell
    return _absolute(0xAD, pick.randrange(KEEP + CODE, 0x10000)) + fold
