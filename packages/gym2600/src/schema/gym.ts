/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { ActionName } from "../actions.js";
import type { RawDefinition, RawTv } from "./definition.js";

/** The names of presets. */
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
 * What the first wrapper observes: the picture in colour or in grey, or the console's RAM. Beside a preset it leaves out the
 * preset's wrappers that process pictures, so that the agent gets this observation; stacks and skipped frames stay.
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
};

/**
 * One wrapper of a list, with its options.
 */
export type WrapperOptions = { "type": "StickyActions" } & StickyActions | { "type": "FrameBlending" } | { "type": "EpisodicLife" } & EpisodicLife | { "type": "FireReset" } & FireReset | { "type": "NoopReset" } & NoopReset | { "type": "StartWithRandomActions" } & StartWithRandomActions | { "type": "MaxBetweenFrames" } | { "type": "SkipFrames" } & SkipFrames | { "type": "ImagePreprocessing" } & ImagePreprocessing | { "type": "QueueFrames" } & QueueFrames | { "type": "ClipReward" } & ClipReward | { "type": "ScaledFloat" } | { "type": "TimeLimit" } & TimeLimit | { "type": "EpisodeStatistics" } | { "type": "AutoReset" } & AutoReset;

/**
 * ALE's sticky actions: a frame repeats the previous action with this probability. First in a list.
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
 * The number of lives that [`EpisodicLife`] compares with.
 */
export type LivesBaseline = "previousStep" | "episodeStart";

/**
 * Which losses [`EpisodicLife`] turns into an end.
 */
export type EndingLoss = "livesLeft" | "any";

/**
 * What the reset after a lost life does.
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
 * The actions that [`FireReset`] plays.
 */
export type FirePlays = "fire" | "fireAndSecond";

/**
 * Whether [`FireReset`] refuses a game without FIRE.
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
 * How [`NoopReset`] draws its number of steps.
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
 * Which frames of a [`SkipFrames`] step make its observation.
 */
export type Shows = "last" | "lastWithoutEndingFrame" | "maxOfLastTwo" | "maxOfTwoBuffers" | "maxWithoutEndingFrame" | "maxOrFirstBuffer";

/**
 * The ends that cut a step of [`SkipFrames`] short.
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
 */
export type Grey = "opencv" | "ale";

/**
 * Which of OpenCV's interpolations resizes a picture.
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
 */
export type Axis = "first" | "last";

/**
 * The content of the older places of a [`QueueFrames`] stack after a reset.
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
 * How [`ClipReward`] clips.
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
 * The flags of the step at which a [`TimeLimit`] ends an episode.
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
 */
export type AutoresetMode = "next-step" | "same-step" | "disabled";

/**
 * The observation of the console, before any wrapper.
 */
export type ObservationKind = "rgb" | "grey" | "ram";

/**
 * How a seed reaches the generators.
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
};

/**
 * The type of one value of an observation.
 */
export type Dtype = "uint8" | "float32";

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
