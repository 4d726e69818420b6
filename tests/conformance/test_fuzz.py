"""Random programs (`fuzz_program`) give the same bytes as on ale-py."""

from __future__ import annotations

from pathlib import Path

import pytest
from limits import LONG

from .fuzz import PROFILES, Task, run_task

# Seeds of programs that found errors.
FOUND = [("playfield", 44), ("objects", 7), ("everything", 21), ("jam", 20025)]


def check(profile: str, seed: int, folder: Path) -> None:
    """Fails with a description of the difference, and writes the reduced program."""
    result = run_task(Task(profile, seed, 60, folder))
    if result.difference is not None:
        target = folder / result.game
        pytest.fail(f"{(target / 'difference.txt').read_text()}reduced program: {target}", pytrace=False)


@pytest.mark.parametrize("profile", PROFILES)
def test_fixed_random_programs_equal_ale(profile: str, tmp_path: Path) -> None:
    for number in range(10 if LONG else 3):
        check(profile, number, tmp_path)


@pytest.mark.parametrize("profile", PROFILES)
def test_programs_of_the_day_equal_ale(profile: str, seed: int, tmp_path: Path) -> None:
    for number in range(5 if LONG else 3):
        check(profile, seed * 1000 + number, tmp_path)


@pytest.mark.parametrize(("profile", "number"), FOUND)
def test_programs_that_found_errors_equal_ale(profile: str, number: int, tmp_path: Path) -> None:
    check(profile, number, tmp_path)
