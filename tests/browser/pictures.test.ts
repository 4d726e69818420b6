/**
 * Screenshots of the main states, compared with those in `pictures/` block by block. `BLESS=1` before the command writes them anew:
 *
 *     BLESS=1 npm test --workspace www -- pictures
 *
 * Parts that change with time or with the machine are hidden: pictures of the game, numbers, curves.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import type { Browser } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo, type OpenOptions } from "./support/demo.js";
import { file, realRom } from "./support/roms.js";

const blessed = fileURLToPath(new URL("pictures/", import.meta.url));
const output = fileURLToPath(new URL("output/screenshots/", import.meta.url));

/** Pictures are compared in blocks of this many pixels a side, so that a changed word is seen on a page of any size. */
const BLOCK = 32;

/** Pixels of a block that may differ: edges of letters are drawn differently on other machines. */
const TOLERANCE = 40;

/** What differs from visit to visit, and the fonts, which are those that come with Chromium on Debian. */
const LIVE = `:root, body, button, input, select, textarea { font-family: "DejaVu Sans", sans-serif !important; }
  code, pre, kbd, h1, .share, dd { font-family: "DejaVu Sans Mono", monospace !important; }
  canvas, .spark, .chart, .facts dd, .strip dd, .actions .bar-fill, .actions .share, .actions .mark, .story, #value-text,
  #action-text, #picture-note, #policy-name, #chart-legend, .explain-live, #loading, #countdown, .uplot, #episode-rows, #mean, #mean-of {
    visibility: hidden !important;
  }
  .actions li { border-color: transparent !important; font-weight: 400 !important; }`;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
  mkdirSync(blessed, { recursive: true });
  mkdirSync(output, { recursive: true });
});
afterAll(() => browser.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const DESKTOP = { viewport: { width: 1280, height: 720 } } as const;

/** A run of few games and short rollouts, so that an update takes a moment. */
const TRAINING = "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1";

async function train(demo: Demo): Promise<void> {
  await demo.at("train").click();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games .*random play/);
}

async function message(demo: Demo): Promise<void> {
  await expect.poll(() => demo.at("message-actions").isVisible()).toBe(true);
}

const STATES: readonly (readonly [string, OpenOptions, (demo: Demo) => Promise<void>])[] = [
  ["desktop", { viewport: { width: 1440, height: 900 } }, async () => undefined],
  ["desktop-dark", { ...DESKTOP, colorScheme: "dark" }, async () => undefined],
  ["setup", DESKTOP, (demo) => demo.at("setup-button").click()],
  ["data", DESKTOP, (demo) => demo.at("data-button").click()],
  ["explain", DESKTOP, (demo) => demo.at("explain-button").click()],
  ["docs", DESKTOP, (demo) => demo.at("docs-button").click()],
  ["code", DESKTOP, (demo) => demo.at("code-button").click()],
  ["training", { ...DESKTOP, hash: TRAINING }, train],
  ["shared-link", { ...DESKTOP, hash: `#rom=${"0".repeat(32)}&title=Lost&preset=envpool` }, message],
  [
    "unknown-rom",
    DESKTOP,
    async (demo) => {
      await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
      await message(demo);
    },
  ],
  [
    "eighteen-actions",
    DESKTOP,
    async (demo) => {
      await demo.chooseFile(realRom("seaquest"));
      await expect.poll(() => demo.page.locator("#actions li").count()).toBe(18);
    },
  ],
  ["phone", PHONE, async () => undefined],
  ["phone-playing", PHONE, (demo) => demo.at("play").tap()],
  ["phone-training-dark", { ...PHONE, colorScheme: "dark" }, (demo) => demo.at("tab-training").click()],
  ["phone-on-its-side-playing", { ...PHONE, viewport: { width: 844, height: 390 } }, (demo) => demo.at("play").tap()],
];

/** The blocks with too many differing pixels, as places in the picture. */
function differingBlocks(before: PNG, now: PNG, difference: PNG): string[] {
  const { width, height } = now;
  pixelmatch(before.data, now.data, difference.data, width, height, { threshold: 0.2, diffMask: true });
  const counts = new Map<string, number>();
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (difference.data[4 * pixel + 3] === 0) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)].map((at) => at - (at % BLOCK));
    counts.set(`${x}, ${y}`, (counts.get(`${x}, ${y}`) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > TOLERANCE).map(([place, count]) => `${place}: ${count} pixels`);
}

describe("the page looks as it did", () => {
  for (const [name, options, enter] of STATES) {
    test(name, async () => {
      const demo = await Demo.open(browser, { ...options, bypassCSP: true });
      await enter(demo);
      await demo.page.addStyleTag({ content: LIVE });
      await demo.page.mouse.move(0, 0);
      await demo.page.waitForTimeout(300);
      // The fonts above have moved what Play had scrolled into view.
      await demo.page.evaluate(() => {
        if (document.activeElement?.id === "television") document.activeElement.closest("section")?.scrollIntoView();
      });
      const shot = await demo.page.screenshot();
      await demo.close();
      if (process.env.BLESS !== undefined || !existsSync(`${blessed}${name}.png`)) {
        expect(process.env.BLESS, `pictures/${name}.png is missing; BLESS=1 writes it`).toBeDefined();
        writeFileSync(`${blessed}${name}.png`, shot);
        return;
      }
      const [before, now] = [PNG.sync.read(readFileSync(`${blessed}${name}.png`)), PNG.sync.read(shot)];
      expect([now.width, now.height]).toEqual([before.width, before.height]);
      const difference = new PNG({ width: now.width, height: now.height });
      const blocks = differingBlocks(before, now, difference);
      writeFileSync(`${output}${name}.png`, shot);
      writeFileSync(`${output}${name}-difference.png`, PNG.sync.write(difference));
      expect(blocks).toEqual([]);
    });
  }
});
