"""How long a test may take before it counts as hung, and which form the tests take; see limits.js."""

from __future__ import annotations

import os

HANG_SECONDS = 300 * float(os.environ.get("GYM2600_TEST_TIMEOUT_SCALE") or 1)

LONG = bool(os.environ.get("GYM2600_LONG"))
