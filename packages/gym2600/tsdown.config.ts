import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "index-node": "src/index-node.ts",
    tensorboard: "src/tensorboard.ts",
    worker: "src/worker.ts",
    "worker-node": "src/worker-node.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  platform: "neutral",
  minify: true,
  // Data, in a file of its own.
  outputOptions: { codeSplitting: { groups: [{ name: "wallop", test: /generated.wallop/ }] } },
  target: "es2022",
  fixedExtension: false,
  deps: { neverBundle: [/^node:/] },
  dts: { entry: ["src/index.ts", "src/tensorboard.ts"] },
});
