/**
 * Pages, with the WebAssembly module and the worker's script inside the JavaScript: nothing is fetched, so no bundler and no
 * host can misplace a file. The code is a third larger than the files.
 */

import { WASM_BASE64, WORKER_TEXT } from "virtual:inline-files";
import { workerAt } from "./addresses.js";
import { noWorkers, type Platform } from "./platform.js";
import { responseBytes } from "./wasm-module.js";
import { BrowserPort, workerOfText } from "./worker/browser-port.js";

/** The platform of `gym2600/inline`. */
export const inline: Platform = {
  processors: globalThis.navigator?.hardwareConcurrency ?? 1,
  async readModule() {
    const bytes = Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0));
    return { bytes, from: "gym2600/inline" };
  },
  async read(address) {
    return responseBytes(await fetch(address));
  },
  startWorker(name, address) {
    if (typeof Worker === "undefined") throw noWorkers();
    return new BrowserPort(
      address === undefined ? workerOfText(WORKER_TEXT) : workerAt(new URL(address, location.href)),
      name,
    );
  },
};
