/** workerd: modules are compiled when a program is deployed, and there are no threads. */

import module from "../wasm/gym2600_wasm_bg.wasm";
import { Gym2600Error } from "./errors.js";
import type { Platform } from "./platform.js";
import { responseBytes } from "./wasm-module.js";

/** The platform of workerd. */
export const workerd: Platform = {
  processors: 1,
  readModule: () => Promise.resolve({ module }),
  async read(address) {
    return responseBytes(await fetch(address));
  },
  startWorker() {
    throw new Gym2600Error("worker-died", "this platform has no workers: use Game, or VectorEnv with workers: 0");
  },
};
