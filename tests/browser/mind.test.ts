/** What the agent sees, thinks, does: what is true for the one who plays. */

import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

function shares(): Promise<string[]> {
  return demo.page.locator("#actions .share").allTextContents();
}

/** What Explain says in the steps about saliency, the policy and the value. */
async function explained(): Promise<string[]> {
  await demo.at("explain-button").click();
  const said: string[] = [];
  for (let step = 1; step <= 6; step++) {
    if (step >= 4) said.push(await demo.text("explain-live"));
    await demo.at("explain-next").click();
  }
  return said;
}

test("of the random agent: equal chances, and no policy", async () => {
  await demo.at("saliency").check({ force: true });
  await demo.choose("player", "random");
  await expect.poll(() => demo.text("policy-name")).toBe("random agent: equal chances");
  expect(await shares()).toEqual(["25 %", "25 %", "25 %", "25 %"]);
  expect(await demo.text("value-text")).toBe("value –");
  expect(await demo.text("watched")).toBe("no policy to map");
  const [saliency, policy, value] = await explained();
  expect(saliency).toBe("The random agent has no policy.");
  expect(policy).toMatch(/^The random agent has no policy\. Now it draws \w+, which had 25 %, as every action\.$/);
  expect(value).toBe("The random agent has no policy.");
});

test("of a person: the key that is pressed, and no policy", async () => {
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.text("policy-name")).toBe("you play: no policy decides");
  expect(await shares()).toEqual(["–", "–", "–", "–"]);
  expect(await demo.text("value-text")).toBe("value –");
  await demo.page.keyboard.down("ArrowRight");
  await expect.poll(() => demo.text("action-text")).toBe("RIGHT");
  expect(await demo.page.locator("#actions li[aria-current]").count()).toBe(1);
  await demo.page.keyboard.up("ArrowRight");
  await expect.poll(() => demo.text("action-text")).toBe("NOOP");
  const [saliency, policy, value] = await explained();
  expect(saliency).toBe("You play, so no policy decides now.");
  expect(policy).toBe("You play, so no policy decides now. Your keys say NOOP.");
  expect(value).toBe("You play, so no policy decides now.");
});

test("of the policy again, when the person hands over", async () => {
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.text("policy-name")).toBe("you play: no policy decides");
  await demo.page.keyboard.press("k");
  await expect.poll(() => demo.text("policy-name")).toBe("policy of 1 hour of training");
  expect(await demo.text("value-text")).toMatch(/^value -?\d/);
  expect((await shares()).every((share) => /^\d+ %$/.test(share))).toBe(true);
});

test("of another policy, also while the game stands still", async () => {
  await expect.poll(() => demo.text("value-text")).toMatch(/^value -?\d/);
  await demo.pause();
  const before = await demo.text("value-text");
  await demo.at("skill").focus();
  await demo.page.keyboard.press("Home");
  await expect.poll(() => demo.text("policy-name")).toBe("untrained policy");
  await expect.poll(() => demo.text("value-text")).not.toBe(before);
});

test("the slider says of what its policy is", async () => {
  const slider = demo.page.getByRole("slider", { name: "policy of 1 hour of training" });
  expect(await slider.getAttribute("aria-valuetext")).toBe("policy of 1 hour of training");
});

test("in Fast the picture says how many frames are played, of which few are shown", async () => {
  await demo.choose("speed", "fast");
  await expect.poll(() => demo.text("picture-note")).toMatch(/^[1-9][\d,]* frames a second$/);
  await demo.choose("speed", "real-time");
  await expect.poll(() => demo.text("picture-note")).toMatch(/^\d+ pictures a second$/);
});

test("the picture says what comes sixty times a second, and Docs how long a decision is", async () => {
  await expect.poll(() => demo.text("picture-note")).toMatch(/^\d+ pictures a second$/);
  expect(await demo.text("decision-frames")).toBe("4");
  await demo.at("setup-button").click();
  await demo.page.getByLabel("SkipFrames: n").fill("2");
  await demo.page.getByLabel("SkipFrames: n").press("Tab");
  await demo.at("apply").click();
  await expect.poll(() => demo.text("decision-frames")).toBe("2");
});
