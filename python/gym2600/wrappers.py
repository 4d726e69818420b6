"""The wrappers as types, with what each of their options and values means. `VectorEnv` takes a list of them, from the console outwards.

A wrapper is a dictionary with its name as "type", such as `{"type": "SkipFrames", "n": 3}`, or `SkipFrames(type="SkipFrames", n=3)`. The name
alone is enough where every option keeps its default. docs/wrappers.md of the repository has the same, and the lists of the presets.

Generated from the docs of the Rust types in crates/gym/src: change those, then run UPDATE_TYPES=1 cargo test -p gym2600-gym reference.
"""

import sys
from typing import Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import Required
else:
    from typing_extensions import Required

__all__ = [
    "Preset",
    "Wrapper",
    "WrapperName",
    "StickyActions",
    "FrameBlending",
    "EpisodicLife",
    "FireReset",
    "NoopReset",
    "StartWithRandomActions",
    "MaxBetweenFrames",
    "SkipFrames",
    "ImagePreprocessing",
    "QueueFrames",
    "ClipReward",
    "ScaledFloat",
    "TimeLimit",
    "EpisodeStatistics",
    "AutoReset",
]

#: The names of the presets, and the code whose bytes each has.
#:
#: * `gym2600`: our recommendation: sticky actions, the maximum of the last two of four frames, grey, 84 x 84, four of them
#: * `labml`: the Game of labml's annotated implementations: one life per episode, resets by itself
#: * `nature-dqn`: the nature_dqn_env of the reinforcement learning notebooks, bilinear resize included
#: * `gymnasium`: Gymnasium's AtariPreprocessing and FrameStackObservation around ALE's v5 environments
#: * `ale-vector`: ale-py's AtariVectorEnv
#: * `envpool`: EnvPool's Atari environments
#: * `baselines`: OpenAI baselines' make_atari and wrap_deepmind with stacked frames
Preset = Literal[
    "gym2600",
    "labml",
    "nature-dqn",
    "gymnasium",
    "ale-vector",
    "envpool",
    "baselines",
]


class StickyActions(TypedDict, total=False):
    """ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.

    In Python: ALE's `repeat_action_probability`, also an option of ale-py's, Gymnasium's and EnvPool's environments;
    Stable-Baselines3's `StickyActionEnv` and Gymnasium's `StickyAction`, which repeat whole steps.

    Options:
        probability: Probability from 0 to 1; 0.25 by default. Default: `0.25`.
    """

    type: Required[Literal["StickyActions"]]
    probability: float


class FrameBlending(TypedDict, total=False):
    """ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`.

    In Python: ALE's setting `color_averaging`.
    """

    type: Required[Literal["FrameBlending"]]


class EpisodicLife(TypedDict, total=False):
    """Ends an episode when a life is lost.

    In Python: `EpisodicLifeEnv` of baselines and Stable-Baselines3, `terminal_on_life_loss` of Gymnasium's
    `AtariPreprocessing`, `episodic_life` of ale-py's `AtariVectorEnv` and of EnvPool, `EpisodicLife` of the notebooks,
    and a part of labml's `Game`.

    Options:
        compare: The number of lives to compare with: that after the previous step, or at the episode's start. Default:
          `"previousStep"`.
            * "previousStep": The lives after the step before.
            * "episodeStart": The lives at the episode's start: losing a life that was won during the episode does not
              end it.
        ends: Which losses end an episode: those that leave lives, or all. Default: `"livesLeft"`.
            * "livesLeft": A loss that leaves lives. The last life ends the episode only if the game ends with it.
            * "any": Every loss, the last life included.
        restart: What the reset after a lost life does. Default: `"noopStep"`.
            * "noopStep": The game continues after one step of NOOP.
            * "continue": The game continues. The inner wrappers reset around it, with their steps of NOOP and their
              presses of FIRE. An inner time limit keeps its count. As in EnvPool, a reset by the caller starts the game
              where ends are followed by resets of their own.
            * "fullReset": The whole game starts again.
    """

    type: Required[Literal["EpisodicLife"]]
    compare: Literal["previousStep", "episodeStart"]
    ends: Literal["livesLeft", "any"]
    restart: Literal["noopStep", "continue", "fullReset"]


class FireReset(TypedDict, total=False):
    """Presses FIRE after a reset, for games that wait for it.

    In Python: `FireResetEnv` of baselines and Stable-Baselines3, `use_fire_reset` of ale-py's `AtariVectorEnv` and of
    EnvPool, `FireReset` of the notebooks.

    Options:
        plays: The actions that are played. Default: `"fire"`.
            * "fire": One step of FIRE.
            * "fireAndSecond": One step of action 1, which must be FIRE, and one of action 2, starting again if either
              ends the episode. The observation is the second step's, even if the game was reset after it.
        withoutFire: Whether a game without FIRE is refused. Default: `"refuse"`.
            * "refuse": The list is refused.
            * "passOn": The wrapper does nothing.
    """

    type: Required[Literal["FireReset"]]
    plays: Literal["fire", "fireAndSecond"]
    withoutFire: Literal["refuse", "passOn"]


class NoopReset(TypedDict, total=False):
    """Plays NOOP for a random number of steps after a reset.

    In Python: `NoopResetEnv` of baselines and Stable-Baselines3, `noop_max` of Gymnasium's `AtariPreprocessing`, of
    ale-py's `AtariVectorEnv` and of EnvPool.

    Options:
        max: Largest number of steps; 30 by default. Default: `30`.
        draw: How their number is drawn. Default: `"numpy"`.
            * "numpy": 1 to `max`, from the environment's NumPy generator.
            * "aleVector": 0 to `max - 1` from a Mersenne twister, one less (but not below 0) where a FIRE was pressed.
            * "envpool": 1 to `max` from a Mersenne twister, one less where a FIRE follows.
    """

    type: Required[Literal["NoopReset"]]
    max: int
    draw: Literal["numpy", "aleVector", "envpool"]


class StartWithRandomActions(TypedDict, total=False):
    """Plays a random number of random actions at the start of a real episode.

    In Python: `StartWithRandomActions` of the notebooks.

    Options:
        max: Largest number of actions, drawn from 0 to `max`; 30 by default. They continue if the game ends during
          them. Default: `30`.
    """

    type: Required[Literal["StartWithRandomActions"]]
    max: int


class MaxBetweenFrames(TypedDict, total=False):
    """Shows the pixel-wise maximum of this frame and the previous one.

    In Python: `MaxBetweenFrames` of the notebooks.
    """

    type: Required[Literal["MaxBetweenFrames"]]


class SkipFrames(TypedDict, total=False):
    """Repeats an action for several frames.

    In Python: `MaxAndSkipEnv` of baselines and Stable-Baselines3, `MaxAndSkipObservation` and `frame_skip` of
    `AtariPreprocessing` in Gymnasium, `frameskip` of ale-py's environments, `frame_skip` of EnvPool, `SkipFrames` of
    the notebooks, and a part of labml's `Game`.

    Options:
        n: Frames (steps of the inner wrapper) per step; 4 by default. Default: `4`.
        below: If given, each step has a random number of frames: `n` to `below - 1`, from the environment's generator,
          as in Gymnasium's `frameskip=(n, below)`. The observation is then the last frame. Default: `None`.
        shows: Which of the frames make the observation: the maximum of the last two, if they are pictures of bytes and
          `below` is not given, otherwise the last. Default: `None`.
            * "last": The last frame that was played.
            * "lastWithoutEndingFrame": As ALE's vector environment does it without max-pooling: the last of `n` frames.
              A step that ends an episode shows the picture of the step before.
            * "maxOfLastTwo": The maximum of the last two frames that were played, or the only frame if the first one
              ended the step.
            * "maxOfAll": The maximum of all frames that were played. Objects that a game draws in one frame of four, in
              turn with others, are in it too. Every frame has to be drawn, so a step takes longer than with the last
              two.
            * "maxOfTwoBuffers": The maximum of two buffers, which the last two of `n` frames fill. A step cut short
              leaves older frames in them, and so does a reset.
            * "maxWithoutEndingFrame": As Gymnasium and ALE's vector environment do it: the pooled picture replaces the
              newer buffer, and the frame that ends an episode never reaches either, so that an early end shows the
              picture of the step before.
            * "maxOrFirstBuffer": As EnvPool does it: the maximum if the step was not cut short, else the first buffer,
              which may hold an older frame.
        stopsAt: The ends that cut a step short. Default: `"episodeEnd"`.
            * "episodeEnd": Any end that the wrappers below report.
            * "lostLife": Only an end for a lost life; a game that is over idles through the rest of the step.
    """

    type: Required[Literal["SkipFrames"]]
    n: int
    below: int | None
    shows: Literal["last", "lastWithoutEndingFrame", "maxOfLastTwo", "maxOfAll", "maxOfTwoBuffers", "maxWithoutEndingFrame", "maxOrFirstBuffer"] | None
    stopsAt: Literal["episodeEnd", "lostLife"]


class ImagePreprocessing(TypedDict, total=False):
    """Converts to grey, crops and resizes.

    In Python: `WarpFrame` of baselines and Stable-Baselines3, `AtariPreprocessing`, `GrayscaleObservation` and
    `ResizeObservation` of Gymnasium, `img_width`, `img_height` and `grayscale` of ale-py's `AtariVectorEnv`,
    `img_width`, `img_height` and `gray_scale` of EnvPool, `ImagePreprocessing` of the notebooks, and a part of labml's
    `Game`.

    Options:
        width: Width of the result, 84 by default; `None` keeps it. Default: `84`.
        height: Height of the result, 84 by default; `None` keeps it. Default: `84`.
        grey: How colours become grey; `None` leaves them as they are. Default: `"opencv"`.
            * "opencv": OpenCV's `cvtColor(.., COLOR_RGB2GRAY)`: weights of 9798, 19235 and 3735 in 32768.
            * "ale": ALE's grey of each palette entry: weights of 0.2989, 0.5870 and 0.1140.
        interpolation: How the picture is resized. Default: `"area"`.
            * "area": `INTER_AREA`: the mean of the area that an output cell covers. If a side grows, both are
              interpolated, as OpenCV does.
            * "linear": `INTER_LINEAR`: OpenCV's default, in 11-bit fixed point.
        rows: Only the first so many rows are used; `None` uses all. Default: `None`.
    """

    type: Required[Literal["ImagePreprocessing"]]
    width: int | None
    height: int | None
    grey: Literal["opencv", "ale"] | None
    interpolation: Literal["area", "linear"]
    rows: int | None


class QueueFrames(TypedDict, total=False):
    """Stacks the last observations.

    In Python: `FrameStack` of baselines, `VecFrameStack` of Stable-Baselines3, `FrameStackObservation` of Gymnasium,
    `stack_num` of ale-py's `AtariVectorEnv` and of EnvPool, `QueueFrames` of the notebooks, and a part of labml's
    `Game`.

    Options:
        n: Observations in the stack; 4 by default. Default: `4`.
        axis: Whether the stack's axis comes first or last. Default: `"first"`.
            * "first": Slowest: (n, 84, 84).
            * "last": Fastest: (84, 84, n).
        concat: Whether frames are joined along that existing axis instead of along a new one. Last, frames with
          channels are always joined along their channels, as `np.dstack` joins them. Default: `False`.
        padding: The content of the older places after a reset. Default: `"reset"`.
            * "reset": The reset's observation.
            * "zero": Zeros.
            * "gameReset": The reset's observation where the game itself starts again; an episode that goes on after a
              lost life keeps the older observations.
    """

    type: Required[Literal["QueueFrames"]]
    n: int
    axis: Literal["first", "last"]
    concat: bool
    padding: Literal["reset", "zero", "gameReset"]


class ClipReward(TypedDict, total=False):
    """Clips rewards to the range from -1 to 1.

    In Python: `ClipRewardEnv` of baselines and Stable-Baselines3, `ClipReward` of Gymnasium, `reward_clipping` of
    ale-py's `AtariVectorEnv`, `reward_clip` of EnvPool, `ClipReward` of the notebooks.

    Options:
        to: How a reward is clipped; both ways agree on whole rewards. Default: `"sign"`.
            * "sign": The reward's sign.
            * "range": The nearest number from -1 to 1.
    """

    type: Required[Literal["ClipReward"]]
    to: Literal["sign", "range"]


class ScaledFloat(TypedDict, total=False):
    """Observations as floats from 0 to 1.

    In Python: `ScaledFloatFrame` of baselines, `scale_obs` of Gymnasium's `AtariPreprocessing`.
    """

    type: Required[Literal["ScaledFloat"]]


class TimeLimit(TypedDict, total=False):
    """Truncates an episode after a number of steps.

    In Python: `TimeLimit` of Gymnasium, `max_num_frames_per_episode` of ale-py's `AtariVectorEnv`, `max_episode_steps`
    of EnvPool.

    Options:
        steps: Steps after which an episode is truncated; 27000 by default. Default: `27000`.
        atLimit: Whether the last step may also be terminated. Default: `"truncated"`.
            * "truncated": Truncated, and terminated if the episode ends at that very step anyway.
            * "truncatedOnly": Truncated and nothing else, as in EnvPool.
            * "unlessTerminated": Truncated, unless the episode is terminated at that very step, as in ALE's vector
              environment.
    """

    type: Required[Literal["TimeLimit"]]
    steps: int
    atLimit: Literal["truncated", "truncatedOnly", "unlessTerminated"]


class EpisodeStatistics(TypedDict, total=False):
    """Counts reward and length of each episode at this place, as the wrappers before it make them. A list without it
    counts those of the whole game: the raw score, the agent's steps and all frames.

    In Python: `RecordEpisodeStatistics` of Gymnasium, `Monitor` of Stable-Baselines3.
    """

    type: Required[Literal["EpisodeStatistics"]]


class AutoReset(TypedDict, total=False):
    """Starts the next episode without a call of reset. Last in a list.

    In Python: `Autoreset` and the `AutoresetMode` of batches in Gymnasium, and the resets that the batches of
    Stable-Baselines3, ale-py and EnvPool do themselves.

    Options:
        mode: When the next episode starts: in the step after an end, by default, or in the step that ends an episode.
          Default: `"next-step"`.
            * "next-step": In the step after an end: its action is ignored and its reward is 0.
            * "same-step": In the step that ends an episode: its observation is the next episode's first.
    """

    type: Required[Literal["AutoReset"]]
    mode: Literal["next-step", "same-step"]


#: The names of the wrappers.
WrapperName = Literal[
    "StickyActions",
    "FrameBlending",
    "EpisodicLife",
    "FireReset",
    "NoopReset",
    "StartWithRandomActions",
    "MaxBetweenFrames",
    "SkipFrames",
    "ImagePreprocessing",
    "QueueFrames",
    "ClipReward",
    "ScaledFloat",
    "TimeLimit",
    "EpisodeStatistics",
    "AutoReset",
]

#: One wrapper of a list.
Wrapper = (
    WrapperName
    | StickyActions
    | FrameBlending
    | EpisodicLife
    | FireReset
    | NoopReset
    | StartWithRandomActions
    | MaxBetweenFrames
    | SkipFrames
    | ImagePreprocessing
    | QueueFrames
    | ClipReward
    | ScaledFloat
    | TimeLimit
    | EpisodeStatistics
    | AutoReset
)
