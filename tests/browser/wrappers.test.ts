/** The pipeline between console and agent, and lists of the user. */

import { Game, type PresetName, wallop } from "gym2600";
import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const PRESETS: readonly PresetName[] = [
  "labml",
  "gym2600",
  "gymnasium",
  "ale-vector",
  "envpool",
  "baselines",
  "nature-dqn",
];

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

/** The text of each box of the pipeline. */
function boxes(): Promise<string[][]> {
  return demo.page
    .locator("#pipeline li.wrapper")
    .evaluateAll((items) => items.map((item) => [...item.children].map((child) => child.textContent)));
}

async function use(list: string): Promise<void> {
  if (!(await demo.at("wrappers").isVisible())) await demo.at("wrappers-summary").click();
  await demo.at("wrappers").fill(list);
  await demo.at("wrappers-use").click();
}

describe("the pipeline", () => {
  test("and the text to edit are the resolved list of every preset", async () => {
    for (const preset of PRESETS) {
      await demo.at("preset").selectOption(preset);
      await expect.poll(() => demo.page.locator("body").getAttribute("data-preset")).toBe(preset);
      const game = await Game.create({ rom: wallop, preset });
      const { wrappers } = game.description.spec;
      game.close();
      const expected = wrappers.map(({ type, ...options }) => [
        type,
        ...Object.entries(options).map(([option, value]) => `${option} ${value}`),
      ]);
      expect(await boxes()).toEqual(expected);
      expect(JSON.parse(await demo.at("wrappers").inputValue())).toEqual(wrappers);
    }
  });
});

describe("a list of the user's", () => {
  test("is played, shown and named", async () => {
    await use('[{ "type": "SkipFrames", "n": 3 }, "ImagePreprocessing", { "type": "QueueFrames", "n": 2 }]');
    await expect.poll(() => demo.at("preset").inputValue()).toBe("own");
    expect((await boxes()).map(([name]) => name)).toEqual(["SkipFrames", "ImagePreprocessing", "QueueFrames"]);
    expect(await demo.text("observation-shape")).toBe("2 × 84 × 84 uint8");
    expect(await demo.page.locator("#frames canvas").count()).toBe(2);
    const before = await demo.pixels("frame-1");
    await demo.until(async () => (await demo.pixels("frame-1")) !== before);
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 1);
  });

  test("without a grey wrapper gives frames in colour", async () => {
    await use('[{ "type": "QueueFrames", "n": 2, "axis": "last" }]');
    await expect.poll(() => demo.text("observation-shape")).toBe("210 × 160 × 6 uint8");
    await demo.pause();
    await demo.until(async () => (await demo.pixels("frame-1")) === (await demo.pixels("screen")));
  });

  for (const [what, list, reason] of [
    ["has an unknown wrapper", '["Nope"]', /unknown variant `Nope`/],
    [
      "is in an impossible order",
      '["QueueFrames", "ImagePreprocessing"]',
      /wrapper 2, ImagePreprocessing: .*not pictures/,
    ],
    ["has an impossible option", '[{ "type": "SkipFrames", "n": 0 }]', /wrapper 1, SkipFrames: n is 0/],
    ["is no list", '{ "type": "SkipFrames" }', /a list is wanted/],
    ["is no JSON", '["SkipFrames",', /JSON/],
  ] as const) {
    test(`that ${what} is refused with the reason beside it, and the old list goes on`, async () => {
      const before = await boxes();
      await use(list);
      await expect.poll(() => demo.text("wrappers-error")).toMatch(reason);
      expect(await demo.at("wrappers").getAttribute("aria-invalid")).toBe("true");
      expect(await demo.at("preset").inputValue()).toBe("labml");
      expect(await boxes()).toEqual(before);
      const steps = await demo.number("steps");
      await demo.until(async () => (await demo.number("steps")) > steps + 3);
    });
  }
});
