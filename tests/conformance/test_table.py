"""The table that `scripts/conformance --write-table` writes."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from . import ours, table
from .table import MARKERS, Row

OPTIONS = argparse.Namespace(
    modes=False,
    command_line="scripts/conformance --frames 300",
    commit="1234abc",
    runner="native",
    seed=7,
    sticky=0.25,
)
ROWS = [
    Row("breakout", plays=1, frames=300, episodes=2),
    Row("pong", plays=1, frames=300, episodes=1),
    Row("seaquest", plays=1, frames=120, episodes=0, differences=["frame 120: RAM"]),
    Row("pitfall2", plays=1, frames=300),
]


def test_every_rom_is_named_with_its_frames_and_differences(tmp_path: Path) -> None:
    file = tmp_path / "conformance.md"
    begin, end = MARKERS
    file.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    for _ in range(2):
        table.write(file, ROWS, OPTIONS)
    text = file.read_text()
    assert text.startswith(f"before\n{begin}\n3 of 4 ROMs equal over 1,020 frames and 3 ended episodes: `scripts/")
    assert "(commit 1234abc, native build, default mode, seed 7, sticky actions 0.25)" in text
    assert text.endswith(f"{end}\nafter\n")
    assert "old" not in text
    assert "| 2K | 2: breakout, pong | 300 | 3 | 0 |\n| DPC | 1: pitfall2 | 300 | 0 | 0 |\n" in text
    assert "| 4K | 1: seaquest | 120 | 0 | DIFFERENT: frame 120: RAM |\n" in text


def test_frames_stand_beside_the_names_where_they_differ() -> None:
    rows = [Row("breakout", frames=3600), Row("pong", frames=1200)]
    assert "| 2: breakout (3,600), pong (1,200) | 1,200 to 3,600 |" in table.markdown(rows, OPTIONS)


def test_a_file_without_markers_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "conformance.md"
    file.write_text("nothing here\n")
    with pytest.raises(ValueError, match="lacks the lines"):
        table.write(file, ROWS, OPTIONS)
    assert file.read_text() == "nothing here\n"


def test_the_documents_have_a_table_of_all_roms() -> None:
    begin, end = MARKERS
    written = (ours.ROOT / "docs" / "conformance.md").read_text().partition(begin)[2].partition(end)[0]
    assert "108 of 108 ROMs equal" in written
    assert written.count(", ") > 100


@pytest.mark.parametrize(
    ("document", "limit"), [("README.md", 120), ("ARCHITECTURE.md", 100), ("docs/performance.md", 120)]
)
def test_the_front_documents_are_short(document: str, limit: int) -> None:
    assert (ours.ROOT / document).read_text().count("\n") < limit
