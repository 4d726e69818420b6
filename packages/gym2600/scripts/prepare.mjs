// Copies files of the repository into the package: WALLOP's ROM as a module, and the licences, its own and those of others.

import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { notices } from "./notices.mjs";

const repository = new URL("../../../", import.meta.url);
const generated = new URL("../src/generated/", import.meta.url);

const rom = await readFile(new URL("crates/arcade/games/wallop.bin", repository));
await mkdir(generated, { recursive: true });
await writeFile(
  new URL("wallop.ts", generated),
  `/** crates/arcade/games/wallop.bin, written by scripts/prepare.mjs. */
export const WALLOP_BASE64 =
  "${rom.toString("base64")}";
`,
);

for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  await copyFile(new URL(licence, repository), new URL(`../${licence}`, import.meta.url));
}

// `gym2600/record` contains fflate, and `gym2600/toml` the others.
const bundled = ["fflate", "toml-eslint-parser", "eslint-visitor-keys"].map(
  (name) => new URL(`node_modules/${name}`, repository),
);
const modules = ["gym2600-wasm", "gym2600-learn-wasm", "gym2600-learn-gpu-wasm"];
const texts = notices(fileURLToPath(repository), modules, ["wasm32-unknown-unknown"], bundled.map(fileURLToPath));
await writeFile(new URL("../THIRD-PARTY-NOTICES", import.meta.url), texts);
