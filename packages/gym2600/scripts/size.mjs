// Measures what a page downloads; exits with 1 where it exceeds a budget.
//
// The JavaScript is what a bundler makes of it: the page's part of `import { Game, GameWorker, VectorEnv } from "gym2600"`
// and the worker, both minified.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { judge } from "./budgets.mjs";

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
  card: [await readFile(file("wasm-learn-gpu/gym2600_learn_gpu_bg.wasm"))],
  page: [await bundled("page", [page]), await bundled(file("dist/worker.js"))],
};

// The demo page's parts are judged with it, in tests/browser.
const total = (pieces, compress) => pieces.reduce((bytes, piece) => bytes + compress(piece).length, 0);
for (const [name, pieces] of Object.entries(parts)) {
  const gzip = total(pieces, (piece) => gzipSync(piece, { level: 9 }));
  const { isWithin, message } = judge(name, gzip);
  console.log(`${message} (${total(pieces, brotliCompressSync)} bytes brotli)`);
  if (!isWithin) process.exitCode = 1;
}
