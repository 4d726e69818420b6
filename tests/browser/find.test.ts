/** The drawer "Find the score": a ROM without a definition becomes an environment. */

import { readFileSync } from "node:fs";
import { parseDefinition } from "gym2600/toml";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo, holdBack } from "./support/demo.js";
import { file, realRom } from "./support/roms.js";

const WALLOP = readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url));

/** WALLOP with a change in an unused byte, so that it is not in the catalogue. */
const UNKNOWN = file("mine.bin", WALLOP.with(WALLOP.indexOf(255), 254));

const DESKTOP = { viewport: { width: 1280, height: 800 } };

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What the picture shows: the score and the balls, which the test reads where WALLOP has them. */
function seen(demo: Demo): Promise<{ score: number; lives: number }> {
  return demo.page.evaluate(() => {
    const ram = (window.shown.latest as unknown as { ram: Uint8Array }).ram;
    const digits = [3, 4, 5].map((place) => (ram[place] ?? 0).toString(16).padStart(2, "0"));
    return { score: Number(digits.join("")), lives: ram[2] ?? 0 };
  });
}

/** Begins a new game by the menu. Without rules nothing else does. */
async function newGame(demo: Demo): Promise<void> {
  await demo.at("game-button").click();
  await demo.at("new-game").click();
}

/** Lets chance play until the picture shows something, and holds it. */
async function playUntil(demo: Demo, shows: (now: { score: number; lives: number }) => boolean): Promise<void> {
  // The game may end before the picture is held.
  do {
    await demo.at("find-chance").click();
    await demo.until(async () => {
      const now = await seen(demo);
      if (now.lives === 0 && !shows(now)) await newGame(demo);
      return shows(now);
    });
    await demo.at("find-hold").click();
    await demo.settled();
  } while (!shows(await seen(demo)));
}

/** Types a number with the keys of the drawer, and looks. */
async function look(demo: Demo, number: number): Promise<void> {
  for (const digit of String(number)) {
    await demo.at("find-keys").getByRole("button", { name: digit, exact: true }).click();
  }
  await demo.at("find-look").click();
}

const candidates = (demo: Demo): Promise<string[]> => demo.page.locator("#find-candidates code").allTextContents();

/** Looks at what is shown until one place agrees, at most six times, and uses it. */
async function find(demo: Demo, what: "score" | "lives", expression: string): Promise<number> {
  await demo.page.locator(`#find-what label:has([value=${what}])`).click();
  for (let looks = 1; looks <= 6; looks += 1) {
    const before = (await seen(demo))[what];
    await look(demo, before);
    await expect.poll(() => demo.text("find-status")).toMatch(/ agrees? after /);
    if ((await demo.text("find-status")).startsWith("One place")) {
      expect(await candidates(demo)).toEqual([expression]);
      await demo.page.getByRole("button", { name: `Use ${expression}` }).click();
      return looks;
    }
    await playUntil(demo, (now) => (what === "score" ? now.score > 9 : now.lives > 0) && now[what] !== before);
  }
  throw new Error(`six looks leave ${await candidates(demo)}`);
}

describe.each([
  ["desktop", DESKTOP],
  ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
])("on a %s", (name, device) => {
  test("an unknown ROM becomes an environment by mouse alone, and a link of it plays at once", async () => {
    const demo = await Demo.open(browser, device);
    if (name === "phone") await demo.at("tab-training").click();
    await demo.choose("speed", "fast");
    await demo.chooseFile(UNKNOWN);
    await demo.page.getByRole("button", { name: "Find the score" }).click();
    await expect.poll(() => demo.text("game-title")).toBe("mine");
    await demo.settled();
    expect(await demo.at("score").isVisible()).toBe(false);
    expect(await demo.at("find-make").isDisabled()).toBe(true);
    await playUntil(demo, ({ score }) => score > 9);
    expect(await find(demo, "score", "bcd(0x85, 0x84, 0x83)")).toBeLessThanOrEqual(6);
    await newGame(demo);
    await demo.settled();
    expect(await find(demo, "lives", "ram[0x82]")).toBeLessThanOrEqual(6);
    await demo.screenshot(`find-${name}`);
    await demo.at("find-make").click();
    await expect.poll(() => demo.text("find-result")).toMatch(/^The environment runs, with \d+ actions: NOOP, /);
    expect(await demo.at("score").isVisible()).toBe(true);
    await demo.goesOn();
    const saved = await demo.download("find-save");
    expect(saved.name).toBe("mine.toml");
    const definition = parseDefinition(saved.bytes.toString());
    expect(definition.rules?.frame).toContain("new = bcd(0x85, 0x84, 0x83)\n");
    await demo.at("find-link").click();
    expect(await demo.text("share-note")).toBe("The description of this game is in the link.");
    const { hash } = new URL(await demo.at("share-link").inputValue());
    await demo.close();

    const other = await Demo.open(browser, { ...device, hash });
    await expect.poll(() => other.text("message-text")).toMatch(/^This link is for a game that it calls “mine”\./);
    await other.dropFile(UNKNOWN);
    await expect.poll(() => other.text("game-title")).toBe("mine");
    expect(await other.at("score").isVisible()).toBe(true);
    expect(await other.at("message").isHidden()).toBe(true);
    await other.close();
  });
});

test("the drawer opens by the menu of the game, takes a wrong look back, and finds the end by what it is", async () => {
  const demo = await Demo.open(browser, DESKTOP);
  await demo.at("game-button").click();
  await demo.at("find-button").click();
  await demo.settled();
  await expect.poll(() => demo.text("find-status")).toBe("Type the score that the picture shows, and press Look.");
  await look(demo, 87654321);
  await expect.poll(() => demo.text("find-status")).toMatch(/^No place agrees/);
  await demo.at("find-undo").click();
  await expect.poll(() => demo.text("find-status")).toMatch(/^Type the score/);
  await demo.page.locator("#find-what label:has([value=over])").click();
  await demo.page.getByRole("button", { name: "It goes on" }).click();
  await playUntil(demo, () => true);
  await demo.page.getByRole("button", { name: "It is over" }).click();
  await expect.poll(() => candidates(demo)).not.toEqual([]);
  expect((await candidates(demo)).every((one) => / == \d+$/.test(one))).toBe(true);
  await demo.at("find").getByRole("button", { name: "Close Find the score…" }).click();
  expect(await demo.at("find").isVisible()).toBe(false);
  await demo.close();
});

test("the drawer takes nothing before its script is there", async () => {
  const demo = await Demo.open(browser, DESKTOP);
  const load = await holdBack(demo.page, "find");
  await demo.at("game-button").click();
  await demo.at("find-button").click();
  await demo.settled();
  expect(await demo.at("find-chance").isDisabled()).toBe(true);
  expect(await demo.text("find-status")).toBe("The search is loading.");
  load();
  await demo.at("find-chance").click();
  await demo.goesOn();
  await demo.close();
});

test("a game of the catalogue that has no rules has neither a score nor lives", async () => {
  const demo = await Demo.open(browser, DESKTOP);
  await demo.dropFile(realRom("combat"));
  await expect.poll(() => demo.text("game-title")).toBe("Combat");
  await expect.poll(() => demo.at("score").isVisible()).toBe(false);
  expect(await demo.at("lives").isVisible()).toBe(false);
  await demo.close();
});
