// Replaces the hashes in the names of what a wasm-bindgen module imports by numbers of the same length: hashes do not compress.
//
//   node number-imports.mjs MODULE.wasm GLUE.js        (both are changed)
import { readFileSync, writeFileSync } from "node:fs";

const files = process.argv.slice(2);
const hash = /(?<=_)[0-9a-f]{16}\b/g;
const numbers = new Map();
const [module, glue] = files.map((file) => readFileSync(file, "latin1"));
for (const [name] of glue.matchAll(hash)) {
  if (!numbers.has(name)) numbers.set(name, String(numbers.size).padStart(16, "0"));
}
for (const [index, text] of [module, glue].entries()) {
  const renamed = text.replace(hash, (name) => numbers.get(name) ?? name);
  writeFileSync(files[index], renamed, "latin1");
}
