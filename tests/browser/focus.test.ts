/** The keyboard's focus after a message: it goes back to what opened the message, or to the picture. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { file, realRom } from "./support/roms.js";

const BREAKOUT_MD5 = "f34f08e5eb96e500e851a80be3277a56";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  {
    viewport: { width: 1280, height: 720 },
    hash: "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1",
  },
);

function focused(): Promise<string | undefined> {
  return demo.page.evaluate(() => document.activeElement?.id);
}

/** Presses the button that has the focus, which is the message's with this label. */
async function press(label: string): Promise<void> {
  const button = demo.page.locator("#message-actions").getByRole("button", { name: label });
  await button.focus();
  await demo.page.keyboard.press("Enter");
}

async function askToEndTraining(): Promise<void> {
  await demo.at("train").click();
  await expect.poll(() => demo.text("train")).toBe("Pause training");
  await demo.chooseFile(realRom("pong"));
  await expect.poll(() => demo.text("message-text")).toMatch(/^Opening pong\.bin/);
}

describe("while a person plays, the focus goes back to the picture", () => {
  test("after the menu, a pause, a speed and a drawer", async () => {
    await demo.at("play").click();
    expect(await focused()).toBe("television");
    for (const id of ["save-state", "load-state", "new-game"]) {
      await demo.at("game-button").click();
      await demo.at(id).click();
      await expect.poll(focused, { message: id }).toBe("television");
    }
    await demo.at("pause").click();
    expect(await focused()).toBe("pause");
    await demo.at("pause").click();
    expect(await focused()).toBe("television");
    await demo.choose("speed", "slow");
    expect(await focused()).toBe("television");
    await demo.at("setup-button").click();
    await demo.page.keyboard.press("Escape");
    expect(await focused()).toBe("television");
    await demo.page.keyboard.down("ArrowRight");
    await expect.poll(() => demo.text("action-text")).toBe("RIGHT");
    await demo.page.keyboard.up("ArrowRight");
  });
});

describe("the focus", () => {
  test("goes back to the menu's button after Open it", async () => {
    await askToEndTraining();
    await press("Open it");
    await expect.poll(() => demo.text("game-title")).toContain("Pong");
    expect(await focused()).toBe("game-button");
  });

  test("goes back to the menu's button after Go on training", async () => {
    await askToEndTraining();
    await press("Go on training");
    expect(await demo.at("message").isHidden()).toBe(true);
    expect(await focused()).toBe("game-button");
  });

  test("goes to the picture after the ROM of a link has been opened", async () => {
    await demo.page.evaluate((hash) => {
      location.hash = hash;
    }, `#rom=${BREAKOUT_MD5}&title=Breakout&preset=learner`);
    await expect.poll(() => demo.text("message-text")).toMatch(/^This link is for a game that it calls “Breakout”/);
    const chooser = demo.page.waitForEvent("filechooser");
    await press("Open ROM…");
    await (await chooser).setFiles(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await focused()).toBe("television");
  });

  test("goes to the picture after Play without scores, and to the description after Describe it", async () => {
    const unknown = file("mystery.bin", new Uint8Array(4096).fill(42));
    await demo.chooseFile(unknown);
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin/);
    await press("Play without scores");
    await expect.poll(() => demo.text("game-title")).toBe("mystery");
    expect(await focused()).toBe("television");
    await demo.chooseFile(unknown);
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin/);
    await press("Describe it");
    expect(await focused()).toBe("definition");
  });

  test("stays in the message when a question becomes an error, and goes back from there", async () => {
    await demo.at("share-button").focus();
    await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin/);
    await demo.page.getByRole("button", { name: "Play without scores" }).focus();
    await demo.dropFile(file("odd.bin", Buffer.alloc(3)));
    await expect.poll(() => demo.text("message-text")).toContain("odd.bin cannot be played");
    expect(await focused()).toBe("message-close");
    await demo.page.keyboard.press("Enter");
    expect(await focused()).toBe("share-button");
  });

  test("goes to Train when the training game that had it ends with its run", async () => {
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    await demo.page.getByRole("button", { name: "Watch training game 3" }).focus();
    await demo.page.evaluate(() => window.shown.workers.at(-1)?.dispatchEvent(new ErrorEvent("error")));
    await expect.poll(() => demo.text("train")).toBe("Train again");
    expect(await focused()).toBe("train");
  });

  test("goes back after an error is dismissed, and stays on Train while a run starts", async () => {
    await demo.at("share-button").focus();
    await demo.dropFile(file("odd.bin", Buffer.alloc(3)));
    await expect.poll(() => demo.text("message-text")).toContain("odd.bin cannot be played");
    await demo.at("message-close").focus();
    await demo.page.keyboard.press("Enter");
    // An error has no buttons of its own, so the focus was where it was.
    expect(await focused()).toBe("share-button");
    await demo.at("train").focus();
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    expect(await focused()).toBe("train");
  });
});

test("one drawer leads to the others, at any width", async () => {
  for (const width of [1280, 320]) {
    await demo.page.setViewportSize({ width, height: 720 });
    if (width < 1000) await demo.at("tab-training").click();
    await demo.at("setup-button").click();
    for (const [from, name, to] of [
      ["setup", "Data", "data"],
      ["data", "Explain", "explain"],
      ["explain", "Setup", "setup"],
    ] as const) {
      await demo.at(from).getByRole("button", { name, exact: true }).click();
      expect(await demo.at(to).isVisible()).toBe(true);
      expect(await demo.at(from).isHidden()).toBe(true);
      expect(await focused()).toBe(`${to}-title`);
      const header = await demo.at(to).locator("header").boundingBox();
      expect(header?.height, `${to} at ${width}`).toBeLessThan(80);
    }
    await demo.page.keyboard.press("Escape");
    expect(await focused()).toBe("setup-button");
  }
});
