/** What the agent sees, thinks, does: what is true for the one who plays. */

import { expect, test } from "vitest";
import { Trace } from "../../www/src/show/trace.js";
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

test("the return of a decision is what came after it in its game, discounted, and unknown where too much is to come", () => {
  const trace = new Trace(0.5);
  const decisions: ReadonlyArray<readonly [value: number | undefined, reward: number, end: boolean]> = [
    [1, 7, false],
    [2, 0, false],
    [3, -40, true],
    [undefined, 1, false],
    [5, 0, false],
    [6, 1, false],
    [7, 0, false],
  ];
  for (const decision of decisions) trace.add(...decision);
  expect([...trace.values()]).toEqual([1, 2, 3, Number.NaN, 5, 6, 7]);
  // Rewards count by their sign. Of the second game's first decision a sixteenth is missing, of the others more than a tenth.
  expect([...trace.returns()]).toEqual([0.75, -0.5, -1, 1.25, Number.NaN, Number.NaN, Number.NaN]);
  trace.clear();
  expect(trace.returns().length).toBe(0);
});

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
  expect(
    await demo.page
      .getByRole("listitem")
      .filter({ has: demo.page.locator(".mark:visible") })
      .innerText(),
  ).toMatch(/RIGHT/);
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

test("the rate is never that of the speed before", async () => {
  const notes = (): Promise<string[]> =>
    demo.page.evaluate(async () => {
      const found = new Set<string>();
      const end = performance.now() + 2500;
      while (performance.now() < end) {
        found.add(document.getElementById("picture-note")?.textContent ?? "");
        await new Promise((later) => setTimeout(later, 20));
      }
      return [...found];
    });
  await demo.choose("speed", "fast");
  await expect.poll(() => demo.text("picture-note")).toMatch(/^[\d,]{3,} frames a second$/);
  await demo.choose("speed", "real-time");
  const after = (await notes()).filter((note) => note.endsWith("pictures a second"));
  expect(after.length).toBeGreaterThan(0);
  for (const note of after) expect(note).toMatch(/^(–|\d{1,2}) pictures a second$/);
  // A rewind counts no frames, and those before it are of another time.
  await demo.page.keyboard.down("z");
  await demo.page.waitForTimeout(1000);
  await demo.page.keyboard.up("z");
  const rates = (await notes()).flatMap((note) => /^\d+/.exec(note) ?? []).map(Number);
  expect(Math.min(...rates)).toBeGreaterThan(20);
});

test("a stack of any number of frames has labels that are read whole", async () => {
  for (const frames of [4, 5, 8, 12, 16]) {
    await demo.page.evaluate((n) => {
      const list = [{ type: "SkipFrames", n: 4 }, { type: "ImagePreprocessing" }, { type: "QueueFrames", n }];
      location.hash = `#wrappers=${encodeURIComponent(JSON.stringify(list))}`;
    }, frames);
    await expect.poll(() => demo.page.locator("#frames li").count()).toBe(frames);
    const boxes = await demo.at("frames").evaluate((list) => {
      const panel = list.closest("section")?.getBoundingClientRect();
      const texts = [...list.querySelectorAll("span")].filter(({ textContent }) => textContent !== "");
      const edges = texts.map((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, right } = range.getBoundingClientRect();
        return [left, right] as const;
      });
      return {
        labels: texts.map(({ textContent }) => textContent),
        edges,
        panel: [panel?.left ?? 0, panel?.right ?? 0],
      };
    });
    expect(boxes.labels.at(-1)).toBe("now");
    expect(boxes.labels[0]).toMatch(frames === 4 ? /^−12 frames$/ : new RegExp(`^−${4 * (frames - 1)}$`));
    let before = boxes.panel[0] ?? 0;
    for (const [left, right] of boxes.edges) {
      expect(left, `${frames} frames`).toBeGreaterThan(before);
      before = right;
    }
    expect(before).toBeLessThan(boxes.panel[1] ?? 0);
  }
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
