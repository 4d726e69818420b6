/**
 * Step records: the results of resets and steps besides observations.
 *
 * A record has one form on its way from WebAssembly to the caller: a row of numbers, which the Rust side's `StepRecord` writes
 * and whose places are {@link RECORD}. Workers send rows; objects are made where a caller reads them.
 */

import { RECORD, RECORD_FLAGS, RECORD_LENGTH } from "../schema/gym.js";
import type { Info, Labels, Observation, StepResult } from "../types.js";

/** Records of some steps, numbered from 0. */
export interface StepRecords {
  /** A row of `RECORD_LENGTH` numbers for each. Workers copy it: it is too small for a transfer to pay. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** By row with the flag `finalInfo`: the last observation of an episode, whose last step also started the next one. */
  finalObservations?: Map<number, Observation> | undefined;
  /** By row, where the lane's infos have labels. */
  labels?: Map<number, Labels> | undefined;
  /** By row with the flag `finalInfo`: those of that info. */
  finalLabels?: Map<number, Labels> | undefined;
}

/** Records of `rows` steps, to be filled. */
export function newRecords(rows: number): StepRecords {
  return { numbers: new Float64Array(rows * RECORD_LENGTH) };
}

/** How many records there are. */
export function countOf({ numbers }: StepRecords): number {
  return numbers.length / RECORD_LENGTH;
}

/** A number of a record. */
export function numberAt({ numbers }: StepRecords, row: number, field: keyof typeof RECORD): number {
  return numbers[row * RECORD_LENGTH + RECORD[field]] as number;
}

/** Whether a record has a flag. */
export function isAt(records: StepRecords, row: number, flag: keyof typeof RECORD_FLAGS): boolean {
  return (numberAt(records, row, "flags") & RECORD_FLAGS[flag]) !== 0;
}

/** Whether an episode ended with a step. */
export function endedAt(records: StepRecords, row: number): boolean {
  return isAt(records, row, "terminated") || isAt(records, row, "truncated");
}

/** A record as a step's result, without the observation. */
export function resultAt(records: StepRecords, row: number): Omit<StepResult, "observation"> {
  return {
    reward: numberAt(records, row, "reward"),
    rawReward: numberAt(records, row, "rawReward"),
    terminated: isAt(records, row, "terminated"),
    truncated: isAt(records, row, "truncated"),
    info: infoAt(records, row),
  };
}

/** The info of a record. */
export function infoAt(records: StepRecords, row: number): Info {
  const counts = {
    lives: numberAt(records, row, "lives"),
    frameNumber: numberAt(records, row, "frameNumber"),
    episodeFrameNumber: numberAt(records, row, "episodeFrameNumber"),
  };
  const labels = records.labels?.get(row);
  // Most infos are without labels, and each step makes one.
  const info: Info = labels === undefined ? counts : { ...counts, labels };
  // Most steps end no episode.
  if (numberAt(records, row, "flags") === 0) return info;
  const ending = {
    ...(isAt(records, row, "episode") ? { episode: episodeAt(records, row) } : undefined),
    ...(endedAt(records, row) ? { realDone: isAt(records, row, "realDone") } : undefined),
  };
  const finalObservation = isAt(records, row, "finalInfo") ? records.finalObservations?.get(row) : undefined;
  if (finalObservation === undefined) return { ...info, ...ending };
  const finalLabels = records.finalLabels?.get(row);
  const finalInfo = {
    lives: numberAt(records, row, "finalLives"),
    frameNumber: numberAt(records, row, "finalFrameNumber"),
    episodeFrameNumber: numberAt(records, row, "finalEpisodeFrameNumber"),
    ...(finalLabels === undefined ? undefined : { labels: finalLabels }),
    ...ending,
  };
  return { ...info, ...ending, finalObservation, finalInfo };
}

function episodeAt(records: StepRecords, row: number): NonNullable<Info["episode"]> {
  return {
    reward: numberAt(records, row, "episodeReward"),
    length: numberAt(records, row, "episodeLength"),
    frames: numberAt(records, row, "episodeFrames"),
  };
}
