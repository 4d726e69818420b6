/** Builds and serves the page, runs Lighthouse's command line program, and prints its scores: lighthouse.js PROGRAM */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, preview } from "vite";
import { CHROMIUM_ARGUMENTS } from "../package/chromium.js";

const [program] = process.argv.slice(2);
if (program === undefined) throw new Error("which program? run scripts/lighthouse");
const root = fileURLToPath(new URL("../../www", import.meta.url));
const outDir = fileURLToPath(new URL("output/lighthouse", import.meta.url));

await build({ root, logLevel: "warn", build: { outDir, emptyOutDir: true } });
const server = await preview({ root, logLevel: "warn", build: { outDir }, preview: { port: 0, open: false } });
const address = String(server.resolvedUrls?.local[0]);
for (const device of ["desktop", "mobile"]) {
  const preset = device === "desktop" ? ["--preset=desktop"] : [];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, address, ...preset, "--output=json", "--quiet", `--chrome-flags=${CHROMIUM_ARGUMENTS.join(" ")}`],
    { env: { ...process.env, CHROME_PATH: process.env.CHROME }, maxBuffer: 1 << 28 },
  );
  const { categories, audits } = JSON.parse(stdout);
  const scores = Object.values(categories).map(({ title, score }) => `${title} ${Math.round(score * 100)}`);
  console.log(`${device}: ${scores.join(", ")}`);
  for (const { title, score, scoreDisplayMode } of Object.values(audits)) {
    if (scoreDisplayMode === "binary" && score === 0) console.log(`  ${title}`);
  }
}
await server.close();
