/** The results of several lanes, joined into arrays. */

import { expected } from "../arguments.js";
import type { BufferPool } from "../buffers/buffer-pool.js";
import { bytesOf, checkObservation, firstOf, newObservation, observationOver } from "../buffers/observation-buffers.js";
import { countOf, infoAt, isAt, numberAt } from "../env/step-record.js";
import { Gym2600Error, shown } from "../errors.js";
import { Box, checkSeed } from "../spaces.js";
import type { GameDescription, Info, Observation, VectorBatch, VectorStepResult } from "../types.js";
import type { LaneResults } from "./lane-group.js";

/** A result to be filled. */
interface Batch extends VectorStepResult {
  readonly infos: Info[];
}

/** Placeholder info for a lane that has not been reset. */
export const NO_INFO: Info = { lives: 0, frameNumber: 0, episodeFrameNumber: 0 };

/** The arrays of a batch of all lanes. */
export interface BatchLayout {
  /** The space of all its observations. */
  readonly space: Box;
  /** How many results it has: one for each lane, for each step. */
  readonly rows: number;
  readonly numEnvs: number;
  /** Bytes of a lane's observation. */
  readonly laneBytes: number;
  /** Recycled buffers for observations. */
  readonly pool: BufferPool;
}

/** The types of a result's arrays besides the observations. */
const ARRAYS = {
  rewards: Float64Array,
  rawRewards: Float64Array,
  terminated: Uint8Array,
  truncated: Uint8Array,
  infos: Array,
} as const;

/**
 * The arrays that the caller gave to be filled: an earlier result, an array for observations, or none.
 *
 * @throws Gym2600Error `bad-buffer` if they do not have the places of a batch
 */
export function checkInto(
  into: Observation | VectorStepResult | undefined,
  { space, rows }: BatchLayout,
): Partial<Batch> {
  if (into === undefined) return {};
  const arrays: Partial<Batch> = ArrayBuffer.isView(into) ? { observations: into } : Object(into);
  checkObservation(arrays.observations, space);
  if (ArrayBuffer.isView(into)) return arrays;
  for (const name of Object.keys(ARRAYS) as Array<keyof typeof ARRAYS>) {
    const array: unknown = arrays[name];
    const type = ARRAYS[name];
    if (array instanceof type && array.length === rows && !Object.isFrozen(array)) continue;
    throw new Gym2600Error("bad-buffer", `into.${name} is no ${type.name} of ${rows} to be filled`);
  }
  return arrays;
}

/** A batch of `rows` results around `observations`. */
function newBatch(observations: Observation, rows: number): Batch {
  return {
    observations,
    rewards: new Float64Array(rows),
    rawRewards: new Float64Array(rows),
    terminated: new Uint8Array(rows),
    truncated: new Uint8Array(rows),
    infos: new Array<Info>(rows).fill(NO_INFO),
  };
}

/**
 * An array of `space` for the observations of parts. A single part that fills it gives its buffer away, which saves the copy.
 * A recycled buffer is used only if the parts overwrite all of it.
 */
function targetFor(parts: readonly LaneResults[], space: Box, pool: BufferPool): Observation {
  const bytes = parts.reduce((sum, { observations }) => sum + observations.byteLength, 0);
  const taken = () => (parts.length === 1 ? parts[0]?.observations : pool.take(bytes));
  const buffer = bytes === space.byteLength ? taken() : undefined;
  return buffer === undefined ? newObservation(space) : observationOver(buffer, space.dtype);
}

/** The results of parts, with each lane in its place. */
export function joined(
  parts: readonly LaneResults[],
  { space, rows, numEnvs, laneBytes, pool }: BatchLayout,
  into: Partial<Batch>,
): Batch {
  const target = into.observations ?? targetFor(parts, space, pool);
  const batch = into.rewards === undefined ? newBatch(target, rows) : (into as Batch);
  for (const part of parts) {
    const first = expected(part.lanes[0], "a part has at least one lane");
    writeResults(batch, part, laneBytes, numEnvs, first, pool);
  }
  return batch;
}

/** The space of some lanes' observations. */
export function batchSpace({ shape, dtype, low, high }: Box, ...axes: number[]): Box {
  return new Box([...axes, ...shape], dtype, low, high);
}

/** Writes the results of `part` into `batch`, whose rows are `width` lanes wide; the part's lanes start at place `first`. */
function writeResults(
  batch: Batch,
  { lanes, records, observations }: LaneResults,
  laneBytes: number,
  width: number,
  first: number,
  pool: BufferPool,
): void {
  const { rewards, rawRewards, terminated, truncated, infos } = batch;
  const rows = countOf(records);
  for (let row = 0, start = first; row < rows; start += width) {
    for (let place = start; place < start + lanes.length; place++, row++) {
      rewards[place] = numberAt(records, row, "reward");
      rawRewards[place] = numberAt(records, row, "rawReward");
      terminated[place] = Number(isAt(records, row, "terminated"));
      truncated[place] = Number(isAt(records, row, "truncated"));
      infos[place] = infoAt(records, row);
    }
  }
  if (observations === batch.observations.buffer) return;
  const bytes = bytesOf(batch.observations);
  const count = lanes.length * laneBytes;
  for (let from = 0, to = first * laneBytes; from < observations.byteLength; from += count, to += width * laneBytes) {
    bytes.set(new Uint8Array(observations, from, count), to);
  }
  pool.add(observations);
}

/** The results of parts, one after the other, with observations of `space` in a new or recycled array, or at the start of `into`. */
export function gather(parts: readonly LaneResults[], space: Box, pool: BufferPool, into?: Observation): VectorBatch {
  const envIds = Int32Array.from(parts.flatMap(({ lanes }) => lanes));
  const rows = parts.reduce((count, { records }) => count + countOf(records), 0);
  const lanes = parts.reduce((sum, { observations }) => sum + observations.byteLength, 0) / space.byteLength;
  // A space has no axis of length 0.
  const made = () =>
    lanes === 0 ? observationOver(new ArrayBuffer(0), space.dtype) : targetFor(parts, batchSpace(space, lanes), pool);
  const target = (into && firstOf(into, lanes * space.size)) ?? made();
  const batch = newBatch(target, rows);
  let first = 0;
  for (const part of parts) {
    writeResults(batch, part, space.byteLength, envIds.length, first, pool);
    first += part.lanes.length;
  }
  return { envIds, ...batch };
}

/** The seeds of `numEnvs` lanes, from one number or a list. */
export function seedsOf(
  seed: number | readonly number[],
  numEnvs: number,
  seeding: GameDescription["spec"]["seeding"],
): number[] {
  if (typeof seed === "number") {
    checkSeed(seed);
    return Array.from({ length: numEnvs }, (_, lane) => (seeding === "gym" ? seed : checkSeed(seed + lane)));
  }
  if (!Array.isArray(seed))
    throw new Gym2600Error("bad-option", `seed: ${shown(seed)} is no number and no list of them`);
  if (seed.length !== numEnvs) {
    const lengths = `seed has length ${seed.length} but must have length equal to numEnvs which is ${numEnvs}`;
    throw new Gym2600Error("bad-option", lengths);
  }
  // Not map, which skips the holes of a sparse list.
  return Array.from(seed, checkSeed);
}

/** `error` with the lanes at fault. */
export function lanesError(lanes: readonly number[], error: Gym2600Error, rest?: VectorBatch): Gym2600Error {
  const who = lanes.length === 1 ? "environment" : "environments";
  const { code, message, details } = error;
  return new Gym2600Error(code, `${who} ${lanes.join(", ")}: ${message}`, { cause: error, details, lanes, rest });
}

/** The actions at some places of lists, step by step. */
export function dealt(actions: ReadonlyArray<ArrayLike<number>>, places: readonly number[]): number[] {
  const dealt: number[] = [];
  for (const list of actions) {
    for (const place of places) dealt.push(expected(list[place], "each lane has an action"));
  }
  return dealt;
}
