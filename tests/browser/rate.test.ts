/** Pictures of the show game while a net learns with 16 games on two workers. The figures are printed; they mean something on an idle machine. */

import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

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
  // The worker counts what it paints: WALLOP stands still after each ball, and reading pixels would take time from what is measured.
  await demo.page.waitForTimeout(11_000);
  const [, perSecond = "0", p95 = "0"] =
    /^(\d+) pictures a second painted; 95 of 100 within (\d+) ms/.exec(
      (await demo.at("picture-note").getAttribute("title")) ?? "",
    ) ?? [];
  console.log(`${perSecond} pictures a second while 16 games train on 2 workers; p95 of the gaps ${p95} ms`);
  expect(Number(perSecond)).toBeGreaterThan(5);
  expect(Number(p95)).toBeGreaterThan(0);
});
