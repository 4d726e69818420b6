/** Explain: eight steps from pixel to policy, with the data of the moment. */

import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** What each step says with live data: while WALLOP's policy plays, and while a net learns. */
const LIVE: readonly RegExp[] = [
  /^This game shows \d+ pictures a second now\.$/,
  /^Each picture has 84 × 84 = 7,056 pixels\.$/,
  /^A decision lasts 4 frames, so the stack looks back 12 frames\.$/,
  /^Hiding the most important patch changes the policy by \d+ %\.$/,
  /^Now it draws (NOOP|FIRE|LEFT|RIGHT), which had \d+ %\.$/,
  /^Now it expects -?\d+\.\d\d\.$/,
  /^Update [\d,]+: [\d,]+ decisions a second\.$/,
  /^Entropy is \d\.\d\d after [\d.]+( [kM])? frames\.$/,
];

/** What the agent sees and is told, and what the words for it mean: said no later than where they are used. */
const SAID: Readonly<Record<number, RegExp>> = {
  0: /sees these pixels.*is also told the reward: the points/,
  5: /sum of rewards, of points,/,
  7: /Entropy measures how evenly/,
};

/** The steps with a picture. */
const DRAWN = [1, 2, 3];

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

test("its eight steps have live data, and end where they began", async () => {
  await demo.at("saliency").check({ force: true });
  await demo.at("train").click();
  await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #\d/);
  await demo.at("explain-button").click();
  expect(await demo.at("explain-back").isDisabled()).toBe(true);
  const headings = new Set<string>();
  for (const [step, live] of LIVE.entries()) {
    expect(await demo.text("explain-count")).toBe(`Step ${step + 1} of 8`);
    await expect.poll(() => demo.text("explain-live")).toMatch(live);
    headings.add(await demo.text("explain-heading"));
    expect(await demo.text("explain-text")).toMatch(SAID[step] ?? /\w/);
    expect(await demo.at("explain-canvas").isVisible()).toBe(DRAWN.includes(step));
    if (DRAWN.includes(step)) {
      await demo.until(async () => new Set((await demo.greys("explain-canvas"))[0]?.greys).size > 2);
    }
    await demo.at("explain-next").click();
  }
  expect(headings.size).toBe(8);
  expect(await demo.at("explain").isHidden()).toBe(true);
  expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("explain-button");
});

test("the documents open beside the page, which keeps its game", async () => {
  await demo.at("docs-button").click();
  const opening = demo.page.context().waitForEvent("page");
  await demo.page.getByRole("link", { name: "The documents" }).click();
  const documents = await opening;
  await documents.close();
  expect(await demo.at("docs").isVisible()).toBe(true);
});
