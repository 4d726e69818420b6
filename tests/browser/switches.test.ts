/** The console's buttons and switches on the page: in the menu of the game, by keys, by touch, by gamepad, and in replays. */

import { readFileSync } from "node:fs";
import { Game } from "gym2600";
import { parseReplay, verifyReplay } from "gym2600/record";
import { parseDefinition } from "gym2600/toml";
import { describe, expect, test } from "vitest";
import type { Demo, OpenOptions } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { file } from "./support/roms.js";

const WALLOP = new Uint8Array(readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url)));

/**
 * WALLOP with its variant as lives, which SELECT counts up. The score is what the width of the bat has gained, which the left difficulty at A makes small, and 1000
 * more while all balls are left: none is after SELECT, and all are after RESET.
 */
const DEFINITION = `rom = "switches"
title = "Switches"

[rules]
start = "width = 0; reward = 0"
frame = """
new = ram[0x8B] + (1000 if ram[0x82] == 5 else 0)
reward = new - width
width = new
lives = ram[0x81] + 1
"""
`;

let demo: Demo;

/** Opens the page with the game before every test. */
function withGame(options: OpenOptions = {}): void {
  withDemo(async (opened) => {
    demo = opened;
    await demo.dropFile(file("switches.toml", Buffer.from(DEFINITION)));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("Switches");
    await demo.page.keyboard.press("Escape");
    await expect.poll(() => demo.number("lives")).toBe(1);
  }, options);
}

describe("at a desk", () => {
  withGame();

  test("SELECT is held in the menu and by its key, and the switches stay where they are put", async () => {
    await demo.at("game-button").click();
    await demo.at("console-select").click();
    await expect.poll(() => demo.number("lives")).toBe(2);
    await expect.poll(() => demo.number("score")).toBeLessThan(-900);
    const wide = await demo.number("score");
    await demo.at("left-difficulty").selectOption("A");
    await expect.poll(() => demo.number("score")).toBeLessThan(wide);
    await demo.page.keyboard.press("Escape");
    await demo.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await demo.page.keyboard.press("2");
    await expect.poll(() => demo.number("score")).toBeGreaterThan(-900);
    await demo.page.keyboard.press("1");
    await expect.poll(() => demo.number("lives")).toBe(3);
    await demo.page.keyboard.press("3");
    expect(await demo.at("left-difficulty").inputValue()).toBe("B");
    await expect.poll(() => demo.text("announcement")).toBe("Left difficulty: B");
    await demo.page.keyboard.press("5");
    expect(await demo.at("tv-type").inputValue()).toBe("B-W");
  });

  test("a gamepad has SELECT and RESET while a person plays", async () => {
    await demo.page.evaluate(() => {
      const held = { pressed: [] as number[] };
      Object.assign(window, { held });
      navigator.getGamepads = () => {
        const buttons = Array.from({ length: 16 }, (_, at) => ({ pressed: held.pressed.includes(at) }));
        return [{ axes: [0, 0], buttons } as unknown as Gamepad];
      };
      window.dispatchEvent(new Event("gamepadconnected"));
    });
    await demo.at("play").click();
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.page.evaluate(() => {
      (window as unknown as { held: { pressed: number[] } }).held.pressed = [8];
    });
    await expect.poll(() => demo.number("lives")).toBe(2);
  });

  test("a replay has the moves of the switches, and is verified", async () => {
    await demo.page.keyboard.press("r");
    await demo.page.keyboard.press("1");
    await expect.poll(() => demo.number("lives")).toBe(2);
    await demo.page.keyboard.press("p");
    await demo.settled();
    await demo.at("data-button").click();
    const replay = parseReplay((await demo.download("replay-save")).bytes.toString());
    const moves = replay.runs.flatMap(({ switches = [] }) => switches);
    expect(moves.some(({ select }) => select === true)).toBe(true);
    const game = parseDefinition(DEFINITION);
    expect(replay.options.game).toEqual(game);
    const runs = await verifyReplay(replay, (options) => Game.create({ ...options, rom: WALLOP }));
    expect(runs.length).toBeGreaterThan(0);
  });
});

describe("on a phone", () => {
  withGame({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the pad has all switches in reach, upright and on its side", async () => {
    await demo.at("play").tap();
    await expect.poll(() => demo.at("countdown").isHidden()).toBe(true);
    await demo.at("pad-select").tap();
    await expect.poll(() => demo.number("lives")).toBe(2);
    await expect.poll(() => demo.number("score")).toBeLessThan(-900);
    const wide = await demo.number("score");
    await demo.at("pad-left-difficulty").tap();
    await expect.poll(() => demo.text("pad-left-difficulty-position")).toBe("A");
    await expect.poll(() => demo.number("score")).toBeLessThan(wide);
    await demo.at("pad-reset").tap();
    await expect.poll(() => demo.number("score")).toBeGreaterThan(-900);
    await demo.at("pad-tv-type").tap();
    await expect.poll(() => demo.text("announcement")).toBe("TV type: B-W");
    for (const [width, height] of [
      [390, 844],
      [844, 390],
    ] as const) {
      await demo.page.setViewportSize({ width, height });
      for (const part of ["select", "reset", "left-difficulty", "right-difficulty", "tv-type"]) {
        const isInReach = () =>
          demo.at(`pad-${part}`).evaluate((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          });
        await expect.poll(isInReach, { message: part }).toBe(true);
      }
    }
  });
});
