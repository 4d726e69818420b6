/** workerd: modules are compiled when a program is deployed, and there are no threads. */

import module from "../wasm/gym2600_wasm_bg.wasm";
import { noWorkers, type Platform } from "./platform.js";
import { responseBytes } from "./wasm-module.js";

/** The platform of workerd. */
export const workerd: Platform = {
  processors: 1,
  readModule: () => Promise.resolve({ module }),
  async read(address) {
    return responseBytes(await fetch(address));
  },
  startWorker() {
    throw noWorkers();
  },
};
