/** Where a page looks for the package's files. */

import { expect, test } from "vitest";
import { unmoved } from "../src/addresses.js";

const at = (path: string) => unmoved(new URL(path, "http://localhost/")).pathname;

test("files are looked for in the package where Vite has moved its modules to a cache", () => {
  expect(at("/node_modules/.vite/deps/worker.js")).toBe("/node_modules/gym2600/dist/worker.js");
  expect(at("/app/node_modules/.vite/wasm/a.wasm")).toBe("/app/node_modules/gym2600/wasm/a.wasm");
  expect(at("/node_modules/.vite/wasm-learn/a.wasm")).toBe("/node_modules/gym2600/wasm-learn/a.wasm");
  expect(at("/_nuxt/node_modules/.cache/vite/client/deps/worker.js")).toBe(
    "/_nuxt/node_modules/gym2600/dist/worker.js",
  );
  expect(at("/_nuxt/node_modules/.cache/vite/client/wasm/a.wasm")).toBe("/_nuxt/node_modules/gym2600/wasm/a.wasm");
});

test("files of a package that lies elsewhere stay where they are", () => {
  for (const path of [
    "/node_modules/gym2600/dist/worker.js",
    "/node_modules/.pnpm/gym2600@0.1.0/node_modules/gym2600/wasm/a.wasm",
    "/assets/worker.js",
    "/.vitepress/cache/deps/worker.js",
  ]) {
    expect(at(path)).toBe(path);
  }
});
