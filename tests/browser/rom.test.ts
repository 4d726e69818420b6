/** ROMs of the user, and files that are no ROMs. */

import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { tallGame } from "../package/support.js";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { file, realRom } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

describe("Breakout from the Game menu", () => {
  test("plays at random, counts games, and leaves the focus on the menu's button", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("game-button");
    expect(await demo.at("skill").isDisabled()).toBe(true);
    await expect.poll(() => demo.text("policy-name")).toBe("random agent: equal chances");
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 5);
    await demo.at("data-button").click();
    // A random player hits a brick in about one life of six.
    await demo.until(async () => (await demo.number("mean")) > 0);
    await demo.screenshot("breakout-data");
  });

  test("has Breakout's wall in the agent's frames", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.goesOn();
    await demo.pause();
    const [newest] = await demo.greys("frame-3");
    expect(newest?.greys.length).toBe(84 * 84);
    // The six rows of bricks are lines 57 to 92 of 210.
    const wall = newest?.greys.slice(84 * 24, 84 * 35).filter((grey) => grey > 60).length ?? 0;
    expect(wall).toBeGreaterThan(84 * 11 * 0.8);
  });

  test("can be replaced by WALLOP, and its policies", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.chooseWallop();
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour of training$/);
  });
});

describe("a dropped file", () => {
  test("that is a known game is played", async () => {
    await demo.dropFile(realRom("pong"));
    await expect.poll(() => demo.text("game-title")).toContain("Pong");
  });

  test("that is a zip file with one ROM is played, and one with two is refused by their names", async () => {
    const { buffer } = realRom("pong");
    const one = zipSync({ "Pong/read me.txt": new Uint8Array(9), "Pong/Pong.A26": new Uint8Array(buffer) });
    await demo.dropFile(file("pong.zip", one));
    await expect.poll(() => demo.text("game-title")).toContain("Pong");
    await demo.dropFile(file("two.zip", zipSync({ "a.bin": new Uint8Array(2048), "b.bin": new Uint8Array(2048) })));
    await expect.poll(() => demo.text("message-text")).toContain('several ROMs, "a.bin" and "b.bin"');
    expect(await demo.text("game-title")).toContain("Pong");
  });

  test("that draws above and below ALE's picture is shown whole where it has no description", async () => {
    await demo.dropFile(file("tall.a26", tallGame()));
    await demo.page.getByRole("button", { name: "Play without scores" }).click();
    await expect.poll(() => demo.text("game-title")).toBe("tall");
    await expect
      .poll(() => demo.page.evaluate(() => document.getElementById("pipeline")?.textContent))
      .toContain("160 × 230 pixels");
  });

  test("that is no known game is named with its MD5, and can be played without scores", async () => {
    await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin.*[0-9a-f]{32}/);
    expect(await demo.text("game-title")).toBe("WALLOP");
    await demo.goesOn();
    expect(await demo.page.locator("#message-actions button").allTextContents()).toEqual([
      "Play without scores",
      "Find the score",
      "Describe it",
    ]);
    await demo.screenshot("unknown-rom");
    await demo.page.getByRole("button", { name: "Play without scores" }).click();
    await expect.poll(() => demo.text("game-title")).toBe("mystery");
    await demo.goesOn();
  });

  for (const [what, content] of [
    ["empty", new Uint8Array(0)],
    ["of 3 KB", new Uint8Array(3072)],
    ["of 2 MB", new Uint8Array(2 * 1024 * 1024)],
  ] as const) {
    test(`that is ${what} is refused, and the old game runs on`, async () => {
      await demo.dropFile(file("odd.bin", content));
      await expect.poll(() => demo.text("message-text")).toContain("odd.bin cannot be played");
      expect(await demo.text("game-title")).toBe("WALLOP");
      await demo.goesOn();
      await demo.at("message-close").click();
      await expect.poll(() => demo.at("message").isHidden()).toBe(true);
    });
  }

  for (const [name, content, what] of [
    ["wallop.csv", "{}", "It is a table for other programs: the JSON file of the same has all of it."],
    ["wallop.gif", "GIF", "It is a film of a game."],
  ] as const) {
    test(`that the page wrote and does not open is named: ${name}`, async () => {
      await demo.dropFile(file(name, Buffer.from(content)));
      await expect
        .poll(() => demo.text("message-text"))
        .toBe(
          `${name} cannot be played. ${what} The page opens ROMs, weights (.safetensors), descriptions (.toml), and what it saved as .json. WALLOP goes on.`,
        );
    });
  }
});
