"""How long a test may take before it counts as hung, and which form and which seed the tests take; see limits.js."""

from __future__ import annotations

import os
import time

HANG_SECONDS = 300 * float(os.environ.get("GYM2600_TEST_TIMEOUT_SCALE") or 1)

LONG = bool(os.environ.get("GYM2600_LONG"))


def day_seed() -> int:
    """GYM2600_SEED, or the date, so that the tests see other plays every day."""
    named = os.environ.get("GYM2600_SEED")
    return int(named) if named else int(time.strftime("%Y%m%d"))
