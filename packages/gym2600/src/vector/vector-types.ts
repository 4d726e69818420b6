/** The options and results of a `VectorEnv`. */

import type { GameOptions, Observation, VectorResetResult, VectorStepResult } from "../types.js";

/** How a `VectorEnv` is set up. */
export interface VectorEnvOptions extends Omit<GameOptions, "seed"> {
  /** How many environments there are, at most 10,000; also called lanes, numbered from 0. */
  readonly numEnvs: number;
  /** How many workers they are spread over, in order and evenly: one for each unless given, at most 256. 0 for this thread. */
  readonly workers?: number | undefined;
  /**
   * One seed, from which the lanes count up (with the seeding `"gym"` every lane gets the seed itself), or a list with one for
   * each lane; 0 unless given.
   */
  readonly seed?: number | readonly number[] | undefined;
  /**
   * After how many steps of a lane its state is kept for `revive`; 0, for never, unless given. Keeping a state costs about as
   * much as a step.
   */
  readonly keepStates?: number | undefined;
  /** A canvas for each lane that paints its picture; see `VectorEnv.setCanvas`. */
  readonly canvases?: ReadonlyArray<OffscreenCanvas | undefined> | undefined;
}

/** Options of `VectorEnv.reset`. */
export interface VectorResetOptions {
  /** Seeds, as in {@link VectorEnvOptions}; without any the generators keep their state. */
  readonly seed?: number | readonly number[] | undefined;
  /** Which lanes to reset; all unless given. The others and their observations stay as they are. */
  readonly mask?: ArrayLike<boolean | number> | undefined;
  /** Where to write the observations; see `VectorEnv.step`. */
  readonly into?: Observation | undefined;
}

/** What the lanes' workers do with their canvases. */
export interface PaintOption {
  /** Whether the lanes paint their canvases, if they have any; true unless given. */
  readonly paint?: boolean | undefined;
}

/** Options of `VectorEnv.step`. */
export interface VectorStepOptions extends PaintOption {
  /** Where to write the observations, or an earlier result of `step` to fill again; see there. */
  readonly into?: Observation | VectorStepResult | undefined;
}

/** Options of `VectorEnv.stepMany`. */
export interface StepManyOptions extends PaintOption {
  /** Which observations the result has: those of all steps unless given, or only those of the last. */
  readonly observations?: "all" | "last" | undefined;
  /** Where to write the observations, as in `VectorEnv.step`. */
  readonly into?: Observation | undefined;
}

/** Options of `VectorEnv.recv`. */
export interface RecvOptions {
  /** An array for the observations of all lanes, whose first places are filled; otherwise a new array. */
  readonly into?: Observation | undefined;
}

/**
 * The result of `VectorEnv.stepMany`. Place `step * numEnvs + lane` of rewards, flags and infos is a lane's in that step.
 * Observations are (steps, numEnvs, ...), or (numEnvs, ...) of the last step.
 */
export interface VectorStepManyResult extends VectorStepResult {
  readonly steps: number;
  /**
   * How many of the steps each lane has taken: all of them, unless it does not reset by itself and its episode ended. Steps that
   * a lane did not take have reward 0, no flags, and the observation of the end.
   */
  readonly taken: Int32Array<ArrayBuffer>;
}

/** The result of `VectorEnv.revive`, in the order of `envIds`. */
export interface VectorReviveResult extends VectorResetResult {
  /** The revived lanes: all that the dead worker had. */
  readonly envIds: Int32Array<ArrayBuffer>;
  /** Whether each lane went back to a kept state; otherwise it was reset with its last seed. */
  readonly restored: readonly boolean[];
}
