/** The learning curve: its points, its lines, and its script, which is loaded apart from the page's. */

import type { TrainingUpdate } from "gym2600/learn";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Curve } from "../../www/src/state/curve.js";
import { launch } from "../package/chromium.js";
import { Demo, holdBack } from "./support/demo.js";
import { brief } from "./support/roms.js";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

test("without its script the game plays, and the panel says why there is no curve", async () => {
  const page = await browser.newPage();
  await page.route("**/curve-chart-*.js", (route) => route.abort());
  await page.goto(inject("site"));
  await expect.poll(() => page.locator("#decisions").textContent()).not.toBe("0");
  await expect.poll(() => page.locator("#chart-empty").textContent()).toMatch(/^The curve cannot be drawn: .+/);
  expect(await page.locator("#chart canvas").count()).toBe(0);
});

/** A run of few games and short rollouts, so that an update takes a moment. */
const TRAINING = "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1";

/** The rows of the chart's canvas with pixels of a colour of the style sheet on its ground, from the top. */
function rowsOf(demo: Demo, name: string): Promise<readonly number[]> {
  return demo.page.evaluate((property) => {
    const canvas = document.querySelector<HTMLCanvasElement>("#chart canvas");
    if (canvas === null) return [];
    const { width, height } = canvas;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    const probe = new OffscreenCanvas(1, 1).getContext("2d");
    if (context === null || probe === null) return [];
    // The chart has no ground of its own, so the colours are those that are drawn, with their opacity.
    context.drawImage(canvas, 0, 0);
    probe.fillStyle = getComputedStyle(canvas).getPropertyValue(property).trim();
    probe.fillRect(0, 0, 1, 1);
    const wanted = probe.getImageData(0, 0, 1, 1).data;
    const pixels = context.getImageData(0, 0, width, height).data;
    const near = (at: number): boolean =>
      wanted.every((value, part) => Math.abs(value - (pixels[at + part] ?? 0)) <= 6);
    return Array.from({ length: height }, (_, row) => row).filter((row) => {
      let count = 0;
      for (let column = 0; column < width; column++) if (near(4 * (row * width + column))) count += 1;
      return count >= 12;
    });
  }, name);
}

async function playDescribed(demo: Demo): Promise<void> {
  await demo.dropFile(brief(121));
  await demo.at("definition-use").click();
  await expect.poll(() => demo.text("game-title")).toBe("Brief");
}

/** Where a shipped checkpoint is in the window: its share of the frames, and its share of the best score. */
async function checkpointAt(demo: Demo, frames: number, mean: number): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await demo.chartBox();
  // The scale ends 5 % above the best.
  return { x: x + (width * frames) / 3_000_000, y: y + height * (1 - mean / (475.75 * 1.05)) };
}

const SIZES = [
  ["a desktop", { viewport: { width: 1280, height: 720 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;

for (const [size, options] of SIZES) {
  test(`before a training the shipped policy's curve stands there, and a click on a checkpoint plays it, on ${size}`, async () => {
    const demo = await Demo.open(browser, { ...options, hash: TRAINING });
    if (size === "a phone") await demo.at("tab-curve").click();
    await expect
      .poll(() => demo.at("chart").getAttribute("aria-label"))
      .toContain("untrained 13.6, 5 minutes 45.8, 1 hour 476 a game");
    expect(await demo.at("chart-empty").isHidden()).toBe(true);
    await expect.poll(() => demo.text("chart-legend")).toContain("the shipped policy 476: a click on a point plays it");
    await expect.poll(() => demo.text("chart-legend")).toMatch(/random play \d/);
    await demo.until(async () => (await rowsOf(demo, "--series-random")).length > 0);
    await demo.at("chart").scrollIntoViewIfNeeded();
    const { x, y } = await checkpointAt(demo, 350_000, 45.8);
    await demo.page.mouse.click(x, y);
    await expect.poll(() => demo.text("policy-name")).toBe("policy of 5 minutes of training");
    if (size === "a phone") await demo.at("tab-training").click();
    await demo.at("train").click();
    await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games/);
    expect(await demo.text("chart-legend")).not.toContain("shipped");
    await demo.close();
  });
}

for (const [size, options] of SIZES) {
  test(`another game has random play as a line, and between the axes how to begin, on ${size}`, async () => {
    const demo = await Demo.open(browser, { ...options, hash: TRAINING });
    await playDescribed(demo);
    if (size === "a phone") await demo.at("tab-curve").click();
    await expect.poll(() => demo.text("chart-legend")).toMatch(/^random play \d/);
    expect(await demo.text("chart-empty")).toMatch(/^Press Train your own/);
    const [hint, plot] = [await demo.at("chart-empty").boundingBox(), await demo.chartBox()];
    if (hint === null) throw new Error("there is no hint");
    expect(hint.x).toBeGreaterThan(plot.x);
    expect(hint.y).toBeGreaterThan(plot.y);
    expect(hint.x + hint.width).toBeLessThan(plot.x + plot.width);
    expect(hint.y + hint.height).toBeLessThan(plot.y + plot.height);
    await demo.close();
  });
}

test("the person's mean is a line of its own, with a point for each game, and its value in the legend", async () => {
  const demo = await Demo.open(browser, { viewport: { width: 1280, height: 720 }, hash: TRAINING });
  await playDescribed(demo);
  await demo.at("train").click();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games/);
  expect(await demo.page.locator('#chart-legend [data-kind="you"]').count()).toBe(0);
  expect(await rowsOf(demo, "--series-you")).toEqual([]);
  await demo.at("play").click();
  await expect.poll(() => demo.page.locator('#chart-legend [data-kind="you"]').count()).toBe(1);
  const [, mean = ""] =
    /^you ([\d.]+)$/.exec(await demo.page.locator('#chart-legend [data-kind="you"]').innerText()) ?? [];
  // Up to 30 frames go by before the person plays.
  expect(Number(mean)).toBeGreaterThanOrEqual(91);
  expect(Number(mean)).toBeLessThanOrEqual(121);
  expect(await demo.text("story")).toMatch(/^You play Brief\. .*(?:you|You score) [\d.]+\b/);
  // It is level: a few rows next to each other.
  await expect.poll(async () => (await rowsOf(demo, "--series-you")).length).toBeGreaterThan(0);
  const rows = await rowsOf(demo, "--series-you");
  expect((rows.at(-1) ?? 0) - (rows[0] ?? 0)).toBeLessThan(4);
  await demo.close();
});

test("the band reaches from the lower to the upper quartile of the last games, and the legend says what it is", async () => {
  const demo = await Demo.open(browser, { viewport: { width: 1280, height: 720 }, hash: TRAINING });
  const range = async (): Promise<number[]> => {
    const band = demo.page.locator('#chart-legend [data-kind="band"]');
    if ((await band.count()) === 0) return [];
    return (
      /^the middle half ([\d.]+) to ([\d.]+)$/
        .exec(await band.innerText())
        ?.slice(1)
        .map(Number) ?? []
    );
  };
  await demo.at("train").click();
  await demo.until(async () => {
    const [least = 0, most = 0] = await range();
    return most > least && (await rowsOf(demo, "--band")).length > 10;
  });
  await demo.at("train").click();
  await expect.poll(() => demo.text("train")).toBe("Go on training");
  // The whole band is in the chart: above it there is room.
  const top = await demo.at("chart").evaluate((chart) => {
    const [plot, over] = [chart.querySelector("canvas"), chart.querySelector(".u-over")];
    const [above = 0, under = 0] = [plot, over].map((part) => part?.getBoundingClientRect().top ?? 0);
    return (under - above) * devicePixelRatio;
  });
  const [first = 0] = await rowsOf(demo, "--band");
  expect(first).toBeGreaterThan(top + 2);
  // Its key is of the same colour.
  const key = demo.page.locator('#chart-legend [data-kind="band"] .key');
  expect(await key.evaluate((mark) => getComputedStyle(mark).backgroundColor)).toMatch(/^rgba\(166, 63, 8/);
  const [least = 0, most = 0] = await range();
  expect(await demo.at("chart").getAttribute("aria-label")).toContain(`quartiles ${least} and ${most}`);
  await demo.close();
});

test("an axis that is chosen before the script is there is the chart's", async () => {
  const context = await Demo.context(browser, {});
  const load = await holdBack(context, "curve-chart");
  const demo = await Demo.visit(context);
  await demo.choose("x-axis", "minutes");
  load();
  await demo.chartBox();
  expect(await demo.page.locator("input[name=x-axis]:checked").inputValue()).toBe("minutes");
  await demo.close();
});

test("an earlier run has its setup in its name, and leaves the text of the axes as it is", async () => {
  const demo = await Demo.open(browser, { viewport: { width: 1280, height: 720 }, hash: TRAINING });
  await playDescribed(demo);
  await demo.at("train").click();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games/);
  await demo.at("setup-button").click();
  await demo.at("seed").fill("4");
  await demo.at("apply").click();
  await expect.poll(() => demo.text("chart-legend")).toContain("run 1, Brief, learner, 8 games, seed 3, rollout 32,");
  // Under the pointer each line has a value, also between its points.
  await demo.page.keyboard.press("Escape");
  await demo.at("train").click();
  await expect.poll(() => demo.text("chart-legend")).toMatch(/mean of up to 100 games \d/);
  await demo.choose("x-axis", "minutes");
  const box = await demo.chartBox();
  for (let share = 0.3; share < 0.9; share += 0.1) {
    await demo.page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    await expect.poll(() => demo.text("chart-legend")).toMatch(/random play \d/);
    const legend = await demo.text("chart-legend");
    expect(/mean of up to 100 games \d/.test(legend) || /minibatches 2 \d/.test(legend), legend).toBe(true);
  }
  await demo.page.mouse.move(0, 0);
  const fonts = await demo.page.evaluate(async () => {
    const drawn: string[] = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      drawn.push(`${text}: ${this.font}`);
      fillText.call(this, text, ...place);
    };
    const chart = document.getElementById("chart");
    for (const width of ["90%", "100%"]) {
      if (chart !== null) chart.style.width = width;
      await new Promise((later) => setTimeout(later, 200));
    }
    return drawn;
  });
  const axis = fonts.filter((font) => font.startsWith("score a game"));
  expect(axis.length).toBeGreaterThan(0);
  for (const font of axis) expect(font).not.toMatch(/600|bold/);
  expect(fonts.filter((font) => /^1: .*(600|bold)/.test(font)).length).toBeGreaterThan(0);
  await demo.close();
});

describe("the points of a curve", () => {
  const update = (at: number, rewards: readonly number[]): TrainingUpdate =>
    ({ steps: at, finished: rewards.map((reward) => ({ reward })) }) as unknown as TrainingUpdate;

  test("are of the last 100 games: mean, least, most and quartiles", () => {
    const curve = new Curve();
    curve.add(update(1, []), 0);
    expect(curve.latest).toBeUndefined();
    curve.add(update(2, [4, 10, 1]), 60_000);
    expect(curve.latest).toEqual({
      ...{ steps: 2, minutes: 1, mean: 5, least: 1, most: 10 },
      ...{ lowerQuartile: 2.5, upperQuartile: 7 },
    });
    curve.add(
      update(
        3,
        Array.from({ length: 100 }, (_, game) => (game % 2 === 0 ? 6 : 8)),
      ),
      120_000,
    );
    expect(curve.latest).toEqual({
      ...{ steps: 3, minutes: 2, mean: 7, least: 6, most: 8 },
      ...{ lowerQuartile: 6, upperQuartile: 8 },
    });
  });

  test("stay few, and keep every least and most", () => {
    const curve = new Curve();
    for (let at = 1; at <= 5000; at++) {
      curve.add(update(at, at === 700 ? new Array(100).fill(-50) : new Array(100).fill(at % 7)), at);
    }
    expect(curve.points.length).toBeLessThanOrEqual(1000);
    expect(curve.points.length).toBeGreaterThan(400);
    expect(Math.min(...curve.points.map(({ least }) => least))).toBe(-50);
    const steps = curve.points.map((point) => point.steps);
    expect(steps).toEqual([...steps].sort((one, other) => one - other));
  });
});
