/** The competitor: the npm package in headless Chromium, which is given this program's arguments. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve } from "../package/chromium.js";
import { answerLines } from "./lines.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Only where a page is isolated does the browser tell the time exactly. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

async function file(path) {
  if (path === "/") return Buffer.from("<!doctype html><title>gym2600</title>");
  if (/^\/(tests\/bench|packages\/gym2600\/(dist|wasm|wasm-learn|wasm-learn-gpu))\/[\w.-]+$/.test(path))
    return readFile(join(ROOT, path));
  throw new Error(path);
}

const server = await serve(file, ISOLATED);
const browser = await launch(process.argv.slice(2));
const page = await browser.newPage();
await page.goto(server.address);

await answerLines((request, rom) =>
  page.evaluate(
    ([request, rom]) => import("/tests/bench/page.js").then(({ measure }) => measure(request, rom)),
    [request, Buffer.from(rom).toString("base64")],
  ),
);
await browser.close();
process.exit();
