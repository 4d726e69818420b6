"""Programs for cartridges with banks: random accesses to hot spots, to banks of ROM and to RAM on the cartridge.

Every bank has the same code at the same place. The rest is random bytes, which tell the banks apart. The code folds what it
reads into the console's RAM, so a wrong bank shows in the trace.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

VSYNC, WSYNC, COLUBK = 0x00, 0x02, 0x09
FRAME_COUNTER, INDEX = 0xF8, 0xF9
LINES = 262

# Where the code is in a bank of 4 KB. 3F and 3E map the upper half always.
CODE, CODE_END = 0xA20, 0xFD8
# The addresses of the vectors, in which there is no hot spot.
VECTORS = 0xFFC


@dataclass(frozen=True)
class Format:
    """A cartridge format: the size of its files and the addresses that matter."""

    name: str
    size: int
    # Addresses of hot spots, within the console's 13 lines or with further bits.
    spots: Sequence[int] = ()
    # Ranges of addresses that are read, and that are written.
    reads: Sequence[tuple[int, int]] = ((0x1000, 0x1A00),)
    writes: Sequence[tuple[int, int]] = ()
    # Code that tells the format apart. It is not executed.
    signature: bytes = b""
    # Whether the first 256 bytes of every bank of 4 KB are the same.
    superchip: bool = False
    # The bytes of the file that repeat one value.
    uniform: tuple[int, int] = (0, 0)
    # The step between copies of the code.
    bank: int = 4096
    # Stores of a random value to these addresses of page 0 select banks.
    registers: Sequence[int] = ()
    # Bytes behind the banks.
    data: int = 0
    # The first address of the code, where no bank is switched while it runs, and whether only the last bank has it.
    code: int = CODE
    only_last: bool = False


def rom(format: Format, seed: int) -> bytes:
    """The image of a format with random accesses."""
    pick = random.Random(f"{format.name} {format.size} {seed}")
    # Without what marks 3F among the random bytes.
    image = bytearray(pick.randbytes(format.size).replace(b"\x85\x3f", b"\x85\x40"))
    code = _code(format, pick)
    # A file may end within a bank. Its end is what the upper half shows.
    whole = format.size - format.data - format.bank
    for start in [*(() if format.only_last else range(0, whole, format.bank)), whole]:
        # A bank of 2 KB is seen at the lower and at the upper half of the addresses. The code is in the upper one.
        at = start + format.code % format.bank
        image[at : at + len(code)] = code
        vectors = start + VECTORS % format.bank
        address = 0xF000 + format.code
        image[vectors : vectors + 4] = bytes((address & 0xFF, address >> 8)) * 2
        if format.superchip:
            image[start : start + 256] = bytes(256)
    first, end = format.uniform
    image[first:end] = bytes(end - first)
    at = format.code % format.bank - 16
    image[at : at + len(format.signature)] = format.signature
    return bytes(image)


def _absolute(opcode: int, address: int) -> bytes:
    return bytes((opcode, address & 0xFF, address >> 8))


def _code(format: Format, pick: random.Random) -> bytes:
    start = 0xF000 + format.code
    code = bytearray(b"\xd8\xa2\xff\x9a")  # CLD; LDX #$FF; TXS
    frame = start + len(code)
    code += bytes((0xE6, FRAME_COUNTER, 0xA9, 2, 0x85, VSYNC))
    code += bytes((0x85, WSYNC)) * 3
    code += bytes((0xA9, 0, 0x85, VSYNC))
    tail = bytes((0xA2, 200, 0x85, WSYNC, 0xCA, 0xD0, 0xFB)) + _absolute(0x4C, frame)
    while len(code) + 16 + len(tail) < CODE_END - format.code:
        code += _piece(format, pick)
    return bytes(code + tail)


def _address(ranges: Sequence[tuple[int, int]], pick: random.Random) -> int:
    first, end = pick.choice(ranges)
    # The upper three bits count for nothing.
    return pick.randrange(first, end) | pick.choice((0, 0x2000, 0xE000, 0xE000))


def _piece(format: Format, pick: random.Random) -> bytes:
    """An access: to a hot spot, a read, a write or a store to a bank register."""
    cell = pick.randrange(0x80, 0xF0)
    kinds = ["read"] * 4
    kinds += ["spot"] * 3 if format.spots else []
    kinds += ["register"] * 2 if format.registers else []
    kinds += ["write"] * 3 if format.writes else []
    kind = pick.choice(kinds)
    fold = bytes((0x45, cell, 0x85, cell))  # EOR cell; STA cell
    if kind == "spot":
        spot = pick.choice(format.spots) | pick.choice((0, 0x2000, 0xE000, 0xE000))
        access = _absolute(pick.choice((0xAD, 0x8D, 0x2C, 0xCD)), spot) + b"\xaa"  # TAX
        return access + (fold if pick.random() < 0.3 else b"")
    if kind == "register":
        value = bytes((0xA9, pick.randrange(256))) if pick.random() < 0.6 else bytes((0xA5, cell))
        register = pick.choice(format.registers)
        if pick.random() < 0.2:
            return bytes((0xE6, register))  # INC, which reads it too
        store = bytes((0x85, register)) if register < 0x100 and pick.random() < 0.7 else _absolute(0x8D, register)
        return value + store
    if kind == "write":
        value = bytes((0xA9, pick.randrange(256))) if pick.random() < 0.5 else bytes((0xA5, FRAME_COUNTER))
        return value + _absolute(0x8D, _address(format.writes, pick))
    address = _address(format.reads, pick)
    if pick.random() < 0.5:
        return _absolute(0xAD, address) + fold
    return bytes((0xA6, FRAME_COUNTER)) + _absolute(0xBD, address) + fold
