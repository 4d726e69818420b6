/** The page is usable with the keyboard alone. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** The elements that can have the focus, in the order of the page. */
const TAB_STOPS = [
  "skip",
  "television",
  "run",
  "step",
  "reset",
  "speed",
  "player",
  "sound",
  "preset",
  "games",
  "workers",
  "wrappers-summary",
  "run-count",
  "run-unit",
  "run-start",
  "topic",
  "scroll",
  "csv",
  "rom-button",
  "rom-wallop",
  "definition-summary",
  "shortcuts",
];

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

function focused(): Promise<string> {
  return demo.page.evaluate(() => {
    const { activeElement } = document;
    return (
      activeElement?.id ||
      (activeElement instanceof HTMLInputElement ? activeElement.name : "") ||
      activeElement?.className ||
      ""
    );
  });
}

async function pressUntilFocused(key: string, id: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused()) === id) return;
    await demo.page.keyboard.press(key);
  }
  throw new Error(`${key} never leads to #${id}`);
}

describe("with Tab", () => {
  test("the focus follows the reading order of the page", async () => {
    await demo.finishEpisodes();
    const order: string[] = [];
    for (let presses = 0; presses < TAB_STOPS.length; presses++) {
      await demo.page.keyboard.press("Tab");
      order.push(await focused());
    }
    expect(order).toEqual(TAB_STOPS);
  });

  test("the focus is visible on every control", async () => {
    await demo.finishEpisodes();
    for (let presses = 0; presses < TAB_STOPS.length; presses++) {
      await demo.page.keyboard.press("Tab");
      const outlined = await demo.page.evaluate(() => {
        const active = document.activeElement;
        const shown =
          active instanceof HTMLInputElement && active.type === "radio" ? active.nextElementSibling : active;
        return shown !== null && getComputedStyle(shown).outlineStyle === "solid";
      });
      expect(outlined, await focused()).toBe(true);
    }
  });

  test("the game is paused, stepped, sped up and reset", async () => {
    await pressUntilFocused("Tab", "run");
    await demo.page.keyboard.press("Space");
    await expect.poll(() => demo.text("run")).toBe("Start");
    await demo.settled();

    const steps = await demo.number("steps");
    await pressUntilFocused("Tab", "step");
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.number("steps")).toBe(steps + 1);

    await pressUntilFocused("Tab", "reset");
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.number("running-length")).toBe(0);

    await pressUntilFocused("Tab", "speed");
    await demo.page.keyboard.press("ArrowRight");
    await pressUntilFocused("Shift+Tab", "run");
    await demo.page.keyboard.press("Enter");
    await demo.until(async () => (await demo.number("rate")) > 60);
  });
});

describe("with letters", () => {
  test("P pauses and starts, N steps, R resets", async () => {
    await demo.page.keyboard.press("p");
    await expect.poll(() => demo.text("run")).toBe("Start");
    await demo.settled();
    const steps = await demo.number("steps");
    await demo.page.keyboard.press("n");
    await expect.poll(() => demo.number("steps")).toBe(steps + 1);
    await demo.page.keyboard.press("r");
    await expect.poll(() => demo.number("running-length")).toBe(0);
    await demo.page.keyboard.press("p");
    await expect.poll(() => demo.text("run")).toBe("Pause");
  });

  test("a letter typed in the list of presets is no shortcut", async () => {
    await demo.at("preset").focus();
    await demo.page.keyboard.press("p");
    await demo.page.waitForTimeout(200);
    expect(await demo.text("run")).toBe("Pause");
  });

  test("switched off, letters do nothing", async () => {
    await demo.at("shortcuts").uncheck();
    await demo.page.keyboard.press("p");
    await demo.page.waitForTimeout(200);
    expect(await demo.text("run")).toBe("Pause");
  });
});

describe("a person playing", () => {
  test("moves with the arrows and fires with space; a tap between two steps counts", async () => {
    await demo.page.keyboard.press("k");
    expect(await focused()).toBe("television");
    await demo.pause();
    for (const [key, action] of [
      ["Space", "FIRE"],
      ["ArrowLeft", "LEFT"],
      ["ArrowRight", "RIGHT"],
      ["a", "LEFT"],
      ["Enter", "FIRE"],
    ] as const) {
      await demo.at("television").focus();
      await demo.page.keyboard.press(key);
      await demo.page.keyboard.press("n");
      await expect.poll(() => demo.text("action")).toBe(action);
    }
    await demo.page.keyboard.press("n");
    await expect.poll(() => demo.text("action")).toBe("NOOP");
  });

  test("held keys act on every step", async () => {
    await demo.page.keyboard.press("k");
    await demo.page.keyboard.down("ArrowRight");
    await expect.poll(() => demo.text("action")).toBe("RIGHT");
    const steps = await demo.number("steps");
    await demo.until(async () => (await demo.number("steps")) > steps + 5);
    expect(await demo.text("action")).toBe("RIGHT");
    await demo.page.keyboard.up("ArrowRight");
    await expect.poll(() => demo.text("action")).toBe("NOOP");
  });

  test("space on a button presses the button and does not fire", async () => {
    await demo.page.keyboard.press("k");
    await demo.at("run").focus();
    await demo.page.keyboard.press("Space");
    await expect.poll(() => demo.text("run")).toBe("Start");
  });
});
