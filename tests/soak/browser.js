/** The soak in a page of headless Chromium: `node tests/soak/browser.js [--steps N] [--environments N]`; see soak.js. Needs Linux. */

import { readFile } from "node:fs/promises";
import { launch, serve } from "../package/chromium.js";
import { filesOf } from "../package/files.js";
import { mib, soak } from "./report.js";

const DOCUMENT = '<!doctype html><title>soak</title><script type="module" src="/tests/soak/page.js"></script>';

/** The resident memory of a process in bytes. */
async function residentMemory(id) {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${id}/status`, "utf8")) ?? [];
  return 1024 * Number(kibibytes);
}

const server = await serve(filesOf(DOCUMENT));
const browser = await launch();
const page = await browser.newPage();
await page.goto(server.address);
await page.waitForFunction(() => "playPart" in globalThis);
const [ofPage, ofBrowser] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()];

async function measure() {
  // Threads of closed environments have ended by then.
  await page.waitForTimeout(500);
  for (let turn = 0; turn < 3; turn++) await ofPage.send("HeapProfiler.collectGarbage");
  const { usedSize } = await ofPage.send("Runtime.getHeapUsage");
  const { processInfo } = await ofBrowser.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  let resident = 0;
  for (const { id } of pages) resident += await residentMemory(id);
  const module = await page.evaluate(() => globalThis.moduleMemory());
  return { moduleMib: mib(module), processMib: mib(resident), heapMib: mib(usedSize) };
}

const flat = await soak("Chromium", (...part) => page.evaluate((args) => globalThis.playPart(...args), part), measure);
await browser.close();
server.close();
process.exit(flat ? 0 : 1);
