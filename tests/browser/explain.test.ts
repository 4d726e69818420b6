/** Explain: eight steps from pixel to policy, with the data of the moment. */

import { describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo, holdBack } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** What each step says with live data: while WALLOP's policy plays, and while a net learns. */
const LIVE: readonly RegExp[] = [
  /^This game shows \d+ pictures a second now\.$/,
  /^Each picture has 84 × 84 = 7,056 pixels\.$/,
  /^A decision lasts 4 frames, so the stack looks back 12 frames\.$/,
  /^Hiding the most important patch changes the policy by \d+ %\.$/,
  /^Now it draws (NOOP|FIRE|LEFT|RIGHT), which had \d+ %\.$/,
  /^Now it expects -?\d+\.\d\d\.$/,
  /^Before update [\d,]+ the critic had foreseen \d+ % of how the rewards of its decisions differed\.$/,
  /^Entropy is \d\.\d\d after [\d.]+( [kM])? frames\.$/,
];

/** What the agent sees and is told, and what the words for it mean: said no later than where they are used. */
const SAID: Readonly<Record<number, RegExp>> = {
  0: /sees these pixels.*is also told the reward: whether a decision won or lost points, which the page reads from/,
  5: /sum of rewards that it expects.*A decision that scores counts 1/,
  7: /Entropy measures how evenly/,
};

/** The steps with a picture. */
const DRAWN = [1, 2, 3];

let demo: Demo;
const use = (opened: Demo): void => {
  demo = opened;
};

/** The part of the page that each step describes. */
const ABOUT = [
  ".television",
  "#frames",
  "#frames",
  ".television",
  "#actions",
  ".thinks",
  ".lanes-row",
  "#panel-curve",
] as const;

/** The drawer's place, what it describes, and the window's height. */
async function places(about: string) {
  return demo.page.evaluate((selector) => {
    const box = (found: Element | null) => {
      const { left, right, top, bottom } = found?.getBoundingClientRect() ?? new DOMRect();
      return { left, right, top, bottom };
    };
    const described = document.querySelector(selector);
    const marked = described?.classList.contains("described") ?? false;
    return { drawer: box(document.getElementById("explain")), described: box(described), marked, height: innerHeight };
  }, about);
}

describe("on a desktop", () => {
  withDemo(use, {
    viewport: { width: 1280, height: 720 },
    hash: "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1",
  });

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

  test("the drawer leaves free what it describes", async () => {
    await demo.at("explain-button").click();
    for (const [step, about] of ABOUT.entries()) {
      const { drawer, described, marked } = await places(about);
      expect(marked, `step ${step + 1}`).toBe(true);
      const beside = Math.min(drawer.right, described.right) - Math.max(drawer.left, described.left) <= 0;
      // The row of training games is as wide as the page: the drawer ends above it.
      expect(about === ".lanes-row" ? drawer.bottom <= described.top : beside, `step ${step + 1}`).toBe(true);
      await demo.at("explain-next").click();
    }
    expect(await demo.page.locator(".described").count()).toBe(0);
  });

  test("the value's chart has an axis, its unit, and says what 1 means", async () => {
    for (const bound of ["value-most", "value-least"]) await expect.poll(() => demo.text(bound)).toMatch(/^-?\d/);
    expect(Number(await demo.text("value-most"))).toBeGreaterThanOrEqual(1);
    expect(Number(await demo.text("value-least"))).toBeLessThanOrEqual(0);
    expect(await demo.page.locator(".thinks").textContent()).toContain(
      "1: a decision that scores now (discounted reward)",
    );
    expect(await demo.at("value-chart").getAttribute("aria-label")).toMatch(
      /in discounted reward from -?[\d.]+ to [\d.]+/,
    );
  });

  test("the documents open beside the page, which keeps its game", async () => {
    await demo.at("docs-button").click();
    const opening = demo.page.context().waitForEvent("page");
    await demo.page.getByRole("link", { name: "The documents" }).click();
    const documents = await opening;
    await documents.close();
    expect(await demo.at("docs").isVisible()).toBe(true);
  });
});

describe.each([
  ["a phone", 390, 844],
  ["a small phone", 320, 640],
] as const)("on %s", (_name, width, height) => {
  withDemo(use, { viewport: { width, height }, hasTouch: true, isMobile: true });

  test("it is a sheet of at most half the height, with what it describes above it", async () => {
    await demo.at("tab-training").tap();
    await demo.at("explain-button").tap();
    for (const [step, about] of ABOUT.entries()) {
      await expect
        .poll(
          async () => {
            const { drawer, described, marked, height } = await places(about);
            const half = drawer.bottom - drawer.top <= height / 2 && drawer.bottom <= height;
            return marked && half && described.top >= 0 && described.bottom <= drawer.top && described.bottom > 0;
          },
          { message: `step ${step + 1}` },
        )
        .toBe(true);
      // The step of the net says to switch it on.
      if (step === 3) expect((await demo.page.locator(".switch").boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await demo.at("explain-next").tap();
    }
  });
});

test("its buttons take nothing before its script is there", async () => {
  const browser = await launch();
  const context = await Demo.context(browser, {});
  const load = await holdBack(context, "explain");
  const page = await Demo.visit(context);
  await page.at("explain-button").click();
  expect(await page.at("explain-next").isDisabled()).toBe(true);
  load();
  await page.at("explain-next").click();
  await expect.poll(() => page.text("explain-count")).toBe("Step 2 of 8");
  await page.close();
  await browser.close();
});
