/** The learning curve is loaded apart from the page's script. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launch } from "../package/chromium.js";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

test("without its script the game plays, and the panel says why there is no curve", async () => {
  const page = await browser.newPage();
  await page.route("**/curve-chart-*.js", (route) => route.abort());
  await page.goto(inject("site"));
  await expect.poll(() => page.locator("#decisions").textContent()).not.toBe("0");
  await expect.poll(() => page.locator("#chart-empty").textContent()).toMatch(/^The curve cannot be drawn: .+/);
  expect(await page.locator("#chart canvas").count()).toBe(0);
});
