"""What the vector environments have in common: the native batch with NumPy's arrays.

Who owns an observation: with `copy=True` every call gives a new array, which belongs to the caller. With `copy=False` every call
writes to one array and gives that one, so an observation is valid until the next call. With `out` a call writes to the caller's memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector.utils import batch_space
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from gym2600 import _gym2600, roms
from gym2600.checks import Buffer, counts, whole, writable
from gym2600.errors import arguments_named

Infos = dict[str, Any]

#: A wrapper's type and options.
Wrapper = dict[str, Any]

#: The options of an environment, by their names in Python.
OPTIONS = {
    "preset": "preset",
    "wrappers": "wrappers",
    "mode": "mode",
    "difficulty": "difficulty",
    "repeat_action_probability": "repeatActionProbability",
    "full_action_space": "fullActionSpace",
    "max_frames_per_episode": "maxFramesPerEpisode",
    "truncate_on_loss_of_life": "truncateOnLossOfLife",
    "observation": "observation",
    "seeding": "seeding",
    "autoreset": "autoreset",
    "definition": "game",
    "mapper": "mapper",
}


@cache
def _described(preset: str) -> str:
    return _gym2600.describe(_gym2600.wallop(), json.dumps({"preset": preset}))


def wrappers_of(preset: str) -> list[Wrapper]:
    """The wrappers of a preset, from the console outwards, with all their options. They are the caller's to change."""
    wrappers: list[Wrapper] = json.loads(_described(preset))["spec"]["wrappers"]
    return wrappers


def batched(space: spaces.Box, count: int) -> spaces.Space[NDArray[Any]]:
    """The space of a batch, as `batch_space` makes it. Its bounds are views of those of one environment: as arrays of a batch they take eight
    times an observation for each, which the allocator keeps after they are gone."""
    batch, shape = batch_space(space, 1), (count, *space.low.shape)
    state: dict[str, Any] = {"shape": shape}
    for bound in ("low", "high", "bounded_below", "bounded_above"):
        one = getattr(batch, bound)
        # Unlike a broadcast view it is writable, without which PyTorch warns.
        state[bound] = as_strided(one, shape, (0, *one.strides[1:]))
    # As a pickled space is made, without the checks of the constructor, which take arrays of a batch.
    batch.__setstate__(state)
    return batch


class Ending(NamedTuple):
    """An episode that a step ended."""

    place: int
    #: Whether the game ended too. After a lost life it may continue.
    real_done: bool
    #: The score, the agent's steps and the frames of the game that ended.
    game: tuple[float, int, int] | None
    final_info: tuple[int, int, int] | None


class Step(NamedTuple):
    """The results of a step, without the observations."""

    rewards: NDArray[np.float64]
    raw_rewards: NDArray[np.float64]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    any_ended: bool
    infos: Infos


def plain(number: object) -> object:
    """A number of NumPy as one of Python."""
    if isinstance(number, np.generic) or (isinstance(number, np.ndarray) and number.ndim == 0):
        return number.item()
    raise TypeError(f"an option is {number!r}, which is no number, text or list")


def options_json(options: dict[str, Any]) -> str:
    """Options as JSON, without those that are None."""
    return json.dumps({OPTIONS[key]: value for key, value in options.items() if value is not None}, default=plain)


def thread_count(threads: int, num_envs: int) -> int:
    """The number of threads for an argument of which 0 stands for all processors that this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(threads or usable, num_envs))


#: One seed, from which those of all environments follow, or one for each. An environment without a seed plays on with its generators.
Seed: TypeAlias = int | Sequence[int | None] | NDArray[Any] | None


def seed_list(seed: Seed, num_envs: int, seeding: str) -> list[int | None]:
    """The seed of each environment: consecutive numbers if one is given. Old Gym's seeding gives all the same."""
    if seed is None:
        return [None] * num_envs
    seeds = whole_seeds(seed, num_envs, 0 if seeding == "gym" else 1)
    if len(seeds) != num_envs:
        raise ValueError(f"{len(seeds)} seeds were given for {num_envs} environments")
    if not all(number is None or 0 <= number < 2**64 for number in seeds):
        raise ValueError(f"seeds are {seeds}; they are from 0 to 2**64 - 1")
    return seeds


def whole_seeds(seed: Any, count: int, step: int = 1) -> list[int | None]:
    """The seeds of a list, or `count` of them from one on.

    Raises:
        TypeError: A seed is no whole number.
    """
    if np.ndim(seed) == 0:
        first = whole("seed", seed)
        return [first + step * lane for lane in range(count)]
    return [None if number is None else whole("seed", number) for number in seed]


class Batch:
    """A native batch, its description and its arrays."""

    def __init__(
        self,
        rom: roms.Rom,
        options: dict[str, Any],
        num_envs: int,
        threads: int,
        copy: bool,
        wrappers: Mapping[str, str] | None = None,
    ) -> None:
        """`wrappers` has the argument of the caller that sets up the wrapper of a type, for errors."""
        counts(num_envs=num_envs)
        if not 1 <= num_envs <= _gym2600.MAX_ENVS:
            raise ValueError(f"num_envs is {num_envs}; a batch has 1 to {_gym2600.MAX_ENVS} environments")
        # Without a seed of the caller the first episodes differ from run to run, as with Gymnasium.
        fresh = np.random.SeedSequence().generate_state(num_envs) % 2**31
        threads = thread_count(threads, num_envs)
        seeds = [int(seed) for seed in fresh]
        data, described = roms.load(rom), options_json(options)
        with roms.named(rom), arguments_named(OPTIONS, wrappers):
            self._native: _gym2600.Vector | None = _gym2600.Vector(data, described, num_envs, threads, seeds)
        self.description: dict[str, Any] = json.loads(self.native.description())
        self.num_envs = num_envs
        space = self.description["observation"]
        self.shape: tuple[int, ...] = tuple(space["shape"])
        self.dtype: np.dtype[Any] = np.dtype(space["dtype"])
        self.seeding: str = self.description["spec"]["seeding"]
        self._kept = None if copy else np.zeros((num_envs, *self.shape), self.dtype)
        #: Held by a compiled program of JAX while it plays.
        self.lock: Lock = Lock()

    @property
    def native(self) -> _gym2600.Vector:
        """The native batch.

        Raises:
            gymnasium.error.ClosedEnvironmentError: The environments are closed.
        """
        if self._native is None:
            raise ClosedEnvironmentError("the environments are closed")
        return self._native

    def close(self) -> None:
        """Frees the environments. A step that is under way ends by itself."""
        self._native = None

    def observation_space(self) -> spaces.Box:
        """The space of an observation of one environment."""
        bounds = self.description["observation"].get("bounds")
        if bounds is not None:
            # They repeat in a stack.
            low, high = (np.resize(np.array(bounds[name], self.dtype), self.shape) for name in ("low", "high"))
            return spaces.Box(low, high, dtype=self.dtype.type)
        return spaces.Box(0, 255 if self.dtype == np.uint8 else 1, self.shape, self.dtype.type)

    def action_space(self) -> spaces.Discrete:
        """The space of an action of one environment."""
        return spaces.Discrete(len(self.description["actions"]))

    def landing(self, count: int, out: Buffer | None = None) -> NDArray[Any]:
        """The array for the observations of `count` environments, which shares the memory of `out` if there is one.

        Raises:
            TypeError: `out` is no buffer in the CPU's memory, or has another dtype.
            ValueError: It has another shape, is not contiguous in C order, or cannot be written.
        """
        if out is not None:
            return writable("out", out, (count, *self.shape), self.dtype)
        if self._kept is None:
            return np.empty((count, *self.shape), self.dtype)
        return self._kept if count == self.num_envs else self._kept[:count]

    def _bytes(self, array: NDArray[Any]) -> NDArray[np.uint8]:
        return array if self.dtype == np.uint8 else array.view(np.uint8)

    def restart(self, seed: Seed, mask: Any) -> Infos:
        """Resets all environments or those in `mask`. The infos are those of all."""
        seeds = seed_list(seed, self.num_envs, self.seeding)
        chosen = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask).astype(np.bool_)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has the shape {chosen.shape}; it is {self.num_envs} bools")
        seeded = chosen & np.array([number is not None for number in seeds])
        infos = None
        if seeded.any():
            infos = self.native.reset([number or 0 for number in seeds], seeded.tolist())
        if infos is None or (chosen & ~seeded).any():
            infos = self.native.reset(None, (chosen & ~seeded).tolist())
        return named(infos)

    def observe(self, observations: NDArray[Any], lanes: list[int] | None = None) -> None:
        """Writes the present observations of all environments, or of those of `lanes`."""
        self.native.observe(self._bytes(observations), self._some(lanes))

    def _some(self, lanes: list[int] | None) -> list[int] | None:
        """Some environments, or None for all."""
        return None if lanes is None or len(lanes) == self.num_envs else lanes

    def step(self, actions: Any, observations: NDArray[Any], strengths: NDArray[np.float32] | None = None) -> Step:
        """Plays an action in all environments, which write their observations."""
        powers = None if strengths is None else strengths.tolist()
        return stepped(self.native.step(self._bytes(observations), whole_actions(actions, self.num_envs), powers))

    def send(
        self, actions: Any, strengths: NDArray[np.float32] | None = None, lanes: list[int] | None = None
    ) -> None:
        """Starts a step of all environments, or of those of `lanes`, and returns at once. Until `recv` the batch takes no other call."""
        native, count = self.native, self.num_envs if lanes is None else len(lanes)
        powers = None if strengths is None else strengths.tolist()
        native.send(whole_actions(actions, count), powers, self._some(lanes))

    def recv(self, observations: NDArray[Any] | None = None) -> Step:
        """Waits for the step that `send` started, whose environments write their observations. Without an array `observe` gives them."""
        return stepped(self.native.recv(None if observations is None else self._bytes(observations)))

    def action_numbers(self, actions: Any, count: int) -> NDArray[np.int64]:
        """The actions of `count` environments, for a later step.

        Raises:
            TypeError: They are no whole numbers.
            ValueError: They are not one for each environment, or beyond the action space.
        """
        numbers, greatest = whole_actions(actions, count), len(self.description["actions"]) - 1
        if not ((numbers >= 0) & (numbers <= greatest)).all():
            raise ValueError(f"actions are {numbers}; they are from 0 to {greatest}")
        return numbers

    def endings(self) -> list[Ending]:
        """The episodes that the last step ended."""
        return [Ending(*ending) for ending in self.native.endings()]

    def final_observation(self, lane: int, out: NDArray[Any]) -> bool:
        """Writes the observation with which the last step of an environment ended an episode, if the next one has started. Returns whether
        there is one."""
        return self.native.final_observation(lane, self._bytes(out))

    def restore(self, states: Sequence[bytes]) -> NDArray[Any]:
        """Restores the states of all environments, and gives their observations.

        Raises:
            ValueError: One of the states cannot be restored. All environments are as before then.
        """
        observations = self.landing(self.num_envs)
        before = []
        try:
            for lane, state in enumerate(states):
                before.append(self.native.save(lane))
                self.native.restore(lane, state, self._bytes(observations[lane]))
        except ValueError as error:
            for lane, state in enumerate(before):
                self.native.restore(lane, state, self._bytes(observations[lane]))
            raise ValueError(f"state {len(before) - 1} cannot be restored: {error}") from None
        return observations

    def restore_state(self, lane: int, state: _gym2600.GameState) -> NDArray[Any]:
        """Restores an environment, and gives its observation."""
        observation = self._one(lane)
        self.native.restore_state(lane, state, self._bytes(observation))
        return observation

    def copy_lane(self, source: int, target: int) -> NDArray[Any]:
        """Copies the state of an environment into another one, and gives its observation."""
        observation = self._one(target)
        self.native.copy_lane(source, target, self._bytes(observation))
        return observation

    def _one(self, lane: int) -> NDArray[Any]:
        """An array for the observation of one environment."""
        return np.empty(self.shape, self.dtype) if self._kept is None else self._kept[lane]

    def lane(self, name: str, number: Any) -> int:
        """The number of an environment, which the argument `name` has.

        Raises:
            TypeError: It is no whole number.
            ValueError: There is no such environment.
        """
        if not 0 <= whole(name, number) < self.num_envs:
            raise ValueError(f"{name} is {number}; the environments are 0 to {self.num_envs - 1}")
        return int(number)

    def ram(self, lanes: list[int] | None = None) -> NDArray[np.uint8]:
        """The RAM of all consoles, or of those of `lanes`."""
        ram = np.empty((self.num_envs if lanes is None else len(lanes), 128), np.uint8)
        self.native.ram(ram, self._some(lanes))
        return ram

    def labels(self) -> dict[str, NDArray[np.int64]]:
        """The variables of the game's rules by name, each of all environments."""
        return dict(self.native.variables())

    def final_labels(self, lane: int) -> dict[str, int]:
        """Those with which the last step of an environment ended an episode, after which the next one has started."""
        return dict(self.native.final_variables(lane) or ())

    def game_over(self) -> NDArray[np.bool_]:
        """Whether the game of each environment is over."""
        return self.native.game_over()

    def renders(self) -> tuple[NDArray[np.uint8], ...]:
        """The pictures of all consoles."""
        return tuple(self.render(lane) for lane in range(self.num_envs))

    def steps_per_second(self) -> float:
        """Steps that an environment plays in a second at the speed of the console."""
        skips = [wrapper for wrapper in self.description["spec"]["wrappers"] if wrapper["type"] == "SkipFrames"]
        frames = 1.0
        for skip in skips:
            # Between n and below - 1, all as likely.
            frames *= skip["n"] if skip.get("below") is None else (skip["n"] + skip["below"] - 1) / 2
        return (50 if self.description["tv"] == "PAL" else 60) / frames

    def render(self, lane: int) -> NDArray[np.uint8]:
        """The console's picture."""
        screen = self.description["screen"]
        picture = np.empty((screen["height"], screen["width"], 3), np.uint8)
        self.native.render(lane, picture)
        return picture


def whole_actions(actions: Any, count: int) -> NDArray[np.int64]:
    """The actions of `count` environments, which the native batch compares with the action space.

    Raises:
        TypeError: They are no whole numbers.
        ValueError: They are not one for each environment.
    """
    numbers = np.asarray(actions)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"actions are {actions!r} of the type {numbers.dtype}; they are whole numbers")
    if numbers.dtype == np.uint64:
        # Numbers of this type may be beyond those that the native batch takes.
        numbers = np.minimum(numbers, np.uint64(2**63 - 1))
    if numbers.shape != (count,):
        raise ValueError(f"actions have the shape {numbers.shape}; they are {count} numbers, one for each environment")
    return np.ascontiguousarray(numbers, np.int64)


def stepped(results: tuple[Any, ...]) -> Step:
    """The native results of a step."""
    rewards, raw_rewards, terminations, truncations, any_ended, infos = results
    return Step(rewards, raw_rewards, terminations, truncations, any_ended, named(infos))


def named(infos: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]) -> Infos:
    """Infos by name."""
    lives, frame_number, episode_frame_number = infos
    return {"lives": lives, "frame_number": frame_number, "episode_frame_number": episode_frame_number}
