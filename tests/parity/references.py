"""The Python references of the presets, behind one interface.

`gymnasium`, `ale-vector` and `envpool` are the packages themselves. `labml`, `nature-dqn` and `baselines` are ports of the behaviour onto
Gymnasium, because the originals need versions of Gym that cannot be installed.

Every reference has `reset()` and `step(action)`, which return an `Event`. The caller resets a reference after an end unless
`resets_itself` is true.
"""

from collections import deque
from dataclasses import dataclass

import ale_py
import cv2
import gymnasium as gym
import numpy as np
from ale_py.vector_env import AtariVectorEnv
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation

gym.register_envs(ale_py)
cv2.setNumThreads(1)


@dataclass
class Event:
    """The result of a call."""

    observation: np.ndarray
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    lives: int = 0
    #: Whether an end is the game's. False where only a life was lost.
    real_done: bool = True
    #: The points of the game so far; None where the reference does not show them.
    score: float | None = None


class Score(gym.Wrapper):
    """Counts the points of a game, next to it."""

    points = 0.0

    def reset(self, **kwargs):
        self.points = 0.0
        return self.env.reset(**kwargs)

    def step(self, action):
        result = self.env.step(action)
        self.points += float(result[1])
        return result


def env_name(rom):
    """space_invaders -> SpaceInvaders."""
    return rom.title().replace("_", "")


def no_frameskip(rom):
    """`<Game>NoFrameskip-v4`, or the same settings for a game without this id."""
    legacy = f"{env_name(rom)}NoFrameskip-v4"
    if legacy in gym.registry:
        return Score(gym.make(legacy, disable_env_checker=True))
    name = f"ALE/{env_name(rom)}-v5"
    return Score(gym.make(name, frameskip=1, repeat_action_probability=0.0, disable_env_checker=True))


def lives_of(env):
    """Lives left."""
    return env.unwrapped.ale.lives()


class Labml:
    """labml's `Game`: four frames per action, one life per episode, the maximum of the last two resized frames."""

    resets_itself = True

    def __init__(self, rom, seed):
        self.env = no_frameskip(rom)
        self.seed = seed
        self.actions = self.env.action_space.n
        self.stack = np.zeros((4, 84, 84), np.uint8)
        self.last_two = np.zeros((2, 84, 84), np.uint8)
        self.lives_at_start = 0

    @staticmethod
    def small(frame):
        """Converts to grey, then resizes to 84 x 84."""
        return cv2.resize(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY), (84, 84), interpolation=cv2.INTER_AREA)

    def reset(self):
        """Resets the game and fills the stack with its first frame."""
        frame, _ = self.env.reset(seed=self.seed)
        self.seed = None
        self.stack[:] = self.small(frame)
        self.lives_at_start = lives_of(self.env)
        return Event(self.stack, lives=self.lives_at_start)

    def step(self, action):
        """Plays four frames, fewer only if a life is lost. An end starts the next episode at once."""
        total, ended = 0.0, False
        for number in range(4):
            frame, reward, terminated, truncated, _ = self.env.step(action)
            ended = terminated or truncated
            if number >= 2:
                self.last_two[number - 2] = self.small(frame)
            total += reward
            if lives_of(self.env) < self.lives_at_start:
                ended = True
                break
        score = self.env.points
        if ended:
            self.reset()
        else:
            self.stack = np.concatenate([self.stack[1:], self.last_two.max(axis=0, keepdims=True)])
        return Event(self.stack, total, ended, False, lives_of(self.env), score=score)


class EpisodicLife(gym.Wrapper):
    """A lost life is an end. Unless the game is over, the reset after it is one NOOP step."""

    def __init__(self, env):
        super().__init__(env)
        self.lives = 0
        self.game_ended = True

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.game_ended = terminated or truncated
        info["real_done"] = self.game_ended
        lives = lives_of(self.env)
        terminated = terminated or 0 < lives < self.lives
        self.lives = lives
        return observation, reward, terminated, truncated, info

    def reset(self, **kwargs):
        if self.game_ended:
            observation, info = self.env.reset(**kwargs)
        else:
            observation, _, _, _, info = self.env.step(0)
        self.lives = lives_of(self.env)
        return observation, info


class FireReset(gym.Wrapper):
    """Actions 1 and 2 after every reset."""

    def reset(self, **kwargs):
        self.env.reset(**kwargs)
        for action in (1, 2):
            observation, _, terminated, truncated, info = self.env.step(action)
            if terminated or truncated:
                self.env.reset(**kwargs)
        return observation, info


def with_fire(env):
    """FireReset for games with FIRE."""
    return FireReset(env) if "FIRE" in env.unwrapped.get_action_meanings() else env


class RandomStart(gym.Wrapper):
    """Up to 30 random actions after a reset that follows the end of the game."""

    def __init__(self, env):
        super().__init__(env)
        self.game_ended = True

    def step(self, action):
        result = self.env.step(action)
        self.game_ended = result[4].get("real_done", True)
        return result

    def reset(self, **kwargs):
        observation, info = self.env.reset()
        if self.game_ended:
            for _ in range(np.random.randint(31)):
                observation, _, _, _, info = self.env.step(self.env.action_space.sample())
            self.game_ended = False
        return observation, info


class MaxBetweenFrames(gym.Wrapper):
    """The maximum of a frame and the one before."""

    def reset(self, **kwargs):
        self.previous, info = self.env.reset()
        return self.previous, info

    def step(self, action):
        frame, *rest = self.env.step(action)
        pooled = np.maximum(frame, self.previous)
        self.previous = frame
        return pooled, *rest


class SkipFrames(gym.Wrapper):
    """Four frames per action. Shows the last."""

    def step(self, action):
        total = 0.0
        for _ in range(4):
            observation, reward, terminated, truncated, info = self.env.step(action)
            total += reward
            if terminated or truncated:
                break
        return observation, total, terminated, truncated, info


class MaxAndSkip(gym.Wrapper):
    """Four frames per action. Shows the maximum of two buffers, which hold the last two frames."""

    def __init__(self, env):
        super().__init__(env)
        self.buffers = np.zeros((2, *env.observation_space.shape), np.uint8)

    def step(self, action):
        total = 0.0
        for number in range(4):
            frame, reward, terminated, truncated, info = self.env.step(action)
            if number >= 2:
                self.buffers[number - 2] = frame
            total += reward
            if terminated or truncated:
                break
        return self.buffers.max(axis=0), total, terminated, truncated, info


class NoopReset(gym.Wrapper):
    """1 to 30 NOOP steps after every reset."""

    def reset(self, **kwargs):
        observation, info = self.env.reset(**kwargs)
        for _ in range(self.unwrapped.np_random.integers(1, 31)):
            observation, _, terminated, truncated, info = self.env.step(0)
            if terminated or truncated:
                observation, info = self.env.reset(**kwargs)
        return observation, info


class Stacked:
    """Resizes and stacks the frames of an environment, and takes the sign of its rewards."""

    resets_itself = False

    def __init__(self, env, shrink, seed=None):
        self.env = env
        self.seed = seed
        self.shrink = shrink
        self.actions = env.action_space.n
        self.frames = deque(maxlen=4)

    def reset(self):
        kwargs = {} if self.seed is None else {"seed": self.seed}
        self.seed = None
        frame, _ = self.env.reset(**kwargs)
        self.frames.extend([self.shrink(frame)] * 4)
        return Event(np.dstack(self.frames), lives=lives_of(self.env))

    def step(self, action):
        frame, reward, terminated, truncated, info = self.env.step(action)
        self.frames.append(self.shrink(frame))
        reward, lives, score = float(np.sign(reward)), lives_of(self.env), self.env.get_wrapper_attr("points")
        return Event(np.dstack(self.frames), reward, terminated, truncated, lives, info["real_done"], score)


def nature_dqn(rom, seed):
    """The notebook's `nature_dqn_env`. Its resize is bilinear, because it passes the interpolation as the destination."""

    def shrink(frame):
        return cv2.resize(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY), (84, 84), cv2.INTER_AREA)

    env = no_frameskip(rom)
    # `env.seed(seed)` in the notebook's version of Gym seeded ALE and loaded the game again.
    env.unwrapped.seed_game(seed)
    env.unwrapped.load_game()
    np.random.seed(seed)
    env.action_space.seed(seed)
    return Stacked(SkipFrames(MaxBetweenFrames(RandomStart(with_fire(EpisodicLife(env))))), shrink)


def baselines(rom, seed):
    """OpenAI baselines' `wrap_deepmind(make_atari(..), frame_stack=True)`."""

    def shrink(frame):
        return cv2.resize(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY), (84, 84), interpolation=cv2.INTER_AREA)

    return Stacked(with_fire(EpisodicLife(MaxAndSkip(NoopReset(no_frameskip(rom))))), shrink, seed)


class Wrapped:
    """An environment of Gymnasium, seeded by its first reset."""

    resets_itself = False

    def __init__(self, env, seed):
        self.env = env
        self.seed = seed
        self.actions = env.action_space.n

    def reset(self):
        observation, _ = self.env.reset(seed=self.seed)
        self.seed = None
        return Event(observation, lives=lives_of(self.env))

    def step(self, action):
        observation, reward, terminated, truncated, _ = self.env.step(action)
        lives, score = lives_of(self.env), self.env.get_wrapper_attr("points")
        return Event(observation, float(reward), bool(terminated), bool(truncated), lives, score=score)


class Batch:
    """A native vector environment with one lane."""

    resets_itself = True

    def __init__(self, env, actions, seed=None, resets_in_next_step=True):
        self.env = env
        self.kwargs = {} if seed is None else {"seed": seed}
        self.actions = actions
        self.resets_in_next_step = resets_in_next_step

    def reset(self):
        observations, info = self.env.reset(**self.kwargs)
        return Event(observations[0], lives=int(info["lives"][0]))

    def step(self, action):
        observations, rewards, terminated, truncated, info = self.env.step(np.array([action]))
        lives = int(info["lives"][0])
        # EnvPool has this for the game where a life is an episode.
        real_done = bool(truncated[0] or info.get("terminated", terminated)[0])
        return Event(observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), lives, real_done)


def gymnasium(rom, seed):
    """Gymnasium's AtariPreprocessing and FrameStackObservation."""
    env = Score(gym.make(f"ALE/{env_name(rom)}-v5", frameskip=1, disable_env_checker=True))
    return Wrapped(FrameStackObservation(AtariPreprocessing(env), 4), seed)


def ale_vector(resets_in_next_step=True, **options):
    """ale-py's AtariVectorEnv with these options."""

    def make(rom, seed):
        env = AtariVectorEnv(rom, num_envs=1, **options)
        return Batch(env, env.single_action_space.n, seed, resets_in_next_step)

    return make


def pool(**options):
    """EnvPool's Atari with these options."""

    def make(rom, seed):
        import envpool

        env = envpool.make(f"{env_name(rom)}-v5", env_type="gymnasium", num_envs=1, seed=seed, **options)
        return Batch(env, env.action_space.n)

    return make


REFERENCES = {
    "labml": Labml,
    "nature-dqn": nature_dqn,
    "gymnasium": gymnasium,
    "ale-vector": ale_vector(),
    "envpool": pool(),
    "baselines": baselines,
}
