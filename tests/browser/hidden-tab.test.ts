/** Training goes on in a tab that is not shown. */

import { By, type WebDriver } from "selenium-webdriver";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { start } from "../package/webdriver.js";

const SECONDS = 5;

let driver: WebDriver;
beforeAll(async () => {
  // A browser as a person has it: Playwright's shows every page.
  driver = await start("Chromium");
  // Where the controls are not in tabs.
  await driver.manage().window().setRect({ width: 1280, height: 800 });
  await driver.get(`${inject("site")}#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1`);
});
afterAll(() => driver?.quit());

/** The frames that the net has learned from, as the page writes them: 1.2 k. */
async function frames(): Promise<number> {
  const text = (await driver.findElement(By.id("frames-total")).getAttribute("textContent")) ?? "";
  const [, number = "0", unit = ""] = /^([\d.]+) ?([kM]?)$/.exec(text) ?? [];
  return Number(number) * { "": 1, k: 1000, M: 1_000_000 }[unit as "" | "k" | "M"];
}

async function framesInAWhile(): Promise<number> {
  const before = await frames();
  await new Promise((later) => setTimeout(later, SECONDS * 1000));
  return (await frames()) - before;
}

test("a net goes on learning in a hidden tab", async () => {
  const train = driver.findElement(By.id("train"));
  await expect.poll(() => train.isEnabled()).toBe(true);
  await train.click();
  await expect.poll(frames).toBeGreaterThan(0);
  const shown = await framesInAWhile();
  await driver.manage().window().minimize();
  await expect.poll(() => driver.executeScript("return document.visibilityState")).toBe("hidden");
  const hidden = await framesInAWhile();
  console.log(`frames learned from in ${SECONDS} s: ${shown} in a tab that is shown, ${hidden} in a hidden one`);
  expect(hidden).toBeGreaterThan(0);
  expect(await driver.executeScript("return document.visibilityState")).toBe("hidden");
});
