/**
 * Wrappers as data: what stands between the console and the agent, in what order.
 *
 * A list goes from the console outwards: the first wrapper is next to the game, the last one next to the agent. Each is an
 * object with its name as `type`, or just the name where every option may keep its default. All of them run in
 * WebAssembly; a list costs one call a step, however long it is.
 */

/** The stacks of wrappers that have a name. */
export type PresetName = "gym2600" | "labml" | "nature-dqn" | "gymnasium" | "ale-vector" | "envpool" | "baselines";

/** One wrapper of a list. */
export type Wrapper = WrapperOptions | WrapperOptions["type"];

/** A wrapper with its options; what is left out has the default given here. */
export type WrapperOptions =
  /** Every frame, with this probability (0.25), the previous action is played instead. First in a list. */
  | { readonly type: "StickyActions"; readonly probability?: number }
  /** Every frame is blended with the one before it, as ALE's colour averaging does. */
  | { readonly type: "FrameBlending" }
  /** Ends an episode when a life is lost. */
  | {
      readonly type: "EpisodicLife";
      /** What the number of lives is compared with: those after the step before, or at the episode's start. */
      readonly compare?: "previousStep" | "episodeStart";
      /** Which losses end an episode: those that leave lives, or all. */
      readonly ends?: "livesLeft" | "any";
      /** What the reset after a lost life does. */
      readonly restart?: "noopStep" | "continue" | "fullReset";
    }
  /** Presses FIRE after a reset. */
  | {
      readonly type: "FireReset";
      readonly plays?: "fire" | "fireAndSecond";
      readonly withoutFire?: "refuse" | "passOn";
    }
  /** Does nothing for a random number of frames, at most `max` (30), after a reset. */
  | { readonly type: "NoopReset"; readonly max?: number; readonly draw?: "numpy" | "aleVector" | "envpool" }
  /** Plays a random number of random actions, at most `max` (30), at the start of a real episode. */
  | { readonly type: "StartWithRandomActions"; readonly max?: number }
  /** Shows the brighter of this frame and the one before it. */
  | { readonly type: "MaxBetweenFrames" }
  /** Plays an action for `n` (4) frames. */
  | {
      readonly type: "SkipFrames";
      readonly n?: number;
      /** Which of the frames make the observation. */
      readonly shows?:
        | "last"
        | "brighterOfLastTwo"
        | "brighterOfTwoBuffers"
        | "brighterWithoutEndingFrame"
        | "brighterOrFirstBuffer";
      /** What cuts a step short. */
      readonly stopsAt?: "episodeEnd" | "lostLife";
    }
  /** Grey, crop and resize; null leaves a thing as it is. */
  | {
      readonly type: "ImagePreprocessing";
      readonly width?: number | null;
      readonly height?: number | null;
      readonly grey?: "opencv" | "ale" | null;
      readonly interpolation?: "area" | "linear";
      /** Only the first so many rows are used. */
      readonly rows?: number | null;
    }
  /** Stacks the last `n` (4) observations. */
  | {
      readonly type: "QueueFrames";
      readonly n?: number;
      readonly axis?: "first" | "last";
      readonly concat?: boolean;
      readonly padding?: "reset" | "zero" | "gameReset";
    }
  /** Reduces rewards to their sign, or to the range from -1 to 1. */
  | { readonly type: "ClipReward"; readonly to?: "sign" | "range" }
  /** Observations as floats from 0 to 1. */
  | { readonly type: "ScaledFloat" }
  /** Truncates an episode after so many steps (27000). */
  | {
      readonly type: "TimeLimit";
      readonly steps?: number;
      /** What else the last step may be: also terminated, or truncated only. */
      readonly atLimit?: "truncated" | "truncatedOnly";
    }
  /** Where an episode's reward and length are counted; without it they are counted next to the agent. */
  | { readonly type: "EpisodeStatistics" }
  /** Starts the next episode by itself. Last in a list. */
  | { readonly type: "AutoReset"; readonly mode?: "next-step" | "same-step" };

/** What an environment was made with, everything said: the resolved list of a preset, for one. */
export interface Spec {
  /** The preset's name, or null for a list of the user's. */
  readonly preset: PresetName | null;
  /** The catalogue's name of the game. */
  readonly game: string;
  /** What the console shows the first wrapper. */
  readonly observation: "rgb" | "grey" | "ram";
  /** How a seed is used. */
  readonly seeding: "gymnasium" | "gym" | "native";
  readonly fullActionSpace: boolean;
  /** Frames after which an episode is truncated; 0 for never. */
  readonly maxFramesPerEpisode: number;
  /** Whether the loss of a life truncates an episode. */
  readonly truncateOnLossOfLife: boolean;
  /** The game's mode, or null for its default. */
  readonly mode: number | null;
  /** The difficulty, or null for the default. */
  readonly difficulty: number | null;
  /** The wrappers, from the console outwards. */
  readonly wrappers: readonly WrapperOptions[];
}
