/** The trainer of the built package in Node, Chromium and Firefox: the native program's weights, whatever happens on the way. */

import { Worker } from "node:worker_threads";
import { wallop } from "gym2600";
import { Trainer } from "gym2600/learn";
import { beforeAll, describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { scenarios } from "./learn-scenarios.js";
import { native, seedOfTheDay } from "./support.js";
import { pageOfTests, type TestPage } from "./test-page.js";

const SEED = seedOfTheDay();

/** Small pictures and short rollouts: an update takes a few hundredths of a second. */
const environment = {
  wrappers: [
    { type: "SkipFrames", n: 4 },
    { type: "ImagePreprocessing", width: 28, height: 28 },
    { type: "TimeLimit", steps: 40 },
    { type: "QueueFrames", n: 4 },
  ],
};
const hyperParameters = { rollout: 8, minibatches: 2, epochs: 2 };
const run = { numEnvs: 8, seed: SEED, options: environment, hyperParameters };
/** More than the updates between two checkpoints that a trainer keeps. */
const UPDATES = 24;

/** The native program's weights after each update. */
function nativeWeights(algorithm: string): string[] {
  const settings = Object.entries(hyperParameters).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const steps = String(UPDATES * 8 * 8);
  const options = ["--options", JSON.stringify(environment), "--envs", "8", "--seed", String(SEED), "--steps", steps];
  const { status, output, errors } = native(
    "train",
    "--no-save",
    "--algorithm",
    algorithm,
    ...options,
    ...settings,
    "--json",
  );
  expect(status, errors).toBe(0);
  const lines = output.trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { readonly weights: string }).weights);
}

let expected: string[];

beforeAll(() => {
  expected = nativeWeights("ppo");
  expect(expected.length).toBe(UPDATES);
});

const here = scenarios({ Trainer, wallop, Worker });

describe("in Node", () => {
  test.for([1, 2, 4] as const)("%i workers give the native program's weights", async (workers) => {
    expect(await here.weights({ ...run, workers }, UPDATES)).toEqual(expected);
  });

  test("A2C gives the native program's weights too", async () => {
    const weights = nativeWeights("a2c");
    expect(weights).not.toEqual(expected);
    expect(await here.weights({ ...run, algorithm: "a2c", workers: 2 }, UPDATES)).toEqual(weights);
  });

  test.for([
    [1, 4],
    [4, 2],
    [2, 1],
  ] as const)("a pause, and a checkpoint of %i workers that %i resume, change nothing", async ([first, second]) => {
    expect(await here.parts({ ...run, workers: first }, UPDATES, second)).toEqual({ paused: true, all: expected });
  });

  const kills: Record<string, (worker: Worker) => unknown> = {
    "ended from outside": (worker) => worker.terminate(),
    // The host cannot read it.
    "that throws": (worker) => worker.postMessage(null),
  };

  test.for(Object.entries(kills))("a worker %s in mid-update changes no weights", async ([, kill]) => {
    for (const at of [2, 23]) {
      const told = await here.disturbed({ ...run, workers: 2 }, UPDATES, at, kill);
      expect(told).toEqual({ weights: expected.at(-1), workers: 4 });
    }
  });

  test("after a worker's death a checkpoint is no older than the last one", async () => {
    const steps = await here.checkpoints({ ...run, workers: 2 }, (worker: Worker) => worker.terminate());
    expect(steps).toEqual([64, 64]);
  });

  test("calls whose workers always die are rejected, and later calls go on", async () => {
    const told = await here.hopeless({ ...run, workers: 2 }, (worker: Worker) => worker.terminate());
    expect(told).toEqual({ codes: ["worker-died"], again: "fulfilled" });
  });

  test.for([0, 2] as const)("with %i workers, close rejects what is pending", async (workers) => {
    const codes = await here.closed({ ...run, workers });
    // The first update and its checkpoint may have been quicker.
    expect(codes.slice(2)).toEqual(["closed", "closed", "closed", "fulfilled"]);
  });
});

function testWeights(page: () => TestPage, workers: readonly number[]): void {
  test.for(workers)("%i workers give the native program's weights", async (workers) => {
    expect(await page().call("weights", { ...run, workers }, UPDATES)).toEqual(expected);
  });
}

describe.runIf(LONG)("in Firefox", () => {
  testWeights(pageOfTests("Firefox", "learn-page.js"), [2]);
});

describe.for(["Chromium", "Firefox without AVX"] as const)("in %s", (name) => {
  const page = pageOfTests(name, "learn-page.js");
  const all = LONG || name === "Chromium";
  testWeights(page, all ? [1, 2, 4] : [2]);

  test("a pause, and a checkpoint that another number of workers resumes, change nothing", async () => {
    expect(await page().call("parts", { ...run, workers: 2 }, UPDATES, 4)).toEqual({ paused: true, all: expected });
  });

  const ends = [
    ["terminate", 2],
    ["terminate", 23],
    ["exit", 3],
    ["throw", 22],
  ] as const;
  test.for(all ? ends : ends.slice(0, 1))(
    "a worker's end in mid-update changes no weights: %s in update %i",
    async ([how, at]) => {
      const told = await page().call("killed", { ...run, workers: 2 }, UPDATES, at, how);
      expect(told).toEqual({ weights: expected.at(-1), workers: 4 });
    },
  );

  test("close rejects what is pending", async () => {
    const codes = (await page().call("closed", { ...run, workers: 2 })) as string[];
    // The first update and its checkpoint may have been quicker.
    expect(codes.slice(2)).toEqual(["closed", "closed", "closed", "fulfilled"]);
  });

  test("bad options are refused", async () => {
    const cases = [
      { numEnvs: 6 },
      { workers: 3 },
      { hyperParameters: { gama: 1 } },
      { resume: [1, 2] },
      { net: "huge" },
      { options: { wrappers: [] } },
    ];
    const codes = ["bad-option", "bad-option", "bad-option", "bad-weights", "bad-option", "bad-option"];
    expect(await page().call("refusals", cases)).toEqual(codes);
  });
});
