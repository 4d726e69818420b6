/** Checks of a `VectorEnv`'s arguments. Each throws a `Gym2600Error` before anything has changed. */

import { badAction, checkCanvas } from "../env/lane.js";
import { type ErrorCode, Gym2600Error, shown } from "../errors.js";
import { checkNames } from "../rom.js";
import { RECORD_LENGTH } from "../schema/gym.js";
import type { Discrete } from "../spaces.js";
import { lanesError } from "./batch.js";
import type { StepManyOptions } from "./vector-types.js";

/** Refuses a list of the wrong length. */
export function checkLength(what: string, given: number | undefined, expected: number): void {
  if (given === expected) return;
  throw new Gym2600Error("bad-action", `${given ?? 0} ${what} were given for ${expected} environments`);
}

/** Refuses actions that are not one of `space` for each of `lanes`. */
export function checkActions(actions: ArrayLike<number>, lanes: readonly number[], space: Discrete): void {
  checkLength("actions", actions?.length, lanes.length);
  for (let index = 0; index < lanes.length; index++) {
    if (space.contains(actions[index])) continue;
    throw lanesError(lanes.slice(index, index + 1), badAction(actions[index], space.n));
  }
}

/** Refuses a mask of the wrong length, or with a place that is no flag. */
export function checkMask(mask: ArrayLike<unknown>, numEnvs: number): void {
  checkLength("reset mask places", mask?.length, numEnvs);
  const wrong = Array.from(mask).findIndex((flag) => ![true, false, 0, 1].includes(flag as boolean));
  if (wrong >= 0) throw new Gym2600Error("bad-option", `mask: ${shown(mask[wrong])} is no flag`);
}

/** The most bytes of observations that one call gives. */
const MAX_BATCH_BYTES = 2 ** 31;
/** The most bytes of records that one call gives: some three million steps of a lane. */
const MAX_RECORD_BYTES = 2 ** 28;

/**
 * Refuses what is no list of steps, or too long a one, each with `bytes` of observations of `numEnvs` lanes. Says whether the observations of every
 * step are wanted.
 */
export function checkSteps(
  actions: readonly unknown[],
  options: StepManyOptions,
  bytes: number,
  numEnvs: number,
): boolean {
  if (!Array.isArray(actions) || actions.length === 0) {
    throw new Gym2600Error("bad-action", "actions has to be a list of at least one step");
  }
  const { observations = "all" } = checkNames(options, "observations", "into", "paint");
  if (observations !== "all" && observations !== "last") {
    throw new Gym2600Error("bad-option", `observations: ${shown(observations)} is neither "all" nor "last"`);
  }
  const records = actions.length * numEnvs * RECORD_LENGTH * Float64Array.BYTES_PER_ELEMENT;
  if (records > MAX_RECORD_BYTES) {
    throw new Gym2600Error(
      "bad-option",
      `actions: ${records} bytes of results, above the limit of ${MAX_RECORD_BYTES}`,
    );
  }
  const every = observations === "all";
  const total = (every ? actions.length : 1) * bytes;
  if (total <= MAX_BATCH_BYTES) return every;
  throw new Gym2600Error("bad-action", `the observations of ${actions.length} steps are ${total} bytes`);
}

/** Refuses a list that is not of canvases, or is too long. */
export function checkCanvases(canvases: ReadonlyArray<OffscreenCanvas | undefined>, numEnvs: number): void {
  if (!Array.isArray(canvases) || canvases.length > numEnvs) {
    throw new Gym2600Error("bad-option", `canvases has to be a list of at most ${numEnvs} canvases`);
  }
  for (const canvas of canvases) if (canvas !== undefined) checkCanvas(canvas);
}

/** Refuses a call because of `lanes`, if there are any. */
export function refuse(lanes: readonly number[], code: ErrorCode, reason: string): void {
  if (lanes.length > 0) throw lanesError(lanes, new Gym2600Error(code, reason));
}
