"""Batches as functions of JAX, which compiled functions can call: `jit`, `lax.scan` and the like.

A function calls its batch back in Python, in the order of the program (`io_callback`). That costs little beside a step of a batch, and works on every
device. Each function takes a handle and gives it again, so that the program itself has the order of the calls.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from gym2600.versions import AutoresetMode

if TYPE_CHECKING:
    from gym2600.pool import PoolEnv
    from gym2600.vector_env import AtariVectorEnv

Array = Any
Function = Callable[..., Any]


class _Jax:
    """What is needed of JAX, and the handle of a batch."""

    def __init__(self) -> None:
        try:
            self.numpy = importlib.import_module("jax.numpy")
            self._call = importlib.import_module("jax.experimental").io_callback
            self._shape = importlib.import_module("jax").ShapeDtypeStruct
        except ImportError as error:
            raise DependencyNotInstalled("xla needs JAX: pip install jax") from error
        self.handle = self.numpy.zeros(8, np.uint8)

    def shape(self, dtype: Any, *shape: int) -> Any:
        """The shape and type of a result."""
        return self._shape(shape, np.dtype(dtype))

    def bound(self, function: Function, result: Any) -> Function:
        """A function of JAX that calls another with arrays of NumPy. It takes a handle before the arguments, and gives the handle for the next call
        before the result, which has the shapes of `result`."""
        shapes = (self.shape(np.uint8, 8), result)

        # One for all calls, because JAX compiles a call for each function that it calls back.
        def back(handle: Array, *arguments: Array) -> tuple[Any, Any]:
            return np.asarray(handle), function(*map(np.asarray, arguments))

        def call(handle: Array, *arguments: Array) -> Any:
            return self._call(back, shapes, handle, *arguments, ordered=True)

        return call

    def actions(self, actions: Array, dtype: Any, *shape: int) -> Array:
        """Actions of a type and shape."""
        array = self.numpy.asarray(actions)
        if array.dtype.kind not in ("iu" if np.dtype(dtype).kind == "i" else "iuf"):
            raise TypeError(f"actions have the dtype {array.dtype}; it is {np.dtype(dtype)}")
        if array.shape != shape:
            raise ValueError(f"actions have the shape {array.shape}; it is {shape}")
        return array.astype(dtype)


def atari_vector_functions(envs: AtariVectorEnv) -> tuple[Array, Function, Function]:
    """The handle, `reset` and `step` of `AtariVectorEnv.xla`."""
    if envs.autoreset_mode != AutoresetMode.NEXT_STEP:
        raise ValueError(f"autoreset_mode is {envs.autoreset_mode}; the functions of xla have AutoresetMode.NEXT_STEP")
    jax, count = _Jax(), envs.batch_size
    observations = jax.shape(np.uint8, *(envs.observation_space.shape or ()))
    infos = {key: jax.shape(np.int32, count) for key in ("env_id", "lives", "frame_number", "episode_frame_number")}
    rewards, flags = jax.shape(np.int32, count), jax.shape(np.bool_, count)

    def start(seeds: Array, has_seed: Array, mask: Array) -> Any:
        return envs.reset(seed=seeds if has_seed else None, options={"reset_mask": mask})

    starting = jax.bound(start, (observations, infos))
    playing = jax.bound(envs.step, (observations, rewards, flags, flags, infos))

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

    return jax.handle, reset, step


def pool_functions(envs: PoolEnv) -> tuple[Array, Function, Function, Function]:
    """The handle, `recv`, `send` and `step` of the `xla` of `gym2600.make`."""
    jax, count = _Jax(), int(envs.config["batch_size"])
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

    receiving, sending = jax.bound(envs.recv, results), jax.bound(envs.send, None)

    def recv(handle: Array) -> tuple[Array, Any]:
        given: tuple[Array, Any] = receiving(handle)
        return given

    def send(handle: Array, action: Array, env_id: Array | None = None) -> Array:
        lanes = ids(env_id)
        return sending(handle, jax.actions(action, np.int32, *lanes.shape), lanes)[0]

    def step(handle: Array, action: Array, env_id: Array | None = None) -> tuple[Array, Any]:
        return recv(send(handle, action, env_id))

    return jax.handle, recv, send, step
