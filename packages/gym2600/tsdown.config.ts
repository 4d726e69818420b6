import { defineConfig, type UserConfig } from "tsdown";

/** Readable code with source maps: for most files the minifier is the application's. */
const common: UserConfig = {
  format: "esm",
  platform: "neutral",
  minify: false,
  sourcemap: true,
  target: "es2022",
  fixedExtension: false,
  deps: { neverBundle: [/^node:/, /\.wasm$/] },
  outDir: "dist",
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: "src/index.ts",
      "index-node": "src/index-node.ts",
      "index-workerd": "src/index-workerd.ts",
      tensorboard: "src/tools/tensorboard.ts",
      "tensorboard-page": "src/tools/tensorboard-page.ts",
      record: "src/record/index.ts",
      toml: "src/toml.ts",
      // The ROM is data in a file of its own, which bundlers drop where `wallop` is not imported.
      wallop: "src/wallop.ts",
      cli: "src/cli/main.ts",
      learn: "src/learn/index.ts",
      "learn-workerd": "src/learn/index-workerd.ts",
      "learn-node": "src/learn/index-node.ts",
    },
    dts: {
      entry: ["src/index.ts", "src/record/index.ts", "src/tools/tensorboard.ts", "src/toml.ts", "src/learn/index.ts"],
    },
  },
  // One file each without imports: they are also loaded from other origins, and copied as assets by bundlers and by tools that trace the files of
  // a server. Those of pages are minified here, because no bundler does.
  { ...common, minify: true, entry: { worker: "src/worker/worker.ts" }, dts: false, clean: false },
  { ...common, minify: true, entry: { "learn-worker": "src/learn/worker.ts" }, dts: false, clean: false },
  { ...common, entry: { "worker-node": "src/worker/worker-node.ts" }, dts: false, clean: false },
  { ...common, entry: { "learn-worker-node": "src/learn/worker-node.ts" }, dts: false, clean: false },
  // For tools that evaluate CommonJS themselves, such as Jest. Node's own `require` loads the modules above, and so has their classes and their
  // state. Jest's DOM has no TextDecoder and no TextEncoder.
  {
    ...common,
    format: "cjs",
    platform: "node",
    sourcemap: false,
    entry: {
      "index-node": "src/index-node.ts",
      "learn-node": "src/learn/index-node.ts",
      record: "src/record/index.ts",
      tensorboard: "src/tools/tensorboard.ts",
      toml: "src/toml.ts",
    },
    inputOptions: {
      transform: {
        inject: { TextDecoder: ["node:util", "TextDecoder"], TextEncoder: ["node:util", "TextEncoder"] },
      },
    },
    dts: false,
    clean: false,
  },
]);
