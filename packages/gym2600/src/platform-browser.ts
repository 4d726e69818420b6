/** Web pages and their workers. */

import type { Platform } from "./platform.js";
import { responseBytes } from "./wasm-module.js";
import { BrowserPort, workerOfText } from "./worker/browser-port.js";

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
  if (script.origin !== location.origin && script.protocol.startsWith("http")) return foreignWorker(script);
  if (address !== undefined || script !== built) return new Worker(script, { type: "module" });
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** The address of a file of the package. The optimizer of Vite 6 and 7 moves the package's modules, and not the files beside them. */
function unmoved(address: URL): URL {
  const path = address.pathname
    .replace("/node_modules/.vite/wasm/", "/node_modules/gym2600/wasm/")
    .replace("/node_modules/.vite/deps/", "/node_modules/gym2600/dist/");
  return path === address.pathname ? address : new URL(path, address);
}

/** Browsers start workers from scripts of the page's own origin only; such a script may import one of another origin. */
function foreignWorker(script: URL): Worker {
  return workerOfText(`import ${JSON.stringify(script.href)};`);
}
