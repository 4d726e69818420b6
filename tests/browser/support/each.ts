/** A new page for every test of a file, in one context: what the browser has fetched and compiled stays, what a test stored does not. */

import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { launch } from "../../package/chromium.js";
import { Demo, type OpenOptions } from "./demo.js";

/** Opens the page before every test, passes it to `use`, and closes it after the test. */
export function withDemo(use: (demo: Demo) => Promise<void> | void, options: OpenOptions = {}): void {
  let browser: Browser;
  let context: BrowserContext;
  let demo: Demo;
  beforeAll(async () => {
    browser = await launch();
    context = await Demo.context(browser, options);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    demo = await Demo.openIn(context, options);
    await use(demo);
  });
  afterEach(() => demo.closePage());
}
