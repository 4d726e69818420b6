/**
 * Compares the built package in headless browsers, without a bundler and in Web Workers, with the native program. Only the long form has Firefox
 * as it is; see webdriver.js.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { Key } from "selenium-webdriver";
import { describe, expect, test } from "vitest";
import { LONG } from "../limits.js";
import { actionsFile, native, python, ROOT, romPath, seedOfTheDay, someActions, temporaryFolder } from "./support.js";
import { pageOfTests, type TestPage } from "./test-page.js";

/** The native program's lines, without their step numbers. */
function nativeEntries(game: string, preset: string, seed: number, actions: readonly number[], ...more: string[]) {
  const files = [romPath(game), actionsFile(actions)];
  const { status, output, errors } = native("rollout", ...files, "--preset", preset, "--seed", String(seed), ...more);
  expect(status, errors).toBe(0);
  return output
    .trim()
    .split("\n")
    .map((line) => {
      const { step: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return rest;
    });
}

const ROLLOUTS = [
  ["worker", "breakout", "labml", 3],
  ["worker", "wallop", "labml", 4],
  ["thread", "wallop", "gym2600", 5],
  ["worker", "seaquest", "gymnasium", 6],
] as const;

function testRollouts(page: () => TestPage, rollouts: readonly (typeof ROLLOUTS)[number][] = ROLLOUTS): void {
  test.for(rollouts)(
    "in a %s, %s with %s gives the native program's bytes, and its saved state",
    async ([place, game, preset, seed]) => {
      const actions = someActions(600, 4, seed);
      const saved = join(temporaryFolder(), "state");
      const entries = nativeEntries(game, preset, seed, actions, "--save", saved);
      const state = crc32(readFileSync(saved)).toString(16).padStart(8, "0");
      expect(await page().call("rollout", place, game, { preset, seed }, actions)).toEqual({ entries, state });
    },
  );
}

const SEED = seedOfTheDay();

const VECTORS = [
  ["breakout", SEED],
  ["qbert", SEED + 1],
  ["freeway", SEED + 2],
] as const;

function testVectors(page: () => TestPage, vectors: readonly (typeof VECTORS)[number][] = VECTORS): void {
  test.for(vectors)(
    "eight games of %s in eight Web Workers give AtariVectorEnv's bytes with seed %i",
    async ([game, seed]) => {
      const [lanes, steps] = [8, 400];
      // Freeway has three actions.
      const actions = someActions(lanes * steps, 3, seed);
      const batches = Array.from({ length: steps }, (_, step) => actions.slice(step * lanes, (step + 1) * lanes));
      const play = JSON.stringify({ game, seed, actions: batches });
      const { status, output, errors } = python(join(ROOT, "tests/package/ale_vector.py"), [], play);
      expect(status, errors).toBe(0);
      const expected = output.trim().split("\n");
      const options = { preset: "ale-vector", seed, numEnvs: lanes };
      const entries = (await page().call("vectorRollout", game, options, batches)) as Entries;
      expect(entries.length).toBe(expected.length);
      for (const [step, entry] of byName(entries).entries()) {
        const { episode: _, ...told } = entry;
        expect(told, `step ${step}`).toEqual(JSON.parse(expected[step] ?? ""));
      }
    },
  );
}

/** The result of a batch in page.js: for each step, an entry for each lane. */
type Entries = ReadonlyArray<ReadonlyArray<Readonly<Record<string, unknown>>>>;

/** The same as a list for each name. */
function byName(entries: Entries): Array<Record<string, unknown>> {
  return entries.map((lanes) =>
    Object.fromEntries(Object.keys(lanes[0] ?? {}).map((name) => [name, lanes.map((lane) => lane[name])])),
  );
}

describe.runIf(LONG)("in Firefox", () => {
  const page = pageOfTests("Firefox", "page.js");
  testRollouts(page, ROLLOUTS.slice(2));
  testVectors(page, VECTORS.slice(0, 1));
});

describe.for(["Chromium", "Firefox without AVX", "WebKit"] as const)("in %s", (name) => {
  const page = pageOfTests(name, "page.js");
  // The same code plays in every browser, so the short form plays all of it in one, and some in the others.
  const all = LONG || name === "Chromium";
  testRollouts(page, all ? ROLLOUTS : ROLLOUTS.slice(1, 2));
  testVectors(page, all ? VECTORS : VECTORS.slice(0, 1));

  test.runIf(all)("eight games in eight Web Workers give the native program's bytes", async () => {
    const [lanes, seed, preset] = [8, 2, "ale-vector"];
    const actions = someActions(lanes * 200, 4, seed);
    const batches = Array.from({ length: 200 }, (_, step) => actions.slice(step * lanes, (step + 1) * lanes));
    const options = { preset, seed, numEnvs: lanes };
    const entries = (await page().call("vectorRollout", "breakout", options, batches)) as Entries;
    expect(byName(entries)).toEqual(nativeEntries("breakout", preset, seed, actions, "--envs", String(lanes)));
  });

  test("requests to a worker that the browser ends are rejected", async () => {
    expect(await page().call("killedMidStep", "wallop")).toEqual(["worker-died", "worker-died"]);
  });

  test("a worker of a batch that the browser ends is reported with its lane, and revived", async () => {
    expect(await page().call("revival", "wallop")).toEqual({
      code: "worker-died",
      lanes: [1],
      others: [0, 2],
      envIds: [1],
      restored: [true],
      same: true,
      count: 3,
    });
  });

  test("requests whose replies cannot be read are rejected", async () => {
    expect(await page().call("messageError", "wallop")).toEqual(["bad-message", "bad-message"]);
  });

  test("bad inputs are refused with their codes, in this thread and in a worker", async () => {
    const codes = ["bad-rom-size", "bad-rom-size", "unknown-rom", "bad-rom", "bad-rom", "bad-action", "closed"];
    expect(await page().call("refusals", "wallop")).toEqual([...codes, ...codes]);
  });

  test("saved states are the same before, while and after their program is compiled, in a worker too", async () => {
    const { plays, worker, compiled } = (await page().call("statesAcrossCompiles", "pong")) as {
      plays: string[];
      worker: string;
      compiled: number;
    };
    expect(compiled).toBeGreaterThan(0);
    expect(new Set(plays[0]?.split(",")).size).toBeGreaterThan(100);
    expect(new Set([...plays, worker]).size).toBe(1);
  });

  test.runIf(all)(
    "definitions that would load for minutes are refused, with the rule that spent the budget",
    async () => {
      const select = (rule: string) => ({ rom: "spent", modes: { select: rule } });
      const spent = await page().call("definitionErrors", "wallop", [
        select("until 1 == 2 { reset }"),
        select("until sum(ram[0x80] for i in range(0, 1500)) < 0 { }"),
        { rom: "spent", actions: { starting: Array.from({ length: 200 }, () => ({ press: "NOOP", frames: 1000 })) } },
      ]);
      const errors = spent as Array<{ code: string; message: string; took: number }>;
      console.log(`${name}: refused after ${errors.map(({ took }) => Math.round(took)).join(", ")} ms`);
      expect(errors.map(({ code }) => code)).toEqual(["bad-game", "bad-game", "bad-game"]);
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringContaining("modes.select: mode 0 was not reached, the program takes more than 1500 frames"),
        expect.stringContaining(
          "modes.select: mode 0 was not reached, the program takes more than 20000000 steps of rules",
        ),
        expect.stringContaining("actions.starting: with the selection of the mode, these take more than 1500 frames"),
      ]);
    },
  );

  test("workers paint on their canvases what render gives", async () => {
    expect(await page().call("painted", "wallop")).toEqual({
      atStart: true,
      isImageData: true,
      afterSteps: true,
      leftAlone: true,
      differs: true,
      onDemand: true,
      restored: true,
      "batch of 0": [true, true],
      "moved twice, 0": "bad-option",
      "batch of 2": [true, true],
      "moved twice, 2": "bad-message",
    });
  });

  test("the keyboard plays, at the console's speed, and the canvas shows it", async () => {
    await page().call("startPlaying", "wallop");
    const until = (condition: string) =>
      page().driver.wait(() => page().driver.executeScript<boolean>(`return ${condition}`));
    await page().driver.actions().keyDown(Key.ARROW_RIGHT).keyDown(" ").perform();
    await until("played.actions.includes('RIGHTFIRE')");
    await page().driver.actions().keyUp(Key.ARROW_RIGHT).perform();
    await until("played.actions.at(-1) === 'FIRE'");
    await page().driver.actions().keyUp(" ").perform();
    await until("played.actions.at(-1) === 'NOOP'");
    // Press and release between two steps.
    await page().driver.actions().keyDown(Key.ARROW_LEFT).keyUp(Key.ARROW_LEFT).perform();
    await until("played.actions.includes('LEFT')");
    const told = (await page().call("endPlaying")) as Record<string, unknown>;
    const { size, colours, same, framesASecond, stopped } = told;
    expect(size).toEqual([160, 210]);
    expect(colours).toBeGreaterThan(2);
    expect({ same, stopped }).toEqual({ same: true, stopped: true });
    expect(framesASecond).toBeLessThan(70);
  });
});
