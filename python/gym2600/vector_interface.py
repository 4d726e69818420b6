"""`AtariVectorEnv.ale`: the methods of ale-py's `ALEVectorInterface`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from gym2600.actions import Action
from gym2600.batch import Infos

if TYPE_CHECKING:
    from gym2600.vector_env import AtariVectorEnv, Result

class VectorInterface:
    """The environments of an `AtariVectorEnv` below its spaces: with numbers of actions and strengths, also where it is continuous.

    Args:
        envs: The batch, of which `AtariVectorEnv.ale` gives this.
    """

    def __init__(self, envs: AtariVectorEnv) -> None:
        self._envs = envs

    def get_action_set(self) -> list[Action]:
        """The actions, by their numbers in `send`."""
        return [Action[name] for name in self._envs.action_names]

    def get_num_envs(self) -> int:
        """Number of environments."""
        return self._envs.num_envs

    def get_observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation of one environment."""
        return self._envs.single_observation_space.shape or ()

    def reset(
        self, reset_indices: Sequence[int] | NDArray[Any], reset_seeds: Sequence[int] | NDArray[Any], /
    ) -> tuple[NDArray[np.uint8], Infos]:
        """Starts episodes in some environments.

        Args:
            reset_indices: The numbers of the environments, from 0, each once.
            reset_seeds: A seed for each of them, 0 to 2**31 - 1. With -1 it plays on with its generators.

        Raises:
            ValueError: A number is out of its range or given twice, or there are more or fewer seeds than numbers.
        """
        lanes, count = list(reset_indices), self._envs.num_envs
        if len(set(lanes)) != len(lanes) or not all(0 <= lane < count for lane in lanes):
            raise ValueError(f"the environments to reset are {lanes}; they are different numbers from 0 to {count - 1}")
        if len(reset_seeds) != len(lanes):
            raise ValueError(f"{len(reset_seeds)} seeds were given for {len(lanes)} environments that are reset")
        mask = np.zeros(count, np.bool_)
        mask[lanes] = True
        seeds = [seed for _, seed in sorted(zip(lanes, reset_seeds, strict=True))]
        return self._envs.reset(seed=seeds, options={"reset_mask": mask})

    def send(
        self, action_ids: Sequence[int] | NDArray[Any], paddle_strengths: Sequence[float] | NDArray[Any], /
    ) -> None:
        """`AtariVectorEnv.send` with numbers of actions.

        Args:
            action_ids: Places in `get_action_set`, whole and of the shape (batch_size,).
            paddle_strengths: How fast each action turns a paddle, 0 to 1.
        """
        self._envs.send_numbers(action_ids, paddle_strengths)

    def recv(self) -> Result:
        """`AtariVectorEnv.recv`."""
        return self._envs.recv()

    def handle(self, *_: Any) -> NoReturn:
        """ale-py's pointer for its calls from XLA.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("there is no pointer for XLA: AtariVectorEnv.xla gives functions for JAX")
