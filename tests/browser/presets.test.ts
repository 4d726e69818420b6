/** Every preset plays, and the page survives a dead worker. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const PRESETS = ["labml", "gym2600", "gymnasium", "ale-vector", "envpool", "baselines", "nature-dqn"];

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

describe("the list of presets", () => {
  test("begins with labml and has them all", async () => {
    const values = await demo.page
      .locator("#preset option")
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(values).toEqual([...PRESETS, "own"]);
    expect(await demo.at("preset").inputValue()).toBe("labml");
    expect(await demo.text("observation-shape")).toBe("4 × 84 × 84 uint8");
  });

  for (const preset of PRESETS) {
    test(`plays ${preset} over an episode's end, with four frames that change`, async () => {
      await demo.at("preset").selectOption(preset);
      await demo.until(async () => (await demo.page.locator(`body[data-preset="${preset}"]`).count()) === 1);
      await demo.choose("speed", "fast");
      const before = await demo.pixels("frame-3");
      await demo.until(async () => (await demo.number("episodes")) >= 2);
      await demo.until(async () => (await demo.pixels("frame-3")) !== before);
      expect(await demo.at("preset").inputValue()).toBe(preset);
      expect(await demo.text("message-text")).toBe("");
    });
  }
});

describe("a worker that dies", () => {
  test("is reported, and a reset starts the game again", async () => {
    const [worker] = demo.page.workers();
    await worker?.evaluate(() => self.close()).catch(() => undefined);
    await expect.poll(() => demo.text("message-text")).toContain("The game stopped");
    expect(await demo.text("run")).toBe("Start");
    await demo.at("reset").click();
    await expect.poll(() => demo.text("message-text")).toBe("");
    await demo.at("run").click();
    const steps = await demo.number("steps");
    await demo.until(async () => (await demo.number("steps")) > steps + 3);
  });
});
