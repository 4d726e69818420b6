/** Checks of a `VectorEnv`'s arguments. Each throws a `Gym2600Error` before anything has changed. */

import { checkCount, namedOptions } from "../arguments.js";
import { checkCanvas } from "../env/accessors.js";
import { type ErrorCode, Gym2600Error, shown, toGym2600Error } from "../errors.js";
import { RECORD_LENGTH } from "../schema/gym.js";
import { actionNumber, type Discrete, kindOf } from "../spaces.js";
import type { ActionValue } from "../types.js";
import { lanesError } from "./batch.js";
import type { StepManyOptions } from "./vector-types.js";

/** A copy of a list. Refuses what is none, and one of the wrong length. */
function copyList<T>(what: string, given: ArrayLike<T>, expected: number): T[] {
  const length = given?.length;
  if (typeof length !== "number") {
    throw new Gym2600Error("bad-action", `the ${what} are ${kindOf(given)}, which is no list of ${expected}`);
  }
  if (length !== expected) {
    throw new Gym2600Error("bad-action", `${length} ${what} were given for ${expected} environments`);
  }
  return Array.from({ length }, (_, index) => given[index] as T);
}

/** A copy of numbers of lanes. Refuses those of no lane, and repeated ones. */
export function checkEnvIds(given: ArrayLike<number>, numEnvs: number): number[] {
  checkCount("the number of envIds", given?.length, 0, numEnvs);
  const lanes = copyList("envIds", given, given.length);
  for (const [index, lane] of lanes.entries()) {
    checkLane(lane, numEnvs);
    if (lanes.indexOf(lane) !== index) throw new Gym2600Error("bad-option", `environment ${lane} is named twice`);
  }
  return lanes;
}

/** Refuses what is no number of a lane. */
export function checkLane(lane: number, numEnvs: number): void {
  if (Number.isInteger(lane) && lane >= 0 && lane < numEnvs) return;
  throw new Gym2600Error("bad-option", `there is no environment ${shown(lane)}; there are ${numEnvs}`);
}

/** The numbers of actions. Refuses those that are not one of `space` for each of `lanes`. */
export function checkActions(given: ArrayLike<ActionValue>, lanes: readonly number[], space: Discrete): number[] {
  return copyList("actions", given, lanes.length).map((action, index) => {
    try {
      const number = actionNumber(action);
      // A worker would see only the wrong actions of its own lanes, when those of other workers have taken their step.
      if (number < space.n) return number;
      throw new Gym2600Error(
        "bad-action",
        `action ${number} is out of range: there are ${space.n}, 0 to ${space.n - 1}`,
      );
    } catch (error) {
      throw lanesError(lanes.slice(index, index + 1), toGym2600Error(error));
    }
  });
}

/** A copy of a mask. Refuses one of the wrong length, or with a place that is no flag. */
export function checkMask<T>(given: ArrayLike<T>, numEnvs: number): T[] {
  const mask = copyList("reset mask places", given, numEnvs);
  for (const [lane, flag] of mask.entries()) {
    if ([true, false, 0, 1].includes(flag as boolean)) continue;
    throw new Gym2600Error("bad-option", `mask: place ${lane} is ${shown(flag)}, neither a boolean nor 0 or 1`);
  }
  return mask;
}

/** The most bytes of observations that one call gives. */
const MAX_BATCH_BYTES = 2 ** 31;
/** The most bytes of records that one call gives: some three million steps of a lane. */
const MAX_RECORD_BYTES = 2 ** 28;

/** The steps and options of a `VectorEnv.stepMany`. */
interface Steps extends Pick<StepManyOptions, "into" | "paint"> {
  readonly actions: ReadonlyArray<ArrayLike<ActionValue>>;
  /** Whether the observations of every step are wanted. */
  readonly every: boolean;
}

/** The arguments. Refuses what is no list of steps, or too long a one, each with `bytes` of observations of `numEnvs` lanes. */
export function checkSteps(
  given: ReadonlyArray<ArrayLike<ActionValue>>,
  options: StepManyOptions,
  bytes: number,
  numEnvs: number,
): Steps {
  const steps = Array.isArray(given) ? given.length : 0;
  if (steps === 0) throw new Gym2600Error("bad-action", "actions has to be a list of at least one step");
  const { observations = "all", into, paint } = namedOptions(options, "observations", "into", "paint");
  if (observations !== "all" && observations !== "last") {
    throw new Gym2600Error("bad-option", `observations: ${shown(observations)} is neither "all" nor "last"`);
  }
  const records = steps * numEnvs * RECORD_LENGTH * Float64Array.BYTES_PER_ELEMENT;
  if (records > MAX_RECORD_BYTES) {
    const given = `${steps} steps of ${numEnvs} environments have ${records} bytes of results`;
    throw new Gym2600Error("bad-option", `actions: ${given}, above the limit of ${MAX_RECORD_BYTES}`);
  }
  const every = observations === "all";
  const total = (every ? steps : 1) * bytes;
  if (total > MAX_BATCH_BYTES) {
    throw new Gym2600Error("bad-action", `the observations of ${steps} steps are ${total} bytes`);
  }
  return { actions: given, every, into, paint };
}

/** A copy of a list. Refuses one that is not of canvases, or is too long. */
export function checkCanvases(
  given: ReadonlyArray<OffscreenCanvas | undefined>,
  numEnvs: number,
): Array<OffscreenCanvas | undefined> {
  if (!Array.isArray(given) || given.length > numEnvs) {
    throw new Gym2600Error("bad-option", `canvases has to be a list of at most ${numEnvs} canvases`);
  }
  const canvases = Array.from(given as typeof given);
  for (const canvas of canvases) if (canvas !== undefined) checkCanvas(canvas);
  return canvases;
}

/** Refuses a call because of `lanes`, if there are any. */
export function refuse(lanes: readonly number[], code: ErrorCode, reason: string): void {
  if (lanes.length > 0) throw lanesError(lanes, new Gym2600Error(code, reason));
}
