/** The package in a page built by Vite. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { build } from "vite";
import { expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import { launch, serve } from "./chromium.js";
import { PACKAGE, rom, temporaryFolder } from "./support.js";

test("a built page finds the WebAssembly file and the worker", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules/gym2600"));
  writeFileSync(join(folder, "index.html"), `<!doctype html><script type="module" src="/main.js"></script>`);
  writeFileSync(
    join(folder, "main.js"),
    `import { Game, GameWorker, wallop } from "gym2600";
    const options = { rom: wallop, preset: "labml", seed: 1 };
    const [game, worker] = await Promise.all([Game.create(options), GameWorker.create(options)]);
    game.reset();
    await worker.reset();
    const [here, there] = [game.step(1), await worker.step(1)];
    document.title = here.observation.every((value, index) => value === there.observation[index]) ? "same" : "different";`,
  );
  await build({ root: folder, configFile: false, logLevel: "error", build: { target: "es2022" } });
  const server = await serve((path) => readFile(join(folder, "dist", path === "/" ? "index.html" : path)));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(server.address);
    await page.waitForFunction(() => document.title !== "", undefined, { timeout: HANG_MS }).catch(() => undefined);
    expect(errors).toEqual([]);
    expect(await page.title()).toBe("same");
  } finally {
    await browser.close();
    server.close();
  }
});

test("a page that does not import wallop does not carry it", async () => {
  const piece = Buffer.from(rom("wallop")).toString("base64").slice(0, 60);
  const carries = async (names: string) => {
    const folder = temporaryFolder();
    const page = join(folder, "page.js");
    const address = JSON.stringify(join(PACKAGE, "dist/index.js"));
    writeFileSync(page, `import { ${names} } from ${address};\nconsole.log(${names});`);
    const bundle = await rolldown({ input: page, logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm" });
    return output.some((chunk) => chunk.type === "chunk" && chunk.code.includes(piece));
  };
  expect(await carries("Game, GameWorker, VectorEnv")).toBe(false);
  expect(await carries("Game, wallop")).toBe(true);
});
