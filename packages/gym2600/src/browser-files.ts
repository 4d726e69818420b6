/** The files of pages and Web Workers. */

import { unmoved } from "./addresses.js";
import type { PlatformFiles } from "./platform.js";
import { responseBytes } from "./wasm-module.js";

export const browserFiles: PlatformFiles = {
  async readModule() {
    const address = unmoved(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));
    return { bytes: await read(address), from: address.href };
  },
  read,
};

async function read(address: string | URL): Promise<ArrayBuffer> {
  return responseBytes(await fetch(address));
}
