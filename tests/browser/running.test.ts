/** The embedded game: it starts by itself, and the controls work. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const FRAMES = ["frame-0", "frame-1", "frame-2", "frame-3"];

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

describe("the embedded game", () => {
  test("starts by itself", async () => {
    expect(await demo.text("rom-name")).toBe("WALLOP");
    const before = await demo.number("steps");
    await demo.until(async () => (await demo.number("steps")) > before + 5);
    expect(await demo.number("lives")).toBeGreaterThan(0);
    await expect.poll(() => demo.number("rate")).toBeGreaterThan(0);
  });

  test("shows a picture that moves", async () => {
    const first = await demo.pixels("screen");
    await demo.until(async () => (await demo.pixels("screen")) !== first);
  });

  test("shows a frame stack that changes in all four frames", async () => {
    const before = await Promise.all(FRAMES.map((id) => demo.pixels(id)));
    for (const [index, id] of FRAMES.entries()) await demo.until(async () => (await demo.pixels(id)) !== before[index]);
  });
});

describe("at real time", () => {
  test("a step of four frames is taken fifteen times a second", async () => {
    const began = await demo.number("steps");
    const since = Date.now();
    await demo.page.waitForTimeout(3000);
    const perSecond = (((await demo.number("steps")) - began) * 1000) / (Date.now() - since);
    expect(perSecond).toBeGreaterThan(6);
    expect(perSecond).toBeLessThan(18);
  });
});

describe("a paused game", () => {
  beforeEach(() => demo.pause());

  test("stands still", async () => {
    const steps = await demo.number("steps");
    const picture = await demo.pixels("screen");
    await demo.page.waitForTimeout(500);
    expect(await demo.number("steps")).toBe(steps);
    expect(await demo.pixels("screen")).toBe(picture);
  });

  test("takes one step at a time, which moves the stack by one frame", async () => {
    // Not at the end of an episode, where the stack is filled again.
    await demo.at("reset").click();
    await demo.page.waitForTimeout(300);
    for (let count = 0; count < 8; count++) {
      const steps = await demo.number("steps");
      const before = await Promise.all(FRAMES.map((id) => demo.greys(id)));
      await demo.at("step").click();
      await expect.poll(() => demo.number("steps")).toBe(steps + 1);
      const after = await Promise.all(FRAMES.map((id) => demo.greys(id)));
      expect(after.slice(0, 3)).toEqual(before.slice(1));
    }
    expect(await demo.number("running-length")).toBe(8);
  });

  test("starts again by a reset and stays paused", async () => {
    await demo.at("step").click();
    await demo.until(async () => (await demo.number("running-length")) > 0);
    await demo.at("reset").click();
    await expect.poll(() => demo.number("running-length")).toBe(0);
    expect(await demo.number("score")).toBe(0);
    expect(await demo.text("run")).toBe("Start");
  });

  test("continues by Start", async () => {
    const steps = await demo.number("steps");
    await demo.at("run").click();
    await demo.until(async () => (await demo.number("steps")) > steps + 3);
  });
});

describe("as fast as possible", () => {
  test("takes many steps for each picture, counts episodes, and keeps the page responsive", async () => {
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("rate")) > 60);
    await demo.until(async () => (await demo.number("episodes")) >= 5 && (await demo.number("mean")) > 0);
    const since = Date.now();
    await demo.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(Date.now() - since).toBeLessThan(1000);
    await demo.pause();

    const episodes = await demo.number("episodes");
    const rows = await demo.page.locator("#episode-rows tr").count();
    expect(rows).toBe(Math.min(episodes, 100));
    const cells = await demo.page.locator("#episode-rows tr td:nth-child(3)").allInnerTexts();
    const rewards = cells.map(Number);
    if (episodes <= 100) {
      const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
      expect(await demo.text("mean")).toBe(mean.toFixed(2));
    }
    expect(rewards.some((reward) => reward > 0)).toBe(true);
  });

  test("stops within a moment, with the picture of the last step", async () => {
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("rate")) > 60);
    await demo.pause();
    const picture = await demo.pixels("screen");
    await demo.page.waitForTimeout(300);
    expect(await demo.pixels("screen")).toBe(picture);
  });
});

describe("slow", () => {
  test("takes a few steps a second", async () => {
    await demo.choose("speed", "slow");
    const steps = await demo.number("steps");
    await demo.page.waitForTimeout(2000);
    const taken = (await demo.number("steps")) - steps;
    expect(taken).toBeGreaterThanOrEqual(2);
    expect(taken).toBeLessThanOrEqual(10);
  });
});
