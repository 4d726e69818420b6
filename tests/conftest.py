"""Fixtures of all Python tests."""

from __future__ import annotations

import os
import time

import pytest
from limits import LONG


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark of tests that only the long form has."""
    config.addinivalue_line("markers", "long: a test of `npm run test:long` alone")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the marked tests out of the short form."""
    if LONG:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


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
