import { defineConfig, type UserConfig } from "tsdown";

/**
 * Conditions of wasm-bindgen's glue that always have the same value here: it gets a compiled module, and the platforms that have SIMD have
 * `encodeInto`.
 */
const CONDITIONS: ReadonlyArray<readonly [condition: string, value: boolean]> = [
  ["typeof Response === 'function' && module instanceof Response", false],
  [
    "typeof module_or_path === 'string' || (typeof Request === 'function' && module_or_path instanceof Request) || (typeof URL === 'function' && module_or_path instanceof URL)",
    false,
  ],
  ["Object.getPrototypeOf(module_or_path) === Object.prototype", true],
  ["!('encodeInto' in cachedTextEncoder)", false],
];

/** Leaves out of the glue what never runs: 2 % of a page's download. */
const neverRun: NonNullable<UserConfig["plugins"]> = {
  name: "never-run",
  transform: {
    filter: { id: /gym2600_(?:wasm|learn)\.js$/ },
    handler(code: string) {
      let kept = code;
      for (const [condition, value] of CONDITIONS) {
        if (!kept.includes(condition)) throw new Error(`wasm-bindgen's glue has no condition ${condition}`);
        kept = kept.replaceAll(condition, String(value));
      }
      return { code: kept, map: null };
    },
  },
};

/** Readable code with source maps: the minifier is the application's. */
const common: UserConfig = {
  format: "esm",
  platform: "neutral",
  minify: false,
  sourcemap: true,
  target: "es2022",
  fixedExtension: false,
  deps: { neverBundle: [/^node:/, /\.wasm$/] },
  outDir: "dist",
  plugins: neverRun,
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: "src/index.ts",
      "index-node": "src/index-node.ts",
      "index-workerd": "src/index-workerd.ts",
      tensorboard: "src/tools/tensorboard.ts",
      record: "src/record/index.ts",
      toml: "src/toml.ts",
      "worker-node": "src/worker/worker-node.ts",
      cli: "src/cli/main.ts",
      learn: "src/learn/index.ts",
      "learn-node": "src/learn/index-node.ts",
      "learn-worker-node": "src/learn/worker-node.ts",
    },
    dts: {
      entry: ["src/index.ts", "src/record/index.ts", "src/tools/tensorboard.ts", "src/toml.ts", "src/learn/index.ts"],
    },
    // The ROM is data in a chunk of its own, which bundlers drop where `wallop` is not imported.
    outputOptions: { codeSplitting: { groups: [{ name: "wallop", test: /(generated|src).wallop\.ts$/ }] } },
  },
  // One file without imports: it is also loaded from other origins and by the bundlers that copy it as an asset.
  { ...common, entry: { worker: "src/worker/worker.ts" }, dts: false, clean: false },
  { ...common, entry: { "learn-worker": "src/learn/worker.ts" }, dts: false, clean: false },
]);
