/** A person's game: a fresh one after a countdown, and a card at its end. */

import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { brief, realRom } from "./support/roms.js";

const SIZES: readonly (readonly [string, BrowserContextOptions, keys: RegExp])[] = [
  [
    "a desktop",
    { viewport: { width: 1280, height: 720 } },
    /^← → move, Space \(FIRE\) serves, P pauses, Esc hands over$/,
  ],
  [
    "a phone",
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    /^The stick moves, FIRE serves$/,
  ],
];

describe.each(SIZES)("on %s", (_name, size, keys) => {
  let demo: Demo;
  withDemo((opened) => {
    demo = opened;
  }, size);

  const press = (id: string): Promise<void> => (size.hasTouch ? demo.at(id).tap() : demo.at(id).click());

  /** Where the picture is in its panel. */
  const place = (): Promise<readonly number[]> =>
    demo.at("screen").evaluate((screen) => {
      const [box, panel] = [screen.getBoundingClientRect(), screen.closest("section")?.getBoundingClientRect()];
      return [box.left, box.top - (panel?.top ?? 0), box.width, box.height];
    });

  test("Play begins a fresh game after a countdown, names the keys, and leaves the picture where it is", async () => {
    await demo.until(async () => (await demo.number("decisions")) > 20);
    const [before, net] = [await place(), / scores ([\d.]+) a game/.exec(await demo.text("story"))?.[1]];
    await press("play");
    expect(await demo.at("countdown").isVisible()).toBe(true);
    expect(await demo.text("countdown-number")).toMatch(/^[123]$/);
    expect(await demo.text("countdown-keys")).toMatch(keys);
    await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("you");
    await expect.poll(() => demo.number("lives")).toBe(5);
    expect(await place()).toEqual(before);
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.goesOn();
    expect(await demo.text("picture-note")).toMatch(keys);
    expect(await demo.text("story")).toContain(`You play WALLOP. The net scores ${net} a game.`);
    expect(await place()).toEqual(before);
  });

  test("a pause stops the countdown", async () => {
    await press("play");
    await demo.page.keyboard.press("p");
    await demo.settled();
    const left = await demo.text("countdown-number");
    await demo.page.waitForTimeout(1500);
    expect(await demo.text("countdown-number")).toBe(left);
    await demo.page.keyboard.press("p");
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.goesOn();
  });

  test("a card at the end has the scores of you and random play, and offers Again and Watch", async () => {
    await demo.dropFile(brief(181));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("Brief");
    await expect.poll(() => demo.text("story")).toContain("Random play scores");
    await press("play");
    await expect.poll(() => demo.at("card").isVisible()).toBe(true);
    const score = await demo.number("score");
    expect(score).toBeGreaterThan(100);
    expect(await demo.page.locator("#card dt").allTextContents()).toEqual(["You", "Random play"]);
    expect(await demo.page.locator("#card dd").first().textContent()).toBe(String(score));
    expect(await demo.text("announcement")).toMatch(/^Game over\. You \d+, Random play/);
    const inside = await demo.at("card").evaluate((card) => {
      const [box, around] = [card.getBoundingClientRect(), card.parentElement?.getBoundingClientRect()];
      return around !== undefined && box.top >= around.top && box.bottom <= around.bottom;
    });
    expect(inside).toBe(true);
    // The keys of the game press nothing on it.
    await demo.page.keyboard.press("Space");
    await demo.page.keyboard.press("Enter");
    expect(await demo.at("card").isVisible()).toBe(true);
    await press("again");
    await expect.poll(() => demo.at("card").isHidden()).toBe(true);
    expect(await demo.at("countdown").isVisible()).toBe(true);
    await expect.poll(() => demo.at("card").isVisible()).toBe(true);
    await press("watch");
    await expect.poll(() => demo.at("card").isHidden()).toBe(true);
    await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("agent");
    // The agent's first games may have ended too.
    expect(await demo.number("episodes")).toBeGreaterThanOrEqual(2);
    await demo.goesOn();
  });

  test("a ROM that is opened while a person plays has a countdown of its own", async () => {
    await press("play");
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.dropFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await expect.poll(() => demo.at("countdown").isVisible()).toBe(true);
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.goesOn();
  });
});

describe("on a narrow desktop, where a sentence may take two lines", () => {
  let demo: Demo;
  withDemo(
    (opened) => {
      demo = opened;
    },
    { viewport: { width: 1000, height: 700 } },
  );

  test("Play leaves the picture where it is", async () => {
    await expect.poll(() => demo.text("story")).toContain("random play");
    const before = await demo.at("screen").boundingBox();
    await demo.at("play").click();
    await expect.poll(() => demo.text("story")).toMatch(/^You play WALLOP/);
    expect(await demo.at("screen").boundingBox()).toEqual(before);
  });
});

describe("the card of WALLOP", () => {
  let demo: Demo;
  withDemo((opened) => {
    demo = opened;
  });

  test("has the net's score, too", async () => {
    await demo.at("play").click();
    // The bat stands still, so all balls are lost.
    await expect.poll(() => demo.at("card").isVisible()).toBe(true);
    expect(await demo.number("lives")).toBe(0);
    expect(await demo.page.locator("#card dt").allTextContents()).toEqual(["You", "The net", "Random play"]);
    expect(await demo.page.locator("#card dd").nth(1).textContent()).toBe("476");
    // A bat that stands still hits few bricks, so the net of the hour is not the next.
    expect(await demo.text("card-next")).toMatch(/^Next to beat: (random play|the net after 5 minutes), [\d.]+$/);
  });
});
