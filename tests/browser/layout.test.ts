/** The page at many sizes: one screen on desktops, nothing cut off on phones and at 200 %. The short form has the tightest. */

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import * as layout from "./support/layout.js";
import { file, realRom } from "./support/roms.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const PHONE = { hasTouch: true, isMobile: true } as const;

const room = (demo: Demo) => demo.page.evaluate(layout.room);
const cutOff = (demo: Demo) => demo.page.evaluate(layout.cutOff);

/** The action bars, and their texts, that are not wholly inside their panel, and texts that are wider than their place. */
function outsidePanel(demo: Demo): Promise<(string | null)[]> {
  return demo.page.evaluate(() => {
    const panel = document.getElementById("panel-agent")?.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>("#actions li, #actions .share, #actions .name")]
      .filter((item) => {
        const { top, bottom, left, right } = item.getBoundingClientRect();
        const inside =
          panel !== undefined &&
          top >= panel.top &&
          left >= panel.left &&
          right <= panel.right &&
          bottom <= panel.bottom;
        return !inside || (item.className !== "" && item.scrollWidth > item.clientWidth + 1);
      })
      .map((item) => item.textContent);
  });
}

describe("a desktop", () => {
  const desktops = [
    [1280, 720],
    [1440, 900],
  ] as const;
  for (const [width, height] of LONG ? desktops : desktops.slice(0, 1)) {
    test(`of ${width} x ${height} shows everything without scrolling`, async () => {
      const demo = await Demo.open(browser, { viewport: { width, height } });
      expect(await room(demo)).toEqual([0, 0]);
      expect(await cutOff(demo)).toEqual([]);
      for (const id of ["screen", "actions", "chart", "train", "strip", "frames", "explain-button"]) {
        const box = await demo.at(id).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 9999), id).toBeLessThanOrEqual(height);
        expect(box?.height, id).toBeGreaterThan(10);
      }
      await demo.choose("speed", "fast");
      await expect.poll(() => demo.text("story")).toMatch(/It scores .* over \d+ games, random play \d/);
      const lines = await demo.at("story").evaluate((story) => {
        // The longest sentence: the person has played too.
        story.append(", you 12.5");
        const range = document.createRange();
        range.selectNodeContents(story);
        return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
      });
      expect(lines).toBe(1);
      await demo.close();
    });

    test(`of ${width} x ${height} shows everything while a net learns with 32 games`, async () => {
      const demo = await Demo.open(browser, {
        viewport: { width, height },
        hash: "#preset=learner&seed=3&games=32&set.rollout=8&set.minibatches=2&set.epochs=1",
      });
      await demo.at("train").click();
      await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games/);
      expect(await room(demo)).toEqual([0, 0]);
      expect(await cutOff(demo)).toEqual([]);
      expect(await demo.page.locator("#lanes canvas").count()).toBe(32);
      for (const id of ["screen", "actions", "chart", "chart-legend", "lanes", "strip"]) {
        const box = await demo.at(id).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 9999), id).toBeLessThanOrEqual(height);
      }
      await demo.screenshot(`training-${width}`);
      await demo.close();
    });

    test(`of ${width} x ${height} shows every bar of a game with 18 actions, also under a message`, async () => {
      const demo = await Demo.open(browser, { viewport: { width, height } });
      await demo.chooseFile(realRom("seaquest"));
      await expect.poll(() => demo.page.locator("#actions li").count()).toBe(18);
      await demo.goesOn();
      expect(await outsidePanel(demo)).toEqual([]);
      await demo.screenshot(`seaquest-${width}`);
      await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
      await expect.poll(() => demo.text("message-text")).toMatch(/^mystery/);
      expect(await outsidePanel(demo)).toEqual([]);
      expect(await room(demo)).toEqual([0, 0]);
      expect(await cutOff(demo)).toEqual([]);
      await demo.close();
    });
  }
});

describe("a small screen", () => {
  const sizes: readonly (readonly [string, BrowserContextOptions])[] = [
    ["a phone on its side", { ...PHONE, viewport: { width: 844, height: 390 } }],
    ["a narrow phone", { ...PHONE, viewport: { width: 320, height: 640 } }],
    ["a phone", { ...PHONE, viewport: { width: 390, height: 844 } }],
    // A zoom of 200 % halves the width that the style sheet sees.
    ["a desktop at 200 %", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ];
  for (const [what, options] of LONG ? sizes : sizes.slice(0, 2)) {
    test(`of ${what} scrolls in one direction only, and every control can be reached`, async () => {
      const demo = await Demo.open(browser, options);
      for (const tab of ["agent", "curve", "training"]) {
        await demo.at(`tab-${tab}`).click();
        const [sideways] = await room(demo);
        expect(sideways, tab).toBe(0);
        expect(await cutOff(demo), tab).toEqual([]);
        expect(await demo.at(`panel-${tab}`).isVisible()).toBe(true);
        for (const id of ["saliency", "full-screen"]) expect(await demo.at(id).isVisible(), id).toBe(true);
      }
      await demo.at("setup-button").click();
      expect((await room(demo))[0]).toBe(0);
      await demo.close();
    });
  }

  test("of a phone has training pictures of one size", async () => {
    const demo = await Demo.open(browser, { ...PHONE, viewport: { width: 390, height: 844 } });
    await demo.at("tab-training").click();
    await demo.at("train").click();
    const tiles = demo.page.locator("#lanes canvas");
    await expect.poll(() => tiles.count()).toBe(32);
    const widths = await tiles.evaluateAll((all) => all.map((tile) => Math.round(tile.clientWidth)));
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    await demo.close();
  });

  test("of a phone on its side is filled by the picture in full screen", async () => {
    const demo = await Demo.open(browser, { viewport: { width: 844, height: 390 } });
    await demo.at("full-screen").click();
    await expect.poll(() => demo.text("full-screen")).toBe("Leave full screen");
    const facts = await demo.page.locator(".facts").boundingBox();
    expect((facts?.y ?? 0) + (facts?.height ?? 0)).toBeGreaterThan(360);
    await demo.close();
  });

  test("of a phone on its side has picture and pad in sight for a person who plays", async () => {
    const demo = await Demo.open(browser, { ...PHONE, viewport: { width: 844, height: 390 } });
    await demo.at("play").tap();
    for (const id of ["screen", "stick", "rewind", "fire", "score"]) {
      await expect
        .poll(
          async () => {
            const box = await demo.at(id).boundingBox();
            return box !== null && box.y >= 0 && box.y + box.height <= 390;
          },
          { message: id },
        )
        .toBe(true);
    }
    await demo.close();
  });

  test("keeps the picture in sight while the rest is scrolled", async () => {
    const demo = await Demo.open(browser, { ...PHONE, viewport: { width: 390, height: 844 } });
    await demo.page.evaluate(() => window.scrollTo(0, 10_000));
    await expect.poll(async () => (await demo.at("screen").boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await demo.close();
  });
});

describe("the picture", () => {
  const windows = [
    [844, 390],
    [320, 568],
    [1280, 720],
    [720, 450],
    [640, 360],
    [1440, 900],
  ] as const;
  for (const [width, height] of LONG ? windows : windows.slice(0, 3)) {
    test(`is wholly in sight of a person who plays, at ${width} x ${height}`, async () => {
      const demo = await Demo.open(browser, { viewport: { width, height } });
      const before = await demo.at("television").boundingBox();
      await demo.at("play").click();
      const [screen, play] = await Promise.all([demo.at("screen").boundingBox(), demo.at("play").boundingBox()]);
      const [above, below] = [(play?.y ?? 0) + (play?.height ?? 0), (screen?.y ?? 0) + (screen?.height ?? 0)];
      expect(above <= (screen?.y ?? 0) || (play?.y ?? 0) >= below).toBe(true);
      expect((await demo.at("television").boundingBox())?.height).toBe(before?.height);
      await demo.at("play").click();
      expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe("play");
      await demo.close();
    });
  }
});

describe("the layout", () => {
  test("does not shift while the page loads", async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const demo = await Demo.open(browser, { viewport });
      await demo.page.waitForTimeout(2000);
      const shift = await demo.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(sum), 200);
          }),
      );
      console.log(`layout shift at ${viewport.width} x ${viewport.height}: ${shift.toFixed(3)}`);
      expect(shift).toBeLessThan(0.05);
      await demo.close();
    }
  });
});

describe("forced colours", () => {
  test("leave switches, segments and bars to be told apart", async () => {
    const demo = await Demo.open(browser, { forcedColors: "active", viewport: { width: 1280, height: 720 } });
    expect(await demo.at("saliency").evaluate((input) => getComputedStyle(input).appearance)).toBe("auto");
    const [on, off] = await demo.page.evaluate(() =>
      ["agent", "random"].map((player) => {
        const label = document.querySelector(`input[name="player"][value="${player}"] + span`);
        return label === null ? "" : getComputedStyle(label).backgroundColor;
      }),
    );
    expect(on).not.toBe(off);
    // The band lies over the curve.
    const opacity = await demo.at("chart").evaluate((chart) => {
      const probe = new OffscreenCanvas(1, 1).getContext("2d");
      if (probe === null) return undefined;
      probe.fillStyle = getComputedStyle(chart).getPropertyValue("--band").trim();
      probe.fillRect(0, 0, 1, 1);
      return probe.getImageData(0, 0, 1, 1).data[3];
    });
    expect(opacity).toBeGreaterThan(20);
    expect(opacity).toBeLessThan(100);
    // The chosen action has a mark besides its border, at the place of its bar.
    const mark = demo.page.locator("#actions .mark:visible");
    await expect.poll(() => mark.count()).toBe(1);
    expect(await mark.innerText()).toBe("▸");
    expect(await mark.getAttribute("aria-label")).toBe("chosen");
    await demo.screenshot("forced-colours");
    await demo.close();
  });
});

describe("reduced motion", () => {
  test("lets nothing but the game move", async () => {
    const demo = await Demo.open(browser, { reducedMotion: "reduce" });
    const moving = await demo.page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
    await demo.close();
  });
});
