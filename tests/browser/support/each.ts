/** A new page for every test of a file. */

import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { launch } from "../../package/chromium.js";
import { Demo, type OpenOptions } from "./demo.js";

/** Opens the page before every test, passes it to `use`, and closes it after the test. */
export function withDemo(use: (demo: Demo) => Promise<void> | void, options: OpenOptions = {}): void {
  let browser: Browser;
  let demo: Demo;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    demo = await Demo.open(browser, options);
    await use(demo);
  });
  afterEach(() => demo.close());
}
