/** Runs: what is kept of them, what is exported, and what is asked before one is lost. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { brief } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  {
    viewport: { width: 1280, height: 720 },
    // Few games and short rollouts, so that an update takes a moment.
    hash: "#preset=learner&seed=1&games=4&set.rollout=16&set.minibatches=2&set.epochs=1",
  },
);

const runs = () => demo.page.locator('#chart-legend [data-kind="old"]');

/** Waits until a game of the run has ended. */
async function train(): Promise<void> {
  await demo.at("train").click();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 (games|lives) [\d.]+/);
}

/** Ends the run by another setup. */
async function apply(seed: string, preset = "learner"): Promise<void> {
  await demo.at("setup-button").click();
  await demo.at("seed").fill(seed);
  await demo.at("preset").selectOption(preset);
  await demo.at("apply").click();
  await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
  await demo.page.keyboard.press("Escape");
}

describe("earlier runs", () => {
  beforeEach(async () => {
    // Games that end soon.
    await demo.dropFile(brief(60));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("Brief");
  });

  test("leave the chart its height, can be told apart, and are removed one by one", async () => {
    for (let run = 1; run <= 7; run++) {
      await train();
      await apply(String(run + 1));
      await expect.poll(() => runs().count()).toBe(run);
    }
    // The chart is made anew for another number of runs.
    const chartHeight = async () => (await demo.page.locator("#chart .u-over").boundingBox())?.height ?? 0;
    await expect.poll(chartHeight).toBeGreaterThan(80);
    const panel = await demo.at("panel-curve").boundingBox();
    const legend = await demo.at("chart-legend").boundingBox();
    expect((legend?.y ?? 0) + (legend?.height ?? 0)).toBeLessThanOrEqual((panel?.y ?? 0) + (panel?.height ?? 0));
    const colours = await runs().evaluateAll((all) =>
      all.map((item) => getComputedStyle(item.querySelector(".key") ?? item).borderTopColor),
    );
    // The seventh has the first one's colour, and each has its number at the end of its line.
    expect(new Set(colours).size).toBe(6);
    await demo.screenshot("seven-runs");
    const [, second, third] = colours;
    await demo.page.getByRole("button", { name: "Remove run 7" }).focus();
    await demo.page.keyboard.press("Enter");
    expect(await demo.page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Remove run 6");
    await demo.page.keyboard.press("Enter");
    expect(await runs().count()).toBe(5);
    expect(await runs().first().innerText()).toMatch(/^run 5, Brief, learner, .*seed 5/);
    const left = await runs().evaluateAll((all) =>
      all.map((item) => getComputedStyle(item.querySelector(".key") ?? item).borderTopColor),
    );
    expect(left[0]).toBe(third);
    expect(left).not.toContain(second);
    for (let run = 5; run >= 1; run--) await demo.page.getByRole("button", { name: `Remove run ${run}` }).click();
    expect(await runs().count()).toBe(0);
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("chart-legend");
    // No number is given twice.
    await train();
    await apply("9");
    await expect.poll(() => runs().first().innerText()).toMatch(/^run 8, /);
  });

  test("are exported with the present one: an update a row, a game a row, and both", async () => {
    await demo.at("data-button").click();
    for (const id of ["run-csv", "run-games-csv", "run-json"]) expect(await demo.at(id).isDisabled()).toBe(true);
    await demo.page.keyboard.press("Escape");
    await train();
    await apply("2");
    await train();
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    await demo.at("data-button").click();
    const { name, bytes } = await demo.download("run-csv");
    expect(name).toBe("brief-training.csv");
    const [head = "", ...rows] = bytes.toString().trim().split("\r\n");
    expect(head).toBe(
      "run,update,decisions,frames,minutes,episodes,mean,least,most,lowerQuartile,upperQuartile,entropy,policyLoss,valueLoss,kl,clipFraction," +
        "explainedVariance,gradientNorm,learningRate,stepsPerSecond,playing,rom,md5,version,preset,mode,difficulty,seed,settings",
    );
    const json = JSON.parse((await demo.download("run-json")).bytes.toString());
    expect(json.runs.map(({ run, seed }: { run: number; seed: number }) => [run, seed])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const updates: { update: number; decisions: number; finished: { reward: number }[] }[] = json.runs[1].updates;
    expect(rows.length).toBe(json.runs[0].updates.length + updates.length);
    // 4 games and 16 steps.
    expect(updates.map(({ update }) => update)).toEqual(updates.map((_, at) => at + 1));
    expect(updates.at(-1)?.decisions).toBe(64 * updates.length);
    expect(rows.at(-1)).toMatch(new RegExp(`^2,${updates.length},${64 * updates.length},${256 * updates.length},`));
    expect(json.runs[1]).toMatchObject({ rom: "brief", preset: "learner", settings: { algorithm: "ppo", numEnvs: 4 } });
    const games = (await demo.download("run-games-csv")).bytes.toString().trim().split("\r\n");
    expect(games[0]).toMatch(/^run,update,score,decisions,rom,/);
    expect(games.filter((row) => row.startsWith("2,")).length).toBe(updates.flatMap(({ finished }) => finished).length);
    expect(games[1]).toMatch(/^1,\d+,\d+,\d+,brief,/);
  });
});

test("a score of a life is called so, and a run of whole games is not drawn beside it", async () => {
  await train();
  await demo.at("play").click();
  await apply("2", "labml");
  await expect.poll(() => runs().first().innerText()).toMatch(/^run 1, WALLOP, learner, .* [\d.]+ a game, not drawn/);
  await demo.choose("player", "agent");
  await train();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 lives /);
  expect(await demo.text("story")).toMatch(/ (a life|lives average|first life scored) [\d.]+| scores [\d.]+ a life/);
  expect(await demo.text("story")).not.toMatch(/game/);
  expect(await demo.at("chart").getAttribute("aria-label")).toMatch(/ a life after /);
});

describe("leaving the page", () => {
  /** Reloads, and tells what the browser asks. Stays if it asks. */
  async function leave(): Promise<string[]> {
    const asked: string[] = [];
    demo.page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await demo.page.evaluate(() => location.reload());
    await demo.page.waitForTimeout(1000);
    return asked;
  }

  test("asks while a run has results that are not saved", async () => {
    await train();
    expect(await leave()).toEqual(["beforeunload"]);
    await expect.poll(() => demo.text("train")).toBe("Pause training");
  });

  test("asks nothing without a run, or when its weights are saved", async () => {
    await demo.at("play").click();
    await demo.at("play").click();
    expect(await leave()).toEqual([]);
    await train();
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    await demo.download("save");
    expect(await leave()).toEqual([]);
  });
});
