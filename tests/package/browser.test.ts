/** The built package in headless Chromium, unbundled, in real Web Workers, against the native program. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, type StaticServer, serve } from "./chromium.js";
import { actionsFile, judge, native, PACKAGE, ROOT, rom, romPath, seedOfTheDay, someActions } from "./support.js";

let server: StaticServer;
let browser: Browser;
let page: Page;

/** The package, the page's script and ROMs. */
async function file(path: string): Promise<Uint8Array> {
  if (path === "/") return Buffer.from("<!doctype html><title>gym2600</title>");
  if (path === "/page.js") return readFile(join(ROOT, "tests/package/page.js"));
  const [, folder, name = ""] = /^\/(\w+)\/([\w./-]+)$/.exec(path) ?? [];
  if (folder === "package") return readFile(join(PACKAGE, name));
  if (folder === "roms") return rom(name.replace(".bin", ""));
  throw new Error(path);
}

beforeAll(async () => {
  server = await serve(file);
  browser = await launch();
  page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  await page.goto(server.address);
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Calls a function of page.js in the browser. */
function inBrowser(name: string, ...args: unknown[]): Promise<unknown> {
  const list = args.map((argument) => JSON.stringify(argument)).join(", ");
  return page.evaluate(`import("/page.js").then((page) => page.${name}(${list}))`);
}

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

test.for([
  ["worker", "breakout", "labml", 3],
  ["worker", "wallop", "labml", 4],
  ["thread", "wallop", "gym2600", 5],
  ["worker", "seaquest", "gymnasium", 6],
] as const)("in a %s, %s with %s gives the native program's bytes", async ([place, game, preset, seed]) => {
  const actions = someActions(600, 4, seed);
  const entries = await inBrowser("rollout", place, game, { preset, seed }, actions);
  expect(entries).toEqual(nativeEntries(game, preset, seed, actions));
});

const SEED = seedOfTheDay();

test.for([
  ["breakout", SEED],
  ["qbert", SEED + 1],
  ["freeway", SEED + 2],
] as const)("eight games of %s in eight Web Workers give AtariVectorEnv's bytes with seed %i", async ([game, seed]) => {
  const [lanes, steps] = [8, 400];
  // Freeway has three actions.
  const actions = someActions(lanes * steps, 3, seed);
  const batches = Array.from({ length: steps }, (_, step) => actions.slice(step * lanes, (step + 1) * lanes));
  const play = JSON.stringify({ game, seed, actions: batches });
  const { status, output, errors } = judge(join(ROOT, "tests/package/ale_vector.py"), [], play);
  expect(status, errors).toBe(0);
  const expected = output.trim().split("\n");
  const options = { preset: "ale-vector", seed, numEnvs: lanes };
  const entries = (await inBrowser("vectorRollout", game, options, batches)) as Entries;
  expect(entries.length).toBe(expected.length);
  for (const [step, entry] of byName(entries).entries()) {
    const { episode: _, ...told } = entry;
    expect(told, `step ${step}`).toEqual(JSON.parse(expected[step] ?? ""));
  }
});

/** What page.js tells of a batch: for each step, an entry for each lane. */
type Entries = ReadonlyArray<ReadonlyArray<Readonly<Record<string, unknown>>>>;

/** The same with a list for each name. */
function byName(entries: Entries): Array<Record<string, unknown>> {
  return entries.map((lanes) =>
    Object.fromEntries(Object.keys(lanes[0] ?? {}).map((name) => [name, lanes.map((lane) => lane[name])])),
  );
}

test("eight games in eight Web Workers give the native program's bytes", async () => {
  const [lanes, seed, preset] = [8, 2, "ale-vector"];
  const actions = someActions(lanes * 200, 4, seed);
  const batches = Array.from({ length: 200 }, (_, step) => actions.slice(step * lanes, (step + 1) * lanes));
  const options = { preset, seed, numEnvs: lanes };
  const entries = (await inBrowser("vectorRollout", "breakout", options, batches)) as Entries;
  expect(byName(entries)).toEqual(nativeEntries("breakout", preset, seed, actions, "--envs", String(lanes)));
});

test("requests to a worker that the browser ends are rejected", async () => {
  expect(await inBrowser("killedMidStep", "wallop")).toEqual(["worker-died", "worker-died"]);
});

test("a worker of a batch that the browser ends is told with its lane, and revived", async () => {
  expect(await inBrowser("revival", "wallop")).toEqual({
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
  expect(await inBrowser("messageError", "wallop")).toEqual(["bad-message", "bad-message"]);
});

test("bad inputs are refused with their codes, in this thread and in a worker", async () => {
  const codes = ["bad-rom-size", "bad-rom-size", "unknown-rom", "bad-rom", "bad-rom", "bad-action", "closed"];
  expect(await inBrowser("refusals", "wallop")).toEqual([...codes, ...codes]);
});

test("the keyboard plays, at the console's speed, and the canvas shows it", async () => {
  await page.evaluate(`import("/page.js").then((page) => page.startPlaying("wallop"))`);
  await page.keyboard.down("ArrowRight");
  await page.keyboard.down("Space");
  await page.waitForFunction("played.actions.includes('RIGHTFIRE')");
  await page.keyboard.up("ArrowRight");
  await page.waitForFunction("played.actions.at(-1) === 'FIRE'");
  await page.keyboard.up("Space");
  await page.waitForFunction("played.actions.at(-1) === 'NOOP'");
  // Down and up between two steps.
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction("played.actions.includes('LEFT')");
  const { size, colours, same, framesASecond, stopped } = (await page.evaluate("endPlaying()")) as Record<
    string,
    unknown
  >;
  expect(size).toEqual([160, 210]);
  expect(colours).toBeGreaterThan(2);
  expect({ same, stopped }).toEqual({ same: true, stopped: true });
  expect(framesASecond).toBeLessThan(70);
});
