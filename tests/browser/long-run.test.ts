/** Long runs, their progress and end, and the file of episodes. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

let demo: Demo;
withDemo(async (opened) => {
  demo = opened;
  await demo.pause();
});

async function run(count: number, unit: "steps" | "episodes"): Promise<void> {
  await demo.at("run-count").fill(String(count));
  await demo.at("run-unit").selectOption(unit);
  await demo.at("run-start").click();
}

function progress(): Promise<number> {
  return demo.at("run-progress").evaluate((bar) => (bar as HTMLProgressElement).position);
}

describe("a run of steps", () => {
  test("fills its bar, takes exactly the given steps, and ends paused", async () => {
    const steps = await demo.number("steps");
    await run(1501, "steps");
    await expect.poll(() => demo.text("run-text")).toMatch(/^[\d,]+ of 1,501 steps: [\d,]+ a second, \d+ s left$/);
    await expect.poll(() => demo.text("run-text")).toBe("1,501 of 1,501 steps: done");
    expect(await progress()).toBe(1);
    expect(await demo.text("run")).toBe("Start");
    await demo.settled();
    expect(await demo.number("steps")).toBe(steps + 1501);
  });

  test("of four games takes the steps in every game", async () => {
    await demo.spread(4, 2);
    await demo.pause();
    const steps = await demo.number("steps");
    await run(203, "steps");
    await expect.poll(() => demo.text("run-text")).toBe("203 of 203 steps: done");
    await demo.settled();
    expect(await demo.number("steps")).toBe(steps + 4 * 203);
  });

  test("can be paused, continued and stopped", async () => {
    await run(1_000_000, "steps");
    await demo.until(async () => (await progress()) > 0);
    await demo.pause();
    await expect.poll(() => demo.text("run-text")).toContain("paused");
    const before = await progress();
    await demo.at("run").click();
    await demo.until(async () => (await progress()) > before);
    await demo.at("run-stop").click();
    await expect.poll(() => demo.text("run-text")).toMatch(/ of 1,000,000 steps: stopped$/);
    expect(await demo.text("run")).toBe("Start");
    expect(await demo.at("run-stop").isDisabled()).toBe(true);
  });

  test("keeps the page responsive", async () => {
    await run(1_000_000, "steps");
    await demo.until(async () => (await progress()) > 0);
    await demo.at("topic").selectOption("length");
    await expect.poll(() => demo.at("chart").getAttribute("aria-label")).toContain("Chart of each length");
    await demo.at("run-stop").click();
  });
});

describe("a run of episodes", () => {
  test("ends after the given number", async () => {
    const before = await demo.number("episodes");
    await run(25, "episodes");
    await expect.poll(() => demo.text("run-text")).toBe("25 of 25 episodes: done");
    await demo.settled();
    expect(await demo.number("episodes")).toBeGreaterThanOrEqual(before + 25);
  });
});

describe("the episodes as a file", () => {
  test("are those of the table, lane by lane, with the newest last", async () => {
    await demo.spread(3, 2);
    await demo.choose("speed", "fast");
    await demo.at("run").click();
    await demo.until(async () => (await demo.number("episodes")) >= 20);
    await demo.pause();
    const episodes = await demo.number("episodes");
    expect(episodes).toBeLessThanOrEqual(100);
    const saved = demo.page.waitForEvent("download");
    await demo.at("csv").click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("wallop-episodes.csv");
    const [head, ...lines] = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\r\n");
    const shown = await demo.page
      .locator("#episode-rows tr")
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join(",")));
    expect(head).toBe("lane,episode,reward,length,step,time");
    expect(lines.toReversed()).toEqual(shown);
    expect(lines.length).toBe(episodes);
    expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(3);
  });
});
