/** Labels, the variables of the game's rules by name: in infos, and as observations. */

import { checkEnv, describe as describeGame, Game, GameWorker, type Observation, VectorEnv, wallop } from "gym2600";
import { Trainer } from "gym2600/learn";
import { Recorder } from "gym2600/record";
import { expect, test } from "vitest";
import { rom } from "../../../tests/package/support.js";

/** Every paddle and every ball is lost soon without a move. */
const OPTIONS = { rom: wallop, labels: true, autoreset: "same-step" } as const;

test("infos have the variables only with the option, in this thread, in a worker and in a copy", async () => {
  using plain = await Game.create({ rom: wallop });
  expect(plain.reset().info).not.toHaveProperty("labels");
  using game = await Game.create(OPTIONS);
  const worker = await GameWorker.create(OPTIONS);
  const { info } = game.reset({ seed: 1 });
  expect(info.labels).toMatchObject({ score: 0, lives: 5 });
  expect((await worker.reset({ seed: 1 })).info).toEqual(info);
  for (let step = 0; step < 40; step++) {
    const { labels } = game.step(1 + (step % 3)).info;
    expect(labels).toEqual(game.variables());
    expect((await worker.step(1 + (step % 3))).info.labels).toEqual(labels);
  }
  await worker.close();
  using copy = game.clone();
  expect(copy.step(1).info.labels).toEqual(game.step(1).info.labels);
  expect(copy.restore(game.save()).info.labels).toEqual(game.variables());
});

test("the info of an episode's end has the labels of the end, and that of the step those of the next episode", async () => {
  const envs = await VectorEnv.create({ ...OPTIONS, numEnvs: 3, workers: 2, seed: 0 });
  await envs.reset();
  let ended = 0;
  for (let step = 0; step < 2000 && ended < 3; step++) {
    const { infos, terminated } = await envs.step([1, 1, 1]);
    for (const [lane, { labels, finalInfo }] of infos.entries()) {
      if (terminated[lane] === 0) continue;
      ended += 1;
      expect(finalInfo?.labels).toMatchObject({ lives: 0, terminal: 1, score: finalInfo?.episode?.reward });
      expect(labels).toMatchObject({ lives: 5, terminal: 0, score: 0 });
    }
  }
  expect(ended).toBeGreaterThan(0);
  await envs.close();
});

test("what is neither true nor false is refused, also by a description", async () => {
  const wrong = { rom: wallop, labels: "yes" as never };
  const refused = { code: "bad-option", message: expect.stringMatching(/^labels: .*yes/) };
  await expect(Game.create(wrong)).rejects.toMatchObject(refused);
  await expect(VectorEnv.create({ ...wrong, numEnvs: 1 })).rejects.toMatchObject(refused);
  await expect(describeGame(wrong)).rejects.toMatchObject(refused);
  expect(await describeGame(OPTIONS)).toEqual(await describeGame({ rom: wallop, autoreset: "same-step" }));
});

/** A definition that names the place of the bat and a number that 32 bits do not have. */
const CELLS = {
  rom: "mine",
  rules: {
    start: "score = 0; lives = 5",
    frame: "score = bcd(0x85, 0x84, 0x83); lives = ram[0x82]; bat = ram[0x8A]; huge = -(2 ** 40)",
  },
} as const;

/** An observation's numbers by their names, as `variables` has them. */
const named = (observation: Observation, labels: readonly string[]): Record<string, number> =>
  Object.fromEntries(labels.map((name, place) => [name, observation[place] as number]));

test("labels are the observation, in the order of the description, within bounds from the rules", async () => {
  const options = { rom: wallop, game: CELLS, observation: "labels", wrappers: [] } as const;
  using game = await Game.create(options);
  const { labels } = game.description;
  expect(labels).toEqual(["score", "lives", "bat", "huge"]);
  const low = [0, 0, 0, -(2 ** 31)];
  const high = [1_666_665, 255, 255, 0];
  expect(game.observationSpace.toJSON()).toEqual({ type: "Box", shape: [4], dtype: "int32", low, high });
  const worker = await GameWorker.create(options);
  expect(worker.observationSpace.toJSON()).toEqual(game.observationSpace.toJSON());
  await worker.reset({ seed: 1 });
  game.reset({ seed: 1 });
  const bats = new Set<number>();
  for (let step = 0; step < 100; step++) {
    const { observation } = game.step(1 + (step % 3));
    expect(observation).toBeInstanceOf(Int32Array);
    expect(named(observation, labels)).toEqual({ ...game.variables(), huge: -(2 ** 31) });
    expect(game.observationSpace.contains(observation)).toBe(true);
    expect((await worker.step(1 + (step % 3))).observation).toEqual(observation);
    bats.add(observation[2] as number);
  }
  expect(bats.size).toBeGreaterThan(5);
  await worker.close();
  await checkEnv(await Game.create(options), { steps: 50 });
});

test("a batch stacks the labels of a game of the catalogue and keeps those of an end, in workers too", async () => {
  const options = { rom: rom("breakout"), observation: "labels", autoreset: "same-step", seed: 1, numEnvs: 3 } as const;
  const envs = await VectorEnv.create({ ...options, workers: 2 });
  const here = await VectorEnv.create({ ...options, workers: 0 });
  const { labels } = await describeGame({ rom: options.rom });
  expect(labels).toContain("score");
  expect(envs.singleObservationSpace.shape).toEqual([4, labels.length]);
  expect(envs.observationSpace.shape).toEqual([3, 4, labels.length]);
  expect(envs.observationSpace.low).toEqual(envs.singleObservationSpace.low);
  expect(envs.observationSpace.contains(envs.observationSpace.sample())).toBe(true);
  await envs.reset();
  await here.reset();
  let ends = 0;
  for (let step = 0; step < 3000 && ends === 0; step++) {
    const { observations, infos } = await envs.step([1, 1, 1]);
    expect((await here.step([1, 1, 1])).observations).toEqual(observations);
    expect(envs.observationSpace.contains(observations)).toBe(true);
    const newest = observations.subarray(3 * labels.length, 4 * labels.length);
    expect(named(newest, labels)).toEqual(await envs.variables(0));
    for (const { finalObservation, finalInfo } of infos) {
      if (finalObservation === undefined) continue;
      ends += 1;
      expect(finalObservation).toBeInstanceOf(Int32Array);
      const last = named(finalObservation.subarray(3 * labels.length), labels);
      expect(last).toMatchObject({ score: finalInfo?.episode?.reward, lives: 0 });
    }
  }
  expect(ends).toBeGreaterThan(0);
  await envs.close();
  await here.close();
});

test("a recording has the labels as whole numbers", async () => {
  const recorder = new Recorder(await Game.create({ rom: wallop, observation: "labels", wrappers: [] }), {
    arrays: true,
  });
  recorder.reset({ seed: 1 });
  const { observation } = recorder.step(1);
  const { data, shape } = recorder.arrays().observations;
  expect(shape).toEqual([2, observation.length]);
  expect(data.subarray(observation.length)).toEqual(observation);
});

test("what has no labels, wrappers of pictures and the learner refuse them as observations", async () => {
  const options = { rom: wallop, observation: "labels" } as const;
  await expect(Game.create({ ...options, game: { rom: "mine" } })).rejects.toMatchObject({
    code: "bad-option",
    message: expect.stringContaining("the rules of mine have no variables that could be labels"),
  });
  await expect(Game.create({ ...options, wrappers: ["ImagePreprocessing"] })).rejects.toMatchObject({
    code: "bad-option",
    details: { path: "wrappers[0]", wrapper: "ImagePreprocessing" },
  });
  const play = { observation: "labels", preset: "gym2600" } as const;
  await expect(Trainer.create({ rom: wallop, options: play, workers: 0 })).rejects.toMatchObject({
    code: "bad-option",
    message: expect.stringMatching(/grey pictures.*Int32/),
  });
});
