"""Small programs, each for a behaviour that games hardly reach, give the same bytes as on ale-py."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from . import definitions, ours, report, roms
from .ale_trace import Settings
from .compare import compare_files
from .fuzz_program import CYCLES_PER_LINE, FRAME_COUNTER, HMOVE, NOP, RETURN, WSYNC, Block, Program

NUSIZ0, COLUP0, COLUPF, COLUBK, CTRLPF, REFP0, PF0, RESP0, RESM0 = 0x04, 0x06, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x10, 0x12
GRP0, ENAM0, ENABL, HMP0, HMM0, VDELP0, RESMP0, CXCLR = 0x1B, 0x1D, 0x1F, 0x20, 0x22, 0x25, 0x28, 0x2C
INTIM, TIMINT, TIM1T, TIM8T, TIM64T = 0x284, 0x285, 0x294, 0x295, 0x296
# Cycles of a store to page 0. The store is at its end.
STORE = 3


def check(name: str, program: Program, folder: Path, frames: int = 20) -> None:
    """Fails with the description of the first difference."""
    with roms.disguised(program.rom()) as file, definitions.stand_in() as definition:
        runner = ours.Program(ours.command())
        result = compare_files(name, file, file, definition, [0] * frames, Settings(), runner)
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


# The stars of the game Cosmic Ark: HMM0 changes from 7 to 6 so many cycles after an HMOVE, and missile 0 moves in every line until the next.
STARS = 21


@pytest.mark.parametrize("cycles", [STARS - 1, STARS, STARS + 1])
@pytest.mark.parametrize(("motion", "later"), [(0x70, 0x60), (0x70, 0x50), (0x60, 0x60)])
def test_a_motion_that_changes_after_an_hmove_equals_ale(cycles: int, motion: int, later: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    change = bytes((0x85, HMOVE)) + wait(cycles - 2 - STORE) + store(HMM0, later)
    # Each size of the missile, at another place. A line in which the playfield is turned ends in another way.
    parts = tuple(
        store(NUSIZ0, size << 4 | size)
        + wsync
        + wait(30 + 5 * size)
        + bytes((0x85, RESM0))
        + store(HMM0, motion)
        + wsync
        + change
        + wsync * 6
        + store(CTRLPF, size & 1)
        + wsync * 3
        + again
        + wsync * 3
        + bytes((0x85, HMOVE))
        + wsync * 2
        # The missile is as it was until it is written to.
        for size, again in enumerate((b"", store(NUSIZ0, 0), bytes((0x85, RESM0)), store(RESMP0, 2) + store(RESMP0, 0)))
    )
    setup = (store(COLUBK, 0x44) + store(COLUP0, 0x1E) + store(ENAM0, 2),)
    lines = (Block(40, (wsync,)), Block(1, setup), Block(3, parts), Block(20, (wsync,)))
    check(f"stars-{cycles}-{motion:x}-{later:x}", Program(lines, b""), tmp_path)


# Every object has a colour of its own.
SHOWN = tuple(
    store(register, value)
    for register, value in [
        (COLUP0, 0x1E),
        (COLUP0 + 1, 0x9C),
        (COLUPF, 0xC8),
        (COLUBK, 0x44),
        (GRP0, 0xB1),
        (GRP0 + 1, 0x3F),
        (ENAM0, 2),
        (ENAM0 + 1, 2),
        (ENABL, 2),
    ]
)
# Places the objects beside each other, so that none hides another.
APART = bytes((0x85, WSYNC)) + wait(40) + b"".join(bytes((0x85, RESP0 + object)) for object in range(5)) + bytes((0x85, WSYNC))


# Some of these strobes place an object elsewhere than the beam.
@pytest.mark.parametrize("first", [2, 3, 4, 75])
@pytest.mark.parametrize("object", range(5))
def test_a_position_strobe_soon_after_an_hmove_equals_ale(object: int, first: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    # The HMOVE is in the line after the one that begins here.
    hmove = wsync + wait(CYCLES_PER_LINE + first - STORE) + bytes((0x85, HMOVE))
    strobes = tuple(
        hmove + wait(cycles - STORE) + bytes((0x85, RESP0 + object)) + wsync
        for cycles in range(STORE, 32)
        if cycles != STORE + 1  # A wait of one cycle does not exist.
    )
    lines = (Block(40, (wsync,)), Block(1, (*SHOWN, APART)), Block(2, strobes), Block(10, (wsync,)))
    check(f"strobe-{object}-{first}", Program(lines, b""), tmp_path)


@pytest.mark.parametrize("copies", range(8))
@pytest.mark.parametrize("player", range(2))
def test_a_player_that_is_placed_at_each_cycle_equals_ale(player: int, copies: int, tmp_path: Path) -> None:
    wsync, strobe = bytes((0x85, WSYNC)), bytes((0x85, RESP0 + player))
    # Twice in a line, from another place each time.
    strobes = tuple(
        wsync + wait(cycles) + strobe + wait(place) + strobe
        for cycles, place in zip(range(20, 46), [0, 2, 3, 5, 8, 13, 21, 4, 7, 11, 18, 6, 9] * 2, strict=True)
    )
    setup = (*SHOWN, store(NUSIZ0 + player, copies))
    lines = (Block(40, (wsync,)), Block(1, setup), Block(7, (*strobes, wsync)), Block(4, (wsync,)))
    check(f"player-{player}-{copies}", Program(lines, b""), tmp_path)


@pytest.mark.parametrize("copies", range(8))
@pytest.mark.parametrize("player", range(2))
def test_a_player_that_is_placed_anew_within_its_copies_equals_ale(player: int, copies: int, tmp_path: Path) -> None:
    wsync, strobe = bytes((0x85, WSYNC)), bytes((0x85, RESP0 + player))
    # From the same place in every line, and the background changes right after the strobe.
    strobes = tuple(
        store(COLUBK, 0x44) + wsync + wait(20) + strobe + wsync + wait(20 + later) + b"\xa9\x86" + strobe + bytes((0x85, COLUBK))
        for later in (0, *range(2, 32))
    )
    setup = (*SHOWN, store(NUSIZ0 + player, copies))
    lines = (Block(40, (wsync,)), Block(1, setup), Block(1, strobes), Block(100, (wsync,)))
    check(f"anew-{player}-{copies}", Program(lines, b""), tmp_path)


@pytest.mark.parametrize("player", range(2))
def test_a_missile_that_leaves_its_player_equals_ale(player: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    parts = tuple(
        store(NUSIZ0 + player, copies)
        + store(RESMP0 + player, 2)
        + wsync
        + wait(cycles)
        + bytes((0x85, RESP0 + player))
        + wsync
        + wait(cycles // 2)
        + store(RESMP0 + player, 0)
        + wsync * 2
        for copies in range(8)
        for cycles in (20, 45, 70)
    )
    lines = (Block(40, (wsync,)), Block(1, SHOWN), Block(1, parts), Block(20, (wsync,)))
    check(f"leaves-{player}", Program(lines, b""), tmp_path)


# Registers whose writes change pixels, each with a value.
DRAWN = {
    **{COLUP0 + place: 0x38 for place in range(4)},
    **{PF0 + place: 0xA5 for place in range(3)},
    **{NUSIZ0 + player: 0x35 for player in range(2)},
    **{REFP0 + player: 8 for player in range(2)},
    **{GRP0 + player: 0x2C for player in range(2)},
    **{ENAM0 + missile: 2 for missile in range(2)},
    **{RESMP0 + missile: 2 for missile in range(2)},
    **{VDELP0 + object: 1 for object in range(3)},
    **{RESP0 + object: 0 for object in range(5)},
    CTRLPF: 0x37,
    ENABL: 2,
    HMOVE: 0,
    CXCLR: 0,
}


@pytest.mark.parametrize("playfield", [0x00, 0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x10, 0x32, 0x36])
def test_writes_within_a_line_equal_ale(playfield: int, tmp_path: Path) -> None:
    pick = random.Random(playfield)
    wsync = bytes((0x85, WSYNC))
    parts = []
    for register, value in DRAWN.items():
        for cycles in (17, 22, pick.randrange(23, 40), pick.randrange(40, 62)):
            # A write that differs in each frame, then one that does not. A collision register goes to RAM.
            values = bytes((0xA9, value, 0x45, FRAME_COUNTER, 0xAA, 0xA9, value)) if value else b""
            writes = bytes((0x86, register)) + wait(pick.choice((0, 2, 3, 5))) + bytes((0x85, register))
            cell, collision = pick.randrange(0x80, FRAME_COUNTER), pick.randrange(0x30, 0x38)
            read = bytes((0xA5, collision, 0x45, cell, 0x85, cell))
            parts.append(wsync + values + wait(cycles - len(values) // 2 - 6 - STORE) + writes + read)
    scene = [(CTRLPF, playfield), (PF0, 0x50), (PF0 + 1, 0x33), (PF0 + 2, 0xC6), (NUSIZ0, 0x11), (NUSIZ0 + 1, 0x23)]
    scene += [(register, 0) for register in (*range(VDELP0, VDELP0 + 3), RESMP0, RESMP0 + 1, REFP0, REFP0 + 1)]
    setup = (*SHOWN, APART, *(store(register, value) for register, value in scene))
    lines = (Block(40, (wsync,)), Block(1, setup), Block(1, tuple(parts)), Block(40, (wsync,)))
    check(f"writes-{playfield:02x}", Program(lines, b""), tmp_path)


@pytest.mark.parametrize("missile", range(2))
def test_a_missile_that_changes_for_some_pixels_equals_ale(missile: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    # No player hides the missile, whose copies cover a half of these pixels.
    scene = [(GRP0, 0), (GRP0 + 1, 0), (NUSIZ0 + missile, 0x33), (ENAM0 + missile, 2)]
    parts = tuple(
        wsync + bytes((0xA2, other)) + wait(cycles) + b"\xa9" + bytes((value, 0x86, register, 0x85, register))
        for register, value, other in ((ENAM0 + missile, 2, 0), (NUSIZ0 + missile, 0x33, 0x10))
        for cycles in range(30, 56)
    )
    setup = (*SHOWN, APART, *(store(register, value) for register, value in scene))
    lines = (Block(40, (wsync,)), Block(1, setup), Block(1, parts), Block(100, (wsync,)))
    check(f"missile-{missile}", Program(lines, b""), tmp_path)


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


@pytest.mark.parametrize("lines", [249, 250, 262, 263, 284, 285, 286, 287, 289, 290, 291, 292, 311, 312, 313, 341, 342, 343, 344])
def test_frames_of_so_many_lines_equal_ale(lines: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    # Three lines are VSYNC's. Every 16 lines have another colour, until the frame's end.
    counts = [16] * ((lines - 4) // 16) + [(lines - 4) % 16]
    colours = [b"" if number < 2 else store(COLUBK, 6 * number) for number in range(len(counts))]
    blocks = [Block(1, (colour + wsync * count,)) for colour, count in zip(colours, counts, strict=True)]
    check(f"lines-{lines}", Program(tuple(blocks), b""), tmp_path)


@pytest.mark.parametrize("share", [6, 7, 8, 9])
def test_a_share_of_long_frames_equals_ale(share: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    # So many of 16 frames have 61 lines more, of which PAL has half or more of the last 30 idle frames.
    longer = bytes((0xA2, 61, *wsync, 0xCA, 0xD0, 0xFB))
    some = bytes((0xA5, FRAME_COUNTER, 0x29, 0x0F, 0xC9, share, 0xB0, len(longer))) + longer
    blocks = (Block(50, (wsync,)), Block(1, (store(COLUBK, 0x46),)), Block(200, (wsync,)), Block(1, (some,)), Block(1, (wsync,)))
    check(f"long-{share}", Program(blocks, b""), tmp_path, frames=40)


# Two loops of more instructions than ale-py runs in a frame without an end.
SILENCE = bytes((0xA2, 0, 0xA0, 0x60, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA))


@pytest.mark.parametrize("frames", [1, 2, 3, 7])
@pytest.mark.parametrize("lines", [1, 60])
def test_frames_that_do_not_end_by_themselves_equal_ale(lines: int, frames: int, tmp_path: Path) -> None:
    wsync = bytes((0x85, WSYNC))
    # In all frames but one of so many.
    loops = SILENCE + store(COLUBK, 0x46) + SILENCE
    some = bytes((0xA5, FRAME_COUNTER, 0x29, frames, 0xF0, len(loops))) + loops
    blocks = (Block(lines, (store(COLUBK, 0x1E), wsync)), Block(1, (some,)), Block(lines, (wsync,)))
    check(f"endless-{lines}-{frames}", Program(blocks, b""), tmp_path)


# Accesses that change the picture or nothing: stores of Y to COLUBK, GRP0, PF1, VBLANK, AUDC0, CXCLR and no register, and reads of INPT4 and
# a latch to Y. Without one, HMOVE itself is the last access.
ACCESSES = {
    "COLUBK": "8409",
    "GRP0": "841b",
    "PF1": "840e",
    "VBLANK": "8401",
    "AUDC0": "8415",
    "CXCLR": "842c",
    "none": "842d",
    "INPT4": "a40c",
    "CXM0P": "a400",
    "HMOVE": "",
}


# Lines before an HMOVE, and what follows it: it is in a line that is shown, or above those, where another write follows or none.
ABOVE = wait(2 * CYCLES_PER_LINE)
PLACES = {"shown": (40, b""), "above": (28, ABOVE * 2), "above, with a write": (28, ABOVE + bytes((0xE6, COLUP0, 0x85, CXCLR)) + ABOVE)}


@pytest.mark.parametrize(
    ("place", "register"),
    [*(("shown", register) for register in ACCESSES), *((place, name) for place in list(PLACES)[1:] for name in ("COLUBK", "INPT4"))],
)
@pytest.mark.parametrize("first", [0, 10, 20])
def test_the_first_access_after_an_hmove_ends_its_blank_as_on_ale(
    first: int, place: str, register: str, tmp_path: Path
) -> None:
    wsync = bytes((0x85, WSYNC))
    lines, pause = PLACES[place]
    # One of these lines in each frame has an HMOVE, and an access after which nothing follows until ale-py gives the frame up.
    parts = []
    for number in range(11):
        late = wait(first + number if first + number != 1 else 0)
        # Every other time, a second access.
        second = bytes((0x84, COLUBK)) if number % 2 == 1 else b""
        ends = bytes((0x85, HMOVE)) + pause + late + bytes.fromhex(ACCESSES[register]) + second + SILENCE
        chosen = bytes((0xA4, 0x80, 0xA5, FRAME_COUNTER, 0x29, 0x0F, 0xC9, number, 0xD0, len(wsync + ends)))
        parts.append(chosen + wsync + ends + wsync)
    setup = (store(COLUBK, 0x44), store(0x80, 0x44))
    blocks = (Block(lines, (wsync,)), Block(1, setup), Block(1, tuple(parts)), Block(20, (wsync,)))
    check(f"blank-{first}-{register}", Program(blocks, b""), tmp_path, frames=80)


@pytest.mark.parametrize(("register", "before", "after"), [(RESM0, b"", 12), (RESP0 + 4, NOP, 10)], ids=["missile", "ball"])
def test_a_position_strobe_after_the_hmove_of_the_frame_before_equals_ale(
    register: int, before: bytes, after: int, tmp_path: Path
) -> None:
    wsync = bytes((0x85, WSYNC))
    # HMOVE, the end of VSYNC and with it of the frame, and a strobe that has a place of its own so soon after an HMOVE.
    strobes = before + bytes((0x85, HMOVE, 0xA9, 0, 0x85, 0x00)) + wait(after) + bytes((0x85, register))
    setup = (b"".join(store(register, value) for register, value in [(COLUP0, 0x1E), (COLUPF, 0xC8), (COLUBK, 0x44), (ENAM0, 2), (ENABL, 2)]),)
    blocks = (Block(1, (store(0x00, 2) + wsync * 3 + strobes,)), Block(40, (wsync,)), Block(1, setup), Block(100, (wsync,)))
    check(f"after-{register:x}", Program(blocks, b"", vertical_sync_lines=0), tmp_path)


def test_a_frame_that_never_ends_equals_ale(tmp_path: Path) -> None:
    wsync, forever = bytes((0x85, WSYNC)), bytes((0xA9, 1, 0xD0, 0xFE))
    # The reset after the detection of the television is within that frame too.
    lines = (Block(50, (wsync,)), Block(1, (store(COLUBK, 0x46) + wsync * 40 + store(COLUBK, 0x9A) + wsync * 20 + forever,)))
    check("never", Program(lines, b""), tmp_path)
