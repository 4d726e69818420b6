// Refuses to pack before everything that package.json names has been built.

import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const named = JSON.stringify([manifest.exports, manifest.bin, manifest.main, manifest.browser, manifest.unpkg]);
const missing = [...new Set(named.match(/(?:dist|wasm)\/[\w./-]+/g))].filter(
  (path) => !existsSync(new URL(path, root)),
);
if (missing.length > 0) {
  console.error(`not built: ${missing.join(", ")}; run scripts/build wasm package`);
  process.exitCode = 1;
}
