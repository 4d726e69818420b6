/** A short run of the chaos rounds in Node and Chromium, in the long form in Firefox too; `scripts/chaos` runs more of them. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HANG_MS, LONG } from "../limits.js";
import { ROOT, seedOfTheDay } from "../package/support.js";
import { start } from "../package/webdriver.js";
import { chaosInBrowser } from "./browser.js";
import { CALLS } from "./chaos.js";

/** Stretches the limits of single calls: the other tests run beside this one. */
const SCALE = 4 * Number(process.env.GYM2600_TEST_TIMEOUT_SCALE || 1);

test("in Node, no call is lost and revived lanes go on as undisturbed games do, whenever threads end", () => {
  const args = [join(ROOT, "tests/chaos/node.js"), "--rounds", "40", "--seed", String(seedOfTheDay())];
  const env = { ...process.env, GYM2600_TEST_TIMEOUT_SCALE: String(SCALE) };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env,
    encoding: "utf8",
    timeout: HANG_MS,
  });
  expect(status, stderr).toBe(0);
  const counts = JSON.parse(stdout) as Record<string, number | Record<string, number>>;
  expect(counts).toMatchObject({ rounds: 40, live: 0, missing: [] });
  const calls = ["close", "create", "ram", "recv", "render", "reset", "restore", "revive", "save", "screen"];
  expect(Object.keys(counts.calls ?? {}).sort()).toEqual([...calls, "send", "step", "stepMany"]);
});

const BROWSERS = ["Chromium", "Firefox"] as const;

test.for(LONG ? BROWSERS : BROWSERS.slice(0, 1))("in %s likewise", async (name) => {
  const driver = await start(name);
  try {
    const counts = await chaosInBrowser(driver, 15, seedOfTheDay(), SCALE);
    expect(counts).toMatchObject({ rounds: 15, live: 0, missing: [] });
    expect(Object.keys(counts.calls)).toEqual(expect.arrayContaining(["create", "close", ...CALLS]));
  } finally {
    await driver.quit();
  }
});
