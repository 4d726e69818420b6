/**
 * Policies learned from pixels, in pages: {@link Trainer} and {@link Policy}.
 *
 * @module gym2600/learn
 */

import { unmoved, workerAt } from "../addresses.js";
import { browserFiles } from "../browser-files.js";
import { noWorkers, setFiles } from "../platform.js";
import { responseBytes } from "../wasm-module.js";
import { BrowserPort } from "../worker/browser-port.js";
import { setCardModule } from "./card.js";
import { REMEDY, setLearnerModule } from "./wasm.js";
import { setLearnerWorker } from "./worker-shards.js";

export * from "./public.js";

setFiles({ ...browserFiles, remedy: REMEDY });
setLearnerModule(async () => {
  const address = unmoved(new URL("../wasm-learn/gym2600_learn_bg.wasm", import.meta.url));
  return { bytes: await responseBytes(await fetch(address)), from: address.href };
});
setCardModule(async () => {
  const address = unmoved(new URL("../wasm-learn-gpu/gym2600_learn_gpu_bg.wasm", import.meta.url));
  return { bytes: await responseBytes(await fetch(address)), from: address.href };
});
setLearnerWorker((name, address) => new BrowserPort(createWorker(address), name));

/** A worker with the package's script, which bundlers copy because its address is literal, or with that at an address. */
function createWorker(address: string | URL | undefined): Worker {
  if (typeof Worker === "undefined") throw noWorkers();
  // Metro, whose bundles are no modules, has no `import.meta`.
  if (address !== undefined) return workerAt(new URL(address, location.href));
  return workerAt(unmoved(new URL("./learn-worker.js", import.meta.url)));
}
