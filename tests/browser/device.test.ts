/** What learns in the tab: the CPU, or a graphics card, for which SwiftShader stands here. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";

const hash = "#preset=learner&seed=3&games=4&set.rollout=8&set.minibatches=2&set.epochs=1";

let browser: Browser;

/** Opens the page, uses it, and closes it. */
async function withPage(address: string, use: (demo: Demo) => Promise<void>): Promise<void> {
  const demo = await Demo.open(browser, { viewport: { width: 1280, height: 720 }, hash: address });
  try {
    await use(demo);
  } finally {
    await demo.close();
  }
}

describe("with software that stands for a card", () => {
  beforeAll(async () => {
    browser = await launch(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]);
  });
  afterAll(() => browser.close());

  test("the page takes the CPU by itself, and the card when Setup or a link says so", async () => {
    await withPage(hash, async (demo) => {
      await demo.at("train").click();
      await expect.poll(() => demo.text("lanes-note")).toBe("4 games; CPU, 2 workers");
      expect(await demo.at("lanes-note").getAttribute("title")).toMatch(/^this browser offers no graphics card, only /);
      await demo.at("setup-button").click();
      await demo.at("device").selectOption("gpu");
      await demo.at("apply").click();
      await expect.poll(() => demo.text("train")).toBe("Train your own");
      await demo.page.keyboard.press("Escape");
      await demo.at("train").click();
      await expect.poll(() => demo.text("lanes-note")).toBe("4 games; GPU: google swiftshader");
      await demo.until(async () => (await demo.text("updates-rate")) !== "–");
    });
    await withPage(`${hash}&device=gpu`, async (demo) => {
      await demo.at("setup-button").click();
      expect(await demo.at("device").inputValue()).toBe("gpu");
    });
  });
});

describe("without a card", () => {
  beforeAll(async () => {
    browser = await launch(["--disable-features=WebGPU"]);
  });
  afterAll(() => browser.close());

  test("a run that asks for one cannot start, and says why", async () => {
    await withPage(`${hash}&device=gpu`, async (demo) => {
      await demo.at("train").click();
      await expect.poll(() => demo.text("message-text")).toMatch(/^The training could not start\. Device gpu: .+/);
    });
  });
});
