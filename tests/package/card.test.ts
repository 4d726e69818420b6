/** The trainer of the built package on a graphics card, in Chromium, where SwiftShader stands for the card. */

import type { Driver } from "selenium-webdriver/chrome.js";
import { describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { pageOfTests } from "./test-page.js";

/** Pictures of 44 x 44, the least that all nets can look at and some more. */
const options = {
  wrappers: [
    { type: "SkipFrames", n: 4 },
    "EpisodicLife",
    { type: "ImagePreprocessing", width: 44, height: 44 },
    { type: "QueueFrames", n: 4 },
  ],
};
const run = { options, numEnvs: 8, seed: 3, workers: 0 };
const short = { rollout: 8, minibatches: 2, epochs: 2 };

/** With these an update changes each weight by its gradient: the optimizer divides by 1 and little more. */
const gradientStep = {
  rollout: 8,
  minibatches: 1,
  epochs: 1,
  learning_rate: 100,
  gradient_norm: 1e6,
  optimizer: "rmsprop",
  epsilon: 1,
};

const NETS = ["tiny", "a3c", "nature"] as const;
const ALGORITHMS = ["ppo", "a2c"] as const;
const RUNS = NETS.flatMap((net) => ALGORITHMS.map((algorithm) => ({ net, algorithm })));
/**
 * SwiftShader compiles each run's shaders for some seconds, so the short form has two of these runs, and they also show how a run ends. The tests
 * of crates/learn have all nets and both algorithms in seconds.
 */
const tried = (net: (typeof NETS)[number], algorithm: (typeof ALGORITHMS)[number]) =>
  LONG ? RUNS : [{ net, algorithm }];

interface Differences {
  readonly tensors: Readonly<Record<string, number>>;
  readonly whole: number;
  readonly reports: readonly [Report, Report];
  readonly refusals: readonly unknown[];
}
interface Report {
  readonly steps: number;
  readonly episodes: number;
  readonly weights: string;
  readonly processor: Processor;
}
interface Processor {
  readonly device: string;
  readonly name?: string;
  readonly reason?: string;
}
interface Run {
  readonly weights: readonly string[];
  readonly processors: readonly Processor[];
}
interface GoneOn {
  readonly weights: string;
  readonly processor: Processor;
  readonly later: string;
}
interface Turns extends Differences {
  readonly awaited: readonly number[];
  readonly expected: { readonly differing: number; readonly weights: string };
}
interface Outputs {
  readonly logits: number;
  readonly values: number;
}
interface Lost {
  readonly updates: readonly { readonly weights: string; readonly processor: Processor }[];
  readonly later: readonly string[];
}

describe("on SwiftShader", () => {
  const page = pageOfTests("Chromium with WebGPU", "card-page.js");

  const gradientsAreRight =
    "the gradient of every tensor is the CPU's, and a lost card that was named is an error with the reason";
  test.for(tried("a3c", "a2c"))(`${gradientsAreRight}: $net, $algorithm`, async ({ net, algorithm }) => {
    const settings = { ...run, net, algorithm, hyperParameters: gradientStep };
    const { tensors, reports, refusals } = (await page().call("differences", settings, "lost")) as Differences;
    expect(Object.keys(tensors).length).toBeGreaterThan(7);
    for (const [name, difference] of Object.entries(tensors)) expect(difference, name).toBeLessThan(1e-4);
    const [cpu, gpu] = reports;
    expect([gpu.steps, gpu.episodes]).toEqual([cpu.steps, cpu.episodes]);
    expect(cpu.processor).toEqual({ device: "cpu" });
    expect(gpu.processor).toEqual({ device: "gpu", name: expect.stringMatching(/./) });
    const refusal = { code: "bad-option", message: expect.stringMatching(/^device gpu: the graphics card was lost: /) };
    expect(refusals).toEqual([refusal, refusal]);
    expect(await page().call("hasRead")).toBe(true);
  });

  const updatesAreRight =
    "a whole update in a worker changes the weights as on the CPU, with the bits that it has without turns, and ends when it is closed";
  test.for(tried("tiny", "ppo"))(`${updatesAreRight}: $net, $algorithm`, async ({ net, algorithm }) => {
    const settings = { ...run, net, algorithm, hyperParameters: algorithm === "ppo" ? short : {} };
    const { whole, reports, refusals, awaited, expected } = (await page().call("turns", settings, "closed")) as Turns;
    expect(whole).toBeLessThan(1e-2);
    expect(refusals).toMatchObject([{ code: "closed" }]);
    const [, { weights, processor }] = reports;
    expect(processor).toEqual({ device: "gpu", name: expect.stringMatching(/./) });
    expect(expected).toEqual({ differing: 0, weights });
    // Until its last turn each half of the games plays while the answer for the other one is awaited.
    expect(awaited.length).toBeGreaterThan(20);
    expect(awaited).toEqual([...Array(awaited.length - 2).fill(1), 0, 0]);
  });

  test.for(LONG ? NETS : (["tiny"] as const))("logits and values are the CPU's: %s", async (net) => {
    const { logits, values } = (await page().call("outputs", { ...run, net, hyperParameters: short })) as Outputs;
    expect(logits).toBeLessThan(1e-4);
    expect(values).toBeLessThan(1e-4);
  });

  test("auto takes no software, and says so", async () => {
    const settings = { ...run, hyperParameters: short };
    const expected = (await page().call("run", settings, 1)) as Run;
    expect(await page().call("run", { ...settings, device: "auto" }, 1)).toEqual({
      weights: expected.weights,
      processors: [
        { device: "cpu", reason: expect.stringMatching(/^this browser offers no graphics card, only software: /) },
      ],
    });
  });
});

describe("on what looks like hardware", () => {
  const page = pageOfTests("Chromium with WebGPU", "card-page.js");
  const settings = { ...run, device: "auto", hyperParameters: short };

  test("a run that does not fit the card's limits computes on the CPU and says why; gpu is refused", async () => {
    await page().call("pretendHardware");
    const wrappers = [
      { type: "ImagePreprocessing", width: 160, height: 160 },
      { type: "QueueFrames", n: 4 },
    ];
    const large = {
      ...settings,
      options: { wrappers },
      hyperParameters: { ...short, rollout: 16_384, minibatches: 32 },
    };
    const reason = /the pictures would take \d+ bytes of the graphics card, which permits \d+: use fewer games/;
    expect(await page().call("processor", large)).toEqual({ device: "cpu", reason: expect.stringMatching(reason) });
    expect(await page().call("refused", { ...large, device: "gpu" })).toEqual({
      code: "bad-option",
      message: expect.stringMatching(reason),
    });
  });

  // So pages see a laptop that switches its cards, and a driver that starts anew. The runs of the next test take the adapter that is there then.
  test("a run whose device is lost by itself goes on on the CPU", async () => {
    await page().call("pretendHardware");
    expect(await page().call("begin", { ...settings, workers: 2 })).toMatchObject({ device: "gpu" });
    await (page().driver as Driver).sendDevToolsCommand("Browser.crashGpuProcess", {});
    const { weights, processor, later } = (await page().call("goOn")) as GoneOn;
    const reason = expect.stringMatching(/^the graphics card was lost: ./);
    expect([weights, processor]).toEqual([later, { device: "cpu", reason }]);
  });

  // Eighteen submissions play, nine for each half of the games in turns, four learn, and one reads the result.
  const lost = [
    ["while the second half plays", 4],
    ["while it hands over", 23],
    ["while the first half plays", 5],
    ["between two updates", null],
    ["while it learns", 20],
  ] as const;
  test.for(LONG ? lost : lost.slice(0, 2))(
    "a run whose card is lost %s goes on on the CPU and says so",
    async ([, submission]) => {
      await page().call("pretendHardware");
      const { updates, later } = (await page().call("lost", { ...settings, workers: 2 }, submission)) as Lost;
      const [first, second, third] = updates;
      expect(first?.processor.device).toBe("gpu");
      const reason = expect.stringMatching(/^the graphics card was lost: /);
      expect([second?.processor, third?.processor]).toEqual(Array(2).fill({ device: "cpu", reason }));
      // What the card has played before it was lost stays.
      if (submission === null) expect(second?.weights).toBe(later[0]);
      expect(third?.weights).toBe(later[1]);
    },
  );

  // The last one, because no device can be opened after it.
  test("a card that cannot be opened is none", async () => {
    await page().call("pretendHardware");
    await page().call("refuseDevices");
    expect(await page().call("processor", settings)).toEqual({
      device: "cpu",
      reason: expect.stringMatching(/ cannot be opened: .*no device today/),
    });
  });
});

describe("without a card", () => {
  const page = pageOfTests("Chromium with WebGPU", "card-page.js");

  test("gpu is refused with the reason, and auto computes on the CPU", async () => {
    await page().call("hideAdapters");
    const settings = { ...run, hyperParameters: short };
    const reason = "this browser offers no graphics card";
    expect(await page().call("refused", { ...settings, device: "gpu" })).toEqual({
      code: "bad-option",
      message: `device gpu: ${reason}`,
    });
    const { processors } = (await page().call("run", { ...settings, device: "auto" }, 1)) as Run;
    expect(processors).toEqual([{ device: "cpu", reason }]);
    expect(await page().call("hasRead")).toBe(false);
  });
});
