"""Writes a difference as a text and pictures."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from . import definitions
from .compare import Difference, PlayResult, State

# Colour clocks of horizontal blank before the first pixel of a line.
BLANK_CLOCKS = 68


def write(result: PlayResult, folder: Path) -> Path:
    """Writes the difference of a play to a folder of its own, and returns the folder."""
    difference = result.difference
    assert difference is not None
    settings = result.settings
    name = result.game
    if settings.mode is not None:
        name += f"-mode{settings.mode}-difficulty{settings.difficulty or 0}"
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)

    colours = _colours(difference)
    (target / "ale.png").write_bytes(png(difference.ale_rgb))
    texts = [
        f"game       {result.game}",
        f"arguments  {' '.join(settings.arguments())}",
        f"frame      {difference.frame} (line {difference.line} of the trace)",
        f"ours       {difference.ours.strip()}",
        f"ale-py     {difference.ale.strip()}",
    ]
    (target / "ale.ram").write_bytes(difference.ale_state.ram.tobytes())
    if difference.our_state is None:
        texts.append("our RAM and screen are unknown: the program has no --dump-line, or it failed")
    else:
        ours = difference.our_state
        (target / "ours.ram").write_bytes(ours.ram.tobytes())
        (target / "ours.png").write_bytes(png(colours[ours.screen]))
        texts += ram_differences(ours, difference.ale_state)
        texts += screen_differences(ours, difference.ale_state, definitions.first_line(result.game))
        if ours.screen.shape == difference.ale_state.screen.shape:
            wrong = ours.screen != difference.ale_state.screen
            marked = np.where(wrong[..., None], np.array([255, 0, 0], np.uint8), difference.ale_rgb // 3)
            (target / "difference.png").write_bytes(png(marked))
    text = "\n".join(texts) + "\n"
    (target / "difference.txt").write_text(text)
    return target


def ram_differences(ours: State, theirs: State) -> list[str]:
    """The addresses whose bytes differ."""
    addresses = np.flatnonzero(ours.ram != theirs.ram)
    if not len(addresses):
        return ["RAM        equal"]
    lines = [f"RAM        {len(addresses)} bytes differ (address: ours, ale-py)"]
    return lines + [f"  ${0x80 + a:02X}: {ours.ram[a]:02X} {theirs.ram[a]:02X}" for a in addresses]


def screen_differences(ours: State, theirs: State, first_line: int) -> list[str]:
    """The number of pixels that differ, and the beam's position at the first."""
    if ours.screen.shape != theirs.screen.shape:
        return [f"screen     sizes differ: ours {ours.screen.shape}, ale-py {theirs.screen.shape}"]
    rows, columns = np.nonzero(ours.screen != theirs.screen)
    if not len(rows):
        return ["screen     equal"]
    row, column = int(rows[0]), int(columns[0])
    last = int(columns[rows == row][-1])
    return [
        f"screen     {len(rows)} pixels differ on {len(set(rows.tolist()))} lines, rows {rows.min()} to {rows.max()}",
        f"  first: row {row}, column {column} (to {last} on this row): "
        f"ours {ours.screen[row, column]:02X}, ale-py {theirs.screen[row, column]:02X}",
        f"  beam: scanline {row + first_line}, colour clock {BLANK_CLOCKS + column}",
    ]


def png(pixels: np.ndarray) -> bytes:
    """A PNG file of an array of bytes with the shape (height, width, 3)."""
    height, width, _ = pixels.shape
    # Every line starts with the number of its filter. 0 is no filter.
    lines = np.zeros((height, 1 + width * 3), np.uint8)
    lines[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _colours(difference: Difference) -> np.ndarray:
    """Colours by palette index: ale-py's for the indices in its picture, greys for the others."""
    grey = np.arange(256, dtype=np.uint8) & 0x0F
    table = np.repeat((grey * 17)[:, None], 3, axis=1)
    table[difference.ale_state.screen.reshape(-1)] = difference.ale_rgb.reshape(-1, 3)
    return table
