// Refuses to pack before everything that package.json names has been built: what is packed, the entries with their folders, the workers;
// and every file that a built one names, such as the chunks that entries share. Refuses too where what is built from is newer than dist.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const root = new URL("../", import.meta.url);
const text = readFileSync(new URL("package.json", root), "utf8");
const { files } = JSON.parse(text);
// The folders of the entries have nothing but a manifest.
const packed = files.map((path) => (/^(?:dist|[A-Z-]+|.*\.wasm)$/.test(path) ? path : `${path}/package.json`));
const named = [...text.matchAll(/"\.\/([^"]+)"(?!:)/g)].map(([, path]) => path);
const dist = new URL("dist/", root);
const code = existsSync(dist) ? readdirSync(dist).filter((name) => /\.(?:c?js|d\.c?ts)$/.test(name)) : [];
const used = code.flatMap((name) => {
  const names = readFileSync(new URL(name, dist), "utf8").matchAll(
    /["'](\.\.?\/[\w./-]+\.(?:c?js|json|wasm))["'](?!:)/g,
  );
  const paths = [...names].map(([, path]) => new URL(path, dist).href.slice(root.href.length));
  // A declaration imports others by the names of their scripts.
  return /ts$/.test(name) ? paths.map((path) => path.replace(/\.(c?)js$/, ".d.$1ts")) : paths;
});
const missing = [...new Set([...packed, ...named, ...used])].filter((path) => !existsSync(new URL(path, root)));
/** What a build reads. */
const sources = [
  ...["src", "types", "wasm", "wasm-learn", "wasm-learn-gpu"],
  ...["tsdown.config.ts", "tsdown.inline.config.ts", "scripts/finish.mjs"],
];

/** The paths of a file, or of the files in a folder. None where there is no such thing, as in a copy of what is packed. */
function filesOf(path) {
  const file = new URL(path, root);
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [path];
  return readdirSync(file).flatMap((name) => filesOf(`${path}/${name}`));
}

const changed = (path) => statSync(new URL(path, root)).mtimeMs;
// A build writes every file of dist.
const built = Math.min(...filesOf("dist").map(changed));
const newer = sources.flatMap(filesOf).filter((path) => changed(path) > built);

const complaints = [
  ["not built", missing],
  ["built before a change of", newer],
].filter(([, paths]) => paths.length > 0);
for (const [what, paths] of complaints) {
  console.error(`${what}: ${paths.join(", ")}; run scripts/build wasm package`);
  process.exitCode = 1;
}
