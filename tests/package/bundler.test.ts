/** What bundlers make of the package. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { PACKAGE, rom, temporaryFolder } from "./support.js";

test("a page that does not import wallop does not carry it", async () => {
  const piece = Buffer.from(rom("wallop")).toString("base64").slice(0, 60);
  const carries = async (code: (address: string) => string) => {
    const folder = temporaryFolder();
    const page = join(folder, "page.js");
    const address = JSON.stringify(join(PACKAGE, "dist/index.js"));
    writeFileSync(page, code(address));
    const bundle = await rolldown({ input: page, logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm" });
    return output.some((chunk) => chunk.type === "chunk" && chunk.code.includes(piece));
  };
  const using = (names: string) => (address: string) => `import { ${names} } from ${address};\nconsole.log(${names});`;
  expect(await carries(using("Game, GameWorker, VectorEnv"))).toBe(false);
  expect(await carries((address) => `import ${address};`)).toBe(false);
  expect(await carries(using("Game, wallop"))).toBe(true);
});

test("a page of esbuild or Rollup that imports wallop alone carries nothing else of gym2600", async () => {
  const folder = temporaryFolder();
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
    exports: { ".": { module: string } };
  };
  const entry = JSON.stringify(join(PACKAGE, exports["."].module));
  const size = async (name: string) => {
    const page = join(folder, `${name}.js`);
    writeFileSync(page, `import { ${name} } from ${entry};\nconsole.log(${name});`);
    const bundle = await rolldown({ input: page, logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm" });
    return output.reduce((sum, chunk) => sum + (chunk.type === "chunk" ? chunk.code.length : 0), 0);
  };
  expect(await size("wallop")).toBeLessThan(20_000);
  expect(await size("Game")).toBeGreaterThan(1_000_000);
});
