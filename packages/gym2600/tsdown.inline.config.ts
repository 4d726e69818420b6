import { readFile } from "node:fs/promises";
import { defineConfig } from "tsdown";

const FILES = "virtual:inline-files";

/** The module that has the built WebAssembly file and worker as texts. Runs after the main build. */
const files = {
  name: "inline-files",
  resolveId: (id: string) => (id === FILES ? id : null),
  async load(id: string) {
    if (id !== FILES) return null;
    const wasm = await readFile(new URL("wasm/gym2600_wasm_bg.wasm", import.meta.url));
    const worker = await readFile(new URL("dist/worker.js", import.meta.url), "utf8");
    const text = worker.replace(/^\/\/# sourceMappingURL.*$/m, "");
    const code = `export const WASM_BASE64 = "${wasm.toString("base64")}";\nexport const WORKER_TEXT = ${JSON.stringify(text)};`;
    // The source map leaves these texts out.
    return { code, map: { mappings: "" } };
  },
};

export default defineConfig({
  entry: { inline: "src/index-inline.ts" },
  format: ["esm", "iife"],
  globalName: "gym2600",
  platform: "neutral",
  minify: false,
  sourcemap: true,
  target: "es2022",
  fixedExtension: false,
  outDir: "dist",
  clean: false,
  dts: false,
  plugins: [files],
});
