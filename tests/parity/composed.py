"""Lists of wrappers that no preset has, each with the same composition in Python.

`COMPOSED` maps a name to the options for `gym2600 rollout --options` and to a function that makes the reference for a game and a seed.
"""

import ale_py
import cv2
import gymnasium as gym
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import (
    AtariPreprocessing,
    ClipReward,
    FrameStackObservation,
    MaxAndSkipObservation,
    ResizeObservation,
    TimeLimit,
    TransformObservation,
)
from references import NoopReset, Score, Wrapped, ale_vector, env_name, pool

GREY = {"type": "ImagePreprocessing", "width": None, "height": None, "grey": "ale"}
SMALL = {"type": "ImagePreprocessing", "grey": None}
POOLED = {"type": "SkipFrames", "shows": "maxWithoutEndingFrame"}
NOOPS = {"type": "NoopReset", "draw": "numpy"}


def v5(rom, **kwargs):
    """ALE's environment without its frame skip. Sticky actions are off by default."""
    kwargs = {"frameskip": 1, "repeat_action_probability": 0.0, **kwargs}
    return Score(gym.make(f"ALE/{env_name(rom)}-v5", disable_env_checker=True, **kwargs))


def limited(rom, seed):
    """Full frames in colour."""
    return Wrapped(ClipReward(TimeLimit(v5(rom), 150), -1, 1), seed)


def grey_stack(rom, seed):
    """ALE's grey frames with sticky actions."""
    env = MaxAndSkipObservation(v5(rom, obs_type="grayscale", repeat_action_probability=0.4), 3)
    return Wrapped(FrameStackObservation(ResizeObservation(env, (84, 84)), 2), seed)


def ram_stack(rom, seed):
    """The console's RAM."""
    return Wrapped(FrameStackObservation(NoopReset(v5(rom, obs_type="ram")), 3, padding_type="zero"), seed)


def small_colour(rom, seed):
    """A bilinear resize in colour."""
    env = v5(rom, full_action_space=True)
    return Wrapped(TransformObservation(env, lambda frame: cv2.resize(frame, (64, 64)), None), seed)


def blended(rom, seed):
    """ALE's colour averaging. Gymnasium has no option for it."""
    env = v5(rom)
    env.unwrapped.ale.setBool("color_averaging", True)
    return Wrapped(env, seed)


def preprocessing(**options):
    """Gymnasium's AtariPreprocessing with these options and sticky actions."""
    return lambda rom, seed: Wrapped(AtariPreprocessing(v5(rom, repeat_action_probability=0.25), **options), seed)


def atari_preprocessing(*wrappers, **options):
    """The options of a list of wrappers with sticky actions."""
    return {"repeatActionProbability": 0.25, "wrappers": list(wrappers), **options}


def native(*wrappers, frames=108_000):
    """The options of a list of wrappers, seeded as the native vector environments are."""
    return {"seeding": "native", "maxFramesPerEpisode": frames, "wrappers": list(wrappers)}


FIRE = {"type": "FireReset", "plays": "fire", "withoutFire": "passOn"}
ALE_VECTOR_NOOPS = {"type": "NoopReset", "draw": "aleVector"}
ENVPOOL_NOOPS = {"type": "NoopReset", "draw": "envpool"}
FIRST_ROWS = {**GREY, "rows": 210}
ENVPOOL_POOLED = {"type": "SkipFrames", "shows": "maxOrFirstBuffer"}
UNPOOLED = {"type": "SkipFrames", "shows": "lastWithoutEndingFrame"}
ZERO_QUEUE = {"type": "QueueFrames", "padding": "zero"}
LIFE = {"type": "EpisodicLife", "restart": "fullReset"}
RANGE = {"type": "ClipReward", "to": "range"}


def without_maxpool(frames):
    """AtariVectorEnv's list without max-pooling, with a limit of frames."""
    limit = {"type": "TimeLimit", "steps": frames, "atLimit": "unlessTerminated"}
    return native(
        FIRE, ALE_VECTOR_NOOPS, GREY, limit, UNPOOLED, SMALL, ZERO_QUEUE, RANGE, "AutoReset", frames=0
    )


COMPOSED = {
    "TimeLimit, ClipReward": ({"wrappers": [{"type": "TimeLimit", "steps": 150}, RANGE]}, limited),
    "grey MaxAndSkip, Resize, FrameStack": (
        {
            "observation": "grey",
            "wrappers": [
                {"type": "StickyActions", "probability": 0.4},
                {"type": "SkipFrames", "n": 3, "shows": "maxOfTwoBuffers"},
                SMALL,
                {"type": "QueueFrames", "n": 2},
            ],
        },
        grey_stack,
    ),
    "RAM NoopReset, FrameStack": (
        {"observation": "ram", "wrappers": [NOOPS, {"type": "QueueFrames", "n": 3, "padding": "zero"}]},
        ram_stack,
    ),
    "64 x 64 colour": (
        {
            "fullActionSpace": True,
            "wrappers": [{**SMALL, "width": 64, "height": 64, "interpolation": "linear"}],
        },
        small_colour,
    ),
    "FrameBlending": ({"wrappers": ["FrameBlending"]}, blended),
    "AtariPreprocessing terminal_on_life_loss": (
        atari_preprocessing(NOOPS, {**LIFE, "ends": "any"}, GREY, POOLED, SMALL),
        preprocessing(terminal_on_life_loss=True),
    ),
    "AtariPreprocessing scale_obs": (
        atari_preprocessing(NOOPS, GREY, POOLED, SMALL, "ScaledFloat"),
        preprocessing(scale_obs=True),
    ),
    "AtariPreprocessing in colour": (
        atari_preprocessing(NOOPS, POOLED, {**SMALL, "width": 96, "height": 96}),
        preprocessing(grayscale_obs=False, screen_size=96),
    ),
    "AtariPreprocessing frame_skip=1": (
        atari_preprocessing({**NOOPS, "max": 7}, GREY, {**POOLED, "n": 1}, SMALL),
        preprocessing(frame_skip=1, noop_max=7),
    ),
    "AtariPreprocessing frame_skip=2": (
        atari_preprocessing({**NOOPS, "max": 0}, GREY, {**POOLED, "n": 2}, {**SMALL, "width": 42, "height": 42}),
        preprocessing(frame_skip=2, noop_max=0, screen_size=42),
    ),
    "AtariEnv frameskip=(2, 5)": (
        atari_preprocessing({"type": "SkipFrames", "n": 2, "below": 5, "stopsAt": "lostLife"}),
        lambda rom, seed: Wrapped(v5(rom, frameskip=(2, 5), repeat_action_probability=0.25), seed),
    ),
    "NoopReset, AtariEnv frameskip=(1, 8)": (
        atari_preprocessing({"type": "SkipFrames", "n": 1, "below": 8, "stopsAt": "lostLife"}, NOOPS),
        lambda rom, seed: Wrapped(NoopReset(v5(rom, frameskip=(1, 8), repeat_action_probability=0.25)), seed),
    ),
    "AtariVectorEnv episodic_life": (
        native(FIRE, ALE_VECTOR_NOOPS, LIFE, GREY, POOLED, SMALL, ZERO_QUEUE, RANGE, "AutoReset"),
        ale_vector(episodic_life=True),
    ),
    "AtariVectorEnv SAME_STEP": (
        {"preset": "ale-vector", "autoreset": "same-step"},
        ale_vector(False, autoreset_mode=AutoresetMode.SAME_STEP),
    ),
    "AtariVectorEnv of few options": (
        native({"type": "StickyActions", "probability": 0.1}, GREY, {**POOLED, "n": 5}, SMALL, ZERO_QUEUE, "AutoReset"),
        ale_vector(
            use_fire_reset=False, noop_max=0, frameskip=5, repeat_action_probability=0.1, reward_clipping=False
        ),
    ),
    "AtariVectorEnv without maxpool": (
        without_maxpool(108_000),
        ale_vector(maxpool=False),
    ),
    "AtariVectorEnv with a limit of 102 frames": (
        {"preset": "ale-vector", "maxFramesPerEpisode": 102},
        ale_vector(max_num_frames_per_episode=102),
    ),
    "AtariVectorEnv with a limit of 400 frames": (
        {"preset": "ale-vector", "maxFramesPerEpisode": 400},
        ale_vector(max_num_frames_per_episode=400),
    ),
    "AtariVectorEnv without maxpool, with a limit of 61 frames": (
        without_maxpool(61),
        ale_vector(maxpool=False, max_num_frames_per_episode=61),
    ),
    "EnvPool episodic_life": (
        native(
            ENVPOOL_NOOPS,
            FIRE,
            FIRST_ROWS,
            ENVPOOL_POOLED,
            SMALL,
            {"type": "TimeLimit", "atLimit": "truncatedOnly"},
            {"type": "EpisodicLife", "restart": "continue"},
            {"type": "QueueFrames", "padding": "gameReset"},
            "AutoReset",
            frames=0,
        ),
        pool(episodic_life=True),
    ),
    "EnvPool episodic_life, reward_clip, max_episode_steps": (
        native(
            {**ENVPOOL_NOOPS, "max": 9},
            FIRE,
            FIRST_ROWS,
            ENVPOOL_POOLED,
            SMALL,
            {"type": "TimeLimit", "steps": 170, "atLimit": "truncatedOnly"},
            {"type": "EpisodicLife", "restart": "continue"},
            {"type": "QueueFrames", "n": 3, "padding": "gameReset"},
            "ClipReward",
            "AutoReset",
            frames=0,
        ),
        pool(episodic_life=True, reward_clip=True, max_episode_steps=170, noop_max=9, stack_num=3),
    ),
}

gym.register_envs(ale_py)
