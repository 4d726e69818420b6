/** The page in the other engines: it starts by itself, takes a ROM, learns, and logs no errors. */

import { join } from "node:path";
import { By, until, type WebDriver } from "selenium-webdriver";
import LogInspector from "selenium-webdriver/bidi/logInspector.js";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { HANG_MS, LONG } from "../limits.js";
import { start } from "../package/webdriver.js";
import { folder } from "./support/roms.js";

// In either form the package's tests run in all three engines.
const ENGINES = LONG ? (["Firefox", "WebKit"] as const) : (["Firefox"] as const);

describe.each(ENGINES)("%s", (engine) => {
  let driver: WebDriver;
  const complaints: Array<string | null> = [];

  beforeAll(async () => {
    driver = await start(engine);
    // WebKit's driver does not give the messages of the console.
    if (engine === "Firefox") {
      const log = await LogInspector(driver);
      await log.onLog(({ level, text }) => {
        if (level === "error" || level === "warn") complaints.push(text);
      });
    }
    // Few games and short rollouts, so that an update takes a moment.
    await driver.get(`${inject("site")}#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1`);
  });

  afterAll(() => driver?.quit());

  function text(id: string): Promise<string> {
    return driver.findElement(By.id(id)).getText();
  }

  async function number(id: string): Promise<number> {
    return Number((await text(id)).replaceAll(",", ""));
  }

  function pixels(): Promise<string> {
    const script =
      "const copy = document.createElement('canvas'); copy.getContext('2d').drawImage(document.getElementById('screen'), 0, 0);" +
      "return copy.toDataURL()";
    return driver.executeScript(script);
  }

  test("the embedded game starts by itself with a policy, and its picture moves", async () => {
    await expect.poll(() => number("decisions")).toBeGreaterThan(5);
    const first = await pixels();
    await expect.poll(pixels).not.toBe(first);
    await expect.poll(() => text("policy-name")).toMatch(/hour of training$/);
    await driver.wait(until.elementLocated(By.css("#chart canvas")), HANG_MS);
  });

  test("a net learns, and the show game follows it", async () => {
    await driver.findElement(By.id("train")).click();
    await expect.poll(() => text("policy-name")).toMatch(/^policy #[\d,]+$/);
    await expect.poll(() => text("steps-rate")).toMatch(/^[1-9]/);
    await driver.findElement(By.id("train")).click();
    await expect.poll(() => text("train")).toBe("Go on training");
  });

  test("a ROM is played", async () => {
    await driver.findElement(By.id("rom-file")).sendKeys(join(folder, "breakout.bin"));
    // The page asks before it ends a run.
    await driver.wait(until.elementLocated(By.xpath("//button[.='Open it']")), HANG_MS).click();
    await expect.poll(() => text("game-title")).toBe("Breakout");
    await expect.poll(() => number("decisions")).toBeGreaterThan(5);
  });

  test.runIf(engine === "Firefox")("the console has no message before the one that this test writes", async () => {
    await driver.executeScript("console.error('ours')");
    await expect.poll(() => complaints).toEqual(["ours"]);
  });
});
