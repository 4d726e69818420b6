/** Statistics over the episodes of a batch. */

import { checkCount, checkMethods, checkOptions, expected, MAX_ENVS, namedOptions } from "../arguments.js";
import { Gym2600Error, shown } from "../errors.js";
import type { BatchStep, SingleStep } from "./environment.js";

/** A target of statistics, such as a chart, a log or an event file. */
export interface ScalarWriter {
  /** Takes one value of a series at a step. */
  scalar(name: string, value: number, step: number): void;
}

/** One environment's running and finished episodes. */
interface Lane {
  reward: number;
  /** Steps before the environment's first end since the last write. */
  length: number;
  ended: boolean;
  /** Rewards of the last episodes, with the latest at the end. */
  readonly finished: number[];
}

/** Options of {@link EpisodeStatistics}. */
export interface EpisodeStatisticsOptions {
  readonly writer: ScalarWriter;
  /** The number of environments (1). */
  readonly numEnvs?: number | undefined;
  /** The prefix of names, such as a game's name: `prefix/total_reward`. */
  readonly prefix?: string | undefined;
  /** The number of episodes of the mean (100). */
  readonly window?: number | undefined;
}

/**
 * The summaries of the Python original of `nature-dqn`: `total_reward`, `reward_mean_100` over the last episodes, `episode_length`,
 * and over several environments `min_reward` and `max_reward`.
 *
 * They are written when every environment has ended an episode since the last write. If an environment has ended several, the
 * total has its last reward, the mean has all of them, and the length is that of the first. The written step number counts the
 * steps of all environments. An episode is a game: if `info.realDone` is false, only a life was lost and the episode continues.
 *
 * ```ts
 * import { EpisodeStatistics, MemoryWriter, VectorEnv, wallop } from "gym2600";
 *
 * const envs = await VectorEnv.create({ rom: wallop, numEnvs: 2, preset: "labml" });
 * const statistics = new EpisodeStatistics({ numEnvs: 2, prefix: "wallop", writer: new MemoryWriter() });
 * await envs.reset();
 * statistics.record(await envs.step([1, 1]));
 * await envs.close();
 * ```
 */
export class EpisodeStatistics {
  readonly #writer: ScalarWriter;
  readonly #prefix: string;
  readonly #window: number;
  readonly #lanes: readonly Lane[];
  #step = 0;

  /** @throws Gym2600Error `bad-option` for an invalid number of environments or window */
  constructor(options: EpisodeStatisticsOptions) {
    const given = namedOptions(options, "writer", "numEnvs", "prefix", "window");
    const { writer, numEnvs = 1, prefix, window = 100 } = given;
    checkMethods("writer", writer, "scalar");
    checkCount("numEnvs", numEnvs, 1, MAX_ENVS);
    checkCount("window", window, 1);
    this.#writer = writer;
    this.#prefix = prefix === undefined ? "" : `${shown(prefix)}/`;
    this.#window = window;
    this.#lanes = Array.from({ length: numEnvs }, () => ({ reward: 0, length: 0, ended: false, finished: [] }));
  }

  /**
   * Records a step of every environment. Writes the statistics if they are due.
   *
   * @throws Gym2600Error `bad-action` for a result of another number of environments, or with a reward that is no number; `bad-option` for
   * what is no result
   */
  record(result: SingleStep | BatchStep): void {
    const steps = stepsOf(result, this.#lanes.length);
    for (const [index, { reward, ends }] of steps.entries()) {
      const lane = this.#lanes[index] as Lane;
      lane.reward += reward;
      if (!lane.ended) lane.length += 1;
      if (!ends) continue;
      lane.ended = true;
      lane.finished.push(lane.reward);
      if (lane.finished.length > this.#window) lane.finished.shift();
      lane.reward = 0;
    }
    this.#step += steps.length;
    if (this.#lanes.every(({ ended }) => ended)) this.#write();
  }

  /** Drops the running episodes, for a reset of the whole batch. The finished ones stay in the means. */
  reset(): void {
    for (const lane of this.#lanes) Object.assign(lane, { reward: 0, length: 0, ended: false });
  }

  #write(): void {
    const latest = this.#lanes.map(({ finished }) => expected(finished.at(-1), "each lane has ended"));
    this.#scalar("total_reward", mean(latest));
    this.#scalar(`reward_mean_${this.#window}`, mean(this.#lanes.map(({ finished }) => mean(finished))));
    this.#scalar("episode_length", mean(this.#lanes.map(({ length }) => length)));
    if (latest.length > 1) {
      this.#scalar("min_reward", Math.min(...latest));
      this.#scalar("max_reward", Math.max(...latest));
    }
    for (const lane of this.#lanes) Object.assign(lane, { length: 0, ended: false });
  }

  #scalar(name: string, value: number): void {
    this.#writer.scalar(this.#prefix + name, value, this.#step);
  }
}

/** One value of a series. */
export interface Scalar {
  readonly step: number;
  readonly value: number;
}

/** Keeps the written values by name, for charts. */
export class MemoryWriter implements ScalarWriter {
  /** The series by name, in the order of writing. */
  readonly series: Map<string, Scalar[]> = new Map();

  scalar(name: string, value: number, step: number): void {
    const series = this.series.get(name);
    if (series === undefined) this.series.set(name, [{ step, value }]);
    else series.push({ step, value });
  }
}

/** Of each environment the reward, and whether an episode ends. */
function stepsOf(result: SingleStep | BatchStep, count: number): Array<{ reward: number; ends: boolean }> {
  const batch = "rewards" in checkOptions(result) ? result : batchOf(result as SingleStep);
  const { rewards, terminated, truncated, infos } = batch as BatchStep;
  if ([rewards, terminated, truncated, infos].some((list) => typeof list?.length !== "number")) {
    throw new Gym2600Error("bad-action", "a result has rewards, terminated, truncated and infos");
  }
  if (rewards.length !== count) {
    throw new Gym2600Error("bad-action", `${rewards.length} rewards were given for ${count} environments`);
  }
  return Array.from({ length: count }, (_, index) => {
    const reward = rewards[index];
    if (typeof reward !== "number") throw new Gym2600Error("bad-action", `a reward is ${shown(reward)}, no number`);
    return { reward, ends: infos[index]?.realDone ?? Boolean(terminated[index] || truncated[index]) };
  });
}

function batchOf({ reward, terminated, truncated, info }: SingleStep) {
  return { rewards: [reward], terminated: [terminated], truncated: [truncated], infos: [info] };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
