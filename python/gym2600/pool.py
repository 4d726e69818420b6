"""`make`: a batch with the arguments, spaces and infos of EnvPool's Gymnasium interface."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gym2600 import _gym2600, roms
from gym2600.batch import Batch, Infos, Step, Wrapper, wrappers_of
from gym2600.checks import Buffer, choice, counts, flags, probability, reset_options, whole, writable
from gym2600.turns import Turn, Turns, turn_size
from gym2600.versions import AutoresetMode, VectorBase
from gym2600.xla import pool_functions

#: Observations, rewards, terminations, truncations, infos.
Result = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], Infos]

#: The arguments that set up wrappers.
ARGUMENTS = {
    "SkipFrames": "frame_skip",
    "ImagePreprocessing": "img_width and img_height",
    "QueueFrames": "stack_num",
    "NoopReset": "noop_max",
}

#: Rows of a console's picture that EnvPool shows in colour. Most games have as many.
ROWS_IN_COLOUR = 210


def tasks() -> dict[str, str]:
    """The name of the game of each task."""
    return {"".join(word.capitalize() for word in rom.split("_")) + "-v5": rom for rom, _, _, _ in _gym2600.games()}


def rom_of(task_id: str) -> str:
    """The name of the game of a task such as "Breakout-v5"."""
    known = tasks()
    if task_id not in known:
        close = get_close_matches(str(task_id), known, 1)
        hint = f"did you mean {close[0]!r}?" if close else "tasks are games such as 'Breakout-v5'"
        raise ValueError(f"unknown task {task_id!r}: {hint}")
    return known[task_id]


def wrapper_list(
    *,
    max_episode_steps: int,
    img_height: int,
    img_width: int,
    stack_num: int,
    frame_skip: int,
    noop_max: int,
    episodic_life: bool,
    reward_clip: bool,
    use_fire_reset: bool,
    use_inter_area_resize: bool,
    gray_scale: bool,
) -> list[Wrapper]:
    """The list of wrappers that has the behaviour of EnvPool with these arguments."""
    noops, fire, grey, skip, resize, limit, stack, reset = wrappers_of("envpool")
    noops["max"] = noop_max
    skip["n"] = frame_skip
    if frame_skip == 1:
        skip["shows"] = "last"
    resize |= {"width": img_width, "height": img_height, "interpolation": "area" if use_inter_area_resize else "linear"}
    limit["steps"] = max_episode_steps
    # After a lost life a stack keeps its older pictures.
    stack |= {"n": stack_num, "padding": "gameReset"}
    wrappers = [
        (noops, True),
        (fire, use_fire_reset),
        (grey, gray_scale),
        (skip, True),
        (resize, True),
        (limit, True),
        ({"type": "EpisodicLife", "restart": "continue"}, episodic_life),
        (stack, True),
        ({"type": "ClipReward"}, reward_clip),
        (reset, True),
    ]
    return [wrapper for wrapper, wanted in wrappers if wanted]


class PoolEnv(VectorBase[NDArray[Any], NDArray[Any], NDArray[Any]], gymnasium.Env[NDArray[Any], NDArray[Any]]):  # type: ignore[misc]
    """A batch in the manner of EnvPool. It is a `gymnasium.Env` too, so Gymnasium's wrappers of single environments take it.

    Its seeds are those of `make`, and `observation_space` and `action_space` are those of one environment. Results are in the order of the
    environments, whose numbers are in `info["env_id"]`. Infos are new arrays with the values of their own step, `ram` too, and stay so when
    the games play on. With a `batch_size` below the number of environments, those play first that
    got their actions first, and of these the ones whose last turn is longest ago. `make` makes it.

    Args:
        batch: The games.
        seeds: A seed for each environment, from 0 to 2**31 - 1.
        config: The arguments of `make` by their names, with `batch_size`.
        render_mode: "rgb_array" for pictures, or None.
    """

    metadata: dict[str, Any]
    num_envs: int
    """Number of environments."""
    single_observation_space: spaces.Space[Any]
    """The space of an observation of one environment."""
    single_action_space: spaces.Space[Any]
    """The space of an action of one environment."""
    observation_space: spaces.Space[Any]
    """The same as `single_observation_space`, as with EnvPool."""
    action_space: spaces.Space[Any]
    """The same as `single_action_space`, as with EnvPool."""

    def __init__(
        self, batch: Batch, seeds: Sequence[int], config: dict[str, Any], render_mode: Literal["rgb_array"] | None
    ) -> None:
        self._batch = batch
        # In colour the batch has the planes of a picture as its last axis.
        self._has_planes = len(batch.shape) == 4
        self._seeds: list[int | None] = list(seeds)
        #: The arguments of `make`.
        self.config = config
        self.num_envs = batch.num_envs
        self.is_async: bool = config["batch_size"] < self.num_envs
        self._turns = Turns(batch, config["batch_size"] if self.is_async else None)
        self.metadata = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode = render_mode
        self.observation_space = self.single_observation_space = self._space()
        self._actions = batch.action_space()
        self.action_space = self.single_action_space = self._actions
        self._elapsed = np.zeros(self.num_envs, np.int32)
        # Whether the next step starts an episode, and whether it starts the game too.
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._game_ended = np.zeros(self.num_envs, np.bool_)
        # The lives after the last reset.
        self._after_reset: NDArray[np.int32]

    def __len__(self) -> int:
        return self.num_envs

    @property
    def all_env_ids(self) -> NDArray[np.int32]:
        """The numbers of all environments."""
        return np.arange(self.num_envs, dtype=np.int32)

    def _space(self) -> spaces.Box:
        space = self._batch.observation_space()
        return spaces.Box(0, 255, planes(space.low[None])[0].shape, np.uint8) if self._has_planes else space

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: dict[str, Any] | None = None,
        out: Buffer | None = None,
    ) -> tuple[NDArray[Any], Infos]:
        """Starts episodes in all environments, in those of `env_id`, or in those with true in `options["reset_mask"]`.

        Args:
            env_id: The numbers of the environments, from 0; None for all.
            seed: Ignored with a warning, as with EnvPool: `make` takes the seeds.
            options: `reset_mask`, a bool for each environment, in place of `env_id`.
            out: Memory that observations are written to, as in `step`.

        Returns:
            Observations and infos of these environments, or of the first `batch_size` ones that are due.
        """
        if seed is not None:
            gymnasium.logger.warn("seeds are given to make, as with EnvPool; reset ignores its seed")
        mask = reset_options(options).get("reset_mask")
        ids = self._ids(env_id) if mask is None else self._masked(mask)
        self._check_out(out, self._turns.size_after(len(ids), drops=self._is_all(ids)))
        self._reset(ids)
        observations, *_, infos = self.recv(out=out)
        return observations, infos

    def async_reset(self) -> None:
        """Starts episodes in all environments; `recv` gives their results. Results that `recv` has not given are dropped."""
        self._turns.drop()
        self._reset(self.all_env_ids)

    def _reset(self, ids: NDArray[np.int32]) -> None:
        if self._is_all(ids):
            self._turns.drop()
        self._turns.check(ids.tolist(), "reset")
        self._turns.settle()
        chosen = np.zeros(self.num_envs, np.bool_)
        chosen[ids] = True
        self._after_reset = self._batch.restart(self._seeds, chosen)["lives"]
        for lane in ids.tolist():
            self._seeds[lane] = None
        self._elapsed[ids] = 0
        self._ended[ids] = False
        self._game_ended[ids] = False
        self._turns.send(ids, None)

    def _is_all(self, ids: NDArray[np.int32]) -> bool:
        return len(set(ids.tolist())) == self.num_envs

    def step(self, actions: Any, env_id: Any = None, *, out: Buffer | None = None) -> Result:  # type: ignore[override]
        """Plays one action in each environment, or in those of `env_id`. After an end it is ignored, and the next episode starts.

        Args:
            actions: Numbers of actions, whole, one for each of these environments.
            env_id: The numbers of the environments, from 0; None for all.
            out: Memory that observations are written to: an array, a tensor with DLPack or a buffer of the shape and dtype of the result, in
                the CPU's memory and contiguous in C order. Games write there directly, but for pictures in colour, whose planes EnvPool has in
                another order. Another `out` is refused before a game plays.

        Returns:
            Observations, rewards (32-bit floats), terminations and truncations (bools), and infos.
        """
        if env_id is None and not self.is_async:
            landing = self._check_out(out, self.num_envs)
            observations = self._batch.landing(self.num_envs, None if self._has_planes else landing)
            step = self._batch.step(actions, observations)
            observations = planes(observations, landing) if self._has_planes else observations
            return self._results(observations, self._turns.everyone, step)
        ids = self._ids(env_id)
        self._check_out(out, self._turns.size_after(len(ids)))
        self.send(actions, ids)
        return self.recv(out=out)

    def send(self, action: Any, env_id: Any = None) -> None:
        """Gives actions to all environments, or to those of `env_id`, and returns at once.

        Args:
            action: Numbers of actions, whole, one for each of these environments.
            env_id: The numbers of the environments, from 0; None for all.

        Raises:
            gymnasium.error.AlreadyPendingCallError: One of the environments has its action.
        """
        ids = self._ids(env_id)
        self._turns.send(ids, self._batch.action_numbers(action, len(ids)))

    def recv(self, *, out: Buffer | None = None) -> Result:
        """Waits for the results of `batch_size` environments, those that got their actions first, or of all that got one. Observations are
        written to `out`, if given, as in `step`.

        Raises:
            gymnasium.error.NoAsyncCallError: Too few environments have actions.
            TypeError, ValueError: `out` makes no sense. The results are still due.
        """
        turn = self._turns.due()
        lanes = turn.lanes()
        landing = self._check_out(out, len(lanes))
        observations = self._batch.landing(len(lanes), None if self._has_planes else landing)
        step = self._turns.finish(observations)
        result = self._results(planes(observations, landing) if self._has_planes else observations, turn, step)
        self._turns.begin()
        return result

    def _check_out(self, out: Buffer | None, count: int) -> NDArray[Any] | None:
        """The array on the memory of `out` for the observations of `count` environments."""
        return None if out is None else writable("out", out, (count, *(self.observation_space.shape or ())), np.uint8)

    def _results(self, observations: NDArray[Any], turn: Turn, step: Step | None) -> Result:
        """The results of a turn: those of its step, and of environments that have been reset."""
        lanes = None if turn is self._turns.everyone else turn.lanes()
        ids = self.all_env_ids if lanes is None else np.array(lanes, np.int32)
        game_over = self._batch.game_over() if lanes is None else self._batch.game_over()[ids]
        rewards, raw_rewards, terminations, truncations, lives = self._numbers(ids, turn, step)
        if step is not None:
            played = slice(None) if lanes is None else np.array(turn.played)
            self._note(played, step, game_over[np.searchsorted(ids, turn.played)] if turn.reset else game_over)
        infos = {
            "env_id": ids,
            "players": {"env_id": ids.copy()},
            "lives": lives,
            "reward": raw_rewards,
            "terminated": game_over.astype(np.int32),
            "ram": self._batch.ram(lanes),
            "elapsed_step": self._elapsed.copy() if lanes is None else self._elapsed[ids],
        }
        return observations, rewards, terminations, truncations, infos

    def _numbers(self, ids: NDArray[np.int32], turn: Turn, step: Step | None) -> tuple[NDArray[Any], ...]:
        """Rewards, raw rewards, terminations, truncations and lives of the environments of a turn."""
        if step is not None and not turn.reset:
            rewards, raw_rewards = step.rewards.astype(np.float32), step.raw_rewards.astype(np.float32)
            return rewards, raw_rewards, step.terminations, step.truncations, step.infos["lives"]
        kinds = (np.float32, np.float32, np.bool_, np.bool_, np.int32)
        arrays = tuple(np.zeros(len(ids), kind) for kind in kinds)
        arrays[-1][np.searchsorted(ids, turn.reset)] = self._after_reset[turn.reset]
        if step is not None:
            values = (step.rewards, step.raw_rewards, step.terminations, step.truncations, step.infos["lives"])
            for array, value in zip(arrays, values, strict=True):
                array[np.searchsorted(ids, turn.played)] = value
        return arrays

    def _note(self, lanes: NDArray[Any] | slice, step: Step, game_over: NDArray[np.bool_]) -> None:
        """Counts a step of some environments, of which `game_over` says whether their games are over."""
        elapsed = self._elapsed[lanes] + ~self._ended[lanes]
        elapsed[self._game_ended[lanes]] = 0
        self._elapsed[lanes] = elapsed
        ended = step.terminations | step.truncations
        self._ended[lanes] = ended
        self._game_ended[lanes] = step.truncations | (game_over & ended)

    def _ids(self, env_id: Any) -> NDArray[np.int32]:
        """The numbers of environments; all without an argument."""
        if env_id is None:
            return self.all_env_ids
        ids = np.atleast_1d(np.asarray(env_id))
        if ids.size and ids.dtype.kind not in "iu":
            raise TypeError(f"env_id is {env_id!r}; it is whole numbers")
        if ids.ndim != 1 or not ids.size or not ((ids >= 0) & (ids < self.num_envs)).all():
            raise ValueError(f"env_id is {env_id!r}; it is numbers from 0 to {self.num_envs - 1}, at least one")
        return ids.astype(np.int32)

    def _masked(self, mask: Any) -> NDArray[np.int32]:
        """The numbers of the environments in a mask."""
        chosen = np.asarray(mask).astype(np.bool_)
        if chosen.shape != (self.num_envs,) or not chosen.any():
            raise ValueError(f"reset_mask is {mask!r}; it is {self.num_envs} bools, at least one of them true")
        return np.flatnonzero(chosen).astype(np.int32)

    def xla(self) -> tuple[Any, Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
        """A handle and the functions `recv(handle)`, `send(handle, action, env_id=None)` and `step(handle, action, env_id=None)`, for
        functions that JAX compiles. Each gives a handle for the next call; `recv` and `step` give the results after it, as arrays of JAX.

        A call takes the actions of all environments, or of the `batch_size` ones in `env_id`. The environments are reset before, by
        `reset` or `async_reset`.

        Raises:
            gymnasium.error.DependencyNotInstalled: There is no JAX.
        """
        return pool_functions(self, self._batch.lock)

    def render(self, env_ids: Any = None, camera_id: int | None = None) -> NDArray[np.uint8]:  # type: ignore[override]
        """The pictures of some consoles, bytes of the shape (number, height, width, 3).

        Args:
            env_ids: The numbers of the environments, from 0; None for the first.
            camera_id: It has no effect, as there is no camera to choose.

        Raises:
            RuntimeError: `make` got no `render_mode`.
        """
        if self.render_mode is None:
            raise RuntimeError("there is no picture without render_mode='rgb_array', an argument of make")
        return np.stack([self._batch.render(lane) for lane in self._ids(0 if env_ids is None else env_ids).tolist()])

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "the environments of gym2600.make cannot be pickled: gym2600.VectorEnv with preset='envpool' plays the same, and has save and restore"
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the environments. `close` calls it.

        Args:
            kwargs: Those of `close`, which have no effect.
        """
        self._batch.close()


def planes(observations: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Observations in colour with an axis of three planes for each picture, as EnvPool has them, in `out` if there is one."""
    count, pictures, height, width, colours = observations.shape
    shape = (count, pictures * colours, height, width)
    result = np.empty(shape, observations.dtype) if out is None else out
    result.reshape(count, pictures, colours, height, width)[...] = observations.transpose(0, 1, 4, 2, 3)
    return result


def _seeds(
    seed: int | Sequence[int] | NDArray[Any], env_seed: Sequence[int] | NDArray[Any], num_envs: int
) -> tuple[int, list[int], list[int]]:
    """The first seed, the listed seeds, and one seed an environment. A list as `seed` is another name of `env_seed`, as in EnvPool."""
    first = 0 if np.ndim(seed) else whole("seed", seed)
    given: Any = seed if np.ndim(seed) else env_seed
    if np.ndim(given) != 1:
        raise TypeError(f"env_seed is {given!r}; it is a list of seeds")
    listed = [whole("env_seed", number) for number in given]
    seeds = listed or [first + lane for lane in range(num_envs)]
    if len(seeds) != num_envs:
        raise ValueError(f"env_seed has {len(seeds)} seeds for {num_envs} environments")
    for lane, number in enumerate(seeds):
        if not 0 <= number < 2**31:
            raise ValueError(f"the seed of environment {lane} is {number}; seeds are from 0 to 2**31 - 1")
    return first, listed, seeds


def make(
    task_id: str,
    env_type: str = "gymnasium",
    *,
    num_envs: int = 1,
    batch_size: int | None = None,
    num_threads: int | None = None,
    max_num_players: int = 1,
    thread_affinity_offset: int = -1,
    base_path: str | os.PathLike[str] | None = None,
    seed: int | Sequence[int] | NDArray[Any] = 42,
    env_seed: Sequence[int] | NDArray[Any] = (),
    gym_reset_return_info: bool = True,
    zero_discount_on_life_loss: bool = False,
    render_mode: Literal["rgb_array"] | None = None,
    max_episode_steps: int = 27_000,
    img_height: int = 84,
    img_width: int = 84,
    stack_num: int = 4,
    gray_scale: bool = True,
    mode: int = -1,
    difficulty: int = -1,
    frame_skip: int = 4,
    noop_max: int = 30,
    episodic_life: bool = False,
    reward_clip: bool = False,
    repeat_action_probability: float = 0.0,
    use_inter_area_resize: bool = True,
    use_fire_reset: bool = True,
    full_action_space: bool = False,
) -> PoolEnv:
    """Makes a batch as `envpool.make(task_id, env_type="gymnasium", ...)` does, for Atari tasks such as "Breakout-v5".

    Args:
        task_id: A game of `list_all_envs`.
        env_type: "gymnasium" or "gym", which are the same.
        num_envs: Number of environments.
        batch_size: Number of environments whose results a `recv` gives; all without it.
        num_threads: Number of threads, the caller's among them; one per processor without it. No result depends on it.
        max_num_players: At least 1. It has no effect on Atari games.
        thread_affinity_offset: A whole number. It has no effect.
        base_path: A folder with `atari/roms/breakout.bin`. Without it the ROM is looked up by the game's name.
        seed: The first environment's seed, from which the others count up, or a list as `env_seed`.
        env_seed: A seed for each environment, from 0 to 2**31 - 1.
        gym_reset_return_info: True: a reset always gives infos.
        zero_discount_on_life_loss: It has no effect on a Gymnasium interface.
        render_mode: "rgb_array" for pictures.
        max_episode_steps: Steps after which an episode is truncated.
        img_height: Rows of an observation.
        img_width: Columns of an observation.
        stack_num: Pictures of an observation.
        gray_scale: Whether observations are grey. In colour each picture has three planes.
        mode: The game's mode; -1 for its first.
        difficulty: The game's difficulty; -1 for its first.
        frame_skip: Frames of a step.
        noop_max: The most no-ops after a reset.
        episodic_life: Whether a lost life ends an episode.
        reward_clip: Whether rewards are clipped to -1 to 1.
        repeat_action_probability: Probability that a frame repeats the previous action.
        use_inter_area_resize: Whether pictures are resized by areas. Otherwise they are interpolated.
        use_fire_reset: Whether FIRE is pressed after a reset, if the game has it.
        full_action_space: Whether all 18 actions can be played instead of the game's minimal set.

    Raises:
        ValueError: There is no such task, or an argument is out of its range.
        FileNotFoundError: The ROM is not found.
        RefusedError: The native code refuses the ROM or a combination of arguments.
    """
    choice("env_type", env_type, ("gymnasium", "gym"))
    choice("render_mode", render_mode, ("rgb_array", None))
    flags(gym_reset_return_info=gym_reset_return_info, zero_discount_on_life_loss=zero_discount_on_life_loss)
    whole("thread_affinity_offset", thread_affinity_offset)
    if base_path is not None and not isinstance(base_path, str | os.PathLike):
        raise TypeError(f"base_path is {base_path!r}; it is a folder")
    num_threads = 0 if num_threads is None else num_threads
    if not gym_reset_return_info:
        raise ValueError("gym_reset_return_info is False; a reset gives an info too, as in EnvPool")
    counts(1, img_height=img_height, img_width=img_width, stack_num=stack_num, frame_skip=frame_skip)
    counts(1, max_episode_steps=max_episode_steps, max_num_players=max_num_players)
    counts(noop_max=noop_max, num_threads=num_threads)
    flags(
        gray_scale=gray_scale,
        episodic_life=episodic_life,
        reward_clip=reward_clip,
        use_inter_area_resize=use_inter_area_resize,
        use_fire_reset=use_fire_reset,
        full_action_space=full_action_space,
    )
    counts(**{name: value for name, value in (("mode", mode), ("difficulty", difficulty)) if value != -1})
    repeat_action_probability = probability("repeat_action_probability", repeat_action_probability)
    behaviour: dict[str, Any] = {
        "max_episode_steps": max_episode_steps,
        "stack_num": stack_num,
        "frame_skip": frame_skip,
        "noop_max": noop_max,
        "episodic_life": episodic_life,
        "reward_clip": reward_clip,
        "use_fire_reset": use_fire_reset,
        "img_height": img_height,
        "img_width": img_width,
        "use_inter_area_resize": use_inter_area_resize,
        "gray_scale": gray_scale,
    }
    options = {
        "wrappers": wrapper_list(**behaviour),
        "seeding": "native",
        "repeat_action_probability": repeat_action_probability,
        "full_action_space": bool(full_action_space),
        "max_frames_per_episode": 0,
        "mode": None if mode == -1 else mode,
        "difficulty": None if difficulty == -1 else difficulty,
    }
    game = rom_of(task_id)
    rom = game if base_path is None else Path(base_path) / "atari" / "roms" / f"{game}.bin"
    if isinstance(rom, Path) and not rom.is_file():
        raise FileNotFoundError(f"base_path is {base_path!r}; there is no such file as {rom}")
    if isinstance(rom, Path) and roms.game_of(rom) != game:
        raise ValueError(f"base_path is {base_path!r}; {rom} is not {game}, but {roms.game_of(rom) or 'no known game'}")
    batch = Batch(rom, options, num_envs, num_threads, copy=True, wrappers=ARGUMENTS)
    size = turn_size(batch_size, num_envs)
    first, listed, seeds = _seeds(seed, env_seed, num_envs)
    height = batch.description["screen"]["height"]
    if not gray_scale and height > ROWS_IN_COLOUR:
        raise ValueError(f"gray_scale is False; in colour EnvPool shows only {ROWS_IN_COLOUR} of the {height} rows of {task_id}")
    config = {
        "num_envs": num_envs,
        "batch_size": size,
        "num_threads": num_threads,
        "max_num_players": max_num_players,
        "thread_affinity_offset": thread_affinity_offset,
        "base_path": base_path,
        "seed": first,
        "env_seed": listed,
        "gym_reset_return_info": gym_reset_return_info,
        "zero_discount_on_life_loss": zero_discount_on_life_loss,
        "task": game,
        "mode": mode,
        "difficulty": difficulty,
        "full_action_space": full_action_space,
        "repeat_action_probability": repeat_action_probability,
        **behaviour,
    }
    return PoolEnv(batch, seeds, config, render_mode)


def make_gymnasium(task_id: str, **options: Any) -> PoolEnv:
    """`make` with the type "gymnasium".

    Args:
        task_id: A game of `list_all_envs`.
        options: The other arguments of `make`, by their names.
    """
    return make(task_id, "gymnasium", **options)


class PoolSpec(NamedTuple):
    """What `make` would make."""

    config: dict[str, Any]
    """All arguments of `make`."""
    observation_space: spaces.Space[Any]
    """The space of an observation of one environment."""
    action_space: spaces.Space[Any]
    """The space of an action of one environment."""


def make_spec(task_id: str, **options: Any) -> PoolSpec:
    """The arguments with their defaults, and the spaces, of the batch that `make` gives.

    Args:
        task_id: A game of `list_all_envs`.
        options: The other arguments of `make`, by their names.
    """
    envs = make(task_id, **options)
    try:
        return PoolSpec(envs.config, envs.single_observation_space, envs.single_action_space)
    finally:
        envs.close()


def list_all_envs() -> list[str]:
    """The tasks that `make` knows."""
    return sorted(tasks())
