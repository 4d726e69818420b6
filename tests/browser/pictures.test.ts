/**
 * Screenshots of the main states, compared with those in `pictures/` with a tolerance. `BLESS=1` before the command writes them anew:
 *
 *     BLESS=1 npm test --workspace www -- pictures
 *
 * Parts that change with time or with the machine are hidden: pictures of the game, numbers, curves.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";

const blessed = fileURLToPath(new URL("pictures/", import.meta.url));
const output = fileURLToPath(new URL("output/screenshots/", import.meta.url));

/** Share of pixels that may differ: fonts are drawn differently on other machines. */
const TOLERANCE = 0.04;

/** What differs from visit to visit. */
const LIVE = `canvas, .spark, .chart, .facts dd, .strip dd, .actions .bar-fill, .actions .share, .story, #value-text,
  #action-text, #picture-note, #chart-legend, .explain-live, #loading, .uplot { visibility: hidden !important; }
  .actions li { border-color: transparent !important; font-weight: 400 !important; }`;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  mkdirSync(blessed, { recursive: true });
  mkdirSync(output, { recursive: true });
});
afterAll(() => browser.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const STATES: readonly (readonly [string, BrowserContextOptions, (demo: Demo) => Promise<void>])[] = [
  ["desktop", { viewport: { width: 1440, height: 900 } }, async () => undefined],
  ["desktop-dark", { viewport: { width: 1280, height: 720 }, colorScheme: "dark" }, async () => undefined],
  ["setup", { viewport: { width: 1280, height: 720 } }, (demo) => demo.at("setup-button").click()],
  ["docs", { viewport: { width: 1280, height: 720 } }, (demo) => demo.at("docs-button").click()],
  ["phone", PHONE, async () => undefined],
  ["phone-playing", PHONE, (demo) => demo.at("play").tap()],
  ["phone-training-dark", { ...PHONE, colorScheme: "dark" }, (demo) => demo.at("tab-training").click()],
];

describe("the page looks as it did", () => {
  for (const [name, options, enter] of STATES) {
    test(name, async () => {
      const demo = await Demo.open(browser, { ...options, bypassCSP: true });
      await enter(demo);
      await demo.page.addStyleTag({ content: LIVE });
      await demo.page.mouse.move(0, 0);
      await demo.page.waitForTimeout(300);
      const shot = await demo.page.screenshot();
      await demo.close();
      if (process.env.BLESS !== undefined || !existsSync(`${blessed}${name}.png`)) {
        expect(process.env.BLESS, `pictures/${name}.png is missing; BLESS=1 writes it`).toBeDefined();
        writeFileSync(`${blessed}${name}.png`, shot);
        return;
      }
      const [before, now] = [PNG.sync.read(readFileSync(`${blessed}${name}.png`)), PNG.sync.read(shot)];
      expect([now.width, now.height]).toEqual([before.width, before.height]);
      const { width, height } = now;
      const difference = new PNG({ width, height });
      const differing = pixelmatch(before.data, now.data, difference.data, width, height, { threshold: 0.2 });
      writeFileSync(`${output}${name}.png`, shot);
      writeFileSync(`${output}${name}-difference.png`, PNG.sync.write(difference));
      expect(differing / (width * height)).toBeLessThan(TOLERANCE);
    });
  }
});
