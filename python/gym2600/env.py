"""`AtariEnv`: one game as a Gymnasium environment, as `gym.make("ALE/Breakout-v5")` of ale-py gives it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Literal, TypedDict

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from gym2600 import roms
from gym2600.actions import BY_STICK, Action, positions
from gym2600.checks import GREATEST, finite, flags, reset_options, whole
from gym2600.interface import RAM_SIZE, SOUND_SAMPLES, ALEInterface

Observation = Any

INT32 = np.iinfo(np.int32)


def stick(position: NDArray[np.float32], threshold: float) -> Action:
    """The action of a continuous stick: its distance from the centre, its angle, and the button.

    Angles whose sine is the threshold decide on their last bit, so all is computed with ale-py's 32 bits.
    """
    r, theta, fire = position
    limit = np.float32(threshold)
    x, y = r * np.cos(theta), r * np.sin(theta)
    return BY_STICK[int(x > limit) - int(x < -limit), int(y > limit) - int(y < -limit), int(fire > limit)]


class _Counters(TypedDict):
    lives: int
    episode_frame_number: int
    frame_number: int


class AtariEnvStepMetadata(_Counters, total=False):
    """The info of a reset or a step of `AtariEnv`. A reset with a seed has `seeds`, and an environment with `labels` has these."""

    seeds: tuple[int, int]
    labels: dict[str, int]


class AtariEnv(gymnasium.Env[Observation, Any]):
    """A game, with the arguments, spaces and infos of ale-py's `AtariEnv`.

    Args:
        game: The name of a game, a path or the bytes of a ROM.
        mode: The game's mode.
        difficulty: The game's difficulty.
        obs_type: "rgb", "grayscale", "ram", or "labels" for the variables of the game's rules, in the order of `ale.getVariables`.
        frameskip: Frames of a step, or the least and the greatest number, of which one is drawn for each step.
        repeat_action_probability: Probability that a frame repeats the previous action.
        full_action_space: Whether all 18 actions can be played instead of the game's minimal set.
        continuous: Whether an action is the position of a stick and the button.
        continuous_action_threshold: How far the stick has to be pushed.
        max_num_frames_per_episode: Frames after which an episode is truncated.
        render_mode: "rgb_array" or "human", which needs pygame.
        sound_obs: Whether observations have the sound too.
        labels: Whether infos have `labels`, the variables of the game's rules by name, such as `score` and `lives`.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 30}
    ale: ALEInterface
    """The console, with ale-py's methods."""
    observation_space: spaces.Space[Any]
    """Bytes of (height, 160, 3), (height, 160) or (128,), by `obs_type`, or a 32-bit number for each label, within bounds from the rules; with
    `sound_obs` a dictionary of `image` and `sound`."""
    action_space: spaces.Space[Any]
    """Numbers of actions, or with `continuous` a distance, an angle and the button."""

    def __init__(
        self,
        game: roms.Rom = "pong",
        mode: int | None = None,
        difficulty: int | None = None,
        obs_type: Literal["rgb", "grayscale", "ram", "labels"] = "rgb",
        frameskip: tuple[int, int] | int = 4,
        repeat_action_probability: float = 0.25,
        full_action_space: bool = False,
        continuous: bool = False,
        continuous_action_threshold: float = 0.5,
        max_num_frames_per_episode: int | None = None,
        render_mode: Literal["human", "rgb_array"] | None = None,
        sound_obs: bool = False,
        labels: bool = False,
    ) -> None:
        if obs_type not in ("rgb", "grayscale", "ram", "labels"):
            raise gymnasium.error.Error(f"obs_type is {obs_type!r}; it is 'ram', 'rgb', 'grayscale' or 'labels'")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise gymnasium.error.Error(f"render_mode is {render_mode!r}; it is 'rgb_array', 'human' or None")
        flags(full_action_space=full_action_space, continuous=continuous, labels=labels)
        finite("continuous_action_threshold", continuous_action_threshold)
        # Under this name Gymnasium's AtariPreprocessing reads it.
        self._frameskip = checked_frameskip(frameskip)
        self.ale = ALEInterface()
        self.ale.setFloat("repeat_action_probability", repeat_action_probability)
        if max_num_frames_per_episode is not None:
            self.ale.setInt("max_num_frames_per_episode", max_num_frames_per_episode)
        self.ale.setBool("sound_obs", sound_obs)
        self._rom = roms.load(game)
        self._game = game if isinstance(game, str) else ALEInterface.isSupportedROM(self._rom)
        self._game_mode = mode
        self._game_difficulty = difficulty
        self._obs_type = obs_type
        self.sound_obs = sound_obs
        self._labels = labels
        self.continuous = continuous
        self.continuous_action_threshold = continuous_action_threshold
        self.render_mode = render_mode
        self._window: Any = None
        self.seed_game()
        with roms.named(game):
            self.load_game()
        full = full_action_space or continuous
        self._action_set = self.ale.getLegalActionSet() if full else self.ale.getMinimalActionSet()
        if continuous:
            low, high = np.array([0.0, -np.pi, 0.0]), np.array([1.0, np.pi, 1.0])
            self.action_space = spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        else:
            self.action_space = spaces.Discrete(len(self._action_set))
        self.observation_space = self._space()

    def _space(self) -> spaces.Space[Any]:
        height, width = self.ale.getScreenDims()
        shapes = {"ram": (RAM_SIZE,), "rgb": (height, width, 3), "grayscale": (height, width)}
        if self._obs_type == "labels":
            picture = self._label_space()
        else:
            picture = spaces.Box(0, 255, shapes[self._obs_type], np.uint8)
        if not self.sound_obs:
            return picture
        return spaces.Dict({"image": picture, "sound": spaces.Box(0, 255, (SOUND_SAMPLES,), np.uint8)})

    def _label_space(self) -> spaces.Box:
        bounds = self.ale._arcade.variable_bounds()
        if not bounds:
            raise gymnasium.error.Error(f"obs_type is 'labels'; the rules of {self.ale._arcade.rom_name()} have no variables that could be labels")
        low, high = np.clip(np.array(bounds, np.int64).T, INT32.min, INT32.max).astype(np.int32)
        return spaces.Box(low, high, dtype=np.int32)

    def seed_game(self, seed: int | None = None) -> tuple[np.uint32, np.uint32]:
        """Seeds the generators of the environment and of ALE; the latter takes effect with `load_game`.

        Args:
            seed: A whole number from 0 on, or None for one of the system.

        Returns:
            The seeds of both generators, which the seed gives.
        """
        np_seed, ale_seed = np.random.SeedSequence(seed).generate_state(n_words=2)
        self._np_random, self._np_random_seed = seeding.np_random(int(np_seed))
        # ALE has a signed number.
        self.ale.setInt("random_seed", int(ale_seed.astype(np.int32)))
        return np_seed, ale_seed

    def load_game(self) -> None:
        """Loads the ROM with its mode and difficulty."""
        self.ale.loadROM(self._rom)
        if self._game_mode is not None:
            self.ale.setMode(self._game_mode)
        if self._game_difficulty is not None:
            self.ale.setDifficulty(self._game_difficulty)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: A whole number from 0 on. It seeds all generators and loads the game anew. Without it the generators go on.
            options: None or a dictionary. No key has an effect.

        Returns:
            The observation, and `AtariEnvStepMetadata`.

        Raises:
            gymnasium.error.Error: The seed is no whole number from 0 on.
            TypeError: `options` is no dictionary.
        """
        reset_options(options)
        seeds = None
        if seed is not None:
            if not isinstance(seed, int | np.integer) or seed < 0:
                raise gymnasium.error.Error(f"seed is {seed!r}; it is a whole number from 0 on")
            seeds = self.seed_game(seed)
            self._np_random_seed = seed
            self.load_game()
        self.ale.reset_game()
        info = self._get_info()
        if seeds is not None:
            info["seeds"] = seeds
        self._show()
        return self._get_obs(), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action for the frames of a step.

        Args:
            action: The number of an action, from 0, or with `continuous` a distance, an angle and the button.

        Returns:
            The observation, the reward in points, whether the game is over, whether a limit ended it, and `AtariEnvStepMetadata`.

        Raises:
            IndexError: The number of the action is beyond the action space.
        """
        if self.continuous:
            position = positions(action, (3,))
            pressed, strength = stick(position, self.continuous_action_threshold), float(position[0])
        else:
            place = whole("action", action)
            if not 0 <= place < len(self._action_set):
                raise IndexError(f"action is {place}; it is from 0 to {len(self._action_set) - 1}")
            pressed, strength = self._action_set[place], 1.0
        if isinstance(self._frameskip, int):
            frames = self._frameskip
        else:
            frames = int(self.np_random.integers(*self._frameskip))
        reward = self._play(int(pressed), strength, frames)
        terminated = self.ale.game_over(with_truncation=False)
        truncated = self.ale.game_truncated()
        return self._get_obs(), float(reward), terminated, truncated, self._get_info()

    def _play(self, action: int, strength: float, frames: int) -> int:
        if self.render_mode != "human":
            return self.ale._arcade.act(action, strength, frames)
        reward = 0
        for _ in range(frames):
            reward += self.ale.act(action, strength)
            self._show()
        return reward

    def __str__(self) -> str:
        """As every environment of Gymnasium, with "ALE" before an id of ours: RLlib takes an environment for Atari by "AtariEnv<ALE"."""
        name = type(self).__name__
        if self.spec is None:
            return f"<{name} instance>"
        return f"<{name}<{'ALE: ' if self.spec.id.startswith('gym2600/') else ''}{self.spec.id}>>"

    def render(self) -> NDArray[np.uint8] | None:
        """The picture in colour, with render mode "rgb_array"."""
        if self.render_mode == "rgb_array":
            return self.ale.getScreenRGB()
        if self.render_mode == "human":
            return None
        raise gymnasium.error.Error("there is no picture without a render_mode: it is 'rgb_array' or 'human'")

    def _show(self) -> None:
        if self.render_mode == "human":
            from gym2600.window import Window

            self._window = self._window or Window(str(self._game))
            self._window.show(self.ale.getScreenRGB())

    def close(self) -> None:
        """Closes the window of render mode "human"."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _get_obs(self) -> Observation:
        """The observation, under the name by which ale-py's users call it."""
        picture: NDArray[Any]
        if self._obs_type == "labels":
            numbers = [value for _, value in self.ale._arcade.variables()]
            picture = np.clip(numbers, INT32.min, INT32.max).astype(np.int32)
        elif self._obs_type == "ram":
            picture = self.ale.getRAM()
        elif self._obs_type == "rgb":
            picture = self.ale.getScreenRGB()
        else:
            picture = self.ale.getScreenGrayscale()
        if self.sound_obs:
            return {"image": picture, "sound": self.ale.getAudio()}
        return picture

    def _get_info(self) -> dict[str, Any]:
        """The info, under the name by which ale-py's users call it."""
        info = {
            "lives": self.ale.lives(),
            "episode_frame_number": self.ale.getEpisodeFrameNumber(),
            "frame_number": self.ale.getFrameNumber(),
        }
        return {**info, "labels": self.ale.getVariables()} if self._labels else info

    def get_action_meanings(self) -> list[str]:
        """The names of the actions."""
        return [action.name for action in self._action_set]

    @staticmethod
    def map_action_idx(left_center_right: int, down_center_up: int, fire: bool) -> Action:
        """The action of a direction and the button.

        Args:
            left_center_right: -1, 0 or 1 for left, centre or right.
            down_center_up: -1, 0 or 1 for down, centre or up.
            fire: Whether the button is pressed.

        Raises:
            KeyError: A direction is another number.
        """
        return BY_STICK[left_center_right, down_center_up, int(fire)]

    def get_keys_to_action(self) -> dict[tuple[str, ...], int]:
        """Keys for `gymnasium.utils.play`."""
        if self.continuous:
            raise AttributeError("a continuous environment has no keys")
        keys = {"NOOP": "e", "UP": "w", "DOWN": "s", "LEFT": "a", "RIGHT": "d", "FIRE": " "}
        meanings = enumerate(self.get_action_meanings())
        return {tuple(key for word, key in keys.items() if word in name): number for number, name in meanings}

    def clone_state(self, include_rng: bool = False) -> Any:
        """The console's state, as `ALEInterface.cloneState` gives it.

        Args:
            include_rng: Whether the generator of sticky actions and the last action are in it.
        """
        return self.ale.cloneState(include_rng=include_rng)

    def restore_state(self, state: Any) -> None:
        """Continues from a state of `clone_state`.

        Args:
            state: The state, of this or another environment of the game.

        Raises:
            TypeError: It is no state.
            ValueError: It is a state of another ROM.
        """
        self.ale.restoreState(state)

    def clone(self) -> AtariEnv:
        """An environment with a console of its own, which plays on as this one: it has the same state, generators and spaces.

        `copy.deepcopy` of an environment in wrappers copies these too.
        """
        return deepcopy(self)

    def __copy__(self) -> AtariEnv:
        """An environment with a console of its own in the same state, as `clone` gives."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}


def checked_frameskip(frameskip: Any) -> tuple[int, int] | int:
    """The number of frames of a step, or its range.

    Raises:
        gymnasium.error.Error: It is neither a number from 1 on nor a tuple of such a range.
        ValueError: It is too great.
    """
    numbers = frameskip if isinstance(frameskip, tuple) else (frameskip,)
    if any(isinstance(frames, bool) or not isinstance(frames, int | np.integer) for frames in numbers):
        raise gymnasium.error.Error(f"frameskip is {frameskip!r}; it is a whole number or a tuple of two")
    if any(frames < 1 for frames in numbers):
        raise gymnasium.error.Error(f"frameskip is {frameskip}; a step has at least 1 frame")
    if any(frames > GREATEST for frames in numbers):
        raise ValueError(f"frameskip is {frameskip}; it is from 1 to 2**31 - 1")
    if not isinstance(frameskip, tuple):
        return int(frameskip)
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        raise gymnasium.error.Error(f"frameskip is {frameskip}; a range has a least and a greater number")
    return int(numbers[0]), int(numbers[1])
