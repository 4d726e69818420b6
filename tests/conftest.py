"""Fixtures of all Python tests."""

from __future__ import annotations

import os
import time

import pytest


def pytest_report_header() -> str:
    """Prints the seed, so that a failure can be repeated on another day."""
    return f"seed of the day: {day_seed()} (GYM2600_SEED sets another)"


def day_seed() -> int:
    """GYM2600_SEED, or the date, so that the tests see other plays every day."""
    named = os.environ.get("GYM2600_SEED")
    return int(named) if named else int(time.strftime("%Y%m%d"))


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of a test."""
    return day_seed()
