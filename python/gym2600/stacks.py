"""Stacks of pictures that the learner makes itself, so that a step moves only the newest picture to the graphics card.

A batch with `stacked=False` gives a dictionary: `picture`, the newest pictures, and `reset`, 1 where a stack begins anew. `TorchStack` makes the stacks
of the batch's `QueueFrames` from them, on any device of PyTorch.
"""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gym2600 import _gym2600
from gym2600.batch import OPTIONS, Batch, Step, Wrapper, batched, options_json
from gym2600.checks import Buffer, instance, writable
from gym2600.errors import arguments_named
from gym2600.versions import AutoresetMode

if TYPE_CHECKING:
    from gym2600.vector import VectorEnv

#: The newest pictures, and where stacks begin anew.
Newest = dict[str, NDArray[Any]]

#: Wrappers around `QueueFrames` that reset it whenever an episode begins, and change no picture.
OUTER = {"ClipReward", "EpisodeStatistics", "AutoReset"}


class Stack(NamedTuple):
    """The stacks that a `QueueFrames` would make."""

    #: Pictures in a stack.
    n: int
    #: The older pictures of a new stack: "reset" for the newest one, or "zero".
    padding: str
    #: Whether the pictures are the first axis of a stack, else the last one.
    axis: str


#: Options that a resolved list of wrappers has in itself, and others that it depends on.
_IN_LIST = ("preset", "wrappers", "repeat_action_probability")
_BESIDE = ("observation", "autoreset", "seeding", "max_frames_per_episode")


def without_stack(options: dict[str, Any]) -> tuple[Stack, dict[str, Any]]:
    """The options of a batch without the `QueueFrames` of its list, which the first value describes.

    Raises:
        ValueError: There is no such wrapper, or another one stands in its way.
    """
    named = {name: options[name] for name in (*_IN_LIST, *_BESIDE)}
    with arguments_named(OPTIONS):
        spec = json.loads(_gym2600.describe(_gym2600.wallop(), options_json(named)))["spec"]
    wrappers: list[Wrapper] = spec["wrappers"]
    places = [place for place, wrapper in enumerate(wrappers) if wrapper["type"] == "QueueFrames"]
    if len(places) != 1:
        raise ValueError(f"stacked is False; the list has {len(places)} wrappers QueueFrames, and needs one")
    queue, outer = wrappers[places[0]], [wrapper["type"] for wrapper in wrappers[places[0] + 1 :]]
    # With "gameReset" a lost life can add two pictures to a stack in one step.
    if queue["concat"] or queue["padding"] == "gameReset" or not OUTER.issuperset(outer):
        raise ValueError(f"stacked is False; QueueFrames has concat or gameReset, or wrappers around it that do not fit: {outer}")
    left = [wrapper for place, wrapper in enumerate(wrappers) if place != places[0]]
    changed = {name: None for name in _IN_LIST} | {
        "wrappers": left,
        "observation": spec["observation"],
        "seeding": spec["seeding"],
        "max_frames_per_episode": spec["maxFramesPerEpisode"],
    }
    return Stack(queue["n"], queue["padding"], queue["axis"]), options | changed


class NewestPictures:
    """The observations of a batch without stacks."""

    def __init__(self, batch: Batch, stack: Stack, autoreset: AutoresetMode) -> None:
        if stack.axis == "last" and len(batch.shape) != 2:
            raise ValueError(f"stacked is False; pictures of the shape {batch.shape} are not stacked along their last axis")
        self.stack: Stack = stack
        self._batch = batch
        self._autoreset = autoreset
        # Where the next step begins a stack.
        self._next = np.zeros(batch.num_envs, np.bool_)
        flags = spaces.Box(0, 1, (), np.uint8)
        self.single_space: spaces.Dict = spaces.Dict({"picture": batch.observation_space(), "reset": flags})
        pictures = batched(batch.observation_space(), batch.num_envs)
        self.space: spaces.Dict = spaces.Dict({"picture": pictures, "reset": spaces.Box(0, 1, (batch.num_envs,), np.uint8)})

    def landing(self, out: Buffer | None) -> Newest:
        """The arrays for an observation, which share the memory of those of `out`, if there is one."""
        count = self._batch.num_envs
        if out is None:
            return {"picture": self._batch.landing(count), "reset": np.empty(count, np.uint8)}
        instance("out", out, (dict,), 'a dictionary with "picture" and "reset"')
        if set(out) != {"picture", "reset"}:
            raise ValueError(f'out has the keys {sorted(out)}; they are "picture" and "reset"')
        return {
            "picture": writable('out["picture"]', out["picture"], (count, *self._batch.shape), self._batch.dtype),
            "reset": writable('out["reset"]', out["reset"], (count,), np.uint8),
        }

    def after_reset(self, out: Newest, mask: Any) -> None:
        """Completes the observation after a reset of all environments, or of those in `mask`."""
        chosen = np.ones(self._batch.num_envs, np.bool_) if mask is None else np.asarray(mask).astype(np.bool_)
        out["reset"][...] = chosen
        self._next[chosen] = False

    def after_step(self, out: Newest, step: Step) -> None:
        """Completes the observation after a step."""
        begins = step.terminations | step.truncations
        if self._autoreset == AutoresetMode.NEXT_STEP:
            begins, self._next = self._next, begins
        out["reset"][...] = False if self._autoreset == AutoresetMode.DISABLED else begins


class TorchStack:
    """The stacks of a batch with `stacked=False`, as a tensor of PyTorch on a device.

    Args:
        envs: The batch, made with `stacked=False`.
        device: A device of PyTorch, such as "cuda"; None for the CPU.

    Each method changes the tensor `stack` in place and gives it, so a CUDA graph can have it. It is valid until the next call: copy it into the rollout.
    Pictures in pinned memory, where the `out` of a step can be, move to the card while the program goes on: step into the same memory only when the copy has ended.

    Raises:
        ValueError: The batch stacks its observations itself.
    """

    def __init__(self, envs: VectorEnv, device: Any = None) -> None:
        if envs.newest is None:
            raise ValueError("the batch stacks its observations itself: make it with stacked=False")
        self._torch = importlib.import_module("torch")
        picture = envs.newest.single_space["picture"]
        self._n, padding, self._axis = envs.newest.stack
        self._is_zero = padding == "zero"
        dtype = getattr(self._torch, str(picture.dtype))
        self._rows = self._torch.zeros((envs.num_envs, self._n, *(picture.shape or ())), dtype=dtype, device=device)
        #: The stacks: the shape of the observations that the batch would have with `stacked=True`.
        self.stack: Any = self._rows if self._axis == "first" else self._rows.movedim(1, -1)

    def reset(self, observation: Any) -> Any:
        """The stacks after a reset: those of environments that were reset begin anew, and others stay.

        Args:
            observation: The dictionary that `reset` of the batch gave, or the `out` that it filled.
        """
        return self._push(observation, moves=False)

    def step(self, observation: Any) -> Any:
        """The stacks after a step: each has one picture more, or begins anew.

        Args:
            observation: The dictionary that `step` or `recv` of the batch gave, or the `out` that it filled.
        """
        return self._push(observation, moves=True)

    def _push(self, observation: Any, moves: bool) -> Any:
        torch, rows = self._torch, self._rows
        picture, reset = (
            torch.as_tensor(observation[key]).to(rows.device, non_blocking=True) for key in ("picture", "reset")
        )
        begins = reset.bool().view(-1, *[1] * (rows.dim() - 1))
        newest = picture.unsqueeze(1)
        older = torch.zeros_like(newest) if self._is_zero else newest
        kept = rows[:, 1:].clone() if moves else rows[:, :-1].clone()
        rows[:, :-1] = torch.where(begins, older, kept)
        rows[:, -1:] = newest if moves else torch.where(begins, newest, rows[:, -1:])
        return self.stack
