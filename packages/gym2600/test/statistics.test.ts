import {
  type BatchStep,
  EpisodeStatistics,
  type EpisodeSummary,
  Game,
  MemoryWriter,
  type SingleStep,
  wallop,
} from "gym2600";
import { expect, test } from "vitest";
import { actionsAt, create } from "./lanes.js";
import { opened } from "./opened.js";

const INFO = { lives: 0, frameNumber: 0, episodeFrameNumber: 0 };

/** A step of some environments, each with its reward and whether its episode ended. */
function batch(...steps: ReadonlyArray<readonly [reward: number, ended: boolean, realDone?: boolean]>): BatchStep {
  return {
    observations: new Uint8Array(0),
    rewards: Float64Array.from(steps, ([reward]) => reward),
    terminated: Uint8Array.from(steps, ([, ended]) => Number(ended)),
    truncated: new Uint8Array(steps.length),
    infos: steps.map(([, , realDone]) => (realDone === undefined ? INFO : { ...INFO, realDone })),
  };
}

function entries({ series }: MemoryWriter): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(series, ([name, values]) => [name, values.map(({ step, value }) => [step, value])]),
  );
}

test("nothing is written until every environment has ended an episode", () => {
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer, prefix: "Pong", numEnvs: 2 });
  statistics.record(batch([1, false], [2, true]));
  statistics.record(batch([1, false], [5, true]));
  expect(entries(writer)).toEqual({});
  statistics.record(batch([1, true], [7, false]));
  expect(entries(writer)).toEqual({
    "Pong/total_reward": [[6, 4]],
    "Pong/reward_mean_100": [[6, 3.25]],
    "Pong/episode_length": [[6, 2]],
    "Pong/min_reward": [[6, 3]],
    "Pong/max_reward": [[6, 5]],
  });
});

test("the mean covers the games of its window only", () => {
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer, window: 2 });
  for (const reward of [1, 2, 4]) statistics.record(batch([reward, true]));
  expect(writer.series.get("reward_mean_2")?.map(({ value }) => value)).toEqual([1, 1.5, 3]);
  expect(writer.series.has("min_reward")).toBe(false);
});

test("a reset of the batch drops running episodes", () => {
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer, prefix: "x" });
  statistics.record(batch([9, false]));
  statistics.reset();
  statistics.record(batch([1, true]));
  expect(entries(writer)).toMatchObject({ "x/total_reward": [[2, 1]], "x/episode_length": [[2, 1]] });
});

test("a lost life is no end of a game where realDone tells them apart", () => {
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer });
  statistics.record(batch([1, true, false]));
  expect(writer.series.size).toBe(0);
  statistics.record(batch([2, true, true]));
  expect(writer.series.get("total_reward")).toEqual([{ step: 2, value: 3 }]);
});

test("a wrong number of environments is refused with both numbers", () => {
  const writer = new MemoryWriter();
  expect(() => new EpisodeStatistics({ writer, numEnvs: 0 })).toThrowError(/numEnvs: 0/);
  expect(() => new EpisodeStatistics({ writer, window: 0.5 })).toThrowError(/window: 0.5/);
  const statistics = new EpisodeStatistics({ writer, numEnvs: 2 });
  expect(() => statistics.record(batch([1, true]))).toThrowError("1 rewards were given for 2 environments");
});

test("the last games of a batch have the scores and lengths of its infos, also where a life is an episode", async () => {
  const envs = await create({ preset: "nature-dqn", numEnvs: 2, autoreset: "same-step", workers: 1 });
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer, numEnvs: 2 });
  await envs.reset();
  const totals: [number, number] = [0, 0];
  const latest: [number, number] = [0, 0];
  const games: EpisodeSummary[] = [];
  let lives = 0;
  for (let step = 0; writer.series.get("total_reward") === undefined; step++) {
    const result = await envs.step(actionsAt(step, envs));
    statistics.record(result);
    for (const lane of [0, 1] as const) {
      totals[lane] += result.rawRewards[lane] ?? 0;
      const { realDone, episode } = result.infos[lane] ?? {};
      expect(realDone !== undefined).toBe(result.terminated[lane] === 1 || result.truncated[lane] === 1);
      if (realDone === false) lives++;
      if (realDone !== true || episode === undefined) continue;
      games.push(episode);
      latest[lane] = totals[lane];
      totals[lane] = 0;
    }
  }
  expect(lives).toBeGreaterThan(0);
  expect(writer.series.get("total_reward")?.[0]?.value).toBe((latest[0] + latest[1]) / 2);
  expect(writer.series.get("min_reward")?.[0]?.value).toBe(Math.min(...latest));
  for (const [name, key] of [
    ["score", "reward"],
    ["length", "length"],
    ["frames", "frames"],
  ] as const) {
    const sum = games.reduce((total, game) => total + game[key], 0);
    expect(writer.series.get(`${name}_mean_100`)?.at(-1)?.value).toBe(sum / games.length);
  }
});

test("in a single environment a game has all its points, and its length counts frames", async () => {
  const game = opened(await Game.create({ rom: wallop, preset: "nature-dqn", seed: 3 }));
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer });
  game.reset();
  for (let step = 1; ; step++) {
    const result = game.step(step % game.actionSpace.n);
    statistics.record(result);
    if (!result.terminated) continue;
    const { episode } = result.info;
    if (episode === undefined) {
      game.reset();
      continue;
    }
    expect(entries(writer)).toEqual({
      total_reward: [[step, episode.reward]],
      reward_mean_100: [[step, episode.reward]],
      episode_length: [[step, episode.frames]],
      score_mean_100: [[step, episode.reward]],
      length_mean_100: [[step, step]],
      frames_mean_100: [[step, episode.frames]],
    });
    return;
  }
});

test("a lost life that restarts the game ends it", async () => {
  const envs = await create({ preset: "labml", numEnvs: 1, autoreset: "same-step" });
  await envs.reset();
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer });
  for (let step = 0; ; step++) {
    const result = await envs.step(actionsAt(step, envs));
    statistics.record(result);
    const episode = result.infos[0]?.episode;
    if (episode === undefined) continue;
    expect(entries(writer)).toMatchObject({
      total_reward: [[step + 1, episode.reward]],
      episode_length: [[step + 1, episode.length]],
    });
    return;
  }
});

test("results of another environment can be recorded", () => {
  const writer = new MemoryWriter();
  const result: SingleStep = {
    observation: new Uint8Array(1),
    reward: 5,
    terminated: false,
    truncated: true,
    info: INFO,
  };
  new EpisodeStatistics({ writer }).record(result);
  expect(entries(writer)).toEqual({ total_reward: [[1, 5]], reward_mean_100: [[1, 5]], episode_length: [[1, 1]] });
});
