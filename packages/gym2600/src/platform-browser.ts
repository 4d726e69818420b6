/** Web pages and their workers. */

import { unmoved, workerAt } from "./addresses.js";
import { browserFiles } from "./browser-files.js";
import { noWorkers, type Platform } from "./platform.js";
import { BrowserPort } from "./worker/browser-port.js";

/** The platform of pages and Web Workers. */
export const browser: Platform = {
  ...browserFiles,
  processors: globalThis.navigator?.hardwareConcurrency ?? 1,
  startWorker: (name, address) => new BrowserPort(createWorker(address), name),
};

/** A worker with the package's script, which bundlers copy because its address is literal, or with that at an address. */
function createWorker(address: string | URL | undefined): Worker {
  if (typeof Worker === "undefined") throw noWorkers();
  // Metro, whose bundles are no modules, has no `import.meta`.
  if (address !== undefined) return workerAt(new URL(address, location.href));
  return workerAt(unmoved(new URL("./worker.js", import.meta.url)));
}
