/** axe finds no violation of WCAG 2.2 A and AA in any state of the page, in every colour scheme, and colours have enough contrast. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Game, wallop } from "gym2600";
import { Recorder } from "gym2600/record";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { brief, file, realRom } from "./support/roms.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function violations(demo: Demo): Promise<string[]> {
  // Injected by the test's protocol, which the page's policy does not concern.
  await demo.page.evaluate(AXE);
  const found = await demo.page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(context: Document, options: unknown): Promise<AxeResults> } };
    return axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}

/** A state of the page: what shows that it is there, and the ways to it and back. */
interface State {
  readonly name: string;
  /** A selector of what the state shows. */
  readonly mark: string;
  enter(demo: Demo): Promise<void>;
  leave(demo: Demo): Promise<void>;
}

const pressEscape = (demo: Demo): Promise<void> => demo.page.keyboard.press("Escape");
const dismiss = (demo: Demo): Promise<void> => demo.at("message-close").click();

/** Clicks a control of the page, which on a small screen may be in another tab. */
async function press(demo: Demo, id: string): Promise<void> {
  if (!(await demo.at(id).isVisible())) await demo.at("tab-training").click();
  await demo.at(id).click();
}

const opened = (name: string, mark = `#${name}`): State => ({
  name,
  mark,
  enter: (demo) => press(demo, `${name}-button`),
  leave: pressEscape,
});

const UNKNOWN = file("mystery.bin", new Uint8Array(4096).fill(42));

const STATES: readonly State[] = [
  { name: "the page", mark: "#screen", enter: async () => undefined, leave: async () => undefined },
  ...["setup", "data", "explain", "share", "code", "docs"].map((name) => opened(name)),
  opened("game", "#game-menu"),
  {
    name: "the drawer that finds the score",
    mark: "#find-controls:enabled",
    enter: async (demo) => {
      await demo.at("game-button").click();
      await demo.at("find-button").click();
    },
    leave: pressEscape,
  },
  {
    name: "an error",
    mark: '#message[data-kind="error"]',
    enter: (demo) => demo.dropFile(file("odd.bin", Buffer.alloc(3))),
    leave: dismiss,
  },
  {
    name: "the question about an unknown ROM",
    mark: "#message-actions button",
    enter: (demo) => demo.dropFile(UNKNOWN),
    leave: dismiss,
  },
  {
    name: "the question for a link's ROM",
    mark: "#message-actions button",
    enter: (demo) =>
      demo.page.evaluate(() => {
        location.hash = `#rom=${"0".repeat(32)}&title=Lost&preset=learner`;
      }),
    leave: dismiss,
  },
  {
    name: "an error of the setup",
    mark: "#setup-error:not(:empty)",
    enter: async (demo) => {
      await press(demo, "setup-button");
      await demo.page.getByText("Advanced: the list as JSON").click();
      await demo.at("wrappers").fill("[");
      await demo.at("apply").click();
    },
    leave: pressEscape,
  },
  {
    name: "the form for a description, with an error",
    mark: "#definition-error:not(:empty)",
    enter: async (demo) => {
      await demo.dropFile(file("mine.toml", Buffer.from('rom = "mine"\nnonsense = 1\n')));
      await demo.at("definition-use").click();
    },
    leave: pressEscape,
  },
  {
    name: "the dialog of a replay",
    mark: "#replay",
    enter: async (demo) => demo.dropFile(file("run.json", Buffer.from(await replay()))),
    leave: (demo) => demo.at("replay").getByRole("button", { name: "Close" }).click(),
  },
  {
    name: "the veil over the page while a file is dragged",
    mark: "#drop-veil",
    enter: async (demo) => {
      const dataTransfer = await demo.page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([], "a.bin"));
        return transfer;
      });
      await demo.page.dispatchEvent("body", "dragenter", { dataTransfer });
      await demo.page.evaluate((transfer) => {
        (window as unknown as { dragged: DataTransfer }).dragged = transfer;
      }, dataTransfer);
    },
    leave: async (demo) => {
      const dataTransfer = await demo.page.evaluateHandle(
        () => (window as unknown as { dragged: DataTransfer }).dragged,
      );
      await demo.page.dispatchEvent("body", "dragleave", { dataTransfer });
    },
  },
  {
    name: "saliency",
    mark: "#watched",
    enter: (demo) => demo.at("saliency").check({ force: true }),
    leave: (demo) => demo.at("saliency").uncheck({ force: true }),
  },
  {
    name: "the card at the end of a game",
    mark: "#card",
    enter: async (demo) => {
      await demo.dropFile(brief(121));
      await demo.at("definition-use").click();
      await expect.poll(() => demo.text("game-title")).toBe("Brief");
      await demo.at("play").click();
    },
    leave: async (demo) => {
      await demo.at("watch").click();
      await demo.chooseWallop();
      await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    },
  },
  {
    name: "the countdown",
    mark: "#countdown",
    enter: (demo) => demo.at("play").click(),
    leave: (demo) => demo.at("play").click(),
  },
  {
    name: "a person playing",
    mark: '[data-player="you"]',
    enter: (demo) => demo.at("play").click(),
    leave: (demo) => demo.at("play").click(),
  },
  // Last: other games would end the run.
  {
    name: "training, with a game watched",
    mark: "#watched",
    enter: async (demo) => {
      await press(demo, "train");
      await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #\d/);
      await demo.page.getByRole("button", { name: "Watch training game 3" }).click();
    },
    leave: async () => undefined,
  },
  {
    name: "the question before a run is ended",
    mark: "#message-actions button",
    enter: (demo) => demo.dropFile(realRom("pong")),
    leave: dismiss,
  },
  {
    name: "an earlier run in the legend",
    mark: '#chart-legend [data-kind="old"] button',
    enter: async (demo) => {
      await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of/);
      await press(demo, "setup-button");
      // In place of the list with an error.
      await demo.at("preset").selectOption("learner");
      await demo.at("apply").click();
      await expect.poll(() => demo.text("chart-legend")).toMatch(/run 1/);
      await pressEscape(demo);
      if (await demo.at("tab-curve").isVisible()) await demo.at("tab-curve").click();
    },
    leave: async () => undefined,
  },
];

/** A replay of WALLOP, as text. */
async function replay(): Promise<string> {
  const game = await Game.create({ rom: wallop, preset: "labml" });
  const recorder = new Recorder(game);
  recorder.reset({ seed: 1 });
  for (let step = 0; step < 60; step++) recorder.step(step % 3);
  game.close();
  return JSON.stringify(recorder.replay());
}

const SCHEMES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["light", { colorScheme: "light", viewport: { width: 1440, height: 900 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 720 } }],
  ["forced colours", { forcedColors: "active", viewport: { width: 1280, height: 720 } }],
  ["a phone", { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  [
    "a phone on its side, dark",
    { colorScheme: "dark", viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  ],
];

describe("axe finds nothing", () => {
  // The other schemes have a phone's elements without its tabs, and colours have a test of their own.
  const schemes = LONG ? SCHEMES : SCHEMES.filter(([scheme]) => scheme === "a phone");
  for (const [scheme, options] of schemes) {
    test(`in any state, ${scheme}`, async () => {
      const hash = "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1";
      const demo = await Demo.open(browser, { hash, ...options });
      for (const { name, mark, enter, leave } of STATES) {
        await enter(demo);
        await expect.poll(() => demo.page.locator(mark).first().isVisible(), { message: name }).toBe(true);
        expect(await violations(demo), name).toEqual([]);
        await leave(demo);
      }
      if (options.isMobile) {
        for (const tab of ["agent", "curve", "training"]) {
          await demo.at(`tab-${tab}`).click();
          await expect.poll(() => demo.at(`panel-${tab}`).isVisible()).toBe(true);
          expect(await violations(demo), `the tab ${tab}`).toEqual([]);
        }
      }
      await demo.close();
    });
  }
});

/** Colours by what is drawn in them and on what, with the ratio that WCAG 2.2 asks for: 4.5 of text, 3 of controls and lines. */
const PAIRS: readonly (readonly [ratio: number, colours: readonly string[], grounds: readonly string[]])[] = [
  [4.5, ["--ink", "--soft", "--accent"], ["--page", "--card"]],
  [4.5, ["--accent-ink"], ["--accent"]],
  [4.5, ["--accent"], ["--accent-wash"]],
  [4.5, ["--error"], ["--card"]],
  [4.5, ["--ink"], ["--error-wash", "--hover"]],
  [3, ["--edge", "--series-random", "--series-you"], ["--page", "--card"]],
  [3, ["--shipped"], ["--card"]],
  // The chart has a number in the colour of a run.
  [4.5, ["--run-1", "--run-2", "--run-3", "--run-4", "--run-5", "--run-6"], ["--card"]],
  [3, ["--accent", "--series-you"], ["--sunken"]],
];

/** WCAG's relative luminance of a colour as computed styles write it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
    const share = Number(text) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("colours have the contrast that they need", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`in ${colorScheme} mode`, async () => {
      const demo = await Demo.open(browser, { colorScheme });
      const names = [...new Set(PAIRS.flatMap(([, colours, grounds]) => [...colours, ...grounds]))];
      const values = await demo.page.evaluate(
        (all) =>
          all.map((name) => {
            document.body.style.color = `var(${name})`;
            return getComputedStyle(document.body).color;
          }),
        names,
      );
      const of = (name: string): string => values[names.indexOf(name)] ?? "";
      for (const [ratio, colours, grounds] of PAIRS) {
        for (const colour of colours) {
          for (const ground of grounds) {
            expect(contrast(of(colour), of(ground)), `${colour} on ${ground}`).toBeGreaterThanOrEqual(ratio);
          }
        }
      }
      await demo.close();
    });
  }
});
