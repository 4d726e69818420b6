/** The JavaScript of the READMEs runs as it stands. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PACKAGE, ROOT, run, temporaryFolder } from "./support.js";

const BLOCK = /^```(?:js|ts)\n(.*?)^```$/gms;

const blocks = ["README.md", "packages/gym2600/README.md"].flatMap((file) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(BLOCK)].map(([, code = ""], index) => ({ file, index, code })),
);

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules/gym2600"));
});

test("both READMEs have JavaScript", () => {
  expect(new Set(blocks.map(({ file }) => file)).size).toBe(2);
});

test.for(blocks)("block $index of $file runs", ({ code }) => {
  const script = join(folder, "block.mjs");
  writeFileSync(script, code);
  const { status, errors } = run(process.execPath, [script], folder);
  expect(errors).toBe("");
  expect(status).toBe(0);
});
