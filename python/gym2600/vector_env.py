"""`AtariVectorEnv`: a batch with the arguments, bytes and infos of ale-py's class of the same name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NoReturn

import numpy as np
from gymnasium.error import AlreadyPendingCallError, Error
from gymnasium.spaces import Box, Space
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gym2600 import roms
from gym2600.actions import BY_STICK, Action, positions
from gym2600.batch import Batch, Infos, Seed, Step, Wrapper, batched, whole_seeds, wrappers_of
from gym2600.checks import Buffer, choice, counts, finite, flags, number, probability, reset_options, whole
from gym2600.turns import Turn, Turns, turn_size
from gym2600.vector_interface import VectorInterface
from gym2600.versions import AutoresetMode, VectorBase
from gym2600.xla import atari_vector_functions

#: Observations, rewards, terminations, truncations, infos.
Result = tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], Infos]

#: A result without the observations.
Numbers = tuple[NDArray[Any], NDArray[Any], NDArray[Any], Infos]

#: The arguments that set up wrappers.
ARGUMENTS = {
    "SkipFrames": "frameskip",
    "ImagePreprocessing": "img_width and img_height",
    "QueueFrames": "stack_num",
    "NoopReset": "noop_max",
}

AUTORESETS = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


def autoreset_mode_of(name: str, value: Any) -> AutoresetMode:
    """Gymnasium's mode of an argument, which may be its value."""
    try:
        return AutoresetMode(value)
    except (TypeError, ValueError):
        modes = ", ".join(repr(mode.value) for mode in AUTORESETS)
        raise ValueError(f"{name} is {value!r}; it is one of {modes}") from None


def wrapper_list(
    *,
    max_num_frames_per_episode: int,
    img_height: int,
    img_width: int,
    grayscale: bool,
    stack_num: int,
    frameskip: int,
    maxpool: bool,
    noop_max: int,
    episodic_life: bool,
    reward_clipping: bool,
    use_fire_reset: bool,
) -> list[Wrapper]:
    """The list of wrappers that has the behaviour of ale-py's vector environment with these arguments."""
    fire, noops, grey, limit, skip, resize, stack, clip, _ = wrappers_of("ale-vector")
    noops["max"] = noop_max
    limit["steps"] = max_num_frames_per_episode
    skip["n"] = frameskip
    if not maxpool:
        skip["shows"] = "lastWithoutEndingFrame"
    resize |= {"width": img_width, "height": img_height}
    stack["n"] = stack_num
    wrappers = [
        (fire, use_fire_reset),
        (noops, True),
        ({"type": "EpisodicLife", "restart": "fullReset"}, episodic_life),
        (grey, grayscale),
        (limit, max_num_frames_per_episode > 0),
        (skip, True),
        (resize, True),
        (stack, True),
        (clip, reward_clipping),
    ]
    return [wrapper for wrapper, wanted in wrappers if wanted]


def _stick_space() -> Box:
    """The actions of a continuous game: how far the stick is pushed, its angle, and the button."""
    return Box(np.array([0.0, -np.pi, 0.0], np.float32), np.array([1.0, np.pi, 1.0], np.float32), dtype=np.float32)


class AtariVectorEnv(VectorBase[NDArray[np.uint8], NDArray[Any], NDArray[Any]]):
    """Environments of one game, with ale-py's preprocessing.

    Args:
        game: The name of a game, a path or the bytes of a ROM.
        num_envs: Number of environments.
        batch_size: Number of environments of which `recv` gives the results; 0 for all.
        num_threads: Number of threads, the caller's among them; 0, the default, for one per processor that this process may use. No result
            depends on it.
        thread_affinity_offset: Accepted for compatibility. The system places the threads.
        autoreset_mode: When an ended episode is followed by the next.
        max_num_frames_per_episode: Frames after which an episode is truncated; 0 for never.
        repeat_action_probability: Probability that a frame repeats the previous action.
        full_action_space: Whether all 18 actions can be played instead of the game's minimal set.
        continuous: Whether an action is the position of a stick and the button.
        continuous_action_threshold: How far the stick has to be pushed.
        img_height: Rows of an observation.
        img_width: Columns of an observation.
        grayscale: Whether observations are grey.
        stack_num: Pictures of an observation.
        frameskip: Frames of a step.
        maxpool: Whether an observation is the maximum of a step's last two frames.
        noop_max: Bound of the number of no-ops after a reset.
        episodic_life: Whether a lost life ends an episode.
        life_loss_info: Whether a lost life is reported as a termination, while the episode goes on.
        reward_clipping: Whether rewards are clipped to -1 to 1.
        use_fire_reset: Whether FIRE is pressed after a reset, if the game has it.
        copy: Whether every call gives new arrays of observations. Otherwise an observation is valid until the next call.
        sparse_final_obs: Whether the info `final_obs` of same-step resets has only the observations with which episodes ended, one after the
            other, and `_final_obs` says in which environments. Otherwise it has a row for each environment, and those of episodes that go
            on have no defined content.
        render_mode: "rgb_array" for pictures of all environments.
    """

    metadata: dict[str, Any]
    batch_size: int
    """Number of environments whose results a `recv` gives."""
    single_observation_space: Space[Any]
    """The space of an observation of one environment."""
    single_action_space: Space[Any]
    """The space of an action of one environment."""
    observation_space: Space[Any]
    """The space of a step's observations, whose first axis is `batch_size`."""
    action_space: Space[Any]
    """The space of a step's actions."""

    #: Whether `xla` has been called with success, as in ale-py.
    is_xla_registered: bool = False

    def __init__(
        self,
        game: roms.Rom,
        num_envs: int = 1,
        *,
        batch_size: int = 0,
        num_threads: int = 0,
        thread_affinity_offset: int = -1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_num_frames_per_episode: int = 108_000,
        repeat_action_probability: float = 0.0,
        full_action_space: bool = False,
        continuous: bool = False,
        continuous_action_threshold: float = 0.5,
        img_height: int = 84,
        img_width: int = 84,
        grayscale: bool = True,
        stack_num: int = 4,
        frameskip: int = 4,
        maxpool: bool = True,
        noop_max: int = 30,
        episodic_life: bool = False,
        life_loss_info: bool = False,
        reward_clipping: bool = True,
        use_fire_reset: bool = True,
        copy: bool = True,
        sparse_final_obs: bool = False,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        choice("render_mode", render_mode, ("rgb_array", None))
        mode = autoreset_mode_of("autoreset_mode", autoreset_mode)
        if whole("frameskip", frameskip) < 1:
            raise Error(f"frameskip is {frameskip}; a step has at least 1 frame")
        counts(1, img_height=img_height, img_width=img_width, stack_num=stack_num, frameskip=frameskip)
        counts(noop_max=noop_max, num_threads=num_threads)
        limit = max(whole("max_num_frames_per_episode", max_num_frames_per_episode), 0)
        counts(max_num_frames_per_episode=limit)
        whole("thread_affinity_offset", thread_affinity_offset)
        flags(
            full_action_space=full_action_space,
            continuous=continuous,
            grayscale=grayscale,
            maxpool=maxpool,
            episodic_life=episodic_life,
            life_loss_info=life_loss_info,
            reward_clipping=reward_clipping,
            use_fire_reset=use_fire_reset,
            copy=copy,
            sparse_final_obs=sparse_final_obs,
        )
        repeat_action_probability = probability("repeat_action_probability", repeat_action_probability)
        finite("continuous_action_threshold", continuous_action_threshold)
        wrappers = wrapper_list(
            max_num_frames_per_episode=limit,
            img_height=img_height,
            img_width=img_width,
            grayscale=grayscale,
            stack_num=stack_num,
            frameskip=frameskip,
            maxpool=maxpool,
            noop_max=noop_max,
            episodic_life=episodic_life,
            reward_clipping=reward_clipping,
            use_fire_reset=use_fire_reset,
        )
        options = {
            "wrappers": wrappers,
            "seeding": "native",
            "repeat_action_probability": repeat_action_probability,
            "full_action_space": bool(full_action_space or continuous),
            "max_frames_per_episode": 0,
            "autoreset": AUTORESETS[mode],
        }
        self._batch = Batch(game, options, num_envs, num_threads, copy, ARGUMENTS)
        self.autoreset_mode = mode
        self.metadata = {"autoreset_mode": mode, "render_modes": ["rgb_array"], "render_fps": self._batch.steps_per_second()}
        self.render_mode = render_mode
        self._sparse_final_obs = bool(sparse_final_obs)
        self.num_envs = num_envs
        self.batch_size = turn_size(batch_size, num_envs)
        self.grayscale = grayscale
        self.continuous = continuous
        self.continuous_action_threshold = continuous_action_threshold
        self._life_loss_info = life_loss_info
        self._lives = np.zeros(num_envs, np.int32)
        #: The names of the actions, by their numbers.
        self.action_names: list[str] = self._batch.description["actions"]
        self.single_observation_space = self._batch.observation_space()
        self.single_action_space = _stick_space() if continuous else self._batch.action_space()
        self.observation_space = batched(self.single_observation_space, self.batch_size)
        self.action_space = batch_space(self.single_action_space, self.batch_size)
        self._turns = Turns(self._batch, self.batch_size)
        # The environments whose results were given last, and the infos of the last reset.
        self._last = np.arange(num_envs, dtype=np.int32)
        self._after_reset: Infos
        self._has_started = False

    @property
    def ale(self) -> VectorInterface:
        """The environments below the spaces, as ale-py's class has them."""
        return VectorInterface(self)

    def xla(self) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
        """A handle and the functions `reset(handle, seed=None, reset_mask=None)` and `step(handle, actions)`, for functions that JAX
        compiles. Each gives a handle for the next call, and the results as arrays of JAX: `handle, (observations, infos)` and
        `handle, (observations, rewards, terminations, truncations, infos)`.

        Raises:
            gymnasium.error.DependencyNotInstalled: There is no JAX.
            ValueError: Environments do not start their next episode in the step after an end.
        """
        functions = atari_vector_functions(self, self._batch.lock)
        self.is_xla_registered = True
        return functions

    @property
    def map_action_idx(self) -> NDArray[np.int32]:
        """The numbers of the actions by the direction of the stick, horizontal and vertical, from -1 at place 0, and the button."""
        table = np.zeros((3, 3, 2), np.int32)
        for (horizontal, vertical, fire), action in BY_STICK.items():
            table[horizontal + 1, vertical + 1, fire] = action
        return table

    def reset(
        self, *, seed: Seed = None, options: dict[str, Any] | None = None, out: Buffer | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        """Starts episodes in all environments, or in those with true in `options["reset_mask"]`.

        Results that `recv` has not given are dropped.

        Args:
            seed: The first seed, 0 to 2**31 - 1, of consecutive ones for the environments that are reset, or an array with one for each of
                them. With -1 or None an environment plays on with its generators.
            options: `reset_mask`, an array with a bool for each environment.
            out: Memory that observations are written to, as in `step`.

        Returns:
            Observations of `observation_space`, and infos with `env_id`, `lives`, `frame_number` and `episode_frame_number`.

        Raises:
            RuntimeError: The first reset leaves environments out.
            TypeError, ValueError: A mask, a seed or `out` makes no sense, or the mask leaves environments out and `batch_size` is below
                `num_envs`. Nothing has changed then.
        """
        mask = reset_options(options).get("reset_mask")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != np.bool_:
                raise TypeError(f"reset_mask is {mask!r}; it is {self.num_envs} bools")
            if mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask is {mask!r}; it is {self.num_envs} bools")
            if not mask.all():
                self._check_partial_reset(mask)
        seeds = spread(seed, np.ones(self.num_envs, np.bool_) if mask is None else mask)
        observations = self._batch.landing(self.batch_size, out)
        self._turns.drop()
        infos = self._batch.restart(seeds, mask)
        self._has_started = True
        self._lives = infos["lives"].copy()
        ids = np.arange(self.num_envs, dtype=np.int32)
        infos = {"env_id": ids, **infos}
        if self.batch_size < self.num_envs:
            self._after_reset = infos
            self._turns.send(ids, None)
            observations, *_, infos = self.recv(out=observations)
        else:
            self._batch.observe(observations)
        self._last = infos["env_id"]
        return observations, infos

    def _check_partial_reset(self, mask: NDArray[np.bool_]) -> None:
        if not self._has_started:
            raise RuntimeError(f"reset_mask is {mask}; the first reset is one of all environments")
        if self.batch_size < self.num_envs:
            raise ValueError(f"reset_mask is {mask}; with a batch_size below num_envs a reset is one of all environments")

    def step(self, actions: NDArray[Any], *, out: Buffer | None = None) -> Result:
        """Plays one action in each environment.

        Args:
            actions: Numbers of actions, whole and of the shape (batch_size,), or with `continuous` a distance, an angle in radians and the
                button for each, (batch_size, 3).
            out: Memory that games write their observations to: an array, a tensor with DLPack or a buffer of the shape and dtype of
                `observation_space`, in the CPU's memory and contiguous in C order. The result then has an array on this memory.

        Returns:
            Observations, rewards (32-bit whole numbers), terminations and truncations (bools), and infos.

        Raises:
            TypeError, ValueError: Actions or `out` make no sense. No game has played then.
        """
        if self.batch_size == self.num_envs:
            observations = self._batch.landing(self.num_envs, out)
            numbers, strengths = self._numbers(actions, self.num_envs)
            step = self._batch.step(numbers, observations, strengths)
            return self._results(observations, step, self._turns.everyone)
        observations = self._batch.landing(self.batch_size, out)
        self.send(actions)
        return self.recv(out=observations)

    def send(self, actions: NDArray[Any]) -> None:
        """Gives actions to the environments of the last `recv` or `reset`, in the order of its `info["env_id"]`, and returns at once.

        Environments play in a thread of their own, `batch_size` of them at a time: first those that got their actions first, and of these
        the ones whose last turn is longest ago. So all play equally often.

        Args:
            actions: As in `step`.

        Raises:
            gymnasium.error.AlreadyPendingCallError: These environments have their actions.
        """
        self._send(*self._numbers(actions, self._taking()))

    def send_numbers(self, numbers: Sequence[int] | NDArray[Any], strengths: Sequence[float] | NDArray[Any]) -> None:
        """`send` with numbers of actions, also where the batch is continuous.

        Args:
            numbers: Numbers of actions, whole and of the shape (batch_size,).
            strengths: How fast each action turns a paddle, 0 to 1.

        Raises:
            ValueError: There are more or fewer strengths than environments that take actions, or one is out of its range.
        """
        pushes = np.asarray([number("a strength", strength) for strength in strengths], np.float32)
        if len(pushes) != self._taking():
            raise ValueError(f"{len(pushes)} strengths were given for the actions of {self._taking()} environments")
        if not ((pushes >= 0) & (pushes <= 1)).all():
            raise ValueError(f"actions push the stick by {pushes}; they are from 0 to 1")
        self._send(numbers, pushes)

    def _taking(self) -> int:
        """The number of environments that take actions."""
        if not self._has_started:
            raise RuntimeError("send before the first reset: call reset first")
        if len(self._last) == 0:
            raise AlreadyPendingCallError("send to environments that have their actions: call recv first", "send")
        return len(self._last)

    def _send(self, actions: Any, strengths: NDArray[np.float32] | None) -> None:
        numbers = self._batch.action_numbers(actions, self._taking())
        self._turns.send(self._last, numbers, strengths)
        self._last = self._last[:0]

    def recv(self, *, out: Buffer | None = None) -> Result:
        """Waits for the results of `batch_size` environments, those that got their actions first. Games write their observations to `out`,
        if given, as in `step`.

        Raises:
            gymnasium.error.NoAsyncCallError: Fewer environments have actions, or the process that called `send` forked this one.
            TypeError, ValueError: `out` makes no sense. The results are still due.
        """
        turn = self._turns.due()
        lanes = turn.lanes()
        observations = self._batch.landing(len(lanes), out)
        self._last = self._ids(lanes)
        step = self._turns.finish(observations)
        result = self._results(observations, step, turn)
        self._turns.begin()
        return result

    def _as_reset(self, lanes: list[int]) -> Numbers:
        """The results of environments that have been reset."""
        none = np.zeros(len(lanes), np.bool_)
        chosen = {key: value[lanes] for key, value in self._after_reset.items()}
        return np.zeros(len(lanes), np.int32), none, none.copy(), chosen

    def _numbers(self, actions: Any, count: int) -> tuple[Any, NDArray[np.float32] | None]:
        """The numbers of actions, and their strengths if they are continuous."""
        if not self.continuous:
            return actions, None
        r, theta, fire = positions(actions, (count, 3)).T
        threshold = np.float32(self.continuous_action_threshold)
        x, y = r * np.cos(theta), r * np.sin(theta)
        horizontal = (x > threshold).astype(int) - (x < -threshold).astype(int)
        vertical = (y > threshold).astype(int) - (y < -threshold).astype(int)
        sticks = zip(horizontal.tolist(), vertical.tolist(), (fire > threshold).astype(int).tolist(), strict=True)
        return np.array([self._place(BY_STICK[stick]) for stick in sticks]), r

    def _place(self, action: Action) -> int:
        """The number of an action. One that does not reach the game is NOOP, as in `AtariEnv`."""
        names = self.action_names
        return names.index(action.name if action.name in names else "NOOP")

    def _ids(self, lanes: list[int]) -> NDArray[np.int32]:
        """The numbers of environments as a new array."""
        return np.arange(self.num_envs, dtype=np.int32) if lanes is self._turns.everyone.played else np.array(lanes, np.int32)

    def _results(self, observations: NDArray[Any], step: Step | None, turn: Turn) -> Result:
        """The results of environments that have played a step, and of others that have been reset, in the order of the environments."""
        played, reset = turn
        numbers = self._as_reset(reset) if step is None else self._as_played(step, played)
        if step is not None and reset:
            numbers = merged(self._as_reset(reset), numbers)
        rewards, terminations, truncations, infos = numbers
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            ended = terminations | truncations
            if ended.any():
                self._add_final(infos, observations, ended)
        return observations, rewards, terminations, truncations, infos

    def _as_played(self, step: Step, lanes: list[int]) -> Numbers:
        """The results of environments that have played a step."""
        ids = self._ids(lanes)
        terminations, truncations = step.terminations, step.truncations
        if self._life_loss_info:
            lost = self._lost_lives(step, ids)
            # A lost life hides a truncation, as in ale-py.
            terminations, truncations = terminations | lost, truncations & ~lost
        return step.rewards.astype(np.int32), terminations, truncations, {"env_id": ids, **step.infos}

    def _lost_lives(self, step: Step, ids: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether the step lost a life of each environment, but not its last one."""
        lives = step.infos["lives"].copy()
        if step.any_ended:
            for ending in self._batch.endings():
                if ending.final_info is not None:
                    lives[ending.place] = ending.final_info[0]
        lost: NDArray[np.bool_] = (lives < self._lives[ids]) & (lives > 0)
        self._lives[ids] = step.infos["lives"]
        return lost

    def _add_final(self, infos: Infos, observations: NDArray[Any], ended: NDArray[np.bool_]) -> None:
        """Adds the observations with which episodes ended, and of an episode that goes on after a lost life its present one."""
        places = np.flatnonzero(ended)
        final = np.empty((len(places), *self._batch.shape), np.uint8) if self._sparse_final_obs else np.empty_like(observations)
        for number, place in enumerate(places):
            row = final[number if self._sparse_final_obs else place]
            if not self._batch.final_observation(int(infos["env_id"][place]), row):
                row[...] = observations[place]
        infos["final_obs"] = final
        if self._sparse_final_obs:
            infos["_final_obs"] = ended

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """The pictures of all consoles, with render mode "rgb_array"."""
        return None if self.render_mode is None else self._batch.renders()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an AtariVectorEnv cannot be pickled: gym2600.VectorEnv with preset='ale-vector' plays the same, and has save and restore"
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the environments. `close` calls it.

        Args:
            kwargs: Those of `close`, which have no effect.
        """
        self._batch.close()


def merged(first: Numbers, second: Numbers) -> Numbers:
    """The results of environments that have been reset, and of others, as one in the order of the environments."""
    order = np.argsort(np.concatenate([first[3]["env_id"], second[3]["env_id"]]))
    rewards, terminations, truncations = (np.concatenate(pair)[order] for pair in zip(first[:3], second[:3], strict=True))
    infos = {key: np.concatenate([value, second[3][key]])[order] for key, value in first[3].items()}
    return rewards, terminations, truncations, infos


def spread(seed: Seed, mask: NDArray[np.bool_]) -> list[int | None]:
    """The seed of every environment, of which those in `mask` are reset: consecutive numbers, or one of an array for each. -1 is no seed."""
    count, seeds = int(mask.sum()), np.full(len(mask), -1, object)
    if seed is not None:
        given = [-1 if number is None else number for number in whole_seeds(seed, count)]
        if len(given) != count:
            raise ValueError(f"{len(given)} seeds were given for {count} environments that are reset")
        # Checked here, because a reset that is refused must not cost the results that are due.
        if not all(-1 <= number < 2**31 for number in given):
            raise ValueError(f"seeds are {given}; they are from 0 to 2**31 - 1, or -1")
        seeds[mask] = given
    return [None if number == -1 else number for number in seeds.tolist()]
