/** The page as `npm start` serves it: by Vite's development server, under the same policy. */

import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";

let browser: Browser;
let server: ViteDevServer;
let site: string;
beforeAll(async () => {
  // Vitest says "test", and the site's set-up "production".
  process.env.NODE_ENV = "development";
  const root = fileURLToPath(new URL("../../www", import.meta.url));
  server = await createServer({ root, logLevel: "warn", server: { port: 0, open: false } });
  await server.listen();
  site = server.resolvedUrls?.local[0] ?? "";
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test("plays and learns without a complaint, with the chart inside its panel", async () => {
  const hash = "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1";
  const demo = await Demo.open(browser, { site, hash, viewport: { width: 1280, height: 720 } });
  await demo.at("train").click();
  await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #\d/);
  // The chart's script may come after the first policy, and each new kind of line makes a new canvas.
  const inside = () =>
    demo.page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
      const [panel, canvas] = [box("#panel-curve"), box("#chart canvas")];
      if (panel === undefined || canvas === undefined) return "not there";
      const room = [canvas.x - panel.x, canvas.y - panel.y, panel.right - canvas.right, panel.bottom - canvas.bottom];
      return canvas.width > 0 && room.every((pixels) => pixels >= 0) ? "inside" : `outside: ${room}`;
    });
  await expect.poll(inside).toBe("inside");
  await demo.close();
});

test("does not offer the documents, which only a build has", async () => {
  const demo = await Demo.open(browser, { site });
  await demo.at("docs-button").click();
  expect(await demo.at("documents").isVisible()).toBe(false);
  await demo.close();
});
