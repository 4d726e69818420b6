"""Programs for the Megacart: random writes to its registers, and accesses to ROM, to both ports of its RAM and to the reset vector.

Every bank of ROM has the same code at the same place, so the code goes on whatever bank of ROM its segment shows. The rest is random bytes. Other
segments show RAM too, and some code runs there. A program selects all four banks first: before,
ale-py has in the registers what its memory held.
"""

from __future__ import annotations

import random

from .banked_program import FRAME_COUNTER, LINES

SEGMENT, SEGMENTS, BANKS, RAM_BANK = 1024, 4, 128, 512
REGISTERS, ROM = 0x3C, 0x80
# The TIA's registers behind those addresses that the cartridge hides.
VSYNC, WSYNC = 0x40, 0x42
# Where the code is in a bank.
CODE, CODE_END = 0x080, 0x3E0
VECTORS = 0x3FC
START = 0xFC00 + CODE


def megacart(segment: int, seed: int) -> bytes:
    """A file whose code goes on in a segment. It starts in the last one."""
    pick = random.Random(f"MC {segment} {seed}")
    # Two stores to 0x3F of page 0 would tell 3F.
    image = bytearray(pick.randbytes(BANKS * SEGMENT).replace(b"\x85\x3f", b"\x85\x3c"))
    code = _code(segment, pick)
    for bank in range(0, len(image), SEGMENT):
        image[bank + CODE : bank + CODE + len(code)] = code
        image[bank + VECTORS : bank + VECTORS + 4] = START.to_bytes(2, "little") * 2
    return bytes(image)


def _absolute(opcode: int, address: int) -> bytes:
    return bytes((opcode, address & 0xFF, address >> 8))


def _register(segment: int, value: bytes) -> bytes:
    """Stores what the code leaves in A to the register of a segment."""
    return value + _absolute(0x8D, REGISTERS + segment)


def _code(segment: int, pick: random.Random) -> bytes:
    code = bytearray(b"\xd8\xa2\xff\x9a")  # CLD; LDX #$FF; TXS
    for each in range(SEGMENTS):
        rom = ROM if each == segment or pick.random() < 0.5 else 0
        code += _register(each, bytes((0xA9, pick.randrange(128) | rom)))
    first = 0xF000 + segment * SEGMENT + CODE
    frame = first + len(code) + 3
    code += _absolute(0x4C, frame)
    code += bytes((0xE6, FRAME_COUNTER, 0xA9, 2, 0x85, VSYNC))
    code += bytes((0x85, WSYNC)) * 3
    code += bytes((0xA9, 0, 0x85, VSYNC))
    tail = bytes((0xA2, LINES - 62, 0x85, WSYNC, 0xCA, 0xD0, 0xFB)) + _absolute(0x4C, frame)
    while len(code) + 64 + len(tail) < CODE_END - CODE:
        code += _piece(segment, first + len(code), pick)
    return bytes(code + tail)


def _piece(segment: int, here: int, pick: random.Random) -> bytes:
    """A store to a register, a read, a write, an access around the reset vector, or code in RAM."""
    cell = pick.randrange(0x80, 0xF0)
    fold = bytes((0x45, cell, 0x85, cell))  # EOR cell; STA cell
    value = bytes((0xA9, pick.randrange(256))) if pick.random() < 0.6 else bytes((0xA5, cell))
    any_address = pick.randrange(0x1000, 0x2000) | pick.choice((0, 0x2000, 0xE000, 0xE000))
    match pick.choices(("register", "read", "indexed", "write", "modify", "vector", "run"), (6, 6, 4, 6, 2, 3, 1))[0]:
        case "register":
            other = pick.randrange(SEGMENTS)
            keep = bytes((0x09, ROM)) if other == segment else b""  # ORA #$80
            return _register(other, value + keep)
        case "read":
            return _absolute(pick.choice((0xAD, 0xCD, 0x2C)), any_address) + fold
        case "indexed":
            return bytes((0xA6, FRAME_COUNTER)) + _absolute(0xBD, any_address & 0xFEFF) + fold
        case "write":
            return value + _absolute(0x8D, any_address)
        case "modify":
            return _absolute(pick.choice((0xEE, 0x0E, 0x6E)), any_address)  # INC, ASL, ROR
        case "vector":
            return _absolute(pick.choice((0xAD, 0x8D, 0x2C)), pick.randrange(0xFFFA, 0x10000)) + fold
        case _:
            return _run(pick.choice([other for other in range(SEGMENTS) if other != segment]), here, cell, pick)


def _run(segment: int, here: int, cell: int, pick: random.Random) -> bytes:
    """Writes code to a bank of RAM and runs it there."""
    store = _register(segment, bytes((0xA9, pick.randrange(128))))
    # LDA #; EOR cell; STA cell; JMP to what follows the piece.
    length = len(store) + 9 * 5 + 3
    routine = bytes((0xA9, pick.randrange(256), 0x45, cell, 0x85, cell)) + _absolute(0x4C, here + length)
    port = 0xF000 + segment * SEGMENT + pick.randrange(RAM_BANK - 16)
    for at, byte in enumerate(routine):
        store += bytes((0xA9, byte)) + _absolute(0x8D, port + at)
    return store + _absolute(0x4C, port + RAM_BANK)
