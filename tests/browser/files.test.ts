/** What the page saves it opens: each kind of file, from the panel Data. */

import { readFileSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { dequantised } from "../../www/src/policies/pretrained.js";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { brief, type ChosenFile, file, realRom } from "./support/roms.js";

const POLICY = new URL("../../www/public/policies/5-minutes.safetensors", import.meta.url);
const TRAINING = "#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1";

const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["a desktop", { viewport: { width: 1280, height: 720 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

let demo: Demo;
const use = (opened: Demo): void => {
  demo = opened;
};

/** A policy of WALLOP, as a file of single floats. */
function weights(): ChosenFile {
  return file("mine.safetensors", dequantised(new Uint8Array(readFileSync(POLICY))));
}

async function openPanel(): Promise<void> {
  if (!(await demo.at("data-button").isVisible())) await demo.at("tab-training").click();
  if (!(await demo.at("data").isVisible())) await demo.at("data-button").click();
}

/** Pauses by the key: a panel covers the button. */
async function pause(): Promise<void> {
  if ((await demo.text("pause")) === "Pause picture") await demo.page.keyboard.press("p");
  await demo.settled();
}

/** Saves by a button of the panel. */
async function save(id: string): Promise<ChosenFile> {
  await openPanel();
  await expect.poll(() => demo.at(id).isDisabled()).toBe(false);
  const { name, bytes } = await demo.download(id);
  return file(name, bytes);
}

/** Opens by a button of the panel. */
async function openFile(what: string, chosen: ChosenFile): Promise<void> {
  await openPanel();
  const chooser = demo.page.waitForEvent("filechooser");
  await demo.page.getByRole("button", { name: `Open ${what}` }).click();
  await (await chooser).setFiles(chosen);
}

describe.each(SIZES)("on %s", (_name, size) => {
  withDemo(use, { ...size, hash: TRAINING });

  test("every file has its Open beside its Save, within the panel", async () => {
    await openPanel();
    const rows = await demo.page.locator("#files tbody tr").evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector("th")?.textContent,
        saves: row.querySelectorAll("td:nth-of-type(1) button").length,
        opens: row.querySelectorAll("td:nth-of-type(2) button").length,
        fits: [...row.querySelectorAll("button")].every((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        }),
      })),
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "Weights of a net",
      "State of the game",
      "Replay since New game",
      "Description of the game",
      "Games of this list",
      "Training",
      "Film",
    ]);
    for (const { name, saves, opens, fits } of rows) {
      expect(fits, name ?? "").toBe(true);
      expect(saves, name ?? "").toBeGreaterThan(0);
      expect(opens, name ?? "").toBe(name === "Film" ? 0 : 1);
    }
  });

  test("weights play where they fit, and what does not fit is told", async () => {
    await openFile("weights", weights());
    await expect.poll(() => demo.text("policy-name")).toBe("mine.safetensors");
    expect(await demo.text("skill-name")).toBe("mine.safetensors");
    await openFile("weights", file("broken.safetensors", new Uint8Array(100)));
    await expect
      .poll(() => demo.text("message-text"))
      .toMatch(/^broken\.safetensors cannot play WALLOP as it is set up\./);
    expect(await demo.text("policy-name")).toBe("mine.safetensors");
    await demo.page.keyboard.press("Escape");
    await demo.dropFile(realRom("seaquest"));
    await expect.poll(() => demo.text("game-title")).toBe("Seaquest");
    await expect.poll(() => demo.text("policy-name")).toBe("random agent: equal chances");
    await demo.dropFile(weights());
    await expect
      .poll(() => demo.text("message-text"))
      .toContain("It has 4 actions, and this game has 18. The agent plays on as before.");
    // Breakout has WALLOP's actions and shape.
    await demo.dropFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.dropFile(weights());
    await expect.poll(() => demo.text("policy-name")).toBe("mine.safetensors");
  });

  test("a state goes on where it was saved, also with another setup", async () => {
    await pause();
    const stack = await demo.stack();
    const state = await save("state-save");
    expect(state.name).toBe("wallop-state.json");
    await demo.page.keyboard.press("Escape");
    await demo.dropFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await openFile("a state", state);
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await pause();
    expect(await demo.text("announcement")).toBe("The saved state is loaded");
    await openFile("a state", state);
    await expect.poll(() => demo.stack()).toBe(stack);
    const { gym2600, state: fields } = JSON.parse(state.buffer.toString());
    for (const [change, reason] of [
      [{ bytes: "AAAA" }, /cannot be played\. .+/],
      [{ md5: "no" }, /its md5 has to be 32/i],
      [{ score: "9" }, /its score has to be a number/i],
    ] as const) {
      await openFile(
        "a state",
        file("s.json", Buffer.from(JSON.stringify({ gym2600, state: { ...fields, ...change } }))),
      );
      await expect.poll(() => demo.text("message-text")).toMatch(reason);
      await demo.at("message-close").click();
    }
  });

  test("a replay is what was played since the new game, and a rewound game has none", async () => {
    // Its games are short.
    if (size.hasTouch) await demo.at("tab-training").click();
    await demo.at("skill").fill("0");
    await demo.choose("speed", "fast");
    await demo.until(async () => (await demo.number("episodes")) > 1);
    await pause();
    const replay = await save("replay-save");
    await openFile("a replay", replay);
    await expect.poll(() => demo.text("replay-text")).toMatch(/^(Step|Verified)/);
    await demo.page.getByRole("button", { name: "Close", exact: true }).click();
    await demo.page.keyboard.press("Escape");
    await demo.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await demo.page.keyboard.down("z");
    await demo.page.waitForTimeout(300);
    await demo.page.keyboard.up("z");
    await openPanel();
    await demo.at("replay-save").click();
    await expect
      .poll(() => demo.text("message-text"))
      .toMatch(/^There is no replay to save\. The game was loaded or rewound/);
  });

  test("a description and the games that were played by it come back", async () => {
    await demo.dropFile(brief(121));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("game-title")).toBe("Brief");
    const description = await save("definition-save");
    expect(description.name).toBe("brief.toml");
    await demo.page.keyboard.press("Escape");
    await expect.poll(() => demo.number("episodes")).toBeGreaterThan(0);
    await pause();
    const games = await save("json");
    const count = await demo.number("episodes");
    await openFile("games as JSON", games);
    await expect.poll(() => demo.number("episodes")).toBe(2 * count);
    const [first] = JSON.parse(games.buffer.toString()).games;
    const again = JSON.parse((await save("json")).buffer.toString());
    expect(again.games.at(count)).toMatchObject({ ...first, game: count + 1 });
    await openFile("games as JSON", file("g.json", Buffer.from('{"gym2600":"1","games":[{"player":"nobody"}]}')));
    await expect
      .poll(() => demo.text("message-text"))
      .toContain("Its player has to be one of agent, random, you, mixed.");
    await demo.at("message-close").click();
    await openFile("a description", description);
    expect(await demo.at("definition").inputValue()).toBe(description.buffer.toString());
  });

  test("a training comes back as an earlier run of the chart", async () => {
    if (size.hasTouch) await demo.at("tab-training").click();
    await demo.at("train").click();
    await expect.poll(() => demo.text("chart-legend")).toMatch(/^mean of up to 100 games/);
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Go on training");
    const training = await save("run-json");
    const table = await save("run-csv");
    await openFile("a training as JSON", training);
    await expect.poll(() => demo.text("chart-legend")).toContain("run 1, wallop, learner, of wallop-training.json");
    const { runs } = JSON.parse((await save("run-json")).buffer.toString());
    expect(runs.length).toBe(2);
    const [again, first] = runs.map(({ updates }: { updates: { minutes: number }[] }) =>
      updates.map((update) => ({ ...update, minutes: update.minutes.toFixed(6) })),
    );
    expect(again).toEqual(first);
    await openFile("a training as JSON", table);
    await expect.poll(() => demo.text("message-text")).toContain("the JSON file of the same has all of it");
  });

  test("a file that is no ROM is refused before the page asks whether to end a training", async () => {
    const { gym2600, state } = JSON.parse((await save("state-save")).buffer.toString());
    await demo.page.keyboard.press("Escape");
    if (size.hasTouch) await demo.at("tab-training").click();
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    await demo.dropFile(file("notes.bin", Buffer.from("no cartridge")));
    await expect.poll(() => demo.text("message-text")).toMatch(/^notes\.bin cannot be played\./);
    await demo.dropFile(file("mystery.bin", new Uint8Array(4096).fill(42)));
    await expect.poll(() => demo.text("message-text")).toMatch(/^mystery\.bin is not in the catalogue\./);
    await demo.page.getByRole("button", { name: "Play without scores" }).click();
    await expect.poll(() => demo.text("message-text")).toMatch(/^Opening mystery\.bin ends the training of WALLOP\./);
    await demo.page.getByRole("button", { name: "Go on training" }).click();
    // A damaged state of another setup, which would have to be opened first.
    const damaged = { ...state, setup: "preset=labml&seed=1", bytes: "AAAA" };
    await demo.dropFile(file("damaged.json", Buffer.from(JSON.stringify({ gym2600, state: damaged }))));
    await expect.poll(() => demo.text("message-text")).toMatch(/^damaged\.json cannot be played\./);
    expect(await demo.text("game-title")).toBe("WALLOP");
    expect(await demo.text("train")).toBe("Pause training");
  });
});

describe("the ROM that a state waits for", () => {
  withDemo(use, { ...SIZES[0]?.[1], hash: TRAINING });

  test("keeps the name of its file", async () => {
    await demo.dropFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    const state = await save("state-save");
    await demo.page.keyboard.press("Escape");
    await demo.chooseWallop();
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await demo.dropFile(state);
    await expect.poll(() => demo.text("message-text")).toMatch(/^breakout-state\.json is a state of a game/);
    await demo.dropFile({ ...realRom("breakout"), name: "my breakout.bin" });
    await expect.poll(() => demo.text("announcement")).toBe("The saved state is loaded");
    await demo.at("train").click();
    await expect.poll(() => demo.text("train")).toBe("Pause training");
    await demo.dropFile(brief(121));
    await demo.at("definition-use").click();
    await expect.poll(() => demo.text("message-text")).toMatch(/^Opening my breakout\.bin by this description ends/);
  });
});
