/** The types that the public interface is made of. */

import type { EnvironmentOptions, EpisodeSummary } from "./schema/gym.js";

export type { ConsoleDescription, Dtype, EpisodeSummary, GameDescription } from "./schema/gym.js";

/**
 * Where a cartridge's bytes come from. Never a path, an address or a name: the package fetches nothing.
 *
 * The bytes are copied; the caller keeps what it passed (a `Response` is read to its end).
 */
export type RomSource = Uint8Array | ArrayBuffer | Blob | Response;

/** Options as callers write them: read only, and `undefined` is the same as left out. */
export type Written<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** How a game is set up. Everything but `rom` may be left out. */
export interface GameOptions extends Written<EnvironmentOptions> {
  /** The cartridge. */
  readonly rom: RomSource;
}

/**
 * An observation's numbers in C order (the last axis moves fastest); its shape is the observation space's.
 * A `Float32Array` where the space's dtype is `"float32"`, otherwise a `Uint8Array`.
 */
export type Observation = Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** What comes with an observation. */
export interface Info {
  /** Lives left, as the Arcade Learning Environment counts them; 0 in games that have none. */
  readonly lives: number;
  /** Frames played since the game was loaded. */
  readonly frameNumber: number;
  /** Frames played since the game's last reset; in games that select a mode, also those counted on the way there. */
  readonly episodeFrameNumber: number;
  /** There only on the step that ended an episode. */
  readonly episode?: EpisodeSummary;
  /** There only on a step that ended an episode: whether the game itself ended, rather than a life after which it goes on. */
  readonly realDone?: boolean;
  /**
   * The ended episode's last observation, Gymnasium's `final_obs`: there only where a step that ended an episode started
   * the next one (autoreset `"same-step"`), whose first observation is then the step's. The caller's, for good.
   */
  readonly finalObservation?: Observation;
  /** What belongs to `finalObservation`, Gymnasium's `final_info`: its `lives` are those at the end. */
  readonly finalInfo?: Info;
}

/** What `reset` gives. */
export interface ResetResult {
  readonly observation: Observation;
  readonly info: Info;
}

/** What `step` gives. */
export interface StepResult {
  readonly observation: Observation;
  readonly reward: number;
  /** The game itself ended the episode (or, in presets that say so, the loss of a life did). */
  readonly terminated: boolean;
  /** Something outside the game ended the episode, such as a limit on its length. */
  readonly truncated: boolean;
  readonly info: Info;
}

/**
 * The console's picture, 160 pixels wide; on a television a pixel is about twice as wide as high. An `ImageData` where there
 * is such a class; in Node an object with its fields.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `width * height` pixels, four bytes each: red, green, blue, 255. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Always `"srgb"` in the package's own pictures. */
  readonly colorSpace: "srgb" | "display-p3";
}

/** What a `GameWorker` does with the console's picture after a step or a reset. */
export interface PictureRequest {
  /** Whether the result has the picture; false unless given. */
  readonly picture?: boolean | undefined;
  /** Whether the worker paints its canvas, if it has one; true unless given. */
  readonly paint?: boolean | undefined;
}

/** What `GameWorker.reset` gives. */
export interface WorkerResetResult extends ResetResult {
  /** There if it was asked for. */
  readonly picture?: Picture;
}

/** What `GameWorker.step` gives. */
export interface WorkerStepResult extends StepResult {
  /** There if it was asked for. */
  readonly picture?: Picture;
}
