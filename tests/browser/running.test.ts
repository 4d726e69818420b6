/** The show game: it starts by itself, and the controls work. */

import { beforeEach, describe, expect, test } from "vitest";
import { POLICIES } from "../../www/src/policies/pretrained.js";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const FRAMES = ["frame-0", "frame-1", "frame-2", "frame-3"];
const FRAME_BYTES = 84 * 84;

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

describe("the embedded game", () => {
  test("starts by itself with a policy that has learned", async () => {
    expect(await demo.text("game-title")).toBe("WALLOP");
    await demo.goesOn();
    expect(await demo.number("lives")).toBeGreaterThan(0);
    const { games, mean } = POLICIES[2];
    const measured = `It scores ${mean.toFixed(0)} a game over ${games} games`;
    expect(await demo.text("story")).toContain(
      `This neural network learned WALLOP from its pixels in 1 hour. ${measured}`,
    );
    // No game has ended here: the score is the one that was measured when the policy was made.
    expect(await demo.text("episodes")).toBe("0");
    await expect.poll(() => demo.text("value-text")).toMatch(/^value -?\d/);
  });

  test("shows a picture and a stack that move", async () => {
    const first = await demo.pixels("screen");
    const before = await Promise.all(FRAMES.map((id) => demo.pixels(id)));
    await demo.until(async () => (await demo.pixels("screen")) !== first);
    for (const [index, id] of FRAMES.entries()) await demo.until(async () => (await demo.pixels(id)) !== before[index]);
  });

  test("says who plays", async () => {
    await demo.choose("player", "random");
    await expect
      .poll(() => demo.text("story"))
      .toMatch(/^The random agent plays WALLOP: each action is drawn by lot\./);
    await demo.choose("player", "you");
    await expect.poll(() => demo.text("story")).toMatch(/^You play WALLOP\./);
    await demo.choose("player", "agent");
    await expect.poll(() => demo.text("story")).toMatch(/^This neural network/);
  });

  test("tells what random play scores, measured here", async () => {
    await expect.poll(() => demo.text("story")).toMatch(/ Random play scores [\d.]+ a game\.$|, random play [\d.]+\.$/);
  });
});

describe("at real time", () => {
  test("at most fifteen decisions are taken a second", async () => {
    // From one change of the number to another, as the page sees them.
    const perSecond = await demo.page.evaluate(async () => {
      const text = document.getElementById("decisions");
      const change = async (): Promise<readonly [number, number]> => {
        const before = text?.textContent;
        while (text?.textContent === before) await new Promise((later) => setTimeout(later, 5));
        return [Number(text?.textContent?.replaceAll(",", "")), performance.now()];
      };
      const [first, since] = await change();
      await new Promise((later) => setTimeout(later, 3000));
      const [last, until] = await change();
      return ((last - first) * 1000) / (until - since);
    });
    expect(perSecond).toBeGreaterThan(0);
    expect(perSecond).toBeLessThan(18);
  });
});

describe("a paused game", () => {
  beforeEach(() => demo.pause());

  test("stands still, and goes on by Start", async () => {
    const decisions = await demo.number("decisions");
    const stack = await demo.stack();
    await demo.page.waitForTimeout(500);
    expect(await demo.number("decisions")).toBe(decisions);
    expect(await demo.stack()).toBe(stack);
    await demo.at("pause").click();
    await demo.goesOn();
  });

  test("takes one decision at a time, which moves the stack by one frame", async () => {
    let moved = 0;
    for (let count = 0; count < 8; count++) {
      const [decisions, lives] = [await demo.number("decisions"), await demo.number("lives")];
      const before: number[] = JSON.parse(await demo.stack());
      await demo.at("step").click();
      await demo.settled();
      expect(await demo.number("decisions")).toBe(decisions + 1);
      const after: number[] = JSON.parse(await demo.stack());
      // A lost life fills the stack again.
      if ((await demo.number("lives")) !== lives) continue;
      expect(after.slice(0, -FRAME_BYTES)).toEqual(before.slice(FRAME_BYTES));
      moved += 1;
    }
    expect(moved).toBeGreaterThan(0);
  });

  test("starts a new game and stays paused", async () => {
    await demo.at("game-button").click();
    await demo.at("new-game").click();
    await demo.settled();
    expect(await demo.number("score")).toBe(0);
    expect(await demo.number("lives")).toBe(5);
    expect(await demo.text("pause")).toBe("Start picture");
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
    // The first seconds may have decisions from before.
    await expect
      .poll(async () => {
        const decisions = await demo.number("decisions");
        await demo.page.waitForTimeout(2000);
        return (await demo.number("decisions")) - decisions;
      })
      .toBeLessThanOrEqual(10);
    await demo.goesOn();
  });
});

describe("the slider", () => {
  test("changes the policy, and the agent plays by it", async () => {
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour of training$/);
    await demo.at("skill").focus();
    await demo.page.keyboard.press("Home");
    await expect.poll(() => demo.text("skill-name")).toBe("untrained policy");
    await expect.poll(() => demo.text("policy-name")).toBe("untrained policy");
    await demo.pause();
    // A net that has learned nothing has no opinion.
    const shares = (await demo.page.locator("#actions .share").allTextContents()).map((text) =>
      Number.parseInt(text, 10),
    );
    expect(Math.max(...shares)).toBeLessThan(35);
  });
});
