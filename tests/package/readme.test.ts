/** The JavaScript of the READMEs and of the site's pages runs as it stands, and docs/learning.md with shorter runs. */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PACKAGE, ROOT, run, temporaryFolder } from "./support.js";

const BLOCK = /^```(?:js|ts)\n(.*?)^```$/gms;

const LEARNING = "docs/learning.md";

/** The text of a document. Runs of the learner are cut to one update. */
function textOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  return file === LEARNING ? text.replace(/\b(?:1000000|300_000)\b/g, "2048") : text;
}

/** The pages of the site, besides the API's. */
const pages = readdirSync(join(ROOT, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

const blocks = ["README.md", "packages/gym2600/README.md", ...pages].flatMap((file) =>
  [...textOf(file).matchAll(BLOCK)].map(([, code = ""], index) => ({ file, index, code })),
);

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules/gym2600"));
  symlinkSync(join(ROOT, "node_modules/onnxruntime-web"), join(folder, "node_modules/onnxruntime-web"));
});

test("both READMEs and the pages that teach have JavaScript", () => {
  expect([...new Set(blocks.map(({ file }) => file))].sort()).toEqual([
    "README.md",
    "docs/bundlers.md",
    "docs/concepts.md",
    "docs/games.md",
    "docs/gymnasium.md",
    "docs/learning.md",
    "docs/recipes.md",
    "docs/start.md",
    "packages/gym2600/README.md",
  ]);
});

test("the commands of docs/learning.md run", () => {
  const [, commands = ""] = /^```sh\n(.*?)^```$/ms.exec(textOf(LEARNING)) ?? [];
  for (const command of commands.trim().split("\n")) {
    const [program, ...args] = command.split(" ");
    expect(program).toBe("gym2600");
    const { status, errors } = run(process.execPath, [join(PACKAGE, "dist/cli.js"), ...args], folder);
    expect(status, errors).toBe(0);
  }
});

test.for(blocks)("block $index of $file runs", ({ code }) => {
  const script = join(folder, "block.mjs");
  writeFileSync(script, code);
  const { status, errors } = run(process.execPath, [script], folder);
  expect(errors).toBe("");
  expect(status).toBe(0);
});
