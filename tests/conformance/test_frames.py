"""Random pictures in frames that end anywhere, or not at all, are the same as on ale-py."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .fuzz_program import (
    BLOCK_COUNTER,
    COLOURS,
    CXCLR,
    FRAME_COUNTER,
    GRAPHICS,
    HMCLR,
    HMOVE,
    JAMS,
    MOTIONS,
    POSITION_STROBES,
    SHAPES,
    VSYNC,
    WSYNC,
    Block,
    Program,
)
from .test_programs import COLUBK, COLUP0, CTRLPF, ENABL, ENAM0, GRP0, NUSIZ0, PF0, RESP0, check, store, wait

VBLANK = 0x01
NEXT_LINE = bytes((0x85, WSYNC))
# 26,000 instructions, which are more than a frame has: LDX #51; DEY; BNE; DEX; BNE.
LONG_WAIT = bytes((0xA2, 51, 0x88, 0xD0, 0xFD, 0xCA, 0xD0, 0xFA))


def access(pick: random.Random) -> bytes:
    """A write to the TIA, a read of it that is kept in RAM, or a wait."""
    register = pick.choice((*GRAPHICS, *SHAPES, *COLOURS, *MOTIONS))
    return pick.choice(
        (
            lambda: store(register, pick.randrange(256)),
            lambda: store(register, pick.choice((0, 0xFF))),
            lambda: bytes((0xA5, FRAME_COUNTER, 0x85, register)),
            lambda: bytes((0x85, pick.choice((*POSITION_STROBES, HMOVE, HMOVE, HMCLR, CXCLR)))),
            lambda: store(VBLANK, pick.choice((0, 0, 0, 2, 0x80))),
            lambda: bytes((0xA5, pick.randrange(14), 0x85, 0x80 + pick.randrange(16))),
            lambda: wait(pick.choice((2, 3, 5, 12))),
        )
    )()


def picture(pick: random.Random, lines: int) -> list[Block]:
    """Lines of two kinds, with the objects that are on at first. The frame ends within a line."""
    objects = [store(register, pick.choice((2, 0xFF))) for register in GRAPHICS if pick.random() < 0.4]
    colours = [store(register, 2 * pick.randrange(1, 128)) for register in COLOURS]
    blocks = [Block(1, (store(VBLANK, 0), *colours, *objects))]
    for _ in range(2):
        begin = NEXT_LINE if pick.random() < 0.8 else b""
        blocks.append(Block(lines // 2, (begin, *(access(pick) for _ in range(pick.randrange(9))))))
    late = pick.choice((pick.randrange(2, 20), pick.randrange(2, 70)))
    moves = [b"", bytes((0x85, HMOVE)), bytes((0x85, HMOVE)) + access(pick)]
    end = (store(VSYNC, 2) + NEXT_LINE * 3, pick.choice(moves), b"\xa9\x00", wait(late), bytes((0x85, VSYNC)))
    return [*blocks, Block(1, end)]


@pytest.mark.parametrize("number", range(24))
def test_a_random_picture_whose_frames_end_within_a_line_equals_ale(number: int, tmp_path: Path) -> None:
    pick = random.Random(number)
    # Three frames of a loop, so that each is drawn over both of the others in turns.
    blocks = [block for _ in range(3) for block in picture(pick, pick.choice((30, 60, 120, 180, 230)))]
    if number % 3 == 0:
        blocks.insert(pick.randrange(1, len(blocks)), Block(1, (LONG_WAIT,)))
    check(f"picture-{number}", Program(tuple(blocks), b"", vertical_sync_lines=0), tmp_path, frames=40)


# The objects that are on when ale-py draws four pixels at once, if none of them is there: players, missiles, ball and playfield.
GROUPS = ((0,), (1,), (2,), (3,), (4,), (5,), (0, 1), (2, 3), (4, 1), (4, 2), (4, 3), (5, 0), (5, 1), (5, 4))
ON = ((GRP0, 0xFF), (GRP0 + 1, 0xFF), (ENAM0, 2), (ENAM0 + 1, 2), (ENABL, 2), (PF0 + 2, 0xFF))


@pytest.mark.parametrize("number", range(12))
def test_a_frame_that_ends_near_an_object_equals_ale(number: int, tmp_path: Path) -> None:
    pick = random.Random(number)
    blocks = []
    for _ in range(9):
        late = pick.randrange(20, 60)
        objects = pick.choice(GROUPS)
        off = [store(register, 0) for register, _ in ON]
        shapes = [store(register, pick.choice((0, 0x05, 0x07, 0x10, 0x20, 0x30))) for register in (NUSIZ0, NUSIZ0 + 1, CTRLPF)]
        places = [
            NEXT_LINE + wait(max(2, late + pick.randrange(-9, 3))) + bytes((0x85, RESP0 + object)) for object in range(5)
        ]
        colours = (bytes((0xA5, FRAME_COUNTER, 0x0A, 0x85, COLUBK)), *(store(COLUP0 + n, 0x1E + 0x42 * n) for n in range(3)))
        on = [store(*ON[object]) for object in objects]
        end = (store(VSYNC, 2) + NEXT_LINE * 3 + b"\xa9\x00", wait(late), bytes((0x85, VSYNC)))
        blocks += [Block(40, (NEXT_LINE,)), Block(1, (*off, *shapes, *places, *colours, *on, *end))]
    check(f"near-{number}", Program(tuple(blocks), b"", vertical_sync_lines=0), tmp_path, frames=60)


@pytest.mark.parametrize("lines", [30, 100, 229])
def test_a_program_that_jams_equals_ale(lines: int, tmp_path: Path) -> None:
    stripes = (NEXT_LINE, bytes((0xA5, BLOCK_COUNTER, 0x0A, 0x65, FRAME_COUNTER, 0x85, COLUBK)))
    jam = bytes((0xA5, FRAME_COUNTER, 0xC9, 0x40, 0xD0, 0x01, JAMS[0]))
    blocks = (Block(lines, stripes), Block(1, (jam,)), Block(230 - lines, stripes))
    check(f"jam-{lines}", Program(blocks, b""), tmp_path, frames=80)


def test_a_frame_of_too_many_instructions_in_ram_equals_ale(tmp_path: Path) -> None:
    # INC $A0; BNE; INC $A1; BNE: RAM counts how many there were.
    loop = bytes((0xE6, 0xA0, 0xD0, 0xFC, 0xE6, 0xA1, 0xD0, 0xF8, 0xE6, 0xA2, 0x4C, 0x80, 0x00))
    copy = b"".join(bytes((0xA9, byte, 0x85, 0x80 + place)) for place, byte in enumerate(loop))
    lines = (Block(40, (NEXT_LINE,)), Block(1, (store(COLUBK, 0x46), NEXT_LINE * 40, copy, bytes((0x4C, 0x80, 0x00)))))
    check("ram", Program(lines, b""), tmp_path)
