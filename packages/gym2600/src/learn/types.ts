/** Options and reports of training. */

import type { TrainingOptions, UpdateReport } from "../schema/learn.js";
import type { EpisodeSummary, RomSource, Written } from "../types.js";

export type {
  Algorithm,
  HyperParameterNumber,
  HyperParameterRange,
  HyperParameters,
  Net,
  Optimizer,
  PolicyOrigin,
  TrainingConfig,
  TrainingOptions,
  UpdateReport,
} from "../schema/learn.js";

/**
 * Where nets are to be computed: on the CPU, with the same bits on every machine; on a graphics card by WebGPU; or on a card if there is
 * one, and on the CPU otherwise.
 */
export type Device = "auto" | "cpu" | "gpu";

/** What computes nets. `reason` says why it is not the graphics card that `auto` looked for. */
export type Processor =
  | { readonly device: "cpu"; readonly reason?: string }
  | { readonly device: "gpu"; readonly name: string };

/** What a {@link Trainer} is made from. Everything but `rom` may be left out. */
export interface TrainerOptions extends Written<TrainingOptions> {
  /** The game. */
  readonly rom: RomSource;
  /** Workers: 1, 2 or 4; 0 trains in this thread. It changes no result. 2 by default. */
  readonly workers?: 0 | 1 | 2 | 4 | undefined;
  /**
   * What computes the nets; `cpu` by default. A card's weights are not the CPU's, and differ from card to card. `gpu` takes software that
   * stands for a card too, and fails with the card; `auto` takes hardware alone, and goes on on the CPU if it is lost.
   */
  readonly device?: Device | undefined;
  /** A checkpoint to go on from, with its settings: options of the run that differ from them are refused. */
  readonly resume?: Uint8Array | undefined;
}

/** What an update of the weights reports. */
export interface TrainingUpdate extends Readonly<UpdateReport> {
  /** The games that ended in this update, with their raw scores. */
  readonly finished: readonly EpisodeSummary[];
  /** Steps a second of this update. */
  readonly stepsPerSecond: number;
  /** Share of its time spent playing, which includes the decisions of the net; the rest was spent learning. */
  readonly playing: number;
  /** CRC-32 of all parameters in file order, eight hexadecimal digits. */
  readonly weights: string;
  /** What computed its last gradient step, and computes from now on. */
  readonly processor: Processor;
}

/** A policy's output for an observation. */
export interface PolicyDecision {
  /** The action. */
  readonly action: number;
  /** The actor's output for each action. */
  readonly logits: Float32Array;
  /** The probability of each action. */
  readonly probabilities: Float64Array;
  /** The sum of discounted clipped rewards that the critic expects. */
  readonly value: number;
}
