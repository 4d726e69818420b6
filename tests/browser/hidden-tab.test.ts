/** Training goes on in a tab that is not shown, on the CPU and on a graphics card, for which SwiftShader stands here. */

import { By, type WebDriver } from "selenium-webdriver";
import { afterEach, expect, inject, test } from "vitest";
import { start } from "../package/webdriver.js";

let driver: WebDriver | undefined;
afterEach(async () => {
  await driver?.quit();
  driver = undefined;
});

/** The frames that the net has learned from, as the page writes them: 1.2 k. */
async function frames(page: WebDriver): Promise<number> {
  const text = (await page.findElement(By.id("frames-total")).getAttribute("textContent")) ?? "";
  const [, number = "0", unit = ""] = /^([\d.]+) ?([kM]?)$/.exec(text) ?? [];
  return Number(number) * { "": 1, k: 1000, M: 1_000_000 }[unit as "" | "k" | "M"];
}

test.for([
  ["the CPU", "Chromium", "games=8&set.rollout=32", /^8 games; CPU/],
  ["a card", "Chromium with WebGPU", "games=4&set.rollout=8&device=gpu", /^4 games; GPU/],
] as const)("a net goes on learning in a hidden tab on %s", async ([, engine, settings, processor]) => {
  // A browser as a person has it: Playwright's shows every page.
  const page = await start(engine);
  driver = page;
  // Where the controls are not in tabs.
  await page.manage().window().setRect({ width: 1280, height: 800 });
  await page.get(`${inject("site")}#preset=learner&seed=3&set.minibatches=2&set.epochs=1&${settings}`);
  const train = page.findElement(By.id("train"));
  await expect.poll(() => train.isEnabled()).toBe(true);
  await train.click();
  await expect.poll(() => frames(page)).toBeGreaterThan(0);
  expect(await page.findElement(By.id("lanes-note")).getAttribute("textContent")).toMatch(processor);
  await page.manage().window().minimize();
  await expect.poll(() => page.executeScript("return document.visibilityState")).toBe("hidden");
  // The first update may have been on its way before.
  for (let update = 0; update < 3; update++) {
    const before = await frames(page);
    await expect.poll(() => frames(page)).toBeGreaterThan(before);
  }
  expect(await page.executeScript("return document.visibilityState")).toBe("hidden");
});
