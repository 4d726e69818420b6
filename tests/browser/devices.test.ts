/** Gamepad, full screen, rewinding by key, and the manifest. */

import { expect, inject, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** What a gamepad of the test holds. */
interface Held {
  axes: number[];
  pressed: number[];
}

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

/** Connects a gamepad that the test plays. */
async function connect(): Promise<(held: Partial<Held>) => Promise<void>> {
  await demo.page.evaluate(() => {
    const held: Held = { axes: [0, 0], pressed: [] };
    Object.assign(window, { held });
    navigator.getGamepads = () => {
      const buttons = Array.from({ length: 16 }, (_, at) => ({ pressed: held.pressed.includes(at) }));
      return [null, { axes: held.axes, buttons } as unknown as Gamepad];
    };
    window.dispatchEvent(new Event("gamepadconnected"));
  });
  return (held) =>
    demo.page.evaluate((now) => {
      const empty: Held = { axes: [0, 0], pressed: [] };
      Object.assign((window as unknown as { held: Held }).held, empty, now);
    }, held);
}

test("a gamepad plays: stick, cross and buttons, but only while a person plays", async () => {
  const hold = await connect();
  await expect.poll(() => demo.text("announcement")).toBe("A gamepad is connected");
  await demo.at("play").click();
  for (const [held, action] of [
    [{ axes: [-1, 0] }, "LEFT"],
    [{ axes: [0.9, 0.1] }, "RIGHT"],
    [{ axes: [0.1, 0.1] }, "NOOP"],
    [{ pressed: [14] }, "LEFT"],
    [{ pressed: [15] }, "RIGHT"],
    [{ pressed: [2] }, "FIRE"],
    [{}, "NOOP"],
  ] as const) {
    await hold({ ...held } as Partial<Held>);
    await expect.poll(() => demo.text("action-text")).toBe(action);
  }
  await hold({ axes: [-1, 0] });
  await expect.poll(() => demo.text("action-text")).toBe("LEFT");
  await demo.page.evaluate(() => window.dispatchEvent(new Event("gamepaddisconnected")));
  await expect.poll(() => demo.text("action-text")).toBe("NOOP");
  // The game waits for a person who cannot steer it.
  expect(await demo.text("pause")).toBe("Start picture");
});

test("the picture fills the screen, can be left, and keeps the focus", async () => {
  await demo.at("full-screen").click();
  await expect.poll(() => demo.text("full-screen")).toBe("Leave full screen");
  expect(await demo.page.evaluate(() => document.fullscreenElement?.contains(document.getElementById("screen")))).toBe(
    true,
  );
  expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("television");
  await demo.at("full-screen").click();
  await expect.poll(() => demo.text("full-screen")).toBe("Full screen");
});

test("Z rewinds while it is held", async () => {
  // Four decisions lie between two moments that a rewind returns to.
  await demo.until(async () => (await demo.number("decisions")) > 40);
  await demo.page.keyboard.press("p");
  await demo.settled();
  const before = await demo.stack();
  await demo.page.keyboard.down("z");
  await expect.poll(() => demo.stack()).not.toBe(before);
  await demo.page.keyboard.up("z");
  await demo.settled();
  const back = await demo.stack();
  await demo.page.waitForTimeout(300);
  expect(await demo.stack()).toBe(back);
});

test("the page can be installed: its manifest has a name, icons of both sizes, and the page's own address", async () => {
  const site = inject("site");
  const href = await demo.page.locator('link[rel="manifest"]').getAttribute("href");
  const address = new URL(href ?? "", site);
  const manifest = await (await fetch(address)).json();
  expect(manifest).toMatchObject({ display: "standalone" });
  expect(manifest.name).toContain("gym2600");
  expect(new URL(manifest.start_url, address).href).toBe(site);
  const sizes: string[] = [];
  for (const { src, sizes: size } of manifest.icons as readonly { src: string; sizes: string }[]) {
    const icon = await fetch(new URL(src, address));
    expect(icon.status, src).toBe(200);
    sizes.push(size);
  }
  expect(sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
});
