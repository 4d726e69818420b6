/**
 * Trains in the page, in headless Chromium, as a visitor does, and prints what the page says every half minute:
 *
 *   node tests/learn/in-page.js [--rom FILE] [--minutes N] [--until SCORE] [--seed N] [--set KEY=VALUE]...
 *
 * Without a ROM it is WALLOP, for 15 minutes or until the score is 100. Needs the built package.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, preview } from "vite";
import { launch } from "../package/chromium.js";

const { values } = parseArgs({
  options: {
    rom: { type: "string" },
    minutes: { type: "string", default: "15" },
    until: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    set: { type: "string", multiple: true, default: [] },
  },
});
const [minutes, until] = [Number(values.minutes), Number(values.until)];
const root = fileURLToPath(new URL("../../www", import.meta.url));
const outDir = fileURLToPath(new URL("output/site", import.meta.url));

await build({ root, logLevel: "warn", build: { outDir, emptyOutDir: true } });
const server = await preview({ root, logLevel: "warn", build: { outDir }, preview: { port: 0, open: false } });
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const changes = values.set.map((change) => `&set.${change}`).join("");
await page.goto(`${server.resolvedUrls?.local[0]}#preset=learner&seed=${values.seed}&games=32&workers=2${changes}`);
if (values.rom !== undefined) {
  const chooser = page.waitForEvent("filechooser");
  await page.locator("#game-button").click();
  await page.locator("#open-rom").click();
  await (await chooser).setFiles(values.rom);
}
await page.locator("#train").click();

const text = async (/** @type {string} */ id) => ((await page.locator(`#${id}`).textContent()) ?? "").trim();
const start = performance.now();
const elapsed = () => (performance.now() - start) / 60_000;
for (let score = Number.NEGATIVE_INFINITY; elapsed() < minutes && !(score >= until); ) {
  await page.waitForTimeout(30_000);
  const story = await text("story");
  score = Number(/it scores (-?[\d.]+) a game/.exec(story)?.[1] ?? Number.NEGATIVE_INFINITY);
  console.log(
    `${elapsed().toFixed(1)} min, ${await text("policy-name")}, ${await text("steps-rate")} steps/s: ${story}`,
  );
}
await page.screenshot({ path: fileURLToPath(new URL("output/in-page.png", import.meta.url)) });
await browser.close();
await server.close();
