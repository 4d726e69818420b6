/** Statistics over the games of one environment or of a batch. */

import { checkCount, checkMethods, checkOptions, expected, namedOptions } from "../arguments.js";
import { Gym2600Error, shown } from "../errors.js";
import { MAX_ENVS } from "../schema/gym.js";
import type { EpisodeSummary } from "../types.js";
import type { BatchStep, SingleStep } from "./environment.js";

/** A target of statistics, such as a chart, a log or an event file. */
export interface ScalarWriter {
  /** Takes one value of a series at a step. */
  scalar(name: string, value: number, step: number): void;
}

/** One environment's running and finished games. */
interface Lane {
  reward: number;
  /** Steps before the environment's first end since the last write. */
  length: number;
  ended: boolean;
  /** Rewards of the last games, with the latest at the end. */
  readonly finished: number[];
}

/** What a step brought in one environment. */
interface LaneStep {
  readonly reward: number;
  readonly ends: boolean;
  /** The game that it ended, as the environment counts it. */
  readonly game: EpisodeSummary | undefined;
  /** The same for a single environment, where the original sees every frame of a game. */
  readonly whole: EpisodeSummary | undefined;
}

/** Options of {@link EpisodeStatistics}. */
export interface EpisodeStatisticsOptions {
  readonly writer: ScalarWriter;
  /** The number of environments (1). */
  readonly numEnvs?: number | undefined;
  /** The prefix of names, such as a game's name: `prefix/total_reward`. */
  readonly prefix?: string | undefined;
  /** The number of games of the means (100). */
  readonly window?: number | undefined;
}

/**
 * The score of games, in two ways. If `info.realDone` is false, only a life was lost, and the game continues.
 *
 * **The last games.** Each end of a game writes `score_mean_100`, `length_mean_100` and `frames_mean_100`: the means of `info.episode` over the
 * last 100 games of all environments together, which are the raw score of the whole game, the agent's steps and the frames. Environments of
 * your own that give no `info.episode` have none of them.
 *
 * **`TFSummaries`**, as in the Python original of `nature-dqn`. It writes `total_reward`, `reward_mean_100`, `episode_length`, and for a batch
 * `min_reward` and `max_reward`, when every environment has ended a game since the last write. If an environment has ended several, the total
 * has the reward of the last, and the mean has all of them. Rewards are raw. Results of a single environment give the reward and length of
 * the whole game, and the length counts frames. Results of a batch give the rewards of its steps, without the points that fall in the steps of a
 * reset; the length counts the steps of the batch since the last write, to the environment's first end. It is shorter than a game, because
 * most games have begun before that write.
 *
 * The written step number counts the steps of all environments.
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
  /** The last games of all environments, with the latest at the end. */
  readonly #games: EpisodeSummary[] = [];
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
    const games = steps.flatMap(({ game }) => game ?? []);
    for (const [index, { reward, ends, whole }] of steps.entries()) {
      const lane = this.#lanes[index] as Lane;
      lane.reward += reward;
      if (!lane.ended) lane.length += 1;
      if (!ends) continue;
      if (whole !== undefined) Object.assign(lane, { reward: whole.reward, length: whole.frames });
      lane.ended = true;
      keep(lane.finished, lane.reward, this.#window);
      lane.reward = 0;
    }
    this.#step += steps.length;
    for (const game of games) keep(this.#games, game, this.#window);
    if (games.length > 0) this.#writeGames();
    if (this.#lanes.every(({ ended }) => ended)) this.#write();
  }

  /** Drops the running games, for a reset of the whole batch. The finished ones stay in the means. */
  reset(): void {
    for (const lane of this.#lanes) Object.assign(lane, { reward: 0, length: 0, ended: false });
  }

  #writeGames(): void {
    const means = { score: "reward", length: "length", frames: "frames" } as const;
    for (const [name, key] of Object.entries(means)) {
      this.#scalar(`${name}_mean_${this.#window}`, mean(this.#games.map((game) => game[key])));
    }
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

/** What a result brought in each environment. */
function stepsOf(result: SingleStep | BatchStep, count: number): LaneStep[] {
  const isBatch = "rewards" in checkOptions(result);
  const batch = (isBatch ? result : batchOf(result as SingleStep)) as BatchStep;
  const { rewards, rawRewards, terminated, truncated, infos } = batch;
  if ([rewards, terminated, truncated, infos].some((list) => typeof list?.length !== "number")) {
    throw new Gym2600Error("bad-action", "a result has rewards, terminated, truncated and infos");
  }
  if (rewards.length !== count) {
    throw new Gym2600Error("bad-action", `${rewards.length} rewards were given for ${count} environments`);
  }
  return Array.from({ length: count }, (_, index) => {
    const reward = rawRewards?.[index] ?? rewards[index];
    if (typeof reward !== "number") throw new Gym2600Error("bad-action", `a reward is ${shown(reward)}, no number`);
    const { realDone, episode } = infos[index] ?? {};
    const ends = realDone ?? Boolean(terminated[index] || truncated[index]);
    const game = ends ? episode : undefined;
    return { reward, ends, game, whole: isBatch ? undefined : game };
  });
}

function batchOf({ reward, rawReward, terminated, truncated, info }: SingleStep) {
  const rawRewards = rawReward === undefined ? undefined : [rawReward];
  return { rewards: [reward], rawRewards, terminated: [terminated], truncated: [truncated], infos: [info] };
}

/** Adds a value to the last ones. */
function keep<T>(last: T[], value: T, count: number): void {
  last.push(value);
  if (last.length > count) last.shift();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
