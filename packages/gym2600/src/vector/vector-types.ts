/** What a `VectorEnv` takes and gives. */

import type { GameOptions, Info, Observation } from "../types.js";

/** How a `VectorEnv` is set up. */
export interface VectorEnvOptions extends Omit<GameOptions, "seed"> {
  /** How many environments there are; also called lanes, numbered from 0. */
  readonly numEnvs: number;
  /**
   * How many workers they are spread over, in order and as evenly as can be: one for each unless said. 0 for this thread.
   */
  readonly workers?: number | undefined;
  /**
   * One seed, from which the lanes count up (with the seeding `"gym"`, as in the notebook, every lane gets the seed itself),
   * or a list with one for each lane; 0 unless said.
   */
  readonly seed?: number | readonly number[] | undefined;
  /**
   * Every so many steps the lanes' states are kept, for `revive`; 0, for never, unless said. A state costs about as much as
   * a step.
   */
  readonly keepStates?: number | undefined;
}

/** Options of `VectorEnv.reset`. */
export interface VectorResetOptions {
  /** Seeds, as in {@link VectorEnvOptions}; without any the generators go on where they are. */
  readonly seed?: number | readonly number[] | undefined;
  /** Which lanes to reset; all unless said. The others, and their observations, stay as they are. */
  readonly mask?: ArrayLike<boolean | number> | undefined;
  /** Where to write the observations; see `VectorEnv.step`. */
  readonly into?: Observation | undefined;
}

/** Options of `VectorEnv.step`. */
export interface VectorStepOptions {
  /** Where to write the observations, or an earlier result of `step` to fill again; see there. */
  readonly into?: Observation | VectorStepResult | undefined;
}

/** Options of `VectorEnv.stepMany`. */
export interface StepManyOptions {
  /** Whether the observations of all steps are wanted, which is so unless said, or only those of the last. */
  readonly observations?: "all" | "last" | undefined;
  /** Where to write the observations, as in `VectorEnv.step`. */
  readonly into?: Observation | undefined;
}

/** Options of `VectorEnv.recv`. */
export interface RecvOptions {
  /** Room for the observations of all lanes, of which the first ones are filled; otherwise a new array. */
  readonly into?: Observation | undefined;
}

/** What `VectorEnv.reset` gives. */
export interface VectorResetResult {
  /** All lanes' observations, one after the other: (numEnvs, ...). */
  readonly observations: Observation;
  /** One for each lane. */
  readonly infos: readonly Info[];
}

/** What `VectorEnv.step` gives. */
export interface VectorStepResult extends VectorResetResult {
  /** One for each lane. */
  readonly rewards: Float64Array<ArrayBuffer>;
  /** 1 for each lane whose episode the game itself ended, else 0. */
  readonly terminated: Uint8Array<ArrayBuffer>;
  /** 1 for each lane whose episode something outside the game ended, else 0. */
  readonly truncated: Uint8Array<ArrayBuffer>;
}

/**
 * What `VectorEnv.stepMany` gives: as of one step, but with a row for each step, so that place `step * numEnvs + lane` of
 * rewards, flags and infos is a lane's in that step. Observations are (steps, numEnvs, ...), or (numEnvs, ...) of the last.
 */
export interface VectorStepManyResult extends VectorStepResult {
  readonly steps: number;
  /**
   * How many of the steps each lane has taken: all of them, unless it does not reset by itself and its episode ended. What
   * a lane did not take has reward 0, no flags, and the observation of the end.
   */
  readonly taken: Int32Array<ArrayBuffer>;
}

/** Results of some of the lanes; everything is in the order of `envIds`. */
export interface VectorBatch extends VectorStepResult {
  /** The lanes. */
  readonly envIds: Int32Array<ArrayBuffer>;
}

/** What `VectorEnv.revive` gives. */
export interface VectorReviveResult extends VectorResetResult {
  /** The lanes that are there again: all that the dead worker had. The rest is in their order. */
  readonly envIds: Int32Array<ArrayBuffer>;
  /** Whether each went back to a state, rather than to a reset with its last seed. */
  readonly restored: readonly boolean[];
}
