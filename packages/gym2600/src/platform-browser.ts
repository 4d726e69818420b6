/** Web pages and their workers. */

import { foreignWorker, unmoved, workerAt } from "./addresses.js";
import { browserFiles } from "./browser-files.js";
import { noWorkers, type Platform } from "./platform.js";
import { BrowserPort } from "./worker/browser-port.js";

/** The platform of pages and Web Workers. */
export const browser: Platform = {
  ...browserFiles,
  processors: globalThis.navigator?.hardwareConcurrency ?? 1,
  startWorker: (name, address) => new BrowserPort(createWorker(address), name),
};

/** Bundlers look for `new Worker(new URL(constant, import.meta.url), constant)`. */
function createWorker(address: string | URL | undefined): Worker {
  if (typeof Worker === "undefined") throw noWorkers();
  // Metro, whose bundles are no modules, has no `import.meta`.
  if (address !== undefined) return workerAt(new URL(address, location.href));
  const built = new URL("./worker.js", import.meta.url);
  const script = unmoved(built);
  if (script !== built) return workerAt(script);
  return foreignWorker(built) ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
