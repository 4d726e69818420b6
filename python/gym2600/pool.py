"""`make`: a batch with the arguments, spaces and infos of EnvPool's Gymnasium interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium.vector
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from gym2600 import _gym2600
from gym2600.batch import Batch, Wrapper, wrappers_of


def rom_of(task_id: str) -> str:
    """The name of the game of a task such as "Breakout-v5"."""
    known = {}
    for rom, _, _, _ in _gym2600.games():
        known["".join(word.capitalize() for word in rom.split("_")) + "-v5"] = rom
    if task_id not in known:
        raise ValueError(f"unknown task {task_id!r}: tasks are games such as 'Breakout-v5'")
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
        (grey, True),
        (skip, True),
        (resize, True),
        (limit, True),
        ({"type": "EpisodicLife", "restart": "continue"}, episodic_life),
        (stack, True),
        ({"type": "ClipReward"}, reward_clip),
        (reset, True),
    ]
    return [wrapper for wrapper, wanted in wrappers if wanted]


class PoolEnv(gymnasium.vector.VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """A batch in the manner of EnvPool.

    Its seed is that of `make`, and `observation_space` and `action_space` are those of one environment.
    """

    def __init__(self, task_id: str, batch: Batch, seeds: list[int]) -> None:
        self._batch = batch
        self._seeds: list[int] | None = seeds
        self.task_id = task_id
        self.num_envs = batch.num_envs
        self.metadata = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.observation_space = self.single_observation_space = batch.observation_space()
        self.action_space = self.single_action_space = spaces.Discrete(len(batch.description["actions"]))
        self._elapsed = np.zeros(self.num_envs, np.int32)
        # Whether the next step starts an episode, and whether it starts the game too.
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._game_ended = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts episodes in all environments, or in those with true in `options["reset_mask"]`."""
        if seed is not None:
            gymnasium.logger.warn("seeds are given to make, as with EnvPool; reset ignores its seed")
        mask = None if options is None else options.get("reset_mask")
        observations, infos = self._batch.reset(self._seeds, mask)
        self._seeds = None
        chosen = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        self._elapsed[chosen] = 0
        self._ended[chosen] = False
        self._game_ended[chosen] = False
        zeros = np.zeros(self.num_envs, np.float32)
        return observations, self._infos(infos["lives"], zeros, np.zeros(self.num_envs, np.int32))

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays one action in each environment. After an end it is ignored, and the next episode starts."""
        step = self._batch.step(actions)
        self._elapsed += ~self._ended
        self._elapsed[self._game_ended] = 0
        self._ended = step.terminations | step.truncations
        self._game_ended = step.truncations.copy()
        game_over = np.zeros(self.num_envs, np.int32)
        if step.any_ended:
            for ending in self._batch.endings():
                game_over[ending.place] = ending.game_ended and not step.truncations[ending.place]
            self._game_ended |= game_over > 0
        infos = self._infos(step.infos["lives"], step.raw_rewards.astype(np.float32), game_over)
        return step.observations, step.rewards.astype(np.float32), step.terminations, step.truncations, infos

    def _infos(self, lives: NDArray[Any], rewards: NDArray[Any], game_over: NDArray[Any]) -> dict[str, Any]:
        ids = np.arange(self.num_envs, dtype=np.int32)
        return {
            "env_id": ids,
            "players": {"env_id": ids.copy()},
            "lives": lives,
            "reward": rewards,
            "terminated": game_over,
            "ram": self._batch.ram(),
            "elapsed_step": self._elapsed.copy(),
        }

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the environments."""
        self._batch.close()


def make(
    task_id: str,
    env_type: str = "gymnasium",
    *,
    num_envs: int = 1,
    batch_size: int | None = None,
    num_threads: int | None = None,
    seed: int | Sequence[int] = 42,
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

    Results have the order of the environments. `batch_size` has to be `num_envs`.
    """
    if env_type != "gymnasium":
        raise ValueError(f"env_type is {env_type!r}; gym2600 has 'gymnasium'")
    if not gray_scale:
        raise ValueError("gray_scale is False; gym2600.make gives grey pictures, and gym2600.VectorEnv those in colour")
    if batch_size not in (None, num_envs):
        raise ValueError(f"batch_size is {batch_size}; it has to be num_envs, {num_envs}")
    wrappers = wrapper_list(
        max_episode_steps=max_episode_steps,
        img_height=img_height,
        img_width=img_width,
        stack_num=stack_num,
        frame_skip=frame_skip,
        noop_max=noop_max,
        episodic_life=episodic_life,
        reward_clip=reward_clip,
        use_fire_reset=use_fire_reset,
        use_inter_area_resize=use_inter_area_resize,
    )
    options = {
        "wrappers": wrappers,
        "seeding": "native",
        "repeat_action_probability": repeat_action_probability,
        "full_action_space": full_action_space,
        "max_frames_per_episode": 0,
        "mode": None if mode < 0 else mode,
        "difficulty": None if difficulty < 0 else difficulty,
    }
    batch = Batch(rom_of(task_id), options, num_envs, num_threads or 0, copy=True)
    seeds = [seed + lane for lane in range(num_envs)] if isinstance(seed, int) else [int(number) for number in seed]
    if len(seeds) != num_envs:
        raise ValueError(f"{len(seeds)} seeds were given for {num_envs} environments")
    return PoolEnv(task_id, batch, seeds)
