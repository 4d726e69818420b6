"""Random programs for the console, which reach behaviour that the games of the wheel do not.

A program is a frame loop around blocks of random instructions. Blocks repeat so that a frame has about 262 lines. Each piece of
a block can be removed, so that a program that differs can be reduced.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

# TIA registers that the generator treats separately.
VSYNC, WSYNC, RSYNC = 0x00, 0x02, 0x03
HMOVE, HMCLR, CXCLR = 0x2A, 0x2B, 0x2C
POSITION_STROBES = range(0x10, 0x15)
GRAPHICS = (0x0D, 0x0E, 0x0F, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F)
SHAPES = (0x04, 0x05, 0x0A, 0x0B, 0x0C, 0x25, 0x26, 0x27, 0x28, 0x29)
COLOURS = range(0x06, 0x0A)
MOTIONS = range(0x20, 0x25)

# RAM of the program itself: the number of the frame, and the repetitions left of the block.
FRAME_COUNTER, BLOCK_COUNTER = 0xF8, 0xF9

START, ROUTINES, TABLE = 0xF000, 0xFD00, 0xFE00
RETURN, INTERRUPT = ROUTINES, ROUTINES + 0x10

LINES, CYCLES_PER_LINE = 262, 76

NOP = b"\xea"


@dataclass(frozen=True)
class Block:
    """Pieces of code that run `repeat` times in a frame."""

    repeat: int
    pieces: tuple[bytes, ...]


@dataclass(frozen=True)
class Program:
    """A program before it is assembled."""

    blocks: tuple[Block, ...]
    table: bytes
    vertical_sync_lines: int = 3

    def rom(self) -> bytes:
        """The image of 4 KB."""
        code = bytearray(b"\xd8\xa2\xff\x9a")  # CLD; LDX #$FF; TXS
        frame = START + len(code)
        code += bytes((0xE6, FRAME_COUNTER, 0xA9, 2, 0x85, VSYNC))
        code += bytes((0x85, WSYNC)) * self.vertical_sync_lines
        code += bytes((0xA9, 0, 0x85, VSYNC, 0xA2, 0xFF, 0x9A))
        for block in self.blocks:
            code += bytes((0xA9, block.repeat, 0x85, BLOCK_COUNTER))
            again = START + len(code)
            code += b"".join(block.pieces)
            code += bytes((0xC6, BLOCK_COUNTER, 0xF0, 3)) + jump(again)
        code += jump(frame)
        if len(code) > ROUTINES - START:
            raise ValueError(f"{len(code)} bytes of code are too many")
        image = bytearray(NOP * 4096)
        image[: len(code)] = code
        image[RETURN - START] = 0x60  # RTS
        image[INTERRUPT - START] = 0x40  # RTI
        image[TABLE - START : TABLE - START + len(self.table)] = self.table
        image[0xFFC:0x1000] = bytes((START & 0xFF, START >> 8, INTERRUPT & 0xFF, INTERRUPT >> 8))
        return bytes(image)

    def listing(self) -> str:
        """The blocks as hexadecimal text."""
        lines = []
        for block in self.blocks:
            lines.append(f"{block.repeat} times")
            lines += [f"  {piece.hex(' ')}" for piece in block.pieces]
        return "\n".join(lines)


def jump(address: int) -> bytes:
    """JMP address."""
    return bytes((0x4C, address & 0xFF, address >> 8))


# Addressing modes by the low five bits of an opcode, with the exceptions below.
_MODES = (
    "imp indx imm indx zp zp zp zp imp imm imp imm abs abs abs abs "
    "rel indy imp indy zpx zpx zpx zpx imp aby imp aby abx abx abx abx"
).split()
_EXCEPTIONS = {
    **dict.fromkeys((0x02, 0x22, 0x42, 0x62), "imp"),
    **dict.fromkeys((0x80, 0xA0, 0xC0, 0xE0), "imm"),
    **dict.fromkeys((0x96, 0x97, 0xB6, 0xB7), "zpy"),
    **dict.fromkeys((0x9E, 0x9F, 0xBE, 0xBF), "aby"),
    0x20: "abs",
}
MODE = {code: _EXCEPTIONS.get(code, _MODES[code & 0x1F]) for code in range(256)}

JAMS = (0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2)
# Instructions that change the flow or the stack, which only some methods emit. A program that runs in the TIA's addresses would
# read the value that ale-py leaves on the bus when RAM is read between two frames.
_FLOW = (0x00, 0x20, 0x40, 0x60, 0x4C, 0x6C, 0x08, 0x28, 0x48, 0x68, 0x9A, 0x9B, 0xBB)
PLAIN = [code for code in range(256) if code not in JAMS and code not in _FLOW and MODE[code] != "rel"]
_UNDOCUMENTED_COLUMNS = (0x03, 0x07, 0x0B, 0x0F)
_Y_AND_BIT = (0x24, 0x2C, 0x84, 0x8C, 0x94, 0xA4, 0xAC, 0xB4, 0xBC, 0xC4, 0xCC, 0xE4, 0xEC)
DOCUMENTED = [
    code
    for code in PLAIN
    if code & 0x0F not in _UNDOCUMENTED_COLUMNS
    and code not in (0x80, 0x82, 0x89, 0xC2, 0xE2, 0x9C, 0x9E)
    and not (code & 0x0F in (0x04, 0x0C) and code not in _Y_AND_BIT)
    and not (code & 0x1F == 0x1A and code not in (0x9A, 0xBA))
]
STORES = {"sta": (0x85, 0x8D), "stx": (0x86, 0x8E), "sty": (0x84, 0x8C)}


class Generator:
    """Makes pieces from a seed."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))
        # Objects that the program never shows, so that lines with few objects occur too.
        self.absent = {register for register in GRAPHICS if self.random.random() < self.random.choice((0, 0.3, 0.8))}

    # Operands

    def ram(self) -> int:
        """A RAM address below the program's variables and the stack."""
        return self.random.randrange(0x80, 0xF0)

    def instruction(self, code: int) -> bytes:
        """The instruction with an operand that is mostly useful."""
        pick = self.random
        mode = MODE[code]
        if mode == "imp":
            return bytes((code,))
        if mode == "imm":
            return bytes((code, pick.randrange(256)))
        if mode in ("zp", "zpx", "zpy", "indx", "indy"):
            low = self.ram() if pick.random() < 0.85 else pick.randrange(0x04, 0x80)
            if mode in ("indx", "indy") and pick.random() < 0.1:
                low = 0xFF
            return bytes((code, low))
        address = pick.choice(
            (
                self.ram(),
                self.ram() | 0x100,
                TABLE + pick.randrange(256),
                TABLE + pick.randrange(256),
                0x0280 + pick.randrange(8),
                0x0294 + pick.randrange(4),
                pick.randrange(0x30, 0x40) | pick.choice((0, 0x40, 0x100)),
            )
        )
        return bytes((code, address & 0xFF, address >> 8))

    # Pieces

    def delay(self) -> bytes:
        """A delay of two to five cycles."""
        return self.random.choice((NOP, bytes((0x24, self.ram())), NOP * 2, bytes((0x24, self.ram())) + NOP))

    def load(self) -> bytes:
        """Loads A, X or Y."""
        pick = self.random
        return pick.choice(
            (
                lambda: bytes((pick.choice((0xA9, 0xA2, 0xA0)), pick.randrange(256))),
                lambda: bytes(
                    (pick.choice((0xA5, 0xA6, 0xA4)), pick.choice((self.ram(), FRAME_COUNTER, BLOCK_COUNTER)))
                ),
                lambda: bytes((0xBD, pick.randrange(256), TABLE >> 8)),
                lambda: bytes((0xA5, FRAME_COUNTER, 0x65, BLOCK_COUNTER)),
                lambda: bytes((0xA5, FRAME_COUNTER, 0x49, pick.randrange(256))),
                lambda: bytes((0xA6, BLOCK_COUNTER, 0xBD, pick.randrange(256), TABLE >> 8)),
            )
        )()

    def store(self, register: int) -> bytes:
        """A store to a TIA register, by an instruction of three to five cycles."""
        pick = self.random
        short, long = STORES[pick.choice(("sta", "sta", "stx", "sty"))]
        far = 0xD00 if pick.random() < 0.1 else 0
        mirror = pick.choice((0, 0, 0, 0x40, 0x100, far))
        if pick.random() < 0.7:
            return bytes((short, register | pick.choice((0, 0, 0, 0x40))))
        return bytes((long, register | (mirror & 0x40), mirror >> 8))

    def immediate_store(self, registers: range | tuple[int, ...]) -> bytes:
        """A store of a random value to one of the registers."""
        register = self.random.choice(registers)
        value = 0 if register in self.absent else self.random.randrange(256)
        return bytes((0xA9, value, 0x85, register))

    def television(self) -> bytes:
        """A write that changes the picture."""
        pick = self.random
        registers = pick.choice((GRAPHICS, GRAPHICS, SHAPES, COLOURS, MOTIONS))
        register = pick.choice(registers)
        if register in self.absent or pick.random() < 0.5:
            return self.immediate_store((register,))
        return self.load() + self.store(register)

    def playfield(self) -> bytes:
        """A write that changes the background."""
        registers = (0x0D, 0x0E, 0x0F, 0x0D, 0x0E, 0x0F, 0x08, 0x09, 0x0A, 0x06)
        register = self.random.choice(registers)
        if register in self.absent or self.random.random() < 0.5:
            return self.delay() + self.immediate_store((register,))
        return self.load() + self.store(register)

    def strobe(self) -> bytes:
        """A position strobe after a random delay."""
        register = self.random.choice((*POSITION_STROBES, *POSITION_STROBES, CXCLR))
        return b"".join(self.delay() for _ in range(self.random.randrange(4))) + self.store(register)

    def motion(self) -> bytes:
        """HMOVE, mostly right after the start of a line, as in real programs."""
        pick = self.random
        place = pick.random()
        if place < 0.6:
            return bytes((0x85, WSYNC, 0x85, HMOVE))
        if place < 0.7:
            return bytes((0x85, HMCLR))
        if place < 0.8:
            # Short distances from HMOVE have special cases, such as 63 colour clocks to HMM0.
            gap = NOP * pick.randrange(12)
            return bytes((0xA9, pick.choice((0x60, 0x70, 0x80)), 0x85, WSYNC, 0x85, HMOVE)) + gap + self.store(
                pick.choice((0x22, *POSITION_STROBES))
            )
        return self.delay() + bytes((0x85, HMOVE))

    def read(self) -> bytes:
        """Reads a collision, an input or a timer into RAM."""
        pick = self.random
        if pick.random() < 0.6:
            load = bytes((pick.choice((0xA5, 0xA6, 0xA4)), pick.randrange(0x0F) | pick.choice((0, 0x30))))
        elif pick.random() < 0.5:
            load = bytes((0xAD, pick.randrange(0x0F), pick.choice((0, 1, 4))))
        else:
            load = bytes((0xAD, 0x80 + pick.randrange(8), 0x02))
        keep = {0xA5: 0x85, 0xAD: 0x85, 0xA6: 0x86, 0xA4: 0x84}[load[0]]
        return load + bytes((keep, self.ram()))

    def timer(self) -> bytes:
        """Sets a timer, or reads it twice."""
        pick = self.random
        if pick.random() < 0.5:
            return bytes((0xA9, pick.choice((0, 1, 2, 5, 20, 255)), 0x8D, 0x94 + pick.randrange(4), 0x02))
        first, second = (0x84 + pick.randrange(4) for _ in range(2))
        return bytes((0xAD, first, 2, 0x85, self.ram())) + self.delay() + bytes((0xAD, second, 2, 0x85, self.ram()))

    def arithmetic(self) -> bytes:
        """A documented instruction. Sometimes stores its result and flags."""
        return self._instruction(DOCUMENTED)

    def undocumented(self) -> bytes:
        """Any instruction that is followed by the next, undocumented ones included."""
        return self._instruction(PLAIN)

    def _instruction(self, codes: list[int]) -> bytes:
        pick = self.random
        piece = self.instruction(pick.choice(codes))
        if pick.random() < 0.3:
            piece += bytes((pick.choice((0x85, 0x86, 0x84)), self.ram()))
        if pick.random() < 0.2:
            piece += bytes((0x08, 0x68, 0x85, self.ram()))  # PHP; PLA; STA
        return piece

    def decimal(self) -> bytes:
        """Decimal arithmetic, also with digits above 9."""
        pick = self.random
        pieces = [b"\xf8"]
        for _ in range(pick.randrange(1, 5)):
            pieces.append(pick.choice((b"\x38", b"\x18", self.load())))
            sum_or_difference = pick.choice((0x69, 0xE9, 0xEB)), pick.randrange(256)
            pieces.append(bytes((*sum_or_difference, 0x08, 0x85, self.ram(), 0x68, 0x85, self.ram())))
        return b"".join(pieces) + b"\xd8"

    def flow(self) -> bytes:
        """A branch over an instruction, a subroutine, an interrupt, or a stack in the TIA's registers."""
        pick = self.random
        kind = pick.randrange(5)
        if kind < 2:
            over = self.television() if pick.random() < 0.5 else self.instruction(pick.choice(DOCUMENTED))
            return bytes((0x10 + 0x20 * pick.randrange(8), len(over))) + over
        if kind == 2:
            return bytes((0x20, RETURN & 0xFF, RETURN >> 8))
        if kind == 3:
            return bytes((0x00, pick.randrange(256)))
        low = pick.choice((*GRAPHICS, 0x20, 0x06, 0x24, 0xFF, self.ram()))
        access = pick.choice(((0x08,), (0x48,), (0x68,), (0x68, 0x85, self.ram()), (0x28,)))
        return bytes((0xA2, low, 0x9A, *access, 0xA2, 0xFF, 0x9A, 0xD8))

    def rare(self) -> bytes:
        """Code that real programs contain only by mistake."""
        pick = self.random
        return pick.choice(
            (
                lambda: bytes((0xA9, pick.choice((0, 2, 0xFF)), 0x85, VSYNC)),
                lambda: bytes((0xA9, pick.choice((0, 2, 0x80, 0x82, 0x42)), 0x85, 0x01)),
                lambda: bytes((0x95, pick.randrange(0x40))),
                lambda: bytes((0x85, RSYNC)),
                lambda: bytes((0x9D, pick.randrange(256), 0x00)),
                lambda: bytes((0xE6, pick.randrange(4, 0x2D))),
                lambda: bytes((pick.choice((0x9B, 0xBB)), self.ram(), 0x00, 0xA2, 0xFF, 0x9A)),
            )
        )()

    def ending(self) -> bytes:
        """Ends the frame within a line of the picture, mostly shortly after another write, or stops for longer than a frame."""
        pick = self.random
        lines = bytes((0xA2, pick.randrange(30, 70), 0x85, WSYNC, 0xCA, 0xD0, 0xFB))
        sync = bytes((0xA9, 2, 0x85, VSYNC, 0x85, WSYNC, 0x85, WSYNC, 0xA0, 0))
        blank = pick.choice((b"", b"", b"", NOP * pick.randrange(8) + bytes((0x85, HMOVE))))
        place = NOP * pick.randrange(36) + self.delay()
        late = pick.choice((0x04, 0x05, *POSITION_STROBES))
        write = self.store(late) if pick.random() < 0.5 else self.television()
        gap = pick.choice((b"", b"", NOP, self.delay()))
        # A loop of more instructions than a frame may have.
        wait = bytes((0xA2, 0, 0xA0, 0x40, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA)) if pick.random() < 0.1 else b""
        return lines + sync + blank + place + write + gap + wait + bytes((0x84, VSYNC))

    def jam(self) -> bytes:
        """An instruction that stops the CPU, reached after some frames."""
        pick = self.random
        code = pick.choice(JAMS)
        return bytes((0xA5, FRAME_COUNTER, 0xC9, pick.randrange(256), 0xD0, 1, code))

    # Programs

    def program(self, weights: dict[str, int]) -> Program:
        """A program of pieces from the named methods, chosen by weight."""
        pick = self.random
        kinds: list[Callable[[], bytes]] = [getattr(self, name) for name in weights]
        lines = LINES + pick.choice((0, 0, 0, 0, -1, 1, -60, 20, 50)) - 4
        blocks: list[Block] = []
        room = 0xC80
        setup = tuple(self.immediate_store((register,)) for register in range(0x04, 0x30) if register not in (WSYNC,))
        blocks.append(Block(1, setup))
        room -= sum(map(len, setup)) + 16
        used = 4
        while used < lines and room > 300:
            pieces = [bytes((0x85, WSYNC))] if pick.random() < 0.8 else []
            for _ in range(pick.randrange(4, 28)):
                pieces.append(pick.choices(kinds, list(weights.values()))[0]())
            size = sum(map(len, pieces))
            waits = sum(piece.count(bytes((0x85, WSYNC))) for piece in pieces)
            # An instruction has about two bytes and three cycles.
            height = max(1, round(size * 1.6 / CYCLES_PER_LINE + waits * 0.6))
            repeat = max(1, min(255, pick.randrange(1, 60), (lines - used) // height))
            blocks.append(Block(repeat, tuple(pieces)))
            used += height * repeat
            room -= size + 12
        if used < lines:
            blocks.append(Block(min(255, lines - used), (bytes((0x85, WSYNC)),)))
        return Program(tuple(blocks), pick.randbytes(0x1F0))


# The profiles of programs: weights of the generator's methods.
PROFILES: dict[str, dict[str, int]] = {
    "processor": {"arithmetic": 8, "flow": 2, "load": 2, "decimal": 1, "timer": 1},
    "undocumented": {"undocumented": 8, "load": 2, "decimal": 1},
    "playfield": {"playfield": 6, "delay": 2},
    "objects": {"television": 6, "strobe": 2, "delay": 2, "load": 1},
    "motion": {"television": 4, "strobe": 2, "motion": 4, "delay": 1},
    "collisions": {"television": 5, "strobe": 2, "motion": 2, "read": 5, "delay": 1},
    "timer": {"timer": 6, "read": 2, "delay": 2, "television": 1},
    "everything": {
        "television": 6, "playfield": 2, "strobe": 3, "motion": 3, "read": 3, "timer": 1, "arithmetic": 2,
        "undocumented": 1, "decimal": 1, "flow": 2, "delay": 2,
    },
    "mistakes": {
        "television": 6, "strobe": 2, "motion": 2, "read": 3, "timer": 1, "undocumented": 3, "flow": 2, "rare": 2,
    },
    "endings": {"television": 6, "playfield": 2, "strobe": 1, "motion": 1, "delay": 1, "ending": 2},
    "jam": {"television": 6, "strobe": 2, "motion": 2, "arithmetic": 2, "rare": 1, "jam": 1},
}  # fmt: skip


def generate(profile: str, seed: object) -> Program:
    """The program of a profile and a seed."""
    return Generator((profile, seed)).program(PROFILES[profile])


def without(program: Program, block: int, first: int, last: int) -> Program:
    """The program without some pieces of a block."""
    blocks = list(program.blocks)
    pieces = blocks[block].pieces
    blocks[block] = replace(blocks[block], pieces=pieces[:first] + pieces[last:])
    return replace(program, blocks=tuple(blocks))
