/** The plain data of environments, generated from the types of crates/gym by `UPDATE_TYPES=1 cargo test -p gym2600-gym typescript`. */

import type { GameDefinition } from "../definition.js";

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
 * Seed of the first reset, a whole number up to 2^53; 0 by default. All randomness comes from it.
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
 * Frames after which ALE truncates an episode; 0 for never.
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
 * What the first wrapper observes: the picture in colour or in grey, or the console's RAM.
 */
observation?: ObservationKind, 
/**
 * How a seed reaches the generators.
 */
seeding?: Seeding, 
/**
 * When the next episode starts. Replaces the list's `AutoReset`.
 */
autoreset?: Autoreset, 
/**
 * The definition of a game that is not in the catalogue: the text of a `games/*.toml`, or in JavaScript an object of that form.
 */
game?: string | GameDefinition,
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
 * What the number of lives is compared with: the lives after the previous step, or at the episode's start.
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
 * What [`EpisodicLife`] compares the number of lives with.
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
 * What is played.
 */
plays?: FirePlays, 
/**
 * What happens in a game without FIRE.
 */
withoutFire?: WithoutFire,
};

/**
 * What [`FireReset`] plays.
 */
export type FirePlays = "fire" | "fireAndSecond";

/**
 * What [`FireReset`] does in a game without FIRE.
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
 * Which of the frames make the observation.
 */
shows?: Shows, 
/**
 * What cuts a step short.
 */
stopsAt?: StopsAt,
};

/**
 * Which frames of a [`SkipFrames`] step make its observation.
 */
export type Shows = "last" | "brighterOfLastTwo" | "brighterOfTwoBuffers" | "brighterWithoutEndingFrame" | "brighterOrFirstBuffer";

/**
 * What cuts a [`SkipFrames`] step short.
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
 * What a reset fills the older places with.
 */
padding?: Padding,
};

/**
 * An end of a shape.
 */
export type Axis = "first" | "last";

/**
 * What a reset fills the older places of a [`QueueFrames`] stack with.
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
 * What the step is at which a [`TimeLimit`] ends an episode.
 */
export type AtLimit = "truncated" | "truncatedOnly";

/**
 * Starts the next episode without a call of reset. Last in a list.
 */
export type AutoReset = {
/**
 * When the next episode starts.
 */
mode?: AutoResetMode,
};

/**
 * When [`AutoReset`] starts the next episode.
 */
export type AutoResetMode = "next-step" | "same-step";

/**
 * When the next episode starts after an end.
 */
export type Autoreset = "next-step" | "same-step" | "disabled";

/**
 * What the console itself shows an agent, before any wrapper.
 */
export type ObservationKind = "rgb" | "grey" | "ram";

/**
 * How a seed reaches the generators.
 */
export type Seeding = "gymnasium" | "gym" | "native";

/**
 * What an environment was made with, all defaults resolved.
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
 * What the first wrapper observes.
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
