/** Pictures of the show game while a net learns with 16 games on two workers. The figure is printed; it means something on an idle machine. */

import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** A picture that comes later than this after the one before has missed a frame. */
const LATE_MS = 25;

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 }, hash: "#preset=learner&seed=3&games=16&workers=2&set.rollout=32" },
);

test("the picture moves while a net learns", async () => {
  await demo.at("train").click();
  await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #[\d,]+$/);
  const gaps = await demo.page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const canvas = document.getElementById("screen") as HTMLCanvasElement;
        const copy = new OffscreenCanvas(160, 210).getContext("2d", { willReadFrequently: true });
        const times: number[] = [];
        let last = new Uint32Array();
        const end = performance.now() + 10_000;
        const look = (now: number): void => {
          copy?.drawImage(canvas, 0, 0);
          const picture = new Uint32Array(copy?.getImageData(0, 0, 160, 210).data.buffer ?? new ArrayBuffer());
          if (picture.some((pixel, at) => pixel !== last[at])) times.push(now);
          last = picture;
          if (now < end) requestAnimationFrame(look);
          else resolve(times.slice(1).map((time, at) => time - (times[at] ?? time)));
        };
        requestAnimationFrame(look);
      }),
  );
  const sorted = [...gaps].sort((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const rate = (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0);
  const late = (gaps.filter((gap) => gap > LATE_MS).length * 100) / gaps.length;
  console.log(
    `${rate.toFixed(0)} pictures a second while 16 games train on 2 workers; p95 of the gaps ${p95.toFixed(0)} ms; ` +
      `${late.toFixed(1)} % above ${LATE_MS} ms`,
  );
  expect(gaps.length).toBeGreaterThan(20);
});
