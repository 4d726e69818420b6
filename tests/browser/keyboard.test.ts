/** The page is usable with the keyboard alone. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** The elements that can have the focus before any training, in the order of the page. */
const TAB_STOPS = [
  "skip",
  "game-button",
  "share-button",
  "code-button",
  "docs-button",
  "saliency",
  "full-screen",
  "television",
  "play",
  "sound",
  "x-axis",
  "train",
  "skill",
  "player",
  "speed",
  "pause",
  "step",
  "setup-button",
  "data-button",
  "explain-button",
];

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1440, height: 900 } },
);

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
  test("the focus follows the reading order of the page, and is visible on every control", async () => {
    const order: string[] = [];
    for (let presses = 0; presses < TAB_STOPS.length; presses++) {
      await demo.page.keyboard.press("Tab");
      order.push(await focused());
      const outlined = await demo.page.evaluate(() => {
        const active = document.activeElement;
        const shown =
          active instanceof HTMLInputElement && active.type === "radio" ? active.nextElementSibling : active;
        return shown !== null && getComputedStyle(shown).outlineStyle === "solid";
      });
      expect(outlined, await focused()).toBe(true);
    }
    expect(order).toEqual(TAB_STOPS);
  });

  test("the game is paused, stepped and sped up", async () => {
    await pressUntilFocused("Tab", "pause");
    await demo.page.keyboard.press("Space");
    await demo.settled();

    const decisions = await demo.number("decisions");
    await pressUntilFocused("Tab", "step");
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.number("decisions")).toBe(decisions + 1);

    await pressUntilFocused("Shift+Tab", "speed");
    await demo.page.keyboard.press("ArrowRight");
    await demo.until(async () => (await demo.number("decisions")) > decisions + 200);
  });
});

describe("a menu, a drawer and a dialog", () => {
  test("open, close with Escape, and give the focus back", async () => {
    for (const name of ["setup", "data", "explain"]) {
      await demo.at(`${name}-button`).focus();
      await demo.page.keyboard.press("Enter");
      expect(await focused()).toBe(`${name}-title`);
      await demo.page.keyboard.press("Escape");
      expect(await focused()).toBe(`${name}-button`);
      expect(await demo.at(name).isHidden()).toBe(true);
    }
    for (const name of ["share", "code", "docs"]) {
      await demo.at(`${name}-button`).focus();
      await demo.page.keyboard.press("Enter");
      await expect.poll(() => demo.at(name).isVisible()).toBe(true);
      await demo.page.keyboard.press("Escape");
      await expect.poll(() => demo.at(name).isHidden()).toBe(true);
      expect(await focused()).toBe(`${name}-button`);
    }
    await demo.at("game-button").focus();
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.at("game-menu").isVisible()).toBe(true);
    await demo.page.keyboard.press("Escape");
    await expect.poll(() => demo.at("game-menu").isHidden()).toBe(true);
    expect(await focused()).toBe("game-button");
  });
});

describe("the drawer Setup", () => {
  test("keeps the focus on a number that is edited, and gives it to the neighbour of a wrapper that is removed", async () => {
    await demo.at("setup-button").click();
    const number = demo.page.getByLabel("SkipFrames: n");
    await number.focus();
    await demo.page.keyboard.press("ArrowDown");
    await demo.page.keyboard.press("Enter");
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    expect(await number.evaluate((input) => input === document.activeElement)).toBe(true);
    await number.fill("2");
    await demo.page.keyboard.press("Tab");
    const label = (): Promise<string | null> =>
      demo.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);
    expect(await label()).toBe("Remove SkipFrames");
    await demo.page.keyboard.press("Enter");
    expect(await label()).toBe("Remove EpisodicLife");
    expect(await demo.at("wrappers").inputValue()).not.toContain("SkipFrames");
    await demo.page.getByLabel("Remove QueueFrames").focus();
    await demo.page.keyboard.press("Enter");
    expect(await label()).toBe("Remove ImagePreprocessing");
    for (let chips = 0; chips < 4; chips++) await demo.page.keyboard.press("Enter");
    expect(await focused()).toBe("preset");
    await demo.page.keyboard.press("Escape");
    expect(await focused()).toBe("setup-button");
  });
});

describe("a drawer", () => {
  test("closes with Escape wherever the focus is, which stays there", async () => {
    await demo.at("data-button").click();
    await demo.at("train").focus();
    await demo.page.keyboard.press("Escape");
    expect(await demo.at("data").isHidden()).toBe(true);
    expect(await focused()).toBe("train");
    await demo.at("data-button").click();
    await demo.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    // A menu above it comes first.
    await demo.at("game-button").click();
    await demo.page.keyboard.press("Escape");
    expect(await demo.at("data").isVisible()).toBe(true);
    await demo.page.keyboard.press("Escape");
    expect(await demo.at("data").isHidden()).toBe(true);
  });

  test("Explain keeps the focus on Back at the first step, and begins there again after the last", async () => {
    await demo.at("explain-button").click();
    await demo.at("explain-next").click();
    await demo.at("explain-back").focus();
    await demo.page.keyboard.press("Enter");
    await demo.page.keyboard.press("Enter");
    expect(await demo.text("explain-count")).toBe("Step 1 of 8");
    expect(await focused()).toBe("explain-back");
    await demo.at("explain-next").focus();
    for (let step = 1; step <= 8; step++) await demo.page.keyboard.press("Enter");
    expect(await focused()).toBe("explain-button");
    await demo.page.keyboard.press("Enter");
    expect(await demo.text("explain-count")).toBe("Step 1 of 8");
  });
});

describe("with letters", () => {
  test("P pauses and starts, N takes a decision, R starts a new game", async () => {
    await demo.page.keyboard.press("p");
    await demo.settled();
    expect(await demo.text("pause")).toBe("Start picture");
    const decisions = await demo.number("decisions");
    await demo.page.keyboard.press("n");
    await expect.poll(() => demo.number("decisions")).toBe(decisions + 1);
    await demo.page.keyboard.press("r");
    await demo.settled();
    expect(await demo.number("score")).toBe(0);
    expect(await demo.number("lives")).toBe(5);
    await demo.page.keyboard.press("p");
    expect(await demo.text("pause")).toBe("Pause picture");
    await demo.goesOn();
  });

  test("a letter typed in a list is no shortcut", async () => {
    await demo.at("setup-button").click();
    await demo.at("preset").focus();
    await demo.page.keyboard.press("p");
    expect(await demo.text("pause")).toBe("Pause picture");
  });

  test("switched off, letters do nothing", async () => {
    await demo.at("docs-button").click();
    await demo.at("shortcuts").uncheck();
    await demo.page.keyboard.press("Escape");
    await demo.page.keyboard.press("p");
    expect(await demo.text("pause")).toBe("Pause picture");
  });
});

describe("a person playing", () => {
  test("plays with one click, without frame skip, with the focus on the picture, and hands over", async () => {
    await demo.at("play").click();
    expect(await focused()).toBe("television");
    expect(await demo.text("play")).toBe("Hand over to the agent");
    expect(await demo.page.locator('input[name="player"][value="you"]').isChecked()).toBe(true);
    await demo.at("play").click();
    expect(await demo.text("play")).toBe("Play");
    await demo.goesOn();
  });

  test("hands over with Esc, once nothing else is open", async () => {
    await demo.page.keyboard.press("k");
    await demo.at("explain-button").click();
    await demo.at("television").focus();
    await demo.page.keyboard.press("Escape");
    expect(await demo.at("explain").isHidden()).toBe(true);
    expect(await demo.text("play")).toBe("Hand over to the agent");
    await demo.at("television").focus();
    await demo.page.keyboard.press("Escape");
    expect(await demo.text("play")).toBe("Play");
    await demo.goesOn();
  });

  test("another tab pauses the game of a person, and not that of the agent", async () => {
    const hide = (): Promise<void> =>
      demo.page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      });
    await hide();
    expect(await demo.text("pause")).toBe("Pause picture");
    await demo.page.keyboard.press("k");
    await hide();
    expect(await demo.text("pause")).toBe("Start picture");
  });

  test("moves with the arrows and fires with space; a tap between two decisions counts", async () => {
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
      await expect.poll(() => demo.text("action-text")).toBe(action);
      await demo.page.keyboard.press("n");
      await expect.poll(() => demo.text("action-text")).toBe("NOOP");
    }
  });

  test("goes on with the keys after a click on a control of the picture", async () => {
    await demo.page.keyboard.press("k");
    for (const control of [demo.at("sound"), demo.page.locator("label", { hasText: "Saliency" })]) {
      await control.click();
      await expect.poll(focused).toBe("television");
    }
    expect(await demo.at("saliency").isChecked()).toBe(true);
    expect(await demo.at("sound").getAttribute("aria-pressed")).toBe("true");
    await demo.page.keyboard.down("ArrowRight");
    await expect.poll(() => demo.text("action-text")).toBe("RIGHT");
    await demo.page.keyboard.up("ArrowRight");
    // With the keyboard the focus stays.
    await demo.at("sound").focus();
    await demo.page.keyboard.press("Enter");
    expect(await demo.at("sound").getAttribute("aria-pressed")).toBe("false");
    expect(await focused()).toBe("sound");
  });

  test("held keys act in every decision", async () => {
    await demo.page.keyboard.press("k");
    await demo.page.keyboard.down("ArrowRight");
    await expect.poll(() => demo.text("action-text")).toBe("RIGHT");
    await demo.goesOn();
    await expect.poll(() => demo.text("action-text")).toBe("RIGHT");
    await demo.page.keyboard.up("ArrowRight");
    await expect.poll(() => demo.text("action-text")).toBe("NOOP");
  });

  test("plays at real time: Fast ends, and is not offered", async () => {
    await demo.choose("speed", "fast");
    await demo.page.keyboard.press("k");
    expect(await demo.page.locator('input[name="speed"][value="real-time"]').isChecked()).toBe(true);
    expect(await demo.page.locator('input[name="speed"][value="fast"]').isDisabled()).toBe(true);
  });

  test("space on a button presses the button and does not fire", async () => {
    await demo.page.keyboard.press("k");
    await demo.at("pause").focus();
    await demo.page.keyboard.press("Space");
    await demo.settled();
    expect(await demo.text("pause")).toBe("Start picture");
    expect(await demo.page.evaluate(() => window.shown.latest?.player)).toBe("you");
    expect(await demo.text("action-text")).toBe("NOOP");
  });
});
