"""`VectorEnv`: a batch with any preset or list of wrappers."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any, Literal, NoReturn

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gym2600 import roms
from gym2600._gym2600 import GameState
from gym2600.batch import Batch, Infos, Seed, Step, batched
from gym2600.checks import Buffer, choice, counts, flags, instance, probability, reset_options, sequence
from gym2600.registration import SETTINGS
from gym2600.stacks import NewestPictures, without_stack
from gym2600.vector_env import AUTORESETS, AtariVectorEnv, autoreset_mode_of
from gym2600.versions import AutoresetMode, VectorBase
from gym2600.wrappers import Preset, Wrapper

#: Observations, rewards, terminations, truncations, infos.
Result = tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], Infos]


def pictures(observations: Any) -> NDArray[Any]:
    """The array of an observation that games write."""
    array: NDArray[Any] = observations["picture"] if isinstance(observations, dict) else observations
    return array


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}


class VectorEnv(VectorBase[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Environments of one game, with the wrappers of a preset or a list.

    Args:
        game: The name of a game, a path or the bytes of a ROM.
        num_envs: Number of environments.
        preset: The name of a list of wrappers; "gym2600" unless `wrappers` is given.
        wrappers: A list of wrappers, from the console outwards, instead of a preset: names, or dictionaries with a "type" and
            options, which `gym2600.wrappers` describes.
        threads: Number of threads, the caller's among them; 0, the default, for one per processor that this process may use. No result
            depends on it.
        copy: Whether every call gives new arrays of observations. Otherwise an observation is valid until the next call.
        autoreset: When an ended episode is followed by the next; the preset's own rule unless given, else in the next step.
        render_mode: "rgb_array" for pictures of all environments.
        stacked: Whether the wrapper `QueueFrames` stacks observations. Otherwise an observation is a dictionary with the newest `picture` and
            `reset`, 1 where a stack begins anew. `gym2600.TorchStack` then stacks them on the learner's device. `final_obs` is one picture,
            and states have no stack.
        statistics: Whether infos have `episode`. Gymnasium's `RecordEpisodeStatistics` writes this key itself.
        labels: Whether infos have `labels`, the variables of the game's rules by name, such as `score` and `lives`, each of all environments.
        mode: The game's mode.
        difficulty: The game's difficulty.
        repeat_action_probability: Probability that a frame repeats the previous action.
        full_action_space: Whether all legal actions can be played instead of the game's minimal set.
        max_frames_per_episode: Frames after which an episode is truncated; 0 for never.
        truncate_on_loss_of_life: Whether the loss of a life truncates an episode.
        observation: What the first wrapper observes: "rgb", "grey", "ram", or "labels" for the variables of the game's rules as 32-bit numbers,
            whose names are `description["labels"]`. Beside a preset it leaves out the wrappers that process pictures, which
            `description["leftOut"]` names.
        seeding: How a seed reaches the generators: "native", "gymnasium" or "gym".
        definition: The definition of a game that is not in the catalogue.
        mapper: How the cartridge is banked, such as "F8", in place of what the definition says or the detection finds.

    Infos have `lives`, `frame_number` and `episode_frame_number`. A step that ends an episode has `real_done` with the mask `_real_done`:
    false where only a life was lost and the game continues. The end of the game has `episode` with the mask `_episode`: the whole game's
    raw score `r`, its steps `l` and its `frames`, whatever the preset clips, skips or divides. In a list with `EpisodeStatistics` they are
    those of an episode at the place of this wrapper. If the next episode has started, there are `final_obs`, `final_info` and their masks.
    """

    metadata: dict[str, Any]
    description: dict[str, Any]
    """The game, its actions, the shape and the type of observations, the television, and the resolved options with all wrappers."""
    autoreset_mode: AutoresetMode
    """When an ended episode is followed by the next."""
    single_observation_space: Space[Any]
    """The space of an observation of one environment."""
    single_action_space: Discrete
    """The space of an action of one environment."""
    observation_space: Space[Any]
    """The space of the batch's observations, whose first axis is `num_envs`."""
    action_space: Space[Any]
    """The space of the batch's actions."""

    def __init__(
        self,
        game: roms.Rom,
        num_envs: int = 1,
        *,
        preset: Preset | None = None,
        wrappers: Sequence[Wrapper] | None = None,
        threads: int = 0,
        copy: bool = True,
        stacked: bool = True,
        autoreset: AutoresetMode | str | None = None,
        render_mode: Literal["rgb_array"] | None = None,
        statistics: bool = True,
        labels: bool = False,
        mode: int | None = None,
        difficulty: int | None = None,
        repeat_action_probability: float | None = None,
        full_action_space: bool | None = None,
        max_frames_per_episode: int | None = None,
        truncate_on_loss_of_life: bool | None = None,
        observation: Literal["rgb", "grey", "ram", "labels"] | None = None,
        seeding: Literal["native", "gymnasium", "gym"] | None = None,
        definition: dict[str, Any] | None = None,
        mapper: str | None = None,
    ) -> None:
        choice("render_mode", render_mode, ("rgb_array", None))
        flags(copy=copy, stacked=stacked, statistics=statistics, labels=labels)
        counts(threads=threads, **given(mode=mode, difficulty=difficulty, max_frames_per_episode=max_frames_per_episode))
        flags(**given(full_action_space=full_action_space, truncate_on_loss_of_life=truncate_on_loss_of_life))
        choice("observation", observation, ("rgb", "grey", "ram", "labels", None))
        choice("seeding", seeding, ("native", "gymnasium", "gym", None))
        if repeat_action_probability is not None:
            repeat_action_probability = probability("repeat_action_probability", repeat_action_probability)
        if wrappers is not None:
            sequence("wrappers", wrappers)
            for place, wrapper in enumerate(wrappers):
                instance(f"wrappers[{place}]", wrapper, (str, dict), "the name of a wrapper or a dictionary")
        instance("preset", preset, (str, NoneType), "the name of a preset")
        instance("definition", definition, (dict, NoneType), "a dictionary")
        instance("mapper", mapper, (str, NoneType), "the name of a mapper")
        options = {
            "mode": mode,
            "difficulty": difficulty,
            "repeat_action_probability": repeat_action_probability,
            "full_action_space": None if full_action_space is None else bool(full_action_space),
            "max_frames_per_episode": max_frames_per_episode,
            "truncate_on_loss_of_life": None if truncate_on_loss_of_life is None else bool(truncate_on_loss_of_life),
            "observation": observation,
            "seeding": seeding,
            "definition": definition,
            "mapper": mapper,
            "preset": preset,
            "wrappers": None if wrappers is None else list(wrappers),
            "autoreset": None if autoreset is None else AUTORESETS[autoreset_mode_of("autoreset", autoreset)],
        }
        stack = None
        if not stacked:
            stack, options = without_stack(options)
        self._batch = Batch(game, options, num_envs, threads, copy)
        self.description = self._batch.description
        self.autoreset_mode = self._autoreset()
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["rgb_array"], "render_fps": self._batch.steps_per_second()}
        self.render_mode = render_mode
        self._statistics = statistics
        self._labels = labels
        # Whether `send` has started a step whose results `recv` has not given.
        self._is_playing = False
        self.num_envs = num_envs
        #: The observations of a batch with `stacked=False`.
        self.newest: NewestPictures | None = None if stack is None else NewestPictures(self._batch, stack, self.autoreset_mode)
        self.single_observation_space = self._batch.observation_space()
        self.observation_space = batched(self._batch.observation_space(), num_envs)
        if self.newest is not None:
            self.single_observation_space, self.observation_space = self.newest.single_space, self.newest.space
        # Gymnasium names the base class, and nothing assigns another space.
        self.single_action_space = self._batch.action_space()  # pyright: ignore[reportIncompatibleVariableOverride]
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _autoreset(self) -> AutoresetMode:
        wrappers = self.description["spec"]["wrappers"]
        last = wrappers[-1] if wrappers else {}
        if last.get("type") != "AutoReset":
            return AutoresetMode.DISABLED
        return AutoresetMode.SAME_STEP if last["mode"] == "same-step" else AutoresetMode.NEXT_STEP

    def reset(self, *, seed: Seed = None, options: dict[str, Any] | None = None, out: Buffer | None = None) -> tuple[Any, Infos]:
        """Starts episodes in all environments, or in those with true in `options["reset_mask"]`. The results of a step under way are dropped.

        Args:
            seed: The first environment's seed, from which the others count up, or a list with one for each. Without it the generators go on.
            options: `reset_mask`, a bool for each environment.
            out: Memory that observations are written to, as in `step`.

        Returns:
            Observations of the shape (num_envs, ..), bytes, with `ScaledFloat` floats or with labels 32-bit numbers, and infos.
        """
        mask = reset_options(options).get("reset_mask")
        observations = self._landing(out)
        if self._is_playing:
            self._finish()
        infos = self._batch.restart(seed, mask)
        if self._labels:
            infos["labels"] = self._batch.labels()
        self._batch.observe(pictures(observations))
        if self.newest is not None:
            self.newest.after_reset(observations, mask)
        return observations, infos

    def step(self, actions: NDArray[Any], *, out: Buffer | None = None) -> Result:
        """Plays one action in each environment.

        Args:
            actions: Numbers of actions, whole and of the shape (num_envs,).
            out: Memory that games write their observations to: an array, a tensor with DLPack or a buffer of the shape and dtype of
                `observation_space`, in the CPU's memory and contiguous in C order, or a dictionary of them with `stacked=False`. The result
                then has an array on this memory. Another `out` is refused before a game plays.

        Returns:
            Observations of the shape (num_envs, ..), rewards in points (64-bit floats), terminations and truncations (bools), and infos.
        """
        observations = self._landing(out)
        return self._results(observations, self._batch.step(actions, pictures(observations)))

    def send(self, actions: NDArray[Any]) -> None:
        """Starts a step in a thread of its own, and returns at once. Until `recv` the environments take no other call but `reset`.

        Args:
            actions: As in `step`.

        Raises:
            gymnasium.error.AlreadyPendingCallError: A step is under way.
        """
        self._batch.send(self._batch.action_numbers(actions, self.num_envs))
        self._is_playing = True

    def recv(self, *, out: Buffer | None = None) -> Result:
        """Waits for the step that `send` started, and gives its results, as `step` does.

        Args:
            out: Memory that games write their observations to, as in `step`.

        Raises:
            gymnasium.error.NoAsyncCallError: No step is under way, or the process that called `send` forked this one.
            TypeError, ValueError: `out` makes no sense. The results are still due.
        """
        observations = self._landing(out)
        return self._results(observations, self._finish(pictures(observations)))

    def _landing(self, out: Buffer | None) -> Any:
        """The arrays for an observation."""
        return self._batch.landing(self.num_envs, out) if self.newest is None else self.newest.landing(out)

    def _finish(self, observations: NDArray[Any] | None = None) -> Step:
        """Waits for the step under way."""
        # Also where the step failed: its results are gone.
        self._is_playing = False
        return self._batch.recv(observations)

    def _results(self, observations: Any, step: Step) -> Result:
        if self._labels:
            step.infos["labels"] = self._batch.labels()
        if step.any_ended:
            self._add_endings(step.infos)
        if self.newest is not None:
            self.newest.after_step(observations, step)
        return observations, step.rewards, step.terminations, step.truncations, step.infos

    def _add_endings(self, infos: Infos) -> None:
        ended = np.zeros(self.num_envs, np.bool_)
        started = np.zeros(self.num_envs, np.bool_)
        real_done = np.zeros(self.num_envs, np.bool_)
        counted = np.zeros(self.num_envs, np.bool_)
        episode: dict[str, NDArray[Any]] = {
            "r": np.zeros(self.num_envs),
            "l": np.zeros(self.num_envs, np.int32),
            "frames": np.zeros(self.num_envs, np.int32),
        }
        final_obs = np.full(self.num_envs, None, object)
        final_info: Infos = {key: np.zeros(self.num_envs, np.int32) for key in ("lives", "frame_number", "episode_frame_number")}
        final_labels = {name: np.zeros_like(values) for name, values in infos.get("labels", {}).items()}
        for ending in self._batch.endings():
            lane = ending.place
            ended[lane] = True
            real_done[lane] = ending.real_done
            if ending.game is not None:
                counted[lane] = True
                for array, value in zip(episode.values(), ending.game, strict=True):
                    array[lane] = value
            if ending.final_info is not None:
                started[lane] = True
                final_obs[lane] = np.empty(self._batch.shape, self._batch.dtype)
                self._batch.final_observation(lane, final_obs[lane])
                for array, value in zip(final_info.values(), ending.final_info, strict=True):
                    array[lane] = value
                last = self._batch.final_labels(lane) if self._labels else {}
                for name, value in last.items():
                    final_labels[name][lane] = value
        infos["real_done"], infos["_real_done"] = real_done, ended
        if self._statistics and counted.any():
            infos["episode"], infos["_episode"] = episode, counted
        if started.any():
            infos["final_obs"], infos["_final_obs"] = final_obs, started
            infos["final_info"], infos["_final_info"] = final_info, started.copy()
            if self._labels:
                final_info["labels"] = final_labels

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """The pictures of all consoles, with render mode "rgb_array"."""
        if self.render_mode is None:
            return None
        return self._batch.renders()

    def save(self) -> list[bytes]:
        """The state of each environment, for this or another process."""
        return [self._batch.native.save(lane) for lane in range(self.num_envs)]

    def restore(self, states: Sequence[bytes]) -> NDArray[Any]:
        """Continues from the states of `save`, and gives the observations of that moment.

        Args:
            states: One for each environment, of this or another batch of the game with the same options.

        Raises:
            ValueError: There are more or fewer states than environments, one is damaged or of another game or list of wrappers, or the batch
                has `stacked=False`.
        """
        self._check_stacked()
        sequence("states", states)
        if len(states) != self.num_envs:
            raise ValueError(f"{len(states)} states were given for {self.num_envs} environments")
        if not all(isinstance(state, bytes) for state in states):
            raise TypeError(f"states have the types {sorted({type(state).__name__ for state in states})}; they are bytes")
        return self._batch.restore(states)

    def clone_state(self, lane: int) -> GameState:
        """The state of an environment in memory, which takes microseconds: it is not compressed, unlike the bytes of `save`.

        Args:
            lane: The number of the environment, from 0.

        Raises:
            ValueError: There is no such environment.
        """
        return self._batch.native.clone_state(self._batch.lane("lane", lane))

    def restore_state(self, lane: int, state: GameState) -> NDArray[Any]:
        """Continues an environment from a state of `clone_state`, and gives its observation.

        Args:
            lane: The number of the environment, from 0.
            state: The state, of any environment or batch with the same game and options.

        Raises:
            ValueError: The state is of another game or list of wrappers, or the batch has `stacked=False`.
        """
        self._check_stacked()
        lane = self._batch.lane("lane", lane)
        instance("state", state, (GameState,), "one of VectorEnv.clone_state")
        return self._batch.restore_state(lane, state)

    def copy_lane(self, source: int, target: int) -> NDArray[Any]:
        """Copies the complete state of an environment into another, and gives its observation.

        Args:
            source: The number of the environment that is copied, from 0.
            target: The number of the environment that then plays on as it.

        Raises:
            ValueError: The batch has `stacked=False`.
        """
        self._check_stacked()
        return self._batch.copy_lane(self._batch.lane("source", source), self._batch.lane("target", target))

    def _check_stacked(self) -> None:
        """A state has no stack, so the learner's could not follow it."""
        if self.newest is not None:
            raise ValueError("stacked is False, and a state has no stack: states are for batches that stack their observations themselves")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a VectorEnv cannot be pickled: save gives the states of its environments, and restore goes on from them")

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the environments. `close` calls it.

        Args:
            kwargs: Those of `close`, which have no effect.
        """
        self._batch.close()


def make_vector_env(
    game: roms.Rom,
    num_envs: int = 1,
    *,
    preset: Preset | None = None,
    wrapper_list: Sequence[Wrapper] | None = None,
    **options: Any,
) -> AtariVectorEnv | VectorEnv:
    """What `gymnasium.make_vec` makes of our ids: an `AtariVectorEnv`, or with `preset` or `wrapper_list` a `VectorEnv` of these.

    A preset and a list have their own frame skip, sticky actions and limit of frames, as in `VectorEnv`. Of the id they only take the game.
    """
    if preset is None and wrapper_list is None:
        return AtariVectorEnv(game, num_envs, **options)
    own = {name: value for name, value in options.items() if name not in SETTINGS or value != SETTINGS[name]}
    return VectorEnv(game, num_envs, preset=preset, wrappers=wrapper_list, **own)
