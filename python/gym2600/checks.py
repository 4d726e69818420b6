"""Checks of arguments. A value of a wrong kind is a TypeError, one out of its range a ValueError, and both name the argument."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

#: Memory of the caller: an array of NumPy, a tensor in the CPU's memory that has DLPack, or a buffer of Python.
Buffer: TypeAlias = Any

#: The greatest number of frames, pixels and the like. ALE's numbers have as many bits.
GREATEST = 2**31 - 1

#: DLPack's numbers of the CPU's memory, and of those parts of it that are pinned for a graphics card of CUDA or ROCm.
_ON_THE_CPU = (1, 3, 11)


def whole(name: str, value: Any) -> int:
    """A whole number, of Python or NumPy."""
    try:
        return int(operator.index(value))
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it is a whole number") from None


def counts(least: int = 0, **arguments: Any) -> None:
    """Checks that arguments are whole numbers from `least` on. True and False are none."""
    for name, value in arguments.items():
        if isinstance(value, bool):
            raise TypeError(f"{name} is {value}; it is a whole number")
        if not least <= whole(name, value) <= GREATEST:
            raise ValueError(f"{name} is {value}; it is from {least} to 2**31 - 1")


def number(name: str, value: Any) -> float:
    """A number. Text is none."""
    try:
        if isinstance(value, SupportsFloat | SupportsIndex):
            return float(value)
    except (TypeError, OverflowError):
        pass
    raise TypeError(f"{name} is {value!r}; it is a number")


def finite(name: str, value: Any) -> None:
    """Checks that an argument is a finite number."""
    if not math.isfinite(number(name, value)):
        raise ValueError(f"{name} is {value}; it is finite")


def probability(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    if not 0.0 <= number(name, value) <= 1.0:
        raise ValueError(f"{name} is {value}; it is from 0 to 1")
    return float(value)


def flags(**arguments: Any) -> None:
    """Checks that arguments are True or False, or their numbers."""
    for name, value in arguments.items():
        if not isinstance(value, int | np.integer | np.bool_) or value not in (0, 1):
            raise TypeError(f"{name} is {value!r}; it is True or False")


def sequence(name: str, value: Any) -> None:
    """Checks that an argument is a list or the like. Text is none."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise TypeError(f"{name} is {value!r}; it is a list")


def instance(name: str, value: Any, kinds: tuple[type[Any], ...], what: str) -> None:
    """Checks that an argument is of some types, of which `what` tells."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} is {value!r}; it is {what}")


def choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Checks that an argument is one of some values."""
    if not any(value is known or (isinstance(value, str) and value == known) for known in choices):
        raise ValueError(f"{name} is {value!r}; it is one of {', '.join(map(repr, choices))}")


def reset_options(options: Any) -> dict[str, Any]:
    """The options of a reset, which may be None."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise TypeError(f"options is {options!r}; it is a dictionary or None")
    return options


def writable(name: str, value: Buffer, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """An array of NumPy on the caller's memory, into which observations can be written as they are.

    Raises:
        TypeError: It is no buffer in the CPU's memory, or has another dtype.
        ValueError: It has another shape, is not contiguous in C order, or cannot be written.
    """
    array = _shared(name, value)
    if array.dtype != dtype:
        raise TypeError(f"{name} has the dtype {array.dtype}; it is {np.dtype(dtype)}")
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; it is {shape}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} has the strides {array.strides}; it is contiguous, in C order")
    if not array.flags.writeable:
        raise ValueError(f"{name} cannot be written")
    return array


def _shared(name: str, value: Buffer) -> NDArray[Any]:
    """An array of NumPy that shares the memory of a value."""
    if isinstance(value, np.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__"):
            if value.__dlpack_device__()[0] not in _ON_THE_CPU:
                raise BufferError("it is on another device")
            array = np.from_dlpack(value)
            # NumPy cannot write what an older DLPack shares. A tensor of PyTorch shares it by `numpy` too.
            return array if array.flags.writeable or not hasattr(value, "numpy") else np.asarray(value.numpy())
        return np.asarray(memoryview(value))
    except (TypeError, ValueError, BufferError, RuntimeError) as error:
        kind = type(value).__name__
        raise TypeError(f"{name} is of the type {kind}, which is no array or tensor in the CPU's memory: {error}") from None
