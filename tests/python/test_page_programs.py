"""The programs that the demo page's Code writes, for every environment. `tests/browser/code.test.ts` writes their files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests/browser/programs").glob("*.py"))


def test_there_are_programs():
    assert len(PROGRAMS) > 8


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_of_the_page_runs_and_begins_with_the_bytes_of_javascript(program, tmp_path, monkeypatch):
    (tmp_path / "mine.bin").write_bytes((ROOT / "crates/arcade/games/wallop.bin").read_bytes())
    monkeypatch.chdir(tmp_path)
    head, text = program.read_text().split("\n", 1)
    start, loop = text.split("for _ in", 1)
    names: dict[str, Any] = {}
    exec(start, names)
    assert hashlib.sha256(names["observations"][0].tobytes()).hexdigest() == head.split()[-1]
    # Shorter, but the same program.
    exec("for _ in" + loop.replace("range(1000)", "range(20)"), names)
    assert names["rewards"].shape == (names["envs"].num_envs,)
