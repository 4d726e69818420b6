"""Compares results of ours with those of a reference."""

from __future__ import annotations

import numpy as np


def check(ours, theirs, what="", order=slice(None)) -> None:
    """Compares values, with their types: tuples, dictionaries, arrays and numbers. `order` is that of the reference's arrays."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), what
        for key in theirs:
            check(ours[key], theirs[key], f"{what} {key}", order)
    elif isinstance(theirs, tuple):
        assert len(ours) == len(theirs), what
        for place, (mine, expected) in enumerate(zip(ours, theirs, strict=True)):
            check(mine, expected, f"{what} {place}", order)
    elif isinstance(theirs, np.ndarray):
        theirs = theirs[order]
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), what
        assert np.array_equal(ours, theirs), what
    else:
        assert type(ours) is type(theirs), what
        assert ours == theirs, what


def check_step(ours, theirs, number):
    """Compares the five results of a step. ale-py leaves the final observations of environments that play on undefined."""
    if "final_obs" in theirs[4]:
        ended = theirs[2] | theirs[3]
        check(ours[4].pop("final_obs")[ended], theirs[4].pop("final_obs")[ended], f"step {number} final_obs")
    check(ours, theirs, f"step {number}")
