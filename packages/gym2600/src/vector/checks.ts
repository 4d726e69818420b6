/** Checks of a `VectorEnv`'s arguments. Each throws a `Gym2600Error` before anything has changed. */

import { checkCanvas } from "../env/lane.js";
import { type ErrorCode, Gym2600Error, shown } from "../errors.js";
import { lanesError } from "./batch.js";

/** Refuses what is no whole number from `least` to `most`. */
export function checkCount(what: string, count: number, least: number, most: number = Number.MAX_SAFE_INTEGER): void {
  if (!(Number.isSafeInteger(count) && count >= least)) {
    throw new Gym2600Error("bad-option", `${what} has to be a whole number of at least ${least}, not ${shown(count)}`);
  }
  if (count > most) throw new Gym2600Error("bad-option", `${what}: ${count} is above the limit of ${most}`);
}

/** Refuses a list of the wrong length. */
export function checkLength(what: string, given: number | undefined, expected: number): void {
  if (given === expected) return;
  throw new Gym2600Error("bad-action", `${given ?? 0} ${what} were given for ${expected} environments`);
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
