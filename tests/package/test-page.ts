/** Pages in headless browsers, whose functions tests call. */

import type { WebDriver } from "selenium-webdriver";
import { afterAll, beforeAll } from "vitest";
import { HANG_MS } from "../limits.js";
import { serve } from "./chromium.js";
import { filesOf } from "./files.js";
import { rom } from "./support.js";
import { type Engine, start } from "./webdriver.js";

/** A page that has imported a script. */
export interface TestPage {
  readonly driver: WebDriver;
  /** Calls a function that the script exports. Arguments and results cross as JSON, because drivers change types. */
  call(name: string, ...args: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a page with a script of tests/package in a new browser. It reads ROMs at `/roms/NAME.bin`. */
async function openPage(engine: Engine, script: string): Promise<TestPage> {
  const files = filesOf(`<!doctype html>
<title>gym2600</title>
<script type="module">
  import * as page from "/tests/package/${script}";
  globalThis.call = async (name, args) => JSON.stringify(await page[name](...JSON.parse(args)));
</script>`);
  const server = await serve(async (path) => {
    const [, game] = /^\/roms\/(\w+)\.bin$/.exec(path) ?? [];
    return game === undefined ? files(path) : rom(game);
  });
  const driver = await start(engine);
  await driver.get(server.address);
  await driver.wait(() => driver.executeScript<boolean>("return 'call' in window"), HANG_MS);
  return {
    driver,
    async call(name, ...args) {
      const told = await driver.executeScript<string | null>("return call(...arguments)", name, JSON.stringify(args));
      return told === null ? undefined : JSON.parse(told);
    },
    async close() {
      server.close();
      await driver.quit();
    },
  };
}

/** A page with a script of tests/package, open while the tests of the block run that calls this. */
export function pageOfTests(engine: Engine, script: string): () => TestPage {
  let page: TestPage;
  beforeAll(async () => {
    page = await openPage(engine, script);
  });
  afterAll(() => page?.close());
  return () => page;
}
