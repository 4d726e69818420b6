/** Messages between the page and the worker of the training. */

import type { Algorithm, Device, Net, Processor, TrainingUpdate } from "gym2600/learn";
import type { EnvironmentOptions } from "../show/types.js";

/** What a run is made from. Plain data. */
export interface TrainingPlan {
  readonly rom: Uint8Array<ArrayBuffer>;
  readonly options: EnvironmentOptions;
  readonly algorithm: Algorithm;
  readonly net: Net;
  readonly numEnvs: number;
  readonly workers: 1 | 2 | 4;
  readonly device: Device;
  readonly seed: number;
  readonly hyperParameters: Readonly<Record<string, number>>;
  /** A run to go on with: its checkpoint, and its milliseconds of training. */
  readonly from?: { readonly checkpoint: Uint8Array; readonly milliseconds: number } | undefined;
}

export type ToTraining =
  | { readonly type: "start"; readonly plan: TrainingPlan; readonly canvases: readonly OffscreenCanvas[] }
  /** Goes on, or stands still after the present update; the latter is answered by `paused` with the same number. */
  | { readonly type: "run"; readonly running: boolean; readonly number: number }
  /** Whether the pictures of the games can be seen. */
  | { readonly type: "visible"; readonly visible: boolean }
  /** Where weights go. */
  | { readonly type: "weights-port"; readonly port: MessagePort }
  /** The state of a game, answered by `lane`. */
  | { readonly type: "lane"; readonly lane: number }
  /** The weights as a file, answered by `weights` with the same number. */
  | { readonly type: "weights"; readonly number: number };

export type FromTraining =
  /** With what computes the nets. */
  | { readonly type: "started"; readonly processor: Processor }
  /** At most ten a second: the updates since the last message, and the milliseconds of training so far. */
  | { readonly type: "progress"; readonly updates: readonly TrainingUpdate[]; readonly milliseconds: number }
  | { readonly type: "paused"; readonly number: number }
  | { readonly type: "lane"; readonly lane: number; readonly game: LaneState }
  | { readonly type: "weights"; readonly number: number; readonly bytes: Uint8Array }
  /** Every ten seconds: weights that are left if this worker dies. */
  | { readonly type: "kept"; readonly bytes: Uint8Array }
  /** The run after the updates that have been sent: at least every 25 seconds, at a pause, and when the page is hidden. */
  | { readonly type: "checkpoint"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** With the weights after the last update, if there was one. */
  | { readonly type: "failed"; readonly message: string; readonly weights: Uint8Array | undefined };

/** A training game at a moment. */
export interface LaneState {
  readonly state: Uint8Array;
  /** The options of a game that restores the state. */
  readonly environment: EnvironmentOptions;
}
