/** The sound: off by default, audible at normal speed only. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** The samples that the page played. */
interface Heard {
  readonly contexts: AudioContext[];
  pieces: number;
  loudest: number;
}

declare global {
  interface Window {
    heard: Heard;
  }
}

let demo: Demo;
withDemo(async (opened) => {
  demo = opened;
  await demo.page.evaluate(() => {
    const heard: Heard = { contexts: [], pieces: 0, loudest: 0 };
    window.heard = heard;
    window.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        heard.contexts.push(this);
      }
    };
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (this: AudioBufferSourceNode, when?: number) {
      heard.pieces += 1;
      for (const sample of this.buffer?.getChannelData(0) ?? []) heard.loudest = Math.max(heard.loudest, sample);
      start.call(this, when);
    };
  });
});

function contexts(): Promise<readonly (readonly [string, number])[]> {
  return demo.page.evaluate(() => window.heard.contexts.map(({ state, sampleRate }) => [state, sampleRate] as const));
}

function pieces(): Promise<number> {
  return demo.page.evaluate(() => window.heard.pieces);
}

describe("the sound", () => {
  test("is off, and no audio device is open", async () => {
    expect(await demo.at("sound").isChecked()).toBe(false);
    expect(await contexts()).toEqual([]);
  });

  test("switched on, runs at the console's rate and is audible, and the game continues", async () => {
    const steps = await demo.number("steps");
    await demo.at("sound").check();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.until(() => demo.page.evaluate(() => window.heard.loudest > 0.02));
    expect(await demo.number("steps")).toBeGreaterThan(steps);
    const first = await demo.page.evaluate(() => window.heard.contexts[0]?.currentTime ?? 0);
    await demo.until(() => demo.page.evaluate((time) => (window.heard.contexts[0]?.currentTime ?? 0) > time, first));
  });

  test("is silent while the game is paused or fast", async () => {
    await demo.at("sound").check();
    await demo.until(async () => (await pieces()) > 0);
    await demo.pause();
    await expect.poll(contexts).toEqual([["suspended", 30_720]]);
    await demo.at("run").click();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.choose("speed", "fast");
    await expect.poll(contexts).toEqual([["suspended", 30_720]]);
    const before = await pieces();
    await demo.page.waitForTimeout(400);
    expect(await pieces()).toBe(before);
  });

  test("switched off, is closed", async () => {
    await demo.at("sound").check();
    await demo.until(async () => (await pieces()) > 0);
    await demo.at("sound").uncheck();
    await expect.poll(contexts).toEqual([["closed", 30_720]]);
  });

  test("has the slower rate of a PAL game, and changes with the game", async () => {
    await demo.at("sound").check();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.at("definition-summary").click();
    await demo.at("definition").fill('rom = "pal"\npicture = { tv = "PAL" }\n');
    await demo.at("definition-use").click();
    await expect.poll(contexts).toEqual([
      ["closed", 30_720],
      ["running", 25_600],
    ]);
    const before = await pieces();
    await demo.until(async () => (await pieces()) > before);
  });

  test("is off for several games", async () => {
    await demo.at("sound").check();
    await demo.spread(2, 1);
    expect(await demo.at("sound").isDisabled()).toBe(true);
    await expect.poll(async () => (await contexts()).map(([state]) => state)).toEqual(["closed"]);
  });
});
