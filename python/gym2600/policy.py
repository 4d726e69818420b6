"""`Policy`: trained weights at play."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gym2600 import _gym2600, roms
from gym2600.batch import OPTIONS
from gym2600.checks import instance, whole
from gym2600.vector_env import AUTORESETS


class Decision(NamedTuple):
    """A policy's output for an observation."""

    action: int
    """The number of the action, from 0."""
    logits: NDArray[np.float32]
    """The actor's output for each action."""
    probabilities: NDArray[np.float64]
    """The probability of each action."""
    value: float
    """The sum of discounted clipped rewards that the critic expects."""


class Policy:
    """A policy from a file of weights or a checkpoint, of `gym2600 train`, of the npm package or of CleanRL.

    Args:
        file: The path of the file, or its bytes.

    It plays in the environment that it was trained in, which `environment` describes:

        policy = gym2600.Policy("wallop.safetensors")
        envs = gym2600.VectorEnv("wallop", 8, **policy.environment("wallop"))
        observations, infos = envs.reset(seed=0)
        actions = [policy.act(observation).action for observation in observations]

    In another environment a policy of 100 points may play like chance, also where its observations have the same shape.

    Raises:
        RefusedError: The bytes are no weights, are damaged, or are of a later version.
    """

    def __init__(self, file: bytes | str | os.PathLike[str]) -> None:
        instance("file", file, (bytes, str, os.PathLike), "a path or the bytes of a file")
        self._native = _gym2600.Policy(file if isinstance(file, bytes) else Path(file).read_bytes())

    @property
    def origin(self) -> dict[str, Any] | None:
        """What the weights were made for: net, actions, preset, game, MD5 of the ROM, seed, steps and hyper-parameters. None where the file
        does not say. `environment` gives the arguments for an environment of it."""
        origin = self._native.origin()
        return None if origin is None else json.loads(origin)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the observations: frames, the oldest first, height and width."""
        frames, height, width = self._native.shape()
        return frames, height, width

    def environment(self, game: roms.Rom) -> dict[str, Any]:
        """The arguments of `VectorEnv` for the games that the policy was trained in, defaults resolved; where the file names none, those of a
        training run without options.

        Args:
            game: The name of a game, a path or the bytes of a ROM.

        Raises:
            RefusedError: The game has another MD5, action set or picture than the weights are for.
        """
        with roms.named(game):
            options: dict[str, Any] = json.loads(self._native.environment(roms.load(game)))
        arguments = {name: options[option] for name, option in OPTIONS.items() if options.get(option) is not None}
        modes = {ours: mode for mode, ours in AUTORESETS.items()}
        return arguments | {"autoreset": modes[arguments["autoreset"]]}

    def act(self, observation: ArrayLike, *, seed: int | None = None) -> Decision:
        """Decides on one observation, as games of `environment` give them.

        Args:
            observation: Bytes of the shape `shape`. Other shapes are refused, such as one with the frames along the last axis.
            seed: Draws the action from the stream of this seed; it depends on the number of decisions before it too. Without one the most
                probable action is taken.

        Raises:
            TypeError: The observation has other numbers than bytes.
            RefusedError: It has another shape, or an output is no finite number because weights are too large.
        """
        array = np.asarray(observation)
        if array.dtype != np.uint8:
            raise TypeError(f"observation has the type {array.dtype}; nets see bytes, uint8")
        if seed is not None and not 0 <= whole("seed", seed) < 2**64:
            raise ValueError(f"seed is {seed}; it is from 0 to 2**64 - 1")
        return Decision(*self._native.act(array.tobytes(), list(array.shape), seed))
