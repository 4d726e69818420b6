/** Playing on a phone, with fingers. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

/** Touches a place of an element, given as shares of its size, and lets the finger stay. */
async function touch(id: string, x: number, y: number): Promise<() => Promise<void>> {
  const box = await demo.at(id).boundingBox();
  if (box === null) throw new Error(`#${id} is not shown`);
  const client = await demo.page.context().newCDPSession(demo.page);
  const point = { x: box.x + box.width * x, y: box.y + box.height * y };
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  return async () => {
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
}

describe("on a phone", () => {
  test("a person plays with one tap: the pad appears, the stick steers, FIRE fires", async () => {
    expect(await demo.at("pad").isHidden()).toBe(true);
    await demo.at("play").tap();
    await expect.poll(() => demo.at("pad").isVisible()).toBe(true);
    for (const [id, x, action] of [
      ["stick", 0.05, "LEFT"],
      ["stick", 0.95, "RIGHT"],
      ["fire", 0.5, "FIRE"],
    ] as const) {
      const release = await touch(id, x, 0.5);
      await expect.poll(() => demo.text("action-text")).toBe(action);
      await release();
      await expect.poll(() => demo.text("action-text")).toBe("NOOP");
    }
    await demo.screenshot("phone-playing");
    await demo.at("play").tap();
    await expect.poll(() => demo.at("pad").isHidden()).toBe(true);
  });

  test("rewind goes back while it is held", async () => {
    await demo.at("play").tap();
    await demo.page.waitForTimeout(3000);
    const picture = await demo.pixels("screen");
    const release = await touch("rewind", 0.5, 0.5);
    await expect.poll(() => demo.pixels("screen")).not.toBe(picture);
    await release();
  });
});
