import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "index-node": "src/index-node.ts",
    worker: "src/worker.ts",
    "worker-node": "src/worker-node.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  platform: "neutral",
  minify: true,
  target: "es2022",
  fixedExtension: false,
  // Written by wasm-pack beside dist, and loaded from there.
  deps: { neverBundle: [/gym2600_wasm\.js$/, /^node:/] },
  dts: { entry: ["src/index.ts"] },
});
