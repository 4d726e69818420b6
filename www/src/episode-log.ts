/** The episodes so far: the running ones of all lanes, the finished ones, and their means. */

import type { Started, Taken } from "./games.js";

/** How many episodes a mean is taken over. */
export const MEAN_OVER = 100;

/** How many finished episodes are kept. Older ones are counted only. */
export const KEPT = 200_000;

/** A finished episode. */
export interface Episode {
  readonly lane: number;
  /** The lane's first is 1. */
  readonly number: number;
  readonly reward: number;
  readonly length: number;
  /** How many steps the lane had taken by its end. */
  readonly step: number;
  /** Seconds from the start of the games to its end. */
  readonly time: number;
}

/** What is known about a lane. */
export interface LaneTally {
  /** The running episode's sum of rewards and its number of steps. */
  reward: number;
  length: number;
  lives: number;
  /** The number of the last action, or undefined before the first. */
  action: number | undefined;
  steps: number;
  episodes: number;
  /** The next step only starts an episode. */
  ended: boolean;
  /** The rewards of the latest episodes, the last {@link MEAN_OVER} at most. */
  readonly latest: number[];
}

export class EpisodeLog {
  /** How many steps all lanes have taken, and how many episodes they have finished. */
  steps = 0;
  count = 0;
  /** The finished ones, the oldest first. */
  finished: Episode[] = [];
  lanes: LaneTally[] = [];

  #since = 0;
  #resetTakesStep = false;

  /** Forgets everything, and gets ready for the episodes of some games. */
  begin(numEnvs: number, resetTakesStep: boolean): void {
    this.steps = 0;
    this.count = 0;
    this.finished = [];
    this.lanes = Array.from({ length: numEnvs }, newTally);
    this.#since = performance.now();
    this.#resetTakesStep = resetTakesStep;
  }

  /** Takes steps into account. Says how many episodes they ended. */
  add({ lanes, rows, rewards, terminated, truncated, infos }: Taken): number {
    const before = this.count;
    for (let place = 0; place < infos.length; place++) {
      const lane = lanes[place % lanes.length] ?? 0;
      const tally = this.lanes[lane];
      const info = infos[place];
      if (tally === undefined || info === undefined) continue;
      tally.lives = info.lives;
      tally.action = rows[Math.floor(place / lanes.length)]?.[lane];
      tally.steps += 1;
      this.steps += 1;
      if (tally.ended && this.#resetTakesStep) {
        tally.ended = false;
        continue;
      }
      tally.reward += rewards[place] ?? 0;
      tally.length += 1;
      tally.ended = Boolean(terminated[place] || truncated[place]);
      if (info.episode !== undefined) this.#finish(lane, tally, info.episode.reward, info.episode.length);
      if (tally.ended || info.episode !== undefined) restart(tally);
    }
    return this.count - before;
  }

  /** Starts the running episodes of some lanes anew; those that were running do not count. */
  abandon({ lanes, infos }: Started): void {
    for (const [index, lane] of lanes.entries()) {
      const tally = this.lanes[lane];
      if (tally === undefined) continue;
      restart(tally);
      tally.ended = false;
      tally.action = undefined;
      tally.lives = infos[index]?.lives ?? 0;
    }
  }

  /** The mean reward of the last {@link MEAN_OVER} episodes of all lanes; undefined before the first. */
  mean(): number | undefined {
    return meanOf(this.finished.slice(-MEAN_OVER).map(({ reward }) => reward));
  }

  #finish(lane: number, tally: LaneTally, reward: number, length: number): void {
    this.count += 1;
    tally.episodes += 1;
    tally.latest.push(reward);
    if (tally.latest.length > MEAN_OVER) tally.latest.shift();
    const time = (performance.now() - this.#since) / 1000;
    this.finished.push({ lane, number: tally.episodes, reward, length, step: tally.steps, time });
    // Dropped in large pieces: each costs as much as there are.
    if (this.finished.length > 1.1 * KEPT) this.finished = this.finished.slice(-KEPT);
  }
}

export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function newTally(): LaneTally {
  return { reward: 0, length: 0, lives: 0, action: undefined, steps: 0, episodes: 0, ended: false, latest: [] };
}

function restart(tally: LaneTally): void {
  tally.reward = 0;
  tally.length = 0;
}
