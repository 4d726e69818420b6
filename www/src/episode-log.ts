/** The episodes so far: the running one, the latest finished ones, and their mean. */

import type { WorkerStepResult } from "gym2600";

/** How many episodes the mean is taken over. */
export const MEAN_OVER = 100;

/** How many finished episodes are kept. Older ones are counted only. */
const KEPT = 1000;

/** A finished episode. */
export interface Episode {
  /** The first is 1. */
  readonly number: number;
  readonly reward: number;
  readonly length: number;
  /** The mean reward of the last {@link MEAN_OVER} episodes up to this one. */
  readonly mean: number;
}

export class EpisodeLog {
  /** How many episodes have finished. */
  count = 0;
  /** The latest finished ones, the oldest first. */
  finished: Episode[] = [];
  /** The running episode's sum of rewards and its number of steps. */
  reward = 0;
  length = 0;

  /** Takes a step's result into account. */
  add(result: WorkerStepResult): void {
    this.reward += result.reward;
    this.length += 1;
    const { episode } = result.info;
    if (episode !== undefined) this.#finish(episode.reward, episode.length);
    if (episode !== undefined || result.terminated || result.truncated) this.abandon();
  }

  /** Starts the running episode anew; it does not count. */
  abandon(): void {
    this.reward = 0;
    this.length = 0;
  }

  /** Forgets everything. */
  clear(): void {
    this.abandon();
    this.count = 0;
    this.finished = [];
  }

  #finish(reward: number, length: number): void {
    this.count += 1;
    const rewards = this.finished.slice(-(MEAN_OVER - 1)).map((episode) => episode.reward);
    const mean = rewards.reduce((sum, one) => sum + one, reward) / (rewards.length + 1);
    this.finished.push({ number: this.count, reward, length, mean });
    if (this.finished.length > KEPT) this.finished.shift();
  }
}
