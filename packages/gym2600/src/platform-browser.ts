/** Web pages and their workers. */

import { foreignWorker, unmoved } from "./addresses.js";
import type { Platform } from "./platform.js";
import { responseBytes } from "./wasm-module.js";
import { BrowserPort } from "./worker/browser-port.js";

/** The platform of pages and Web Workers. */
export const browser: Platform = {
  processors: globalThis.navigator?.hardwareConcurrency ?? 1,
  async readModule() {
    const address = unmoved(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));
    return { bytes: await read(address), from: address.href };
  },
  read,
  startWorker: (name, address) => new BrowserPort(createWorker(address), name),
};

async function read(address: string | URL): Promise<ArrayBuffer> {
  return responseBytes(await fetch(address));
}

/** Bundlers look for `new Worker(new URL(constant, import.meta.url), constant)`. */
function createWorker(address: string | URL | undefined): Worker {
  const built = new URL("./worker.js", import.meta.url);
  const script = address === undefined ? unmoved(built) : new URL(address, location.href);
  const foreign = foreignWorker(script);
  if (foreign !== undefined) return foreign;
  if (script !== built) return new Worker(script, { type: "module" });
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
