/** The built package in headless Chromium, unbundled, in real Web Workers, against the native program. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, type StaticServer, serve } from "./chromium.js";
import { actionsFile, native, PACKAGE, ROOT, rom, romPath, someActions } from "./support.js";

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

test("eight games in eight Web Workers give the native program's bytes", async () => {
  const [lanes, seed, preset] = [8, 2, "ale-vector"];
  const actions = someActions(lanes * 200, 4, seed);
  const batches = Array.from({ length: 200 }, (_, step) => actions.slice(step * lanes, (step + 1) * lanes));
  const entries = (await inBrowser("vectorRollout", "breakout", { preset, seed, numEnvs: lanes }, batches)) as Array<
    Array<Record<string, unknown>>
  >;
  const transposed = entries.map((lanes) =>
    Object.fromEntries(Object.keys(lanes[0] ?? {}).map((name) => [name, lanes.map((lane) => lane[name])])),
  );
  expect(transposed).toEqual(nativeEntries("breakout", preset, seed, actions, "--envs", String(lanes)));
});

test("requests to a worker that the browser ends are rejected", async () => {
  expect(await inBrowser("killedMidStep", "wallop")).toEqual(["worker-died", "worker-died"]);
});

test("requests whose replies cannot be read are rejected", async () => {
  expect(await inBrowser("messageError", "wallop")).toEqual(["bad-message", "bad-message"]);
});

test("bad inputs are refused with their codes, in this thread and in a worker", async () => {
  const codes = ["bad-rom-size", "bad-rom-size", "unknown-rom", "bad-rom", "bad-rom", "bad-action", "closed"];
  expect(await inBrowser("refusals", "wallop")).toEqual([...codes, ...codes]);
});
