/** The sound: off by default, and it says why nothing is heard. */

import { describe, expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";

/** The page's audio contexts, each with an analyser behind its volume. */
interface Heard {
  readonly contexts: AudioContext[];
  analyser: AnalyserNode | undefined;
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
    const heard: Heard = { contexts: [], analyser: undefined };
    window.heard = heard;
    // Web audio allows several targets, so what goes to the speakers goes to the analyser too.
    const { connect } = GainNode.prototype as unknown as { connect(target: AudioNode): AudioNode };
    GainNode.prototype.connect = function (this: GainNode, target: unknown) {
      if (heard.analyser?.context === this.context) connect.call(this, heard.analyser);
      return connect.call(this, target as AudioNode);
    } as GainNode["connect"];
    window.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        heard.contexts.push(this);
        heard.analyser = new AnalyserNode(this);
      }
    };
  });
});

function contexts(): Promise<readonly (readonly [string, number])[]> {
  return demo.page.evaluate(() => window.heard.contexts.map(({ state, sampleRate }) => [state, sampleRate] as const));
}

function loudness(): Promise<number> {
  return demo.page.evaluate(() => {
    const samples = new Float32Array(2048);
    window.heard.analyser?.getFloatTimeDomainData(samples);
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  });
}

describe("the sound", () => {
  test("is off, and no audio device is open", async () => {
    expect(await demo.text("sound")).toBe("Sound off");
    expect(await contexts()).toEqual([]);
  });

  test("switched on, runs at the console's rate and is audible", async () => {
    await demo.at("sound").click();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.until(async () => (await loudness()) > 0.01);
    expect(await demo.text("sound")).toBe("Sound on");
    await demo.goesOn();
  });

  test("leaves the picture its size, on or silent", async () => {
    const size = () => demo.at("television").boundingBox();
    await demo.page.setViewportSize({ width: 1280, height: 720 });
    const before = await size();
    await demo.at("sound").click();
    await expect.poll(() => demo.text("sound")).toBe("Sound on");
    expect(await size()).toEqual(before);
    await demo.choose("speed", "fast");
    await expect.poll(() => demo.text("sound")).toMatch(/^Silent/);
    expect(await size()).toEqual(before);
  });

  test("says why it is silent", async () => {
    await demo.at("sound").click();
    await demo.choose("speed", "fast");
    await expect.poll(() => demo.text("sound")).toBe("Silent: not real time");
    await demo.choose("speed", "real-time");
    await demo.pause();
    await expect.poll(() => demo.text("sound")).toBe("Silent: paused");
    await expect.poll(loudness).toBe(0);
    await demo.at("volume").fill("0");
    await demo.at("pause").click();
    await expect.poll(() => demo.text("sound")).toBe("Silent: volume 0");
  });

  test("suspended by the system, goes on by itself, at the next gesture, and when the tab is seen again", async () => {
    await demo.at("sound").click();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.page.evaluate(() => window.heard.contexts[0]?.suspend());
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.until(async () => (await loudness()) > 0.01);
    /** Suspends the sound as during a call, which nothing but its end allows to go on. */
    const call = async () => {
      const suspend = () =>
        demo.page.evaluate(async () => {
          const [context] = window.heard.contexts;
          if (context === undefined) throw new Error("there is no sound");
          context.resume = () => Promise.reject(new DOMException("a call", "InvalidStateError"));
          await context.suspend();
        });
      // Again and again, because a resumption from before may come late on a busy machine.
      await expect.poll(() => suspend().then(() => demo.text("sound"))).toBe("Silent: held by the system");
      // The end of the call, which the browser does not tell.
      await demo.page.evaluate(() => Reflect.deleteProperty(window.heard.contexts[0] ?? {}, "resume"));
    };
    await call();
    await demo.page.keyboard.press("Shift");
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await call();
    await demo.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await expect.poll(() => demo.text("sound")).toBe("Sound on");
  });

  test("switched off, is closed", async () => {
    await demo.at("sound").click();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.at("sound").click();
    await expect.poll(contexts).toEqual([["closed", 30_720]]);
  });

  test("has the slower rate of a PAL game, and changes with the game", async () => {
    await demo.at("sound").click();
    await expect.poll(contexts).toEqual([["running", 30_720]]);
    await demo.at("setup-button").click();
    await demo.at("definition-summary").click();
    await demo.at("definition").fill('rom = "pal"\npicture = { tv = "PAL" }\n');
    await demo.at("definition-use").click();
    await expect.poll(contexts).toEqual([
      ["closed", 30_720],
      ["running", 25_600],
    ]);
  });
});
