/** axe finds no violation of WCAG 2.2 A and AA in any state of the page, in every colour scheme, and colours have enough contrast. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function violations(demo: Demo): Promise<string[]> {
  // Injected by the test's protocol, which the page's policy does not concern.
  await demo.page.evaluate(AXE);
  const found = await demo.page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(context: Document, options: unknown): Promise<AxeResults> } };
    return axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}

/** States of the page, with the way to them and back. */
const STATES: readonly (readonly [string, (demo: Demo) => Promise<void>, (demo: Demo) => Promise<void>])[] = [
  ["the page", async () => undefined, async () => undefined],
  ...["setup", "data", "explain"].map(
    (name) =>
      [
        `the drawer ${name}`,
        (demo: Demo) => demo.at(`${name}-button`).click(),
        (demo: Demo) => demo.page.keyboard.press("Escape"),
      ] as const,
  ),
  ...["share", "code", "docs"].map(
    (name) =>
      [
        `the dialog ${name}`,
        (demo: Demo) => demo.at(`${name}-button`).click(),
        (demo: Demo) => demo.page.keyboard.press("Escape"),
      ] as const,
  ),
  ["the game menu", (demo) => demo.at("game-button").click(), (demo) => demo.page.keyboard.press("Escape")],
  [
    "an error",
    (demo) => demo.dropFile({ name: "odd.bin", mimeType: "", buffer: Buffer.alloc(3) }),
    (demo) => demo.at("message-close").click(),
  ],
  ["a person playing", (demo) => demo.at("play").click(), (demo) => demo.at("play").click()],
  // Last: other games would end the run.
  [
    "training",
    async (demo) => {
      await demo.at("train").click();
      await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #\d/);
    },
    (demo) => demo.at("train").click(),
  ],
];

const SCHEMES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light", viewport: { width: 1440, height: 900 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 720 } }],
  ["forced colours", { forcedColors: "active", viewport: { width: 1280, height: 720 } }],
  ["a phone", { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  [
    "a phone on its side, dark",
    { colorScheme: "dark", viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  ],
];

describe("axe finds nothing", () => {
  for (const [scheme, options] of SCHEMES) {
    test(`in any state, ${scheme}`, async () => {
      const hash = "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1";
      const demo = await Demo.open(browser, { hash, ...options });
      if (options.isMobile) await demo.at("tab-training").click();
      for (const [state, enter, leave] of STATES) {
        await enter(demo);
        await demo.page.waitForTimeout(200);
        expect(await violations(demo), state).toEqual([]);
        await leave(demo);
      }
      await demo.close();
    });
  }
});

/** Colours by what is drawn in them and on what, with the ratio that WCAG 2.2 asks for: 4.5 of text, 3 of controls and lines. */
const PAIRS: readonly (readonly [ratio: number, colours: readonly string[], grounds: readonly string[]])[] = [
  [4.5, ["--ink", "--soft", "--accent"], ["--page", "--card"]],
  [4.5, ["--accent-ink"], ["--accent"]],
  [4.5, ["--accent"], ["--accent-wash"]],
  [4.5, ["--error"], ["--card"]],
  [4.5, ["--ink"], ["--error-wash", "--hover"]],
  [3, ["--edge", "--series-random", "--series-you", "--series-old"], ["--page", "--card"]],
  [3, ["--accent", "--series-you"], ["--sunken"]],
];

/** WCAG's relative luminance of a colour as computed styles write it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
    const share = Number(text) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("colours have the contrast that they need", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`in ${colorScheme} mode`, async () => {
      const demo = await Demo.open(browser, { colorScheme });
      const names = [...new Set(PAIRS.flatMap(([, colours, grounds]) => [...colours, ...grounds]))];
      const values = await demo.page.evaluate(
        (all) =>
          all.map((name) => {
            document.body.style.color = `var(${name})`;
            return getComputedStyle(document.body).color;
          }),
        names,
      );
      const of = (name: string): string => values[names.indexOf(name)] ?? "";
      for (const [ratio, colours, grounds] of PAIRS) {
        for (const colour of colours) {
          for (const ground of grounds) {
            expect(contrast(of(colour), of(ground)), `${colour} on ${ground}`).toBeGreaterThanOrEqual(ratio);
          }
        }
      }
      await demo.close();
    });
  }
});
