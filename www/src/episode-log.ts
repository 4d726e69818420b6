/** The running episodes of all lanes, the finished ones, and their means. */

import type { Started, Taken } from "./games.js";

/** Episodes of a mean. */
export const MEAN_OVER = 100;

/** Finished episodes that are kept. Older ones are only counted. */
export const KEPT = 200_000;

/** A finished episode. */
export interface Episode {
  readonly lane: number;
  /** Its number in the lane, from 1. */
  readonly number: number;
  readonly reward: number;
  readonly length: number;
  /** Steps of the lane up to its end. */
  readonly step: number;
  /** Seconds from the start of the games to its end. */
  readonly time: number;
}

/** The state of a lane. */
export interface LaneTally {
  /** Sum of rewards and number of steps of the running episode. */
  reward: number;
  length: number;
  lives: number;
  /** The index of the last action, undefined before the first. */
  action: number | undefined;
  steps: number;
  episodes: number;
  /** Whether the next step ignores its action and starts an episode. */
  ended: boolean;
  /** The rewards of the last {@link MEAN_OVER} episodes. */
  readonly latest: number[];
}

export class EpisodeLog {
  /** Steps and finished episodes of all lanes. */
  steps = 0;
  count = 0;
  /** Finished episodes, the oldest first. */
  finished: Episode[] = [];
  lanes: LaneTally[] = [];

  #since = 0;
  #resetTakesStep = false;

  /** Starts again with the lanes of new games. */
  begin(numEnvs: number, resetTakesStep: boolean): void {
    this.steps = 0;
    this.count = 0;
    this.finished = [];
    this.lanes = Array.from({ length: numEnvs }, newTally);
    this.#since = performance.now();
    this.#resetTakesStep = resetTakesStep;
  }

  /** Records steps. Returns the number of episodes that they ended. */
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

  /** Restarts the running episodes of some lanes. The interrupted ones do not count. */
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

  /** The mean reward of the last {@link MEAN_OVER} episodes of all lanes, undefined before the first. */
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
    // Many are dropped at once, because a drop copies all that stay.
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
