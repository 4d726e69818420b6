/** TensorBoard reads the event files of the package. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { EpisodeStatistics, MemoryWriter, type ScalarWriter, VectorEnv, wallop } from "gym2600";
import { TensorBoardWriter } from "gym2600/tensorboard";
import { expect, test } from "vitest";
import { python, ROOT, temporaryFolder } from "./support.js";

function read(folder: string): unknown {
  const { status, output, errors } = python(join(ROOT, "tests/package/read_events.py"), [folder]);
  expect(status, errors).toBe(0);
  return JSON.parse(output);
}

test("TensorBoard reads all names, values and steps", () => {
  const folder = join(temporaryFolder(), "runs/first");
  const writer = new TensorBoardWriter(folder);
  const written: Record<string, Array<[number, number]>> = {
    "breakout/total_reward": [
      [0, 1.5],
      [127, -2.25],
      [128, 0],
      [2 ** 31, 1e6],
      [2 ** 53 - 1, 2 ** -20],
    ],
    Größe: [[16384, 432]],
    [`long/${"x".repeat(300)}`]: [[1, 3]],
  };
  for (const [name, values] of Object.entries(written)) {
    for (const [step, value] of values) writer.scalar(name, value, step);
  }
  // Every value is in the file at once.
  expect(read(folder)).toEqual(written);
  writer.close();
  writer.close();
  expect(() => writer.scalar("late", 1, 1)).toThrowError(expect.objectContaining({ code: "closed" }));
  for (const step of [-1, 0.5, Number.NaN]) {
    const other = new TensorBoardWriter(folder);
    expect(() => other.scalar("x", 1, step)).toThrowError(expect.objectContaining({ code: "bad-option" }));
    other.close();
  }
  expect(readdirSync(folder).length).toBe(4);
  expect(read(folder)).toEqual(written);
});

test("TensorBoard and MemoryWriter have the same statistics", async () => {
  const folder = temporaryFolder();
  const [memory, file] = [new MemoryWriter(), new TensorBoardWriter(folder)];
  const both: ScalarWriter = {
    scalar(...args) {
      memory.scalar(...args);
      file.scalar(...args);
    },
  };
  const envs = await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 3, workers: 0, seed: 5 });
  const statistics = new EpisodeStatistics({ writer: both, numEnvs: 3, prefix: "wallop" });
  await envs.reset();
  for (let step = 0; step < 1500; step++) statistics.record(await envs.step(envs.actionSpace.sample()));
  await envs.close();
  file.close();
  const expected = Object.fromEntries(
    Array.from(memory.series, ([name, values]) => [name, values.map(({ step, value }) => [step, Math.fround(value)])]),
  );
  const original = ["episode_length", "max_reward", "min_reward", "reward_mean_100", "total_reward"];
  const games = ["frames_mean_100", "length_mean_100", "score_mean_100"];
  expect(Object.keys(expected).sort()).toEqual([...original, ...games].sort().map((name) => `wallop/${name}`));
  expect(expected["wallop/total_reward"]?.length).toBeGreaterThan(2);
  expect(read(folder)).toEqual(expected);
});
