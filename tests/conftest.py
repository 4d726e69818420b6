"""What the Python tests share."""

from __future__ import annotations

import os
import time

import pytest


def pytest_report_header() -> str:
    """Shows the seed, so that a failure of today can be repeated tomorrow."""
    return f"seed of the day: {day_seed()} (GYM2600_SEED sets another)"


def day_seed() -> int:
    """GYM2600_SEED, or else the date: the tests see other plays every day."""
    named = os.environ.get("GYM2600_SEED")
    return int(named) if named else int(time.strftime("%Y%m%d"))


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed for everything random in a test."""
    return day_seed()
