/** The drawer Setup. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

const PRESETS = ["learner", "labml", "gym2600", "gymnasium", "ale-vector", "envpool", "baselines", "nature-dqn"];

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

async function apply(): Promise<void> {
  await demo.at("apply").click();
}

test("every preset plays, and its list has a sentence for each wrapper", async () => {
  await demo.at("setup-button").click();
  for (const preset of PRESETS.slice(1)) {
    await demo.at("preset").selectOption(preset);
    await apply();
    await expect.poll(() => demo.text("announcement"), { message: preset }).toBe("The setup is applied");
    await demo.goesOn();
    const chips = await demo.page.locator("#pipeline .chip").allTextContents();
    expect(chips.length, preset).toBeGreaterThan(3);
    for (const chip of chips) expect(chip, preset).toMatch(/[.]/);
  }
});

describe("a chip", () => {
  test("says what its wrapper does: gymnasium makes the picture grey first, and shrinks it later", async () => {
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("gymnasium");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    const chips = await demo.page.locator("#pipeline .chip", { hasText: "ImagePreprocessing" }).allTextContents();
    expect(chips.map((text) => text.replace(/\s+/g, " "))).toEqual([
      expect.stringContaining("The picture becomes grey."),
      expect.stringContaining("The picture becomes wide and high."),
    ]);
  });

  test("says from which range the number of skipped frames is drawn", async () => {
    await demo.at("setup-button").click();
    await demo.page.getByText("Advanced: the list as JSON").click();
    const list = [
      { type: "SkipFrames", n: 2, below: 5 },
      { type: "ImagePreprocessing" },
      { type: "QueueFrames", n: 4 },
    ];
    await demo.at("wrappers").fill(JSON.stringify(list));
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    expect(await demo.page.getByLabel("SkipFrames: n").inputValue()).toBe("2");
    expect(await demo.page.getByLabel("SkipFrames: below").inputValue()).toBe("5");
    await demo.goesOn();
  });

  test("is edited in place, and the list as JSON follows", async () => {
    await demo.at("setup-button").click();
    await demo.page.getByLabel("SkipFrames: n").fill("2");
    await demo.page.getByLabel("SkipFrames: n").press("Tab");
    expect(await demo.at("preset").inputValue()).toBe("own");
    expect(await demo.at("wrappers").inputValue()).toContain('"type": "SkipFrames", "n": 2');
    await apply();
    await expect.poll(() => demo.page.locator("#frames span").first().textContent()).toBe("−6 frames");
    await demo.goesOn();
  });

  test("can be removed", async () => {
    await demo.at("setup-button").click();
    await demo.page.getByRole("button", { name: "Remove NoopReset" }).click();
    expect(await demo.at("wrappers").inputValue()).not.toContain("NoopReset");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
  });
});

describe("a preset", () => {
  test("shows its list when it is chosen, and an edited chip changes that list", async () => {
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("labml");
    const chips = demo.page.locator("#pipeline .chip strong");
    await expect.poll(() => chips.allTextContents()).not.toContain("NoopReset");
    expect(await demo.at("wrappers").inputValue()).toContain('"restart": "fullReset"');
    expect(await demo.at("preset").inputValue()).toBe("labml");
    await demo.page.getByRole("button", { name: "Remove QueueFrames" }).click();
    expect(await demo.at("wrappers").inputValue()).toContain('"restart": "fullReset"');
    expect(await demo.at("wrappers").inputValue()).not.toContain("QueueFrames");
    expect(await demo.at("preset").inputValue()).toBe("own");
  });
});

test("a hyper-parameter out of its range is refused with its name and range, and a link leaves it at its default", async () => {
  await demo.at("setup-button").click();
  for (const [place, [name, value, reason]] of (
    [
      [
        "minibatches",
        "7",
        "Minibatches have to divide 512, a quarter of an update's steps, into parts of at most 1024.",
      ],
      ["gamma", "5", "Discount (gamma) must be a number, from 0 to 1."],
      ["epochs", "0.5", "Epochs of an update must be a whole number, from 1 to 1000."],
    ] as const
  ).entries()) {
    const usual = await demo.at(`hyper-${name}`).inputValue();
    await demo.at(`hyper-${name}`).fill(value);
    await apply();
    await expect.poll(() => demo.text("setup-error")).toBe(reason);
    await demo.page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#preset=learner&seed=${9 + place}&set.${name}=${value}`,
    );
    await expect.poll(() => demo.at("seed").inputValue()).toBe(String(9 + place));
    expect(await demo.at(`hyper-${name}`).inputValue()).toBe(usual);
  }
});

test("minibatches that the learner would refuse as too large are refused, and a link leaves both numbers at their defaults", async () => {
  await demo.at("setup-button").click();
  const usual = await demo.at("hyper-rollout").inputValue();
  await demo.at("hyper-rollout").fill("2048");
  await demo.at("hyper-minibatches").fill("8");
  await apply();
  const reason = "Minibatches have to divide 16384, a quarter of an update's steps, into parts of at most 1024.";
  await expect.poll(() => demo.text("setup-error")).toBe(reason);
  await demo.page.evaluate(() => {
    location.hash = "#preset=learner&seed=9&set.rollout=2048&set.minibatches=8";
  });
  await expect.poll(() => demo.at("seed").inputValue()).toBe("9");
  expect(await demo.at("hyper-rollout").inputValue()).toBe(usual);
});

describe("a list as JSON", () => {
  test("is shown as chips while it can be read, and no chip can be edited while it cannot", async () => {
    await demo.at("setup-button").click();
    await demo.page.getByText("Advanced: the list as JSON").click();
    const chips = demo.page.locator("#pipeline .chip strong");
    const before = await chips.allTextContents();
    await demo.at("wrappers").fill('[{ "type": "SkipFrames", "n": 3 }, { "type": "Skip');
    expect(await demo.at("pipeline").getAttribute("inert")).not.toBeNull();
    expect(await chips.allTextContents()).toEqual(before);
    await demo.at("wrappers").fill('[{ "type": "SkipFrames", "n": 3 }, { "type": "Skip" }]');
    expect(await demo.at("pipeline").getAttribute("inert")).toBeNull();
    expect(await chips.allTextContents()).toEqual(["Console", "SkipFrames", "Skip", "Agent"]);
    expect(await demo.page.getByLabel("SkipFrames: n").inputValue()).toBe("3");
  });

  test("that cannot be used is refused with the reason, and the game goes on", async () => {
    await demo.at("setup-button").click();
    await demo.page.getByText("Advanced: the list as JSON").click();
    for (const [text, reason] of [
      ["[", /^The list cannot be read: .*JSON/],
      ["{}", /^The list cannot be read: a list/],
      ['[{ "type": "Nonsense" }]', /^The list cannot be used: .*Nonsense/],
    ] as const) {
      await demo.at("wrappers").fill(text);
      await apply();
      await expect.poll(() => demo.text("setup-error")).toMatch(reason);
      expect(await demo.at("wrappers").getAttribute("aria-invalid")).toBe("true");
      await demo.goesOn();
    }
  });
});

describe("the seed", () => {
  test("is at most the largest whole number that JavaScript has", async () => {
    await demo.at("setup-button").click();
    await demo.at("seed").fill("9007199254740992");
    await apply();
    await expect.poll(() => demo.text("setup-error")).toBe("Seed must be a whole number, from 0 to 9007199254740991.");
    await demo.at("seed").fill("9007199254740991");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.goesOn();
  });

  test("repeats the random agent's games", async () => {
    const scores: string[] = [];
    await demo.choose("player", "random");
    await demo.choose("speed", "fast");
    // A game that ended as the button was pressed still comes into the list. It has the seed before, which is another one.
    for (const seed of ["7", "8", "7"]) {
      await demo.pause();
      const before = await demo.number("episodes");
      await demo.at("setup-button").click();
      await demo.at("seed").fill(seed);
      await apply();
      await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
      const played = await demo.number("episodes");
      await demo.page.keyboard.press("Escape");
      await demo.until(async () => (await demo.number("episodes")) >= played + 4);
      await demo.pause();
      expect(played).toBeGreaterThanOrEqual(before);
      await demo.at("data-button").click();
      const json = JSON.parse((await demo.download("json")).bytes.toString());
      const games = json.games.filter(
        (game: { seed: number }, at: number) => at >= before && game.seed === Number(seed),
      );
      scores.push(
        JSON.stringify(
          games.slice(0, 3).map((game: { score: number; decisions: number }) => [game.score, game.decisions]),
        ),
      );
      await demo.page.keyboard.press("Escape");
    }
    expect(scores[2]).toBe(scores[0]);
    expect(scores[1]).not.toBe(scores[0]);
  });
});

describe("the shipped policies", () => {
  test("say why they are not offered with another preset, and come back with WALLOP from the menu", async () => {
    await demo.at("setup-button").click();
    await demo.at("preset").selectOption("envpool");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    expect(await demo.at("skill").isDisabled()).toBe(true);
    expect(await demo.text("skill-reason")).toBe("Shipped policies need preset learner.");
    expect(await demo.at("skill-reason").evaluate((text) => text.getClientRects().length)).toBe(1);
    await demo.page.keyboard.press("Escape");
    await demo.chooseWallop();
    await expect.poll(() => demo.at("skill").isDisabled()).toBe(false);
    expect(await demo.at("skill-reason").isHidden()).toBe(true);
    expect(await demo.text("skill-name")).toBe("policy of 1 hour of training");
  });

  test("are said to have learned the default mode, where another one is played", async () => {
    await demo.at("setup-button").click();
    await demo.at("mode").selectOption("1");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
    await demo.choose("speed", "fast");
    await expect
      .poll(() => demo.text("story"))
      .toMatch(/^This neural network learned the default mode of WALLOP\. In mode 1 it scores \d/);
  });
});

describe("modes and difficulties", () => {
  test("of the game can be chosen", async () => {
    await demo.at("setup-button").click();
    expect(await demo.page.locator("#mode option").allTextContents()).toEqual(["default", "0", "1", "2"]);
    await demo.at("mode").selectOption("2");
    await demo.at("difficulty").selectOption("1");
    await apply();
    await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
    await demo.page.keyboard.press("Escape");
    await demo.at("share-button").click();
    expect(await demo.at("share-link").inputValue()).toMatch(/mode=2&difficulty=1/);
  });
});
