/** The types of the public interface. */

import type { EnvironmentOptions, EpisodeSummary, Info as StateInfo } from "./schema/gym.js";
import type { ConsoleSwitches as SchemaSwitches } from "./schema/switches.js";

export type { ArcadeDescription, Dtype, EpisodeSummary, GameDescription } from "./schema/gym.js";

/**
 * The bytes of a cartridge; no path, address or name, because the package fetches nothing.
 *
 * The bytes are copied and stay the caller's. A `Response` is read to its end.
 */
export type RomSource = Uint8Array | ArrayBuffer | Blob | Response;

/** Data as callers write it: read only, and `undefined` is the same as left out. */
export type Written<T> = T extends object
  ? { readonly [Key in keyof T]: Written<T[Key]> | (undefined extends T[Key] ? undefined : never) }
  : T;

/** How a game is set up. Everything but `rom` may be left out. */
export interface GameOptions extends Written<EnvironmentOptions> {
  /** The cartridge. */
  readonly rom: RomSource;
  /** Whether infos have {@link Info.labels}; false by default. */
  readonly labels?: boolean | undefined;
}

/** The variables of a game's rules by name, such as `score` and `lives`. */
export type Labels = Readonly<Record<string, number>>;

/** The console's buttons and switches, under the names of the Stella Programmer's Guide. Those that are left out are not touched. */
export interface ConsoleSwitches extends Written<SchemaSwitches> {}

/**
 * An observation's numbers in C order (the last axis moves fastest); its shape is the observation space's.
 * A `Float32Array` where the space's dtype is `"float32"`, an `Int32Array` where it is `"int32"`, otherwise a `Uint8Array`.
 */
export type Observation = Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** An action as frameworks give it: a whole number, a `bigint`, or a typed array of one of them. */
export type ActionValue = number | bigint | (ArrayBufferView & ArrayLike<number | bigint>);

/** Information that comes with an observation. */
export interface Info extends Readonly<StateInfo> {
  /** Only with the option `labels`: what `Game.variables` gives of the state that the observation shows. */
  readonly labels?: Labels;
  /**
   * Only in the step that ended a game: its raw score, the agent's steps and all frames, whatever the preset clips, skips or divides into
   * episodes. In a list that has the wrapper `EpisodeStatistics`, and with `RamGame`, those of the episode that the step ended.
   */
  readonly episode?: EpisodeSummary;
  /** Only in the step that ended an episode: whether the game itself ended; false where only a life was lost. */
  readonly realDone?: boolean;
  /**
   * The last observation of the ended episode, Gymnasium's `final_obs`. Only where the step also started the next episode
   * (autoreset `"same-step"`), whose first observation is the step's. The array is the caller's.
   */
  readonly finalObservation?: Observation;
  /** The info of `finalObservation`, Gymnasium's `final_info`. */
  readonly finalInfo?: Info;
}

/** The result of `reset`. */
export interface ResetResult {
  readonly observation: Observation;
  readonly info: Info;
}

/** The result of `step`. */
export interface StepResult {
  readonly observation: Observation;
  /** The step's reward; clipped where the list of wrappers has `ClipReward`. */
  readonly reward: number;
  /** The step's reward before any `ClipReward`: the points of the game. */
  readonly rawReward: number;
  /** Whether the game ended the episode, or in some presets the loss of a life. */
  readonly terminated: boolean;
  /** Whether a limit ended the episode, such as one on its length. */
  readonly truncated: boolean;
  readonly info: Info;
}

/** A frame of a step or reset, whether its observation shows it or not. The arrays are the caller's. */
export interface Frame {
  /** The picture: palette indices, height * width of `description.screen`; see `Game.palette`. */
  readonly screen: Uint8Array<ArrayBuffer>;
  /** The sound: 512 samples of eight bits, as in `Game.audio`. Empty without the option `soundObs`. */
  readonly audio: Uint8Array<ArrayBuffer>;
  /** The points of the frame, which no wrapper has clipped. */
  readonly reward: number;
  /** Information about the state that the picture shows. */
  readonly info: Pick<Info, "lives" | "frameNumber" | "episodeFrameNumber">;
}

/** The result of `VectorEnv.reset`. */
export interface VectorResetResult {
  /** All lanes' observations, one after the other: (numEnvs, ...). */
  readonly observations: Observation;
  /** One for each lane. */
  readonly infos: readonly Info[];
}

/** The result of `VectorEnv.step`. */
export interface VectorStepResult extends VectorResetResult {
  /** One for each lane; see `StepResult.reward`. */
  readonly rewards: Float64Array<ArrayBuffer>;
  /** One for each lane: its reward before any `ClipReward`. */
  readonly rawRewards: Float64Array<ArrayBuffer>;
  /** 1 for each lane whose episode the game itself ended, else 0. */
  readonly terminated: Uint8Array<ArrayBuffer>;
  /** 1 for each lane whose episode something outside the game ended, else 0. */
  readonly truncated: Uint8Array<ArrayBuffer>;
}

/** Results of some of the lanes, in the order of `envIds`. */
export interface VectorBatch extends VectorStepResult {
  /** The lanes. */
  readonly envIds: Int32Array<ArrayBuffer>;
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

/** Options of `GameWorker.step`. */
export interface WorkerStepOptions extends PictureRequest {
  /** How fast paddles turn; see `StepOptions.paddleStrength`. */
  readonly paddleStrength?: number | undefined;
}

/** The result of `GameWorker.reset`. */
export interface WorkerResetResult extends ResetResult {
  /** Only if the request asks for it. */
  readonly picture?: Picture;
}

/** The result of `GameWorker.step`. */
export interface WorkerStepResult extends StepResult {
  /** Only if the request asks for it. */
  readonly picture?: Picture;
}
