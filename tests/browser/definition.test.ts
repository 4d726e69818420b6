/** Plays a game that is not in the catalogue, by a definition of the user. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { brief, file } from "./support/roms.js";

const WALLOP = readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url));

/** WALLOP with a change in an unused byte, so that it is not in the catalogue. */
const UNKNOWN = file("mine.bin", WALLOP.with(WALLOP.indexOf(255), 254));

const DEFINITION = `rom = "mine"
title = "My game"

[actions]
minimal = ["NOOP", "FIRE", "RIGHT"]

[rules]
start = "score = 0; lives = 5"
frame = """
new = bcd(0x85, 0x84, 0x83)
reward = new - score
score = new
lives = ram[0x82]
terminal = lives == 0
"""
`;

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

describe("an unknown cartridge", () => {
  test("is offered to be described, with a description that works, and plays by the user's", async () => {
    await demo.chooseFile(UNKNOWN);
    await expect.poll(() => demo.text("message-text")).toMatch(/mine\.bin.*[0-9a-f]{32}/s);
    await demo.page.getByRole("button", { name: "Describe it" }).click();
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("definition");
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My game");
    await demo.at("setup-button").click();
    await demo.at("definition").fill(DEFINITION.replace("My game", "My second game"));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My second game");
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 3);
    await demo.at("data-button").click();
    await demo.until(async () => (await demo.number("mean")) > 0);
  });
});

test("a file that is too large for a description is not read: the form says so, and the page goes on", async () => {
  await demo.chooseFile(file("long.toml", new Uint8Array(4 << 20).fill(35)));
  await expect
    .poll(() => demo.text("definition-error"))
    .toBe("long.toml has 4,194,304 bytes, and no description is that large.");
  expect(await demo.at("definition").inputValue()).toContain("[rules]");
  await demo.goesOn();
});

describe("a game without a score", () => {
  test("is not trained: the sentence and Train say why and offer to describe it, and Code plays it", async () => {
    await demo.chooseFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await demo.page.getByRole("button", { name: "Play without scores" }).click();
    await expect.poll(() => demo.text("story")).toBe("You play mystery.");
    expect(await demo.at("score").isVisible()).toBe(false);
    expect(await demo.at("lives").isVisible()).toBe(false);
    await demo.choose("player", "agent");
    expect(await demo.text("story")).toBe(
      "mystery has no score that a net could learn from. Find the score by the menu Game, and train.",
    );
    await demo.at("code-button").click();
    expect(await demo.text("code-file")).toBe("play.mjs");
    expect(await demo.text("code-text")).not.toContain("Trainer");
    await demo.dropFile(UNKNOWN);
    await demo.page.keyboard.press("Escape");
    await demo.at("message-close").click();
    await demo.at("train").click();
    expect(await demo.text("message-text")).toMatch(/^mystery has no score\. /);
    await demo.page.getByRole("button", { name: "Describe it" }).click();
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My game");
    expect(await demo.at("score").isVisible()).toBe(true);
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
  });
});

describe("a description", () => {
  test("is read from a dropped file", async () => {
    await demo.dropFile(file("mine.toml", Buffer.from(DEFINITION)));
    await expect.poll(() => demo.at("definition").inputValue()).toBe(DEFINITION);
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My game");
  });

  test("is for the open game, if another setup was applied since an unknown ROM was opened", async () => {
    await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin/);
    await demo.at("setup-button").click();
    await demo.at("seed").fill("5");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.dropFile(file("mine.toml", Buffer.from(DEFINITION)));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("My game");
    await demo.at("share-button").click();
    expect(await demo.at("share-link").inputValue()).toContain("rom=0d1ae6f25e0bc0ff058688d563a2ee2e");
  });

  test("with an error is refused with line, column and reason, and the place is marked", async () => {
    await demo.at("setup-button").click();
    await demo.at("definition-summary").click();
    await demo.at("definition").fill(DEFINITION.replace("new - score", "new - scor"));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("definition-error")).toMatch(/^Line 11, column 16: .*scor/);
    const marked = await demo.at("definition").evaluate((area) => {
      const { value, selectionStart } = area as HTMLTextAreaElement;
      return value.slice(selectionStart, selectionStart + 4);
    });
    expect(marked).toBe("scor");
    expect(await demo.text("game-title")).toBe("WALLOP");
    await demo.goesOn();
  });
});

/** The agent begins a game of five seconds. */
async function playBrief(): Promise<void> {
  await demo.dropFile(brief(301));
  await demo.at("definition-use").click();
  await expect.poll(() => demo.text("game-title")).toBe("Brief");
  await demo.page.keyboard.press("r");
  await demo.goesOn();
}

test("a game that the agent and the person have played names both", async () => {
  await playBrief();
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
  await demo.goesOn();
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.number("episodes")).toBeGreaterThan(0);
  await demo.at("data-button").click();
  const csv = (await demo.download("csv")).bytes.toString();
  expect(csv).toMatch(/,mixed,[^\n]*"you, random agent"/);
  expect(await demo.text("mixed-note")).toMatch(/^Mixed: more than one has played the game, as when you hand it over/);
  expect(await demo.at("mixed-note").isVisible()).toBe(true);
});

test("a game that two players of the same name have played names it once", async () => {
  await playBrief();
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
  await demo.goesOn();
  for (const player of ["random", "agent"] as const) {
    await demo.choose("player", player);
    await demo.goesOn();
  }
  await expect.poll(() => demo.number("episodes")).toBeGreaterThan(0);
  await demo.at("data-button").click();
  const [, game] = (await demo.download("csv")).bytes.toString().split("\r\n");
  expect(game).toMatch(/^1,mixed,[^\n]*,"you, random agent",/);
});

test("without a mixed game there is no word of one", async () => {
  await playBrief();
  await expect.poll(() => demo.number("episodes")).toBeGreaterThan(0);
  await demo.at("data-button").click();
  expect(await demo.page.locator("#episode-rows tr").count()).toBeGreaterThan(0);
  expect(await demo.at("mixed-note").isVisible()).toBe(false);
});

test("a game that is loaded or rewound keeps the names of those who have played it, and counts once", async () => {
  await playBrief();
  await demo.at("game-button").click();
  await demo.at("save-state").click();
  await expect.poll(() => demo.text("announcement")).toBe("The state is saved");
  await demo.page.keyboard.press("k");
  await demo.page.keyboard.press("r");
  await demo.at("game-button").click();
  await demo.at("load-state").click();
  await expect.poll(() => demo.number("episodes")).toBe(1);
  await demo.page.keyboard.down("z");
  await demo.page.waitForTimeout(300);
  await demo.page.keyboard.up("z");
  await expect.poll(() => demo.at("card").isVisible()).toBe(true);
  expect(await demo.number("episodes")).toBe(1);
  await demo.at("again").click();
  await expect.poll(() => demo.number("episodes")).toBe(2);
  await demo.at("data-button").click();
  const { games } = JSON.parse((await demo.download("json")).bytes.toString());
  expect(games.map(({ player }: { player: string }) => player)).toEqual(["mixed", "you"]);
});

/** Plays by a description whose reward never changes. */
async function playUnlearnable(): Promise<void> {
  await demo.dropFile(
    file(
      "mine.toml",
      Buffer.from(
        'rom = "mine"\ntitle = "Mine"\n\n[rules]\nstart = "reward = 0"\nframe = "reward = 0; terminal = 1 > 0"\n',
      ),
    ),
  );
  await demo.at("definition-use").click();
  await expect.poll(() => demo.text("game-title")).toBe("Mine");
  await demo.goesOn();
}

test("training by a description whose reward never changes says that a net learns nothing, and how to mend it", async () => {
  await playUnlearnable();
  expect(await demo.at("message").isHidden()).toBe(true);
  await demo.at("train").click();
  await expect
    .poll(() => demo.text("message-text"))
    .toMatch(/^A net learns nothing from Mine\. The reward was 0 in all of [\d,]+ decisions/);
  expect(await demo.text("message-text")).toContain("Every decision of random play ended a game.");
  await demo.page.getByRole("button", { name: "Describe it" }).click();
  expect(await demo.at("definition").isVisible()).toBe(true);
});

test("a question that stands is not replaced by the word that a net learns nothing, which follows its answer", async () => {
  await playUnlearnable();
  await demo.page.evaluate((md5) => {
    location.hash = `#rom=${md5}`;
  }, "0".repeat(32));
  await expect.poll(() => demo.text("message-text")).toMatch(/^This link is for a game\./);
  await demo.at("train").click();
  await expect.poll(() => demo.text("train")).toBe("Pause training");
  expect(await demo.text("message-text")).toMatch(/^This link is for a game\./);
  await demo.at("message-close").click();
  await expect.poll(() => demo.text("message-text")).toMatch(/^A net learns nothing from Mine\./);
  await demo.at("message-close").click();
  expect(await demo.at("message").isHidden()).toBe(true);
});
