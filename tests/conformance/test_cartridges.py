"""Each cartridge format plays a program with random bank switches as ale-py does."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest

from . import definitions, ours, report, roms
from .ale_trace import Settings
from .banked_program import Format, rom
from .compare import compare_files
from .detection import cases, detected_by_ale
from .megacart_program import SEGMENTS, megacart
from .tape_program import tape

SEEDS = range(2)
FRAMES = 40


def spots(first: int, count: int) -> list[int]:
    """Hot spots and their neighbours."""
    return list(range(first - 1, first + count + 1))


# A tape's loads follow each other within the trace.
TAPE_FRAMES = 130
TAPES = (1, 3)

RAM = (0x1000, 0x1200)
# Where 3F and 3E answer in place of the TIA, and what follows.
PAGE_0 = (0x0000, 0x0048)
# 3F and 3E have files of any size above that of a bank.
LARGE_SIZES = (6144, 8192, 16384, 20480, 32768, 65536, 131072, 262144, 524288)
# Those that end within a bank. No program reads the bank beyond its end, where ale-py finds what its memory has there.
CUT_SIZES = (4095, 6143, 10000, 100001)
CUT_READS = [(0x1000, 0x1500)]
FORMATS = [
    Format("2K", 2048, bank=2048),
    Format("4K", 4096),
    Format("F8", 8192, spots(0x1FF8, 2)),
    Format("F8SC", 8192, spots(0x1FF8, 2), writes=[(0x1000, 0x1100)], superchip=True),
    Format("F6", 16384, spots(0x1FF6, 4)),
    Format("F6SC", 16384, spots(0x1FF6, 4), writes=[(0x1000, 0x1100)], superchip=True),
    Format("F4", 32768, spots(0x1FF4, 8)),
    Format(
        "F4SC",
        32768,
        spots(0x1FF4, 8),
        writes=[(0x1000, 0x1100)],
        superchip=True,
        reads=[(0x1000, 0x1A00), (0x1000, 0x1100)],
    ),
    Format("FA", 12288, spots(0x1FF8, 3), writes=[RAM], reads=[(0x1000, 0x1A00), RAM]),
    Format("MB", 65536, spots(0x1FF0, 1)),
    Format(
        "E0",
        8192,
        spots(0x1FE0, 24),
        bank=1024,
        signature=b"\x8d\xe0\x1f",
        reads=[(0x1000, 0x1C00)],
        code=0xC20,
        only_last=True,
    ),
    # The addresses themselves select the bank.
    Format("FE", 8192, signature=b"\x20\x00\xd0\xc6\xc5"),
    Format(
        "DPC",
        10240,
        spots(0x1FF8, 2),
        # Music too: reads of its amplitude, and the registers of the three fetchers that play.
        reads=[(0x1000, 0x1040), (0x1004, 0x1008), (0x1080, 0x1A00)],
        writes=[(0x1040, 0x1080), (0x1045, 0x1048), (0x104D, 0x1050), (0x105D, 0x1060)],
        data=2048,
    ),
    Format(
        "CV",
        4096,
        bank=2048,
        signature=b"\x99\x00\xf4",
        writes=[(0x1000, 0x1800)],
        reads=[(0x1000, 0x1A00), (0x1000, 0x1800)],
    ),
    Format(
        "E7",
        16384,
        list(range(0x1FDF, 0x1FF0)),
        bank=2048,
        uniform=(0x3800, 0x3A00),
        writes=[(0x1000, 0x1800), (0x1800, 0x1A00)],
        reads=[(0x1000, 0x1800), (0x1800, 0x1A00)],
    ),
    Format("UA", 8192, [0x21F, 0x220, 0x221, 0x23F, 0x240, 0x241], signature=b"\x8d\x40\x02"),
    *(
        Format(
            "3F",
            size,
            bank=2048,
            registers=(0x3F, 0x3F, 0x30),
            signature=b"\x85\x3f\x85\x3f",
            reads=[*(CUT_READS if size in CUT_SIZES else [(0x1000, 0x1700)]), PAGE_0],
            writes=[(0x1000, 0x1800)],
        )
        for size in LARGE_SIZES + CUT_SIZES
    ),
    *(
        Format(
            "3E",
            size,
            bank=2048,
            registers=(0x3F, 0x3E),
            signature=b"\x85\x3e\xa9\x00",
            reads=[(0x1000, 0x1300), PAGE_0],
            writes=[(0x1000, 0x1800)],
        )
        for size in LARGE_SIZES + CUT_SIZES
    ),
]


def table() -> list[list[str]]:
    """The rows of the table of formats in the documents: formats, sizes in KB, what detects them, frames compared."""
    text = (ours.ROOT / "docs/conformance.md").read_text()
    lines = text[text.index("| format | sizes in KB |") :].splitlines()
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in takewhile(lambda line: "|" in line, lines[2:])]


def test_the_table_of_formats_is_what_is_compared() -> None:
    compared: dict[str, list[int]] = {}
    for format in FORMATS:
        compared.setdefault(format.name, []).append(format.size)
    known = (ours.ROOT / "packages/gym2600/src/schema/definition.ts").read_text()
    names = re.findall(r'"(\w+)"', re.search("RawMapper = (.*);", known)[1])
    rows = {name: row for row in table() for name in row[0].split(", ")}
    assert sorted(rows) == sorted(names)
    for name, (listed, sizes, _, frames) in rows.items():
        if name == "AR":
            assert int(frames) == len(SEEDS) * TAPE_FRAMES
            continue
        if name == "MC":
            assert int(frames) == SEGMENTS * len(SEEDS) * FRAMES
            continue
        if name not in compared:
            assert frames.startswith("ale-py's game")
            continue
        assert int(frames) == len(SEEDS) * FRAMES
        if name in ("3F", "3E"):
            count, last = map(int, re.search(r"compared for (\d+) up to (\d+)", sizes).groups())
            assert (count, last * 1024) == (len(compared[name]), max(compared[name]))
        else:
            of_each = dict(zip(listed.split(", "), sizes.split(", "), strict=True)) if ", " in sizes else {name: sizes}
            assert compared[name] == [int(of_each[name]) * 1024]


def test_ale_detects_each_format_as_the_tests_say() -> None:
    known = [case for case in cases() if case.detected is not None]
    names = detected_by_ale(case.rom for case in known)
    assert [(case.text, case.detected) for case in known] == [
        (case.text, name) for case, name in zip(known, names, strict=True)
    ]


def test_each_program_that_is_compared_is_of_its_format() -> None:
    programs = [(format.name, rom(format, seed)) for format in FORMATS for seed in SEEDS]
    programs += [("AR", tape(loads, seed)) for loads in TAPES for seed in SEEDS]
    programs += [("MC", megacart(segment, seed)) for segment in range(SEGMENTS) for seed in SEEDS]
    names = [{"FA": "FASC"}.get(name, name) for name, _ in programs]
    assert detected_by_ale(image for _, image in programs) == names


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("format", FORMATS, ids=lambda format: f"{format.name}-{format.size}")
def test_a_cartridge_with_random_bank_switches_equals_ale(format: Format, seed: int, tmp_path: Path) -> None:
    _compare(format.name, rom(format, seed), FRAMES, seed, tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("loads", TAPES)
def test_a_tape_whose_programs_load_each_other_equals_ale(loads: int, seed: int, tmp_path: Path) -> None:
    _compare("AR", tape(loads, seed), TAPE_FRAMES, seed, tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("segment", range(SEGMENTS))
def test_a_megacart_with_random_bank_switches_equals_ale(segment: int, seed: int, tmp_path: Path) -> None:
    _compare("MC", megacart(segment, seed), FRAMES, seed, tmp_path)


def _compare(name: str, image: bytes, frames: int, seed: int, tmp_path: Path) -> None:
    with roms.disguised(image) as file, definitions.stand_in() as definition:
        runner = ours.Program(ours.command())
        result = compare_files(name, file, file, definition, [0] * frames, Settings(seed=seed), runner)
    if result.difference is not None:
        target = report.write(result, tmp_path)
        pytest.fail(f"{(target / 'difference.txt').read_text()}pictures and RAM: {target}", pytrace=False)
