/** Results of several lanes as arrays. */

import type { BufferPool } from "../buffers/buffer-pool.js";
import { bytesOf, checkObservation, newObservation, observationOver } from "../buffers/observation-buffers.js";
import { countOf, writeOutcomes } from "../env/step-record.js";
import { Gym2600Error } from "../errors.js";
import { Box, checkSeed } from "../spaces.js";
import type { GameDescription, Info, Observation } from "../types.js";
import type { Part } from "./lane-group.js";
import type { VectorBatch, VectorStepResult } from "./vector-types.js";

/** A result to be filled. */
export interface Batch extends VectorStepResult {
  readonly infos: Info[];
}

/** What is known of a lane of which nothing is known. */
export const NO_INFO: Info = { lives: 0, frameNumber: 0, episodeFrameNumber: 0 };

/** What a batch of all lanes is like. */
export interface BatchShape {
  /** Of all its observations. */
  readonly space: Box;
  /** How many results it has: one for each lane, for each step. */
  readonly rows: number;
  readonly numEnvs: number;
  /** Bytes of a lane's observation. */
  readonly laneBytes: number;
  /** Memory for observations that came back. */
  readonly pool: BufferPool;
}

/**
 * What a caller gave to be filled: arrays of an earlier batch, one for observations, or nothing. Refused if it has not the
 * places of a batch.
 */
export function given(into: Observation | VectorStepResult | undefined, { space, rows }: BatchShape): Partial<Batch> {
  if (into === undefined) return {};
  const given: Partial<Batch> = ArrayBuffer.isView(into) ? { observations: into } : (into as Batch);
  checkObservation(given.observations as Observation, space);
  const places = given.rewards?.length ?? rows;
  if (places !== rows) throw new Gym2600Error("bad-buffer", `a result of ${places} places is not one of ${rows}`);
  return given;
}

/** Room for `rows` results, with `observations` for theirs. */
function newBatch(observations: Observation, rows: number): Batch {
  return {
    observations,
    rewards: new Float64Array(rows),
    terminated: new Uint8Array(rows),
    truncated: new Uint8Array(rows),
    infos: new Array<Info>(rows).fill(NO_INFO),
  };
}

/**
 * An array of `space` for what parts brought. A part that has all of that gives its memory away rather than have it copied;
 * what came back is used only if no place of it stays as it was.
 */
function roomFor(parts: readonly Part[], space: Box, pool: BufferPool): Observation {
  const bytes = parts.reduce((sum, { observations }) => sum + observations.byteLength, 0);
  const taken = () => (parts.length === 1 ? parts[0]?.observations : pool.take(bytes));
  const buffer = bytes === space.byteLength ? taken() : undefined;
  return buffer === undefined ? newObservation(space) : observationOver(buffer, space.dtype);
}

/** What parts brought, with each lane in its place. */
export function joined(
  parts: readonly Part[],
  { space, rows, numEnvs, laneBytes, pool }: BatchShape,
  given: Partial<Batch>,
): Batch {
  const room = given.observations ?? roomFor(parts, space, pool);
  const batch = given.rewards === undefined ? newBatch(room, rows) : (given as Batch);
  for (const part of parts) writePart(batch, part, laneBytes, numEnvs, part.lanes[0] ?? 0, pool);
  return batch;
}

/** The space of some lanes' observations. */
export function batchSpace({ shape, dtype }: Box, ...axes: number[]): Box {
  return new Box([...axes, ...shape], dtype);
}

/**
 * Writes what `part` brought into `batch`, whose rows are of `width` lanes; the part's lanes follow one another there from
 * place `first` on.
 */
function writePart(
  batch: Batch,
  { lanes, outcomes, observations }: Part,
  laneBytes: number,
  width: number,
  first: number,
  pool: BufferPool,
): void {
  writeOutcomes(batch, outcomes, lanes.length, first, width);
  if (observations === batch.observations.buffer) return;
  const bytes = bytesOf(batch.observations);
  const count = lanes.length * laneBytes;
  for (let from = 0, to = first * laneBytes; from < observations.byteLength; from += count, to += width * laneBytes) {
    bytes.set(new Uint8Array(observations, from, count), to);
  }
  pool.add(observations);
}

/**
 * What some parts brought, one after the other, with observations of `space` in an array of their own, of memory that may have
 * come back, or at `whole`'s start.
 */
export function gather(parts: readonly Part[], space: Box, pool: BufferPool, whole?: Observation): VectorBatch {
  const envIds = Int32Array.from(parts.flatMap(({ lanes }) => lanes));
  const rows = parts.reduce((count, { outcomes }) => count + countOf(outcomes), 0);
  const lanes = parts.reduce((sum, { observations }) => sum + observations.byteLength, 0) / space.byteLength;
  const room = whole?.subarray(0, lanes * space.size) ?? roomFor(parts, batchSpace(space, lanes), pool);
  const batch = newBatch(room, rows);
  let first = 0;
  for (const part of parts) {
    writePart(batch, part, space.byteLength, envIds.length, first, pool);
    first += part.lanes.length;
  }
  return { envIds, ...batch };
}

/** The seeds of `numEnvs` lanes, of one number or of a list. */
export function seedsOf(
  seed: number | readonly number[],
  numEnvs: number,
  seeding: GameDescription["spec"]["seeding"],
): number[] {
  if (typeof seed === "number") {
    checkSeed(seed);
    return Array.from({ length: numEnvs }, (_, lane) => (seeding === "gym" ? seed : checkSeed(seed + lane)));
  }
  if (seed.length !== numEnvs) {
    const lengths = `seed has length ${seed.length} but must have length equal to numEnvs which is ${numEnvs}`;
    throw new Gym2600Error("bad-option", lengths);
  }
  return seed.map(checkSeed);
}

/** `error` as one of some lanes. */
export function lanesError(lanes: readonly number[], error: Gym2600Error, rest?: VectorBatch): Gym2600Error {
  const who = lanes.length === 1 ? "environment" : "environments";
  return new Gym2600Error(error.code, `${who} ${lanes.join(", ")}: ${error.message}`, { cause: error, lanes, rest });
}
