"""Warnings are errors, as in tests/python, but for those that are about the code of others.

A warning belongs to the module whose line causes it. Libraries that train cause many: about each other, and about versions of Python to come.
"""

from __future__ import annotations

import pytest

#: Modules whose warnings are ours to mend: the package, these tests, and what both stand on.
OURS = r"(__main__|gym2600|gymnasium|ale_py|agents|cleanrl|conftest|examples|ppo|test_\w+)(\.|$)"


def pytest_configure(config: pytest.Config) -> None:
    """Adds the filters, of which the last that fits is taken."""
    config.addinivalue_line("filterwarnings", "error")
    config.addinivalue_line("filterwarnings", f"default:::(?!{OURS})")
