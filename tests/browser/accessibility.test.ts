/** axe finds no violation of WCAG 2.2 A and AA in any state of the page, in every colour scheme. */

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
];

const SCHEMES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light", viewport: { width: 1440, height: 900 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 720 } }],
  ["a phone", { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  [
    "a phone on its side, dark",
    { colorScheme: "dark", viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  ],
];

describe("axe finds nothing", () => {
  for (const [scheme, options] of SCHEMES) {
    test(`in any state, ${scheme}`, async () => {
      const demo = await Demo.open(browser, options);
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
