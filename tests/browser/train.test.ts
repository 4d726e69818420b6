/** Training in the tab. */

import { Policy } from "gym2600/learn";
import { beforeEach, describe, expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { file, realRom } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  {
    viewport: { width: 1280, height: 720 },
    // Few games and short rollouts, so that an update takes a moment.
    hash: "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1",
  },
);

/** Asks to play the open cartridge by a description. */
async function byDescription(name: string): Promise<void> {
  await demo.dropFile(file(`${name}.toml`, Buffer.from(`rom = "${name}"\ntitle = "${name}"\n`)));
  await demo.at("definition-use").click();
}

/** The number of the policy that the show game plays by. */
async function policy(): Promise<number> {
  const [, number] = /^policy #([\d,]+)$/.exec(await demo.text("policy-name")) ?? [];
  return Number(number?.replaceAll(",", "") ?? -1);
}

test("a run that cannot start leaves the agent its policy, and the slider says which", async () => {
  await demo.page.evaluate(() => {
    // The run's worker never hears of its plan.
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...sent: [unknown, never]) {
      const [message] = sent as unknown as [{ type?: string }];
      if (message.type === "start") this.dispatchEvent(new ErrorEvent("error", { message: "no memory" }));
      else post.apply(this, sent);
    } as typeof post;
  });
  await demo.at("train").click();
  await expect.poll(() => demo.text("message-text")).toBe("The training could not start. No memory.");
  expect(await demo.text("train")).toBe("Train again");
  expect(await demo.text("skill-name")).toBe("policy of 1 hour of training");
  expect(await demo.at("skill").getAttribute("max")).toBe("2");
  expect(await demo.at("save").isDisabled()).toBe(true);
});

describe("a run", () => {
  beforeEach(async () => {
    await demo.at("train").click();
    await demo.until(async () => (await policy()) > 0);
  });

  test("tells its numbers, paints its games, draws its curve, and the show game follows it", async () => {
    const first = await policy();
    await demo.until(async () => (await policy()) > first);
    expect(await demo.number("steps-rate")).toBeGreaterThan(0);
    expect(await demo.number("entropy")).toBeGreaterThan(1);
    expect(await demo.page.locator("#lanes canvas").count()).toBe(8);
    await expect
      .poll(() => demo.text("story"))
      .toMatch(
        /^After (?:[1-9]\d* (s|min) and )?[\d.]+ k frames its first (?:game scored|\d+ games average) \d.*, random play \d/,
      );
    await expect.poll(() => demo.at("chart").getAttribute("aria-label")).toMatch(/a game after .* frames, quartiles/);
    await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games .*random play/);
    const painted = await demo.page.evaluate(() => {
      const [canvas] = document.querySelectorAll<HTMLCanvasElement>("#lanes canvas");
      const copy = new OffscreenCanvas(160, 210).getContext("2d");
      if (canvas !== undefined) copy?.drawImage(canvas, 0, 0);
      return copy?.getImageData(0, 0, 160, 210).data.some((value, at) => at % 4 < 3 && value > 100);
    });
    expect(painted).toBe(true);
    await demo.screenshot("training");
  });

  test("draws its curve over frames or minutes, with the values under the pointer", async () => {
    await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games .*random play \d/);
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    const last = await demo.text("chart-legend");
    const box = await demo.chartBox();
    // At the left end there is the line of random play, which begins at 0, and no game of the run has ended.
    await demo.page.mouse.move(box.x + 1, box.y + box.height / 2);
    await expect.poll(() => demo.text("chart-legend")).not.toBe(last);
    await demo.page.mouse.move(0, 0);
    await expect.poll(() => demo.text("chart-legend")).toBe(last);
    const frames = await demo.chartPixels();
    await demo.choose("x-axis", "minutes");
    await expect.poll(() => demo.chartPixels()).not.toBe(frames);
    expect(await demo.text("chart-legend")).toBe(last);
  });

  test("sends the page at most ten records a second", async () => {
    await demo.choose("speed", "fast");
    const gaps = await demo.page.evaluate(async () => {
      await new Promise((later) => setTimeout(later, 500));
      const first = window.shown.times.length;
      const since = performance.now();
      await new Promise((later) => setTimeout(later, 4000));
      return ((window.shown.times.length - first) * 1000) / (performance.now() - since);
    });
    expect(gaps).toBeGreaterThan(0);
    // A record may come at either end of the time.
    expect(gaps).toBeLessThanOrEqual(10.5);
  });

  test("is paused and goes on", async () => {
    await demo.at("train").click();
    // The label is the worker's own word, which comes after its last update.
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    await expect.poll(() => demo.text("steps-rate")).toBe("0");
    const frames = await demo.text("frames-total");
    await demo.page.waitForTimeout(1000);
    expect(await demo.text("frames-total")).toBe(frames);
    // The show game has the last weights by then.
    const at = await policy();
    await demo.page.waitForTimeout(500);
    expect(await policy()).toBe(at);
    await demo.at("train").click();
    await demo.until(async () => (await policy()) > at);
  });

  test("goes on while the page's thread is busy", async () => {
    const policiesWhileBusy = (milliseconds: number) =>
      demo.page.evaluate(async (busy) => {
        const before = window.shown.policies.length;
        const end = performance.now() + busy;
        while (performance.now() < end);
        // The records that wait are read, and at most one policy comes in this time.
        await new Promise((later) => setTimeout(later, 200));
        return window.shown.policies.length - before;
      }, milliseconds);
    // The show's worker has its weights without the page, one a second; on a busy machine an update takes longer.
    let policies = 0;
    for (let busy = 4000; policies < 3 && busy < HANG_MS / 4; busy *= 2) policies = await policiesWhileBusy(busy);
    expect(policies).toBeGreaterThanOrEqual(3);
  });

  test("gives its weights as a file that a policy plays with", async () => {
    const { name, bytes } = await demo.download("save");
    expect(name).toBe("wallop.safetensors");
    const loaded = await Policy.load(new Uint8Array(bytes));
    expect(loaded.origin).toMatchObject({ game: "wallop", seed: 3, net: "tiny" });
    expect(loaded.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84] }).probabilities.length).toBe(4);
  });

  test("lets a training game be watched, and the show game come back", async () => {
    await demo.page.getByRole("button", { name: "Watch training game 3" }).click();
    await expect.poll(() => demo.text("watched")).toBe("from training game 3");
    await expect.poll(() => demo.text("picture-note")).toMatch(/^[1-9]\d? pictures a second$/);
    await demo.goesOn();
    await demo.page.getByRole("button", { name: "Watch training game 3" }).click();
    await expect.poll(() => demo.at("watched").isHidden()).toBe(true);
    await demo.goesOn();
  });

  test("whose game is watched is left when the person takes over, and a new game is the show's own", async () => {
    const watch = demo.page.getByRole("button", { name: "Watch training game 3" });
    await watch.click();
    await expect.poll(() => demo.text("watched")).toBe("from training game 3");
    expect(await demo.at("save-state").isDisabled()).toBe(true);
    await demo.at("play").click();
    await expect.poll(() => demo.page.evaluate(() => window.shown.latest?.player)).toBe("you");
    await demo.pause();
    expect(await demo.at("watched").isHidden()).toBe(true);
    expect(await watch.getAttribute("aria-pressed")).toBe("false");
    await watch.click();
    await expect.poll(() => demo.text("watched")).toBe("from training game 3");
    expect(await demo.text("play")).toBe("Play");
    await demo.page.keyboard.press("r");
    await expect.poll(() => demo.at("watched").isHidden()).toBe(true);
    await demo.settled();
    expect(await demo.number("lives")).toBe(5);
    expect(await demo.at("save-state").isDisabled()).toBe(false);
  });

  test("is ended by nothing before the person has agreed: a ROM, a link, a description", async () => {
    const ways: readonly (readonly [string, () => Promise<void>])[] = [
      ["pong.bin", () => demo.dropFile(realRom("pong"))],
      [
        "the link",
        () =>
          demo.page.evaluate(() => {
            location.hash = "#preset=labml&seed=9";
          }),
      ],
      ["wallop.bin by this description", () => byDescription("mine")],
    ];
    for (const [what, open] of ways) {
      await open();
      await expect.poll(() => demo.text("message-text")).toContain(`Opening ${what} ends the training of WALLOP.`);
      await demo.page.getByRole("button", { name: "Go on training" }).last().click();
      await demo.page.keyboard.press("Escape");
      const before = await policy();
      await demo.until(async () => (await policy()) > before);
    }
    await demo.dropFile(realRom("pong"));
    await demo.page.getByRole("button", { name: "Open it" }).click();
    await expect.poll(() => demo.text("game-title")).toContain("Pong");
  });

  test("takes its games along when it ends: by another setup", async () => {
    await demo.page.getByRole("button", { name: "Watch training game 3" }).click();
    await expect.poll(() => demo.text("watched")).toBe("from training game 3");
    await demo.at("setup-button").click();
    await demo.at("seed").fill("4");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("train")).toBe("Train your own");
    expect(await demo.page.locator("#lanes li").count()).toBe(0);
    expect(await demo.at("watched").isHidden()).toBe(true);
    expect(await demo.text("lanes-note")).toMatch(/^none: /);
    await demo.page.keyboard.press("Escape");
    await demo.at("train").click();
    await expect.poll(() => demo.page.locator("#lanes li").count()).toBe(8);
  });

  test("takes its games along when it ends: by a failure", async () => {
    await demo.page.getByRole("button", { name: "Watch training game 3" }).click();
    await expect.poll(() => demo.text("watched")).toBe("from training game 3");
    await demo.page.evaluate(() => window.shown.workers.at(-1)?.dispatchEvent(new ErrorEvent("error")));
    await expect
      .poll(() => demo.text("message-text"))
      .toMatch(/^The training stopped\. .* Save still has its weights\.$/);
    // Those that the worker gave before it died.
    const { bytes } = await demo.download("save");
    await demo.goesOn();
    expect(await demo.text("skill-name")).toBe("policy of your run");
    expect(bytes.length).toBeGreaterThan(1000);
    expect(await demo.page.locator("#lanes li").count()).toBe(0);
    expect(await demo.at("watched").isHidden()).toBe(true);
    await demo.goesOn();
  });

  test("that fails midway gives the weights that it has", async () => {
    // As the worker says it; what it sends then is not of this test.
    const { bytes } = await demo.download("save");
    await demo.page.evaluate(
      (weights) => {
        const data = { type: "failed", message: "the learner stopped", weights: new Uint8Array(weights) };
        window.shown.workers.at(-1)?.dispatchEvent(new MessageEvent("message", { data }));
      },
      [...bytes],
    );
    await expect
      .poll(() => demo.text("message-text"))
      .toBe("The training stopped. The learner stopped. Save still has its weights.");
    expect((await demo.download("save")).bytes.equals(bytes)).toBe(true);
    expect(await demo.text("skill-name")).toBe("policy of your run");
  });

  test("is kept as run 1 when the setup changes, and the page says so before", async () => {
    await expect.poll(() => demo.text("chart-legend")).toContain("mean of up to 100 games");
    await demo.at("setup-button").click();
    expect(await demo.text("setup-warning")).toBe(
      "Apply ends the present training and keeps its curve as “run 1”. Save keeps what it has learned as a file.",
    );
    await demo.at("apply").scrollIntoViewIfNeeded();
    const [warning, apply] = await Promise.all(["setup-warning", "apply"].map((id) => demo.at(id).boundingBox()));
    expect((apply?.y ?? 0) - (warning?.y ?? 0)).toBeLessThan(80);
    await demo.at("preset").selectOption("labml");
    await demo.at("apply").click();
    await expect.poll(() => demo.text("chart-legend")).toContain("run 1");
    expect(await demo.text("train")).toBe("Train your own");
    // No game has ended in the next one, so there is nothing to keep.
    await demo.page.keyboard.press("Escape");
    await demo.at("train").click();
    expect(await demo.text("setup-warning")).toMatch(
      /^Apply ends the present training, in which no game has ended yet\./,
    );
  });
});
