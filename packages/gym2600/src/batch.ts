/** Results of several lanes as arrays. */

import { Gym2600Error } from "./errors.js";
import type { Part } from "./lane-group.js";
import { bytesOf, checkObservation, newObservation } from "./observation.js";
import { Box, checkSeed } from "./spaces.js";
import type { GameDescription, Info, Observation } from "./types.js";
import type { VectorBatch, VectorStepResult } from "./vector-types.js";

/** A result to be filled. */
export interface Batch extends VectorStepResult {
  readonly infos: Info[];
}

/** What is known of a lane of which nothing is known. */
export const NO_INFO: Info = { lives: 0, frameNumber: 0, episodeFrameNumber: 0 };

/** Room for `rows` results, with `observations` for theirs. */
export function newBatch(observations: Observation, rows: number): Batch {
  return {
    observations,
    rewards: new Float64Array(rows),
    terminated: new Uint8Array(rows),
    truncated: new Uint8Array(rows),
    infos: new Array<Info>(rows).fill(NO_INFO),
  };
}

/** An earlier result to be filled again, if it has the places. */
export function reusedBatch(result: VectorStepResult, space: Box, rows: number): Batch {
  checkObservation(result.observations, space);
  if (result.rewards.length !== rows) {
    throw new Gym2600Error("bad-buffer", `a result of ${result.rewards.length} places is not one of ${rows}`);
  }
  return result as Batch;
}

/** Somebody's array for observations, or a new one. */
export function target(into: Observation | undefined, space: Box): Observation {
  if (into === undefined) return newObservation(space);
  checkObservation(into, space);
  return into;
}

/** The space of some lanes' observations. */
export function batchSpace({ shape, dtype }: Box, ...axes: number[]): Box {
  return new Box([...axes, ...shape], dtype);
}

/** Writes what `part` brought into `batch`, whose rows are of `width` lanes; `place` says where in a row each lane is. */
export function writePart(
  batch: Batch,
  part: Part,
  laneBytes: number,
  width: number,
  place: (lane: number, index: number) => number,
): void {
  const { lanes, outcomes, observations } = part;
  const bytes = bytesOf(batch.observations);
  const places = lanes.map(place);
  const at = (row: number) => Math.floor(row / lanes.length) * width + (places[row % lanes.length] ?? 0);
  for (let row = 0; row * laneBytes < observations.length; row++) {
    bytes.set(observations.subarray(row * laneBytes, (row + 1) * laneBytes), at(row) * laneBytes);
  }
  for (const [row, { reward, terminated, truncated, info }] of outcomes.entries()) {
    const to = at(row);
    batch.rewards[to] = reward;
    batch.terminated[to] = Number(terminated);
    batch.truncated[to] = Number(truncated);
    batch.infos[to] = info;
  }
  part.release();
}

/** What some parts brought, one after the other; `observations` has room for at least that. */
export function gather(parts: readonly Part[], laneBytes: number, room: (lanes: number) => Observation): VectorBatch {
  const envIds = Int32Array.from(parts.flatMap(({ lanes }) => lanes));
  const rows = parts.reduce((count, { outcomes }) => count + outcomes.length, 0);
  const batch = newBatch(room(parts.reduce((bytes, part) => bytes + part.observations.length, 0) / laneBytes), rows);
  let start = 0;
  for (const part of parts) {
    const from = start;
    writePart(batch, part, laneBytes, envIds.length, (_, index) => from + index);
    start += part.lanes.length;
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
