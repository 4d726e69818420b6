/** The package on pages without a bundler: one file, and files that `init` names. tests/packaging has the other ways. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import { launch, type StaticServer, serve } from "./chromium.js";
import { PACKAGE } from "./support.js";

/** Plays the same in this thread, in a worker and in a batch, and says so in the title. */
const PLAY = `async ({ Game, GameWorker, VectorEnv, wallop }) => {
  const options = { rom: wallop, preset: "labml", seed: 1 };
  const game = await Game.create(options);
  const worker = await GameWorker.create(options);
  const envs = await VectorEnv.create({ ...options, numEnvs: 2, workers: 2 });
  game.reset();
  await Promise.all([worker.reset(), envs.reset()]);
  const equal = (one, other) => one.every((value, index) => value === other[index]);
  let same = true;
  for (let step = 0; step < 200; step++) {
    const { observation } = game.step(step % 3);
    const inWorker = await worker.step(step % 3);
    const { observations } = await envs.step([step % 3, 0]);
    same &&= equal(observation, inWorker.observation) && equal(observation, observations.subarray(0, observation.length));
  }
  return same ? "same" : "different";
}`;

const PAGES: Readonly<Record<string, (elsewhere: string) => string>> = {
  "one module": () => `<script type="module">
    import * as gym2600 from "/package/dist/inline.js";
    document.title = await (${PLAY})(gym2600).catch(String);</script>`,
  "files that init names": (elsewhere) => `<script type="module">
    import * as gym2600 from "/elsewhere/index.js";
    const unnamed = await gym2600.Game.create({ rom: gym2600.wallop }).catch((error) => error);
    const named = /^http.*no WebAssembly module.*init\\(\\{ wasm.*gym2600\\/inline/.test(unnamed.message) && unnamed.code;
    await gym2600.init({
      wasm: "${elsewhere}package/wasm/gym2600_wasm_bg.wasm",
      worker: "${elsewhere}package/dist/worker.js",
    });
    document.title = named + " " + await (${PLAY})(gym2600).catch(String);</script>`,
  "files beside the module": () => `<script type="module">
    import * as gym2600 from "/package/dist/index.js";
    document.title = await (${PLAY})(gym2600).catch(({ code, message }) => code + " " + message);</script>`,
};

let server: StaticServer;
let elsewhere: StaticServer;

/** A page by its number, a file of the package, or its scripts without the files beside them: any other path gives HTML, as some servers do. */
async function file(path: string): Promise<Uint8Array> {
  const [, name] = /^\/package\/([\w./-]+)$/.exec(path) ?? [];
  if (name !== undefined) return readFile(join(PACKAGE, name));
  const [, script] = /^\/elsewhere\/([\w.-]+\.js)$/.exec(path) ?? [];
  if (script !== undefined && script !== "worker.js") return readFile(join(PACKAGE, "dist", script));
  const page = Object.values(PAGES)[Number(path.slice(1))];
  return Buffer.from(`<!doctype html>${page?.(elsewhere.address) ?? ""}`);
}

beforeAll(async () => {
  server = await serve(file);
  elsewhere = await serve(file, { "access-control-allow-origin": "*" });
});

afterAll(() => {
  server.close();
  elsewhere.close();
});

/** The title that a page gets, with the errors of the page. */
async function titled(page: Page, address: string): Promise<{ title: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(address);
  await page.waitForFunction(() => document.title !== "", undefined, { timeout: HANG_MS });
  return { title: await page.title(), errors };
}

const numberOf = (name: string) => Object.keys(PAGES).indexOf(name);

test.for(Object.keys(PAGES))("%s: a page of it plays in this thread and in workers", async (name) => {
  const browser = await launch();
  try {
    const found = await titled(await browser.newPage(), `${server.address}${numberOf(name)}`);
    expect(found).toEqual({ title: name === "files that init names" ? "wasm-failed same" : "same", errors: [] });
  } finally {
    await browser.close();
  }
});

const COEP = { "cross-origin-embedder-policy": "require-corp" };

test("a page with COEP plays in workers if their script has the header too, and is told of it otherwise", async () => {
  const isolated = await serve(file, COEP);
  const browser = await launch();
  try {
    const number = numberOf("files beside the module");
    const everywhere = await titled(await browser.newPage(), `${isolated.address}${number}`);
    expect(everywhere).toEqual({ title: "same", errors: [] });
    /** What becomes of a page that alone has the header. */
    const alone = async (name: string) => {
      const address = `${server.address}${numberOf(name)}`;
      const page = await browser.newPage();
      await page.route(address, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), ...COEP } });
      });
      return titled(page, address);
    };
    expect(await alone("one module")).toEqual({ title: "same", errors: [] });
    const { title } = await alone("files beside the module");
    expect(title).toMatch(/^worker-died .*script was not loaded.*COEP/);
  } finally {
    await browser.close();
    isolated.close();
  }
});
