/** Chaos in a headless browser: `node tests/chaos/in-browser.js Chromium|Firefox [--rounds N] [--seed S]` prints counts as JSON; see chaos.js. */

import { parseArgs } from "node:util";
import { start } from "../package/webdriver.js";
import { chaosInBrowser } from "./browser.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "1000" }, seed: { type: "string", default: String(Date.now() % 1e9) } },
});
const scale = Number(process.env.GYM2600_TEST_TIMEOUT_SCALE ?? 1);
const seed = Number(values.seed);
const driver = await start(positionals[0]);
try {
  const counts = await chaosInBrowser(driver, Number(values.rounds), seed, scale);
  console.log(JSON.stringify({ seed, ...counts }));
  process.exitCode = counts.live === 0 && counts.missing.length === 0 ? 0 : 1;
} finally {
  await driver.quit();
}
