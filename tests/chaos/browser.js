/** Chaos in a headless browser; see chaos.js. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { serve } from "../package/chromium.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const DOCUMENT = '<!doctype html><title>chaos</title><script type="module" src="/chaos/page.js"></script>';

/** The page, what it imports and the package. */
async function file(path) {
  if (path === "/") return Buffer.from(DOCUMENT);
  const [, folder, name = ""] = /^\/(\w+)\/([\w./-]+)$/.exec(path) ?? [];
  if (folder === "package") return readFile(`${ROOT}packages/gym2600/${name}`);
  if (folder === "chaos") return readFile(`${ROOT}tests/chaos/${name}`);
  throw new Error(path);
}

/**
 * Plays rounds in the browser of a driver and gives their counts.
 *
 * @param {import("selenium-webdriver").WebDriver} driver
 * @param {number} rounds
 * @param {number} seed
 * @param {number} scale stretches the time limits
 */
export async function chaosInBrowser(driver, rounds, seed, scale) {
  const server = await serve(file);
  try {
    await driver.get(server.address);
    await driver.wait(() => driver.executeScript("return 'startChaos' in globalThis"), 20_000 * scale);
    await driver.executeScript("startChaos(...arguments)", rounds, seed, scale);
    for (;;) {
      const { done, result, error } = await driver.executeScript("return globalThis.chaos");
      if (done && error !== undefined) throw new Error(error);
      if (done) return result;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    server.close();
  }
}
