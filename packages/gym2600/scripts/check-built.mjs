// Refuses to pack before everything that package.json names has been built: what is packed, the entries with their folders, the workers.

import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const text = readFileSync(new URL("package.json", root), "utf8");
const { files } = JSON.parse(text);
// The folders of the entries have nothing but a manifest.
const packed = files.map((path) => (/^(?:dist|[A-Z-]+|.*\.wasm)$/.test(path) ? path : `${path}/package.json`));
const named = [...text.matchAll(/"\.\/([^"]+)"(?!:)/g)].map(([, path]) => path);
const missing = [...new Set([...packed, ...named])].filter((path) => !existsSync(new URL(path, root)));
if (missing.length > 0) {
  console.error(`not built: ${missing.join(", ")}; run scripts/build wasm package`);
  process.exitCode = 1;
}
