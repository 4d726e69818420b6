/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { ActionName } from "../actions.js";
import type { RawDefinition, RawMapper, RawTv } from "./definition.js";

/**
 * The names of presets, and the code whose bytes each has.
 *
 * - `"gym2600"`: our recommendation: sticky actions, the maximum of the last two of four frames, grey, 84 x 84, four of them
 * - `"labml"`: the Game of labml's annotated implementations: one life per episode, resets by itself
 * - `"nature-dqn"`: the nature_dqn_env of the reinforcement learning notebooks, bilinear resize included
 * - `"gymnasium"`: Gymnasium's AtariPreprocessing and FrameStackObservation around ALE's v5 environments
 * - `"ale-vector"`: ale-py's AtariVectorEnv
 * - `"envpool"`: EnvPool's Atari environments
 * - `"baselines"`: OpenAI baselines' make_atari and wrap_deepmind with stacked frames
 */
export type PresetName = "gym2600" | "labml" | "nature-dqn" | "gymnasium" | "ale-vector" | "envpool" | "baselines";

/** One wrapper of a list: an object, or a name where every option keeps its default. */
export type Wrapper = WrapperOptions | WrapperOptions["type"];

/**
 * Options of an environment. An option left out has the preset's value, or the default if there is no preset.
 */
export type EnvironmentOptions = {
/**
 * The name of a preset: a stack of wrappers between the console and the agent. It decides the observation's shape, the frame skip, what
 * ends an episode and what a step after the end does. `gym2600` unless this or `wrappers` is given.
 */
preset?: PresetName, 
/**
 * A list of wrappers, from the console outwards, instead of a preset.
 */
wrappers?: readonly Wrapper[], 
/**
 * Seed of the first reset, a whole number up to 2^53 - 1; 0 by default. All randomness comes from it.
 */
seed?: number, 
/**
 * The game's mode, one of those in the game's description.
 */
mode?: number, 
/**
 * The game's difficulty, one of those in the game's description.
 */
difficulty?: number, 
/**
 * Probability, 0 to 1, that a frame repeats the previous action.
 */
repeatActionProbability?: number, 
/**
 * Whether the action space has all legal actions instead of the game's minimal set.
 */
fullActionSpace?: boolean, 
/**
 * Frames after which an episode is truncated; 0 for never. ALE counts the frames of a reset's no-ops too; the preset `ale-vector`
 * does not.
 */
maxFramesPerEpisode?: number, 
/**
 * Whether the loss of a life truncates an episode; false by default. See also the wrapper `EpisodicLife`.
 */
truncateOnLossOfLife?: boolean, 
/**
 * Whether the console makes sound, for `Game.audio`; false by default.
 */
soundObs?: boolean, 
/**
 * What the first wrapper observes: the picture in colour or in grey, the console's RAM, or the variables of the game's rules. Beside a
 * preset it leaves out the preset's wrappers that process pictures, so that the agent gets this observation; stacks and skipped frames stay.
 */
observation?: ObservationKind, 
/**
 * How a seed reaches the generators.
 */
seeding?: Seeding, 
/**
 * When the next episode starts. Replaces the list's `AutoReset`.
 */
autoreset?: AutoresetMode, 
/**
 * The definition of a game that is not in the catalogue.
 */
game?: RawDefinition, 
/**
 * How the cartridge is banked, in place of what the definition says or the detection finds. A mapper that does not take a ROM of this
 * size is refused.
 */
mapper?: RawMapper,
};

/**
 * Options of ALE's interface. An option left out has ALE's default.
 */
export type ArcadeOptions = {
/**
 * Seed of the generator behind sticky actions; 0 by default, where ALE takes the time of day.
 */
seed?: number, 
/**
 * Seed of the generator behind the console's power-on noise.
 */
systemRandomSeed?: number, 
/**
 * Probability, 0 to 1, that a frame repeats the previous action; 0.25 by default.
 */
repeatActionProbability?: number, 
/**
 * Frames of one act, from 1 to 1000; 1 by default.
 */
frameSkip?: number, 
/**
 * The least reward that an act gives; smaller ones become this.
 */
rewardMin?: number, 
/**
 * The greatest reward that an act gives; larger ones become this.
 */
rewardMax?: number, 
/**
 * Frames after which an episode is truncated; 0, the default, for never.
 */
maxNumFramesPerEpisode?: number, 
/**
 * Whether the loss of a life truncates an episode; false by default.
 */
truncateOnLossOfLife?: boolean, 
/**
 * Whether a picture is blended with the previous one; false by default.
 */
colorAveraging?: boolean, 
/**
 * Whether the console makes sound; false by default.
 */
soundObs?: boolean, 
/**
 * The game's mode.
 */
mode?: number, 
/**
 * The game's difficulty.
 */
difficulty?: number, 
/**
 * The definition of a game that is not in the catalogue.
 */
game?: RawDefinition, 
/**
 * How the cartridge is banked, in place of what the definition says or the detection finds. A mapper that does not take a ROM of this
 * size is refused.
 */
mapper?: RawMapper,
};

/**
 * One wrapper of a list, with its options.
 *
 * - `StickyActions`: ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list. In Python: ALE's `repeat_action_probability`, also an option of ale-py's, Gymnasium's and EnvPool's environments; Stable-Baselines3's `StickyActionEnv` and Gymnasium's `StickyAction`, which repeat whole steps.
 * - `FrameBlending`: ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`. In Python: ALE's setting `color_averaging`.
 * - `EpisodicLife`: Ends an episode when a life is lost. In Python: `EpisodicLifeEnv` of baselines and Stable-Baselines3, `terminal_on_life_loss` of Gymnasium's `AtariPreprocessing`, `episodic_life` of ale-py's `AtariVectorEnv` and of EnvPool, `EpisodicLife` of the notebooks, and a part of labml's `Game`.
 * - `FireReset`: Presses FIRE after a reset, for games that wait for it. In Python: `FireResetEnv` of baselines and Stable-Baselines3, `use_fire_reset` of ale-py's `AtariVectorEnv` and of EnvPool, `FireReset` of the notebooks.
 * - `NoopReset`: Plays NOOP for a random number of steps after a reset. In Python: `NoopResetEnv` of baselines and Stable-Baselines3, `noop_max` of Gymnasium's `AtariPreprocessing`, of ale-py's `AtariVectorEnv` and of EnvPool.
 * - `StartWithRandomActions`: Plays a random number of random actions at the start of a real episode. In Python: `StartWithRandomActions` of the notebooks.
 * - `MaxBetweenFrames`: Shows the pixel-wise maximum of this frame and the previous one. In Python: `MaxBetweenFrames` of the notebooks.
 * - `SkipFrames`: Repeats an action for several frames. In Python: `MaxAndSkipEnv` of baselines and Stable-Baselines3, `MaxAndSkipObservation` and `frame_skip` of `AtariPreprocessing` in Gymnasium, `frameskip` of ale-py's environments, `frame_skip` of EnvPool, `SkipFrames` of the notebooks, and a part of labml's `Game`.
 * - `ImagePreprocessing`: Converts to grey, crops and resizes. In Python: `WarpFrame` of baselines and Stable-Baselines3, `AtariPreprocessing`, `GrayscaleObservation` and `ResizeObservation` of Gymnasium, `img_width`, `img_height` and `grayscale` of ale-py's `AtariVectorEnv`, `img_width`, `img_height` and `gray_scale` of EnvPool, `ImagePreprocessing` of the notebooks, and a part of labml's `Game`.
 * - `QueueFrames`: Stacks the last observations. In Python: `FrameStack` of baselines, `VecFrameStack` of Stable-Baselines3, `FrameStackObservation` of Gymnasium, `stack_num` of ale-py's `AtariVectorEnv` and of EnvPool, `QueueFrames` of the notebooks, and a part of labml's `Game`.
 * - `ClipReward`: Clips rewards to the range from -1 to 1. In Python: `ClipRewardEnv` of baselines and Stable-Baselines3, `ClipReward` of Gymnasium, `reward_clipping` of ale-py's `AtariVectorEnv`, `reward_clip` of EnvPool, `ClipReward` of the notebooks.
 * - `ScaledFloat`: Observations as floats from 0 to 1. In Python: `ScaledFloatFrame` of baselines, `scale_obs` of Gymnasium's `AtariPreprocessing`.
 * - `TimeLimit`: Truncates an episode after a number of steps. In Python: `TimeLimit` of Gymnasium, `max_num_frames_per_episode` of ale-py's `AtariVectorEnv`, `max_episode_steps` of EnvPool.
 * - `EpisodeStatistics`: Counts reward and length of each episode at this place, as the wrappers before it make them. A list without it counts those of the whole game: the raw score, the agent's steps and all frames. In Python: `RecordEpisodeStatistics` of Gymnasium, `Monitor` of Stable-Baselines3.
 * - `AutoReset`: Starts the next episode without a call of reset. Last in a list. In Python: `Autoreset` and the `AutoresetMode` of batches in Gymnasium, and the resets that the batches of Stable-Baselines3, ale-py and EnvPool do themselves.
 */
export type WrapperOptions = { "type": "StickyActions" } & StickyActions | { "type": "FrameBlending" } | { "type": "EpisodicLife" } & EpisodicLife | { "type": "FireReset" } & FireReset | { "type": "NoopReset" } & NoopReset | { "type": "StartWithRandomActions" } & StartWithRandomActions | { "type": "MaxBetweenFrames" } | { "type": "SkipFrames" } & SkipFrames | { "type": "ImagePreprocessing" } & ImagePreprocessing | { "type": "QueueFrames" } & QueueFrames | { "type": "ClipReward" } & ClipReward | { "type": "ScaledFloat" } | { "type": "TimeLimit" } & TimeLimit | { "type": "EpisodeStatistics" } | { "type": "AutoReset" } & AutoReset;

/**
 * ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.
 */
export type StickyActions = {
/**
 * Probability from 0 to 1; 0.25 by default.
 */
probability?: number,
};

/**
 * Ends an episode when a life is lost.
 */
export type EpisodicLife = {
/**
 * The number of lives to compare with: that after the previous step, or at the episode's start.
 */
compare?: LivesBaseline, 
/**
 * Which losses end an episode: those that leave lives, or all.
 */
ends?: EndingLoss, 
/**
 * What the reset after a lost life does.
 */
restart?: Restart,
};

/**
 * The number of lives that `EpisodicLife` compares with.
 *
 * - `"previousStep"`: The lives after the step before.
 * - `"episodeStart"`: The lives at the episode's start: losing a life that was won during the episode does not end it.
 */
export type LivesBaseline = "previousStep" | "episodeStart";

/**
 * Which losses `EpisodicLife` turns into an end.
 *
 * - `"livesLeft"`: A loss that leaves lives. The last life ends the episode only if the game ends with it.
 * - `"any"`: Every loss, the last life included.
 */
export type EndingLoss = "livesLeft" | "any";

/**
 * What the reset after a lost life does.
 *
 * - `"noopStep"`: The game continues after one step of NOOP.
 * - `"continue"`: The game continues. The inner wrappers reset around it, with their steps of NOOP and their presses of FIRE. An inner time limit keeps its count. As in EnvPool, a reset by the caller starts the game where ends are followed by resets of their own.
 * - `"fullReset"`: The whole game starts again.
 */
export type Restart = "noopStep" | "continue" | "fullReset";

/**
 * Presses FIRE after a reset, for games that wait for it.
 */
export type FireReset = {
/**
 * The actions that are played.
 */
plays?: FirePlays, 
/**
 * Whether a game without FIRE is refused.
 */
withoutFire?: WithoutFire,
};

/**
 * The actions that `FireReset` plays.
 *
 * - `"fire"`: One step of FIRE.
 * - `"fireAndSecond"`: One step of action 1, which must be FIRE, and one of action 2, starting again if either ends the episode. The observation is the second step's, even if the game was reset after it.
 */
export type FirePlays = "fire" | "fireAndSecond";

/**
 * Whether `FireReset` refuses a game without FIRE.
 *
 * - `"refuse"`: The list is refused.
 * - `"passOn"`: The wrapper does nothing.
 */
export type WithoutFire = "refuse" | "passOn";

/**
 * Plays NOOP for a random number of steps after a reset.
 */
export type NoopReset = {
/**
 * Largest number of steps; 30 by default.
 */
max?: number, 
/**
 * How their number is drawn.
 */
draw?: NoopDraw,
};

/**
 * How `NoopReset` draws its number of steps.
 *
 * - `"numpy"`: 1 to `max`, from the environment's NumPy generator.
 * - `"aleVector"`: 0 to `max - 1` from a Mersenne twister, one less (but not below 0) where a FIRE was pressed.
 * - `"envpool"`: 1 to `max` from a Mersenne twister, one less where a FIRE follows.
 */
export type NoopDraw = "numpy" | "aleVector" | "envpool";

/**
 * Plays a random number of random actions at the start of a real episode.
 */
export type StartWithRandomActions = {
/**
 * Largest number of actions, drawn from 0 to `max`; 30 by default. They continue if the game ends during them.
 */
max?: number,
};

/**
 * Repeats an action for several frames.
 */
export type SkipFrames = {
/**
 * Frames (steps of the inner wrapper) per step; 4 by default.
 */
n?: number, 
/**
 * If given, each step has a random number of frames: `n` to `below - 1`, from the environment's generator, as in Gymnasium's
 * `frameskip=(n, below)`. The observation is then the last frame.
 */
below?: number | null, 
/**
 * Which of the frames make the observation: the maximum of the last two, if they are pictures of bytes and `below` is not given,
 * otherwise the last.
 */
shows?: Shows | null, 
/**
 * The ends that cut a step short.
 */
stopsAt?: StopsAt,
};

/**
 * Which frames of a `SkipFrames` step make its observation.
 *
 * - `"last"`: The last frame that was played.
 * - `"lastWithoutEndingFrame"`: As ALE's vector environment does it without max-pooling: the last of `n` frames. A step that ends an episode shows the picture of the step before.
 * - `"maxOfLastTwo"`: The maximum of the last two frames that were played, or the only frame if the first one ended the step.
 * - `"maxOfAll"`: The maximum of all frames that were played. Objects that a game draws in one frame of four, in turn with others, are in it too. Every frame has to be drawn, so a step takes longer than with the last two.
 * - `"maxOfTwoBuffers"`: The maximum of two buffers, which the last two of `n` frames fill. A step cut short leaves older frames in them, and so does a reset.
 * - `"maxWithoutEndingFrame"`: As Gymnasium and ALE's vector environment do it: the pooled picture replaces the newer buffer, and the frame that ends an episode never reaches either, so that an early end shows the picture of the step before.
 * - `"maxOrFirstBuffer"`: As EnvPool does it: the maximum if the step was not cut short, else the first buffer, which may hold an older frame.
 */
export type Shows = "last" | "lastWithoutEndingFrame" | "maxOfLastTwo" | "maxOfAll" | "maxOfTwoBuffers" | "maxWithoutEndingFrame" | "maxOrFirstBuffer";

/**
 * The ends that cut a step of `SkipFrames` short.
 *
 * - `"episodeEnd"`: Any end that the wrappers below report.
 * - `"lostLife"`: Only an end for a lost life; a game that is over idles through the rest of the step.
 */
export type StopsAt = "episodeEnd" | "lostLife";

/**
 * Converts to grey, crops and resizes.
 */
export type ImagePreprocessing = {
/**
 * Width of the result, 84 by default; `null` keeps it.
 */
width?: number | null, 
/**
 * Height of the result, 84 by default; `null` keeps it.
 */
height?: number | null, 
/**
 * How colours become grey; `null` leaves them as they are.
 */
grey?: Grey | null, 
/**
 * How the picture is resized.
 */
interpolation?: Interpolation, 
/**
 * Only the first so many rows are used; `null` uses all.
 */
rows?: number | null,
};

/**
 * How a colour becomes grey.
 *
 * - `"opencv"`: OpenCV's `cvtColor(.., COLOR_RGB2GRAY)`: weights of 9798, 19235 and 3735 in 32768.
 * - `"ale"`: ALE's grey of each palette entry: weights of 0.2989, 0.5870 and 0.1140.
 */
export type Grey = "opencv" | "ale";

/**
 * Which of OpenCV's interpolations resizes a picture.
 *
 * - `"area"`: `INTER_AREA`: the mean of the area that an output cell covers. If a side grows, both are interpolated, as OpenCV does.
 * - `"linear"`: `INTER_LINEAR`: OpenCV's default, in 11-bit fixed point.
 */
export type Interpolation = "area" | "linear";

/**
 * Stacks the last observations.
 */
export type QueueFrames = {
/**
 * Observations in the stack; 4 by default.
 */
n?: number, 
/**
 * Whether the stack's axis comes first or last.
 */
axis?: Axis, 
/**
 * Whether frames are joined along that existing axis instead of along a new one. Last, frames with channels are
 * always joined along their channels, as `np.dstack` joins them.
 */
concat?: boolean, 
/**
 * The content of the older places after a reset.
 */
padding?: Padding,
};

/**
 * Where the axis of a stack is in its shape.
 *
 * - `"first"`: Slowest: (n, 84, 84).
 * - `"last"`: Fastest: (84, 84, n).
 */
export type Axis = "first" | "last";

/**
 * The content of the older places of a `QueueFrames` stack after a reset.
 *
 * - `"reset"`: The reset's observation.
 * - `"zero"`: Zeros.
 * - `"gameReset"`: The reset's observation where the game itself starts again; an episode that goes on after a lost life keeps the older observations.
 */
export type Padding = "reset" | "zero" | "gameReset";

/**
 * Clips rewards to the range from -1 to 1.
 */
export type ClipReward = {
/**
 * How a reward is clipped; both ways agree on whole rewards.
 */
to?: Clip,
};

/**
 * How `ClipReward` clips.
 *
 * - `"sign"`: The reward's sign.
 * - `"range"`: The nearest number from -1 to 1.
 */
export type Clip = "sign" | "range";

/**
 * Truncates an episode after a number of steps.
 */
export type TimeLimit = {
/**
 * Steps after which an episode is truncated; 27000 by default.
 */
steps?: number, 
/**
 * Whether the last step may also be terminated.
 */
atLimit?: AtLimit,
};

/**
 * The flags of the step at which a `TimeLimit` ends an episode.
 *
 * - `"truncated"`: Truncated, and terminated if the episode ends at that very step anyway.
 * - `"truncatedOnly"`: Truncated and nothing else, as in EnvPool.
 * - `"unlessTerminated"`: Truncated, unless the episode is terminated at that very step, as in ALE's vector environment.
 */
export type AtLimit = "truncated" | "truncatedOnly" | "unlessTerminated";

/**
 * Starts the next episode without a call of reset. Last in a list.
 */
export type AutoReset = {
/**
 * When the next episode starts: in the step after an end, by default, or in the step that ends an episode.
 */
mode?: Exclude<AutoresetMode, "disabled">,
};

/**
 * When the next episode starts after an end.
 *
 * - `"next-step"`: In the step after an end: its action is ignored and its reward is 0.
 * - `"same-step"`: In the step that ends an episode: its observation is the next episode's first.
 * - `"disabled"`: When the caller resets it. The wrapper `AutoReset` does not take this value.
 */
export type AutoresetMode = "next-step" | "same-step" | "disabled";

/**
 * The observation of the console, before any wrapper.
 *
 * - `"rgb"`: The picture in colour: height x 160 x 3.
 * - `"grey"`: The picture in ALE's grey: height x 160.
 * - `"ram"`: The console's 128 bytes of memory.
 * - `"labels"`: The variables of the game's rules, such as the score and the lives, as whole numbers of 32 bits. A value beyond them is the nearest one. The description of the game has their names in this order, as `labels`.
 */
export type ObservationKind = "rgb" | "grey" | "ram" | "labels";

/**
 * How a seed reaches the generators.
 *
 * - `"gymnasium"`: As Gymnasium's ALE environment: NumPy's `SeedSequence` makes ALE's seed and the environment's generator of it, and a reset with a seed seeds again whenever a wrapper repeats that reset.
 * - `"gym"`: The same numbers, but seeded once, before the reset, as old Gym's `env.seed(seed)` did; `np.random` and the action space are seeded with the same number.
 * - `"native"`: As native vector environments: the seed itself is ALE's, and seeds a Mersenne twister.
 */
export type Seeding = "gymnasium" | "gym" | "native";

/**
 * The options of an environment, all defaults resolved.
 */
export type Spec = {
/**
 * The preset's name, or `null` for the caller's own list.
 */
preset: PresetName | null, 
/**
 * The catalogue's name of the game.
 */
game: string, 
/**
 * The observation below the first wrapper.
 */
observation: ObservationKind, 
/**
 * How a seed is used.
 */
seeding: Seeding, 
/**
 * Whether the action space has all legal actions instead of the game's minimal set.
 */
fullActionSpace: boolean, 
/**
 * Frames after which ALE truncates an episode; 0 for never.
 */
maxFramesPerEpisode: number, 
/**
 * Whether ALE truncates an episode when a life is lost.
 */
truncateOnLossOfLife: boolean, 
/**
 * The game's mode, or `null` for its default.
 */
mode: number | null, 
/**
 * The difficulty, or `null` for its default.
 */
difficulty: number | null, 
/**
 * The wrappers, from the console outwards.
 */
wrappers: readonly WrapperOptions[],
};

/**
 * The shape and type of an observation: Gymnasium's `Box`.
 */
export type SpaceDescription = {
/**
 * Sizes of the axes, slowest first (C order).
 */
shape: readonly number[], 
/**
 * Type of the values.
 */
dtype: Dtype, 
/**
 * The bounds of whole numbers of 32 bits. Other types have fixed ones.
 */
bounds?: SpaceBounds,
};

/**
 * The least and the greatest of each value of an observation, in C order. Where an observation has more values, as a stack has, they
 * repeat.
 */
export type SpaceBounds = {
/**
 * The least values.
 */
low: readonly number[], 
/**
 * The greatest values.
 */
high: readonly number[],
};

/**
 * The type of one value of an observation.
 *
 * - `"uint8"`: An unsigned byte, 0 to 255.
 * - `"float32"`: A 32-bit float from 0 to 1, in little-endian bytes.
 * - `"int32"`: A signed whole number of 32 bits, in little-endian bytes, between the bounds of the space.
 */
export type Dtype = "uint8" | "float32" | "int32";

/**
 * The size of the console's picture in pixels.
 */
export type ScreenSize = {
/**
 * Always 160. On a television a pixel is twice as wide as high.
 */
width: number, 
/**
 * Usually 210.
 */
height: number,
};

/**
 * An arcade: a game and its console. Plain data: it can be posted, printed and stored.
 */
export type ArcadeDescription = {
/**
 * The catalogue's name of the game, such as `breakout`.
 */
rom: string, 
/**
 * The MD5 of the ROM, 32 hexadecimal digits.
 */
md5: string, 
/**
 * The game's title, such as `Breakout`.
 */
title: string, 
/**
 * The television that the game was made for: `NTSC`, 60 frames a second, or `PAL`, 50.
 */
tv: RawTv, 
/**
 * The size of the console's picture.
 */
screen: ScreenSize, 
/**
 * The actions that have an effect in this game, in the order of their numbers.
 */
minimalActions: readonly ActionName[], 
/**
 * The actions that reach the game. Others are played as `NOOP`.
 */
legalActions: readonly ActionName[], 
/**
 * The game's modes.
 */
modes: readonly number[], 
/**
 * The game's difficulties. Bit 0 is the left difficulty switch, bit 1 the right one.
 */
difficulties: readonly number[], 
/**
 * Whether the game has a rule for rewards. Without one there is nothing to learn.
 */
givesRewards: boolean, 
/**
 * The names of the variables of the game's rules, in the order of `variables` and of the observation `labels`.
 */
labels: readonly string[],
};

/**
 * A game and the environment around it. Plain data.
 */
export type GameDescription = {
/**
 * The names of the actions, by their number in the action space, such as `["NOOP", "FIRE", "RIGHT", "LEFT"]`.
 */
actions: readonly ActionName[], 
/**
 * The observation's shape and type.
 */
observation: SpaceDescription, 
/**
 * Whether the next episode starts without a call of reset.
 */
resetsItself: boolean, 
/**
 * The frames of a step that no end cuts short; their mean where they are random.
 */
framesPerStep: number, 
/**
 * The resolved options of the environment. `spec.wrappers` is its list of wrappers.
 */
spec: Spec, 
/**
 * The names of the preset's wrappers that the option `observation` left out: those that process pictures.
 */
leftOut: readonly string[], 
/**
 * The catalogue's name of the game, such as `breakout`.
 */
rom: string, 
/**
 * The MD5 of the ROM, 32 hexadecimal digits.
 */
md5: string, 
/**
 * The game's title, such as `Breakout`.
 */
title: string, 
/**
 * The television that the game was made for: `NTSC`, 60 frames a second, or `PAL`, 50.
 */
tv: RawTv, 
/**
 * The size of the console's picture.
 */
screen: ScreenSize, 
/**
 * The actions that have an effect in this game, in the order of their numbers.
 */
minimalActions: readonly ActionName[], 
/**
 * The actions that reach the game. Others are played as `NOOP`.
 */
legalActions: readonly ActionName[], 
/**
 * The game's modes.
 */
modes: readonly number[], 
/**
 * The game's difficulties. Bit 0 is the left difficulty switch, bit 1 the right one.
 */
difficulties: readonly number[], 
/**
 * Whether the game has a rule for rewards. Without one there is nothing to learn.
 */
givesRewards: boolean, 
/**
 * The names of the variables of the game's rules, in the order of `variables` and of the observation `labels`.
 */
labels: readonly string[],
};

/**
 * Summary of a game that ended: all that was played in it, whatever the list of wrappers clips, skips or divides into episodes.
 *
 * Where a list places the wrapper `EpisodeStatistics`, the summary is that of an episode at this place.
 */
export type EpisodeSummary = {
/**
 * The score: the sum of the game's rewards, not clipped, those of the steps that a reset plays included.
 */
reward: number, 
/**
 * The agent's steps.
 */
length: number, 
/**
 * The frames, those that a wrapper skips and those that a reset plays included.
 */
frames: number,
};

/**
 * Information about the state that an observation shows.
 */
export type Info = {
/**
 * Lives left, as ALE counts them; 0 in games without lives.
 */
lives: number, 
/**
 * Frames played since the game's last reset; in games that select a mode, the frames of the selection count too.
 */
episodeFrameNumber: number, 
/**
 * Frames played since the game was loaded.
 */
frameNumber: number,
};

/**
 * Where an error is and why, as values for callers in other languages. Each is there where the error has it.
 */
export type ErrorDetails = {
/**
 * The option at fault, such as `mode`.
 */
option?: string, 
/**
 * The path of the value at fault, beginning with the option: `wrappers[1].n`, `game.rules.frame`.
 */
path?: string, 
/**
 * Whether the path ends in a key that there is not.
 */
unknownKey?: boolean, 
/**
 * The line of the text at `path`, or of the file, from 1.
 */
line?: number, 
/**
 * The character of the line, from 1.
 */
column?: number, 
/**
 * The type of the wrapper at fault.
 */
wrapper?: string, 
/**
 * The reason, without the place.
 */
reason?: string,
};

/** The places of a step record's numbers in its row of a `Float64Array`. */
export const RECORD = {
  reward: 0,
  rawReward: 1,
  flags: 2,
  lives: 3,
  frameNumber: 4,
  episodeFrameNumber: 5,
  episodeReward: 6,
  episodeLength: 7,
  episodeFrames: 8,
  finalLives: 9,
  finalFrameNumber: 10,
  finalEpisodeFrameNumber: 11,
} as const;

/** How many numbers a step record has. */
export const RECORD_LENGTH = 12;

/** The bits of `RECORD.flags`. */
export const RECORD_FLAGS = {
  terminated: 1,
  truncated: 2,
  realDone: 4,
  episode: 8,
  finalInfo: 16,
} as const;

/** The most environments of a batch, far above what a machine can use. A mistyped number is refused instead of ending the process. */
export const MAX_ENVS = 10000;

/** The most levels of objects and lists in options. */
export const MAX_LEVELS = 8;
