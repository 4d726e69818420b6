// Measures what a page downloads against budgets.json; exits with 1 where a budget is exceeded.
//
// The JavaScript is what a bundler makes of it: the page's part of `import { Game, GameWorker, VectorEnv } from "gym2600"`
// and the worker, both minified.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A page's script that uses the three environments, and nothing else of the package. */
const PAGE = `import { Game, GameWorker, VectorEnv } from ${JSON.stringify(file("dist/index.js"))};
globalThis.page = [Game, GameWorker, VectorEnv];`;

/** The minified code of a bundle, all chunks. */
async function bundled(input, plugins = []) {
  const bundle = await rolldown({ input, plugins, logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm", minify: true, comments: false });
  return Buffer.concat(output.filter(({ type }) => type === "chunk").map(({ code }) => Buffer.from(code)));
}

const page = {
  name: "page",
  resolveId: (id) => (id === "page" ? id : null),
  load: (id) => (id === "page" ? PAGE : null),
};
const parts = {
  module: [await readFile(file("wasm/gym2600_wasm_bg.wasm"))],
  learner: [await readFile(file("wasm-learn/gym2600_learn_bg.wasm"))],
  page: [await bundled("page", [page]), await bundled(file("dist/worker.js"))],
};

const total = (pieces, compress) => pieces.reduce((bytes, piece) => bytes + compress(piece).length, 0);
const budgets = JSON.parse(await readFile(file("budgets.json"), "utf8"));
for (const [name, { what, gzipBytes }] of Object.entries(budgets)) {
  // Those of the demo page are checked with it, in tests/browser.
  if (parts[name] === undefined) continue;
  const gzip = total(parts[name], (piece) => gzipSync(piece, { level: 9 }));
  const brotli = total(parts[name], brotliCompressSync);
  const verdict = gzip <= gzipBytes ? "within" : "ABOVE";
  console.log(`${what}: ${gzip} bytes gzip, ${brotli} bytes brotli; ${verdict} the budget of ${gzipBytes} bytes gzip`);
  if (gzip > gzipBytes) process.exitCode = 1;
}
