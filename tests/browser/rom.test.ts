/** ROMs of the user, and files that are no ROMs. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { file, realRom } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 900 } },
);

describe("Breakout from the file button", () => {
  test("plays, counts episodes with rewards, and stays in the page", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("rom-name")).toBe("Breakout");
    expect(await demo.number("episodes")).toBe(0);
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) >= 20);
    // A random player hits a brick in about one life of six.
    await demo.until(async () => (await demo.number("mean")) > 0);
    await demo.pause();
    const rewards = (await demo.page.locator("#episode-rows tr td:nth-child(3)").allTextContents()).map(Number);
    expect(rewards.some((reward) => reward > 0)).toBe(true);
    await demo.screenshot("breakout-desktop-light");
    await demo.page.emulateMedia({ colorScheme: "dark" });
    await demo.screenshot("breakout-desktop-dark");
    await demo.page.setViewportSize({ width: 390, height: 844 });
    await demo.page.waitForTimeout(300);
    await demo.screenshot("breakout-phone-dark");
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test("has Breakout's wall in the agent's frames", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("rom-name")).toBe("Breakout");
    await demo.until(async () => (await demo.number("steps")) > 8);
    await demo.pause();
    const newest = await demo.greys("frame-3");
    expect(newest.length).toBe(84 * 84);
    // The six rows of bricks are lines 57 to 92 of 210.
    const wall = newest.slice(84 * 24, 84 * 35).filter((grey) => grey > 60).length;
    expect(wall).toBeGreaterThan(84 * 11 * 0.8);
  });

  test("can be replaced by WALLOP", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("rom-name")).toBe("Breakout");
    await demo.at("rom-wallop").click();
    await expect.poll(() => demo.text("rom-name")).toBe("WALLOP");
  });
});

describe("a dropped file", () => {
  test("that is a known game is played", async () => {
    await demo.dropFile(realRom("pong"));
    await expect.poll(() => demo.text("rom-name")).toContain("Pong");
  });

  test("that is no known game is refused with its MD5, and the old game runs on", async () => {
    await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await expect.poll(() => demo.text("message-text")).toMatch(/[0-9a-f]{32}/);
    expect(await demo.text("message-text")).toContain("mystery.bin");
    await stillRuns();
    await demo.screenshot("unknown-rom");
    await demo.at("message-close").click();
    await expect.poll(() => demo.text("message-text")).toBe("");
  });

  for (const [what, content] of [
    ["empty", new Uint8Array(0)],
    ["of 3 KB", new Uint8Array(3072)],
    ["of 2 MB", new Uint8Array(2 * 1024 * 1024)],
  ] as const) {
    test(`that is ${what} is refused, and the old game runs on`, async () => {
      await demo.dropFile(file("odd.bin", content));
      await expect.poll(() => demo.text("message-text")).toContain("odd.bin");
      await stillRuns();
    });
  }
});

async function stillRuns(): Promise<void> {
  expect(await demo.text("rom-name")).toBe("WALLOP");
  const steps = await demo.number("steps");
  await demo.until(async () => (await demo.number("steps")) > steps + 5);
}
