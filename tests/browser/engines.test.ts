/**
 * The page in the other engines. The short form has one flow in each: it starts by itself, learns, takes a ROM, and logs no errors. The
 * long form has the flows of the other tests too, on a desktop and on a phone.
 */

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { By, error, until, type WebDriver } from "selenium-webdriver";
import LogInspector from "selenium-webdriver/bidi/logInspector.js";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dequantised } from "../../www/src/policies/pretrained.js";
import { HANG_MS, LONG } from "../limits.js";
import { start } from "../package/webdriver.js";
import * as layout from "./support/layout.js";
import { brief, type ChosenFile, file, folder } from "./support/roms.js";

const ENGINES = ["Firefox", "WebKit"] as const;

/** Few games and short rollouts, so that an update takes a moment. */
const TRAINING = "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1";

/** Sizes of what the window shows. The windows of these browsers are at least 450 pixels wide, which is a phone's layout still. */
const SIZES = [
  ["a desktop", 1280, 720],
  ["a phone", 390, 844],
] as const;

const POLICY = new URL("../../www/public/policies/5-minutes.safetensors", import.meta.url);

/** The page in an engine. */
class Driven {
  readonly complaints: Array<string | null> = [];
  readonly driver: WebDriver;

  private constructor(driver: WebDriver) {
    this.driver = driver;
  }

  static async start(engine: (typeof ENGINES)[number]): Promise<Driven> {
    const driven = new Driven(await start(engine));
    // WebKit's driver does not give the messages of the console.
    if (engine === "Firefox") {
      const log = await LogInspector(driven.driver);
      await log.onLog(({ level, text }) => {
        if (level === "error" || level === "warn") driven.complaints.push(text);
      });
    }
    return driven;
  }

  /** Opens the page anew and waits until its first game runs. */
  async open(hash = ""): Promise<void> {
    await this.driver.get("about:blank");
    await this.driver.get(`${inject("site")}${hash}`);
    await expect.poll(() => this.number("decisions")).toBeGreaterThan(0);
  }

  /** Gives the window what the page needs to have a size. */
  async resize(width: number, height: number): Promise<void> {
    await this.driver.get(inject("site"));
    const window = this.driver.manage().window();
    await window.setRect({ x: 0, y: 0, width, height });
    const [besides = 0, above = 0] = await this.driver.executeScript<number[]>(
      "return [outerWidth - innerWidth, outerHeight - innerHeight]",
    );
    await window.setRect({ x: 0, y: 0, width: width + besides, height: height + above });
  }

  text(id: string): Promise<string> {
    return this.driver.findElement(By.id(id)).getText();
  }

  async number(id: string): Promise<number> {
    return Number((await this.text(id)).replaceAll(",", ""));
  }

  shown(id: string): Promise<boolean> {
    return this.driver.findElement(By.id(id)).isDisplayed();
  }

  /** Clicks, once no drawer covers the place any more. */
  async click(id: string): Promise<void> {
    const item = this.driver.findElement(By.id(id));
    await this.driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", item);
    await this.driver.wait(
      () =>
        item.click().then(
          () => true,
          (failure) => {
            if (failure instanceof error.ElementClickInterceptedError) return false;
            throw failure;
          },
        ),
      HANG_MS,
    );
  }

  key(key: string): Promise<void> {
    return this.driver.actions().sendKeys(key).perform();
  }

  /** Opens a file as Open ROM... does. */
  openFile(path: string): Promise<void> {
    return this.driver.findElement(By.id("rom-file")).sendKeys(path);
  }

  pixels(): Promise<string> {
    const script =
      "const copy = document.createElement('canvas'); copy.getContext('2d').drawImage(document.getElementById('screen'), 0, 0);" +
      "return copy.toDataURL()";
    return this.driver.executeScript(script);
  }

  /** A box of the first element of a selector. */
  box(selector: string): Promise<DOMRect> {
    return this.driver.executeScript(
      "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
      selector,
    );
  }
}

const made = mkdtempSync(join(tmpdir(), "gym2600-engines-"));

/** The path of a file with a content that a test makes. */
function path({ name, buffer }: ChosenFile): string {
  const there = join(made, name);
  writeFileSync(there, buffer);
  return there;
}

describe.each(ENGINES)("%s", (engine) => {
  let page: Driven;

  beforeAll(async () => {
    page = await Driven.start(engine);
  });

  afterAll(() => page?.driver.quit());

  describe.runIf(LONG).each(SIZES)("on %s", (size, width, height) => {
    const isPhone = size === "a phone";
    const tab = async (name: string): Promise<void> => {
      if (isPhone) await page.click(`tab-${name}`);
    };
    beforeAll(() => page.resize(width, height));

    looks(() => page, tab, isPhone);
    play(() => page);
    files(() => page, tab);
  });

  flow(() => page, engine);
});

/** The first sight and Explain. */
function looks(on: () => Driven, tab: (name: string) => Promise<void>, isPhone: boolean): void {
  test("everything is in its place", async () => {
    const page = on();
    await page.open();
    const [sideways, down] = await page.driver.executeScript<[number, number]>(layout.room);
    expect(sideways).toBe(0);
    expect(await page.driver.executeScript(layout.cutOff)).toEqual([]);
    if (!isPhone) {
      expect(down).toBe(0);
      expect(await page.driver.executeScript(layout.rowsOfControls)).toBe(1);
    }
    await tab("curve");
    await expect.poll(() => page.text("chart-legend")).toContain("the shipped policy 476: a click on a point plays it");
    await page.openFile(join(folder, "breakout.bin"));
    await expect.poll(() => page.text("game-title")).toBe("Breakout");
    await expect.poll(() => page.shown("chart-empty")).toBe(true);
    const [hint, plot] = [await page.box("#chart-empty"), await page.box("#chart .u-over")];
    expect([hint.left > plot.left, hint.top > plot.top, hint.right < plot.right, hint.bottom < plot.bottom]).toEqual(
      Array(4).fill(true),
    );
  });

  test("Explain leads from pixel to policy", async () => {
    const page = on();
    await page.open();
    await expect.poll(() => page.text("policy-name")).toMatch(/hour of training$/);
    await tab("training");
    await page.click("explain-button");
    for (let step = 1; step <= 8; step++) {
      expect(await page.text("explain-count")).toBe(`Step ${step} of 8`);
      await expect.poll(() => page.text("explain-live")).toMatch(/\d.*\.$|^Switch Saliency on|^Train your own/);
      const drawer = await page.box("#explain");
      const described = await page.box(".described");
      // On a desktop the drawer is beside it, at the last step on the left, or above the row of training games.
      if (isPhone) expect(described.top).toBeLessThan(drawer.top);
      else {
        const places = [described.right <= drawer.left, described.left >= drawer.right, described.top >= drawer.bottom];
        expect(places, `step ${step}`).toContain(true);
      }
      await page.click("explain-next");
    }
    expect(await page.shown("explain")).toBe(false);
  });
}

/** A person's game. */
function play(on: () => Driven): void {
  test("a person plays after a countdown, and the card has the scores", async () => {
    const page = on();
    await page.open();
    await page.click("play");
    // It has keys at any size.
    await expect
      .poll(() => page.text("countdown-keys"))
      .toMatch(/^← → move, Space \(FIRE\) serves, P pauses, Esc hands over$/);
    await expect.poll(() => page.shown("countdown")).toBe(false);
    await expect.poll(() => page.text("story")).toMatch(/^You play WALLOP\. The net scores 476 a game\./);
    // The bat stands still, so all balls are lost.
    await expect.poll(() => page.shown("card")).toBe(true);
    expect(await page.text("card")).toMatch(/You\s*\d+\s*The net\s*476[\s\S]*Next to beat: /);
    await page.click("watch");
    await expect.poll(() => page.shown("card")).toBe(false);
    await page.click("play");
    await expect.poll(() => page.shown("countdown")).toBe(false);
    await page.key("\uE00C");
    await expect.poll(() => page.text("story")).not.toMatch(/^You play/);
  });
}

/** What the page opens. */
function files(on: () => Driven, tab: (name: string) => Promise<void>): void {
  test("weights and descriptions play, and what is no file of the page's is refused", async () => {
    const page = on();
    await page.open();
    await page.openFile(path(file("mine.safetensors", dequantised(new Uint8Array(readFileSync(POLICY))))));
    await expect.poll(() => page.text("policy-name")).toBe("mine.safetensors");
    await page.openFile(path(file("notes.bin", Buffer.from("no cartridge"))));
    await expect.poll(() => page.text("message-text")).toMatch(/^notes\.bin cannot be played\./);
    await page.click("message-close");
    await page.openFile(path(brief(121)));
    await page.click("definition-use");
    await expect.poll(() => page.text("game-title")).toBe("Brief");
    await tab("training");
    await page.click("data-button");
    await expect.poll(() => page.number("episodes")).toBeGreaterThan(0);
    expect(await page.driver.findElements(By.css("#files tbody tr"))).toHaveLength(7);
  });
}

/** The flow of the short form. */
function flow(on: () => Driven, engine: (typeof ENGINES)[number]): void {
  test("the embedded game starts by itself with a policy, and its picture moves", async () => {
    const page = on();
    await page.resize(1280, 720);
    await page.open(TRAINING);
    await expect.poll(() => page.number("decisions")).toBeGreaterThan(5);
    const first = await page.pixels();
    await expect.poll(() => page.pixels()).not.toBe(first);
    await expect.poll(() => page.text("policy-name")).toMatch(/hour of training$/);
    await page.driver.wait(until.elementLocated(By.css("#chart canvas")), HANG_MS);
    expect(await page.driver.executeScript(layout.rowsOfControls)).toBe(1);
  });

  test("a net learns, and the show game follows it", async () => {
    const page = on();
    await page.click("train");
    await expect.poll(() => page.text("policy-name")).toMatch(/^policy #[\d,]+$/);
    await expect.poll(() => page.text("steps-rate")).toMatch(/^[1-9]/);
    await page.click("train");
    await expect.poll(() => page.text("train")).toBe("Go on training");
  });

  test("a ROM is played", async () => {
    const page = on();
    await page.openFile(join(folder, "breakout.bin"));
    // The page asks before it ends a run.
    await page.driver.wait(until.elementLocated(By.xpath("//button[.='Open it']")), HANG_MS).click();
    await expect.poll(() => page.text("game-title")).toBe("Breakout");
    await expect.poll(() => page.number("decisions")).toBeGreaterThan(5);
  });

  test.runIf(engine === "Firefox")("the console has no message before the one that this test writes", async () => {
    const page = on();
    await page.driver.executeScript("console.error('ours')");
    await expect.poll(() => page.complaints).toEqual(["ours"]);
  });
}
