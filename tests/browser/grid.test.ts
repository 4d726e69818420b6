/** Several games: the grid, their statistics, and dead workers. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const LANES = [0, 1, 2, 3];

let demo: Demo;
withDemo(
  async (opened) => {
    demo = opened;
    await demo.spread(4, 2);
  },
  { viewport: { width: 1280, height: 1000 } },
);

function pixelsOf(what: "picture" | "frames"): Promise<string[]> {
  return Promise.all(LANES.map((lane) => demo.pixels(`lane-${lane}-${what}`)));
}

describe("four games on two workers", () => {
  test("show four different pictures and frame stacks, from two workers", async () => {
    await demo.until(async () => new Set(await pixelsOf("picture")).size === 4);
    await demo.until(async () => new Set(await pixelsOf("frames")).size === 4);
    expect(demo.page.workers().length).toBe(2);
  });

  test("show lane, score and lives of each, and the sum of their steps and episodes", async () => {
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("least-reward")) > 0);
    await demo.pause();
    const episodes = await Promise.all(LANES.map((lane) => demo.number(`lane-${lane}-episodes`)));
    expect(episodes.reduce((sum, count) => sum + count, 0)).toBe(await demo.number("episodes"));
    expect(Math.min(...episodes)).toBeGreaterThan(0);
    expect((await demo.number("steps")) % 4).toBe(0);
    for (const lane of LANES) {
      expect(await demo.page.locator(`#lane-${lane} strong`).textContent()).toBe(`Lane ${lane}`);
      expect(await demo.number(`lane-${lane}-lives`)).toBeGreaterThan(0);
      expect(await demo.number(`lane-${lane}-score`)).toBeGreaterThanOrEqual(0);
    }
    const [least, total, most] = await Promise.all(
      ["least-reward", "total-reward", "most-reward"].map((id) => demo.number(id)),
    );
    expect(least).toBeLessThanOrEqual(total ?? Number.NaN);
    expect(most).toBeGreaterThanOrEqual(total ?? Number.NaN);
    expect(await demo.at("chart").getAttribute("aria-label")).toMatch(/after [\d]+ steps/);
    await demo.screenshot("grid-desktop");
  });

  test("show the selected one large", async () => {
    await demo.pause();
    expect(await demo.pixels("screen")).toBe(await demo.pixels("lane-0-picture"));
    await demo.page.locator("#lane-2 .watch").click();
    await expect.poll(() => demo.text("watched")).toBe("Lane 2");
    await demo.until(async () => (await demo.pixels("screen")) === (await demo.pixels("lane-2-picture")));
    expect(await demo.page.locator("#lane-2 .watch").getAttribute("aria-pressed")).toBe("true");
    await demo.page.keyboard.press("k");
    await demo.page.keyboard.press("ArrowLeft");
    await demo.page.keyboard.press("n");
    await expect.poll(() => demo.text("action")).toBe("LEFT");
  });

  test("take one step each, which moves every frame stack", async () => {
    await demo.pause();
    const before = await pixelsOf("frames");
    const steps = await demo.number("steps");
    await demo.at("step").click();
    await expect.poll(() => demo.number("steps")).toBe(steps + 4);
    await demo.until(async () => (await pixelsOf("frames")).every((frames, lane) => frames !== before[lane]));
  });

  test("fit a phone", async () => {
    await demo.page.setViewportSize({ width: 360, height: 800 });
    await demo.page.waitForTimeout(300);
    await demo.screenshot("grid-phone");
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  test("become one again, without a grid", async () => {
    await demo.at("games").fill("1");
    await demo.at("games").press("Enter");
    await expect.poll(() => demo.at("lanes-card").isHidden()).toBe(true);
    await demo.until(async () => (await demo.number("steps")) > 3);
    expect(demo.page.workers().length).toBe(1);
  });

  test("are at most 32", async () => {
    await demo.at("games").fill("33");
    await demo.at("games").press("Tab");
    expect(await demo.at("games").evaluate((input) => input.matches(":invalid"))).toBe(true);
    expect(await demo.page.locator("#lanes li").count()).toBe(4);
  });
});

describe("a worker of two lanes that dies", () => {
  test("is shown with its lanes, the others continue, and it can be revived", async () => {
    const [worker] = demo.page.workers();
    await worker?.evaluate(() => self.close()).catch(() => undefined);
    const dead = demo.page.locator('#lanes [data-dead="true"]');
    await expect.poll(() => dead.count()).toBe(2);
    await expect.poll(() => demo.text("message-text")).toMatch(/lanes (0, 1|2, 3) died/);
    const steps = await demo.number("steps");
    await demo.until(async () => (await demo.number("steps")) > steps + 8);
    await demo.screenshot("grid-dead");

    // The last picture of a dead lane stays visible.
    await dead.first().locator(".watch").click();
    const watched = (await dead.first().getAttribute("id")) ?? "";
    await demo.until(async () => (await demo.pixels("screen")) === (await demo.pixels(`${watched}-picture`)));

    await dead.first().locator(".revive").click();
    await expect.poll(() => dead.count()).toBe(0);
    await expect.poll(() => demo.text("message-text")).toBe("");
    const before = await pixelsOf("frames");
    await demo.until(async () => (await pixelsOf("frames")).every((frames, lane) => frames !== before[lane]));
  });

  test("stops the page if the other has died too, until one is revived", async () => {
    for (const worker of demo.page.workers()) await worker.evaluate(() => self.close()).catch(() => undefined);
    await expect.poll(() => demo.page.locator('#lanes [data-dead="true"]').count()).toBe(4);
    await expect.poll(() => demo.text("run")).toBe("Start");
    await demo.at("lane-0-revive").click();
    await expect.poll(() => demo.page.locator('#lanes [data-dead="true"]').count()).toBe(2);
    await demo.at("run").click();
    const steps = await demo.number("steps");
    await demo.until(async () => (await demo.number("steps")) > steps + 3);
  });
});
