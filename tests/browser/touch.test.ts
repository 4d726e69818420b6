/** Playing on a phone, with fingers. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { realRom } from "./support/roms.js";

/** Frames of a drag over the whole picture. */
const WHOLE_TURN = 33;

let demo: Demo;

function withPhone(hash = ""): void {
  withDemo(
    (opened) => {
      demo = opened;
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, hash },
  );
}

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

/** Ends what a touch of an element does as soon as the agent sees something else: a busy machine would be late with the finger's end. */
function endTouchAtChange(id: string): Promise<void> {
  return demo.page.evaluate((name) => {
    const seen = (): string => String(window.shown.latest?.stack);
    const before = seen();
    const look = (): void => {
      if (seen() === before) setTimeout(look, 1);
      else document.getElementById(name)?.dispatchEvent(new PointerEvent("pointercancel"));
    };
    look();
  }, id);
}

/** Drags a finger over a share of an element's width, from its middle. */
async function drag(id: string, share: number): Promise<void> {
  const box = await demo.at(id).boundingBox();
  if (box === null) throw new Error(`#${id} is not shown`);
  const client = await demo.page.context().newCDPSession(demo.page);
  const at = (moved: number) => [{ x: box.x + box.width * (0.5 + moved), y: box.y + box.height / 2 }];
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let move = 1; move <= 5; move++) {
    await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at((share * move) / 5) });
  }
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Takes decisions one by one. */
async function decide(count: number): Promise<void> {
  for (let decision = 0; decision < count; decision++) {
    const decisions = await demo.number("decisions");
    await demo.page.keyboard.press("n");
    await demo.settled();
    expect(await demo.number("decisions")).toBe(decisions + 1);
  }
}

/** The middle of Breakout's bat, in pixels: the longest bright run in its lines, between the walls. */
async function batAt(): Promise<number> {
  // The picture reaches the page with the frames.
  await demo.stack();
  const [picture] = await demo.greys("screen");
  if (picture === undefined) throw new Error("there is no picture");
  const { width, greys } = picture;
  let [longest, middle] = [0, 0];
  for (let line = 188; line < 194; line++) {
    let run = 0;
    for (let x = 8; x < 152; x++) {
      run = (greys[line * width + x] ?? 0) > 60 ? run + 1 : 0;
      if (run > longest) [longest, middle] = [run, x - run / 2];
    }
  }
  return middle;
}

describe("on a phone", () => {
  withPhone();

  test("turned on its side while a person plays, the pad is on the screen", async () => {
    await demo.at("play").tap();
    await expect.poll(() => demo.at("pad").isVisible()).toBe(true);
    await demo.page.setViewportSize({ width: 844, height: 390 });
    const ends = () =>
      demo
        .at("fire")
        .evaluate((fire) => [
          fire.getBoundingClientRect().top >= 0,
          fire.getBoundingClientRect().bottom <= innerHeight,
        ]);
    await expect.poll(ends).toEqual([true, true]);
  });

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
    await demo.page.keyboard.press("p");
    await demo.settled();
    const seen: string[] = [];
    // Up to a ball in flight: nothing moves in the second before it is served.
    while (seen.length < 24 || new Set(seen.slice(-10)).size < 10) {
      seen.push(await demo.stack());
      await decide(1);
    }
    const last = await demo.stack();
    await endTouchAtChange("rewind");
    const release = await touch("rewind", 0.5, 0.5);
    await expect.poll(() => demo.stack()).not.toBe(last);
    await release();
    await demo.settled();
    expect(seen).toContain(await demo.stack());
  });
});

describe("with a paddle", () => {
  // This environment presses no FIRE, so no ball is lost meanwhile.
  withPhone("#preset=labml");

  test("a finger on the picture turns a paddle as far as it moves", async () => {
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await demo.at("preset").inputValue()).toBe("labml");
    await demo.at("play").tap();
    // Paused, and taken on by decisions, so that the machine's speed does not matter.
    await demo.page.keyboard.press("p");
    await demo.settled();
    const moves: number[] = [];
    // First to the left end, and a little away from it.
    for (const share of [-0.5, -0.5, 0.1, 0.08, 0.16, -0.08]) {
      const before = await batAt();
      await drag("screen", share);
      await demo.settled();
      // The game averages its paddle over some frames, so the bat comes to rest later than the paddle.
      await decide(Math.ceil((Math.abs(share) * WHOLE_TURN) / 4) + 4);
      moves.push((await batAt()) - before);
    }
    const [short = 0, long = 0, back = 0] = moves.slice(3);
    expect(short).toBeGreaterThan(5);
    expect(long / short).toBeGreaterThan(1.5);
    expect(long / short).toBeLessThan(2.5);
    expect(-back / short).toBeGreaterThan(0.7);
    expect(-back / short).toBeLessThan(1.3);
  });
});
