/** What the page shows together belongs to one decision: picture, stack, policy, value and saliency. */

import { readFileSync } from "node:fs";
import { Policy } from "gym2600/learn";
import { describe, expect, test } from "vitest";
import { dequantised } from "../../www/src/policies/pretrained.js";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const POLICY = new URL("../../www/public/policies/1-hour.safetensors", import.meta.url);

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

/**
 * Whether the newest frame of the stack is of the picture. A frame is the maximum of the picture and the one before it, so no part of it
 * may be darker than the picture's, but for rounding.
 */
function belong(): Promise<boolean> {
  return demo.page.evaluate(() => {
    const [picture, frame] = ["screen", "frame-3"].map((id) => {
      const canvas = document.getElementById(id) as HTMLCanvasElement;
      const { width, height } = canvas;
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0);
      return { width, height, data: copy?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray() };
    });
    if (picture === undefined || frame === undefined) return false;
    const grey = (x: number, y: number): number => {
      const at = 4 * (y * picture.width + x);
      return (
        0.299 * (picture.data[at] ?? 0) + 0.587 * (picture.data[at + 1] ?? 0) + 0.114 * (picture.data[at + 2] ?? 0)
      );
    };
    const [stepX, stepY] = [picture.width / frame.width, picture.height / frame.height];
    let darker = 0;
    for (let y = 0; y < frame.height; y++) {
      for (let x = 0; x < frame.width; x++) {
        let [total, area] = [0, 0];
        for (let row = Math.floor(y * stepY); row < (y + 1) * stepY; row++) {
          const high = Math.min(row + 1, (y + 1) * stepY) - Math.max(row, y * stepY);
          for (let column = Math.floor(x * stepX); column < (x + 1) * stepX; column++) {
            const wide = Math.min(column + 1, (x + 1) * stepX) - Math.max(column, x * stepX);
            total += grey(column, row) * wide * high;
            area += wide * high;
          }
        }
        darker = Math.max(darker, total / area - (frame.data[4 * (y * frame.width + x)] ?? 0));
      }
    }
    return darker < 1.5;
  });
}

describe("the record of a decision", () => {
  test("has the stack of the picture", async () => {
    await demo.choose("speed", "fast");
    await demo.goesOn();
    // Two canvases reach the screen one after the other, so a sample may fall between them, and more on a busy machine.
    await expect
      .poll(async () => {
        let strangers = 0;
        for (let sample = 0; sample < 30; sample++) {
          await demo.page.waitForTimeout(37);
          if (!(await belong())) strangers += 1;
        }
        return strangers;
      })
      .toBeLessThanOrEqual(3);
    for (const speed of ["slow", "real-time", "fast"]) {
      await demo.choose("speed", speed as "slow");
      await demo.goesOn();
      await demo.pause();
      await demo.stack();
      await expect.poll(belong).toBe(true);
    }
  });

  test("has the policy and the value of the stack", async () => {
    const policy = await Policy.load(dequantised(new Uint8Array(readFileSync(POLICY))));
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour of training$/);
    await demo.pause();
    for (let count = 0; count < 5; count++) {
      const { probabilities, value } = policy.act(Uint8Array.from(JSON.parse(await demo.stack())), {
        shape: [4, 84, 84],
      });
      const shown = await demo.page.locator("#actions .share").allTextContents();
      expect(shown).toEqual(Array.from(probabilities, (share) => `${Math.round(share * 100)} %`));
      expect(await demo.text("value-text")).toBe(`value ${value.toFixed(2)}`);
      const decisions = await demo.number("decisions");
      await demo.at("step").click();
      await demo.settled();
      expect(await demo.number("decisions")).toBe(decisions + 1);
    }
  });

  test("has the saliency of the stack over the picture", async () => {
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour of training$/);
    await demo.pause();
    // The canvas reaches the page a little after its record, so the whole comparison is made again until it holds.
    await demo.until(async () => {
      const plain = await demo.pixels("screen");
      await demo.at("saliency").check({ force: true });
      await demo.settled();
      expect(await demo.text("watched")).toMatch(/^hiding the brightest patch changes the policy by \d+ %$/);
      await expect.poll(() => demo.pixels("screen")).not.toBe(plain);
      await demo.at("saliency").uncheck({ force: true });
      await demo.settled();
      await demo.page.waitForTimeout(200);
      return (await demo.pixels("screen")) === plain;
    });
  });
});
