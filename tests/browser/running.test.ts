/** The show game: it starts by itself, and the controls work. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const FRAMES = ["frame-0", "frame-1", "frame-2", "frame-3"];

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

describe("the embedded game", () => {
  test("starts by itself with a policy that has learned", async () => {
    expect(await demo.text("game-title")).toBe("WALLOP");
    await demo.goesOn();
    expect(await demo.number("lives")).toBeGreaterThan(0);
    expect(await demo.text("story")).toMatch(/^This neural network learned WALLOP from its pixels in 1 hour/);
    await expect.poll(() => demo.text("value-text")).toMatch(/^value -?\d/);
  });

  test("shows a picture and a stack that move", async () => {
    const first = await demo.pixels("screen");
    const before = await Promise.all(FRAMES.map((id) => demo.pixels(id)));
    await demo.until(async () => (await demo.pixels("screen")) !== first);
    for (const [index, id] of FRAMES.entries()) await demo.until(async () => (await demo.pixels(id)) !== before[index]);
  });

  test("tells what random play scores, measured here", async () => {
    await expect.poll(() => demo.text("story")).toMatch(/random play \d/);
  });
});

describe("at real time", () => {
  test("at most fifteen decisions are taken a second", async () => {
    const began = await demo.number("decisions");
    const since = Date.now();
    await demo.page.waitForTimeout(3000);
    const perSecond = (((await demo.number("decisions")) - began) * 1000) / (Date.now() - since);
    expect(perSecond).toBeGreaterThan(0);
    expect(perSecond).toBeLessThan(18);
  });
});

describe("a paused game", () => {
  beforeEach(() => demo.pause());

  test("stands still, and goes on by Start", async () => {
    const decisions = await demo.number("decisions");
    const picture = await demo.pixels("screen");
    await demo.page.waitForTimeout(500);
    expect(await demo.number("decisions")).toBe(decisions);
    expect(await demo.pixels("screen")).toBe(picture);
    await demo.at("pause").click();
    await demo.goesOn();
  });

  test("takes one decision at a time, which moves the stack by one frame", async () => {
    let moved = 0;
    for (let count = 0; count < 8; count++) {
      const [decisions, lives] = [await demo.number("decisions"), await demo.number("lives")];
      const before = await demo.greys(...FRAMES);
      await demo.at("step").click();
      await expect.poll(() => demo.number("decisions")).toBe(decisions + 1);
      const after = await demo.greys(...FRAMES);
      // A lost life fills the stack again.
      if ((await demo.number("lives")) !== lives) continue;
      expect(after.slice(0, 3)).toEqual(before.slice(1));
      moved += 1;
    }
    expect(moved).toBeGreaterThan(0);
  });

  test("starts a new game and stays paused", async () => {
    await demo.at("game-button").click();
    await demo.at("new-game").click();
    await expect.poll(() => demo.number("score")).toBe(0);
    expect(await demo.number("lives")).toBe(5);
    expect(await demo.text("pause")).toBe("Start");
  });
});

describe("watched fast", () => {
  test("many decisions are taken, games end, and the page answers", async () => {
    await demo.choose("player", "random");
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 5);
    await demo.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  });
});

describe("watched slowly", () => {
  test("a few decisions are taken a second", async () => {
    await demo.choose("speed", "slow");
    const decisions = await demo.number("decisions");
    await demo.page.waitForTimeout(2000);
    const taken = (await demo.number("decisions")) - decisions;
    expect(taken).toBeLessThanOrEqual(10);
    await demo.until(async () => (await demo.number("decisions")) >= decisions + 2);
  });
});

describe("the slider", () => {
  test("changes the policy, and the agent plays by it", async () => {
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour$/);
    await demo.at("skill").focus();
    await demo.page.keyboard.press("Home");
    await expect.poll(() => demo.text("skill-name")).toBe("untrained");
    await expect.poll(() => demo.text("policy-name")).toBe("untrained");
    await demo.pause();
    // A net that has learned nothing has no opinion.
    const shares = (await demo.page.locator("#actions .share").allTextContents()).map((text) =>
      Number.parseInt(text, 10),
    );
    expect(Math.max(...shares)).toBeLessThan(35);
  });
});
