"""Fixtures of all Python tests."""

from __future__ import annotations

import pytest
from limits import LONG, day_seed


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


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of a test."""
    return day_seed()
