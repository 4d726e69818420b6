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
