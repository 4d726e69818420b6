/** Chaos in a headless browser; see chaos.js. */

import { HANG_MS } from "../limits.js";
import { serve } from "../package/chromium.js";
import { filesOf } from "../package/files.js";

const DOCUMENT = '<!doctype html><title>chaos</title><script type="module" src="/tests/chaos/page.js"></script>';

/**
 * Plays rounds in the browser of a driver and gives their counts.
 *
 * @param {import("selenium-webdriver").WebDriver} driver
 * @param {number} rounds
 * @param {number} seed
 * @param {number} scale stretches the time limits
 */
export async function chaosInBrowser(driver, rounds, seed, scale) {
  const server = await serve(filesOf(DOCUMENT));
  try {
    await driver.get(server.address);
    await driver.wait(() => driver.executeScript("return 'startChaos' in globalThis"), HANG_MS);
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
