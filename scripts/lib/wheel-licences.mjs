// Writes the licences that the Python wheel carries into the folder `python`: its own, and those of the Rust crates in its module.

import { execFileSync } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { notices } from "../../packages/gym2600/scripts/notices.mjs";

const repository = new URL("../../", import.meta.url);
const python = new URL("python/", repository);

for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  await copyFile(new URL(licence, repository), new URL(licence, python));
}
const [, host] = /^host: (.*)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }));
// The wheel of macOS has a module for both of its processors.
const darwin = ["aarch64-apple-darwin", "x86_64-apple-darwin"];
const targets = darwin.includes(host) ? darwin : [host];
await writeFile(new URL("THIRD-PARTY-NOTICES", python), notices(fileURLToPath(repository), ["gym2600-py"], targets));
