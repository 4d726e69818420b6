/**
 * One short flow, play, hand over, train, open a ROM, at every size and in every scheme: by click on desktops, by finger on phones. The short
 * form has each size and each scheme once.
 */

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { realRom } from "./support/roms.js";

const PHONE = { hasTouch: true, isMobile: true } as const;

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["1440 x 900", { viewport: { width: 1440, height: 900 } }],
  ["1280 x 720", { viewport: { width: 1280, height: 720 } }],
  ["a phone", { ...PHONE, viewport: { width: 390, height: 844 } }],
  ["a phone on its side", { ...PHONE, viewport: { width: 844, height: 390 } }],
];

const SCHEMES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["forced colours", { forcedColors: "active" }],
  ["reduced motion", { reducedMotion: "reduce" }],
];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(SIZES)("at %s", (name, size) => {
  const place = SIZES.findIndex(([other]) => other === name);
  test.each(LONG ? SCHEMES : SCHEMES.slice(place, place + 1))(
    "in %s a person plays, hands over, trains and opens a ROM",
    async (_scheme, scheme) => {
      const hash = "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1";
      const demo = await Demo.open(browser, { hash, ...size, ...scheme });
      const press = (id: string): Promise<void> => (size.hasTouch ? demo.at(id).tap() : demo.at(id).click());
      await press("play");
      await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("you");
      await press("play");
      await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("agent");
      if (size.hasTouch) await press("tab-training");
      await press("train");
      await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #\d/);
      await demo.chooseFile(realRom("breakout"));
      const agree = demo.page.getByRole("button", { name: "Open it" });
      await (size.hasTouch ? agree.tap() : agree.click());
      await expect.poll(() => demo.text("game-title")).toBe("Breakout");
      await demo.goesOn();
      await demo.close();
    },
  );
});
