"""Random programs run as on ale-py; see `fuzz_program` for what they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fuzz import PROFILES, Task, run_task

# Programs that differed once.
FOUND = [("playfield", 44), ("objects", 7), ("everything", 21), ("jam", 20025)]


def check(profile: str, seed: int, folder: Path) -> None:
    """Fails with the description of the difference, and leaves the reduced program."""
    outcome = run_task(Task(profile, seed, 60, folder))
    if outcome.difference is not None:
        target = folder / outcome.game
        pytest.fail(f"{(target / 'difference.txt').read_text()}reduced program: {target}", pytrace=False)


@pytest.mark.parametrize("profile", PROFILES)
def test_fixed_random_programs_equal_ale(profile: str, tmp_path: Path) -> None:
    for number in range(10):
        check(profile, number, tmp_path)


@pytest.mark.parametrize("profile", PROFILES)
def test_programs_of_the_day_equal_ale(profile: str, seed: int, tmp_path: Path) -> None:
    for number in range(5):
        check(profile, seed * 1000 + number, tmp_path)


@pytest.mark.parametrize(("profile", "number"), FOUND)
def test_programs_that_once_differed_equal_ale(profile: str, number: int, tmp_path: Path) -> None:
    check(profile, number, tmp_path)
