// Refuses to pack before everything that package.json names has been built: what is packed, the entries with their folders, the workers;
// and every file that a built one names, such as the chunks that entries share.

import { existsSync, readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const text = readFileSync(new URL("package.json", root), "utf8");
const { files } = JSON.parse(text);
// The folders of the entries have nothing but a manifest.
const packed = files.map((path) => (/^(?:dist|[A-Z-]+|.*\.wasm)$/.test(path) ? path : `${path}/package.json`));
const named = [...text.matchAll(/"\.\/([^"]+)"(?!:)/g)].map(([, path]) => path);
const dist = new URL("dist/", root);
const code = existsSync(dist) ? readdirSync(dist).filter((name) => /\.(?:c?js|d\.c?ts)$/.test(name)) : [];
const used = code.flatMap((name) => {
  const names = readFileSync(new URL(name, dist), "utf8").matchAll(/"(\.\.?\/[\w./-]+\.(?:c?js|json|wasm))"(?!:)/g);
  const paths = [...names].map(([, path]) => new URL(path, dist).href.slice(root.href.length));
  // A declaration imports others by the names of their scripts.
  return /ts$/.test(name) ? paths.map((path) => path.replace(/\.(c?)js$/, ".d.$1ts")) : paths;
});
const missing = [...new Set([...packed, ...named, ...used])].filter((path) => !existsSync(new URL(path, root)));
if (missing.length > 0) {
  console.error(`not built: ${missing.join(", ")}; run scripts/build wasm package`);
  process.exitCode = 1;
}
