/** The page in Firefox: it starts by itself, takes a ROM, plays several games and logs no errors. */

import { join } from "node:path";
import { By, Key, until, type WebDriver } from "selenium-webdriver";
import LogInspector from "selenium-webdriver/bidi/logInspector.js";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { start } from "../package/webdriver.js";
import { folder } from "./support/roms.js";

let driver: WebDriver;
const complaints: Array<string | null> = [];

beforeAll(async () => {
  driver = await start("Firefox");
  const log = await LogInspector(driver);
  await log.onLog(({ level, text }) => {
    if (level === "error" || level === "warn") complaints.push(text);
  });
  await driver.get(inject("site"));
});

afterAll(() => driver?.quit());

function text(id: string): Promise<string> {
  return driver.findElement(By.id(id)).getText();
}

async function number(id: string): Promise<number> {
  return Number((await text(id)).replaceAll(",", ""));
}

function pixels(): Promise<string> {
  return driver.executeScript("return document.getElementById('screen').toDataURL()");
}

async function fill(id: string, value: number): Promise<void> {
  const field = await driver.findElement(By.id(id));
  // Wait until the games are open.
  await driver.wait(until.elementIsEnabled(field));
  // A field for numbers loses keys that arrive in one call.
  for (const keys of [Key.chord(Key.CONTROL, "a"), String(value), Key.TAB]) await field.sendKeys(keys);
}

test("the embedded game starts by itself, and its picture moves", async () => {
  await expect.poll(() => number("steps")).toBeGreaterThan(5);
  const first = await pixels();
  await expect.poll(pixels).not.toBe(first);
});

test("four games of a ROM on three workers play the given number of steps", async () => {
  await driver.findElement(By.id("rom-file")).sendKeys(join(folder, "breakout.bin"));
  await expect.poll(() => text("rom-name")).toBe("Breakout");
  await fill("games", 4);
  await expect.poll(() => text("lanes-note")).toMatch(/^4 games on /);
  await fill("workers", 3);
  await expect.poll(() => text("lanes-note")).toBe("4 games on 3 workers");
  await fill("run-count", 203);
  await driver.findElement(By.id("run-start")).click();
  await expect.poll(() => text("run-text")).toBe("203 of 203 steps: done");
  expect(await number("steps")).toBeGreaterThanOrEqual(4 * 203);
});

test("the console has no message before the one that this test writes", async () => {
  await driver.executeScript("console.error('ours')");
  await expect.poll(() => complaints).toEqual(["ours"]);
});
