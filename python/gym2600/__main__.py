"""The program `gym2600`, also `python -m gym2600`: the native one, which the wheel has in its module."""

from __future__ import annotations

import signal
import sys

from . import _gym2600


def main() -> int:
    """Runs the program with the arguments of this process, and gives its exit code."""
    # Ctrl-C is the program's: Python would see it only when the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _gym2600.program(["gym2600", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
