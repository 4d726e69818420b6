"""Batches as functions of JAX, which compiled functions can call: `jit`, `lax.scan` and the like.

A function is a custom call of XLA's FFI. Its handler in the native module gives XLA's buffers to `called`, and games write their observations into
them. The functions take a handle and give it again, so that a program has the order of the calls; the handle is on the CPU, where games play.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from itertools import count as counting
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from gym2600 import _gym2600
from gym2600.versions import AutoresetMode

if TYPE_CHECKING:
    from gym2600.pool import PoolEnv
    from gym2600.vector_env import AtariVectorEnv

Array = Any
Function = Callable[..., Any]

#: A view of a buffer's memory, the number of its type, and its shape.
View = tuple[memoryview, int, tuple[int, ...]]

#: The types of buffers by their numbers in XLA.
TYPES: dict[int, type[np.generic]] = {1: np.bool_, 4: np.int32, 6: np.uint8, 11: np.float32}

#: The name of the custom call.
TARGET = "gym2600_call"


class Call:
    """A function that compiled programs call, by its number. It exists as long as a function of JAX that was made of it.

    Args:
        play: It takes arrays and the place for observations, or None if `has_observations` is False, and gives the results.
        lock: The lock of the batch. Programs that do not pass its handle on run in no order, and then one waits for the other.
        has_observations: Whether the first result is observations.
    """

    def __init__(self, play: Function, lock: Lock, has_observations: bool) -> None:
        self.play = play
        self.lock = lock
        self.has_observations = has_observations
        self.number: int = next(_NUMBERS)
        _CALLS[self.number] = self


_NUMBERS = counting()
_CALLS: WeakValueDictionary[int, Call] = WeakValueDictionary()


def called(number: int, arguments: list[View], results: list[View]) -> None:
    """Does what a compiled program calls. The first argument is the handle, and so is the first result.

    Args:
        number: The number of the function.
        arguments: The buffers of the arguments, which cannot be written.
        results: Those of the results.
    """
    call = _CALLS.get(number)
    if call is None:
        raise RuntimeError("a compiled program plays environments that are gone: keep the functions of their xla")
    handle, *given = map(_array, arguments)
    handle_again, *places = map(_array, results)
    handle_again[...] = handle
    with call.lock:
        values = _jax().tree.leaves(call.play(*given, out=places[0]) if call.has_observations else call.play(*given))
    for place, value in zip(places, values, strict=True):
        # Observations are there already.
        if value is not place:
            place[...] = value


def _array(view: View) -> NDArray[Any]:
    memory, kind, shape = view
    return np.ndarray(shape, TYPES[kind], memory)


class _Jax:
    """What is needed of JAX."""

    def __init__(self) -> None:
        try:
            self._jax: Any = importlib.import_module("jax")
            self.numpy, self._ffi = (importlib.import_module(name) for name in ("jax.numpy", "jax.ffi"))
        except ImportError as error:
            raise DependencyNotInstalled("xla needs JAX: pip install jax") from error
        self.tree = self._jax.tree
        self._ffi.register_ffi_target(TARGET, _gym2600.xla_handler(), platform="cpu")

    def handle(self) -> Array:
        """A handle of a batch. It keeps programs that take it on the CPU."""
        return self._jax.device_put(np.zeros(8, np.uint8), self._jax.local_devices(backend="cpu")[0])

    def shape(self, dtype: Any, *shape: int) -> Any:
        """The shape and type of a result."""
        return self._jax.ShapeDtypeStruct(shape, np.dtype(dtype))

    def bound(self, play: Function, lock: Lock, result: Any) -> Function:
        """A function of JAX that calls another with arrays of NumPy. It takes a handle before the arguments, and gives the handle for the next call
        before the result, which has the shapes of `result`; None is no result."""
        shapes, tree = self.tree.flatten(result)
        call = Call(play, lock, bool(shapes))
        # Without the side effect XLA would drop a call whose results are not used, and join equal ones.
        custom = self._ffi.ffi_call(TARGET, (self.shape(np.uint8, 8), *shapes), has_side_effect=True)

        def function(handle: Array, *arguments: Array) -> tuple[Array, Any]:
            handle, *results = custom(handle, *arguments, call=np.int64(call.number))
            return handle, self.tree.unflatten(tree, results)

        return function

    def actions(self, actions: Array, dtype: Any, *shape: int) -> Array:
        """Actions of a type and shape."""
        array = self.numpy.asarray(actions)
        if array.dtype.kind not in ("iu" if np.dtype(dtype).kind == "i" else "iuf"):
            raise TypeError(f"actions have the dtype {array.dtype}; it is {np.dtype(dtype)}")
        if array.shape != shape:
            raise ValueError(f"actions have the shape {array.shape}; it is {shape}")
        return array.astype(dtype)


@cache
def _jax() -> _Jax:
    """JAX, which knows the handler of the native module from then on."""
    return _Jax()


def atari_vector_functions(envs: AtariVectorEnv, lock: Lock) -> tuple[Array, Function, Function]:
    """The handle, `reset` and `step` of `AtariVectorEnv.xla`. `lock` is that of the batch."""
    if envs.autoreset_mode != AutoresetMode.NEXT_STEP:
        raise ValueError(f"autoreset_mode is {envs.autoreset_mode}; the functions of xla have AutoresetMode.NEXT_STEP")
    jax, count = _jax(), envs.batch_size
    observations = jax.shape(np.uint8, *(envs.observation_space.shape or ()))
    infos = {key: jax.shape(np.int32, count) for key in ("env_id", "lives", "frame_number", "episode_frame_number")}
    rewards, flags = jax.shape(np.int32, count), jax.shape(np.bool_, count)

    def start(seeds: NDArray[Any], has_seed: NDArray[Any], mask: NDArray[Any], out: NDArray[Any]) -> Any:
        return envs.reset(seed=seeds if has_seed else None, options={"reset_mask": mask}, out=out)

    starting = jax.bound(start, lock, (observations, infos))
    playing = jax.bound(envs.step, lock, (observations, rewards, flags, flags, infos))

    def reset(handle: Array, seed: Array | None = None, reset_mask: Array | None = None) -> tuple[Array, Any]:
        seeds = jax.numpy.asarray(0 if seed is None else seed, np.int32)
        mask = jax.numpy.ones(envs.num_envs, np.bool_) if reset_mask is None else jax.numpy.asarray(reset_mask)
        if mask.shape != (envs.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask is {reset_mask!r}; it is {envs.num_envs} bools")
        if reset_mask is None and seeds.shape not in ((), (envs.num_envs,)):
            raise ValueError(f"seed has the shape {seeds.shape}; it is one number, or {envs.num_envs} numbers")
        given: tuple[Array, Any] = starting(handle, seeds, jax.numpy.asarray(seed is not None), mask)
        return given

    def step(handle: Array, actions: Array) -> tuple[Array, Any]:
        actions = jax.actions(actions, np.float32, count, 3) if envs.continuous else jax.actions(actions, np.int32, count)
        given: tuple[Array, Any] = playing(handle, actions)
        return given

    return jax.handle(), reset, step


def pool_functions(envs: PoolEnv, lock: Lock) -> tuple[Array, Function, Function, Function]:
    """The handle, `recv`, `send` and `step` of the `xla` of `gym2600.make`. `lock` is that of the batch."""
    jax, count = _jax(), int(envs.config["batch_size"])
    numbers, flags = jax.shape(np.int32, count), jax.shape(np.bool_, count)
    infos = {
        "env_id": numbers,
        "players": {"env_id": numbers},
        "lives": numbers,
        "reward": jax.shape(np.float32, count),
        "terminated": numbers,
        "ram": jax.shape(np.uint8, count, 128),
        "elapsed_step": numbers,
    }
    observations = jax.shape(np.uint8, count, *(envs.observation_space.shape or ()))
    results = (observations, jax.shape(np.float32, count), flags, flags, infos)

    def ids(env_id: Array | None) -> Array:
        numbers = jax.numpy.arange(envs.num_envs) if env_id is None else jax.numpy.asarray(env_id)
        return numbers.astype(np.int32)

    receiving, sending = jax.bound(envs.recv, lock, results), jax.bound(envs.send, lock, None)

    def recv(handle: Array) -> tuple[Array, Any]:
        given: tuple[Array, Any] = receiving(handle)
        return given

    def send(handle: Array, action: Array, env_id: Array | None = None) -> Array:
        lanes = ids(env_id)
        return sending(handle, jax.actions(action, np.int32, *lanes.shape), lanes)[0]

    def step(handle: Array, action: Array, env_id: Array | None = None) -> tuple[Array, Any]:
        return recv(send(handle, action, env_id))

    return jax.handle(), recv, send, step
