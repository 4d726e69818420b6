/**
 * What steps and resets bring besides observations, as a worker tells it: a few numbers for each, and an object only where
 * an episode ended. Objects for each step would cost more to send than all the rest of a message.
 */

import type { Info, StepResult } from "../types.js";
import type { Batch } from "../vector/batch.js";

/** A step's result without its observation. */
export type Outcome = Omit<StepResult, "observation">;

/** What an info has besides numbers of frames and lives: all that is known of an episode's end. */
export type Ending = Omit<Info, "lives" | "frameNumber" | "episodeFrameNumber">;

/** The outcomes of some steps, numbered from 0. */
export interface Outcomes {
  /** For each of them: reward, flags (1 for terminated, 2 for truncated), lives, frame number, episode frame number. */
  readonly numbers: number[];
  /** By the number of the outcome; there only if an episode ended. */
  endings?: Map<number, Ending> | undefined;
}

/** How many numbers an outcome has. */
const NUMBERS = 5;

/** How many outcomes there are. */
export function countOf({ numbers }: Outcomes): number {
  return numbers.length / NUMBERS;
}

/** 1 for terminated, 2 for truncated, 3 for both, 0 for an episode that goes on. */
export function flagsOf({ numbers }: Outcomes, row: number): number {
  return numbers[row * NUMBERS + 1] as number;
}

export function outcomeOf(outcomes: Outcomes, row: number): Outcome {
  const flags = flagsOf(outcomes, row);
  return {
    reward: outcomes.numbers[row * NUMBERS] as number,
    terminated: (flags & 1) !== 0,
    truncated: (flags & 2) !== 0,
    info: infoOf(outcomes, row),
  };
}

/**
 * Writes outcomes of `count` lanes, step by step, into a batch whose steps have `width` places each; the lanes follow one
 * another there from place `first` on.
 */
export function writeOutcomes(batch: Batch, outcomes: Outcomes, count: number, first: number, width: number): void {
  const { rewards, terminated, truncated, infos } = batch;
  const { numbers } = outcomes;
  const rows = countOf(outcomes);
  for (let row = 0, start = first; row < rows; start += width) {
    for (let place = start; place < start + count; place++, row++) {
      const flags = numbers[row * NUMBERS + 1] as number;
      rewards[place] = numbers[row * NUMBERS] as number;
      terminated[place] = flags & 1;
      truncated[place] = flags >> 1;
      infos[place] = infoOf(outcomes, row);
    }
  }
}

function infoOf({ numbers, endings }: Outcomes, row: number): Info {
  const at = row * NUMBERS;
  const info = {
    lives: numbers[at + 2] as number,
    frameNumber: numbers[at + 3] as number,
    episodeFrameNumber: numbers[at + 4] as number,
  };
  return endings === undefined ? info : { ...info, ...endings.get(row) };
}
